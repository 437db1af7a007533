"""What is said of long work where no terminal shows it: a line now and then, and none into the data."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from catdog_gui import cli, output
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.samples import SampleSet


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def catdog(*words: str | Path) -> int:
    return cli.main([str(word) for word in words])


@pytest.fixture
def every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time has to pass between two lines about the work."""
    monkeypatch.setattr(output, "FIRST_PAUSE_S", 0.0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def said(clock: Clock, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """`said(seconds, json=False)`: the lines about work that tells its second each second."""

    def lines(seconds: int, *, json: bool = False) -> list[str]:
        out = output.Output(argparse.Namespace(json=json), clock)
        for second in range(1, seconds + 1):
            clock.now_s = float(second)
            out.progress(str(second))
        found = capsys.readouterr()
        assert found.out == ""
        return found.err.splitlines()

    return lines


def test_work_of_a_few_seconds_is_not_talked_about(said: Callable[..., list[str]]) -> None:
    assert said(9) == []


def test_long_work_says_a_line_now_and_then_and_ever_more_seldom(said: Callable[..., list[str]]) -> None:
    assert said(130) == ["10", "30", "60", "90", "120"]


def test_json_lines_have_the_progress_already(said: Callable[..., list[str]]) -> None:
    assert said(400, json=True) == []


def test_what_was_just_said_counts(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    out = output.Output(argparse.Namespace(json=False), clock)
    clock.now_s = 9.0
    out.say("left out: a.jpg")
    clock.now_s = 11.0
    out.progress("20 photos")

    assert capsys.readouterr().err == "left out: a.jpg\n"


@pytest.mark.usefixtures("every_line")
def test_training_into_a_file_tells_how_far_it_is(tiny_dataset: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert catdog("train", tiny_dataset, "--device", "cpu", "--image-size", "64", "--epochs", "1") == 0
    lines = capfd.readouterr().err.splitlines()

    assert any(line.startswith("48 of 48 photos read") for line in lines)
    assert any(line.startswith("step 1 of ") for line in lines)


@pytest.mark.usefixtures("every_line")
def test_weights_that_are_fetched_are_told_in_megabytes(
    tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fetched(*_network: object, on_progress: Callable[[int, int], None], **_how: object) -> None:
        on_progress(12 * 2**20, 45 * 2**20)

    monkeypatch.setattr(networks, "has_pretrained", lambda _name: True)
    monkeypatch.setattr(networks, "load_pretrained", fetched)
    how = ("--preset", "balanced", "--model", "mobilenet_v3_small", "--image-size", "32", "--epochs", "1")
    assert catdog("train", tiny_dataset, "--device", "cpu", *how) == 0

    assert "12 of 45 MB of the network's weights fetched" in capfd.readouterr().err.splitlines()


@pytest.mark.usefixtures("every_line")
def test_scoring_into_a_file_tells_how_far_it_is(
    drawn_run: Path, drawn_samples: SampleSet, capfd: pytest.CaptureFixture[str]
) -> None:
    assert catdog("evaluate", drawn_run, drawn_samples.dataset, "--device", "cpu") == 0
    assert "80 of 80 photos" in capfd.readouterr().err.splitlines()


@pytest.mark.usefixtures("every_line")
def test_answers_that_go_into_a_file_are_counted_beside_it(
    drawn_run: Path,
    drawn_samples: SampleSet,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (tmp_path / "answers.txt").open("w") as file:
        monkeypatch.setattr("sys.stdout", file)
        assert catdog("predict", drawn_run, *drawn_samples.held_out[:3], "--device", "cpu") == 0

    assert "3 photos answered" in capfd.readouterr().err.splitlines()
    assert len((tmp_path / "answers.txt").read_text().splitlines()) == 3


@pytest.mark.usefixtures("every_line")
def test_answers_in_the_same_file_are_not_counted_between_them(
    drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "all.txt").open("w") as file:
        monkeypatch.setattr("sys.stdout", file)
        monkeypatch.setattr("sys.stderr", file)
        assert catdog("predict", drawn_run, *drawn_samples.held_out[:3], "--device", "cpu") == 0

    assert "answered" not in (tmp_path / "all.txt").read_text()
