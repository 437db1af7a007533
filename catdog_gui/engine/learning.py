"""The learning part of a run: epochs with validation, the best kept, trouble met, the end checked and saved."""

import dataclasses
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from catdog_gui.engine import devices, events, metrics, model_file
from catdog_gui.engine.answering import Best, checked_model, unchecked_model
from catdog_gui.engine.batches import make_loaders, rows_for
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.first_head import features_of, learn_head
from catdog_gui.engine.learner import Learner, StandardizedHead
from catdog_gui.engine.loading import ArrayStore
from catdog_gui.engine.networks import Network
from catdog_gui.engine.optim import learning_rate_factor, make_optimizer, set_learning_rate
from catdog_gui.engine.precision import one_thread, tune
from catdog_gui.engine.prepare import Prepared, photo_lines, prepare
from catdog_gui.engine.recovery import in_smaller_batches, is_out_of_memory
from catdog_gui.engine.run_setup import Setup, started_event, write_config
from catdog_gui.engine.trainer import EpochFigures, NotFiniteError, Step, Trainer, Validation

Array = np.ndarray[Any, np.dtype[Any]]
_SAVE_S = 2.0  # between two writes of the best model; the last one is always written


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


def learn(setup: Setup, network: Network) -> Outcome:
    """Prepare, train, check, save. Raises CatDogError, Stopped before anything was learned."""
    learner = Learner(network, setup.config)
    prepared = prepare(setup.scan, setup.config, rows_for(setup, learner), setup.report, setup.should_stop)
    try:
        write_config(setup)
        setup.folder.write_photos(photo_lines(setup.scan, prepared))
        return _Learning(setup, learner, _with_classes(learner, prepared, network), prepared).run()
    finally:
        prepared.store.close()


def _with_classes(learner: Learner, prepared: Prepared, network: Network) -> tuple[str, ...]:
    """The classes that are left; a class whose photos were all unreadable takes its score with it."""
    classes = prepared.scan.classes
    if network.head.out_features != len(classes):
        learner.use_classes(len(classes))
    return classes


