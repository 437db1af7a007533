"""The words beside a plot's title that say which line is which, each with its line in small."""

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from catdog_gui.ui import theme

Sign = Literal["thin", "marked", "bold", "dashed"]
_LINE_PX = 18


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a plot. colour: a field of `theme.Colours`; sign: how it differs besides its colour."""

    word: str
    colour: str
    sign: Sign


class Legend(QWidget):
    """`show_entries` sets the lines that are there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self._font = theme.font(theme.BODY, tabular=True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_entries(self, *entries: Entry) -> None:
        if entries == self._entries:
            return
        self._entries = entries
        self.setAccessibleName(", ".join(entry.word for entry in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._font)
        width = sum(_LINE_PX + theme.XS + metrics.horizontalAdvance(entry.word) + theme.L for entry in self._entries)
        return QSize(max(0, width - theme.L), metrics.height() + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics, x = QFontMetrics(self._font), 0.0
        for entry in self._entries:
            self._paint_sign(painter, x, entry)
            x += _LINE_PX + theme.XS
            painter.setPen(QColor(getattr(theme.colours(), entry.colour)))
            painter.drawText(QPointF(x, (self.height() + metrics.ascent() - metrics.descent()) / 2), entry.word)
            x += metrics.horizontalAdvance(entry.word) + theme.L

    def _paint_sign(self, painter: QPainter, x: float, entry: Entry) -> None:
        colours = theme.colours()
        colour, middle = QColor(getattr(colours, entry.colour)), self.height() / 2
        pen = QPen(colour, 1.5 if entry.sign in ("thin", "dashed") else 2.5)
        if entry.sign == "dashed":
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, middle), QPointF(x + _LINE_PX, middle))
        if entry.sign == "marked":
            painter.setPen(QPen(colour, 2, Qt.PenStyle.SolidLine))
            painter.setBrush(QColor(colours.card))
            painter.drawEllipse(QPointF(x + _LINE_PX / 2, middle), 4, 4)
