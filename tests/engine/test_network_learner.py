"""Which weights of a fine-tuned network are checked and kept."""

from typing import Any

import numpy as np
import pytest
from torch import nn

from catdog_gui.engine.learning.figures import FEWEST_TO_CALIBRATE, Validation
from catdog_gui.engine.learning.network_learner import NetworkLearner

LABELS = np.arange(FEWEST_TO_CALIBRATE, dtype=np.int64) % 2


def checked(scores: Any, labels: Any = LABELS) -> Validation:
    return Validation(0.5, 0.5, scores.astype(np.float32), labels, np.zeros((0, 0), np.float16))


def scores(right: int, factor: float = 1.0) -> Any:
    """Of so many photos the right class has the higher score."""
    signs = np.where(np.arange(len(LABELS)) < right, 1.0, -1.0)
    found = np.zeros((len(LABELS), 2))
    found[np.arange(len(LABELS)), LABELS] = factor * signs
    return found


class Learner(NetworkLearner):
    """One weight; the nearer it is to `target`, the more photos are answered right."""

    def __init__(self, start: float, now: float, target: float) -> None:
        self.module = nn.Linear(1, 1, bias=False)
        self._start = {"weight": np.full((1, 1), start, np.float32)}
        self._epoch, self._checked, self.target = 1, None, target
        self.restore({"weight": np.full((1, 1), now, np.float32)})

    def _validated_by_all(self) -> Validation:
        return checked(scores(35 - int(4 * abs(self.module.weight.item() - self.target))))


@pytest.mark.parametrize(("target", "kept"), [(3.0, 3.0), (2.0, 2.0), (1.9, 2.0), (4.0, 3.0)])
def test_the_better_of_the_weights_and_their_mean_with_the_first_is_kept(target: float, kept: float) -> None:
    learner = Learner(start=1.0, now=3.0, target=target)

    learner.validate()

    assert learner.checked_state()["weight"].item() == kept
    assert learner.module.weight.item() == 3.0  # learning goes on from where it was


def test_what_began_at_random_is_never_mixed_with_it() -> None:
    learner = Learner(start=1.0, now=3.0, target=2.0)
    learner._start = {}

    learner.validate()

    assert learner.checked_state()["weight"].item() == 3.0


def test_a_network_that_is_only_too_sure_is_as_good_as_one_that_is_not() -> None:
    calm, loud = checked(scores(36)), checked(scores(36, factor=7.0))

    assert calm.calibrated_loss == pytest.approx(loud.calibrated_loss, rel=1e-3)
    assert checked(scores(30)).calibrated_loss > calm.calibrated_loss


def test_few_photos_are_judged_by_their_loss_as_it_is() -> None:
    assert checked(np.zeros((4, 2)), np.zeros(4, np.int64)).calibrated_loss == 0.5
    assert checked(np.full((40, 2), np.nan)).calibrated_loss == 0.5


class Looking(NetworkLearner):
    """One that finds three of the photos."""

    def __init__(self) -> None:
        self._captured = []

    def _as_they_are(self, photos: Any) -> Any:
        return photos

    def _look(self, photos: Any, _phase: str) -> Any:
        return np.ones((min(3, len(photos)), 4), np.float16), np.zeros(3, np.int64)


@pytest.mark.parametrize(("asked", "found"), [(3, True), (4, False)])
def test_features_of_photos_one_of_which_is_gone_are_none(asked: int, found: bool) -> None:
    assert (Looking().features(np.arange(asked)) is not None) is found
