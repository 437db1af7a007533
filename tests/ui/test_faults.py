"""When something fails: the device list, the log, a report; and runs that are deleted."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QPushButton

from catdog_gui.engine import home
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.ui import help_wishes

LIMIT_MS = 10_000


def test_devices_are_looked_for_again_after_the_card_failed(qtbot: Any, ready: Any, jobs: Any, find: Any) -> None:
    jobs.error = CatDogError("device_broken", device="Test card", reason="CUDA error")
    asked: list[int] = []
    jobs.devices = lambda **_how: lambda send, should_stop: asked.append(1) or jobs.found_devices
    find(ready, "trainButton").click()
    jobs.release.set()

    qtbot.waitUntil(lambda: asked == [1], timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: ready.background.is_idle, timeout=LIMIT_MS)
    assert ready.property("runPhase") == "failed"
    assert "Start this program again" in find(ready.failure, "failureLabel").text()
    assert find(ready, "trainButton").isEnabled()


def test_a_failure_opens_the_log_and_a_report_in_one_click(
    qtbot: Any, window: Any, find: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        help_wishes, "QDesktopServices", type("Desk", (), {"openUrl": lambda url: opened.append(url.path())})
    )
    target = tmp_path / "report.zip"
    monkeypatch.setattr(help_wishes.QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    saved: list[tuple[Path, object, str]] = []
    window.help_wishes._jobs.problem_report = lambda *asked: lambda send, should_stop: saved.append(asked) or asked[0]
    home.log_file().parent.mkdir(parents=True, exist_ok=True)
    home.log_file().touch()
    window.show_failure(RunFailed("unexpected", {"reason": "KeyError"}, "Traceback"))
    find(window.failure, "openLogLink").click()
    find(window.failure, "reportProblemLink").click()

    assert [Path(path).name for path in opened] == ["catdog.log"]
    qtbot.waitUntil(lambda: window.findChild(QDialog, "reportSavedDialog") is not None, timeout=LIMIT_MS)
    assert saved == [(target, None, "[unexpected] {'reason': 'KeyError'}\n\nTraceback")]
    window.findChild(QDialog, "reportSavedDialog").close()


def test_without_a_log_the_window_says_where_it_would_be(window: Any, find: Any) -> None:
    window.help_wishes.open_log()

    assert str(home.log_file()) in find(window.failure, "failureLabel").text()


@pytest.mark.parametrize("trash", [True, False])
def test_a_run_is_deleted_after_asking_and_for_good_only_after_asking_again(
    qtbot: Any, window: Any, find: Any, trash: bool, make_result: Any
) -> None:
    run = kept_run(make_result)
    window.runs.refresh()
    qtbot.waitUntil(lambda: window.runs.summary(run) is not None, timeout=LIMIT_MS)
    if not trash:
        window.runs._jobs.delete_run = without_trash(window.runs._jobs.delete_run)
    else:
        window.runs._jobs.delete_run = with_trash
    window.show_tab(2)
    window.findChild(QAction, "deleteRunAction").trigger()
    go_on(window, "cancelButton")
    assert run.exists()

    window.findChild(QAction, "deleteRunAction").trigger()
    go_on(window)
    if not trash:
        qtbot.waitUntil(lambda: "for good" in said(window), timeout=LIMIT_MS)
        assert run.exists()
        go_on(window)
    qtbot.waitUntil(lambda: not run.exists() and not window.runs.runs, timeout=LIMIT_MS)
    assert window.predict.file is None


def kept_run(make_result: Any) -> Path:
    with runlog.create() as folder:
        folder.write_config(TrainConfig(data=Path("/pets")), {})
        folder.append(make_result(folder.path))
        folder.model_path.write_bytes(b"x")
    return folder.path


def go_on(window: Any, button: str = "wayOnButton") -> None:
    dialog = next(dialog for dialog in window.findChildren(QDialog, "deleteRunDialog") if dialog.isVisible())
    dialog.findChild(QPushButton, button).click()


def said(window: Any) -> str:
    dialogs = [dialog for dialog in window.findChildren(QDialog, "deleteRunDialog") if dialog.isVisible()]
    return dialogs[0].windowTitle() if dialogs else ""


def without_trash(delete: Any) -> Any:
    return lambda run, for_good: delete(run, for_good=True) if for_good else lambda send, should_stop: False


def with_trash(run: Path, for_good: bool) -> Any:
    assert not for_good
    return lambda send, should_stop: run_list.delete(run) or True
