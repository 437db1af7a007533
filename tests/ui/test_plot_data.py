"""The columns behind a curve: what is kept, thinned, smoothed and marked."""

import math

import numpy as np
import pytest

from catdog_gui.session.state import Curve
from catdog_gui.ui.plot_data import Columns, nice_ticks, nice_top


def curve_of(values: list[float], first: float = 0.0) -> Curve:
    curve = Curve()
    for number, value in enumerate(values):
        curve.add(first + number, value)
    return curve


def columns_of(values: list[float]) -> Columns:
    columns = Columns()
    columns.follow(curve_of(values))
    return columns


def test_only_what_is_new_is_taken_in() -> None:
    curve, columns = curve_of([1.0, 2.0]), Columns()

    assert columns.follow(curve)
    assert not columns.follow(curve)

    curve.add(2.0, 3.0)

    assert columns.follow(curve)
    assert columns.y.tolist() == [1.0, 2.0, 3.0]


def test_the_curve_can_grow_on_after_it_was_read() -> None:
    curve, columns = curve_of([1.0] * 10), Columns()
    for step in range(10, 5_000):
        columns.follow(curve)
        curve.add(step, 2.0)

    columns.follow(curve)

    assert len(columns) == 5_000


def test_another_curve_starts_anew() -> None:
    columns = columns_of([1.0, 2.0, 3.0])

    assert columns.follow(curve_of([9.0]))
    assert columns.y.tolist() == [9.0]
    assert columns.follow(Curve())
    assert len(columns) == 0


@pytest.mark.parametrize("count", [10, 1_000, 70_000, 200_000])
def test_thinning_keeps_every_peak_and_few_points(count: int) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=count)
    values[count // 3], values[count // 2] = 50.0, -50.0

    x, y = columns_of(values.tolist()).thinned(0, count, 500)

    assert len(x) == len(y) <= 2 * 500 + 130
    assert (y.min(), y.max()) == (-50.0, 50.0)
    assert np.all(np.diff(x) >= 0)
    assert (x[0], y[-1] == values[-1] or count > 1_000) == (0.0, True)


def test_a_part_is_thinned_less_than_the_whole() -> None:
    columns = columns_of(list(range(100_000)))

    x, y = columns.thinned(500, 700, 500)

    assert x[0] <= 500
    assert x[-1] >= 700
    assert np.all(np.diff(y) == 1)


def test_a_gap_stays_a_gap_and_its_start_is_marked() -> None:
    columns = columns_of([1.0, 2.0, math.nan, math.inf, 5.0])

    _, y = columns.thinned(0, 5, 500)

    assert np.isnan(y).tolist() == [False, False, True, True, False]
    assert columns.marks == ([2.0], [2.0])


def test_a_gap_over_two_readings_is_marked_once() -> None:
    curve, columns = curve_of([1.0, math.nan]), Columns()
    columns.follow(curve)
    curve.add(2.0, math.nan)
    columns.follow(curve)
    curve.add(3.0, 4.0)
    curve.add(4.0, math.nan)
    columns.follow(curve)

    assert columns.marks == ([1.0, 4.0], [1.0, 4.0])


def test_no_value_at_all_has_no_limits_and_one_mark() -> None:
    columns = columns_of([math.nan] * 1_000)

    assert columns.limits() is None
    assert columns.marks == ([0.0], [0.0])
    assert not np.isfinite(columns.thinned(0, 1_000, 100)[1]).any()


def test_limits_see_the_newest_points_too() -> None:
    assert columns_of([1.0] * 200 + [7.0, math.nan]).limits() == (1.0, 7.0)


def test_smoothing_lies_between_the_extremes_and_follows_a_level() -> None:
    values = [1.0, 3.0] * 500

    x, y = columns_of(values).smoothed(0, 1_000, 100, 50)

    assert len(x) == len(y) <= 100
    assert y[50] == pytest.approx(2.0, abs=0.05)


def test_smoothing_leaves_gaps_open_and_skips_them_beside() -> None:
    values = [2.0] * 50
    values[20] = math.nan

    _, y = columns_of(values).smoothed(0, 50, 100, 11)

    assert np.isnan(y[20])
    assert y[19] == y[21] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("value", "top"), [(0.7, 0.8), (0.05, 0.05), (1.0, 1.0), (7.3, 8.0), (0.0, 1.0), (math.nan, 1.0), (2e9, 2e9)]
)
def test_a_top_is_a_round_number_just_above(value: float, top: float) -> None:
    assert nice_top(value) == pytest.approx(top)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.53, 0.97), (-3, 1234), (1e-7, 3e-7), (99.95, 100.05)])
def test_ticks_are_few_and_within(low: float, high: float) -> None:
    ticks = nice_ticks(low, high, 4)

    assert 1 <= len(ticks) <= 4
    assert all(low - 1e-6 * (high - low) <= tick <= high + 1e-6 * (high - low) for tick in ticks)


def test_no_range_has_no_ticks() -> None:
    assert nice_ticks(1.0, 1.0) == []
    assert nice_ticks(math.nan, 1.0) == []
