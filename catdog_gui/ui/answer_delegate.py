"""Paints one answer: thumbnail, class in large type, file name, bar and number, or one of the calm other verdicts."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen, QPixmap, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractScrollArea, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from catdog_gui.engine.events import Prediction
from catdog_gui.session.prediction import file_name
from catdog_gui.ui import answer_words, theme
from catdog_gui.ui.answer_list import AnswerModel
from catdog_gui.ui.answer_thumbs import THUMB_PX

_BAR_PX = 6
_DETAIL_LINES = 2


class AnswerDelegate(QStyledItemDelegate):
    """All rows have one height, so that 100,000 of them need no measuring."""

    def __init__(self, answers: AnswerModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = answers
        self._headline = theme.font(theme.TITLE, bold=True)
        self._strong = theme.font(theme.BODY, bold=True)  # of a headline that is too long for the usual size
        self._body = theme.font(theme.BODY)
        self._figure = theme.font(theme.BODY, tabular=True)
        self._caption = theme.font(theme.CAPTION)
        lines = QFontMetrics(self._headline).height() + (1 + _DETAIL_LINES) * QFontMetrics(self._body).height()
        self.row_height = max(THUMB_PX, lines) + 2 * theme.M

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(3 * THUMB_PX, self.row_height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        prediction = self._answers.prediction(index.row())
        colours = theme.colours()
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        area = _area(option)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            ground = QRectF(area.adjusted(0, 3, 0, -4))
            _rounded(painter, ground, colours.accent_soft, theme.RADIUS_CONTROL)
        painter.fillRect(QRect(area.left(), area.bottom(), area.width(), 1), QColor(colours.border))
        thumb = QRect(area.left(), area.top() + theme.M, THUMB_PX, THUMB_PX)
        self._paint_thumb(painter, thumb, self._answers.thumbnail(index.row()), prediction)
        left = thumb.right() + 1 + theme.M
        column = QRect(left, area.top() + theme.M, area.right() + 1 - left, area.height() - 2 * theme.M)
        self._paint_words(painter, column, prediction)
        painter.restore()

    def _paint_thumb(self, painter: QPainter, where: QRect, pixmap: QPixmap | None, prediction: Prediction) -> None:
        if pixmap is None:
            self._paint_tile(painter, where, warn=prediction.verdict == "unreadable")
            return
        painter.save()
        painter.setClipPath(_path(QRectF(where), theme.XS))
        painter.drawPixmap(where, pixmap)
        painter.restore()

    def _paint_tile(self, painter: QPainter, where: QRect, *, warn: bool) -> None:
        colours = theme.colours()
        _rounded(painter, QRectF(where), colours.border, theme.XS)
        if not warn:
            return
        centre = QRectF(where).center()
        sign = QPainterPath()
        sign.moveTo(centre.x(), centre.y() - 10)
        sign.lineTo(centre.x() + 11, centre.y() + 9)
        sign.lineTo(centre.x() - 11, centre.y() + 9)
        sign.closeSubpath()
        pen = QPen(QColor(colours.secondary), 2)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(QColor(colours.secondary))
        painter.drawPath(sign)
        painter.setPen(QPen(QColor(colours.border), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = round(centre.x()), round(centre.y())
        painter.drawLine(QPoint(x, y - 3), QPoint(x, y + 2))
        painter.drawPoint(x, y + 6)

    def _paint_words(self, painter: QPainter, column: QRect, prediction: Prediction) -> None:
        colours = theme.colours()
        words = answer_words.words_of(prediction)
        top = column.top() - 2  # the cap height, not the line's top, aligns with the thumbnail
        figure_width = QFontMetrics(self._figure).horizontalAdvance(words.figure) + (theme.S if words.figure else 0)
        line = QRect(column.left(), top, column.width(), QFontMetrics(self._headline).height())
        painter.setPen(QColor(colours.text))
        room = line.adjusted(0, 0, -figure_width, 0)
        fits = QFontMetrics(self._headline).horizontalAdvance(words.headline) <= room.width()
        _line(painter, room, self._headline if fits else self._strong, words.headline)
        _line(painter, line, self._figure, words.figure, Qt.AlignmentFlag.AlignRight)
        painter.setPen(QColor(colours.secondary))
        line = QRect(column.left(), line.bottom() + 1, column.width(), QFontMetrics(self._body).height() + 1)
        _line(painter, line, self._body, file_name(prediction.path), elide=Qt.TextElideMode.ElideMiddle)
        below = line.bottom() + 1
        if words.share is not None:
            bar = QRectF(column.left(), below + 5, column.width(), _BAR_PX)
            _rounded(painter, bar, colours.field, _BAR_PX / 2)
            bar.setWidth(max(_BAR_PX, column.width() * words.share))
            _rounded(painter, bar, colours.train, _BAR_PX / 2)
            below = round(bar.bottom()) + 3
        painter.setPen(QColor(colours.secondary))
        rest = QRect(column.left(), below, column.width(), column.bottom() + 2 - below)
        _paragraph(painter, rest, self._body if words.share is None else self._caption, words.detail)


def _area(option: QStyleOptionViewItem) -> QRect:
    """The row without the strip beside a scroll bar."""
    view = option.widget
    beside_bar = isinstance(view, QAbstractScrollArea) and view.verticalScrollBar().isVisible()
    area: QRect = option.rect
    return area.adjusted(0, 0, -theme.XS, 0) if beside_bar else area


def _path(area: QRectF, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(area, radius, radius)
    return path


def _rounded(painter: QPainter, area: QRectF, colour: str, radius: float) -> None:
    painter.fillPath(_path(area, radius), QColor(colour))


def _line(
    painter: QPainter,
    area: QRect,
    font: QFont,
    words: str,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    painter.setFont(font)
    shown = QFontMetrics(font).elidedText(words, elide, area.width())
    painter.drawText(area, int(align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)


def _paragraph(painter: QPainter, area: QRect, font: QFont, words: str) -> None:
    """At most _DETAIL_LINES lines, the last one elided; the tool tip has the rest."""
    if not words:
        return
    layout = QTextLayout(words, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    metrics = QFontMetrics(font)
    layout.beginLayout()
    starts: list[tuple[int, int]] = []
    while (line := layout.createLine()).isValid() and len(starts) <= _DETAIL_LINES:
        line.setLineWidth(area.width())
        starts.append((line.textStart(), line.textLength()))
    layout.endLayout()
    room = max(1, min(_DETAIL_LINES, area.height() // metrics.lineSpacing()))
    for number, (start, length) in enumerate(starts[:room]):
        last = number == room - 1
        shown = (words[start:] if last else words[start : start + length]).strip()  # nor the space it was broken at
        where = QRect(area.left(), area.top() + number * metrics.lineSpacing(), area.width(), metrics.lineSpacing())
        _line(painter, where, font, shown)
