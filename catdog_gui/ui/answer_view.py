"""The list of answers on screen."""

from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from catdog_gui.session.prediction import PredictState
from catdog_gui.ui.answer_delegate import AnswerDelegate
from catdog_gui.ui.answer_list import AnswerModel


class AnswerView(QTableView):
    """A table of one column without heads: a QListView lays all its rows out anew at each insertion, which at 100,000
    rows takes 240 ms; a table with rows of one height takes a few.
    """

    def __init__(self, answers: AnswerModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("predictionList")
        self.setAccessibleName(self.tr("Answers"))
        self._answers = answers
        delegate = AnswerDelegate(answers, self)
        self._row_height = delegate.row_height
        self.setItemDelegate(delegate)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(1)
        rows.setDefaultSectionSize(delegate.row_height)
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for header in (rows, columns):
            header.hide()
        self.setModel(answers)
        self.setStyleSheet("selection-background-color: transparent;")  # the delegate shows it
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)

    def follow(self, state: PredictState) -> list[int]:
        """Show what is new, and keep the rows on screen where they are; returns what `AnswerModel.follow` does."""
        bar = self.verticalScrollBar()
        top = QPersistentModelIndex(self.indexAt(QPoint(1, 1))) if bar.value() > 0 else None
        beyond = bar.value() - top.row() * self._row_height if top is not None and top.isValid() else 0
        new = self._answers.follow(state)
        if new and top is not None and top.isValid():
            wanted = top.row() * self._row_height + beyond
            if wanted != bar.value():
                self.updateGeometries()  # the bar's range
                bar.setValue(wanted)
        return new

    def scroll_to_row(self, row: int) -> None:
        """Show it first, also where it has come only now."""
        self.updateGeometries()  # the bar's range
        self.scrollTo(self._answers.index(row), QAbstractItemView.ScrollHint.PositionAtTop)

    def selected_rows(self) -> list[int]:
        """The rows that are selected, from top to bottom."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def select_only(self, row: int) -> None:
        """Select a row that a context menu was opened on, unless it is one of the selected."""
        index = self._answers.index(row)
        if not self.selectionModel().isSelected(index):
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, flags)
