"""The limits behind a verdict, and the verdict. No numpy: the window judges the answers on screen anew with it."""

import math
from dataclasses import dataclass

from catdog_gui.engine.events import Verdict

NEVER = 1.01  # as the least sure probability: nothing is
LOWEST_SURE = 0.70
STEPS = 5  # how far the written rule can be made more or less careful


@dataclass(frozen=True, slots=True)
class Limits:
    """What separates the verdicts.

    novelty: largest distance of a known kind of photo, 0..2; sure: least probability of a sure answer at that distance,
    0..1; slope: by how much its log odds fall for each unit that a photo is nearer, down to a probability of 0.70. The
    less a photo resembles the known ones, the surer the network must be. slope 0: one probability for all.
    """

    sure: float = 0.8
    novelty: float = 2.0
    slope: float = 0.0

    def least_sure(self, distance: float) -> float:
        """The least probability of a sure answer for a photo at this distance."""
        if not 0 < self.sure < 1 or self.slope == 0:
            return self.sure
        eased = sigmoid(log_odds(self.sure) - self.slope * max(0.0, self.novelty - distance))
        return min(self.sure, max(LOWEST_SURE, eased))


@dataclass(frozen=True, slots=True)
class Setting:
    """What one step of carefulness does to the checked photos of a run.

    step: -5 (answers everything) to 5, 0 = the written rule; refused + answered = checked; right: of the answered.
    """

    step: int
    limits: Limits
    checked: int
    refused: int
    right: int

    @property
    def answered(self) -> int:
        return self.checked - self.refused


def verdict(probability: float, distance: float, limits: Limits) -> Verdict:
    """The verdict for the most probable class. A novel photo is none of these, however probable a class looks."""
    if not distance <= limits.novelty:
        return "none_of_these"
    return "sure" if probability >= limits.least_sure(distance) else "not_sure"


def log_odds(share: float) -> float:
    clipped = min(max(share, 1e-9), 1 - 1e-9)
    return math.log(clipped / (1 - clipped))


def sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
