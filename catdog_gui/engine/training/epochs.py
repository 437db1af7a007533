"""The learning part of a run: epochs with validation, the best kept, checkpoints, the end checked and saved.

What learns is a `Learner`; nothing here knows how.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from catdog_gui.engine import devices, events
from catdog_gui.engine.distributed.ranks import by_first
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, Step, Validation
from catdog_gui.engine.learning.learner import Learner, make_learner
from catdog_gui.engine.models import metrics, model_file
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.preparing.prepare import prepare
from catdog_gui.engine.preparing.prepared import Prepared, photo_lines
from catdog_gui.engine.preparing.setup import Setup, started_event, write_config
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training.answering import checked_model, unchecked_model
from catdog_gui.engine.training.checkpoint import Best, Checkpoint
from catdog_gui.engine.training.going_on import tell_differences
from catdog_gui.engine.training.room import check_room

Array = np.ndarray[Any, np.dtype[Any]]
_SAVE_S = 2.0  # between two writes of the best model; the last one is always written
_CHECKPOINT_S = 120.0  # between two checkpoints within an epoch; one follows every epoch


@dataclass(slots=True)
class Outcome:
    """How a run ended. figures: RunResult.val; photos: RunResult.photos."""

    classes: tuple[str, ...]
    photos: dict[str, int]
    figures: dict[str, float | int | None] = field(default_factory=dict)
    confusion: list[list[int]] = field(default_factory=list)
    epochs: int = 0
    best_epoch: int = 0
    stopped: bool = False
    saved: bool = False


def learn(setup: Setup) -> Outcome:
    """Prepare, train, check, save. Raises CatDogError, Stopped before anything was learned."""
    report = setup.report
    before = report.count_as("imports")
    by_first(setup.ranks, lambda: check_room(setup))
    learner = make_learner(setup)
    report.count_as(before)
    try:
        prepared = prepare(
            setup.scan, setup.config, learner.rows(), report, setup.should_stop, setup.listing, setup.ranks
        )
        try:
            if learner.head_only and not setup.ranks.is_first:
                return Outcome(prepared.scan.classes, {})  # a head is too small to be shared: the first learns it
            write_config(setup)
            tell_differences(setup)
            setup.folder.write_photos(photo_lines(setup.scan, prepared))
            return _Learning(setup, learner, prepared).run()
        finally:
            prepared.store.close()
    finally:
        learner.close()


class _Learning:
    """One run's learning; owned by the thread of `fit`."""

    def __init__(self, setup: Setup, learner: Learner, prepared: Prepared) -> None:
        self._setup, self._learner, self._prepared = setup, learner, prepared
        self._classes = prepared.scan.classes
        self._config, self._report = setup.config, setup.report
        self._done = 0  # epochs learned and checked
        self._last_better = 0
        self._moved = False  # whether any step was taken
        self._begun = False  # whether there is a first state
        self._in_epoch = False
        self._best: Best | None = None
        self._told_lost: set[int] = set()
        self._saved: Best | None = None  # which of them is on the disk
        self._saved_at = float("-inf")
        self._kept_at = time.perf_counter()  # when the last checkpoint was written
        learner.begin(prepared, self._on_step)

    def run(self) -> Outcome:
        report = self._report
        photos = {"train": len(self._prepared.train), "val": len(self._prepared.val)}
        report.say(started_event(self._setup, self._classes, photos))
        report.phase("train")
        report.memory(always=True)
        stopped = self._epochs()
        return self._finish(photos, stopped=stopped)

    # -- epochs ---------------------------------------------------------------------------------------------------

    def _epochs(self) -> bool:
        """Epochs until the last, the last that pays, or a stop: whether it was a stop."""
        stopped = False
        try:
            so_far = self._go_on() if self._setup.start is not None else self._begin()
            self._begun = True
            while self._done < self._config.epochs and not self._is_enough():
                self._in_epoch = True
                figures = self._learner.train_epoch(self._done + 1, so_far)
                self._check(self._done + 1, figures)
                so_far = EpochSoFar()
        except Stopped:
            stopped = True
            if self._begun:
                self._keep()
        except BaseException as error:
            if isinstance(error, CatDogError) and error.code == "photos_lost" and self._begun:
                self._tell_lost()
                self._keep()  # the run can go on once they are back
            self._rescue()
            raise
        return stopped

    def _begin(self) -> EpochSoFar:
        """The first state of a new run; that of another run where it starts from one."""
        source = self._setup.source
        if source is not None:
            self._learner.adopt(source.learner, source.classes)
            self._report.say(events.Notice("started_from", {"count": source.done}))
        if source is not None or self._learner.first_state():
            if self._validated(0):
                self._save_best()
            self._keep()
        return EpochSoFar()

    def _go_on(self) -> EpochSoFar:
        """Take up the run where its checkpoint left it."""
        start = self._setup.start
        assert start is not None
        try:
            self._learner.go_on(start.learner)
            checkpoint.check_best(start.best, self._learner.state(), len(self._classes))
        except (CatDogError, MemoryError):
            raise
        except Exception as error:
            if devices.is_out_of_memory(error):
                raise
            raise CatDogError("checkpoint_damaged", run=str(self._setup.folder.path)) from error  # not this network's
        self._done, self._last_better, self._moved = start.done, start.last_better, start.moved
        self._best = start.best
        return start.so_far

    def _is_enough(self) -> bool:
        """Whether nothing got better for so long that it will not pay to go on; that is said."""
        patience = self._config.patience
        if not patience or self._done - self._last_better < patience:
            return False
        self._report.say(events.Notice("stopped_early", {"epoch": self._done, "best": self._last_better}))
        return True

    def _on_step(self, step: Step, rate: float) -> None:
        self._moved = True
        epoch, steps = self._done + 1, self._learner.steps_per_epoch
        number = self._done * steps + step.number
        seconds = step.data_s + step.compute_s
        self._report.step(
            lambda: events.StepDone(
                step=number,
                epoch=epoch,
                loss=float(step.loss),
                lr=rate,
                photos_per_s=step.photos / seconds if seconds else None,
                data_ms=1000 * step.data_s,
                compute_ms=1000 * step.compute_s,
                accuracy=float(step.right) / step.photos,
                steps=self._config.epochs * steps,
            ),
            number,
        )
        if time.perf_counter() - self._kept_at > _CHECKPOINT_S:
            self._keep()

    def _validated(self, epoch: int) -> bool:
        """Validate; keep the state if it is the best, and whether it is."""
        with self._counted("validate"):
            self._checked = self._learner.validate()
        checked = self._checked
        better = bool(np.isfinite(checked.loss)) and (
            self._best is None or checked.calibrated_loss < self._best.validation.calibrated_loss
        )
        if better:
            self._best = Best(epoch, self._learner.checked_state(), checked)
        return better

    def _check(self, epoch: int, figures: EpochFigures) -> None:
        """Validate the epoch, say how it was, keep what there is now."""
        better = self._validated(epoch)
        self._done = epoch
        if better:
            self._last_better = epoch
        self._in_epoch = False
        self._tell_lost()
        told = _epoch_event(self._config.epochs, epoch, self._learner.steps_per_epoch, figures, self._checked, better)
        self._report.say(told, then=self._keep)  # an epoch that was told is never lost
        if better and time.perf_counter() - self._saved_at > _SAVE_S:
            self._save_best()

    def _tell_lost(self) -> None:
        """Name the photos that could not be read any more in this epoch; the run goes on with the others."""
        lost = getattr(self._prepared.store, "lost", None) or {}
        for number in sorted(set(lost) - self._told_lost):
            self._told_lost.add(number)
            error = lost[number]
            path = printable(self._setup.scan.paths[number])
            self._report.say(events.PhotoSkipped(path, error.code, dict(error.fields)))

    @contextmanager
    def _counted(self, phase: str) -> Iterator[None]:
        before = self._report.count_as(phase)
        try:
            yield
        finally:
            self._report.count_as(before)

    # -- keeping --------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """A checkpoint of this moment. A disk that takes none ends the run only where the user wants that."""
        so_far = self._learner.so_far() if self._in_epoch else EpochSoFar()
        if not self._setup.ranks.is_first:
            self._kept_at = time.perf_counter()
            return
        if not math.isfinite(so_far.loss_sum):  # a card tells late; the epoch is about to begin again
            return
        with self._counted("save"):
            now = Checkpoint(
                classes=self._classes,
                learner=self._learner.snapshot(),
                done=self._done,
                so_far=so_far,
                last_better=self._last_better,
                moved=self._moved,
                best=self._best,
                events=self._setup.folder.log_size(),
            )
            try:
                checkpoint.save(now, self._setup.folder.path)
            except (CatDogError, MemoryError) as error:
                if isinstance(error, CatDogError) and self._config.disk_full == "stop":
                    raise
                self._report.say(events.Notice("checkpoint_failed", {"reason": str(error)}))
        self._kept_at = time.perf_counter()

    def _save_best(self) -> None:
        """The best model so far, for whoever wants to use it meanwhile; the last one is written at the end."""
        if not self._setup.ranks.is_first:
            return
        try:
            self._save()
        except CatDogError as error:
            if error.code not in ("disk_full", "cannot_write") or self._config.disk_full == "stop":
                raise
            self._saved_at = time.perf_counter()
            self._report.say(events.Notice("checkpoint_failed", {"reason": str(error)}))

    def _save(self, *, final: bool = False) -> tuple[model_file.Model, Array]:
        """Write the best model so far; returns it and the probabilities behind its figures."""
        best = self._best
        assert best is not None
        with self._counted("save"):
            now = self._learner.state()
            self._learner.restore(best.state)
            try:
                model, probabilities = checked_model(
                    self._setup, self._learner, self._classes, self._prepared, best, final=final
                )
            finally:
                self._learner.restore(now)
            model_file.save_model(model, self._setup.folder.model_path)
        self._saved, self._saved_at = best, time.perf_counter()
        return model, probabilities

    def _rescue(self) -> None:
        """The run fails: its best so far goes to the disk, where that still works."""
        if self._best is not None and self._best is not self._saved and self._setup.ranks.is_first:
            with suppress(Exception):
                self._save()

    # -- the end --------------------------------------------------------------------------------------------------

    def _finish(self, photos: dict[str, int], *, stopped: bool) -> Outcome:
        self._report.phase("validate")
        outcome = Outcome(
            classes=self._classes,
            photos={**photos, "skipped_count": len(self._prepared.skipped) + len(self._setup.scan.skipped)},
            epochs=self._done,
            stopped=stopped,
        )
        if not self._setup.ranks.is_first:
            return outcome
        if self._best is None:
            if not stopped:  # no check gave a number
                raise CatDogError("loss_not_finite", epoch=self._done, rate=self._config.learning_rate)
            outcome.saved = self._save_unchecked()
            return outcome
        self._report.phase("save")
        model, probabilities = self._save(final=not stopped)
        labels = self._best.validation.labels
        outcome.figures = model.validation
        outcome.confusion = metrics.confusion(labels, probabilities.argmax(axis=1), len(self._classes))
        outcome.best_epoch = self._best.epoch
        outcome.saved = True
        return outcome

    def _save_unchecked(self) -> bool:
        """The weights of an unfinished first epoch, without figures. Returns whether there are any.

        Stopped before its first step, a network has learned nothing: a model that answers at random must not take the
        place of one that knows something.
        """
        if not self._moved:
            return False
        model = unchecked_model(self._setup, self._learner, self._classes)
        model_file.save_model(model, self._setup.folder.model_path)
        return True


def _epoch_event(
    epochs: int, epoch: int, steps: int, figures: EpochFigures, checked: Validation, better: bool
) -> events.EpochDone:
    return events.EpochDone(
        epoch=epoch,
        epochs=epochs,
        train_loss=figures.loss,
        train_accuracy=figures.accuracy,
        val_loss=checked.loss,
        val_accuracy=checked.accuracy,
        step=epoch * steps,
        best=better,
    )
