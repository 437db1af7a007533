"""Accuracy and loss over the steps of a run. Imports pyqtgraph."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QResizeEvent

from catdog_gui.session.state import Curve, RunState
from catdog_gui.ui import text
from catdog_gui.ui.legend import Entry
from catdog_gui.ui.plot_data import Columns, Floats, nice_top
from catdog_gui.ui.plots import LivePlot, keep_painted, set_epoch_marks, set_line, set_lonely, set_marks

translate = QCoreApplication.translate
_SMOOTH_FROM = 60  # points: fewer are drawn as they are
_SMOOTH_POINTS = 200
_THIN_PX = 2  # pixels a group of points gets
_ACCURACY_FLOORS = (0.9, 0.8, 0.5, 0.0)
_LABELS = 8  # of epochs under a plot
_EVERY = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000)


class StepPlot(LivePlot):
    """One figure over the steps, for the photos it learns from and for the check photos.

    Signals: hovered_x(float | None): the step under the pointer, for the other plot.
    """

    hovered_x = Signal(object)

    def __init__(
        self,
        title: str,
        name: str,
        curves: Callable[[RunState], tuple[Curve, Curve]],
        show: Callable[[float], str],
        tick: Callable[[float], str],
        y_range: Callable[[Floats], tuple[float, float]],
        *,
        mark_best: bool = False,
    ) -> None:
        super().__init__(title, name, tick)
        self._curves, self._show, self._y_range, self._marks_best = curves, show, y_range, mark_best
        self._train, self._check = Columns(), Columns()
        self._raw = self.add_line("train", 1, z=1)
        self._faint = self.add_line("train", 1, alpha=70, z=0)
        self._smooth = self.add_line("train", 1.5, z=2)
        self._bold = self.add_line("validation", 2.5, z=3)
        self._best_line = self.add_line("validation", 1.5, dotted=True, z=2)
        self._dots = self.add_dots("validation", 9)
        for seldom_new in (self._bold, self._dots):
            keep_painted(seldom_new)
        self._lonely = self.add_dots("train", 5, filled=True)
        self._gaps = self.add_dots("limit", 8, "x", filled=True, z=6)
        self._best_words = self.add_words("validation")
        self._best: tuple[object, ...] = ()
        self._ticks: tuple[int, int] = (0, 0)
        self._at: float | None = None
        self._was_live = False
        self._kept_at: float | None = None
        self.hovered.connect(self._on_hovered)
        self.view.sigXRangeChanged.connect(lambda *_: self._draw_train())
        self.view.sigXRangeChanged.connect(lambda *_: self._place_best_words())

    def render_run(self, state: RunState) -> None:
        """Draw what is new."""
        train, check = self._curves(state)
        new_train, new_check = self._train.follow(train), self._check.follow(check)
        self._label_epochs(state)
        ended = self._was_live and not state.is_live  # then the range ends where the run did
        self._was_live = state.is_live
        self._kept_at = float(state.best.step) if state.best is not None and not state.is_live else None
        if (new_train or new_check or ended) and not self._fit_range(state):  # a new range has drawn it already
            self._draw_train()
        if new_check:
            set_line(self._bold, self._check.x, self._check.y)
            set_epoch_marks(self._dots, self._check)
        if self._marks_best:
            self._mark_best(state)
        if new_train or new_check or ended:
            self._say()

    def show_at(self, x: float | None) -> None:
        """Read both curves at a step: the legend then has their values."""
        self._at = x if len(self._train) or len(self._check) else None
        self.show_cursor(self._at)
        self._say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_train()
        self._place_best_words()

    def _on_hovered(self, x: float | None) -> None:
        self.show_at(x)
        self.hovered_x.emit(x)

    def _say(self) -> None:
        latest = _last(self._check)
        latest = _last(self._train) if latest is None else latest
        if self._kept_at is not None:  # the figure of the model that was kept, as in the results
            latest = _nearest(self._check, self._kept_at)
        self.set_figure("" if latest is None else self._show(latest))
        train, check = translate("RunPlots", "train"), translate("RunPlots", "check")
        if self._at is not None:
            train = translate("RunPlots", "{name} {value}").format(name=train, value=self._value(self._train))
            check = translate("RunPlots", "{name} {value}").format(name=check, value=self._value(self._check))
        self.legend.show_entries(Entry(train, "train", "thin"), Entry(check, "validation", "marked"))

    def _value(self, columns: Columns) -> str:
        value = _nearest(columns, self._at or 0.0)
        return "–" if value is None else self._show(value)

    def _draw_train(self) -> None:
        first, last, width = self.span()
        x, y = self._train.thinned(first, last, width // _THIN_PX)
        if len(self._train) < _SMOOTH_FROM:
            set_line(self._raw, x, y)
            set_line(self._faint, x[:0], y[:0])
            set_line(self._smooth, x[:0], y[:0])
        else:
            set_line(self._raw, x[:0], y[:0])
            set_line(self._faint, x, y)
            set_line(self._smooth, *self._train.smoothed(first, last, _SMOOTH_POINTS, self._window()))
        set_lonely(self._lonely, x, y)
        set_marks(self._gaps, self._train)

    def _window(self) -> int:
        return max(3, len(self._train) // 40)

    def _fit_range(self, state: RunState) -> bool:
        ends = [float(columns.x[-1]) for columns in (self._train, self._check) if len(columns)]
        right = max([*ends, float(state.steps) if state.is_live else 0.0, 1.0])
        _, smooth = self._train.smoothed(-np.inf, np.inf, _SMOOTH_POINTS // 4, self._window())
        shown = np.concatenate([smooth, self._check.y])
        low, high = self._y_range(shown[np.isfinite(shown)])
        return self.set_range(right, low, high)

    def _label_epochs(self, state: RunState) -> None:
        """Ticks at the ends of epochs, as people count; at steps while it is not known how many an epoch has."""
        epochs, steps = state.started.epochs if state.started is not None else 0, state.steps
        if (epochs, steps) == self._ticks:
            return
        self._ticks = (epochs, steps)
        if epochs <= 0 or steps < epochs:
            self.bottom.fix(None)
        else:
            every = next((step for step in _EVERY if epochs <= step * _LABELS), epochs)
            numbers = range(every, epochs + 1, every)
            first, rest = translate("RunPlots", "epoch {epoch}"), "{epoch}"
            self.bottom.fix(
                [
                    (number * steps / epochs, (first if number == every else rest).format(epoch=text.number(number)))
                    for number in numbers
                ]
            )

    def _mark_best(self, state: RunState) -> None:
        best = state.best
        if best is None:
            key: tuple[object, ...] = ()
        else:
            key = (best.epoch, best.step, state.is_live, self._range.left(), self._range.right(), self._range.top())
        if key == self._best:
            return
        self._best = key
        value = None if best is None else _nearest(self._check, float(best.step))
        if best is None or value is None:
            set_line(self._best_line, self._check.x[:0], self._check.y[:0])
            self._best_words.hide()
            return
        x, floor = float(best.step), self._range.top()
        set_line(self._best_line, np.array([x, x]), np.array([floor, value]))
        said = (
            translate("RunPlots", "best so far · epoch {epoch}")
            if state.is_live
            else translate("RunPlots", "best · epoch {epoch}")
        )
        self._best_words.setText(said.format(epoch=text.number(best.epoch)))
        self._best_words.setPos(x, value - 0.12 * (value - floor))
        self._best_words.show()
        self._place_best_words()

    def _place_best_words(self) -> None:
        """Right of the best epoch; left of it where the plot ends; over it where neither side has room for them."""
        words = self._best_words
        if not words.isVisible():
            return
        (first, last), pixel, x = self.view.viewRange()[0], self.view.viewPixelSize()[0], words.pos().x()
        if not pixel > 0 or not first <= x <= last:
            return
        before, behind, width = (x - first) / pixel, (last - x) / pixel, words.boundingRect().width()
        anchor = 0.0 if width <= behind else 1.0 if width <= before else before / (before + behind)
        words.setAnchor((anchor, 0.0))


def accuracy_plot() -> StepPlot:
    def tick(value: float) -> str:
        return text.percent(value, 0 if abs(100 * value - round(100 * value)) < 1e-6 else 1)

    return StepPlot(
        translate("RunPlots", "Accuracy"),
        "accuracyPlot",
        lambda state: (state.train_accuracy, state.val_accuracy),
        lambda value: text.percent(value, 1),
        tick,
        _accuracy_range,
        mark_best=True,
    )


def loss_plot() -> StepPlot:
    return StepPlot(
        translate("RunPlots", "Loss"),
        "lossPlot",
        lambda state: (state.train_loss, state.val_loss),
        lambda value: text.decimal(value, 3 if value < 10 else 1),
        _loss_tick,
        lambda values: (0.0, nice_top(float(values.max()) if len(values) else 1.0)),
    )


def _loss_tick(value: float) -> str:
    """As many digits as tell the ticks apart, however small the loss has become."""
    if abs(value) >= 10:
        return f"{value:g}"
    return text.decimal(value, 2 if abs(value) >= 0.1 or value == 0 else 3)


def _accuracy_range(values: Floats) -> tuple[float, float]:
    lowest = float(values.min()) if len(values) else 0.5
    return next((floor for floor in _ACCURACY_FLOORS if floor <= lowest), 0.0), 1.0


def _last(columns: Columns) -> float | None:
    """The newest value that is a number."""
    values = columns.y[-256:]
    values = values[np.isfinite(values)]
    return float(values[-1]) if len(values) else None


def _nearest(columns: Columns, x: float) -> float | None:
    """The value at the point nearest to x; None where there is none or it is not a number."""
    if not len(columns):
        return None
    at = int(np.clip(np.searchsorted(columns.x, x), 1, max(1, len(columns) - 1)))
    at = min(at, len(columns) - 1)
    if at > 0 and abs(columns.x[at - 1] - x) <= abs(columns.x[at] - x):
        at -= 1
    value = float(columns.y[at])
    return value if np.isfinite(value) else None
