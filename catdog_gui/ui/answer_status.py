"""How far the answers are: a count, a bar, the time left, and the links that pause, stop, save and clear."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from catdog_gui.session.prediction import PredictState
from catdog_gui.ui import text, theme
from catdog_gui.ui.parts import OneOrTwoLines, link_to
from catdog_gui.ui.widgets import column, focus_goes_to, label, restyle, row, show_text

LEAST_FILTERED = 10  # answers; with fewer there is nothing to look for
_PATIENCE_MS = 1000  # a job that takes longer to stop says what it waits for
_LEAST_BAR = 20  # photos: fewer are answered before a bar is looked at


class AnswerStatus(QWidget):
    """Signals: pause_, go_on_, stop_, save_ and clear_requested: a link was pressed."""

    pause_requested = Signal()
    go_on_requested = Signal()
    stop_requested = Signal()
    save_requested = Signal()
    clear_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state, self._stopping = PredictState(), False
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._show_time)
        self._count = label("", "secondary")
        self._left = label("", "secondary", wrap=True, name="answersLeftLabel")
        self._pause = link_to(self.tr("Pause"), self.pause_requested.emit, "pausePredictionButton")
        self._go_on = link_to(self.tr("Go on"), self.go_on_requested.emit, "goOnPredictionButton")
        self._stop = link_to(self.tr("Stop"), self.stop_requested.emit, "stopPredictionButton")
        self.save = link_to(self.tr("Save or sort…"), self.save_requested.emit, "saveAnswersButton")
        self._clear = link_to(self.tr("Clear"), self.clear_requested.emit, "clearAnswersButton")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setObjectName("answerProgressBar")
        self._bar.setAccessibleName(self.tr("Photos answered"))
        links = QWidget()
        links.setLayout(row(None, self._pause, self._go_on, self._stop, self.save, self._clear, gap=theme.M))
        body = column(self, gap=theme.XS)
        body.addWidget(OneOrTwoLines(self._count, links))
        body.addWidget(self._bar)
        body.addWidget(self._left)

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, state: PredictState, shown: int, known: int
    ) -> None:
        """shown: answers that the filters let through, of the `known` ones."""
        words = self._words(state, shown, known)
        self._count.setText(words)
        self._count.setVisible(bool(words))
        running, stopping = state.running, state.stopping
        links = (self._pause, self._go_on, self._stop, self.save, self._clear)
        with focus_goes_to(*links, leaving=links):
            self._show_links(state, known)
        self._bar.setVisible(running and state.total >= _LEAST_BAR)
        self._bar.setMaximum(max(1, state.total))
        self._bar.setValue(state.done)
        restyle(self._bar, "state", "paused" if state.paused else "")
        if stopping and not self._stopping:
            self._patience.start()
        self._stopping, self._state = stopping, state
        self._show_time()

    def _show_links(self, state: PredictState, known: int) -> None:
        running, stopping = state.running, state.stopping
        self._pause.setVisible(running and not state.paused and state.total >= _LEAST_BAR and not stopping)
        self._go_on.setVisible(running and state.paused and not stopping)
        self._stop.setVisible(running)
        self._stop.setEnabled(not stopping)
        for link in (self.save, self._clear):
            link.setVisible(known > 0 and not running)

    def _show_time(self) -> None:
        show_text(self._left, self._time_words(self._state))

    def _words(self, state: PredictState, shown: int, known: int) -> str:
        if state.stopping:
            return self.tr("Stopping…")
        if state.running and state.total:
            return self.tr("{done} of {total}").format(done=text.number(state.done), total=text.number(state.total))
        if state.running:
            return self.tr("Looking for photos…")
        if shown != known:
            return self.tr("{shown} of {count} photos").format(shown=text.number(shown), count=text.number(known))
        if 0 < known < LEAST_FILTERED:  # with more, the filters count them
            one, more = self.tr("1 photo"), self.tr("{count} photos")
            return one if known == 1 else more.format(count=text.number(known))
        return ""

    def _time_words(self, state: PredictState) -> str:
        if state.stopping and not self._patience.isActive():
            return self.tr("The photos under way are answered first.")
        if not state.running or state.stopping:
            return ""
        parts = []
        if state.paused:
            parts.append(self.tr("Paused"))
        elif state.seconds_left is not None:
            parts.append(self.tr("{time} left").format(time=text.clock(state.seconds_left)))
        if state.waiting:
            parts.append(self.tr("{more} more waiting").format(more=text.number(state.waiting)))
        return " · ".join(parts)
