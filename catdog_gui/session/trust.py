"""What the window shows of why a model answers so, how careful it is, and how it takes poor photos. No torch, no Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from catdog_gui.engine.events import Prediction
from catdog_gui.engine.models.limits import LOOKS_POOR, Limits, Setting, is_held_back, verdict
from catdog_gui.session.prediction import Score, probability


@dataclass(frozen=True, slots=True)
class Alike:
    """A known photo that is like the asked one. similarity: 0..1; picture: uint8 (side, side, 3), None where it is
    gone; path: as shown, "" where it is not known.
    """

    label: str
    similarity: float
    path: str = ""
    picture: Any = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why an answer is what it is. square: what the model saw, uint8 (S, S, 3); heat: the same under its heat map.

    target: the class that the heat speaks for; learned: whether the alike photos were learned from (else they were kept
    back to check); missing: code of why photos are missing.
    """

    answer: Prediction
    square: Any = None
    heat: Any = None
    target: str = ""
    alike: tuple[Alike, ...] = ()
    learned: bool = True
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Careful:
    """How careful a model is now, and what each step from -5 to 5 does; settings are empty where nothing is known."""

    step: int
    settings: tuple[Setting, ...] = ()

    def at(self, step: int) -> Setting | None:
        return next((item for item in self.settings if item.step == step), None)


@dataclass(frozen=True, slots=True)
class PoorRow:
    """One row of the table of poor photos; counts of `photos`."""

    disturbance: str
    strength: float
    photos: int
    right: int
    sure: int
    sure_wrong: int


def judged_anew(predictions: Sequence[Prediction], limits: Limits) -> list[Prediction]:
    """The same answers with the verdicts of other limits."""
    return [_judged(item, limits) for item in predictions]


def _judged(item: Prediction, limits: Limits) -> Prediction:
    share = probability(item)
    if item.verdict == "unreadable" or share is None or item.novelty is None:
        return item
    said = verdict(share, item.novelty, limits, item.poorness or 0.0)
    code = LOOKS_POOR if is_held_back(share, item.novelty, limits, item.poorness or 0.0) else None
    return replace(item, verdict=said, label=item.top if said == "sure" else None, code=code)


def scored_anew(score: Score | None, predictions: Sequence[Prediction]) -> Score | None:
    """The score with the new counts of sure answers; None where some answers are of photos without a label."""
    if score is None or sum(item.verdict != "unreadable" for item in predictions) != score.photos:
        return None
    sure = [item.path for item in predictions if item.verdict == "sure"]
    return replace(score, sure=len(sure), sure_right=sum(path not in score.wrong for path in sure))
