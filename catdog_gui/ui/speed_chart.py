"""Photos a second as horizontal bars, painted: one a measured row, and a quiet line for the one being measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from catdog_gui.ui import theme
from catdog_gui.ui.schemes import mix

_ROW_PX, _BAR_PX = 32, 16
_NAME_MOST = 0.34  # share of the width that names may take
_LEAST_BAR_PX = 3.0


@dataclass(frozen=True, slots=True)
class Bar:
    """name: of the row; value: photos a second, None while it is measured; words: what stands behind the bar."""

    name: str
    value: float | None
    words: str
    is_base: bool = False


class SpeedChart(QWidget):
    """show_bars(bars). The longest bar takes the width there is; all start at zero."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speedChart")
        self.setAccessibleName(self.tr("Photos a second on each device"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._bars: Sequence[Bar] = ()

    def show_bars(self, bars: Sequence[Bar]) -> None:
        if bars != self._bars:
            self._bars = bars
            self.setAccessibleDescription("; ".join(f"{bar.name}: {bar.words}" for bar in bars))
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(520, _ROW_PX * len(self._bars))

    def minimumSizeHint(self) -> QSize:
        return QSize(240, _ROW_PX * len(self._bars))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain, bold = theme.font(theme.BODY), theme.font(theme.BODY, bold=True, tabular=True)
        narrow, wide = QFontMetricsF(plain), QFontMetricsF(bold)
        names = min(
            _NAME_MOST * self.width(), max((narrow.horizontalAdvance(bar.name) for bar in self._bars), default=0.0) + 1
        )
        words = max((wide.horizontalAdvance(bar.words) for bar in self._bars), default=0.0)
        room = max(20.0, self.width() - names - words - 2 * theme.M)
        most = max((bar.value or 0.0 for bar in self._bars), default=0.0) or 1.0
        for number, bar in enumerate(self._bars):
            top = number * _ROW_PX
            painter.setFont(plain)
            painter.setPen(QColor(theme.colours().text))
            name = narrow.elidedText(bar.name, Qt.TextElideMode.ElideMiddle, names)
            painter.drawText(QRectF(0, top, names, _ROW_PX), _LEFT, name)
            length = 0.0 if bar.value is None else max(_LEAST_BAR_PX, room * bar.value / most)
            self._paint_bar(painter, QRectF(names + theme.M, top + (_ROW_PX - _BAR_PX) / 2, length, _BAR_PX), bar)
            painter.setFont(plain if bar.value is None else bold)
            painter.setPen(QColor(theme.colours().secondary if bar.value is None else theme.colours().text))
            left = names + theme.M + (length + theme.S if bar.value is not None else 0.0)
            painter.drawText(QRectF(left, top, self.width() - left, _ROW_PX), _LEFT, bar.words)
        painter.end()

    def _paint_bar(self, painter: QPainter, area: QRectF, bar: Bar) -> None:
        """The row that the others are compared with is quiet."""
        if bar.value is None:
            return
        colours = theme.colours()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(colours.border, colours.secondary, 0.5) if bar.is_base else colours.train))
        radius = min(3.0, area.width() / 2)
        painter.drawRoundedRect(area, radius, radius)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
