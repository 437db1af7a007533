"""Real drag and drop events, and where they end up."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from catdog_gui.engine.events import Prediction
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

    qtbot.waitUntil(lambda: jobs.predicted == [[pets]], timeout=LIMIT_MS)
    qtbot.waitUntil(lambda: len(jobs.scanned) == 2, timeout=LIMIT_MS)


def test_a_model_dropped_in_the_middle_can_be_opened(window: Any, tmp_path: Path) -> None:
    from catdog_gui.ui.drops import parse

    (words,) = (
        action.text() for action in window.wishes.drop_menu(parse(mime_of(tmp_path / "m.safetensors"))).actions()
    )

    assert words == "Open this model"


def test_without_a_model_a_dropped_folder_is_declined_in_words(
    qtbot: Any, window: Any, find: Any, jobs: Any, pets: Path
) -> None:
    enter(find(window, "dropArea"), mime_of(pets))
    drop(find(window, "dropArea"), mime_of(pets))

    said = window.predict_panel
    qtbot.waitUntil(
        lambda: any("There is no model to ask yet" in part.text() for part in said.findChildren(QLabel)),
        timeout=LIMIT_MS,
    )
    assert jobs.predicted == []


def test_the_window_never_waits_for_the_drive_of_what_is_dropped_or_answered(
    qtbot: Any, window: Any, find: Any, jobs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A share that is gone answers after half a minute."""
    share = tmp_path / "share"
    photo = share / "rex.jpg"
    asked: list[threading.Thread] = []
    stat = os.stat

    def looked(path: Any, *args: Any, **more: Any) -> Any:
        if str(path).startswith(str(share)):
            asked.append(threading.current_thread())
        return stat(path, *args, **more)

    monkeypatch.setattr(os, "stat", looked)
    jobs.answers = [
        Prediction(str(photo), "sure", "cats", "cats", {"cats": 0.99, "dogs": 0.01}, calibrated=True, novelty=0.1)
    ]
    window.predict.use(tmp_path / "m.safetensors", ModelLine("pets"))

    enter(find(window, "dropArea"), mime_of(share))
    drop(find(window, "dropArea"), mime_of(share))
    qtbot.waitUntil(lambda: window.predict.state.predictions != [], timeout=LIMIT_MS)
    rows = find(window, "predictionList")
    rows.setCurrentIndex(rows.model().index(0, 0))
    menu = window.predict_panel._menu()
    next(action for action in menu.actions() if action.text() == "Open the photo").trigger()
    menu.deleteLater()
    qtbot.waitUntil(
        lambda: any("There is no such file" in part.text() for part in window.predict_panel.findChildren(QLabel)),
        timeout=LIMIT_MS,
    )

    assert asked
    assert threading.main_thread() not in asked
