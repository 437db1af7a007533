"""Verdicts: the written rule, against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catdog_gui.engine.models import verdicts
from catdog_gui.engine.models.verdicts import Limits


def brute_novelty(features: np.ndarray, vectors: np.ndarray, skip: int = 0) -> list[float]:
    found = []
    for row in features:
        cosines = sorted(
            (float(row @ v) / (float(np.linalg.norm(row)) * float(np.linalg.norm(v))) for v in vectors), reverse=True
        )
        found.append(1 - cosines[min(9 + skip, len(cosines) - 1)])
    return found


def features(seed: int, n: int, size: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 3, (n, size)).astype(np.float32)


@pytest.mark.parametrize("stored", [1, 5, 10, 11, 40])
def test_novelty_is_the_distance_to_the_tenth_nearest_or_the_farthest_of_fewer(stored: int) -> None:
    vectors, asked = verdicts.unit(features(0, stored)), features(1, 20)

    assert verdicts.novelty(asked, vectors) == pytest.approx(brute_novelty(asked, vectors), abs=1e-5)


def test_a_photo_that_is_stored_itself_is_not_its_own_neighbour() -> None:
    rows = features(2, 30)
    vectors = verdicts.stored(rows)

    found = verdicts.novelty(rows, vectors, among_them=True)
    assert found == pytest.approx(brute_novelty(rows, vectors.astype(np.float32), skip=1), abs=2e-3)


def test_the_length_of_the_features_does_not_matter() -> None:
    vectors, asked = verdicts.unit(features(0, 40)), features(1, 5)

    assert verdicts.novelty(asked * 1000, vectors) == pytest.approx(verdicts.novelty(asked, vectors), abs=1e-6)


def test_many_photos_are_measured_as_each_alone() -> None:
    vectors, asked = verdicts.unit(features(0, 40)), features(1, 5000)

    found = verdicts.novelty(asked, vectors)

    for photo in (0, 2047, 2048, 4095, 4096, 4999):
        assert found[photo] == pytest.approx(verdicts.novelty(asked[photo : photo + 1], vectors)[0], abs=1e-6)


def test_novelty_stays_between_alike_and_opposite() -> None:
    row = features(3, 1)
    vectors = verdicts.stored(np.repeat(row, 20, axis=0))

    same, opposite = verdicts.novelty(np.concatenate([row, -row]), vectors)

    assert 0 <= same < 2e-3
    assert 2 - 2e-3 < opposite <= 2


def test_features_that_are_no_numbers_are_as_novel_as_can_be() -> None:
    asked = features(1, 4)
    asked[0, 3], asked[1], asked[2, 0] = np.nan, np.nan, np.inf

    with np.errstate(invalid="ignore"):
        found = verdicts.novelty(asked, verdicts.unit(features(0, 40)))

    assert found[:3].tolist() == [2.0, 2.0, 2.0]
    assert found[3] < 2
    assert verdicts.verdict(1.0, float(found[0]), Limits(novelty=0.3)) == "none_of_these"


def test_features_of_nothing_but_zeros_are_unlike_everything() -> None:
    assert verdicts.novelty(np.zeros((1, 8)), verdicts.unit(features(0, 40))) == pytest.approx([1.0])


def test_without_stored_photos_nothing_is_novel() -> None:
    assert verdicts.novelty(features(0, 3), np.zeros((0, 0), np.float16)).tolist() == [0, 0, 0]
    assert len(verdicts.novelty(np.zeros((0, 8)), verdicts.unit(features(0, 4)))) == 0


def test_at_most_4096_photos_are_remembered_the_same_ones_for_a_seed() -> None:
    kept = verdicts.choose(5000, seed=3)

    assert len(set(kept.tolist())) == 4096
    assert (np.diff(kept) > 0).all()
    assert kept[-1] < 5000
    assert (kept == verdicts.choose(5000, seed=3)).all()
    assert (kept != verdicts.choose(5000, seed=4)).any()
    assert verdicts.choose(100, seed=3).tolist() == list(range(100))


def test_remembered_photos_are_unit_rows_of_half_precision() -> None:
    kept = verdicts.stored(features(0, 50, size=2))

    assert kept.dtype == np.float16
    assert np.linalg.norm(kept.astype(np.float32), axis=1) == pytest.approx(np.ones(50), abs=2e-3)


def test_among_many_equal_neighbours_the_distance_is_the_same_alone_and_in_a_batch() -> None:
    one = verdicts.unit(features(1, 1))
    vectors = np.concatenate([np.repeat(one, 300, axis=0), verdicts.unit(features(2, 300))])
    asked = features(3, 40)

    together = verdicts.novelty(asked, vectors)

    assert [verdicts.novelty(asked[n : n + 1], vectors)[0] for n in range(40)] == together.tolist()


def test_products_on_one_thread_leave_the_others_their_threads() -> None:
    from threadpoolctl import threadpool_info

    from catdog_gui.engine.networks.blas import one_thread

    def threads() -> list[int]:
        return [int(pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads()
    with one_thread():
        assert set(threads()) <= {1}
    assert threads() == before


# --- limits ----------------------------------------------------------------------------------------------------------


def two_classes(sure: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities with class 0 on top, and labels: 0 where right."""
    return np.stack([sure, 1 - sure], axis=1), np.where(right, 0, 1)


