"""A disk without room for what a run will write is told about before the work."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.config import NETWORKS, TrainConfig, preset
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.training.room import needed
from catdog_gui.engine.training.run import resume
from tests.engine.conftest import mounted

Train = Callable[..., events.RunResult]
TINY = {"image_size": 32, "epochs": 2, "patience": 0, "precision": "fp32"}


def reads_photos(event: events.Event) -> bool:
    return isinstance(event, events.Progress) and event.phase == "prepare"


def is_warning(event: events.Event) -> bool:
    return isinstance(event, events.Notice) and event.code == "room_short"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Room for a tiny network's model (2 MB), and not for its checkpoints (5 MB each)."""
    yield from mounted(tmp_path / "disk", "size=6m")


@pytest.fixture
def photos(tmp_path: Path, make_dataset: Callable[..., Path]) -> Path:
    return make_dataset(tmp_path / "photos", {"cats": 8, "dogs": 8}, size=(40, 40))


def test_a_run_whose_model_has_no_room_is_refused_before_its_photos_are_read(
    small_disk: Path, train: Train, photos: Path
) -> None:
    said: list[events.Event] = []
    with pytest.raises(CatDogError) as caught:
        train(photos, small_disk / "run", "article", emit=said.append, **TINY)

    assert caught.value.code == "disk_full"
    assert str(small_disk / "run") in str(caught.value)
    assert caught.value.fields["free_mb"] < caught.value.fields["needed_mb"]  # type: ignore[operator]
    assert not [event for event in said if reads_photos(event)]


def test_a_run_that_may_fill_its_disk_says_so_before_its_photos_are_read(
    disk: Path, train: Train, photos: Path
) -> None:
    said: list[events.Event] = []
    result = train(photos, disk / "run", "article", emit=said.append, **TINY)
    told = [at for at, event in enumerate(said) if is_warning(event)]

    assert result.status == "completed"
    assert len(told) == 1
    assert told[0] < [reads_photos(event) for event in said].index(True)


def test_with_room_nothing_is_said(train: Train, photos: Path, tmp_path: Path) -> None:
    said: list[events.Event] = []
    train(photos, tmp_path / "run", "article", emit=said.append, **TINY)

    assert not any(is_warning(event) for event in said)


def test_a_run_that_was_refused_begins_once_there_is_room(disk: Path, train: Train, photos: Path) -> None:
    (disk / "other").write_bytes(bytes(5 * 2**20))
    with pytest.raises(CatDogError, match="The disk is full"):
        train(photos, disk / "run", "article", **TINY)
    (disk / "other").unlink()

    assert resume(disk / "run").status == "completed"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("fast", {}),
        ("fast", {"model": "small_cnn", "pretrained": False}),
        ("balanced", {}),
        ("best", {"image_size": 64}),
        ("article", {"optimizer": "sgd"}),
    ],
)
def test_what_is_told_is_what_is_written(
    name: str, settings: dict[str, Any], train: Train, photos: Path, tmp_path: Path
) -> None:
    settings = {**TINY, **settings}
    run = Path(train(photos, tmp_path / "run", name, **settings).run)
    need = needed(runlog.read_config(run), classes=2, photos=16)
    written = {file: (run / file).stat().st_size for file in (runlog.MODEL, runlog.CHECKPOINTS[0])}

    assert need.weights <= written[runlog.MODEL]
    assert need.model == pytest.approx(written[runlog.MODEL], rel=0.05)
    assert need.checkpoint == pytest.approx(written[runlog.CHECKPOINTS[0]], rel=0.1, abs=20_000)


@pytest.mark.parametrize("model", NETWORKS)
def test_every_network_has_a_size_before_it_is_there(model: str) -> None:
    few = needed(TrainConfig(model=model), classes=2, photos=100)
    wanted = preset("article") if model == "small_cnn" else dataclasses.replace(preset("balanced"), model=model)
    balanced = needed(wanted, 2, 100)

    assert 2**20 < few.weights < few.model < 2**28
    assert few.checkpoint < balanced.checkpoint
