"""One epoch of learning and one validation of any network on any device, with mixed precision.

From Python: `Trainer(model, train_loader, val_loader)`, then `train_epoch(optimizer)` and `validate()`. A loader is any
iterable of (inputs, labels) that can be iterated again, torch's DataLoader among them.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from catdog_gui.engine.devices import DeviceInfo, choose_precision, free_memory, resolve, to_device
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, NotFiniteError, Step, Validation
from catdog_gui.engine.learning.late_steps import LateSteps, clock_for
from catdog_gui.engine.learning.unfinished import all_or_nothing, stopped_between_layers
from catdog_gui.engine.networks.precision import autocast, make_scaler

Loader = Iterable[Any]
_BATCH_NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.SyncBatchNorm)


class Trainer:
    """Trains `model` (scores (N, C) from inputs), which is moved to the device. One thread at a time.

    device: a name, "auto" = the best that works. precision: auto, fp32, bf16, fp16. accumulate: parts in which a batch
    is computed, with the gradients of the whole. before_step(n) is called before the n-th step of the epoch (learning
    rate), on_step after each; on a CUDA card some steps later, when it has done the step (`late_steps`). set_mode
    replaces `model.train()` where parts are to stay as they are.
    """

    def __init__(
        self,
        model: nn.Module,
        train_loader: Loader,
        val_loader: Loader,
        *,
        device: "str | torch.device | DeviceInfo" = "auto",
        precision: str = "auto",
        accumulate: int = 1,
        label_smoothing: float = 0.0,
        empty_cache_every: int = 0,
        before_step: Callable[[int], None] = lambda _number: None,
        on_step: Callable[[Step], None] = lambda _step: None,
        should_stop: Callable[[], bool] = lambda: False,
        set_mode: Callable[[], None] | None = None,
    ) -> None:
        info = device if isinstance(device, DeviceInfo) else resolve(str(device))
        self.device = torch.device(info.id)
        self.precision = choose_precision(precision, info)
        self.model = model.to(self.device)
        self.train_loader, self.val_loader = train_loader, val_loader
        self.accumulate, self.label_smoothing, self.empty_cache_every = accumulate, label_smoothing, empty_cache_every
        self.before_step, self.on_step, self.should_stop = before_step, on_step, should_stop
        self._pairs = False  # whether a part needs two photos
        self._steps, self._photos = 0, 0  # of the epoch under way, as the sums below
        self._loss_sum = self._right_sum = torch.zeros(())
        self._set_mode = set_mode or (lambda: model.train())
        self.scaler = make_scaler(self.device, self.precision)
        self._clock = clock_for(self.device)
        # Looking at a loss waits for the device: on MPS only every 20 steps. A CUDA card's losses come by themselves.
        self._look_every = 1 if self.device.type == "cpu" else 20

    def use_precision(self, precision: str) -> None:
        """Compute in another precision from now on: fp32, bf16 or fp16."""
        self.precision = precision
        self.scaler = make_scaler(self.device, precision)

    def train_epoch(self, optimizer: torch.optim.Optimizer, so_far: EpochSoFar | None = None) -> EpochFigures:
        """One pass over the training loader, or the rest of one that begins after the steps in `so_far`.

        Raises NotFiniteError, Stopped, torch's out-of-memory errors; `so_far()` then tells the steps that were done.
        On the CPU a step that is not finished leaves no trace.
        """
        with self._watched():
            return self._epoch(optimizer, so_far or EpochSoFar())

    def _watched(self) -> AbstractContextManager[None]:
        """Stop is looked at between layers where they last; a card's are only queued here: no use in looking."""
        on_cpu = self.device.type == "cpu"
        return stopped_between_layers(self.model, self.should_stop) if on_cpu else nullcontext()

    def _epoch(self, optimizer: torch.optim.Optimizer, before: EpochSoFar) -> EpochFigures:
        self._set_mode()
        self._pairs = takes_statistics(self.model)
        self._steps, self._photos = before.steps, before.photos
        self._loss_sum = torch.tensor(before.loss_sum, dtype=torch.float32, device=self.device)
        self._right_sum = torch.tensor(before.right_sum, dtype=torch.float32, device=self.device)
        steps = LateSteps(self._clock, self._told)
        for number, (inputs, labels) in enumerate(self._batches(steps), start=before.steps + 1):
            if self.should_stop():
                raise Stopped
            self.before_step(number)
            with all_or_nothing(self.model) if self.device.type == "cpu" else nullcontext():
                loss, right = self._step(optimizer, inputs, labels)
            photos = self._photos_of(labels)
            self._loss_sum += loss * photos
            self._right_sum += right
            self._steps, self._photos = number, self._photos + photos
            if number % self._look_every == 0 and not self._clock.is_late:
                self._check(self._loss_sum, number)
            if self.empty_cache_every and number % self.empty_cache_every == 0:
                free_memory(str(self.device))
            steps.done(number, loss, right, photos)
        steps.flush()
        self._check(self._loss_sum)
        if not self._photos:
            raise CatDogError("no_photos_left")
        sums = self.so_far()
        return EpochFigures(sums.loss_sum / sums.photos, sums.right_sum / sums.photos, sums.photos)

    def so_far(self) -> EpochSoFar:
        """The steps of the epoch under way, and their sums; waits for the device."""
        return EpochSoFar(self._steps, self._photos, float(self._loss_sum), float(self._right_sum))

    def _told(self, step: Step) -> None:
        """A step has ended on the device. A CUDA card's loss is looked at here, where that waits for nothing."""
        if self._clock.is_late and not math.isfinite(float(step.loss)):
            raise NotFiniteError(step.number)
        self.on_step(step)

    def _batches(self, steps: LateSteps) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Batches on the device. No lone photo for BatchNorm."""
        most = 0
        steps.ask()
        for inputs, labels in self.train_loader:
            if self._is_lone(labels, most):
                continue
            placed = to_device((inputs, labels), self.device)
            most = max(most, len(labels))
            steps.came()
            yield placed
            steps.ask()

    def _is_lone(self, labels: torch.Tensor, most: int) -> bool:
        """Whether a batch is passed over: BatchNorm has no variance of one photo. most: photos of the largest one."""
        return self._pairs and most > 1 and len(labels) == 1

    def _photos_of(self, labels: torch.Tensor) -> int:
        """How many photos the last step learned from. labels: those of this process."""
        return len(labels)

    def _step(
        self, optimizer: torch.optim.Optimizer, inputs: torch.Tensor, labels: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """One optimizer step; loss (mean over the batch) and number of right answers, on the device."""
        optimizer.zero_grad(set_to_none=True)
        total, right = self._gradients(inputs, labels)
        if self._look_every == 1:
            self._check(total)  # before the weights move
        self.scaler.step(optimizer)
        self.scaler.update()
        return total, right

    def _gradients(self, inputs: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Gradients of the mean loss, computed in parts; loss and number of right answers."""
        total = torch.zeros((), device=self.device)
        right = torch.zeros((), device=self.device)
        count = min(self.accumulate, max(1, len(labels) // 2)) if self._pairs else self.accumulate
        for part, target in zip(_parts(inputs, count), _parts(labels, count), strict=True):
            with autocast(self.device, self.precision):
                scores = self.model(part)
            loss = functional.cross_entropy(scores.float(), target, label_smoothing=self.label_smoothing)
            share = loss * (len(target) / len(labels))
            self.scaler.scale(share).backward()  # type: ignore[no-untyped-call]
            total += share.detach()
            right += (scores.detach().argmax(dim=1) == target).sum()
        return total, right

    def _check(self, loss: torch.Tensor, number: int | None = None) -> None:
        if not bool(torch.isfinite(loss)):
            raise NotFiniteError(number)

    def validate(self) -> Validation:
        """Scores of every photo of the validation loader, without learning. Raises Stopped."""
        self.model.eval()
        scores: list[torch.Tensor] = []
        labels: list[torch.Tensor] = []
        with self._watched(), torch.inference_mode(), autocast(self.device, self.precision):
            for inputs, target in self.val_loader:
                if self.should_stop():
                    raise Stopped
                moved = to_device((inputs, target), self.device)
                scores.append(self.model(moved[0]).float())
                labels.append(moved[1])
        if not scores:
            none = np.zeros((0, 0), np.float32)
            return Validation(float("nan"), float("nan"), none, np.zeros(0, np.int64), none)
        none = np.zeros((0, 0), np.float16)
        return validation_of(torch.cat(scores).cpu().numpy(), torch.cat(labels).cpu().numpy(), none)


def validation_of(
    scores: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], features: np.ndarray[Any, Any]
) -> Validation:
    """The figures of scores (N, C) for labels (N,)."""
    given, true = torch.from_numpy(scores), torch.from_numpy(labels)
    loss, accuracy = functional.cross_entropy(given, true), (given.argmax(dim=1) == true).float().mean()
    return Validation(float(loss), float(accuracy), scores, labels, features)


def takes_statistics(model: nn.Module) -> bool:
    """Whether some layer takes its statistics from the batch, for which one photo alone may be too few."""
    return any(isinstance(layer, _BATCH_NORMS) and layer.training for layer in model.modules())


def _parts(values: torch.Tensor, count: int) -> list[torch.Tensor]:
    """At most `count` parts of nearly equal size."""
    return list(values.tensor_split(min(count, len(values))))
