"""The list of answers on screen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

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
        delegate = AnswerDelegate(answers, self)
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
