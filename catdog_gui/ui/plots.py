"""One live plot: title, legend and figure over a quiet pyqtgraph plot. Imports pyqtgraph."""

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QHBoxLayout, QVBoxLayout, QWidget

from catdog_gui.ui import theme
from catdog_gui.ui.legend import Legend
from catdog_gui.ui.parts import link_to, scheme_changed
from catdog_gui.ui.plot_data import Columns, Floats
from catdog_gui.ui.quiet_axis import QuietAxis
from catdog_gui.ui.widgets import label

_MARKS_SHOWN = 60
_AXIS_PX = 52
_Y_PADDING, _X_PADDING = 0.06, 0.015  # so that a line at the very top and the last mark are not cut


class LivePlot(QWidget):
    """Draws what it is given and nothing twice. The range is the program's until the user zooms or drags.

    Signals: hovered(float | None): x under the pointer, None when it leaves.
    """

    hovered = Signal(object)

    def __init__(self, title: str, name: str, y_label: Callable[[float], str], *, big: bool = True) -> None:
        super().__init__()
        self._title, self.legend = label(title, "strong"), Legend()
        self._figure = label("", "figure" if big else "secondary")
        self._reset = link_to(self.tr("Reset zoom"), self.reset_zoom)
        self._range = QRectF(0, 0, 1, 1)
        self.zoomed = False
        self.left = QuietAxis("left", y_label)
        self.bottom = QuietAxis("bottom", lambda value: f"{value:g}", most=6)
        self.widget = pg.PlotWidget(axisItems={"left": self.left, "bottom": self.bottom})
        self.widget.setObjectName(name)
        self.widget.setAccessibleName(title)
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # there is nothing in it that keys could do
        self.view = self.widget.getViewBox()
        self._prepare_view()
        self._lay_out()
        self._items: list[tuple[pg.GraphicsObject, Callable[[], None]]] = []
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._cursor.hide()
        self.widget.addItem(self._cursor, ignoreBounds=True)
        self.restyle()

    # --- what is drawn ------------------------------------------------------------------------------------------------

    def add_line(
        self, colour: str, width: float, *, alpha: int = 255, dashed: bool = False, dotted: bool = False, z: int = 0
    ) -> pg.PlotCurveItem:
        """A line in a colour of the scheme (a field of `theme.Colours`)."""
        item = pg.PlotCurveItem(connect="finite", antialias=alpha == 255)  # faint lines are many: plain is quicker
        if width > 1 and not (dashed or dotted):
            item.setSegmentedLineMode("on")  # one thick path of many points takes twice as long
        item.setZValue(z)

        def restyle() -> None:
            pen = pg.mkPen(_colour(colour, alpha), width=width * self.devicePixelRatioF())  # Qt counts device pixels
            if dashed or dotted:
                pen.setDashPattern([5, 4] if dashed else [1, 2.5])
            item.setPen(pen)

        return self._add(item, restyle)

    def add_dots(
        self, colour: str, size: float, symbol: str = "o", *, filled: bool = False, z: int = 5
    ) -> pg.ScatterPlotItem:
        """Marks in a colour of the scheme."""
        item = pg.ScatterPlotItem(size=size, symbol=symbol, antialias=True)
        item.setZValue(z)

        def restyle() -> None:
            item.setPen(pg.mkPen(_colour(colour), width=0 if filled else 2 * self.devicePixelRatioF()))
            item.setBrush(pg.mkBrush(_colour(colour if filled else "card")))

        return self._add(item, restyle)

    def add_words(self, colour: str) -> pg.TextItem:
        """Words inside the plot, placed with setPos and setAnchor."""
        item = pg.TextItem()
        item.setFont(theme.font(theme.CAPTION))
        item.hide()
        item.setZValue(10)  # readable over the curves

        def restyle() -> None:
            item.setColor(_colour(colour))
            item.fill = pg.mkBrush(_colour("card", 215))

        return self._add(item, restyle)

    def set_figure(self, figure: str) -> None:
        if figure != self._figure.text():
            self._figure.setText(figure)
            self._fit_header()

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self.widget.setAccessibleName(title)

    def set_range(self, right: float, low: float, high: float, left: float = 0.0) -> bool:
        """The range that shows all; kept back while the user looks at a part. Returns whether x moved on screen."""
        wanted = QRectF(left, low, max(right - left, 1e-9), max(high - low, 1e-9))
        if wanted == self._range:
            return False
        moved = (wanted.left(), wanted.right()) != (self._range.left(), self._range.right())
        self._range = wanted
        if not self.zoomed:
            self._apply_range()
        return moved and not self.zoomed

    def span(self) -> tuple[float, float, int]:
        """The x range that is visible now, and the pixels that show it."""
        (first, last), _ = self.view.viewRange()
        return first, last, max(64, int(self.view.width()))

    def reset_zoom(self) -> None:
        """Show all again."""
        self.zoomed = False
        self._reset.setVisible(False)
        self._apply_range()

    def show_cursor(self, x: float | None) -> None:
        self._cursor.setVisible(x is not None)
        if x is not None:
            self._cursor.setPos(x)

    # --- looks --------------------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if scheme_changed(event):
            self.restyle()
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:  # moved to another screen
            self.restyle()
        return super().event(event)

    def restyle(self) -> None:
        """Take the colours of the scheme that is on now."""
        if not hasattr(self, "_items"):  # Qt says so while we are being built
            return
        colours = theme.colours()
        self.widget.setBackground(colours.card)
        self._cursor.setPen(pg.mkPen(colours.secondary, width=1))
        for axis in (self.left, self.bottom):
            axis.setPen(QPen(Qt.PenStyle.NoPen))
            axis.setTextPen(pg.mkPen(colours.secondary))
            axis.setTickFont(theme.font(theme.CAPTION, tabular=True))
        self.left.setTickPen(pg.mkPen(colours.border))
        for _, restyle in self._items:
            restyle()

    def _add(self, item: pg.GraphicsObject, restyle: Callable[[], None]) -> pg.GraphicsObject:
        self._items.append((item, restyle))
        restyle()
        self.widget.addItem(item, ignoreBounds=True)
        return item

    def _prepare_view(self) -> None:
        self.widget.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self.widget.setMenuEnabled(False)
        self.widget.hideButtons()
        self.widget.setMinimumHeight(72)
        self.widget.getPlotItem().layout.setContentsMargins(0, theme.XS, theme.S, 0)
        self.left.setWidth(_AXIS_PX)
        for axis in (self.left, self.bottom):
            axis.setZValue(-1000)  # the grid lies under the curves
            keep_painted(axis)
        self.left.fix([])
        self.left.setGrid(255)
        self.bottom.setHeight(20)
        self.bottom.setStyle(tickAlpha=0)  # ticks of length 0 are still dots
        self.view.setDefaultPadding(0)
        self.view.disableAutoRange()
        self.view.sigRangeChangedManually.connect(self._on_zoomed)
        self.widget.scene().sigMouseMoved.connect(self._on_moved)
        self.widget.viewport().installEventFilter(self)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setSpacing(theme.L)
        header.addWidget(self._title)
        header.addWidget(self._reset)
        header.addStretch()
        header.addWidget(self.legend)
        header.addWidget(self._figure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.XS)
        layout.addLayout(header)
        layout.addWidget(self.widget, stretch=1)
        self._reset.setVisible(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_header()

    def _fit_header(self) -> None:
        """The legend goes first where there is no room for all."""
        parts = [part for part in (self._title, self._reset, self._figure) if not part.isHidden()]
        needed = sum(part.sizeHint().width() + theme.M for part in parts) + self.legend.sizeHint().width()
        self.legend.setVisible(needed <= self.width())

    # --- the pointer --------------------------------------------------------------------------------------------------

    def eventFilter(self, _watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick and isinstance(event, QMouseEvent):
            self.reset_zoom()
            return True
        if event.type() == QEvent.Type.Leave:
            self.hovered.emit(None)
        return False

    def _on_zoomed(self, *_: object) -> None:
        self.zoomed = True
        self.left.fix(None)
        self._reset.setVisible(True)

    def _on_moved(self, where: object) -> None:
        inside = self.view.sceneBoundingRect().contains(where)
        self.hovered.emit(float(self.view.mapSceneToView(where).x()) if inside else None)

    def _apply_range(self) -> None:
        area = self._range
        x_pad, y_pad = _X_PADDING * area.width(), _Y_PADDING * area.height()
        x_range = (area.left() - x_pad, area.right() + x_pad)
        self.view.setRange(xRange=x_range, yRange=(area.top() - y_pad, area.bottom() + y_pad), padding=0)
        self.left.fix([self.left.ticked(value) for value in (area.top(), area.center().y(), area.bottom())])


def keep_painted(item: pg.GraphicsObject) -> None:
    """Keep the painted item as a picture: for what seldom changes beside lines that grow 20 times a second."""
    item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)


def set_lonely(item: pg.ScatterPlotItem, x: Floats, y: Floats) -> None:
    """Dots for points that no line reaches: those without a neighbour that has a value."""
    finite = np.isfinite(y)
    padded = np.concatenate([[False], finite, [False]])
    lonely = finite & ~padded[:-2] & ~padded[2:]
    _set_dots(item, x[lonely], y[lonely])


def set_marks(item: pg.ScatterPlotItem, columns: Columns) -> None:
    """Crosses where a curve has no value, some dozens at most."""
    x, y = columns.marks
    step = max(1, -(-len(x) // _MARKS_SHOWN))
    _set_dots(item, x[::step], y[::step])


def set_epoch_marks(item: pg.ScatterPlotItem, columns: Columns) -> None:
    """Round marks on a curve of epochs: all while they stay apart, else some and the last one."""
    x, y = columns.x, columns.y
    step = max(1, -(-len(x) // _MARKS_SHOWN))
    keep = np.zeros(len(x), dtype=bool)
    keep[::-step] = True
    keep &= np.isfinite(y)
    item.setData(x[keep], y[keep])


def set_line(item: pg.PlotCurveItem, x: Floats, y: Floats) -> None:
    """Draw a line; nothing where no value is finite."""
    if len(y) and np.isfinite(y).any():
        item.setData(x, y)
    elif item.xData is not None and len(item.xData):
        item.setData([], [])


def _set_dots(item: pg.ScatterPlotItem, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> None:
    if len(x) or len(item.data):  # most of the time there are none, and none before
        item.setData(x, y)


def _colour(name: str, alpha: int = 255) -> QColor:
    result = QColor(getattr(theme.colours(), name))
    result.setAlpha(alpha)
    return result
