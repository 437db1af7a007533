"""Deleting a run: asked first, to the system's trash, for good only where there is none and after asking again."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from catdog_gui.engine.events import RunFailed
from catdog_gui.ui.dialogs import QuestionDialog

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class RunWishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.runs_panel.delete_requested.connect(self.ask_delete)
        window.runs.stuck.connect(self.ask_delete_for_good)
        window.runs.deleted.connect(window.predict.forget)

    def ask_delete(self, run: Path) -> None:
        window = self._window
        started = window.run.state.started
        if window.run.is_live and started is not None and Path(started.run) == run:
            window.show_failure(RunFailed("run_on_screen_lives"))
            return
        title = self.tr("Delete the run “{name}”?").format(name=self._name(run))
        words = self.tr("Its settings, curves and model go to the trash. Your photos stay untouched.")
        self._ask(title, words, run, for_good=False)

    def ask_delete_for_good(self, run: Path) -> None:
        title = self.tr("There is no trash for “{name}”. Delete it for good?").format(name=self._name(run))
        words = self.tr("Its settings, curves and model cannot be brought back. Your photos stay untouched.")
        self._ask(title, words, run, for_good=True)

    def _ask(self, title: str, words: str, run: Path, *, for_good: bool) -> None:
        dialog = QuestionDialog(
            title, words, self.tr("Delete for good") if for_good else self.tr("Delete"), self._window
        )
        dialog.setObjectName("deleteRunDialog")
        dialog.accepted.connect(lambda: self._window.runs.delete(run, for_good=for_good))
        dialog.open()

    def _name(self, run: Path) -> str:
        summary = self._window.runs.summary(run)
        return summary.name if summary is not None else run.name
