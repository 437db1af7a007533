"""Random numbers as a pure function of (seed, epoch, photo), so that a resumed run draws what the other one would have.

splitmix64 (Steele, Lea & Flood 2014) over a mixed counter; numpy only.
"""

from typing import Any

import numpy as np

U64 = np.ndarray[Any, np.dtype[np.uint64]]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mixed(x: U64) -> U64:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: U64 = x ^ (x >> np.uint64(31))
    return result


def uniform(seed: int, epoch: int, photos: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Numbers in [0, 1), (len(photos), count). photos: their numbers in the dataset; the order does not matter."""
    with np.errstate(over="ignore"):  # wrapping around is the point
        base = _mixed(np.uint64(seed) * _GOLDEN + np.uint64(epoch) + np.zeros(1, np.uint64))
        rows = _mixed(base + photos.astype(np.uint64) * _GOLDEN)
        cells = _mixed(rows[:, None] + (np.arange(1, count + 1, dtype=np.uint64) * _GOLDEN)[None])
    return (cells >> np.uint64(40)).astype(np.float32) / np.float32(2**24)


def shuffled(seed: int, epoch: int, members: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The members in an order that depends on seed and epoch only."""
    result: np.ndarray[Any, Any] = np.random.default_rng([seed, epoch]).permutation(members)
    return result


def plan_batches(order: np.ndarray[Any, Any], size: int) -> list[np.ndarray[Any, Any]]:
    """Batches of `size`; a lone last photo joins the batch before it, since BatchNorm cannot take one alone."""
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    if len(batches) > 1 and len(batches[-1]) == 1:
        batches[-2:] = [np.concatenate(batches[-2:])]
    return batches
