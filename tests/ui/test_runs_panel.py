"""The list of runs and what one can do with a run."""

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from catdog_gui.engine.runs.run_list import RunSummary, Status
from catdog_gui.ui import runs_model
from catdog_gui.ui.main_window import RUNS, MainWindow
from catdog_gui.ui.runs_panel import RunsPanel
from tests.ui.conftest import LIMIT_MS, FakeJobs


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[RunsPanel]:
    widget = RunsPanel()
    qtbot.addWidget(widget)
    widget.resize(600, 400)
    widget.show()
    yield widget
    widget.hide()


def run(
    number: int = 1, status: Status = "completed", accuracy: float | None = 0.9825, *, has_model: bool = True
) -> RunSummary:
    return RunSummary(
        path=Path(f"/runs/run-{number:04}"),
        name=f"run {number}",
        started=time.time(),
        status=status,
        preset="fast",
        model="net",
        classes=("cats", "dogs"),
        accuracy=accuracy,
        n_val=400 if accuracy is not None else None,
        epochs=10,
        has_model=has_model,
    )


def view(panel: RunsPanel) -> QAbstractItemView:
    return panel.findChild(QAbstractItemView, "runsList")


def shown(panel: RunsPanel) -> list[str]:
    model = view(panel).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def select(panel: RunsPanel, row: int) -> None:
    view(panel).setCurrentIndex(view(panel).model().index(row, 0))


def press(panel: RunsPanel, name: str) -> None:
    panel.findChild(QPushButton, name).click()


def trigger(panel: RunsPanel, name: str) -> None:
    panel.findChild(QAction, name).trigger()


def test_without_runs_it_says_how_to_make_one(panel: RunsPanel) -> None:
    panel.render([])

    assert any("Press Train" in label.text() for label in panel.findChildren(QLabel) if label.isVisible())
    assert not view(panel).isVisible()


def test_without_runs_of_its_own_it_tells_of_the_run_that_is_on_screen(panel: RunsPanel) -> None:
    panel.render([])
    said = panel.findChild(QLabel, "noRunsLabel")

    panel.tell_shown("/usb/old run", live=False)
    assert said.text().startswith("The run on screen lies in another place: /usb/old run.")
    assert "Press Train" not in said.text()

    panel.tell_shown("/home/me/run-0001", live=True)
    assert said.text() == "The run that is under way is listed here once it has ended."

    panel.tell_shown("", live=False)
    assert "Press Train" in said.text()


def test_a_run_is_told_in_words(panel: RunsPanel) -> None:
    panel.render([run()])

    assert shown(panel)[0].startswith("run 1: today ")
    assert shown(panel)[0].endswith("Fast, completed, 98.3 % of 400")


@pytest.mark.parametrize(
    ("status", "has_model", "words"),
    [
        ("stopped", True, "stopped by you"),
        ("failed", False, "failed"),
        ("running", False, "is training now"),
        ("interrupted", True, "cut off; the best model so far is there"),
        ("interrupted", False, "cut off before there was a model"),
    ],
)
def test_how_a_run_ended_is_said(panel: RunsPanel, status: Status, has_model: bool, words: str) -> None:
    panel.render([run(status=status, accuracy=None, has_model=has_model)])

    assert shown(panel)[0].endswith(words)


def test_return_and_double_click_open_a_run(panel: RunsPanel, qtbot: QtBot) -> None:
    panel.render([run(2), run(1)])
    select(panel, 1)

    with qtbot.waitSignal(panel.open_requested) as emitted:
        qtbot.keyClick(view(panel), Qt.Key.Key_Return)
    assert emitted.args == [run(1).path]

    with qtbot.waitSignal(panel.open_requested):
        view(panel).doubleClicked.emit(view(panel).model().index(1, 0))


def test_a_run_is_renamed_in_place(panel: RunsPanel, qtbot: QtBot) -> None:
    panel.render([run(2), run(1)])
    select(panel, 0)
    trigger(panel, "renameRunAction")
    editor = view(panel).findChild(QLineEdit)
    assert editor.text() == "run 2"

    editor.setText("  more   dogs ")
    with qtbot.waitSignal(panel.rename_requested) as emitted:
        qtbot.keyClick(editor, Qt.Key.Key_Return)

    assert emitted.args == [run(2).path, "more dogs"]


@pytest.mark.parametrize("name", ["", "   ", "run 1"])
def test_no_name_and_the_same_name_change_nothing(panel: RunsPanel, qtbot: QtBot, name: str) -> None:
    panel.render([run(1)])
    model = view(panel).model()

    with qtbot.assertNotEmitted(panel.rename_requested):
        assert not model.setData(model.index(0, 0), name, Qt.ItemDataRole.EditRole)


def test_folder_and_model_can_be_asked_for(panel: RunsPanel, qtbot: QtBot) -> None:
    panel.render([run(1)])
    select(panel, 0)

    with qtbot.waitSignal(panel.folder_requested) as folder:
        trigger(panel, "showRunFolderAction")
    with qtbot.waitSignal(panel.save_model_requested) as model:
        trigger(panel, "saveModelAction")

    assert folder.args == model.args == [run(1).path]


