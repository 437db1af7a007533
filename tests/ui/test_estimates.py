"""What a run will take, beside the presets: measured once, never while a run lives; a warning where it will not fit."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.config import PRESETS
from catdog_gui.engine.estimates.estimate import KINDS, Machine
from catdog_gui.ui import estimate_model
from catdog_gui.ui.main_window import MainWindow

LIMIT_MS = 10_000
KNOWN = Machine("cpu", "fp32", dict.fromkeys(KINDS, 1.0), measured=True)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate_model, "PAUSE_MS", 0)


@pytest.fixture
def unmeasured(jobs: Any) -> None:
    """A computer on which nothing was measured yet."""
    jobs.machine = Machine()


@pytest.fixture
def told(ready: MainWindow, qtbot: Any) -> MainWindow:
    """A window that has said what runs will take."""
    qtbot.waitUntil(lambda: ready.estimates.state.machine is not None, timeout=LIMIT_MS)
    return ready


def entries(window: MainWindow) -> list[str]:
    combo = window.train_panel.presets
    return [combo.itemText(index) for index in range(combo.count())]


def test_every_preset_names_its_time_and_the_chosen_one_its_memory(told: MainWindow, find: Any) -> None:
    fast, balanced, best, article = entries(told)

    assert fast.startswith("Fast · ")
    assert fast.endswith(" s")
    assert all(line.endswith((" min", " h")) for line in (balanced, best, article))
    assert find(told, "estimateNote").text().startswith("About ")
    assert "GB of memory" in find(told, "estimateNote").text()
    assert not find(told, "memoryWarning").isVisible()
    assert [told.train_panel.presets.itemData(index) for index in range(4)] == list(PRESETS)


def test_before_photos_are_chosen_nothing_is_said(window: MainWindow, find: Any) -> None:
    assert entries(window) == ["Fast", "Balanced", "Best", "The article's recipe"]
    assert not find(window, "estimateNote").isVisible()


def test_a_computer_that_was_never_measured_is_measured_once(
    jobs: Any, unmeasured: None, ready: MainWindow, find: Any, qtbot: Any
) -> None:
    qtbot.waitUntil(lambda: bool(jobs.measured), timeout=LIMIT_MS)
    assert find(ready, "estimateNote").text() == "Seeing how fast this computer is…"

    jobs.machine_measured = KNOWN
    jobs.measure_ends.set()
    qtbot.waitUntil(lambda: "·" in entries(ready)[0], timeout=LIMIT_MS)

    ((here, with_network),) = jobs.measured
    assert (here.device, here.precision, with_network) == ("cpu", "fp32", False)


def test_a_preset_that_moves_a_network_has_its_steps_measured(jobs: Any, ready: MainWindow, qtbot: Any) -> None:
    jobs.machine = replace(KNOWN, factors={"features": 1.0})
    jobs.measure_ends.set()
    ready.estimates.leave()
    presets = ready.train_panel.presets
    presets.setCurrentIndex(presets.findData("best"))

    qtbot.waitUntil(lambda: bool(jobs.measured), timeout=LIMIT_MS)
    assert jobs.measured[-1][1]
    qtbot.waitUntil(lambda: ready.background.is_idle, timeout=LIMIT_MS)


def test_nothing_is_measured_twice_though_it_told_nothing(
    jobs: Any, unmeasured: None, ready: MainWindow, qtbot: Any
) -> None:
    jobs.machine_measured = Machine()
    jobs.measure_ends.set()
    qtbot.waitUntil(lambda: bool(jobs.measured) and ready.background.is_idle, timeout=LIMIT_MS)

    ready.estimating.look()

    assert not ready.estimates._pause.isActive()
    assert len(jobs.measured) == 1


def test_train_ends_the_measurement(jobs: Any, unmeasured: None, ready: MainWindow, find: Any, qtbot: Any) -> None:
    qtbot.waitUntil(lambda: bool(jobs.measured), timeout=LIMIT_MS)

    find(ready, "trainButton").click()

    assert not ready.estimates.state.measuring
    jobs.release.set()
    jobs.measure_ends.set()
    qtbot.waitUntil(lambda: not ready.run.is_live and ready.background.is_idle, timeout=LIMIT_MS)


def test_after_a_run_what_it_took_is_read(jobs: Any, told: MainWindow, find: Any, qtbot: Any) -> None:
    asked = len(jobs.asked)
    jobs.release.set()
    find(told, "trainButton").click()

    qtbot.waitUntil(lambda: not told.run.is_live and len(jobs.asked) > asked, timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: "·" in entries(told)[0], timeout=LIMIT_MS)


def test_too_little_memory_is_said_under_the_preset_and_train_still_works(
    jobs: Any, window: MainWindow, pets: Path, find: Any, qtbot: Any
) -> None:
    jobs.free_mb = 100.0
    window.wishes.choose_folder(pets)
    warning = find(window, "memoryWarning")
    qtbot.waitUntil(warning.isVisible, timeout=LIMIT_MS)

    assert "0.1 GB are free" in warning.text()
    assert find(window, "trainButton").isEnabled()


def test_changed_settings_change_the_estimate(told: MainWindow, find: Any) -> None:
    before = entries(told)[0]
    told.train_panel.open_advanced(True)
    edit = find(told, "setting_epochs")
    edit.setText("5000")
    edit.textEdited.emit("5000")

    assert entries(told)[0] != before
    edit.setText("many")
    edit.textEdited.emit("many")
    assert entries(told)[0] == "Fast"
