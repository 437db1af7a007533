"""The card Photos."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from catdog_gui.session.data import Dataset, DataState, Said
from catdog_gui.ui.data_panel import SHOWN_CLASSES, DataPanel
from catdog_gui.ui.folder_edit import end_of_path
from catdog_gui.ui.job_values import Thumbnail
from catdog_gui.ui.widgets import ThumbStrip


@pytest.fixture
def panel(qtbot: Any) -> DataPanel:
    panel = DataPanel()
    qtbot.addWidget(panel)
    panel.resize(276, 600)
    panel.show()
    yield panel
    panel.hide()


def show(panel: DataPanel, dataset: Dataset, *, use_split: bool = True) -> None:
    state = DataState()
    state.choose(dataset.root, use_split=use_split)
    state.scanned(dataset)
    panel.render(state, enabled=True, val_fraction=0.2)
    QApplication.processEvents()  # new rows are shown by an event


def texts(panel: DataPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


def test_nothing_chosen_says_what_a_folder_should_look_like(panel: DataPanel) -> None:
    panel.render(DataState(), enabled=True, val_fraction=0.2)

    assert any("One sub-folder for each class" in text for text in texts(panel))


def test_class_names_are_never_read_as_markup(panel: DataPanel) -> None:
    show(panel, Dataset(Path("/x"), "class_folders", {"<b>cats</b>": 30, "dogs": 30}))

    label = next(label for label in panel.findChildren(QLabel) if label.text() == "<b>cats</b>")
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_a_scan_counts_and_can_be_cancelled(panel: DataPanel, qtbot: Any) -> None:
    state = DataState()
    state.choose(Path("/x"))
    state.progress(12_000)
    panel.render(state, enabled=True, val_fraction=0.2)

    line = next(label for label in panel.findChildren(QLabel) if "12,000 photos" in label.text())
    with qtbot.waitSignal(panel.cancel_requested):
        line.linkActivated.emit("cancel")


def test_a_hundred_classes_are_counted_not_listed(panel: DataPanel) -> None:
    show(panel, Dataset(Path("/x"), "class_folders", {f"class{n:03}": 30 for n in range(100)}))

    shown = [text for text in texts(panel) if text.startswith("class")]
    assert len(shown) == SHOWN_CLASSES
    assert f"and {100 - SHOWN_CLASSES} more classes" in texts(panel)


def test_warnings_are_said(panel: DataPanel) -> None:
    warning = Said("few_photos", {"count": 1, "name": "cats", "photos": 7})
    show(panel, Dataset(Path("/x"), "class_folders", {"cats": 7, "dogs": 30}, warnings=(warning,)))

    assert any(text.startswith("“cats” has only 7 photos.") for text in texts(panel))


def test_a_thumbnail_appears_in_its_place(panel: DataPanel) -> None:
    examples = {"cats": (Path("/x/cats/1.jpg"),), "dogs": (Path("/x/dogs/1.jpg"),)}
    show(panel, Dataset(Path("/x"), "class_folders", {"cats": 30, "dogs": 30}, examples=examples))
    pixels = np.zeros((72, 72, 3), np.uint8)
    pixels[..., 0] = 250

    panel.show_thumbnail(Thumbnail("dogs", 0, pixels))

    cats, dogs = (
        next(s for s in panel.findChildren(ThumbStrip) if s.accessibleName() == f"Photos of {name}")
        for name in ("cats", "dogs")
    )
    assert dogs.grab().toImage().pixelColor(10, 10).red() == 250
    assert cats.grab().toImage().pixelColor(10, 10).red() != cats.grab().toImage().pixelColor(10, 10).blue() + 250


def test_a_late_thumbnail_of_another_folder_is_left_out(panel: DataPanel) -> None:
    show(panel, Dataset(Path("/x"), "class_folders", {"cats": 30, "dogs": 30}))

    panel.show_thumbnail(Thumbnail("birds", 0, np.zeros((8, 8, 3), np.uint8)))

    assert panel.findChildren(ThumbStrip) == []


def test_the_split_of_the_folders_is_said_with_its_undo(panel: DataPanel, qtbot: Any) -> None:
    show(panel, Dataset(Path("/x"), "train_val", {"cats": 30, "dogs": 30}, own_check=12))

    assert "48 to learn, 12 to check" in texts(panel)
    line = next(label for label in panel.findChildren(QLabel) if "Split anew instead" in label.text())
    with qtbot.waitSignal(panel.split_chosen) as caught:
        line.linkActivated.emit("anew")
    assert caught.args == [False]


def test_a_long_path_shows_its_end() -> None:
    path = str(Path("/home/somebody/pictures/2026/cats and dogs"))

    assert end_of_path(path, lambda text: len(text) <= 100) == path
    assert end_of_path(path, lambda text: len(text) <= 24) == "…/2026/cats and dogs"
    assert end_of_path(path, lambda text: len(text) <= 3) == "cats and dogs"