def test_a_run_without_a_model_cannot_save_one(panel: RunsPanel) -> None:
    panel.render([run(1, has_model=False)])
    select(panel, 0)

    assert not panel.findChild(QAction, "saveModelAction").isEnabled()
    assert panel.findChild(QPushButton, "openRunButton").isEnabled()


def test_nothing_can_be_done_while_there_is_no_run(panel: RunsPanel) -> None:
    panel.render([])

    for name in ("openRunButton", "goOnButton", "exportModelButton", "moreAboutRunButton"):
        assert not panel.findChild(QPushButton, name).isEnabled()


def test_the_newest_run_is_selected_at_first(panel: RunsPanel) -> None:
    panel.render([run(2), run(1)])

    chosen = panel.selected()

    assert chosen is not None
    assert chosen.path == run(2).path
    assert panel.findChild(QPushButton, "openRunButton").isEnabled()


def test_the_selected_run_stays_selected_when_a_new_one_comes(panel: RunsPanel) -> None:
    first, second = run(1), run(2)
    panel.render([second, first])
    select(panel, 1)

    panel.render([run(3), second, dataclasses.replace(first, name="renamed")])

    chosen = panel.selected()
    assert chosen is not None
    assert (chosen.path, chosen.name) == (first.path, "renamed")


def test_a_new_run_is_selected_when_the_newest_was_and_nobody_looks(panel: RunsPanel) -> None:
    panel.render([run(1)])
    panel.hide()

    panel.render([run(2), run(1)])

    chosen = panel.selected()
    assert chosen is not None
    assert chosen.path == run(2).path


def test_what_is_rarely_wanted_stands_in_a_menu(panel: RunsPanel) -> None:
    panel.render([run(1)])

    more = panel.findChild(QPushButton, "moreAboutRunButton").menu()

    words = [action.text() for action in more.actions() if not action.isSeparator()]
    assert words == ["Rename", "Show folder", "Save model as…", "Delete…"]
    assert all(action.isEnabled() for action in more.actions())


def test_rows_are_painted(panel: RunsPanel) -> None:
    panel.render([run(1), run(2, "failed", None), run(3, "interrupted")])
    select(panel, 0)

    picture = view(panel).grab().toImage()

    assert len({picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(0, 120, 2)}) > 10


def test_no_button_is_cut_off_where_the_window_is_narrow(panel: RunsPanel) -> None:
    panel.render([run(1)])
    panel.resize(400, 400)
    panel.grab()  # lays out

    for button in panel.findChildren(QPushButton):
        assert button.width() >= button.sizeHint().width()
        assert panel.rect().contains(button.geometry().translated(0, button.parentWidget().y()))


# --- runs of other programs ------------------------------------------------------------------------------------------


@pytest.fixture
def listed(window: MainWindow, jobs: FakeJobs) -> list[list[RunSummary]]:
    """What a look at the folder of runs finds."""
    found: list[list[RunSummary]] = [[]]
    jobs.runs = lambda: lambda _send, _should_stop: found[0]  # type: ignore[method-assign]
    return found


def test_a_run_made_by_another_program_is_there_when_the_list_is_shown(
    window: MainWindow, listed: list[list[RunSummary]], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_model, "LOOK_AGAIN_S", 0.0)
    listed[:] = [[run(1, "running", None)]]
    window.show_tab(RUNS)
    qtbot.waitUntil(lambda: len(shown(window.runs_panel)) == 1, timeout=LIMIT_MS)

    listed[:] = [[run(2), run(1)]]
    QApplication.sendEvent(window, QEvent(QEvent.Type.ActivationChange))  # the window is active again
    qtbot.waitUntil(lambda: len(shown(window.runs_panel)) == 2, timeout=LIMIT_MS)

    assert "98.3 %" in shown(window.runs_panel)[1]


def test_the_list_is_read_again_every_two_seconds_at_most(
    window: MainWindow, jobs: FakeJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: now[0])
    now = [1000.0]
    monkeypatch.setattr(runs_model, "time", clock)
    jobs.runs = lambda: looks.append(now[0]) or (lambda _send, _should_stop: [])  # type: ignore[method-assign, func-returns-value]

    for now[0] in (1000.0, 1001.0, 1001.9, 1002.0, 1003.0):
        window.show_tab(RUNS)
        window.show_tab(0)

    assert looks == [1000.0, 1002.0]


def test_a_look_that_fails_is_no_message(
    window: MainWindow, jobs: FakeJobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_send: object, _should_stop: object) -> list[RunSummary]:
        raise OSError("the drive is gone")

    monkeypatch.setattr(runs_model, "LOOK_AGAIN_S", 0.0)
    jobs.runs = lambda: broken  # type: ignore[method-assign]
    window.show_tab(RUNS)
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)

    assert window.failure.isHidden()
