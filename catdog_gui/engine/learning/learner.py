"""What learns in a run, as the loop in `learning` sees it; and which of them a run gets. No torch in here."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from catdog_gui.engine import devices
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.learning.figures import EpochFigures, EpochSoFar, Step, Validation
from catdog_gui.engine.learning.schedule import learning_rate_factor
from catdog_gui.engine.preparing.prepare import Rows
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup

Array = np.ndarray[Any, np.dtype[Any]]
OnStep = Callable[[Step, float], None]  # the step and its learning rate


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that is needed to go on: weights and optimizer as arrays by name, the rest as JSON values."""

    tensors: dict[str, Array] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


class Learner(Protocol):
    """One caller at a time, in this order: rows, begin, then the rest; close at the end."""

    head_only: bool  # nothing but the last layer learns
    steps_per_epoch: int

    def rows(self) -> Rows:
        """What `prepare` has to keep of each photo."""

    def begin(self, prepared: Prepared, on_step: OnStep) -> None:
        """The photos are there: their classes are the model's."""

    def first_state(self) -> bool:
        """Find a state to start from; whether it is worth a check before the first epoch. Raises Stopped."""

    def train_epoch(self, epoch: int, so_far: EpochSoFar) -> EpochFigures:
        """One pass, from where `so_far` says. Raises Stopped, CatDogError."""

    def so_far(self) -> EpochSoFar:
        """The steps of the epoch under way that are done, after a Stopped too."""

    def validate(self) -> Validation:
        """Answers for the checked photos. Raises Stopped."""

    def features(self, photos: Array) -> Array | None:
        """(N, F) float16 that the head gets for these photos as they are; None where one is gone. Raises Stopped."""

    def state(self) -> dict[str, Array]:
        """A copy of what learns."""

    def checked_state(self) -> dict[str, Array]:
        """What the last validation was about: mostly `state()`."""

    def restore(self, state: dict[str, Array]) -> None: ...

    def snapshot(self) -> Snapshot: ...

    def go_on(self, snapshot: Snapshot) -> None:
        """Take everything from a snapshot of a learner with the same settings. Raises ValueError, KeyError."""

    def adopt(self, snapshot: Snapshot, classes: tuple[str, ...]) -> None:
        """Start from another run's snapshot, whose classes are given: weights only; new classes start from zero."""

    def tensors(self) -> dict[str, Array]:
        """A copy of the model file's tensors: stages and head, float32."""

    def close(self) -> None:
        """Give memory back."""


def make_learner(setup: Setup) -> Learner:
    """The learner that the settings ask for; torch is loaded only where it is needed. Raises CatDogError, Stopped."""
    if setup.config.trainable == "head":
        from catdog_gui.engine.learning.head_learner import HeadLearner

        devices.freeze_imports()
        return HeadLearner(setup)
    from catdog_gui.engine.learning.network_learner import NetworkLearner

    devices.freeze_imports()
    return NetworkLearner(setup)


def rate_at(config: TrainConfig, step: int, steps_per_epoch: int) -> float:
    """The learning rate of a step; step: 0-based, over the whole run."""
    steps = config.epochs * steps_per_epoch
    factor = learning_rate_factor(step, steps, warmup=config.warmup, schedule=config.schedule)
    return config.learning_rate * factor


def adopted_rows(old: Array, old_classes: tuple[str, ...], new: Array, classes: tuple[str, ...]) -> Array:
    """`new` (C, ...) with the rows of the classes that both know taken from `old`, by name."""
    result = new.copy()
    for at, name in enumerate(classes):
        if name in old_classes:
            result[at] = old[old_classes.index(name)]
    return result
