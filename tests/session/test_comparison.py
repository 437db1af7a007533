"""The comparison of devices as the screens see it."""

from catdog_gui.engine import events
from catdog_gui.session.comparison import ComparisonState, row_name, seconds_text, to_text

SLOW = events.BenchRow("cpu", "Xeon", "fp32", 20.0, 1.0, 100.0, 1250.0, 12_500.0, peak_mb=2048.0, spread=0.02)
FAST = events.BenchRow("cuda:0", "RTX 3060", "bf16", 1234.5, 61.7, 1.6, 20.3, 203.0, None, 0.005)
NONE = events.BenchRow("mps", "Apple GPU", "fp32", code="bench_no_mps")


def test_rows_come_in_as_they_are_measured_and_the_missing_ones_are_told_apart() -> None:
    state = ComparisonState()
    state.begin()
    for row in (SLOW, NONE, FAST):
        state.apply(row)

    assert state.running
    assert state.measured == [SLOW, FAST]
    assert state.missing == [NONE]


def test_progress_grows_with_rows_and_pieces_and_never_falls_back() -> None:
    state = ComparisonState()
    state.begin()
    seen = []
    for done, pieces in ((0, 0), (0, 3), (0, 50), (1, 0), (1, 1), (3, 50)):
        state.apply(events.BenchProgress("cpu", "Xeon", "fp32", done, 4, pieces))
        seen.append(state.fraction_done or 0.0)

    assert seen == sorted(seen)
    assert 0.0 <= seen[0] < seen[-1] <= 1.0


def test_stop_is_shown_at_once_and_a_new_comparison_forgets_the_old_one() -> None:
    state = ComparisonState()
    state.begin()
    state.apply(SLOW)
    state.ask_stop()
    assert state.stopping

    state.end()
    assert (state.running, state.stopping, state.ended, state.rows) == (False, False, True, [SLOW])

    state.begin()
    assert (state.rows, state.ended, state.fraction_done) == ([], False, None)


def test_a_failure_ends_it_and_keeps_the_rows() -> None:
    state = ComparisonState()
    state.begin()
    state.apply(SLOW)
    state.apply(events.RunFailed("no_photos"))

    assert (state.running, state.rows) == (False, [SLOW])
    assert state.failure is not None


def test_the_text_has_figures_bars_and_reasons() -> None:
    head, slow, fast, reason = to_text([SLOW, FAST, NONE]).splitlines()

    assert head.startswith("Device")
    assert slow.count("█") == 1
    assert fast.count("█") == 24
    for words in ("20.0", "1.0 x", "2 min", "3.5 h", "2.0 GB", "2 %"):
        assert words in slow
    assert "1,234" in fast
    assert reason == "Apple GPU, fp32: Only Apple's own processors have it."


def test_a_comparison_without_any_figures_is_only_reasons() -> None:
    assert to_text([NONE]) == "Apple GPU, fp32: Only Apple's own processors have it."
    assert row_name(NONE) == "Apple GPU, fp32"


def test_times_are_said_in_the_unit_that_fits() -> None:
    assert [seconds_text(s) for s in (1.64, 83.0, 203.0, 12_500.0)] == ["1.6 s", "83 s", "3 min", "3.5 h"]
