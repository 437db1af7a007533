"""What a person reads at the end of a run."""

from collections.abc import Iterator
from typing import Literal

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTableWidget
from pytestqt.qtbot import QtBot

from catdog_gui.engine import events
from catdog_gui.session.state import RunState
from catdog_gui.ui.results_panel import ResultsPanel


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[ResultsPanel]:
    widget = ResultsPanel()
    qtbot.addWidget(widget)
    widget.resize(640, 600)
    widget.show()
    yield widget
    widget.hide()


def ended(
    confusion: list[list[int]],
    classes: tuple[str, ...] = ("cats", "dogs"),
    status: Literal["completed", "stopped"] = "completed",
    model: str | None = "m",
    **val: float,
) -> RunState:
    """A finished run with these answers on its check photos; [] = stopped before the first check."""
    state = RunState()
    state.begin()
    photos = {"train": 1600, "val": 400}
    state.apply(events.RunStarted("r", list(classes), "cpu", "Test CPU", "fp32", 10, "fast", "net", photos, 0.0))
    n = sum(map(sum, confusion))
    right = sum(row[index] for index, row in enumerate(confusion))
    figures: dict[str, float | int | None] = {"accuracy": right / n, "n": n, **val} if n else {}
    seconds = {"total": 6.4}
    state.apply(
        events.RunResult(status, "r", model, list(classes), photos, figures, 10, "cpu", "fp32", seconds, 6, confusion)
    )
    return state


def visible_text(panel: ResultsPanel) -> str:
    QApplication.processEvents()  # Qt shows new children of a layout a moment later
    words = "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())
    return words.replace("\u00a0", " ")


def verdict(panel: ResultsPanel) -> str:
    return panel.findChild(QLabel, "verdictLabel").text()


def table(panel: ResultsPanel) -> QTableWidget:
    return panel.findChild(QTableWidget, "confusionTable")


def test_before_any_run_it_says_what_to_do(panel: ResultsPanel) -> None:
    assert "Train a model" in visible_text(panel)


def test_while_a_run_lives_the_best_so_far_is_named(panel: ResultsPanel) -> None:
    state = RunState()
    state.begin()
    state.apply(events.EpochDone(3, 10, 0.1, 0.9, 0.1, 0.957, 30, best=True))

    panel.render(state)

    assert "Best so far: 95.7 %, epoch 3" in visible_text(panel)


@pytest.mark.parametrize(("right", "hundred"), [(37, 93), (38, 95), (35, 88)])
def test_the_headline_rounds_as_the_percentage_below_it_does(panel: ResultsPanel, right: int, hundred: int) -> None:
    panel.render(ended([[20, 0], [40 - right, right - 20]]))  # 92.5, 95 and 87.5 %

    assert f"about {hundred} of 100" in verdict(panel)
    assert f"{hundred} % (" in visible_text(panel)


def test_the_verdict_comes_first_and_in_words(panel: ResultsPanel) -> None:
    panel.render(ended([[197, 3], [4, 196]], log_loss=0.044, ece=0.006))

    text = visible_text(panel)
    assert verdict(panel) == "Very good: about 98 of 100 new photos right"
    assert "Checked on 400 photos it did not learn from: 98.3 % (96.4 to 99.1). One photo is a quarter point." in text
    assert "When it says 90 %, it is right about 90 % of the time, give or take 0.6 points." in text
    assert "Calibration error" in panel.findChild(QLabel, "trustLabel").toolTip()
    assert "0.044" in text
    assert "6.4 s" in text


@pytest.mark.parametrize(
    ("confusion", "words"),
    [
        ([[200, 0], [0, 200]], "Very good: all 400 check photos right"),
        ([[1000, 0], [1, 999]], "Very good: more than 99 of 100 new photos right"),
        ([[185, 15], [15, 185]], "Good: about 93 of 100 new photos right"),
        ([[108, 92], [92, 108]], "Not certain yet: about 54 of 100 new photos right"),
        ([[100, 100], [100, 100]], "Not learned yet: no better than always “cats”"),
        ([[4, 0], [1, 3]], "Too few photos to judge: 7 of 8 right"),
    ],
)
def test_the_verdict_is_honest(panel: ResultsPanel, confusion: list[list[int]], words: str) -> None:
    panel.render(ended(confusion))

    assert verdict(panel) == words


def test_few_checked_photos_promise_nothing_and_it_says_what_helps(panel: ResultsPanel) -> None:
    panel.render(ended([[4, 0], [0, 4]], ece=0.019, log_loss=0.02))

    text = visible_text(panel)
    assert "Only 8 photos were checked, so this may be luck: of 100 new ones, anything from 68 to 100 may be" in text
    assert "Add photos to every class" in text
    assert "Too few photos were checked to know how far its percentages can be trusted." in text
    assert "1.9" not in text


def test_uneven_classes_are_put_into_perspective(panel: ResultsPanel) -> None:
    panel.render(ended([[350, 5], [12, 33]], balanced_accuracy=0.86))

    text = visible_text(panel)
    assert "always answering “cats” would already be right for 89 %" in text
    assert "86.0 %" in text


