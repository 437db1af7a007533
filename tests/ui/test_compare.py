"""The dialog "Compare devices": what it shows while it measures and afterwards, Stop, copying, what is missing."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from catdog_gui.engine import events
from catdog_gui.engine.errors import InputError
from catdog_gui.ui.compare_dialog import CompareDialog
from catdog_gui.ui.main_window import MainWindow
from catdog_gui.ui.speed_chart import SpeedChart

LIMIT_MS = 10_000
SLOW = events.BenchRow("cpu", "Intel(R) Xeon(R) CPU @ 2.10GHz", "fp32", 22.6, 1.0, 88.4, 1106, 11_060, 2540.0, 0.012, 6)
FAST = events.BenchRow("cuda:0", "NVIDIA GeForce RTX 3060", "bf16", 1043.5, 46.2, 1.92, 24.0, 239.6, 1310.0, 0.004, 50)
NONE = events.BenchRow("mps", "Apple GPU", "fp32", code="bench_no_mps")
NOW = events.BenchProgress("cuda:0", "NVIDIA GeForce RTX 3060", "bf16", 1, 3, pieces=2)


class Comparison:
    """The fake job: says `script`, waits for `release` or Stop, then raises `error` or says `rest`."""

    def __init__(self) -> None:
        self.script: list[events.Event] = [SLOW, NOW]
        self.rest: list[events.Event] = [FAST, NONE]
        self.error: Exception | None = None
        self.release = threading.Event()
        self.folders: list[Path] = []

    def job(self, folder: Path) -> Any:
        self.folders.append(folder)

        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> None:
            for event in self.script:
                send(event)
            while not (self.release.wait(0.005) or should_stop()):
                pass
            if self.error is not None:
                raise self.error
            if not should_stop():
                for event in self.rest:
                    send(event)

        return job


@pytest.fixture
def comparison(jobs: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    fake = Comparison()
    monkeypatch.setattr(jobs, "compare", fake.job, raising=False)
    yield fake
    fake.release.set()


@pytest.fixture
def dialog(ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any) -> Any:
    """The dialog at work: one row measured, a second one begun."""
    find(ready, "compareDevicesButton").click()
    dialog = ready.findChild(CompareDialog)
    qtbot.waitUntil(lambda: bool(ready.comparison.state.now), timeout=LIMIT_MS)
    yield dialog
    comparison.release.set()
    qtbot.waitUntil(lambda: not ready.comparison.state.running, timeout=LIMIT_MS)
    for opened in ready.findChildren(CompareDialog):
        opened.close()


def end(window: MainWindow, comparison: Comparison, qtbot: Any) -> None:
    comparison.release.set()
    qtbot.waitUntil(lambda: not window.comparison.state.running, timeout=LIMIT_MS)


def table_texts(dialog: QWidget, find: Any) -> list[list[str]]:
    table = find(dialog, "comparisonTable")
    columns = range(table.columnCount())
    return [[table.item(row, column).text() for column in columns] for row in range(table.rowCount())]


def test_devices_can_be_compared_once_there_are_photos(window: MainWindow, find: Any) -> None:
    assert not find(window, "compareDevicesButton").isEnabled()
    assert not window.menus.compare.isEnabled()
    window.wishes.compare_devices()

    assert window.findChild(CompareDialog) is None


def test_rows_appear_as_they_are_measured(dialog: Any, find: Any) -> None:
    assert table_texts(dialog, find) == [["CPU Intel Xeon · fp32", "22.6", "1.0 ×", "88 s", "3.1 h", "2.5 GB", "1 %"]]
    bars = dialog.findChild(SpeedChart).accessibleDescription()
    assert bars == "CPU Intel Xeon · fp32: 22.6 photos/s; RTX 3060 · bf16: measuring…"
    assert find(dialog, "stopComparisonButton").isVisible()
    assert find(dialog, "compareProgress").value() > 0


def test_a_photo_that_does_not_come_is_named_until_it_has_come(
    ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    comparison.script, comparison.rest = [events.Notice("photo_waits", {"path": "/drive/a.jpg"})], [NOW, FAST]
    find(ready, "compareDevicesButton").click()
    message = ready.findChild(CompareDialog)._message

    qtbot.waitUntil(lambda: message.text().startswith("/drive/a.jpg has not come for a minute"), timeout=LIMIT_MS)
    end(ready, comparison, qtbot)

    assert message.text() == ""


def test_what_is_missing_is_named_with_its_reason(
    dialog: Any, ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    end(ready, comparison, qtbot)

    assert [row[0] for row in table_texts(dialog, find)] == ["CPU Intel Xeon · fp32", "RTX 3060 · bf16"]
    assert find(dialog, "compareMissing").text() == "Apple GPU · fp32: Only Apple's own processors have it."
    assert not find(dialog, "stopComparisonButton").isVisible()
    assert not find(dialog, "compareProgress").isVisible()
    assert find(dialog, "compareAgainButton").isVisible()


def test_stop_keeps_the_rows_so_far(dialog: Any, ready: MainWindow, find: Any, qtbot: Any) -> None:
    stop = find(dialog, "stopComparisonButton")
    stop.click()
    assert (stop.text(), stop.isEnabled()) == ("Stopping…", False)
    qtbot.waitUntil(lambda: not ready.comparison.state.running, timeout=LIMIT_MS)

    assert len(table_texts(dialog, find)) == 1


def test_the_comparison_is_copied_as_text(
    dialog: Any, ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    end(ready, comparison, qtbot)
    find(dialog, "copyComparisonButton").click()

    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split()[0] == "Device"
    assert "46.2 ×" in lines[2]
    assert lines[3].startswith("Apple GPU")


def test_closing_the_dialog_stops_the_work_and_it_can_be_opened_anew(
    dialog: Any, ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    find(dialog, "closeComparisonButton").click()
    qtbot.waitUntil(lambda: not ready.comparison.state.running, timeout=LIMIT_MS)

    ready.menus.compare.trigger()

    assert len(comparison.folders) == 2


def test_measuring_again_begins_anew(
    dialog: Any, ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    end(ready, comparison, qtbot)
    find(dialog, "compareAgainButton").click()
    qtbot.waitUntil(lambda: not ready.comparison.state.running, timeout=LIMIT_MS)

    assert len(comparison.folders) == 2
    assert len(table_texts(dialog, find)) == 2


def test_a_failure_is_said_in_the_dialog(
    dialog: Any, ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    comparison.error = InputError("no_photos")
    end(ready, comparison, qtbot)

    assert find(dialog, "messageRow").isVisible()


def test_devices_are_not_compared_while_a_run_lives(
    ready: MainWindow, comparison: Comparison, find: Any, qtbot: Any
) -> None:
    find(ready, "trainButton").click()

    assert not find(ready, "compareDevicesButton").isEnabled()
    assert not ready.menus.compare.isEnabled()
    ready.wishes.compare_devices()
    assert comparison.folders == []
