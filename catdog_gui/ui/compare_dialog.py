"""The dialog "Compare devices": bars, the figures under them, why devices are missing, Stop, Copy."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from catdog_gui.session.comparison import COLUMNS, ComparisonState
from catdog_gui.ui import compare_words as words
from catdog_gui.ui import text, theme
from catdog_gui.ui.compare_model import ComparisonModel
from catdog_gui.ui.dialogs import Dialog
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.parts import button
from catdog_gui.ui.speed_chart import Bar, SpeedChart
from catdog_gui.ui.widgets import Card, CopyButton, focus_goes_to, label, row, show_text

SIZE = (860, 560)
_ROW_PX = 30


class CompareDialog(Dialog):
    """Shows a ComparisonModel; closing it ends the comparison."""

    def __init__(self, model: ComparisonModel, folder_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("compareDialog")
        self.set_title(self.tr("Compare devices"))
        self._model = model
        lead = self.tr("Each device learns from the same photos of “{name}” for some seconds, as in the article.")
        self._lead = self.add_words(lead.format(name=folder_name), "secondary")
        self._progress = QProgressBar()
        self._progress.setObjectName("compareProgress")
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Progress of the comparison"))
        self.body.addWidget(self._progress)
        self._message = MessageRow()
        self.body.addWidget(self._message)
        self.body.addWidget(self._figures(), 1)
        self.body.addLayout(self._buttons())
        self.resize(*SIZE)
        model.changed.connect(self._on_changed)
        self.finished.connect(lambda _result: model.stop())
        self._on_changed()

    def _figures(self) -> QWidget:
        """Bars, table and reasons on a card that scrolls where many devices are compared."""
        card = Card()
        card.body.setSpacing(theme.M)
        self._chart = SpeedChart()
        self._table = _Table()
        self._missing_title = label(self.tr("Not compared"), "strong")
        self._missing = label("", "secondary", wrap=True, name="compareMissing")
        self._missing.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        for part in (self._chart, self._table, self._missing_title, self._missing):
            card.body.addWidget(part)
        card.body.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(card)
        return area

    def _buttons(self) -> QHBoxLayout:
        self._copy = CopyButton(self.tr("Copy as text"))
        self._copy.setObjectName("copyComparisonButton")
        self._stop = button(self.tr("Stop"), self._model.stop, "stopComparisonButton")
        self._again = button(self.tr("Measure again"), self._model.again, "compareAgainButton")
        self._close = QPushButton(self.tr("Close"))
        self._close.setObjectName("closeComparisonButton")
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setDefault(True)
        self._close.clicked.connect(self.accept)
        return row(self._copy, None, self._again, self._stop, self._close)

    def _on_changed(self) -> None:
        state = self._model.state
        measured = state.measured
        bars = [
            Bar(words.row_title(item), item.photos_per_s, words.bar_words(item), is_base=item.speedup == 1.0)
            for item in measured
        ]
        if state.now is not None and state.running:
            bars.append(Bar(words.row_title(state.now), None, self._doing(state)))
        self._chart.show_bars(bars)
        self._table.show_rows(state)
        missing = words.missing_words(state)
        show_text(self._missing, missing)
        self._missing_title.setVisible(bool(missing))
        self._show_progress(state)
        told = state.failure or state.waits
        self._message.say(
            "" if told is None else text.say(told.code, told.fields),
            "" if state.failure is None else state.failure.details,
        )
        self._copy.set_content(words.as_text(state))
        self._copy.setEnabled(bool(measured))
        with focus_goes_to(self._stop, self._again, self._close, leaving=(self._stop, self._again)):
            self._stop.setVisible(state.running)
            self._again.setVisible(not state.running)
            self._stop.setEnabled(not state.stopping)
        self._stop.setText(self.tr("Stopping…") if state.stopping else self.tr("Stop"))

    def _show_progress(self, state: ComparisonState) -> None:
        self._progress.setVisible(state.running)
        share = state.fraction_done
        self._progress.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self._progress.setValue(round(1000 * share))

    def _doing(self, state: ComparisonState) -> str:
        if state.stopping:
            return self.tr("stopping…")
        if state.now is not None and state.now.pieces:
            return self.tr("measuring…")
        return self.tr("warming up…")


class _Table(QTableWidget):
    """One row a measured device; a head's tool tip says what its column means."""

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.setObjectName("comparisonTable")
        self.setAccessibleName(self.tr("The figures of each device"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)  # Tab leaves it
        self.setShowGrid(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # the number format stands at the end
        self.setStyleSheet(_HEADS)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        for column, (name, head) in enumerate(words.heads().items()):
            item = QTableWidgetItem(head)
            item.setToolTip(words.explanation(name))
            item.setTextAlignment(_LEFT if column == 0 else _RIGHT)
            self.setHorizontalHeaderItem(column, item)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, state: ComparisonState) -> None:
        rows = state.measured
        self.setVisible(bool(rows))
        self.setRowCount(len(rows))
        for number, measured in enumerate(rows):
            for column, words_ in enumerate(words.cells(measured).values()):
                item = QTableWidgetItem(words_)
                item.setTextAlignment(_LEFT if column == 0 else _RIGHT)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled)
                item.setFont(theme.font(theme.BODY, tabular=True))
                item.setToolTip(words.explanation(COLUMNS[column]) if column else words_.replace("<", "‹"))
                self.setItem(number, column, item)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + _ROW_PX * len(rows) + 4)


_HEADS = "QHeaderView, QHeaderView::section { background: transparent; padding: 4px 3px; border: 0; }"
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
