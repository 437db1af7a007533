"""The first screen, and what leads from it."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from catdog_gui.engine.events import Prediction
from catdog_gui.session.data import Dataset
from catdog_gui.ui.job_values import Samples

LIMIT_MS = 10_000


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_cards_work_by_keyboard(qtbot: Any, window: Any, find: Any, jobs: Any, pets: Path, key: Qt.Key) -> None:
    jobs.drawn = Samples(pets, ())

    qtbot.keyClick(find(window, "samplesTile"), key)

    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)


def test_the_sample_pictures_are_drawn_and_then_the_dataset(
    qtbot: Any, window: Any, find: Any, jobs: Any, tmp_path: Path
) -> None:
    drawn = tmp_path / "drawn"
    jobs.drawn = Samples(drawn, (tmp_path / "one.jpg",))
    jobs.datasets[drawn] = Dataset(drawn, "class_folders", {"cats": 200, "dogs": 200})

    qtbot.mouseClick(find(window, "samplesTile"), Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)
    assert find(window, "dataFolderEdit").text() == str(drawn)


def test_after_a_run_on_drawings_those_kept_back_are_offered(
    qtbot: Any, window: Any, find: Any, jobs: Any, tmp_path: Path, make_started: Any, make_result: Any
) -> None:
    drawn, kept_back = tmp_path / "drawn", (tmp_path / "one.jpg", tmp_path / "two.jpg")
    jobs.drawn = Samples(drawn, kept_back)
    jobs.datasets[drawn] = Dataset(drawn, "class_folders", {"cats": 200, "dogs": 200})
    jobs.script, jobs.ending = [make_started(tmp_path / "run")], [make_result(tmp_path / "run")]
    window.wishes.draw_samples()
    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)
    assert not window.held_out.isVisible()

    with qtbot.waitSignal(window.run.ended, timeout=LIMIT_MS):
        jobs.release.set()
        window.wishes.train()

    assert window.held_out.isVisible()
    jobs.answers = [Prediction(str(kept_back[0]), "sure", "cats", "cats", {"cats": 1.0}, True, 0.1)]
    find(window, "heldOutButton").click()
    assert jobs.predicted == [list(kept_back)]
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)
    assert not window.held_out.isVisible()  # tried


def test_recent_folders_lead_back(qtbot: Any, window: Any, find: Any, pets: Path) -> None:
    window.preferences.remember_folder(pets)

    window.welcome._recent.linkActivated.emit("0")

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)


def test_progress_of_the_drawing_is_shown(window: Any, find: Any) -> None:
    window.data.drawing.emit(120, 400)

    assert find(window, "samplesTile").words.text() == "Drawing 120 of 400…"
    assert not find(window, "samplesTile").isEnabled()

    window.data.drawing.emit(0, 0)

    assert find(window, "samplesTile").isEnabled()


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_on_the_first_screen_is_cut_off_or_out_of_sight(
    qtbot: Any, window_in: Any, cut_off: Any, tmp_path: Path, language: str
) -> None:
    window = window_in(language)
    window.welcome.render_recent(("/a/holiday photos", "/b/pets", "/c/birds"), ("the run of today 20:10", tmp_path))
    last = window.welcome._recent

    for size in ((960, 600), (1024, 640), (1280, 800)):
        window.resize(*size)
        qtbot.waitUntil(lambda size=size: (window.width(), window.height()) == size, timeout=LIMIT_MS)

        assert cut_off(window.welcome) == []
        place = last.rect().translated(last.mapTo(window.middle_card, last.rect().topLeft()))
        assert window.middle_card.rect().contains(place)
