"""Real drag and drop events, and where they end up."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from catdog_gui.session.prediction import ModelLine

LIMIT_MS = 10_000
BUTTON, NO_KEYS, COPY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.DropAction.CopyAction


def mime_of(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def enter(widget: QWidget, mime: QMimeData) -> bool:
    event = QDragEnterEvent(QPoint(5, 5), COPY, mime, BUTTON, NO_KEYS)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def drop(widget: QWidget, mime: QMimeData) -> None:
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), COPY, mime, BUTTON, NO_KEYS))


@pytest.mark.parametrize("where", ["left", "dropTile"])
def test_a_folder_dropped_where_the_dataset_belongs_is_the_dataset(
    qtbot: Any, window: Any, find: Any, pets: Path, where: str
) -> None:
    target = window.left if where == "left" else find(window, where)
    mime = mime_of(pets)

    assert enter(target, mime)
    drop(target, mime)

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)
    assert find(window, "dataFolderEdit").text() == str(pets)


def test_a_photo_dropped_on_the_drop_area_is_classified(
    qtbot: Any, window: Any, find: Any, jobs: Any, tmp_path: Path
) -> None:
    window.predict.use(tmp_path / "m.safetensors", ModelLine("pets"))
    mime = mime_of(tmp_path / "rex.jpg")

    assert enter(find(window, "dropArea"), mime)
    drop(find(window, "dropArea"), mime)

    assert jobs.predicted == [[tmp_path / "rex.jpg"]]


def test_over_the_left_column_only_the_photos_light_up(window: Any, pets: Path) -> None:
    mime = mime_of(pets)

    enter(window.left, mime)
    lit = (window.data_panel.property("target"), window.right_card.property("target"))
    QApplication.sendEvent(window.left, QDragLeaveEvent())

    assert lit == ("true", "false")
    assert window.data_panel.property("target") == "false"


def test_over_the_middle_both_targets_light_up(window: Any, pets: Path) -> None:
    mime = mime_of(pets)

    assert enter(window, mime)
    lit = (window.data_panel.property("target"), window.right_card.property("target"))
    QApplication.sendEvent(window, QDragLeaveEvent())

    assert lit == ("true", "true")
    assert window.right_card.property("target") == "false"


def test_dropped_in_the_middle_the_choice_leads_to_either(
    qtbot: Any, ready: Any, jobs: Any, pets: Path, tmp_path: Path
) -> None:
    from catdog_gui.ui.drops import parse

    ready.predict.use(tmp_path / "m.safetensors", ModelLine("pets"))
    menu = ready.wishes.drop_menu(parse(mime_of(pets)))
    learn, ask = menu.actions()

    ask.trigger()
    learn.trigger()

    assert jobs.predicted == [[pets]]
    qtbot.waitUntil(lambda: len(jobs.scanned) == 2, timeout=LIMIT_MS)
