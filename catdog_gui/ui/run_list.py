"""The runs as a Qt list model, and the painter of its rows."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.session.results import digits_for
from catdog_gui.ui import text, theme

Index = QModelIndex | QPersistentModelIndex
_NAME_MOST = 80  # characters


class RunListModel(QAbstractListModel):
    """One row a run. DisplayRole: name and details in one line.

    Signals: renamed(Path, str): a new name was typed; the list itself changes when it is shown anew.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: tuple[RunSummary, ...] = ()

    def show_runs(self, runs: Sequence[RunSummary]) -> None:
        self.beginResetModel()
        self.runs = tuple(runs)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- Qt's signature
        return 0 if parent.isValid() else len(self.runs)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.runs):
            return None
        run = self.runs[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return f"{run.name}: {', '.join(part for part in (*self.details(run), self.figure(run)) if part)}"
            case Qt.ItemDataRole.EditRole:
                return run.name
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        run, name = self.runs[index.row()], " ".join(str(value).split())[:_NAME_MOST]
        if role != Qt.ItemDataRole.EditRole or not name or name == run.name:
            return False
        self.renamed.emit(run.path, name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def details(self, run: RunSummary) -> list[str]:
        """When, how and how it ended, in words."""
        return [text.moment(run.started), self._preset_words(run.preset), self._status_words(run)]

    def figure(self, run: RunSummary) -> str:
        """The accuracy on its check photos, or ""."""
        if run.accuracy is None:
            return ""
        accuracy = text.percent(run.accuracy, digits_for(run.n_val or 0))
        if not run.n_val:
            return accuracy
        return self.tr("{accuracy} of {n}").format(accuracy=accuracy, n=text.number(run.n_val))

    def _preset_words(self, preset: str) -> str:
        known = {
            "fast": self.tr("Fast"),
            "balanced": self.tr("Balanced"),
            "best": self.tr("Best"),
            "article": self.tr("Article"),
        }
        return known.get(preset, preset)

    def _status_words(self, run: RunSummary) -> str:
        match run.status:
            case "completed":
                return self.tr("completed")
            case "stopped":
                return self.tr("stopped by you")
            case "failed":
                return self.tr("failed")
            case "running":
                return self.tr("is training now")
        if run.has_model:
            return self.tr("cut off; the best model so far is there")
        return self.tr("cut off before there was a model")


class RunDelegate(QStyledItemDelegate):
    """Name and accuracy on the first line, the rest below. Renaming happens in place."""

    def __init__(self, runs: RunListModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs = runs
        self._name = theme.font(theme.BODY, bold=True)
        self._body = theme.font(theme.BODY, tabular=True)
        self._line = QFontMetrics(self._name).height() + 2
        self._height = 2 * self._line + 2 * theme.M

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(200, self._height)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(_NAME_MOST)
        editor.setAccessibleName(self.tr("New name of the run"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: Index) -> None:
        area = option.rect
        editor.setGeometry(area.left(), area.top() + theme.XS, area.width(), theme.CONTROL_HEIGHT + 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, run, area = theme.colours(), self._runs.runs[index.row()], option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRect(area.left(), area.bottom(), area.width(), 1), QColor(colours.border))
        if option.state & QStyle.StateFlag.State_Selected:
            ground = QPainterPath()
            ground.addRoundedRect(QRectF(area.adjusted(0, 3, 0, -4)), theme.RADIUS_CONTROL, theme.RADIUS_CONTROL)
            painter.fillPath(ground, QColor(colours.accent_soft))
        figure = self._runs.figure(run)
        room = QFontMetrics(self._body).horizontalAdvance(figure)
        first = QRect(area.left() + theme.S, area.top() + theme.M, area.width() - 2 * theme.S, self._line)
        painter.setPen(QColor(colours.text))
        painter.setFont(self._body)
        painter.drawText(first, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), figure)
        painter.setFont(self._name)
        _elided(painter, first.adjusted(0, 0, -room - theme.M, 0), run.name)
        painter.setFont(self._body)
        troubled = run.status in ("failed", "interrupted")
        painter.setPen(QColor(colours.limit if troubled else colours.secondary))
        _elided(painter, first.translated(0, self._line), " · ".join(self._runs.details(run)))
        painter.restore()


def _elided(painter: QPainter, area: QRect, words: str) -> None:
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, area.width())
    align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(area, int(align), shown)
