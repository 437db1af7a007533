"""Closing the window while a run lives: ask, let it save, then go."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from catdog_gui.ui.bridge import Background, RunModel
from catdog_gui.ui.dialogs import ClosingAnswer, ClosingDialog

WAIT_MS = 10_000


class Closing(QObject):
    """Decides whether a close may go on. `stuck`: a job did not end in time, so the process must be ended hard.

    Signal stopped_run(str): the folder of a run that was stopped because the window is to close.
    """

    stopped_run = Signal(str)

    def __init__(self, window: QMainWindow, run: RunModel, background: Background) -> None:
        super().__init__(window)
        self._window = window
        self._run = run
        self._background = background
        self._stops = False  # the run was stopped for that
        self._wanted = False  # the window is to close as soon as the run has ended
        self._dialog: ClosingDialog | None = None
        self._limit = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._limit.timeout.connect(self._give_up)
        self.stuck = False
        run.ended.connect(self._on_ended)

    def may_close(self) -> bool:
        """False while the user is asked or the run is saving; the window then closes by itself or not at all."""
        if self._run.is_live and not self.stuck:
            if self._dialog is None:
                self._ask()
            return False
        self._window.hide()
        if not self._background.shut_down(WAIT_MS):
            self.stuck = True
        return True

    def _ask(self) -> None:
        self._dialog = ClosingDialog(self._window)
        self._dialog.chosen.connect(self._on_answer)
        self._dialog.open()

    def _on_answer(self, answer: ClosingAnswer) -> None:
        assert self._dialog is not None
        if answer is ClosingAnswer.STOP:
            self._wanted = self._stops = True
            self._dialog.show_saving()
            self._limit.start()
            self._run.stop()
            return
        if answer is ClosingAnswer.KEEP:
            self._wanted = True
            self._window.showMinimized()
        else:
            self._wanted = False
        self._forget_dialog()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.hide()
            self._dialog.deleteLater()
            self._dialog = None

    def _on_ended(self) -> None:
        self._limit.stop()
        self._forget_dialog()  # the question has answered itself
        result = self._run.state.result
        if self._stops and result is not None and result.status == "stopped":
            self.stopped_run.emit(result.run)
        self._stops = False
        if self._wanted:
            self._wanted = False
            QTimer.singleShot(0, self._window.close)

    def _give_up(self) -> None:
        self.stuck = True
        self._forget_dialog()
        self._window.close()