def least_by_definition(sure: np.ndarray, right: np.ndarray) -> float:
    """Of equally known photos: the probability that 94.5 % reach, or as many fewer as 99.3 % right takes."""
    good = [p for p in sorted(sure) if right[sure >= p].mean() >= 0.993]
    wanted = max(good[0] if good else np.inf, np.quantile(sure, 0.055, method="higher"))
    return float(np.clip(wanted, 0.70, 0.98))


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10_000), st.integers(50, 400), st.sampled_from([2, 6]), st.floats(0.9, 1.0))
def test_the_least_sure_probability_follows_the_written_rule(seed: int, n: int, digits: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    sure = np.round(rng.uniform(0.5, 1.0, n), digits)  # two digits: many photos are equally sure
    right = rng.random(n) < share + (1 - share) * sure

    limits = verdicts.fit_limits(*two_classes(sure, right), np.zeros(n))

    assert limits.slope == 0
    assert limits.sure == pytest.approx(least_by_definition(sure, right))


def test_photos_that_are_all_right_leave_the_least_probable_5_of_100_unsure() -> None:
    sure = np.linspace(0.8, 1, 200)
    shares, labels = two_classes(sure, np.ones(200, bool))

    limits = verdicts.fit_limits(shares, labels, np.zeros(200))

    assert (sure >= limits.sure).sum() == 189


def test_photos_that_are_never_right_make_the_limit_the_ceiling() -> None:
    limits = verdicts.fit_limits(*two_classes(np.full(100, 0.99), np.zeros(100, bool)), np.zeros(100))

    assert limits.sure == pytest.approx(0.98)


def test_the_novelty_limit_keeps_99_of_100_checked_photos() -> None:
    distances = np.random.default_rng(0).permutation(np.arange(1, 1001) / 1000)

    limits = verdicts.fit_limits(*two_classes(np.full(1000, 0.9), np.ones(1000, bool)), distances)

    assert (distances <= limits.novelty).sum() in (990, 991)


def test_a_network_that_moved_knows_97_of_100_checked_photos() -> None:
    distances = np.linspace(0.1, 0.4, 1000)

    limits = verdicts.fit_limits(*two_classes(np.full(1000, 0.9), np.ones(1000, bool)), distances, moved=True)

    assert (distances <= limits.novelty).sum() in (970, 971)


def test_novel_photos_do_not_count_against_the_sure_ones() -> None:
    sure = np.full(1000, 0.9)
    right = np.ones(1000, bool)
    right[:9] = False  # wrong ones, but all of them far away: answered with none of these
    distances = np.where(right, 0.1, 1.0)

    limits = verdicts.fit_limits(*two_classes(sure, right), distances)

    assert [verdicts.verdict(0.9, distance, limits) for distance in (0.1, 1.0)] == ["sure", "none_of_these"]


def test_the_farther_a_photo_is_from_the_known_ones_the_surer_it_must_be() -> None:
    rng = np.random.default_rng(0)
    distances = rng.uniform(0.2, 0.6, 400)
    limits = verdicts.fit_limits(*two_classes(rng.uniform(0.6, 1, 400), np.ones(400, bool)), distances)

    needed = [limits.least_sure(distance) for distance in (0.0, 0.2, 0.4, 0.5, limits.novelty)]

    assert needed == sorted(needed)
    assert needed[0] == pytest.approx(0.70)
    assert needed[-1] == limits.sure
    odds = [np.log(p / (1 - p)) for p in (limits.least_sure(float(np.median(distances))), limits.sure)]
    assert odds[1] - odds[0] == pytest.approx(3.0, abs=1e-6)


def test_at_least_93_of_100_checked_photos_are_sure_where_they_are_right() -> None:
    rng = np.random.default_rng(1)
    distances, sure = rng.uniform(0.2, 0.6, 400), 1 - rng.uniform(0, 0.1, 400) ** 2
    limits = verdicts.fit_limits(*two_classes(sure, np.ones(400, bool)), distances)

    said = [verdicts.verdict(p, d, limits) for p, d in zip(sure, distances, strict=True)]

    assert 0.93 <= said.count("sure") / 400 <= 0.95


def test_a_few_photos_fit_no_limit() -> None:
    shares, labels = two_classes(np.full(10, 0.6), np.zeros(10, bool))

    limits = verdicts.fit_limits(shares, labels, np.linspace(0.1, 0.4, 10))

    assert limits.sure == 0.9
    assert limits.novelty == pytest.approx(np.quantile(np.linspace(0.1, 0.4, 10), 0.9))


@pytest.mark.parametrize("checked", [1, 2, 5, 6])
def test_of_a_handful_of_checked_photos_no_answer_is_sure(checked: int) -> None:
    shares, labels = two_classes(np.full(checked, 0.99), np.ones(checked, bool))

    limits = verdicts.fit_limits(shares, labels, np.linspace(0.1, 0.4, checked))

    assert verdicts.verdict(1.0, 0.1, limits) == ("sure" if checked == 6 else "not_sure")
    assert verdicts.verdict(1.0, 0.9, limits) == "none_of_these"


def test_without_checked_photos_nothing_is_sure() -> None:
    limits = verdicts.fit_limits(np.zeros((0, 2)), np.zeros(0, int), np.zeros(0))

    assert verdicts.verdict(1.0, 0.0, limits) == "not_sure"


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("probability", "distance", "said"),
    [
        (0.8, 0.3, "sure"),
        (0.7999, 0.3, "not_sure"),
        (1.0, 0.3001, "none_of_these"),
        (0.1, 2.0, "none_of_these"),
        (float("nan"), 0.1, "not_sure"),
        (1.0, float("nan"), "none_of_these"),
    ],
)
def test_a_verdict_follows_probability_and_novelty(probability: float, distance: float, said: str) -> None:
    assert verdicts.verdict(probability, distance, Limits(sure=0.8, novelty=0.3)) == said


def test_scores_that_are_no_numbers_make_no_class_probable() -> None:
    shares = verdicts.answers(np.array([[np.nan, np.nan], [np.inf, -np.inf], [0.0, np.log(3)]]), 1.0)

    assert shares == pytest.approx(np.array([[0.5, 0.5], [0.5, 0.5], [0.25, 0.75]]))


def test_a_temperature_above_one_makes_answers_less_sure() -> None:
    scores = np.array([[2.0, 0.0]])

    assert verdicts.answers(scores, 2.0)[0] == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(1))])
