"""The window without a pointer: Tab reaches everything and is held nowhere; all keys stand in one list."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QWidget

from catdog_gui.ui.dialogs import TextDialog

LIMIT_MS = 10_000
MOST = 120  # controls on one screen


def tour(qtbot: Any, window: Any) -> list[QWidget]:
    """What has the focus after each Tab, until it comes round."""
    window.activateWindow()
    window.data_panel.edit.setFocus()
    qtbot.waitUntil(lambda: window.focusWidget() is window.data_panel.edit, timeout=LIMIT_MS)
    stops = [window.focusWidget()]
    for _ in range(MOST):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        if window.focusWidget() is stops[0]:
            return stops
        stops.append(window.focusWidget())
    raise AssertionError(f"Tab is held by {stops[-1]}")


def end_a_run(qtbot: Any, window: Any, jobs: Any, run: Path, started: Any, result: Any) -> None:
    jobs.script, jobs.ending = [started(run)], [result(run)]
    with qtbot.waitSignal(window.run.ended, timeout=LIMIT_MS):
        jobs.release.set()
        window.wishes.train()
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)


@pytest.mark.parametrize("tab", [0, 1, 2])
def test_tab_reaches_every_control_and_comes_round(
    qtbot: Any, ready: Any, jobs: Any, tmp_path: Path, make_started: Any, make_result: Any, tab: int
) -> None:
    end_a_run(qtbot, ready, jobs, tmp_path / "run", make_started, make_result)
    ready.train_panel.open_advanced(True)
    ready.show_tab(tab)

    stops = tour(qtbot, ready)

    controls = [c for kind in (QAbstractButton, QLineEdit, QComboBox) for c in ready.findChildren(kind)]
    missed = [
        c.objectName() or c.accessibleName()
        for c in controls
        if c.isVisible() and c.isEnabled() and c.focusPolicy() & Qt.FocusPolicy.TabFocus and c not in stops
    ]
    assert missed == []


def test_tab_goes_from_the_photos_to_train_to_the_answers(qtbot: Any, ready: Any, find: Any) -> None:
    stops = [stop.objectName() for stop in tour(qtbot, ready)]

    wanted = [
        "dataFolderEdit",
        "chooseFolderButton",
        "deviceCombo",
        "presetCombo",
        "trainButton",
        "openFirstModelButton",
    ]
    assert [name for name in stops if name in wanted] == wanted


def test_every_stop_of_tab_has_a_name(qtbot: Any, ready: Any) -> None:
    assert [type(stop).__name__ for stop in tour(qtbot, ready) if not stop.accessibleName()] == []


def test_a_sentence_without_links_is_no_stop(qtbot: Any, ready: Any, find: Any) -> None:
    assert find(ready, "trainNote") not in tour(qtbot, ready)


def test_all_keys_stand_in_one_list(ready: Any) -> None:
    ready.help_wishes.show_keys()
    dialog = ready.findChild(TextDialog, "keysDialog")
    said = dialog.content()
    dialog.close()

    for key, words in (
        ("Ctrl+O", "File: Choose a folder of photos…"),
        ("Ctrl+Return", "Run: Train"),
        ("Ctrl+.", "Run: Stop"),
        ("F1", "Help: Keys"),
        ("Esc", "It never stops a run"),
    ):
        assert any(line.startswith(key) and words in line for line in said.splitlines()), key


def test_ctrl_return_trains(qtbot: Any, ready: Any, jobs: Any) -> None:
    ready.activateWindow()

    qtbot.keyClick(ready, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    qtbot.waitUntil(lambda: len(jobs.configs) == 1, timeout=LIMIT_MS)


def test_escape_does_not_stop_a_run(qtbot: Any, ready: Any, jobs: Any) -> None:
    ready.wishes.train()

    qtbot.keyClick(ready, Qt.Key.Key_Escape)

    assert ready.property("runPhase") in ("preparing", "running")
