"""The menus. Every action is one of the window's public methods."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow

Key = QKeySequence.StandardKey


class Menus:
    """The menu bar: its titles, and with `fill` its entries. `recent` is filled anew by `show_recent`."""

    def __init__(self, bar: QMenuBar) -> None:
        tr = self._tr
        names = (tr("&File"), tr("&Edit"), tr("&Run"), tr("&View"), tr("&Tools"), tr("&Help"))
        self._allowed: tuple[bool, ...] = ()
        self._menus = [bar.addMenu(name) for name in names]

    def fill(self, window: "MainWindow") -> None:
        """Give the menus their entries. Once, when the window is whole."""
        wishes, answers, help_wishes = window.wishes, window.answers, window.help_wishes
        tr = self._tr
        file, edit, run, view, tools, help_menu = self._menus
        self._add(file, tr("Choose a folder of photos…"), wishes.ask_folder, Key.Open)
        self.recent = file.addMenu(tr("Recent folders"))
        self._add(file, tr("Sample pictures"), wishes.draw_samples)
        file.addSeparator()
        self._add(file, tr("Classify photos…"), window.predict_panel.choose_photos, "Ctrl+Shift+O")
        self._add(file, tr("Classify a folder…"), window.predict_panel.choose_folder)
        self._add(file, tr("Open a model…"), answers.ask_model)
        self.save_model = self._add(file, tr("Save model as…"), answers.save_current_model, Key.SaveAs)
        self.export = self._add(file, tr("Export for other programs…"), window.onnx.ask_current)
        self.save_answers = self._add(file, tr("Save answers as CSV…"), answers.exports.save_csv)
        file.addSeparator()
        self._add(file, tr("Quit"), window.close, "Ctrl+Q")
        self._add(edit, tr("Paste photos"), window.predict_panel.paste, "Ctrl+Shift+V")
        self.undo_moves = self._add(edit, tr("Bring moved photos back"), answers.exports.undo_moves)
        self.undo_moves.setEnabled(False)
        self.copy_answers = self._add(edit, tr("Copy answers"), window.predict_panel.copy, "Ctrl+Shift+C")
        self.train = self._add(run, tr("Train"), wishes.train, "Ctrl+Return")
        self.stop = self._add(run, tr("Stop"), window.run.stop, "Ctrl+.")
        run.addSeparator()
        self._add(run, tr("Look for devices again"), window.hardware.test, Key.Refresh)
        for number, name in enumerate((tr("Curves"), tr("Results"), tr("Runs"))):
            self._add(view, name, partial(window.show_tab, number), f"Ctrl+{number + 1}")
        view.addSeparator()
        schemes = QActionGroup(view)
        for name, scheme in ((tr("As the system"), "system"), (tr("Light"), "light"), (tr("Dark"), "dark")):
            action = self._add(view, name, partial(help_wishes.set_appearance, scheme))
            action.setCheckable(True)
            action.setChecked(scheme == window.preferences.now.appearance)
            schemes.addAction(action)
        self.compare = self._add(tools, tr("Compare devices…"), wishes.compare_devices)
        self._add(help_menu, tr("Keys"), help_wishes.show_keys, "F1")
        self._add(help_menu, tr("This computer"), help_wishes.show_computer)
        self._add(help_menu, tr("Open log file"), help_wishes.open_log)
        self._add(help_menu, tr("Report a problem…"), help_wishes.report_problem)
        self._add(help_menu, tr("About"), help_wishes.show_about)

    def allow(self, *, train: bool, stop: bool, compare: bool) -> bool:
        """What may be done now; whether that is news."""
        if (train, stop, compare) == self._allowed:
            return False
        self._allowed = (train, stop, compare)
        self.train.setEnabled(train)
        self.stop.setEnabled(stop)
        self.compare.setEnabled(compare)
        return True

    def show_recent(self, folders: tuple[str, ...], choose: Callable[[str], None]) -> None:
        self.recent.clear()
        self.recent.setEnabled(bool(folders))
        for folder in folders:
            self._add(self.recent, folder.replace("&", "&&"), partial(choose, folder))

    def _add(
        self, menu: QMenu, name: str, action: Callable[[], object], key: QKeySequence.StandardKey | str | None = None
    ) -> QAction:
        result = menu.addAction(name)
        result.triggered.connect(lambda _checked=False: action())
        if key is not None:
            result.setShortcut(QKeySequence(key))
        return result

    @staticmethod
    def _tr(source: str) -> str:
        return QCoreApplication.translate("Menus", source)
