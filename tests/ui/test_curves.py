"""The curves of a run: what is drawn, and what a person reads beside it."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from catdog_gui.engine import events
from catdog_gui.session.state import RunState
from catdog_gui.ui import theme
from catdog_gui.ui.curves import CurvesView
from catdog_gui.ui.legend import Legend
from catdog_gui.ui.memory_plot import memory_words
from catdog_gui.ui.plots import LivePlot

NAMES = ("accuracyPlot", "lossPlot", "memoryPlot")


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[CurvesView]:
    widget = CurvesView()
    qtbot.addWidget(widget)
    widget.build_plots()
    widget.resize(640, 700)
    widget.show()
    yield widget
    widget.hide()


def running(steps: int = 100, epochs: int = 4, loss: Callable[[int], float | None] = lambda step: 1 / step) -> RunState:
    """A run in the middle: `steps` of 200 steps done, an epoch each 50."""
    state = RunState()
    state.begin()
    counts = {"train": 80, "val": 20}
    state.apply(events.RunStarted("r", ["a", "b"], "cuda:0", "Card", "bf16", epochs, "best", "net", counts, 0.0))
    state.apply(events.PhaseStarted("train"))
    advance(state, steps, loss)
    return state


def advance(state: RunState, steps: int, loss: Callable[[int], float | None] = lambda step: 1 / step) -> None:
    for step in range(state.step + 1, state.step + steps + 1):
        state.apply(events.StepDone(step, 1, loss(step), 1e-3, 100.0, 1.0, 2.0, 0.7, 200))
        if step % 50 == 0:
            epoch = step // 50
            accuracy = 0.8 + 0.05 * epoch
            state.apply(events.EpochDone(epoch, 4, 0.5, 0.7, 0.4 / epoch, accuracy, step, best=True))
        if step % 10 == 0:
            state.apply(events.MemorySample("cuda:0", "cuda", 1884.0, 2048.0, 1900.0, 12288.0, 2100.0))


def plot(view: CurvesView, name: str) -> LivePlot:
    widget = view.findChild(pg.PlotWidget, name)
    found = widget.parentWidget()
    assert isinstance(found, LivePlot)
    return found


def points(view: CurvesView, name: str) -> int:
    items = view.findChild(pg.PlotWidget, name).getPlotItem().items
    counts = [len(item.xData) for item in items if isinstance(item, pg.PlotCurveItem) and item.xData is not None]
    return sum(counts) + sum(len(item.data) for item in items if isinstance(item, pg.ScatterPlotItem))


def visible_text(view: CurvesView, name: str) -> str:
    found = plot(view, name)
    parts = [label.text() for label in found.findChildren(QLabel) if label.isVisible()]
    parts += [legend.accessibleName() for legend in found.findChildren(Legend)]
    items = found.widget.getPlotItem().items
    words = [item.toPlainText() for item in items if isinstance(item, pg.TextItem) and item.isVisible()]
    return "\n".join(parts + words)


def test_before_the_first_step_a_word_says_when_curves_come(view: CurvesView) -> None:
    state = RunState()
    state.begin()

    view.render(state)

    assert not view.findChild(pg.PlotWidget, "lossPlot").isVisible()
    assert any("first step" in label.text() for label in view.findChildren(QLabel) if label.isVisible())


def test_the_three_plots_have_their_names(view: CurvesView) -> None:
    for name in NAMES:
        assert view.findChild(pg.PlotWidget, name).accessibleName()


def test_a_run_draws_points_in_all_three_plots(view: CurvesView) -> None:
    view.render(running())

    for name in NAMES:
        assert view.findChild(pg.PlotWidget, name).isVisible()
        assert points(view, name) > 0


def test_plots_built_late_show_the_run_at_once(qtbot: QtBot) -> None:
    view = CurvesView()
    qtbot.addWidget(view)
    view.render(running())

    view.build_plots()

    assert points(view, "lossPlot") > 0


def test_the_figures_stand_beside_the_curves(view: CurvesView) -> None:
    view.render(running())

    assert "90.0 %" in visible_text(view, "accuracyPlot")
    assert "0.200" in visible_text(view, "lossPlot")
    assert "used 1.84 · reserved 2.00 of 12 GB" in visible_text(view, "memoryPlot")
    assert "train, check" in visible_text(view, "lossPlot")


def test_the_best_epoch_is_marked_in_words(view: CurvesView) -> None:
    state = running()
    view.render(state)
    assert "best so far · epoch 2" in visible_text(view, "accuracyPlot")

    state.apply(events.RunResult("completed", "r", None, ["a", "b"], {}, {}, 4, "cpu", "fp32", {}))
    view.render(state)
    assert "best · epoch 2" in visible_text(view, "accuracyPlot")


@pytest.mark.parametrize("width", [640, 300, 230])
@pytest.mark.parametrize("steps", [50, 100, 150, 200])
def test_the_words_about_the_best_epoch_are_never_cut_off(
    view: CurvesView, qtbot: QtBot, width: int, steps: int
) -> None:
    view.render(running(steps))
    found = plot(view, "accuracyPlot")

    view.resize(width, 700)  # after they were placed
    qtbot.waitUntil(lambda: abs(found.width() - width) < 40)

    items = found.widget.getPlotItem().items
    words = next(item for item in items if isinstance(item, pg.TextItem) and "best" in item.toPlainText())
    area, seen = words.mapRectToScene(words.boundingRect()), found.view.mapRectToScene(found.view.boundingRect())
    assert words.isVisible()
    assert seen.left() - 1 <= area.left()
    assert area.right() <= seen.right() + 1


def test_the_range_reaches_to_the_planned_end_and_shrinks_when_it_ends_early(view: CurvesView) -> None:
    state = running(100)
    view.render(state)
    assert plot(view, "lossPlot").view.viewRange()[0][1] > 195

    state.apply(events.RunResult("stopped", "r", None, ["a", "b"], {}, {}, 2, "cpu", "fp32", {}))
    advance(state, 0)
    view.render(state)

    assert plot(view, "lossPlot").view.viewRange()[0][1] < 110


def test_nothing_is_redrawn_when_nothing_is_new(view: CurvesView, monkeypatch: pytest.MonkeyPatch) -> None:
    state = running()
    view.render(state)
    drawn: list[object] = []
    monkeypatch.setattr(pg.PlotCurveItem, "setData", lambda *_args, **_more: drawn.append(1))

    view.render(state)
    assert drawn == []

    advance(state, 1)
    view.render(state)
    assert drawn


def test_a_single_step_is_visible(view: CurvesView) -> None:
    view.render(running(1))

    assert points(view, "lossPlot") >= 2  # the line's point, and a dot since no line can be seen
    items = view.findChild(pg.PlotWidget, "lossPlot").getPlotItem().items
    assert sum(len(item.data) for item in items if isinstance(item, pg.ScatterPlotItem)) == 1


def test_a_loss_that_is_not_a_number_leaves_a_gap_and_a_mark(view: CurvesView) -> None:
    view.render(running(40, loss=lambda step: None if 20 <= step < 25 else 1 / step))

    items = view.findChild(pg.PlotWidget, "lossPlot").getPlotItem().items
    lines = [item for item in items if isinstance(item, pg.PlotCurveItem) and item.xData is not None]
    assert any(np.isnan(line.yData).any() for line in lines)
    crosses = [item for item in items if isinstance(item, pg.ScatterPlotItem) and item.opts["symbol"] == "x"]
    assert [len(item.data) for item in crosses] == [1]


@pytest.mark.parametrize("value", [None, math.inf, -math.inf])
def test_a_run_without_any_number_does_not_break_the_axes(view: CurvesView, value: float | None) -> None:
    view.render(running(150, loss=lambda _step: value))
    view.grab()

    (left, right), (low, high) = plot(view, "lossPlot").view.viewRange()
    assert all(map(math.isfinite, (left, right, low, high)))
    assert low < high


def test_a_zoom_is_left_alone_until_it_is_reset(view: CurvesView, qtbot: QtBot) -> None:
    state = running(60)
    view.render(state)
    loss = plot(view, "lossPlot")
    loss.view.scaleBy((0.2, 0.2))
    loss.view.sigRangeChangedManually.emit([True, True])
    zoomed = loss.view.viewRange()

    advance(state, 60)
    view.render(state)
    assert loss.view.viewRange() == zoomed

    reset = next(item for item in loss.findChildren(QPushButton) if item.isVisible())
    assert reset.text() == "Reset zoom"
    reset.click()
    assert loss.view.viewRange()[0][1] > 195
    assert not reset.isVisible()


def test_a_double_click_resets_the_zoom(view: CurvesView, qtbot: QtBot) -> None:
    view.render(running(60))
    loss = plot(view, "lossPlot")
    loss.view.scaleBy((0.2, 0.2))
    loss.view.sigRangeChangedManually.emit([True, True])

    qtbot.mouseDClick(loss.widget.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 60))

    assert not loss.zoomed
    assert loss.view.viewRange()[0][1] > 195


def test_pointing_at_one_plot_reads_both(view: CurvesView) -> None:
    view.render(running())

    plot(view, "accuracyPlot").hovered.emit(50.0)

    assert "train 0.020, check 0.400" in visible_text(view, "lossPlot")
    assert "check 85.0 %" in visible_text(view, "accuracyPlot")

    plot(view, "accuracyPlot").hovered.emit(None)

    assert "train, check" in visible_text(view, "lossPlot")


def test_the_pointer_over_a_plot_is_followed(view: CurvesView, qtbot: QtBot) -> None:
    view.render(running())
    ground = plot(view, "lossPlot").widget.viewport()

    qtbot.mouseMove(ground, QPoint(ground.width() // 2, ground.height() // 2))

    qtbot.waitUntil(lambda: "train 0." in visible_text(view, "lossPlot"))


def test_another_run_replaces_the_curves(view: CurvesView) -> None:
    view.render(running(150))

    view.render(running(3))

    assert points(view, "lossPlot") == 3


def test_a_run_that_begins_anew_shows_no_old_best(view: CurvesView) -> None:
    view.render(running(100))

    view.render(running(3))

    assert "best" not in visible_text(view, "accuracyPlot")


def test_the_limit_is_drawn_only_when_memory_comes_near_it(view: CurvesView) -> None:
    state = running(20)
    view.render(state)
    assert "limit" not in visible_text(view, "memoryPlot")

    state.apply(events.MemorySample("cuda:0", "cuda", 9000.0, 10_000.0, 9000.0, 12288.0, None))
    view.render(state)
    assert "limit" in visible_text(view, "memoryPlot")
    assert plot(view, "memoryPlot").view.viewRange()[1][1] > 12


@pytest.mark.parametrize(
    ("kind", "reserved", "total", "words"),
    [
        ("cuda", 2048.0, 12288.0, "used 1.84 · reserved 2.00 of 12 GB"),
        ("mps", None, 16384.0, "used 1.84 of 16 GB"),
        ("ram", None, 24576.0, "1.8 of 24.0 GB RAM"),
        ("ram", None, None, "1.8 GB RAM"),
    ],
)
def test_memory_is_named_for_what_it_is(kind: str, reserved: float | None, total: float | None, words: str) -> None:
    sample = events.MemorySample("d", kind, 1884.0, reserved, None, total, None)  # type: ignore[arg-type]

    assert memory_words(sample) == words


def test_light_and_dark_can_change_while_a_run_is_drawn(view: CurvesView, monkeypatch: pytest.MonkeyPatch) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    before, dark = app.palette(), QPalette(app.palette())
    dark.setColor(QPalette.ColorRole.Window, QColor("#101010"))
    view.render(running())
    grounds = []

    for is_dark, palette in ((True, dark), (False, before)):
        monkeypatch.setattr(theme, "is_dark", lambda is_dark=is_dark: is_dark)
        app.setPalette(palette)
        app.processEvents()
        grounds.append(view.findChild(pg.PlotWidget, "lossPlot").backgroundBrush().color().name().upper())

    assert grounds == [theme.DARK.card, theme.LIGHT.card]
