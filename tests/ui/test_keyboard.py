"""The window without a pointer: Tab reaches everything and is held nowhere; all keys stand in one list."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QVBoxLayout, QWidget

from catdog_gui.session.prediction import PredictState
from catdog_gui.ui.answer_status import AnswerStatus
from catdog_gui.ui.careful_panel import CarefulPanel
from catdog_gui.ui.dialogs import TextDialog
from catdog_gui.ui.poor_panel import PoorPanel

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


# --- buttons that go while they have the focus -----------------------------------------------------------------------


@pytest.fixture
def focus() -> Callable[[QWidget], str]:
    """The object name of what has the keyboard focus in the window of a widget."""

    def name(widget: QWidget) -> str:
        focused = widget.window().focusWidget()
        return focused.objectName() if focused is not None else ""

    return name


def in_a_window(qtbot: Any, panel: QWidget) -> QWidget:
    """The panel below a field that Qt would give the focus to."""
    window = QWidget()
    body = QVBoxLayout(window)
    body.addWidget(QLineEdit())
    body.addWidget(panel)
    qtbot.addWidget(window)
    window.show()
    return window


def test_trying_poor_photos_takes_the_focus_to_stop_and_back(qtbot: Any, focus: Any, find: Any) -> None:
    panel = PoorPanel()
    window = in_a_window(qtbot, panel)
    panel.asked.connect(lambda: panel.render((), running=True))
    panel.stop_requested.connect(lambda: panel.render((), running=False))
    find(window, "poorPhotosButton").setFocus()

    QTest.keyClick(find(window, "poorPhotosButton"), Qt.Key.Key_Space)
    assert focus(panel) == "stopPoorPhotosButton"

    QTest.keyClick(find(window, "stopPoorPhotosButton"), Qt.Key.Key_Space)
    assert focus(panel) == "poorPhotosButton"


def test_the_focus_of_somebody_elsewhere_stays_there(qtbot: Any, focus: Any, find: Any) -> None:
    panel = PoorPanel()
    window = in_a_window(qtbot, panel)
    field = window.findChild(QLineEdit)
    field.setObjectName("field")
    field.setFocus()

    panel.render((), running=True)
    panel.render((), running=False)

    assert focus(panel) == "field"


def test_the_links_of_answers_hand_the_focus_on(qtbot: Any, focus: Any, find: Any) -> None:
    status, state = AnswerStatus(), PredictState(running=True, total=1000)
    window = in_a_window(qtbot, status)
    status.render(state, 0, 0)
    find(window, "pausePredictionButton").setFocus()

    state.paused = True
    status.render(state, 0, 0)
    assert focus(status) == "goOnPredictionButton"

    find(window, "stopPredictionButton").setFocus()
    state.running = state.paused = False
    status.render(state, 10, 10)
    assert focus(status) == "saveAnswersButton"


def test_back_to_advised_leaves_the_focus_at_the_slider(qtbot: Any, focus: Any, find: Any) -> None:
    panel = CarefulPanel()
    window = in_a_window(qtbot, panel)
    panel.show()
    find(window, "carefulSlider").setValue(1)
    find(window, "carefulBackButton").setFocus()

    QTest.keyClick(find(window, "carefulBackButton"), Qt.Key.Key_Space)

    assert focus(panel) == "carefulSlider"
