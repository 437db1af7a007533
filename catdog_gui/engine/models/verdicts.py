"""From class scores and features to a verdict: sure, not sure, none of these. Numpy only, pure.

Novelty is 1 minus the cosine to the k-th nearest of the stored training photos' features (k = 10): measured on pets
against other things it separates far better (AUROC 0.997) than the largest probability does (0.905). At most 4,096
vectors are stored, so that an answer costs the same for any number of training photos.
"""

import math

import numpy as np

from catdog_gui.engine.models.limits import FEW as FEW
from catdog_gui.engine.models.limits import LOWEST_SURE, log_odds, sigmoid
from catdog_gui.engine.models.limits import NEVER as NEVER
from catdog_gui.engine.models.limits import Limits as Limits
from catdog_gui.engine.models.limits import verdict as verdict
from catdog_gui.engine.models.metrics import Floats, Ints, softmax
from catdog_gui.engine.networks.blas import one_thread

NEIGHBOURS = 10
MOST_VECTORS = 4096
KEPT_KNOWN = 0.99  # share of the checked photos that stay under the novelty limit
KEPT_MOVED = 0.97  # the same of a network that moved: learning has drawn other things nearer to the classes, too
ANSWERED = 0.945  # share of them that the rule calls sure, where that is right often enough
RIGHT_WHEN_SURE = 0.993  # else the surest ones, as long as this share of them is right
RISE = 3.0  # log odds that a photo at the novelty limit needs more than one at the median distance
RISE_BESIDE_POOR = 0.75  # the same where it is known how poor a photo looks, which tells most of it
POOR_RISE = 4.5  # log odds that a photo as poor as the poorest 1 % needs more than one of middling looks
HIGHEST_SURE = 0.98  # of the least probability at the median distance: some photos stay sure
_PIECE = 1024  # photos measured at once: 16 MB of cosines
_ROUNDING = 1e-4  # more than float32 errs in the cosine of two unit rows of 1,280
_FLAT = 1e-6  # distances nearer to each other than this are one
FEWEST_SURE = 6  # checked photos below which not even a cautious limit keeps other things from being sure
FEW_SURE, FEW_KEPT = 0.90, 0.90  # of few checked photos: the least probability, and the share under the novelty limit


def unit(features: Floats) -> Floats:
    """Rows of length 1, float32."""
    rows = features.astype(np.float32)
    result: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return result


def choose(count: int, seed: int) -> Ints:
    """Which of `count` photos to remember, in order: all, or 4,096 drawn evenly."""
    if count <= MOST_VECTORS:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).permutation(count)[:MOST_VECTORS])


def stored(features: Floats) -> Floats:
    """Features (K, F) as they are remembered: unit rows, float16."""
    return unit(features).astype(np.float16)


def novelty(features: Floats, vectors: Floats, *, among_them: bool = False) -> Floats:
    """Distance (N,) of each photo to its 10th nearest stored one (to the farthest where there are fewer).

    features: (N, F), any length; vectors: (K, F) unit rows, float32 where speed matters. among_them: the photos are
    among the stored ones, so each one's nearest is itself and does not count. Not-a-number features are as novel as can
    be. The candidates are found in float32 and measured again in float64, so that a photo's distance is the same
    whatever is asked with it.
    """
    if len(vectors) == 0:
        return np.zeros(len(features), np.float32)
    stored = vectors.astype(np.float32, copy=False)
    k = min(NEIGHBOURS + among_them, len(vectors))
    result = np.empty(len(features), np.float32)
    for start in range(0, len(features), _PIECE):
        rows = unit(features[start : start + _PIECE])
        with one_thread():
            cosines = rows @ stored.T
        least = np.partition(cosines, len(vectors) - k, axis=1)[:, len(vectors) - k] - _ROUNDING
        for number, row in enumerate(rows, start):
            result[number] = _kth_distance(row, stored[cosines[number - start] >= least[number - start]], k)
    return result


def _kth_distance(row: Floats, candidates: Floats, k: int) -> float:
    """Distance 0..2 of a unit row to the k-th nearest of unit rows (K, F); none of them (not a number) = 2."""
    if len(candidates) < k:
        return 2.0
    cosines = candidates.astype(np.float64) @ row.astype(np.float64)
    return float(np.clip(1.0 - np.partition(cosines, len(cosines) - k)[len(cosines) - k], 0.0, 2.0))


