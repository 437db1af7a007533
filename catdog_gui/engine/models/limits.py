"""The limits behind a verdict, and the verdict. No numpy: the window judges the answers on screen anew with it."""

import math
from dataclasses import dataclass

from catdog_gui.engine.events import Verdict

NEVER = 1.01  # as the least sure probability: nothing is
LOWEST_SURE = 0.70
LOOKS_POOR = "looks_poor"  # code of the reason why an answer is not sure
FEW = 50  # checked photos below which no limit can be fitted: a cautious one is taken instead
STEPS = 5  # how far the written rule can be made more or less careful


@dataclass(frozen=True, slots=True)
class Limits:
    """What separates the verdicts.

    novelty: largest distance of a known kind of photo, 0..2; sure: least probability of a sure answer at that distance,
    0..1 (with poor, of one that does not look poor; there 0.70 is needed where this is less); slope: by how much its
    log odds fall for each unit that a photo is nearer, down to a probability of 0.70. The less a photo resembles the
    known ones, the surer the network must be. slope 0: one probability for all.
    poor: by how much its log odds rise for each unit of poorness above 0 (`poorness`): the poorer a photo looks
    (turned, dark, blurred), the surer the network must be.
    """

    sure: float = 0.8
    novelty: float = 2.0
    slope: float = 0.0
    poor: float = 0.0

    def least_sure(self, distance: float, poorness: float = 0.0) -> float:
        """The least probability of a sure answer for a photo at this distance that looks so poor."""
        if not 0 < self.sure < 1 or (self.slope == 0 and self.poor == 0):
            return self.sure
        eased = log_odds(self.sure) - self.slope * max(0.0, self.novelty - distance)
        least = max(LOWEST_SURE, sigmoid(eased + self.poor * max(0.0, poorness)))
        return least if self.poor else min(self.sure, least)


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


def verdict(probability: float, distance: float, limits: Limits, poorness: float = 0.0) -> Verdict:
    """The verdict for the most probable class. A novel photo is none of these, however probable a class looks."""
    if not distance <= limits.novelty:
        return "none_of_these"
    return "sure" if probability >= limits.least_sure(distance, poorness) else "not_sure"


def is_held_back(probability: float, distance: float, limits: Limits, poorness: float) -> bool:
    """Whether nothing but how poor the photo looks keeps its answer from being sure: LOOKS_POOR is the reason."""
    said = verdict(probability, distance, limits, poorness)
    return said == "not_sure" and verdict(probability, distance, limits) == "sure"


def log_odds(share: float) -> float:
    clipped = min(max(share, 1e-9), 1 - 1e-9)
    return math.log(clipped / (1 - clipped))


def sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
