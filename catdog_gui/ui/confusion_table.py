"""The confusion table: rows true, columns answered, last column the share found of each class.

Where photos are behind its numbers, a number can be clicked, or reached with the arrow keys and chosen with Enter.
"""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from catdog_gui.session.results import Recall, digits_for
from catdog_gui.ui import text, theme

_ROW_PX, _LEAST_PX, _MOST_PX = 34, 64, 160
_ROWS_SHOWN = 12  # more classes scroll
_SAID_CLASSES = 4  # more leave no room for "said" in each head
_ALIGN = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ConfusionTable(QTableWidget):
    """Cells with text only; a cell's tool tip says it as a sentence.

    Signal chosen(str, str): the user wants to see the photos of a class that got an answer; only where `opens`.
    """

    chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.opens = False
        self._pairs: dict[tuple[int, int], tuple[str, str]] = {}  # by row and column, where there are photos
        self.setObjectName("confusionTable")
        self.setAccessibleName(self.tr("Answers by class: rows are what the photos show, columns what was answered"))
        self.setItemDelegate(_CellDelegate(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabKeyNavigation(False)  # Tab leaves it
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.setStyleSheet(
            "QHeaderView, QHeaderView::section, QTableCornerButton::section { background: transparent; border: 0; }"
        )
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
        self.verticalHeader().setStyleSheet("QHeaderView::section { padding-left: 0; }")  # level with the words above
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(_ALIGN)
        self.setMouseTracking(True)
        self.cellClicked.connect(self._choose)

    def show_confusion(
        self, classes: Sequence[str], confusion: Sequence[Sequence[int]], recalls: Sequence[Recall]
    ) -> None:
        """Fill the table. confusion: one row a class, as long as `classes`."""
        self.clear()
        self._pairs = {}
        self.setRowCount(len(recalls))
        self.setColumnCount(len(classes) + 1 if recalls else 0)
        said = self.tr("said {name}") if len(classes) <= _SAID_CLASSES else "{name}"
        self._set_heads([*(said.format(name=name) for name in classes), self.tr("found")])
        self._set_names([recall.name for recall in recalls])
        for row, (recall, counts) in enumerate(zip(recalls, confusion, strict=False)):
            for column, (name, count) in enumerate(zip(classes, counts, strict=False)):
                self.setItem(row, column, self._count_item(recall.name, name, count))
                if count:
                    self._pairs[row, column] = (recall.name, name)
            found = "–" if recall.share is None else text.percent(recall.share, digits_for(recall.n))
            self.setItem(row, len(classes), self._item(found, self.tr("Found: {found} of {n}").format(
                found=text.number(recall.found), n=text.number(recall.n))))  # fmt: skip
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        shown = min(self.rowCount(), _ROWS_SHOWN)
        width = self.verticalHeader().width() + sum(self.columnWidth(column) for column in range(self.columnCount()))
        bar = self.horizontalScrollBar().sizeHint().height() if shown > _SAID_CLASSES else 0  # many classes scroll
        return QSize(width + 2, self.horizontalHeader().height() + shown * _ROW_PX + bar + 2)

    def can_open(self, row: int, column: int) -> bool:
        """Whether there are photos to see behind a number."""
        return self.opens and (row, column) in self._pairs

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        shape = Qt.CursorShape
        opens = self.can_open(index.row(), index.column())
        self.viewport().setCursor(shape.PointingHandCursor if opens else shape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self.currentRow(), self.currentColumn())
        else:
            super().keyPressEvent(event)

    def _choose(self, row: int, column: int) -> None:
        if self.can_open(row, column):
            self.chosen.emit(*self._pairs[row, column])

    def _count_item(self, true: str, said: str, count: int) -> QTableWidgetItem:
        sentence = self.tr("{count} photos of “{true}” were answered “{said}”")
        return self._item(text.number(count), sentence.format(count=text.number(count), true=true, said=said))

    def _item(self, words: str, sentence: str) -> QTableWidgetItem:
        item = QTableWidgetItem(words)
        item.setTextAlignment(_ALIGN)
        item.setToolTip(_plain(sentence))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        return item

    def _set_heads(self, heads: Sequence[str]) -> None:
        metrics = QFontMetrics(theme.font(theme.BODY))
        for column, head in enumerate(heads):
            item = QTableWidgetItem(metrics.elidedText(head, Qt.TextElideMode.ElideRight, _MOST_PX - 2 * theme.M))
            item.setToolTip(_plain(head))
            self.setHorizontalHeaderItem(column, item)
            self.setColumnWidth(
                column, max(_LEAST_PX, min(_MOST_PX, metrics.horizontalAdvance(head) + 2 * theme.M + 2))
            )

    def _set_names(self, names: Sequence[str]) -> None:
        """The heads of the rows, as wide as the longest name within reason."""
        metrics = QFontMetrics(theme.font(theme.BODY))
        for row, name in enumerate(names):
            item = QTableWidgetItem(metrics.elidedText(name, Qt.TextElideMode.ElideRight, _MOST_PX - theme.XL))
            item.setToolTip(_plain(name))
            self.setVerticalHeaderItem(row, item)
        widest = max((metrics.horizontalAdvance(name) for name in names), default=0)
        self.verticalHeader().setFixedWidth(min(_MOST_PX, widest + theme.XL))


def _plain(words: str) -> str:
    return words.replace("<", "‹")  # a tool tip would take a class name for markup


class _CellDelegate(QStyledItemDelegate):
    """The diagonal on a soft ground and bold, wrong answers in the limit's colour, zeros quiet."""

    def __init__(self, table: ConfusionTable) -> None:
        super().__init__(table)
        self._table = table
        self._plain = theme.font(theme.BODY, tabular=True)
        self._bold = theme.font(theme.BODY, bold=True, tabular=True)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colours = theme.colours()
        words, last = str(index.data()), index.model().columnCount() - 1
        right = index.row() == index.column()
        area = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if right:
            path = QPainterPath()
            path.addRoundedRect(QRectF(area), theme.RADIUS_CONTROL, theme.RADIUS_CONTROL)
            painter.fillPath(path, QColor(colours.accent_soft))
        opens = self._table.can_open(index.row(), index.column())
        hovered = opens and QStyle.StateFlag.State_MouseOver in option.state
        if opens and QStyle.StateFlag.State_HasFocus in option.state:
            painter.setPen(QPen(QColor(colours.accent), 2))
            painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), theme.RADIUS_CONTROL, theme.RADIUS_CONTROL)
        font = QFont(self._bold if right else self._plain)
        font.setUnderline(hovered)
        painter.setFont(font)
        wrong = index.column() != last and not right and words != "0"
        quiet = words in ("0", "–") and not right
        painter.setPen(QColor(colours.limit if wrong else colours.secondary if quiet else colours.text))
        painter.drawText(area.adjusted(0, 0, -theme.M, 0), int(_ALIGN), words)
        painter.restore()
