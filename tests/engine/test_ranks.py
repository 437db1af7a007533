"""Several processes compute one run: the same as one would, and when one of them dies. More in benchmarks/ranks.py."""

import contextlib
import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import torch

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.distributed.all_cards import run_in_processes
from catdog_gui.engine.distributed.ranks import ALONE, RankLostError, Ranks, collected, dealt
from catdog_gui.engine.learning.loading import ArrayStore, BatchLoader
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.training.run import fit, resume


class Third(Ranks):
    number, count = 2, 3


def settings(data: Path, **changes: Any) -> TrainConfig:
    """No BatchNorm, full precision: what is computed in parts is the same but for rounding."""
    small = {"device": "cpu", "precision": "fp32", "image_size": 32, "batch_size": 10, "epochs": 3, **changes}
    return dataclasses.replace(preset("article"), data=data, **small)


def begun(config: TrainConfig, run: Path) -> Path:
    """A run folder that holds nothing but its settings."""
    with runlog.create(run) as folder:
        folder.write_config(dataclasses.replace(config, run=run), {})
    return run


def losses(said: list[events.Event]) -> list[float]:
    return [event.loss for event in said if isinstance(event, events.StepDone) and event.loss is not None]


# --- parts -----------------------------------------------------------------------------------------------------------


def test_what_is_dealt_out_and_collected_is_whole_again() -> None:
    items = np.arange(20).reshape(10, 2)
    parts = [items[number::3] for number in range(3)]

    assert dealt(items, Third()).tolist() == parts[2].tolist()
    assert collected(parts, np.zeros_like(items)).tolist() == items.tolist()


@pytest.mark.parametrize("parts", [2, 4, 7])
def test_the_parts_of_a_batch_are_the_batch_and_every_rank_has_as_many(parts: int) -> None:
    rows = np.arange(23, dtype=np.float32)[:, None]
    whole = BatchLoader(ArrayStore(rows), np.arange(23), np.arange(23), 6, torch.device("cpu"), seed=1, learning=True)
    shares = [list(dataclasses.replace(whole, shard=(part, parts))) for part in range(parts)]

    assert {len(share) for share in shares} == {len(whole)}
    for number, batch in enumerate(whole):
        assert torch.cat([share[number].labels for share in shares]).tolist() == batch.labels.tolist()


# --- processes -------------------------------------------------------------------------------------------------------


def test_two_processes_learn_what_one_does_and_tell_it_as_one(tiny_dataset: Path, tmp_path: Path) -> None:
    config = settings(tiny_dataset)
    alone: list[events.Event] = []
    together: list[events.Event] = []

    expected = fit(dataclasses.replace(config, run=tmp_path / "alone"), alone.append)
    result = run_in_processes(begun(config, tmp_path / "together"), 2, together.append, lambda: False)

    assert result.status == "completed"
    assert (result.photos, result.classes, result.epochs) == (expected.photos, expected.classes, expected.epochs)
    assert len(losses(alone)) == 12
    assert losses(together) == pytest.approx(losses(alone), abs=1e-4)
    assert result.val["log_loss"] == pytest.approx(expected.val["log_loss"], abs=1e-3)
    assert [e.val_loss for e in together if isinstance(e, events.EpochDone)] == pytest.approx(
        [e.val_loss for e in alone if isinstance(e, events.EpochDone)], abs=1e-4
    )
    assert [type(event) for event in together].count(events.RunResult) == 1
    assert list(runlog.read_events(tmp_path / "together"))[-1] == result


def test_a_killed_process_ends_the_run_which_then_goes_on_with_one(tiny_dataset: Path, tmp_path: Path) -> None:
    run = begun(settings(tiny_dataset, epochs=100_000), tmp_path / "run")
    learned = threading.Event()

    def watch(event: events.Event) -> None:
        if isinstance(event, events.EpochDone) and event.epoch == 2:
            _process(1).kill()
            learned.set()

    with pytest.raises(RankLostError):
        run_in_processes(run, 2, watch, lambda: False)

    assert learned.is_set()
    again: list[events.Event] = []
    result = resume(run, again.append, _after_epochs(again, 1))
    assert result.status == "stopped"
    assert result.epochs >= 3
    assert next(event for event in again if isinstance(event, events.Notice)).code == "went_on"


def _process(rank: int) -> psutil.Process:
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if child.environ().get("RANK") == str(rank):
                return child
    raise ProcessLookupError(rank)


def _after_epochs(said: list[events.Event], count: int) -> Callable[[], bool]:
    return lambda: sum(isinstance(event, events.EpochDone) for event in said) >= count


def test_alone_everything_is_ones_own() -> None:
    assert ALONE.gather(3) == [3]
    assert ALONE.share(3) == 3
    assert ALONE.attempt(lambda: 3) == 3
    assert ALONE.wants_stop(asked=True)
