"""Copies of photos: exact ones by digest, re-saved ones (other quality or size) by a small fingerprint."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

Fingerprints = npt.NDArray[np.uint8]  # (photos, FINGERPRINT)
FINGERPRINT = 64  # bytes: 16 of gradient signs, 48 of a 4 x 4 colour picture
_SIGNS = 16

# Of 2,100 real photos re-saved copies (quality 30 and 75, half and 1.3 times the size) differ by at most 11 of 128
# signs and 1.4 grey levels, different photos by at least 28 signs and 9 levels.
_MOST_SIGNS = 16
_MOST_LEVELS = 4.0
_BANDS = 8  # of 16 signs; two photos are compared when one band is equal
_NEIGHBOURS = 32  # compared in each band, by brightness: bounds the work where many photos share a band


def fingerprint(square: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """(FINGERPRINT,) uint8 of a decoded square (S, S, 3). Compare only fingerprints of equally decoded squares."""
    small = Image.fromarray(square).reduce(max(1, len(square) // 32))
    grey = small.convert("L")
    across = np.asarray(grey.resize((9, 8), Image.Resampling.BOX))
    down = np.asarray(grey.resize((8, 9), Image.Resampling.BOX))
    signs = np.concatenate([(across[:, 1:] > across[:, :-1]).ravel(), (down[1:] > down[:-1]).ravel()])
    colours = np.asarray(small.resize((4, 4), Image.Resampling.BOX)).ravel()
    return np.concatenate([np.packbits(signs), colours])


def groups(keys: Iterable[Hashable]) -> dict[Hashable, list[int]]:
    """Positions by equal key, in order; None stands for "unknown" and is never equal to anything."""
    found: dict[Hashable, list[int]] = {}
    for at, key in enumerate(keys):
        if key is not None:
            found.setdefault(key, []).append(at)
    return found


def near_pairs(prints: Fingerprints) -> list[tuple[int, int]]:
    """Pairs (i < j) of photos that show the same picture. Work: about 8 sorts of the photos, whatever is alike."""
    count = len(prints)
    if count < 2:
        return []
    bands = np.ascontiguousarray(prints[:, :_SIGNS]).view(np.uint16)
    brightness = prints[:, _SIGNS:].mean(1, dtype=np.float32)
    found: set[tuple[int, int]] = set()
    for band in range(_BANDS):
        order = np.lexsort((brightness, bands[:, band]))
        keys, light = bands[order, band], brightness[order]
        for step in range(1, min(_NEIGHBOURS, count - 1) + 1):
            close = np.flatnonzero((keys[step:] == keys[:-step]) & (light[step:] - light[:-step] <= _MOST_LEVELS))
            if not close.size:
                break
            first, second = order[close], order[close + step]
            same = _alike(prints, first, second)
            pairs = np.stack([np.minimum(first, second), np.maximum(first, second)], axis=1)[same]
            found.update((one, other) for one, other in pairs.tolist())
    return sorted(found)


def joined(count: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """For each of `count` positions the smallest position it is connected with by the pairs."""
    parent = list(range(count))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    return [root(at) for at in range(count)]


def _alike(prints: Fingerprints, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    one, other = prints[first], prints[second]
    signs = np.bitwise_count(one[:, :_SIGNS] ^ other[:, :_SIGNS]).sum(1, dtype=np.int32)
    levels = np.abs(one[:, _SIGNS:].astype(np.int16) - other[:, _SIGNS:]).mean(1)
    return np.asarray((signs <= _MOST_SIGNS) & (levels <= _MOST_LEVELS))


def stack(prints: Sequence[npt.NDArray[np.uint8] | None]) -> tuple[Fingerprints, list[int]]:
    """The known fingerprints as one array, and the position of each."""
    known = [at for at, row in enumerate(prints) if row is not None]
    rows = [row for row in prints if row is not None]
    return (np.stack(rows) if rows else np.empty((0, FINGERPRINT), np.uint8)), known
