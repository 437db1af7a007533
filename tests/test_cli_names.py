"""A run is asked for by its name wherever `catdog` takes a run or a model."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from catdog_gui import cli
from catdog_gui.engine.runs import run_list
from catdog_gui.engine.samples import SampleSet

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def named(drawn_run: Path, catdog_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A run `run-0001` under the home, shown as "holiday"; the current folder is an empty one."""
    run = Path(shutil.copytree(drawn_run, catdog_home / "runs" / "run-0001"))
    run_list.rename(run, "holiday")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return run


def run(*words: str | Path) -> int:
    return cli.main([str(word) for word in words])


@pytest.mark.parametrize("name", ["run-0001", "holiday"])
def test_a_model_is_taken_by_the_name_of_its_run(
    name: str, named: Path, drawn_samples: SampleSet, tmp_path: Path, capsys: Capture
) -> None:
    photo = drawn_samples.held_out[0]

    assert run("predict", name, photo) == 0
    assert run("explain", name, photo) == 0
    assert run("evaluate", name, drawn_samples.dataset) == 0
    assert run("export", name, tmp_path / "pets.onnx") == 0
    assert "Traceback" not in capsys.readouterr().err


def test_a_run_goes_on_by_its_name(named: Path, capsys: Capture) -> None:
    assert run("train", "--resume", "holiday") == 0
    assert str(named) in capsys.readouterr().out


def test_a_new_run_starts_from_a_run_by_its_name(named: Path, capsys: Capture) -> None:
    assert run("train", "--from", "run-0001", "--epochs", "1", "--device", "cpu") == 0
    assert "run-0002" in capsys.readouterr().out


def test_a_path_that_exists_wins_over_a_name(named: Path, drawn_samples: SampleSet, capsys: Capture) -> None:
    Path("holiday").mkdir()

    assert run("predict", "holiday", drawn_samples.held_out[0]) == 3
    assert "holiday is not a run of this program" in capsys.readouterr().err


def test_several_runs_of_one_name_are_named_by_their_folders(
    named: Path, drawn_samples: SampleSet, capsys: Capture
) -> None:
    run_list.rename(Path(shutil.copytree(named, named.with_name("run-0002"))), "holiday")

    assert run("predict", "holiday", drawn_samples.held_out[0]) == 3
    assert "Several runs are called “holiday”" in capsys.readouterr().err


def test_a_name_of_nothing_is_said_as_before(named: Path, drawn_samples: SampleSet, capsys: Capture) -> None:
    assert run("predict", "nobody", drawn_samples.held_out[0]) == 3
    assert "There is no model at nobody" in capsys.readouterr().err
