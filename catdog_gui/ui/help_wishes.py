"""The menu Help, and the look of the window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from catdog_gui.engine.home import log_file
from catdog_gui.ui import theme
from catdog_gui.ui.dialogs import AboutDialog, TextDialog
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
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file())))

    def set_appearance(self, scheme: str) -> None:
        self._window.preferences.remember(appearance=scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.choose_scheme(app, scheme)
            theme.apply(app)
