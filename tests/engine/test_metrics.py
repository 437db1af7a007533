"""Figures about answers, against figures worked out by hand or by brute force."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catdog_gui.engine.models import metrics


def drawn(seed: int, n: int, classes: int = 3, sharp: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Scores, and labels drawn from their probabilities: perfectly calibrated at temperature 1."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, sharp, (n, classes))
    labels = np.array([rng.choice(classes, p=row) for row in metrics.softmax(scores)], np.int64)
    return scores, labels


def test_probabilities_of_scores_by_hand() -> None:
    shares = metrics.softmax(np.array([[0.0, math.log(3)], [1000.0, 1000.0], [-1000.0, 1000.0]]))

    assert shares == pytest.approx(np.array([[0.25, 0.75], [0.5, 0.5], [0.0, 1.0]]))


def test_log_loss_and_accuracy_by_hand() -> None:
    shares, labels = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]]), np.array([1, 0, 0])

    assert metrics.log_loss(shares, labels) == pytest.approx(-(math.log(0.5) + math.log(0.9) + math.log(0.2)) / 3)
    assert metrics.accuracy(shares, labels) == pytest.approx(1 / 3)


def test_a_surely_wrong_answer_costs_much_but_not_without_end() -> None:
    assert metrics.log_loss(np.array([[1.0, 0.0]]), np.array([1])) == pytest.approx(-math.log(1e-12))


def test_figures_of_no_photos_are_no_numbers() -> None:
    shares, labels = np.zeros((0, 2)), np.zeros(0, np.int64)

    assert math.isnan(metrics.log_loss(shares, labels))
    assert math.isnan(metrics.accuracy(shares, labels))
    assert math.isnan(metrics.calibration_error(shares, labels))
    assert math.isnan(metrics.balanced_accuracy([[0, 0], [0, 0]]))
    assert metrics.fit_temperature(shares, labels) == 1.0
    assert metrics.cross_fitted(shares, labels).shape == (0, 2)
    assert metrics.softmax(np.zeros((0, 0))).shape == (0, 0)
    assert metrics.wilson(0, 0) == (0.0, 1.0)


def test_confusion_has_true_classes_in_rows_and_answers_in_columns() -> None:
    table = metrics.confusion(np.array([0, 0, 0, 1, 2]), np.array([0, 1, 1, 1, 0]), 3)

    assert table == [[1, 2, 0], [0, 1, 0], [1, 0, 0]]
    assert metrics.recalls(table) == [pytest.approx(1 / 3), 1.0, 0.0]
    assert metrics.balanced_accuracy(table) == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_a_class_without_photos_has_no_recall_and_does_not_count() -> None:
    table = [[4, 0, 0], [1, 1, 0], [0, 0, 0]]

    assert math.isnan(metrics.recalls(table)[2])
    assert metrics.balanced_accuracy(table) == 0.75


def test_always_answering_the_commonest_class_is_no_better_than_guessing() -> None:
    assert metrics.balanced_accuracy(metrics.confusion(np.array([0] * 90 + [1] * 10), np.zeros(100, int), 2)) == 0.5


# --- calibration -----------------------------------------------------------------------------------------------------


def test_calibration_error_by_hand() -> None:
    # bin 0.8..1: sure 0.9 and 0.9, one of two right; bin 0.6..0.8: sure 0.7, right
    shares = np.array([[0.9, 0.1], [0.1, 0.9], [0.7, 0.3]])

    error = metrics.calibration_error(shares, np.array([0, 0, 0]), bins=5)

    assert error == pytest.approx((2 * abs(0.9 - 0.5) + abs(0.7 - 1.0)) / 3)


def test_sure_and_right_is_perfect_and_falls_into_the_last_bin() -> None:
    assert metrics.calibration_error(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 1])) == 0.0


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 20))
def test_calibration_error_equals_its_definition(seed: int, n: int, bins: int) -> None:
    scores, labels = drawn(seed, n)
    shares = metrics.softmax(scores)
    expected = 0.0
    for k in range(bins):
        inside = [i for i in range(n) if min(int(shares[i].max() * bins), bins - 1) == k]
        if inside:
            sure = sum(shares[i].max() for i in inside) / len(inside)
            right = sum(shares[i].argmax() == labels[i] for i in inside) / len(inside)
            expected += len(inside) / n * abs(sure - right)

    assert metrics.calibration_error(shares, labels, bins) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("true", [0.25, 0.5, 1.0, 2.0, 4.0])
def test_the_temperature_that_was_put_in_is_found(true: float) -> None:
    scores, labels = drawn(0, 4000)

    assert metrics.fit_temperature(scores * true, labels) == pytest.approx(true, rel=0.08)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("factor", [0.1, 1.0, 10.0])
def test_no_temperature_on_a_grid_fits_better(seed: int, factor: float) -> None:
    scores, labels = drawn(seed, 50)
    scores = scores * factor
    smooth = 0.5 / (len(labels) + 1)
    target = np.full((50, 3), smooth / 2)
    target[np.arange(50), labels] = 1 - smooth

    def loss(temperature: float) -> float:
        return float(-(target * np.log(np.maximum(metrics.softmax(scores / temperature), 1e-12))).sum(axis=1).mean())

    found = metrics.fit_temperature(scores, labels)
    assert loss(found) <= min(loss(t) for t in np.geomspace(0.05, 20, 400)) + 1e-6


def test_photos_that_are_all_right_do_not_make_the_model_boundlessly_sure() -> None:
    scores, labels = np.array([[3.0, 0.0], [0.0, 3.0]] * 5), np.array([0, 1] * 5)

    calibrated = metrics.softmax(scores / metrics.fit_temperature(scores, labels))

    assert calibrated.max() == pytest.approx(10.5 / 11, abs=1e-3)


def test_the_order_of_the_photos_does_not_matter_to_the_temperature() -> None:
    scores, labels = drawn(1, 200)
    order = np.random.default_rng(0).permutation(200)

    assert metrics.fit_temperature(scores[order], labels[order]) == pytest.approx(
        metrics.fit_temperature(scores, labels), abs=1e-3
    )


def test_calibrating_changes_no_answer() -> None:
    scores, labels = drawn(2, 300)

    assert (metrics.cross_fitted(scores, labels).argmax(axis=1) == scores.argmax(axis=1)).all()


def test_a_photo_never_helps_to_calibrate_itself() -> None:
    scores, labels = drawn(3, 60)
    before = metrics.cross_fitted(scores, labels)
    for photo in (0, 17, 59):
        mine = np.flatnonzero(labels == labels[photo])
        fold = int(np.flatnonzero(mine == photo)[0]) % 5
        changed = scores.copy()
        for label in range(3):  # everything in the photo's own fold but the photo itself becomes nonsense
            same = np.flatnonzero(labels == label)[fold::5]
            changed[same[same != photo]] = [50.0, -50.0, 0.0]
        assert metrics.cross_fitted(changed, labels)[photo] == pytest.approx(before[photo], abs=1e-12)


def test_other_folds_do_calibrate() -> None:
    scores, labels = drawn(4, 400)
    overconfident = scores * 5

    assert metrics.log_loss(metrics.cross_fitted(overconfident, labels), labels) < metrics.log_loss(
        metrics.softmax(overconfident), labels
    )


def test_too_few_photos_to_leave_some_out_stay_as_they_are() -> None:
    scores = np.array([[2.0, 0.0]])

    assert metrics.cross_fitted(scores, np.array([0])) == pytest.approx(metrics.softmax(scores))


# --- uncertainty -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [  # Newcombe 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_equals_published_ones(right: int, n: int, low: float, high: float) -> None:
    assert metrics.wilson(right, n, z=1.959964) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


@given(st.integers(1, 100_000), st.floats(0, 1))
def test_the_interval_holds_the_share_and_stays_within_bounds(n: int, share: float) -> None:
    right = round(n * share)
    low, high = metrics.wilson(right, n)

    assert 0 <= low <= right / n + 1e-12
    assert right / n - 1e-12 <= high <= 1
    mirrored = metrics.wilson(n - right, n)
    assert (1 - high, 1 - low) == (pytest.approx(mirrored[0], abs=1e-9), pytest.approx(mirrored[1], abs=1e-9))
