"""A Trainer that is one of several: each learns from its part of every batch, and all take the same step.

Gradients are added up after the backward pass and not during it, as DistributedDataParallel would: only so can all of
them leave a step that one could not finish (its memory ran out, a stop), and go on together.
"""

from typing import Any

import torch
from torch import nn

from catdog_gui.engine.distributed.torch_ranks import Packed, Together, packed
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, NotFiniteError, Step
from catdog_gui.engine.learning.trainer import Loader, Trainer


class RanksTrainer(Trainer):
    """`Trainer` over a loader of this rank's parts. Losses, right answers and counts are those of all ranks."""

    def __init__(
        self,
        model: nn.Module,
        train_loader: Loader,
        val_loader: Loader,
        *,
        ranks: Together,
        **options: Any,  # noqa: ANN401 -- the Trainer's
    ) -> None:
        self._wants_stop = options.pop("should_stop")
        super().__init__(model, train_loader, val_loader, should_stop=self._stop_now, **options)
        self._ranks = ranks
        self._in_attempt = False  # where a stop may be raised: all hear of it
        self._bad = False  # a loss was told that is no number
        self._count = 0

    def _stop_now(self) -> bool:
        return self._in_attempt and bool(self._wants_stop())

    def train_epoch(self, optimizer: torch.optim.Optimizer, so_far: EpochSoFar | None = None) -> EpochFigures:
        self._ranks.meet()  # the first may have written something, for long
        self._ranks.same(self.model)
        self._bad = False
        return super().train_epoch(optimizer, so_far)

    def _gradients(self, inputs: torch.Tensor, labels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        photos = 0 if self._pairs and len(labels) == 1 else len(labels)  # BatchNorm has no variance of one

        def work() -> tuple[torch.Tensor, torch.Tensor, list[Packed]]:
            if self._stop_now():
                raise Stopped
            none = torch.zeros((), device=self.device)
            loss, right = super(RanksTrainer, self)._gradients(inputs, labels) if photos else (none, none)
            return loss, right, packed(self._to_sum())  # here: memory may run out

        self._in_attempt = True
        try:
            (loss, right, packs), total, bad = self._ranks.attempt_counted(work, lambda _: photos, bad=self._bad)
        finally:
            self._in_attempt = False
        if bad:
            raise NotFiniteError
        self._count = total
        weight = photos / max(1, total)  # this rank's share of the photos
        self._ranks.sum(packs, weight=weight)
        figures = torch.stack([loss * weight, right.float()])
        self._ranks.sum([Packed([figures], figures)], weight=1.0)
        return figures[0], figures[1]

    def _to_sum(self) -> list[torch.Tensor]:
        """The gradients of everything that learns."""
        gradients: list[torch.Tensor] = []
        for value in self.model.parameters():
            if value.requires_grad:
                value.grad = torch.zeros_like(value) if value.grad is None else value.grad
                gradients.append(value.grad)
        return gradients

    def _is_lone(self, labels: torch.Tensor, most: int) -> bool:  # noqa: ARG002 -- no rank may pass a step over
        return False

    def _photos_of(self, labels: torch.Tensor) -> int:  # noqa: ARG002 -- those of all ranks
        return self._count

    def _told(self, step: Step) -> None:
        if self._clock.is_late and not bool(torch.isfinite(torch.as_tensor(step.loss))):
            self._bad = True  # the others hear of it with the next step
        else:
            self.on_step(step)