def fit_limits(
    probabilities: Floats, labels: Ints, distances: Floats, poorness: Floats | None = None, *, moved: bool = False
) -> Limits:
    """The written rule, from photos that the network did not learn from. moved: it was fine-tuned.

    novelty: the distance that 99 % of them stay under; where the network moved 97 %, with which 1, 3 and 1 of 100
    other things were called a sure pet (`best`, three splits). sure: photos are ranked by the log
    odds of their best class, less the farther they are (0.75 from the median distance to the limit) and the poorer they
    look (4.5 from the median to what 1 % pass). The 94.5 % that rank highest are sure, or as many fewer as it takes for
    99.3 % of them to be right; never below 0.70, at the median distance never above 0.98. Without poorness (N,) the
    distance counts 3, and 0.70 is meant at the median distance.

    With fewer than 50 checked photos nothing can be fitted: 0.90, and the distance that 90 % stay under. Of pets those
    leave 68 % sure (40 photos in all) to 79 % (200), 99.4 % of them right, and call 3 to 1 of 100 other things a sure
    pet; with 0.80 and the largest distance and a tenth it was 90 % of the pets, but 50 to 24 of the others.

    With fewer than 6 nothing is sure: of 100 other things 6 to 56 came out as a sure pet (10 to 24 photos in all): the
    farthest of a handful is as far as those; with 6 and 8 it was 2 to 10 (fast, two seeds, 50 other things).

    Ranked by probability alone photos turned by 90 to 270 degrees were surely wrong in 2.9 %, by distance too in 2.3 %,
    by poorness too in 0.9 %, with 93.8, 93.2 and 93.6 % of the untouched pets sure (`fast`, 2,000 photos, 15 folds).
    """
    if len(labels) == 0:
        return Limits(sure=NEVER)
    if len(labels) < FEW:
        sure = FEW_SURE if len(labels) >= FEWEST_SURE else NEVER
        return Limits(sure=sure, novelty=float(np.quantile(distances, FEW_KEPT)))
    kept = KEPT_MOVED if moved else KEPT_KNOWN
    limit, middle = float(np.quantile(distances, kept)), float(np.median(distances))
    rise, poor = (RISE, 0.0) if poorness is None else (RISE_BESIDE_POOR, POOR_RISE)
    slope = rise / (limit - middle) if limit - middle > _FLAT else 0.0
    needed = slope * (distances - limit) + (0.0 if poorness is None else poor * np.maximum(poorness, 0.0))
    needed = np.where(distances <= limit, needed, np.inf)
    rise = slope * (limit - middle)
    # Poor photos need more than the rank: a lower one leaves 0.70 to most, `Limits` sees to that, and more to them.
    lowest = log_odds(LOWEST_SURE) + (rise if poorness is None else -poor)
    least = min(max(_least_rank(probabilities, labels, needed), lowest), log_odds(HIGHEST_SURE) + rise)
    return Limits(sigmoid(least), limit, slope, poor)


def _least_rank(probabilities: Floats, labels: Ints, needed: Floats) -> float:
    """Least log odds of a sure photo that needs nothing more. needed: how much more each needs, infinite: never."""
    best = np.clip(probabilities.max(axis=1).astype(np.float64), 1e-9, 1 - 1e-9)
    ranks = np.log(best / (1 - best)) - needed
    order = np.argsort(-ranks, kind="stable")
    right = np.cumsum((probabilities.argmax(axis=1) == labels)[order])
    levels, counts = np.unique(-ranks, return_counts=True)  # photos of equal rank stand or fall together
    above = np.cumsum(counts)
    levels, share = -levels, right[above - 1] / above
    good = np.flatnonzero((share >= RIGHT_WHEN_SURE) & np.isfinite(levels))
    wanted = float(levels[good[-1]]) if len(good) else math.inf
    # With 100 photos and more a rank that just 94.5 % reach; numpy's "higher" keeps to a rank that some photo has.
    return max(wanted, float(np.quantile(ranks, 1 - ANSWERED, method="higher")))


def answers(scores: Floats, temperature: float) -> Floats:
    """Calibrated probabilities (N, C). Scores that are not numbers give equal shares."""
    clean = np.where(np.isfinite(scores), scores, 0.0)
    return softmax(clean / temperature)