def test_the_table_has_true_rows_answered_columns_and_recall(panel: ResultsPanel) -> None:
    panel.render(ended([[197, 3], [4, 196]]))

    shown = table(panel)
    heads = [shown.horizontalHeaderItem(column).text() for column in range(shown.columnCount())]
    rows = [shown.verticalHeaderItem(row).text() for row in range(shown.rowCount())]
    cells = [[shown.item(row, column).text() for column in range(3)] for row in range(2)]
    assert heads == ["said cats", "said dogs", "found"]
    assert rows == ["cats", "dogs"]
    assert cells == [["197", "3", "98.5 %"], ["4", "196", "98.0 %"]]


def test_a_hundred_classes_fit_and_scroll(panel: ResultsPanel) -> None:
    names = tuple(f"a class with a long name {number}" for number in range(100))
    confusion = [[5 if row == column else 0 for column in range(100)] for row in range(100)]

    panel.render(ended(confusion, names))
    panel.grab()

    assert table(panel).rowCount() == 100
    assert table(panel).columnCount() == 101
    assert table(panel).width() <= panel.width()
    assert table(panel).horizontalScrollBar().maximum() > 0


def test_a_class_name_is_never_read_as_markup(panel: ResultsPanel) -> None:
    panel.render(ended([[30, 0], [0, 30]], ("<b>cats</b>", "dogs")))

    assert table(panel).verticalHeaderItem(0).text() == "<b>cats</b>"
    assert "<b>" not in table(panel).item(0, 0).toolTip()


def test_a_run_stopped_before_the_first_check_says_so(panel: ResultsPanel) -> None:
    panel.render(ended([], status="stopped", model=None))

    assert verdict(panel) == "Stopped before the first check"
    assert "There are no figures yet" in visible_text(panel)
    assert not table(panel).isVisible()


def test_a_stopped_run_keeps_its_verdict_and_says_that_it_was_stopped(panel: ResultsPanel) -> None:
    panel.render(ended([[197, 3], [4, 196]], status="stopped"))

    assert verdict(panel).startswith("Very good")
    assert "The best model so far was kept" in visible_text(panel)


def test_warnings_and_notices_of_the_run_are_told_once(panel: ResultsPanel) -> None:
    state = RunState()
    state.begin()
    for _ in range(2):
        state.apply(events.Notice("a_code_of_the_future", {}))
    state.apply(events.RunResult("completed", "r", "m", ["a", "b"], {}, {}, 1, "cpu", "fp32", {}))

    panel.render(state)

    assert visible_text(panel).count("a_code_of_the_future") == 1


def test_a_failed_run_gives_the_reason_and_its_details(panel: ResultsPanel) -> None:
    state = RunState()
    state.begin()
    state.apply(events.RunFailed("unexpected", {"error": "ValueError: x"}, "Traceback: deep"))

    panel.render(state)

    assert verdict(panel) == "The run failed"
    assert not table(panel).isVisible()

    panel.findChild(QPushButton, "copyDetailsButton").click()
    assert "Traceback: deep" in QGuiApplication.clipboard().text()


def test_a_result_after_a_failure_hides_the_failure(panel: ResultsPanel) -> None:
    failed = RunState()
    failed.apply(events.RunFailed("unexpected", {"error": "x"}, "Traceback"))
    panel.render(failed)

    panel.render(ended([[197, 3], [4, 196]]))

    assert not panel.findChild(QPushButton, "copyDetailsButton").isVisible()
    assert verdict(panel).startswith("Very good")


def test_a_new_run_clears_the_old_verdict(panel: ResultsPanel) -> None:
    panel.render(ended([[197, 3], [4, 196]]))
    state = RunState()
    state.begin()

    panel.render(state)

    assert "Very good" not in visible_text(panel)


def test_a_long_class_name_is_cut_with_an_ellipsis_and_whole_in_the_tool_tip(panel: ResultsPanel) -> None:
    long = "a very long class name that does not fit anywhere"
    panel.render(ended([[9, 1], [0, 10]], classes=(long, "dogs")))

    for head in (table(panel).verticalHeaderItem(0), table(panel).horizontalHeaderItem(0)):
        assert head.text().endswith("…")
        assert long in head.toolTip()


def test_a_dozen_classes_leave_room_for_the_bar_that_scrolls_sideways(panel: ResultsPanel) -> None:
    def height(classes: int) -> int:
        names = tuple(f"class number {number}" for number in range(classes))
        confusion = [[int(row == column) for column in range(classes)] for row in range(classes)]
        panel.render(ended(confusion, classes=names))
        return table(panel).sizeHint().height()

    rows = table(panel).verticalHeader().defaultSectionSize()
    assert height(12) - height(2) >= 10 * rows + table(panel).horizontalScrollBar().sizeHint().height()


def test_on_a_wide_screen_the_figures_stay_near_the_table(qtbot: QtBot, panel: ResultsPanel) -> None:
    panel.resize(2000, 800)
    panel.render(ended([[90, 10], [0, 100]]))

    def figure() -> QLabel:
        return next(label for label in panel.findChildren(QLabel) if label.text() == "Learned from")

    qtbot.waitUntil(lambda: 0 < figure().mapTo(panel, figure().rect().topLeft()).x() < 720, timeout=2000)
