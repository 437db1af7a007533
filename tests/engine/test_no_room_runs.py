"""A disk that fills up in any phase of a run: the state before stays, and room later is enough."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training.run import resume
from tests.engine.conftest import fill, mounted

Train = Callable[..., events.RunResult]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Room for some runs of a tiny network."""
    yield from mounted(tmp_path / "disk", "size=40m")


def is_epoch(number: int) -> Callable[[events.Event], bool]:
    return lambda event: isinstance(event, events.EpochDone) and event.epoch == number


def is_phase(name: str) -> Callable[[events.Event], bool]:
    return lambda event: isinstance(event, events.PhaseStarted) and event.phase == name


WHEN = {
    "the run begins": lambda event: isinstance(event, events.RunStarted),
    "it learns": is_phase("train"),
    "an epoch ends": is_epoch(1),
    "it saves": is_phase("save"),
}


class FullDisk:
    """Fills the disk at a moment; remembers what was said."""

    def __init__(self, disk: Path, when: Callable[[events.Event], bool]) -> None:
        self._disk, self._when = disk, when
        self.seen: list[events.Event] = []

    def __call__(self, event: events.Event) -> None:
        self.seen.append(event)
        if self._when(event):
            self._when = lambda _event: False
            fill(self._disk)

    def end(self) -> None:
        (self._disk / "filler").unlink()

    @property
    def notices(self) -> list[str]:
        return [event.code for event in self.seen if isinstance(event, events.Notice)]


def attempt(train: Train, trouble: FullDisk, *how: Any, **changes: Any) -> events.RunResult | CatDogError:
    try:
        return train(*how, emit=trouble, image_size=32, epochs=3, patience=0, precision="fp32", **changes)
    except CatDogError as error:
        return error


def weights(run: Path) -> dict[str, bytes]:
    return {name: value.tobytes() for name, value in read_model(run).tensors.items()}


@pytest.fixture(scope="module")
def undisturbed(
    train: Train, make_dataset: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """(photos, run) of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    data = make_dataset(folder / "photos", {"cats": 8, "dogs": 8}, size=(40, 40))
    train(data, folder / "run", "article", image_size=32, epochs=3, patience=0, precision="fp32")
    return data, folder / "run"


@pytest.mark.parametrize("choice", ["go_on", "stop"])
@pytest.mark.parametrize("moment", WHEN)
def test_a_run_whose_disk_fills_up_at_any_moment_ends_as_if_it_had_not_once_there_is_room(
    moment: str, choice: str, disk: Path, train: Train, undisturbed: tuple[Path, Path]
) -> None:
    data, reference = undisturbed
    trouble = FullDisk(disk, WHEN[moment])
    ended = attempt(train, trouble, data, disk / "run", "article", disk_full=choice)

    assert isinstance(ended, CatDogError), "not even the model has room"
    assert ended.code == "disk_full"
    assert str(disk / "run") in str(ended)
    assert ended.fields["free_mb"] < ended.fields["needed_mb"]  # type: ignore[operator]
    assert [path.name for path in (disk / "run").iterdir() if path.name.endswith((".part", ".new"))] == []
    if choice == "go_on" and moment in ("it learns", "an epoch ends"):
        assert "checkpoint_failed" in trouble.notices
        assert sum(isinstance(event, events.EpochDone) for event in trouble.seen) == 3  # it went on meanwhile
    trouble.end()
    assert resume(disk / "run").status == "completed"
    assert weights(disk / "run") == weights(reference)
    assert run_list.summarize(disk / "run").status == "completed"  # type: ignore[union-attr]
    epochs = [event.epoch for event in runlog.read_events(disk / "run") if isinstance(event, events.EpochDone)]
    assert epochs == [1, 2, 3]


@pytest.mark.parametrize("moment", ["it learns", "an epoch ends"])
def test_a_run_goes_on_while_its_disk_is_full_and_keeps_all_once_there_is_room(
    moment: str, disk: Path, train: Train, undisturbed: tuple[Path, Path]
) -> None:
    data, reference = undisturbed
    trouble = FullDisk(disk, WHEN[moment])

    def emit(event: events.Event) -> None:
        trouble(event)
        if is_epoch(2)(event):
            trouble.end()

    settings = {"image_size": 32, "epochs": 3, "patience": 0, "precision": "fp32", "disk_full": "go_on"}
    result = train(data, disk / "run", "article", emit=emit, **settings)

    assert result.status == "completed"
    assert "checkpoint_failed" in trouble.notices
    assert weights(disk / "run") == weights(reference)
    assert checkpoint.load(disk / "run")[0].done == 3  # type: ignore[union-attr]
    epochs = [event.epoch for event in runlog.read_events(disk / "run") if isinstance(event, events.EpochDone)]
    assert epochs == [1, 2, 3]
    assert run_list.summarize(disk / "run").status == "completed"  # type: ignore[union-attr]
