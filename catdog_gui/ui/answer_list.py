"""The answers as a Qt list model: rows over `PredictState.predictions`, filtered and ordered by an `AnswerTable`."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, QUrl
from PySide6.QtGui import QPixmap

from catdog_gui.engine.events import Prediction
from catdog_gui.session.answer_table import AnswerTable, Filter, Order
from catdog_gui.session.prediction import PredictState, to_text
from catdog_gui.ui import answer_words
from catdog_gui.ui.answer_thumbs import Thumbs

_ONE_BY_ONE = 400  # new rows that are put in their places singly; more are added and sorted (benchmarks/answers.py)
_DRAGGED_MOST = 1_000
_ESCAPE = {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractListModel):
    """One row a photo. DisplayRole: "rex.jpg: dogs, 99 %"; DecorationRole: QPixmap or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: Sequence[Prediction] = ()
        self.table = AnswerTable()
        self.thumbs = Thumbs(self)

    def follow(self, state: PredictState) -> list[int]:
        """Show the state's answers; returns the positions of the new ones that are shown."""
        if state.predictions is not self._answers:  # `clear` and a new state make a new list
            self._restart(state)
        first = self.table.taken
        if len(state.predictions) == first:
            return []
        for position in range(first, len(state.predictions)):
            seen = state.predictions[position].seen
            if seen is not None:
                self.thumbs.put(position, seen)
        new = self.table.take()
        self._add(new)
        return new

    def select(self, chosen: Filter, search: str, wrong: Collection[str] = frozenset()) -> None:
        """Show the answers of a filter whose file name has `search` in it."""
        self.beginResetModel()
        self.table.select(chosen, search, wrong)
        self.endResetModel()

    def set_order(self, order: Order) -> None:
        if order != self.table.order:
            self._rearrange(lambda: self.table.set_order(order))

    def prediction(self, row: int) -> Prediction:
        return self._answers[self.table.shown[row]]

    def shown(self) -> list[Prediction]:
        """The answers of all rows, in their order."""
        return [self._answers[position] for position in self.table.shown]

    def row_of(self, position: int) -> int:
        """The row of an answer that is shown."""
        return self.table.row_of(position)

    def put_thumbnail(self, position: int, seen: object) -> None:
        """A picture was read again. seen: uint8 (S, S, 3)."""
        self.thumbs.put(position, seen)  # type: ignore[arg-type]  # numpy is not imported here
        self.refresh()

    def relocated(self) -> None:
        """The photos of answers were moved: names and pictures are looked up anew."""
        self.table.forget_names()
        self.refresh()

    def refresh(self) -> None:
        """Paint anew: paths or pictures changed."""
        if self.table.shown:
            self.dataChanged.emit(self.index(0), self.index(len(self.table.shown) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- Qt's signature
        return 0 if parent.isValid() else len(self.table.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.table.shown):
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return answer_words.row_text(self.prediction(index.row()))
            case Qt.ItemDataRole.DecorationRole:
                return self.thumbnail(index.row())
            case Qt.ItemDataRole.ToolTipRole:
                return answer_words.tooltip(self.prediction(index.row()), _ESCAPE)
        return None

    def thumbnail(self, row: int) -> QPixmap | None:
        """What the model saw; None where it could not be read, or is being read again."""
        position = self.table.shown[row]
        prediction = self._answers[position]
        can_ask = prediction.verdict != "unreadable" and bool(prediction.path)
        return self.thumbs.get(position, can_ask=can_ask)

    # --- dragging a row out as its photo ------------------------------------------------------------------------------

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and self.prediction(index.row()).path:
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction  # never a move: the file manager would take the photo away

    def mimeTypes(self) -> list[str]:
        return ["text/uri-list", "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The photos as files, and the answers as text."""
        rows = sorted({index.row() for index in indexes})[:_DRAGGED_MOST]
        chosen = [self.prediction(row) for row in rows]
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(Path(item.path).absolute())) for item in chosen if item.path])
        mime.setText(to_text(chosen, answer_words.line_of))
        return mime

    # --- rows ---------------------------------------------------------------------------------------------------------

    def _restart(self, state: PredictState) -> None:
        self.beginResetModel()
        self._answers = state.predictions
        self.table.restart(state.predictions)
        self.thumbs.restart()
        self.endResetModel()

    def _add(self, new: list[int]) -> None:
        table = self.table
        if not new:
            return
        if table.order != "dropped" and len(new) <= _ONE_BY_ONE:
            for position in new:
                row = table.place(position)
                self.beginInsertRows(QModelIndex(), row, row)
                table.shown.insert(row, position)
                self.endInsertRows()
            return
        count = len(table.shown)
        self.beginInsertRows(QModelIndex(), count, count + len(new) - 1)
        table.shown.extend(new)
        self.endInsertRows()
        if table.order != "dropped":
            self._rearrange(table.sort)

    def _rearrange(self, change: Callable[[], None]) -> None:
        """Order the rows anew; the selection and the place in the list stay with their photos."""
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        positions = [self.table.shown[index.row()] for index in old]
        change()
        new = [self.index(self.table.row_of(position), 0) for position in positions]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()
