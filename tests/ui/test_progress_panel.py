"""The head of the middle column: chips, figures and the sentence, at every width that the window can have."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel

from catdog_gui.engine import events
from catdog_gui.session.state import RunState
from catdog_gui.ui import theme
from catdog_gui.ui.progress_panel import ProgressPanel

NARROWEST, SMALL, USUAL = 334, 398, 606


@pytest.fixture
def panel(qtbot: Any, qapp: QApplication, _look_restored: None) -> ProgressPanel:
    theme.apply(qapp)
    panel = ProgressPanel()
    qtbot.addWidget(panel)
    panel.resize(USUAL, 80)
    panel.show()
    return panel


def training(make_started: Any, tmp_path: Path) -> RunState:
    """Epoch 24 of 30, 1,234 photos a second."""
    state = RunState()
    state.begin()
    state.apply(make_started(tmp_path, epochs=30))
    state.apply(events.PhaseStarted("train"))
    state.apply(
        events.StepDone(step=24, epoch=24, loss=0.5, lr=0.1, photos_per_s=1234.0, data_ms=1.0, compute_ms=1.0, steps=30)
    )
    return state


def shown(panel: ProgressPanel) -> list[QLabel]:
    return [part for part in panel.findChildren(QLabel) if part.isVisible() and part.text()]


@pytest.mark.parametrize("width", [NARROWEST, SMALL, USUAL])
def test_nothing_is_cut_off(qtbot: Any, panel: ProgressPanel, make_started: Any, tmp_path: Path, width: int) -> None:
    panel.resize(width, 80)
    panel.render(training(make_started, tmp_path), 78.0)

    def whole() -> bool:
        lines = [part for part in shown(panel) if not part.wordWrap()]
        return all(part.width() >= part.sizeHint().width() for part in lines)

    qtbot.waitUntil(whole, timeout=2000)
    words = " ".join(part.text() for part in shown(panel))
    assert "Train · epoch 24 of 30" in words
    assert "1,234 photos/s · 1:18 left" in words


def test_narrow_phases_that_are_over_are_ticked_and_named_to_screen_readers(
    panel: ProgressPanel, make_started: Any, tmp_path: Path
) -> None:
    panel.resize(300, 80)
    panel.render(training(make_started, tmp_path), None)

    ticks = [part for part in shown(panel) if part.text() == "✓"]

    assert [part.accessibleName() for part in ticks] == ["Scan", "Prepare"]
    assert [part.toolTip() for part in ticks] == ["Scan", "Prepare"]


def test_no_time_is_promised_once_stop_was_pressed(panel: ProgressPanel, make_started: Any, tmp_path: Path) -> None:
    state = training(make_started, tmp_path)
    state.ask_stop()

    panel.render(state, 78.0)

    assert not any("left" in part.text() for part in shown(panel))


def test_nothing_is_cut_off_when_the_window_is_made_smaller_while_a_run_lives(
    qtbot: Any, ready: Any, jobs: Any, make_started: Any, tmp_path: Path
) -> None:
    step = events.StepDone(
        step=24, epoch=24, loss=0.5, lr=0.1, photos_per_s=1234.0, data_ms=1.0, compute_ms=1.0, steps=30
    )
    jobs.script = [make_started(tmp_path / "run", epochs=30), events.PhaseStarted("train"), step]
    ready.wishes.train()
    qtbot.waitUntil(lambda: ready.run.state.epoch == 24, timeout=10_000)

    ready.resize(960, 600)

    def whole() -> bool:
        chips = [part for part in shown(ready.progress) if part.property("role") == "chip"]
        return len(chips) == 4 and all(chip.width() >= chip.sizeHint().width() for chip in chips)

    qtbot.waitUntil(whole, timeout=2000)


def test_a_photo_that_does_not_come_is_named_in_the_status(
    panel: ProgressPanel, make_started: Any, tmp_path: Path
) -> None:
    state = training(make_started, tmp_path)
    state.apply(events.Notice("photo_waits", {"path": "/drive/a.jpg"}))

    panel.render(state, 78.0)

    assert panel.status.text().startswith("/drive/a.jpg has not come for a minute")


def test_by_what_the_best_epoch_is_chosen_is_told_where_it_is_named(
    panel: ProgressPanel, make_started: Any, tmp_path: Path
) -> None:
    state = training(make_started, tmp_path)
    state.apply(events.EpochDone(3, 30, 0.1, 0.9, 0.1, 0.957, 30, best=True))

    panel.render(state, 78.0)

    assert panel.status.text().startswith("Best so far")
    assert "smallest log loss on the check photos" in panel.status.toolTip()


@pytest.mark.parametrize("known", [True, False], ids=["known", "not known"])
def test_while_a_run_is_paused_its_bar_stands_still_and_is_grey(
    panel: ProgressPanel, make_started: Any, tmp_path: Path, known: bool
) -> None:
    state = training(make_started, tmp_path) if known else RunState()
    if not known:
        state.begin()
    panel.render(state, None)
    moving = bar_colour(panel)
    state.paused = True

    panel.render(state, None)

    assert panel.bar.maximum() > 0  # Qt lets a bar without a maximum run to and fro
    assert panel.bar.value() == (800 if known else 0)
    assert not known or bar_colour(panel) not in (moving, QColor(theme.colours().accent))

    state.paused = False
    panel.render(state, None)

    assert bar_colour(panel) == moving or not known


def bar_colour(panel: ProgressPanel) -> QColor:
    """At its left end, where it is filled."""
    return panel.bar.grab().toImage().pixelColor(6, panel.bar.height() // 2)


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        (None, "the program is loaded"),
        ("scan", "the drive has answered"),
        ("prepare", "the photos it is working on"),
        ("train", "the step under way"),
        ("save", "being saved"),
        ("validate", "the photos it is working on"),
    ],
)
def test_a_run_that_takes_its_time_to_stop_says_what_it_waits_for(
    qtbot: Any, panel: ProgressPanel, make_started: Any, tmp_path: Path, phase: Any, words: str
) -> None:
    state = RunState() if phase in (None, "scan", "prepare") else training(make_started, tmp_path)
    state.begin()
    if phase is not None:
        state.apply(events.PhaseStarted(phase))
    state.ask_stop()
    panel.render(state, None)
    assert panel.status.text().startswith("Stopping")
    assert phase == "save" or panel.status.text() == "Stopping…"

    qtbot.waitUntil(lambda: words in panel.status.text(), timeout=10_000)  # though nothing new has come