class _Learning:
    """One run's learning; owned by the thread of `fit`."""

    def __init__(self, setup: Setup, learner: Learner, classes: tuple[str, ...], prepared: Prepared) -> None:
        self._setup, self._learner, self._classes, self._prepared = setup, learner, classes, prepared
        self._config = setup.config
        self._report = setup.report
        self._step = 0  # optimizer steps done before this epoch
        self._epoch = 0
        self._moved = False  # whether any step was taken
        self._best: Best | None = None
        self._saved: Best | None = None  # which of them is on the disk
        self._saved_at = float("-inf")
        self._captured: list[torch.Tensor] = []
        self._train_loader, self._val_loader = make_loaders(setup, learner, prepared)
        self._batch_size = self._train_loader.batch_size
        self._steps_per_epoch = len(self._train_loader)
        self._standardize()
        tune(torch.device(setup.device.id))
        learner.module.to(setup.device.id)
        if setup.device.kind != "cpu" or not learner.head_only:
            learner.network.to(memory_format=torch.channels_last)
        self._optimizer = make_optimizer(learner.network, self._config, setup.device.kind)
        self._trainer = self._make_trainer()

    # -- set-up ---------------------------------------------------------------------------------------------------

    def _standardize(self) -> None:
        module, store = self._learner.module, self._prepared.store
        if isinstance(module, StandardizedHead) and isinstance(store, ArrayStore):
            module.standardize(store.rows[self._prepared.train])

    def _make_trainer(self) -> Trainer:
        config, setup = self._config, self._setup
        # A head over stored features is too small for half precision to gain anything.
        precision = "fp32" if self._learner.head_only else setup.precision
        self._learner.network.head.register_forward_pre_hook(self._capture)
        return Trainer(
            self._learner.module,
            self._train_loader,
            self._val_loader,
            device=setup.device,
            precision=precision,
            accumulate=config.accumulate,
            label_smoothing=config.label_smoothing,
            empty_cache_every=config.empty_cache_every,
            before_step=self._before_step,
            on_step=self._on_step,
            should_stop=setup.should_stop,
            set_mode=self._learner.set_mode,
        )

    def _capture(self, head: torch.nn.Module, inputs: tuple[torch.Tensor]) -> None:
        """While validating a network that moves, keep the photos' features: novelty is measured against them."""
        if not head.training and not self._learner.head_only:
            self._captured.append(inputs[0].detach().half().cpu())

    # -- epochs ---------------------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        report = self._report
        photos = {"train": len(self._prepared.train), "val": len(self._prepared.val)}
        report.say(started_event(self._setup, self._classes, photos))
        report.phase("train")
        report.memory(always=True)
        with one_thread(when=self._learner.head_only):
            stopped, done = self._epochs()
            return self._finish(photos, done, stopped=stopped)

    def _epochs(self) -> tuple[bool, int]:
        """Epochs until the last, the last that pays, or a stop: whether it was a stop, and how many were done."""
        config, report = self._config, self._report
        stopped, done, last_better = False, 0, 0
        try:
            self._start_from_head()
            for epoch in range(1, config.epochs + 1):
                self._epoch = self._train_loader.epoch = epoch
                figures = self._epoch_with_recovery()
                done, self._step = epoch, self._step + self._steps_per_epoch
                if self._check(epoch, figures):
                    last_better = epoch
                if config.patience and epoch - last_better >= config.patience:
                    report.say(events.Notice("stopped_early", {"epoch": epoch, "best": last_better}))
                    break
        except Stopped:
            stopped = True
        except BaseException:
            self._rescue()
            raise
        return stopped, done

    def _start_from_head(self) -> None:
        """Fine-tuning starts from the head that the frozen network would have got, and that is its first best."""
        if self._learner.head_only or not self._config.pretrained:
            return
        plain = dataclasses.replace(self._train_loader, learning=False, varied=False)
        stop = self._setup.should_stop

        def look() -> tuple[Array, Array]:
            def tell(done: int, total: int) -> None:
                self._report.progress("train", done, total)

            head = self._learner.network.head
            return features_of(self._learner.module, head, plain, self._trainer.precision, tell, stop)

        features, labels = in_smaller_batches(plain, look)
        learn_head(self._learner.network.head, features, labels, seed=self._config.seed, should_stop=stop)
        if self._validated(0)[1]:
            self._save()

    def _epoch_with_recovery(self) -> EpochFigures:
        """One epoch; where it meets trouble that has a remedy, the same epoch again from its beginning."""
        state, optimizer = self._learner.state(), _copied(self._optimizer.state_dict())
        while True:
            try:
                return self._trainer.train_epoch(self._optimizer)
            except NotFiniteError as error:
                self._back_to_full_precision(error)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                self._halve_parts(error)
            self._learner.restore(state)
            self._optimizer.load_state_dict(_copied(optimizer))
            self._optimizer.zero_grad(set_to_none=True)
            devices.free_memory(self._setup.device.id)

    def _back_to_full_precision(self, error: NotFiniteError) -> None:
        if self._trainer.precision == "fp32":
            raise CatDogError("loss_not_finite", epoch=self._epoch, rate=self._config.learning_rate) from error
        self._report.say(events.Notice("precision_fallback", {"precision": self._trainer.precision}))
        self._trainer.use_precision("fp32")

    def _halve_parts(self, error: Exception) -> None:
        """Out of memory: the same batch in twice as many parts."""
        parts = self._trainer.accumulate * 2
        part = -(-self._batch_size // parts)
        if parts > self._batch_size:
            raise CatDogError(
                "out_of_memory", device=self._setup.device.name, batch_size=self._batch_size, model=self._config.model
            ) from error
        self._trainer.accumulate = parts
        self._report.say(events.Notice("batch_halved", {"part": part, "batch_size": self._batch_size}))

    def _before_step(self, number: int) -> None:
        steps = self._config.epochs * self._steps_per_epoch
        factor = learning_rate_factor(
            self._step + number - 1, steps, warmup=self._config.warmup, schedule=self._config.schedule
        )
        self._rate = self._config.learning_rate * factor
        set_learning_rate(self._optimizer, self._rate)

    def _on_step(self, step: Step) -> None:
        self._moved = True
        total = self._config.epochs * self._steps_per_epoch
        seconds = step.data_s + step.compute_s
        self._report.step(
            lambda: events.StepDone(
                step=self._step + step.number,
                epoch=self._epoch,
                loss=float(step.loss),
                lr=self._rate,
                photos_per_s=step.photos / seconds if seconds else None,
                data_ms=1000 * step.data_s,
                compute_ms=1000 * step.compute_s,
                accuracy=float(step.right) / step.photos,
                steps=total,
            ),
            self._step + step.number,
        )

    def _validated(self, epoch: int) -> tuple[Validation, bool]:
        """Validate; keep the state if it is the best, and whether it is."""
        with self._counted("validate"):
            validation = in_smaller_batches(self._val_loader, self._validate)
        better = bool(np.isfinite(validation.loss)) and (
            self._best is None or validation.loss < self._best.validation.loss
        )
        if better:
            features = torch.cat(self._captured).numpy() if self._captured else np.zeros((0, 0), np.float16)
            self._best = Best(epoch, self._learner.state(), validation, features)
        return validation, better

    def _validate(self) -> Validation:
        self._captured.clear()
        return self._trainer.validate()

    def _check(self, epoch: int, figures: EpochFigures) -> bool:
        """Validate the epoch and say how it was. Returns whether it is the best."""
        validation, better = self._validated(epoch)
        self._report.say(
            events.EpochDone(
                epoch=epoch,
                epochs=self._config.epochs,
                train_loss=figures.loss,
                train_accuracy=figures.accuracy,
                val_loss=validation.loss,
                val_accuracy=validation.accuracy,
                step=self._step,
                best=better,
            )
        )
        if better and time.perf_counter() - self._saved_at > _SAVE_S:
            self._save()
        return better

    @contextmanager
    def _counted(self, phase: str) -> Iterator[None]:
        before = self._report.count_as(phase)
        try:
            yield
        finally:
            self._report.count_as(before)

    # -- the end --------------------------------------------------------------------------------------------------

    def _finish(self, photos: dict[str, int], epochs: int, *, stopped: bool) -> Outcome:
        self._report.phase("validate")
        outcome = Outcome(
            classes=self._classes,
            photos={**photos, "skipped_count": len(self._prepared.skipped) + len(self._setup.scan.skipped)},
            epochs=epochs,
            stopped=stopped,
        )
        self._optimizer.zero_grad(set_to_none=True)
        if self._best is None:
            if not stopped:  # no check gave a number
                raise CatDogError("loss_not_finite", epoch=epochs, rate=self._config.learning_rate)
            outcome.saved = self._save_unchecked()
            return outcome
        self._report.phase("save")
        model, probabilities = self._save()
        labels = self._best.validation.labels
        outcome.figures = model.validation
        outcome.confusion = metrics.confusion(labels, probabilities.argmax(axis=1), len(self._classes))
        outcome.best_epoch = self._best.epoch
        outcome.saved = True
        return outcome

    def _save(self) -> tuple[model_file.Model, Array]:
        """Write the best model so far; returns it and the probabilities behind its figures."""
        best = self._best
        assert best is not None
        with self._counted("save"):
            now = self._learner.state()
            self._learner.restore(best.state)
            model, probabilities = checked_model(self._setup, self._learner, self._classes, self._prepared, best)
            self._learner.restore(now)
            model_file.save_model(model, self._setup.folder.model_path)
        self._saved, self._saved_at = best, time.perf_counter()
        return model, probabilities

    def _rescue(self) -> None:
        """The run fails: its best so far goes to the disk, where that still works."""
        if self._best is not None and self._best is not self._saved:
            with suppress(Exception):
                self._save()

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


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    import copy

    return copy.deepcopy(state)
