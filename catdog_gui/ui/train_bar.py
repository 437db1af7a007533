"""Train and Stop, two buttons in one place at the foot of the left column, and under them what is missing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QStackedLayout, QWidget

from catdog_gui.session.phases import Action, RunPhase
from catdog_gui.ui import text, theme
from catdog_gui.ui.widgets import LinkLine, column, row, set_icon

if TYPE_CHECKING:
    from catdog_gui.session.state import RunState


class TrainBar(QWidget):
    """Signals: train_requested, stop_requested; pause_requested(bool): pause, or go on; fix_requested(str): the place
    where the missing thing is chosen.
    """

    train_requested = Signal()
    stop_requested = Signal()
    pause_requested = Signal(bool)
    fix_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[bool, ...] = ()
        self._note_shown: tuple[str, Sequence[str]] | None = None
        self.train = QPushButton()
        self.train.setObjectName("trainButton")
        self.train.setProperty("look", "primary")
        self.train.clicked.connect(self.train_requested)
        self.stop = QPushButton()
        self.stop.setObjectName("stopButton")
        self.stop.setProperty("look", "stop")
        self.stop.setIconSize(QSize(18, 18))
        set_icon(self.stop, "stop", "limit")
        self.stop.clicked.connect(self.stop_requested)
        self.pause = QPushButton()
        self.pause.setObjectName("pauseButton")
        self.pause.setCheckable(True)
        self.pause.setProperty("look", "beside-stop")
        self.pause.clicked.connect(self.pause_requested)
        live = QWidget()
        live.setLayout(row(self.stop, self.pause, gap=theme.S))
        place = QWidget()
        self._live = live
        self._place = QStackedLayout(place)
        self._place.addWidget(self.train)
        self._place.addWidget(live)
        self._note = LinkLine()
        self._note.setObjectName("trainNote")
        self._note.clicked.connect(self.fix_requested)
        body = column(self)
        body.addWidget(place)
        body.addWidget(self._note)
        self._show_buttons(can_train=False, can_stop=False, live=False, stopping=False, again=False)

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, state: "RunState", missing: tuple[str, Sequence[str]] | None, *, again: bool = False
    ) -> None:
        """missing: words with a bare <a> for each link, and the links' targets; None where nothing is missing.

        again: the chosen photos have been trained on before.
        """
        from catdog_gui.session.state import allowed  # not needed for the first paint

        can = allowed(state, data_ready=missing is None)
        self._show_buttons(
            can_train=Action.TRAIN in can,
            can_stop=Action.STOP in can,
            live=state.is_live,
            stopping=state.phase is RunPhase.STOPPING,
            again=again,
        )
        self.pause.setEnabled(Action.STOP in can)
        self.pause.setChecked(state.paused)
        self.pause.setText(self.tr("Go on") if state.paused else self.tr("Pause"))
        self.pause.setAccessibleName(self.pause.text())
        if missing is not None and not state.is_live:
            self.show_note(*missing)
        else:
            self.show_note(self._words(state))

    def show_note(self, words: str, targets: Sequence[str] = ()) -> None:
        """Under the button: words with a bare <a> for each target."""
        if (words, targets) != self._note_shown:
            self._note_shown = (words, targets)
            self._note.set_markup(f'<p align="center">{words}</p>', targets)

    def _show_buttons(self, *, can_train: bool, can_stop: bool, live: bool, stopping: bool, again: bool) -> None:
        shown = (can_train, can_stop, live, stopping, again)
        if shown == self._shown:
            return
        self._shown = shown
        self.train.setEnabled(can_train)
        self.stop.setEnabled(can_stop)
        self._place.setCurrentWidget(self._live if live else self.train)
        self.train.setText(self.tr("Train again") if again else self.tr("Train"))
        self.stop.setText(self.tr("Stopping…") if stopping else self.tr("Stop"))
        for button in (self.train, self.stop):
            button.setAccessibleName(button.text())

    def _words(self, state: "RunState") -> str:
        from catdog_gui.session.results import FEW_CHECKED, digits_for, half_up

        if state.phase is RunPhase.STOPPING:
            return self.tr("Saving what it has learned") if state.step else self.tr("It has learned nothing yet")
        if state.paused:
            return self.tr("Paused")
        if state.is_live:
            return self.tr("The best model so far is kept") if state.best else self.tr("Stop keeps the best model")
        if state.result is not None and state.result.val.get("accuracy") is not None:
            accuracy, n = float(state.result.val["accuracy"] or 0.0), int(state.result.val.get("n") or 0)
            time = text.duration(state.result.seconds.get("total", 0.0))
            if n < FEW_CHECKED:  # a percentage of so few would say more than is known
                words = self.tr("Last run: {time}, {right} of {n} right")
                return words.format(time=time, right=text.number(half_up(accuracy * n)), n=text.number(n))
            share = text.percent(accuracy, digits_for(n))
            return self.tr("Last run: {time}, {share} right").format(time=time, share=share)
        return self.tr("Everything stays on this computer")
