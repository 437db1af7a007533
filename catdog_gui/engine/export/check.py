"""Whether a written model answers as the program does, from equal pixels."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.export.runtime import Answers
from catdog_gui.engine.models.limits import Limits
from catdog_gui.engine.photos.recipe import Picture

TOLERANCE = 1e-3  # of a probability and of novelty; a verdict may differ where a threshold is nearer


@dataclass(frozen=True, slots=True)
class Agreement:
    """agree: how many of `checked` answers have the same best class and verdict, and figures within the tolerance.

    same: how many have the same best class and verdict. largest_difference: of any probability; novelty likewise.
    """

    checked: int
    agree: int
    same: int
    largest_difference: float
    largest_novelty_difference: float
    mean_difference: float


def compare(
    file: Answers,
    expected: Sequence[Prediction],
    pictures: Sequence[Picture],
    limits: Limits,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int], None] = lambda _done: None,
) -> Agreement:
    """Ask the file about each picture. expected: the program's answers. Raises Stopped."""
    agree, same, differences, distances = 0, 0, [0.0], [0.0]
    for number, (picture, answer) in enumerate(zip(pictures, expected, strict=True), start=1):
        if should_stop():
            raise Stopped
        shares, distance, top, verdict = file.ask(picture)
        wanted = np.array(list(answer.probabilities.values()))
        difference = float(np.abs(shares - wanted).max())
        further = abs(distance - (answer.novelty or 0.0))
        differences.append(difference if np.isfinite(difference) else 1.0)
        distances.append(further if np.isfinite(further) else 2.0)
        best = wanted[top] >= wanted.max() - TOLERANCE
        close = max(differences[-1], distances[-1]) <= TOLERANCE
        agree += bool(close and best and (verdict == answer.verdict or _near_a_limit(answer, limits)))
        same += bool(list(answer.probabilities)[top] == answer.top and verdict == answer.verdict)
        on_progress(number)
    return Agreement(
        len(pictures), agree, same, max(differences), max(distances), sum(differences) / max(1, len(pictures))
    )


def _near_a_limit(answer: Prediction, limits: Limits) -> bool:
    share = max(answer.probabilities.values())
    distance = answer.novelty or 0.0
    least = limits.least_sure(distance, answer.poorness or 0.0)
    return abs(share - least) <= TOLERANCE or abs(distance - limits.novelty) <= TOLERANCE
