"""The whole main job in a real window with the real engine: choose, train, watch, read, try."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QWidget

from catdog_gui.session.state import RunPhase
from catdog_gui.ui import app as application
from catdog_gui.ui.main_window import MainWindow

LIMIT_MS = 120_000


@pytest.fixture
def window(qtbot: Any, qapp: Any) -> Iterator[MainWindow]:
    style, palette, font = qapp.style().name(), qapp.palette(), qapp.font()
    _app, window = application.build([])
    qtbot.waitUntil(lambda: window.background.is_idle and window.hardware.state.tested, timeout=LIMIT_MS)
    yield window
    window.run.stop()
    qtbot.waitUntil(lambda: not window.run.is_live, timeout=LIMIT_MS)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)  # here, not on a worker by the collector
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setFont(font)


def find(window: MainWindow, name: str) -> Any:
    found = window.findChildren(QWidget, name)
    assert len(found) == 1
    return found[0]


def choose(qtbot: Any, window: MainWindow, folder: Path) -> None:
    edit = find(window, "dataFolderEdit")
    edit.setText(str(folder))
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)


def points(window: MainWindow, name: str) -> int:
    """Points that are drawn in a plot."""
    items = find(window, name).getPlotItem().listDataItems()
    return sum(len(item.getData()[0]) for item in items if item.getData()[0] is not None)


def train_and_try(qtbot: Any, window: MainWindow, folder: Path, photo: Path) -> str:
    """Train, check what is on screen at the end, and return the answer for a photo."""
    choose(qtbot, window, folder)
    qtbot.mouseClick(find(window, "trainButton"), Qt.MouseButton.LeftButton)
    assert find(window, "stopButton").isEnabled()
    qtbot.waitUntil(lambda: not window.run.is_live, timeout=LIMIT_MS)
    assert window.property("runPhase") == "completed", window.run.state.failure
    assert all(points(window, name) for name in ("lossPlot", "accuracyPlot", "memoryPlot"))
    table = find(window, "confusionTable").model()
    assert table.rowCount() >= 2
    window.predict_panel.photos_dropped.emit([photo])
    qtbot.waitUntil(lambda: bool(window.predict.state.predictions), timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)
    answers = find(window, "predictionList").model()
    return str(answers.index(0, 0).data(Qt.ItemDataRole.DisplayRole))


def test_drawn_photos_are_learned_and_one_is_told_apart(
    qtbot: Any, window: MainWindow, tiny_dataset: Path, draw_photo: Any, tmp_path: Path
) -> None:
    photo = tmp_path / "new cat.jpg"
    draw_photo(kind=0, seed=999).save(photo)

    answer = train_and_try(qtbot, window, tiny_dataset, photo)

    assert answer.startswith("new cat.jpg")
    assert window.predict.state.predictions[0].top == "cats"
    assert window.run.state.result is not None
    assert (window.run.state.result.val["accuracy"] or 0) >= 0.9


def test_stop_keeps_a_model_that_answers(
    qtbot: Any, window: MainWindow, tiny_dataset: Path, draw_photo: Any, tmp_path: Path
) -> None:
    choose(qtbot, window, tiny_dataset)
    epochs = find(window, "setting_epochs")
    for name, value in (("setting_epochs", "5000"), ("setting_patience", "0")):
        find(window, name).setText(value)
        find(window, name).textEdited.emit(value)
    assert epochs.property("bad") == "false"
    qtbot.mouseClick(find(window, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.run.state.best is not None, timeout=LIMIT_MS)

    qtbot.mouseClick(find(window, "stopButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.run.state.phase is RunPhase.STOPPED, timeout=LIMIT_MS)
    photo = tmp_path / "rex.jpg"
    draw_photo(kind=1, seed=998).save(photo)
    window.predict_panel.photos_dropped.emit([photo])

    qtbot.waitUntil(lambda: bool(window.predict.state.predictions), timeout=LIMIT_MS)
    assert window.predict.state.predictions[0].top == "dogs"


@pytest.mark.photos
def test_real_photos_are_learned_and_one_is_told_apart(
    qtbot: Any, window: MainWindow, photos_dir: Path, tmp_path: Path
) -> None:
    """200 photos a class, linked: the folder itself is never written to."""
    chosen = random.Random(0)
    for name in ("cats", "dogs"):
        (tmp_path / "pets" / name).mkdir(parents=True)
        for photo in chosen.sample(sorted((photos_dir / "train" / name).iterdir()), 200):
            (tmp_path / "pets" / name / photo.name).symlink_to(photo)
    used = {path.name for path in (tmp_path / "pets" / "dogs").iterdir()}
    unseen = next(path for path in sorted((photos_dir / "train" / "dogs").iterdir()) if path.name not in used)

    train_and_try(qtbot, window, tmp_path / "pets", unseen)

    assert window.predict.state.predictions[0].top == "dogs"
    assert window.run.state.result is not None
    assert (window.run.state.result.val["accuracy"] or 0) >= 0.95
