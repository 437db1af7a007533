"""Several processes compute one run: the same as one would, and when one of them dies. More in benchmarks/ranks.py."""

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import torch
from torch import distributed as dist

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.distributed.all_cards import run_in_processes
from catdog_gui.engine.distributed.ranks import ALONE, RankLostError, Ranks, collected, dealt
from catdog_gui.engine.distributed.signs import Signs
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.learning.loading import ArrayStore, BatchLoader
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.training import on_cards
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


def test_what_went_wrong_elsewhere_is_raised_as_it_would_have_been_here() -> None:
    store = dist.HashStore()  # type: ignore[attr-defined]
    here, there = (Signs(store, number, 2, 5.0) for number in range(2))

    there.leave(InputError("too_few_classes", count=1))

    error = here.lost("closed by peer")
    assert isinstance(error, InputError)
    assert (error.code, error.fields, error.exit_code) == ("too_few_classes", {"count": 1}, 3)


def test_a_process_that_was_killed_is_missed_at_once_and_one_that_is_done_is_not() -> None:
    store = dist.HashStore()  # type: ignore[attr-defined]
    signs = Signs(store, 0, 2, 60.0)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        signs.watch({0: os.getpid(), 1: other.pid})
        other.kill()
        other.wait()
    with pytest.raises(RankLostError, match="process 1 has ended"):
        signs.meet()

    Signs(store, 1, 2, 60.0).leave(None)

    signs.beat()  # it does not look for it


def test_a_broken_connection_names_the_process_that_is_just_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    signs = Signs(dist.HashStore(), 0, 2, 60.0)  # type: ignore[attr-defined]
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        signs.watch({0: os.getpid(), 1: other.pid})

        def end_it(_seconds: float) -> None:
            other.kill()
            other.wait()

        monkeypatch.setattr("catdog_gui.engine.distributed.signs.time.sleep", end_it)
        error = signs.broken("Connection reset by peer")

    assert isinstance(error, RankLostError)
    assert error.fields == {"reason": "process 1 has ended"}


def test_a_connection_that_broke_by_itself_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catdog_gui.engine.distributed.signs._DYING_S", 0.0)
    signs = Signs(dist.HashStore(), 0, 2, 60.0)  # type: ignore[attr-defined]
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        signs.watch({1: other.pid})

        assert signs.broken("Connection reset by peer").fields == {"reason": "Connection reset by peer"}  # type: ignore[attr-defined]

        other.kill()


def test_one_that_does_not_move_is_missed_after_a_while() -> None:
    with pytest.raises(RankLostError, match="process 1 has not moved"):
        Signs(dist.HashStore(), 0, 2, 0.05).meet()  # type: ignore[attr-defined]


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

    with pytest.raises(RankLostError, match="process 1"):
        run_in_processes(run, 2, watch, lambda: False)

    assert learned.is_set()
    assert not _ranks_of(psutil.Process())
    again: list[events.Event] = []
    result = resume(run, again.append, _after_epochs(again, 1))
    assert result.status == "stopped"
    assert result.epochs >= 3
    assert next(event for event in again if isinstance(event, events.Notice)).code == "went_on"


class Window:
    """Who watches a run and presses Pause after its second epoch, Go on once nothing comes any more, then Stop."""

    def __init__(self) -> None:
        self.said: list[events.Event] = []
        self.stood_still = False
        self._came, self._held, self._go_on = threading.Event(), threading.Event(), threading.Event()
        self._presser = threading.Thread(target=self._press, daemon=True)
        self._presser.start()

    def emit(self, event: events.Event) -> None:
        self.said.append(event)
        self._came.set()

    def should_stop(self) -> bool:
        epochs = sum(isinstance(event, events.EpochDone) for event in self.said)
        if epochs >= 2:
            self._held.set()
            self._go_on.wait()
        return epochs > 2 and self._go_on.is_set()

    def _press(self) -> None:
        self._held.wait()
        for _ in range(1000):  # of the many more steps than this that there are
            self._came.clear()
            if not self._came.wait(0.7):
                self.stood_still = True
                break
        self._go_on.set()


def test_all_cards_start_from_a_run_hold_while_it_is_paused_and_stop(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cards, "cards_for", lambda config, _ranks: 2 if config.device == "all" else 1)
    source, run, window = tmp_path / "source", tmp_path / "run", Window()
    fit(settings(tiny_dataset, run=source, epochs=1))

    config = settings(tiny_dataset, run=run, device="all", epochs=100_000)
    result = fit(config, window.emit, window.should_stop, source=source)

    assert window.stood_still
    assert result.status == "stopped"
    assert result.epochs > 2
    assert [event.code for event in window.said if isinstance(event, events.Notice)] == ["started_from"]
    assert json.loads((run / "config.json").read_text(encoding="utf-8"))["facts"]["processes"] == 2
    assert not (run / "PAUSE").exists()
    assert not _ranks_of(psutil.Process())


def test_a_signal_to_the_launcher_stops_all_processes_which_save(tiny_dataset: Path, tmp_path: Path) -> None:
    run = begun(settings(tiny_dataset, epochs=100_000), tmp_path / "run")
    command = [sys.executable, "-m", "catdog_gui.torchrun", "--standalone", "--nproc-per-node", "2", "--"]
    with subprocess.Popen(
        [*command, "train", "--resume", str(run)],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as job:
        assert job.stderr is not None
        said = next(line for line in job.stderr if line.startswith("Epoch 2"))
        ranks = _ranks_of(psutil.Process(job.pid))
        job.terminate()  # as a cluster does that wants its machine back
        said += job.stderr.read()

    assert job.returncode == 130
    assert "Traceback" not in said
    assert len(ranks) == 2
    assert not any(process.is_running() for process in ranks)
    end = runlog.last_event(run)
    assert isinstance(end, events.RunResult)
    assert end.status == "stopped"
    assert resume(run, should_stop=lambda: True).epochs == end.epochs


def test_several_processes_end_with_the_sentence_and_the_code_of_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "catdog_gui.torchrun", "--standalone", "--nproc-per-node", "1", "--"]
    ended = subprocess.run(
        [*command, "train", str(tmp_path)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 3
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("catdog: ")


def _ranks_of(program: psutil.Process) -> list[psutil.Process]:
    """The processes that compute a run and that this program, or one that it started, has started."""
    found = []
    for child in program.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "RANK" in child.environ():
                found.append(child)
    return found


def _process(rank: int) -> psutil.Process:
    return next(child for child in _ranks_of(psutil.Process()) if child.environ()["RANK"] == str(rank))


def _after_epochs(said: list[events.Event], count: int) -> Callable[[], bool]:
    return lambda: sum(isinstance(event, events.EpochDone) for event in said) >= count


def test_alone_everything_is_ones_own() -> None:
    assert ALONE.gather(3) == [3]
    assert ALONE.share(3) == 3
    assert ALONE.attempt(lambda: 3) == 3
    assert ALONE.wants_stop(lambda: True)
