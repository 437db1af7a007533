"""The keys that do something, in one list: those of the menus as they are, and those of single places."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar

from catdog_gui.ui.text import QT_TRANSLATE_NOOP

# Escape does not stop a run: it is pressed too easily, and hours may hang on it. It closes dialogs and menus.
PLACES = (
    ("Ctrl+V", QT_TRANSLATE_NOOP("Keys", "Try it: classify the photos or the picture on the clipboard")),
    ("Ctrl+C", QT_TRANSLATE_NOOP("Keys", "Try it: copy the selected answers, or all")),
    ("Return", QT_TRANSLATE_NOOP("Keys", "Runs: open the selected run")),
    ("Del", QT_TRANSLATE_NOOP("Keys", "Runs: delete the selected run, after asking")),
    ("F2", QT_TRANSLATE_NOOP("Keys", "Runs: rename the selected run")),
    ("Down", QT_TRANSLATE_NOOP("Keys", "Field with the folder: recent folders")),
    ("Esc", QT_TRANSLATE_NOOP("Keys", "Close a dialog or menu. It never stops a run")),
)


def key_list(bar: QMenuBar) -> str:
    """One line a key: as it is written on this system, and what it does."""
    lines = [(_shown(action.shortcut()), f"{menu}: {name}") for menu, name, action in _actions(bar)]
    lines += [(_shown(QKeySequence(key)), QCoreApplication.translate("Keys", words)) for key, words in PLACES]
    width = max(len(key) for key, _words in lines)
    return "\n".join(f"{key:<{width}}  {words}" for key, words in lines)


def _actions(bar: QMenuBar) -> Iterator[tuple[str, str, QAction]]:
    """Menu, name and action of each action with a key."""
    for entry in bar.actions():
        menu = entry.menu()
        for action in menu.actions() if menu is not None else ():  # type: ignore[attr-defined]  # a QMenu
            if not action.shortcut().isEmpty():
                yield _plain(entry.text()), _plain(action.text()), action


def _plain(name: str) -> str:
    return name.replace("&", "")


def _shown(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
