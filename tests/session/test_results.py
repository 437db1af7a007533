"""How good a run is: interval, verdict, recall."""

import pytest

from catdog_gui.engine.events import RunResult
from catdog_gui.engine.learning.figures import FEWEST_TO_CALIBRATE
from catdog_gui.session.results import (
    FEWEST_CALIBRATED,
    Quality,
    Results,
    digits_for,
    judge,
    of_hundred,
    results,
    wilson,
)


def ended(confusion: list[list[int]], **val: float) -> RunResult:
    classes = [f"class {number}" for number in range(len(confusion))]
    n = sum(map(sum, confusion))
    right = sum(row[index] for index, row in enumerate(confusion))
    figures: dict[str, float | int | None] = {"accuracy": right / n, "n": n, **val} if n else {}
    seconds = {"total": 6.4}
    return RunResult(
        "completed", "run", "m", classes, {"train": 80}, figures, 5, "cpu", "fp32", seconds, confusion=confusion
    )


def figures_of(confusion: list[list[int]], **val: float) -> Results:
    found = results(ended(confusion, **val))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [(393, 400, 0.9643, 0.9915), (10, 10, 0.7225, 1.0), (0, 10, 0.0, 0.2775), (1, 2, 0.0945, 0.9055)],
)
def test_the_interval_is_wilsons(correct: int, n: int, low: float, high: float) -> None:
    assert wilson(correct, n) == pytest.approx((low, high), abs=5e-4)


def test_of_no_photo_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("accuracy", "n", "commonest", "quality"),
    [
        (0.983, 400, 0.5, Quality.VERY_GOOD),
        (0.92, 400, 0.5, Quality.GOOD),
        (0.80, 400, 0.5, Quality.FAIR),
        (0.65, 400, 0.5, Quality.WEAK),
        (0.54, 400, 0.5, Quality.UNCERTAIN),
        (0.50, 400, 0.5, Quality.NO_BETTER),
        (1.00, 8, 0.5, Quality.TOO_FEW),
        (0.25, 8, 0.5, Quality.TOO_FEW),
    ],
)
def test_the_verdict_follows_accuracy_and_number(accuracy: float, n: int, commonest: float, quality: Quality) -> None:
    assert judge(accuracy, n, commonest) is quality


def test_an_accuracy_that_the_commonest_class_alone_would_reach_is_no_success() -> None:
    assert judge(0.90, 400, 0.90) is Quality.NO_BETTER
    assert judge(0.95, 400, 0.90) is Quality.FAIR
    assert judge(0.95, 400, 0.50) is Quality.GOOD


def test_recall_and_sizes_come_from_the_rows_of_the_table() -> None:
    found = figures_of([[197, 3], [4, 196]], log_loss=0.044, ece=0.006)

    assert [recall.share for recall in found.recalls] == [0.985, 0.98]
    assert (found.n, found.right, found.uneven, found.commonest) == (400, 393, False, 0.5)
    assert (found.log_loss, found.ece, found.balanced) == (0.044, 0.006, None)


def test_uneven_classes_are_noticed_and_the_commonest_is_named() -> None:
    found = figures_of([[350, 5], [12, 33]], balanced_accuracy=0.86)

    assert found.uneven
    assert found.commonest_class == "class 0"
    assert found.balanced == 0.86


def test_a_class_without_check_photos_has_no_recall() -> None:
    found = figures_of([[5, 0], [0, 0]])

    assert found.recalls[1].share is None


def test_a_run_without_a_check_has_no_figures() -> None:
    assert results(ended([])) is None


def test_figures_that_are_not_numbers_are_left_out() -> None:
    found = figures_of([[9, 1], [1, 9]], log_loss=float("nan"))

    assert found.log_loss is None


def test_a_table_of_another_size_is_not_believed() -> None:
    event = ended([[9, 1], [1, 9]])
    event.confusion.pop()

    found = results(event)

    assert found is not None
    assert found.recalls == ()
    assert found.commonest == 0.5


@pytest.mark.parametrize(("share", "count"), [(1.0, 100), (0.9999, 99), (0.983, 98), (0.001, 1), (0.0, 0)])
def test_a_hundred_of_a_hundred_is_said_of_no_less(share: float, count: int) -> None:
    assert of_hundred(share) == count


def test_photos_are_few_to_the_words_where_they_are_few_to_the_engine() -> None:
    assert FEWEST_CALIBRATED == FEWEST_TO_CALIBRATE


def test_few_photos_carry_no_decimals() -> None:
    assert [digits_for(n) for n in (8, 400, 50_000)] == [0, 1, 2]
