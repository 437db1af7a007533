"""How good a finished run is, by its validation figures. Pure arithmetic; the words are in `ui.results_panel`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from catdog_gui.engine.events import RunResult

Z_95 = 1.959963984540054  # two-sided 95 % of the normal distribution
FEW_CHECKED = 30  # fewer check photos than this give no percentage worth naming
FEWEST_CALIBRATED = 40  # fewer cannot tell how sure the model may be; as learning.figures, which loads numpy
UNEVEN = 1.5  # the largest class over the smallest, in check photos


class Quality(Enum):
    """The verdict. Measured on the way from "always the commonest class" (0) to "always right" (1)."""

    UNCHECKED = "unchecked"  # stopped before the first validation
    TOO_FEW = "too_few"  # right or wrong, so few photos say little
    NO_BETTER = "no_better"  # than always answering the commonest class
    UNCERTAIN = "uncertain"  # better, but luck is not ruled out
    WEAK = "weak"
    FAIR = "fair"
    GOOD = "good"
    VERY_GOOD = "very_good"


_STEPS = ((0.94, Quality.VERY_GOOD), (0.80, Quality.GOOD), (0.50, Quality.FAIR))


def wilson(correct: float, n: int) -> tuple[float, float]:
    """The Wilson score interval (95 %) of a share correct / n. n = 0: nothing is known, (0, 1)."""
    if n <= 0:
        return 0.0, 1.0
    share, z2 = correct / n, Z_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def judge(accuracy: float, n: int, commonest: float) -> Quality:
    """The verdict on an accuracy over n photos. commonest: share of the largest class among them; all 0..1."""
    low, _ = wilson(accuracy * n, n)
    if accuracy <= commonest:
        return Quality.NO_BETTER if n >= FEW_CHECKED else Quality.TOO_FEW
    if n < FEW_CHECKED:
        return Quality.TOO_FEW
    if low <= commonest:
        return Quality.UNCERTAIN
    skill = (accuracy - commonest) / (1 - commonest)
    return next((quality for least, quality in _STEPS if skill >= least - 1e-9), Quality.WEAK)


@dataclass(frozen=True, slots=True)
class Recall:
    """Of the n check photos of one class, how many were answered with it. share: None where there were none."""

    name: str
    found: int
    n: int

    @property
    def share(self) -> float | None:
        return self.found / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Results:
    """The figures of a run on its check photos. Shares are 0..1, log_loss in nats."""

    quality: Quality
    n: int
    right: int
    accuracy: float
    low: float
    high: float
    commonest: float
    commonest_class: str
    recalls: tuple[Recall, ...]
    uneven: bool
    log_loss: float | None
    ece: float | None
    balanced: float | None


def results(result: RunResult) -> Results | None:
    """The figures of a finished run; None where it was stopped before the first validation."""
    accuracy, n = _number(result.val, "accuracy"), int(_number(result.val, "n") or 0)
    if accuracy is None or n <= 0:
        return None
    recalls = recall_per_class(result.classes, result.confusion)
    sizes = [recall.n for recall in recalls if recall.n]
    largest = max(recalls, key=lambda recall: recall.n, default=None)
    commonest = largest.n / n if largest is not None else 1 / max(1, len(result.classes))
    low, high = wilson(accuracy * n, n)
    return Results(
        quality=judge(accuracy, n, commonest),
        n=n,
        right=half_up(accuracy * n),
        accuracy=accuracy,
        low=low,
        high=high,
        commonest=commonest,
        commonest_class=largest.name if largest is not None else "",
        recalls=recalls,
        uneven=bool(sizes) and max(sizes) >= UNEVEN * min(sizes),
        log_loss=_number(result.val, "log_loss"),
        ece=_number(result.val, "ece"),
        balanced=_number(result.val, "balanced_accuracy"),
    )


def recall_per_class(classes: Sequence[str], confusion: Sequence[Sequence[int]]) -> tuple[Recall, ...]:
    """One entry a row of the confusion table; empty where the table does not belong to these classes."""
    if len(confusion) != len(classes):
        return ()
    return tuple(
        Recall(name, row[index] if index < len(row) else 0, sum(row))
        for index, (name, row) in enumerate(zip(classes, confusion, strict=True))
    )


def of_hundred(share: float) -> int:
    """The share as "98 of 100", rounded, but 100 only for a perfect share and 0 only for none."""
    if share >= 1.0 or share <= 0.0:
        return 100 if share >= 1.0 else 0
    return min(99, max(1, half_up(100 * share)))


def half_up(value: float) -> int:
    """The nearest whole number of a value >= 0, halves up: as percentages are written, unlike Python's `round`."""
    return math.floor(value + 0.5)


def digits_for(n: int) -> int:
    """Decimals of a percentage that n photos can carry."""
    return 0 if n < 100 else 1 if n < 20_000 else 2


def _number(values: object, key: str) -> float | None:
    value = values.get(key) if isinstance(values, dict) else None
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None
