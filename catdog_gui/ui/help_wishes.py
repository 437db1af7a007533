"""The menu Help, and the look of the window."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.home import log_file
from catdog_gui.ui import theme
from catdog_gui.ui.dialogs import AboutDialog, QuestionDialog, TextDialog
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.keys import key_list

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class HelpWishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs

    def show_computer(self) -> None:
        dialog = TextDialog(self.tr("This computer"), self.tr("Looking…"), self._window, fixed=True)
        dialog.setObjectName("computerDialog")
        window = self._window
        task = window.background.start(self._jobs.report(), dialog.set_content, window.show_failure)
        dialog.finished.connect(task.cancel)
        dialog.open()

    def show_keys(self) -> None:
        dialog = TextDialog(self.tr("Keys"), key_list(self._window.header.menus), self._window, fixed=True)
        dialog.setObjectName("keysDialog")
        dialog.open()

    def show_about(self) -> None:
        AboutDialog(self._window).open()

    def open_log(self) -> None:
        if not log_file().is_file():
            self._window.show_failure(RunFailed("no_log_file", {"path": str(log_file())}))
            return
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file())))

    def report_problem(self, details: str = "") -> None:
        """Ask for a place, and put a zip without names there. details: what stood beside a failure."""
        kinds = self.tr("Zip files (*.zip)")
        title = self.tr("Save the report about a problem")
        name, _ = QFileDialog.getSaveFileName(self._window, title, "catdog-report.zip", kinds)
        if name:
            window, started = self._window, self._window.run.state.started
            run = Path(started.run) if started is not None and started.run else None
            job = self._jobs.problem_report(Path(name), run, details)
            window.background.start(job, self._on_report_saved, window.show_failure)

    def _on_report_saved(self, file: Path) -> None:
        words = self.tr(
            "It holds what this computer has, the settings, the end of the log and the last run's events. There are no "
            "photos in it, and names are replaced. Look into it, then attach it to your report."
        )
        title = self.tr("The report is saved: {name}").format(name=file.name)
        dialog = QuestionDialog(title, words, self.tr("Show in folder"), self._window, no=self.tr("Close"))
        dialog.setObjectName("reportSavedDialog")
        dialog.accepted.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(file.parent))))
        dialog.open()

    def set_appearance(self, scheme: str) -> None:
        self._window.preferences.remember(appearance=scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.choose_scheme(app, scheme)
            theme.apply(app)
