"""How poor a photo looks to the network: turned, tiny, dark, blurred, noisy, badly compressed. Numpy and Pillow only.

Poor photos lie along a direction of their own in feature space. It is found as Fisher's linear discriminant (1936)
between a few training photos as they are and copies of them made poor on purpose; the part of a photo's features along
it is one more figure beside probability and distance, and the written rule asks for more where it is high. On 2,000
photos (15 folds) surely wrong answers to turned ones fall from 2.3 to 1.2 %, to tiny ones of 32 px from 1.9 to 0.4 %.
It also works for ways that no copy was made in (without any noisy copy 0.20 % instead of 0.13 %), except for turns.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from catdog_gui.engine.models.model_file import POOR
from catdog_gui.engine.models.verdicts import unit
from catdog_gui.engine.photos.disturbances import Disturbance

Array = np.ndarray[Any, np.dtype[Any]]
COPIES = 160  # made of the training photos; two fewer errors in a thousand with 320, for twice the time
FEWEST = 24  # pairs below which a direction is chance
VERSION = 1  # of the ways and how they are dealt out: part of the name under which copies' features are kept
# Strengths between those of the table in `disturbances`, which is there to judge by.
WAYS = (
    Disturbance("turned", 90, "°"),
    Disturbance("tiny", 45, "px"),
    Disturbance("turned", 180, "°"),
    Disturbance("dark", 15, "%"),
    Disturbance("turned", 270, "°"),
    Disturbance("blurred", 2, "%"),
    Disturbance("noisy", 50, "levels"),
    Disturbance("jpeg", 8, "quality"),
)
_RIDGE = 1.0  # times the mean variance: there are more features than copies


@dataclass(frozen=True, slots=True)
class Poorness:
    """weight (F,), bias: a figure of unit rows, 0 for the middle one of the checked photos, 1 where 1 % are poorer."""

    weight: Array
    bias: float

    def __call__(self, features: Array) -> Array:
        """(N,) float32 of features (N, F) of any length. float64 inside: the same whatever is asked with a photo."""
        return along(features, self.weight, self.bias)

    def to_tensors(self) -> dict[str, Array]:
        return dict(zip(POOR, (self.weight.astype(np.float32), np.array([self.bias], np.float32)), strict=True))


def poorness_of(tensors: Mapping[str, Array]) -> Poorness | None:
    """None where the model has none: an older file, a run that was stopped, photos that were gone."""
    weight, bias = (tensors.get(name) for name in POOR)
    return None if weight is None or bias is None else Poorness(weight, float(bias[0]))


def along(features: Array, direction: Array, offset: float = 0.0) -> Array:
    """How far features (N, F), brought to length 1, lie along a direction (F,)."""
    rows = unit(features).astype(np.float64)
    result: Array = (rows * direction.astype(np.float64)).sum(axis=1) + offset  # row by row, unlike a product
    return result.astype(np.float32)


def chosen(digests: Mapping[int, bytes]) -> Iterator[tuple[int, int]]:
    """Of which photos copies are made: (photo, number of the way in WAYS), about 160 pairs.

    digests: of the training photos' contents, 16 bytes. What is chosen hangs on a photo's content alone, but for the
    number of photos: a few more photos leave nearly all of it, and with it what is kept of it, as it was.
    """
    each = min(len(WAYS), -(-COPIES // max(1, len(digests))))
    share = min(1.0, COPIES / max(1, each * len(digests)))
    for number, content in sorted(digests.items()):
        if int.from_bytes(content[:6], "big") < share * 2**48:
            for at in range(each):
                yield number, (content[6] + at) % len(WAYS)


def copy_key(content: bytes, way: int) -> bytes:
    """What a copy is kept under, in the place of a content's digest."""
    return hashlib.blake2b(content + WAYS[way].name.encode() + bytes([way]), digest_size=16).digest()


def direction(clean: Array, poor: Array) -> Array | None:
    """The discriminant (F,) between pairs of rows (M, F) of features; None for too few pairs, or no difference."""
    if len(clean) < FEWEST:
        return None
    before, after = unit(clean).astype(np.float64), unit(poor).astype(np.float64)
    away = after.mean(axis=0) - before.mean(axis=0)
    before, after = before - before.mean(axis=0), after - after.mean(axis=0)
    spread = (before.T @ before + after.T @ after) / (2 * len(clean))
    ridge = _RIDGE * float(np.trace(spread)) / len(spread)
    if not np.isfinite(ridge) or ridge <= 0 or not np.isfinite(away).all():
        return None
    found: Array = np.linalg.solve(spread + ridge * np.eye(len(spread)), away)
    return found


def scaled(found: Array, checked: Array) -> Poorness | None:
    """The direction with its scale, by the checked photos' features (N, F); None where these are all one along it."""
    figures = along(checked, found)
    middle, high = float(np.median(figures)), float(np.quantile(figures, 0.99))
    if not high - middle > 1e-6 * max(1.0, abs(middle)):
        return None
    return Poorness((found / (high - middle)).astype(np.float32), -middle / (high - middle))
