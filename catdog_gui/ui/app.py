"""Puts the application together: look, language, log, faults, window."""

import contextlib
import gc
import logging
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QLibraryInfo, QLocale, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from catdog_gui.engine.home import log_file, resources_dir
from catdog_gui.session import settings as preferences
from catdog_gui.ui import theme
from catdog_gui.ui.garbage import GarbageCollector
from catdog_gui.ui.main_window import MainWindow

if TYPE_CHECKING:
    from catdog_gui.ui.dialogs import FaultDialog
    from catdog_gui.ui.jobs import Jobs

FIRST_PAINT_MS = 200  # the longest wait for it: a window that starts minimised is not painted at all
SWITCH_S = 0.0005  # each call into Qt lets a worker in and waits for it as long: a redraw makes a hundred
NICENESS = 5  # of all jobs: else the ten threads of a run are in the way of each redraw
LOG_BYTES = 1_000_000
_log = logging.getLogger("catdog_gui")


def build(argv: Sequence[str] = (), *, jobs: "Jobs | None" = None) -> tuple[QApplication, MainWindow]:
    """Make the window for these arguments (without the program's name) and show it; the event loop is the caller's.

    jobs: what does the work; tests pass their own.
    """
    language, paths = _arguments(argv)
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([sys.argv[0], "-style", theme.STYLE])
        app.setProperty(theme.STYLED, True)
    app.setApplicationName("catdog_gui")
    app.setApplicationDisplayName("Cat & Dog Trainer")
    app.setDesktopFileName("catdog_gui")
    _translate(app, language)
    remembered = preferences.load()
    if remembered.appearance != "system":
        theme.choose_scheme(app, remembered.appearance)
    app.setStyleSheet("")  # it comes when the parts are put together
    theme.prepare(app)
    app.styleHints().colorSchemeChanged.connect(lambda _scheme: theme.apply(app))
    window = MainWindow(remembered)
    theme.apply(app)
    _show(window)
    GarbageCollector(window)
    window.complete(jobs or _jobs())
    window.wishes.open_paths([Path(path).expanduser().absolute() for path in paths])
    return app, window


def _show(window: MainWindow) -> None:
    """Show what there is, and let it be painted before more is made. What the user does meanwhile waits."""
    loop = QEventLoop()
    window.painted.connect(loop.quit)
    QTimer.singleShot(FIRST_PAINT_MS, loop.quit)
    window.show()
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)


def _jobs() -> "Jobs":
    from catdog_gui.ui.jobs import Jobs  # after the first paint, as all that it brings in

    return Jobs()


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window and stay until it is closed. Returns the exit code. Main thread."""
    app, window = build(sys.argv[1:] if argv is None else argv)
    _start_log()
    let_the_window_go_first()
    faults = Faults(window)
    sys.excepthook = faults.report
    threading.excepthook = _log_thread_fault
    code = app.exec()
    if window.closing.stuck or _reads_a_dead_drive():  # what does not end would make Qt abort while it clears up
        logging.shutdown()
        os._exit(code)
    return code


def _reads_a_dead_drive() -> bool:
    reading = sys.modules.get("catdog_gui.engine.photos.reading")
    return reading is not None and reading.is_hanging()


def let_the_window_go_first() -> None:
    """Before all that works for it. For a program that is this window and nothing else: it is for the whole process."""
    from catdog_gui.ui.bridge import JobThread

    sys.setswitchinterval(SWITCH_S)
    gc.freeze()  # the window and the modules stay as long as the program
    JobThread.niceness = NICENESS


class Faults:
    """The exception hook: log every fault, show the first of them until its dialog is closed."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._dialog: FaultDialog | None = None
        self._reporting = False

    def report(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        _log.error("fault in the window\n%s", details)
        if self._dialog is not None or self._reporting:  # a failing timer must not open a hundred of them
            return
        self._reporting = True
        try:
            from catdog_gui.ui.dialogs import FaultDialog

            self._dialog = FaultDialog(details, str(log_file()), self._window)
            self._dialog.finished.connect(self._on_closed)
            self._dialog.log_requested.connect(self._window.help_wishes.open_log)
            self._dialog.report_requested.connect(self._window.help_wishes.report_problem)
            self._dialog.open()
        finally:
            self._reporting = False

    def _on_closed(self, _result: int) -> None:
        self._dialog = None


def _log_thread_fault(fault: threading.ExceptHookArgs) -> None:
    """A fault in a helper thread of the engine: for the log; the job that it belongs to tells the user."""
    details = traceback.format_exception(fault.exc_type, fault.exc_value, fault.exc_traceback)
    _log.error("fault in a thread\n%s", "".join(details))


def _arguments(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """The language of `--lang CODE`, and the paths."""
    rest, language = list(argv), None
    for index, word in enumerate(rest):
        if word == "--lang" and index + 1 < len(rest):
            language = rest[index + 1]
            del rest[index : index + 2]
            break
        if word.startswith("--lang="):
            language = word.partition("=")[2]
            del rest[index]
            break
    return language, rest


def _translate(app: QApplication, language: str | None) -> None:
    """Load Qt's own words and ours for the language; English where there are none."""
    locale = QLocale(language) if language else QLocale()
    if locale.language() is QLocale.Language.C:  # it groups no digits
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    QLocale.setDefault(locale)
    ours, qts = QTranslator(app), QTranslator(app)
    if ours.load(locale, "catdog_gui", "_", str(resources_dir() / "i18n")):
        app.installTranslator(ours)
        # Only together: half a window in another language helps nobody.
        if qts.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            app.installTranslator(qts)


def _start_log() -> None:
    """Log to a file that is rolled over at 1 MB; a home that cannot be written leaves the window without a log."""
    from logging.handlers import RotatingFileHandler  # imports socket: not before it is needed

    with contextlib.suppress(OSError):
        path = log_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
        logging.raiseExceptions = False  # a full disk costs lines of the log, and nothing else
        _log.addHandler(handler)
        _log.setLevel(logging.INFO)
