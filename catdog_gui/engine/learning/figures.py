"""What learning says of itself, whatever learns: steps, epochs, validations. Numpy only."""

from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.models import metrics

Array = np.ndarray[Any, np.dtype[Any]]
FEWEST_TO_CALIBRATE = 40  # checked photos below which a temperature is guesswork


class NotFiniteError(CatDogError):
    """The loss is not a number any more; the weights of this epoch must not be used."""

    def __init__(self, step: int | None = None) -> None:
        super().__init__("loss_no_number", step=step)


@dataclass(frozen=True, slots=True)
class Step:
    """What one optimizer step did. loss, right: numbers, or tensors on the device (reading them waits for it).

    number: in this epoch, from 1; loss: mean over the photos, in nats; right: photos answered right; times in seconds.
    data_s: how long the device had nothing to do because the photos were not there; compute_s: the rest.
    """

    number: int
    loss: SupportsFloat
    right: SupportsFloat
    photos: int
    data_s: float
    compute_s: float


@dataclass(slots=True)
class EpochSoFar:
    """How far an epoch is: steps done, and the sums behind its figures. Enough to go on in the middle of it."""

    steps: int = 0
    photos: int = 0
    loss_sum: float = 0.0
    right_sum: float = 0.0


@dataclass(frozen=True, slots=True)
class EpochFigures:
    """loss: mean over the photos; accuracy: 0..1, measured while the weights moved; photos: how many were seen."""

    loss: float
    accuracy: float
    photos: int


@dataclass(frozen=True, slots=True)
class Validation:
    """scores: (N, C) float32, labels: (N,) int64, in the loader's order; loss: mean, in nats; accuracy: 0..1.

    features: (N, F) float16 behind the scores where the network moves while it learns; (0, 0) where they are stored.
    """

    loss: float
    accuracy: float
    scores: np.ndarray[Any, np.dtype[np.float32]]
    labels: np.ndarray[Any, np.dtype[np.int64]]
    features: Array

    @property
    def calibrated_loss(self) -> float:
        """The mean log loss once the scores are calibrated, cross-fitted: how good a model with these scores will be.

        Of few photos, which cannot calibrate, `loss`.
        """
        if len(self.labels) < FEWEST_TO_CALIBRATE or not np.isfinite(self.scores).all():
            return self.loss
        return metrics.log_loss(metrics.cross_fitted(self.scores, self.labels), self.labels)
