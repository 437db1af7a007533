"""The menu of the "Try it" column: what can be done with the answers and with the one under the pointer."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMenu

from catdog_gui.engine.events import Prediction

translate = QCoreApplication.translate


def add_photo_actions(menu: QMenu, prediction: Prediction) -> None:
    """Open the photo of one answer, or the folder it lies in."""
    path = Path(prediction.path)
    is_here = bool(prediction.path) and _is_file(path)
    open_photo = menu.addAction(translate("AnswerMenu", "Open the photo"), lambda: open_path(path))
    open_photo.setEnabled(is_here)
    open_folder = menu.addAction(translate("AnswerMenu", "Open its folder"), lambda: open_path(path.absolute().parent))
    open_folder.setEnabled(is_here)
    menu.addSeparator()


def open_path(path: Path) -> None:
    """With the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
