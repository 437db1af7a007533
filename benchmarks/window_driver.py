"""The real window, driven as a person would: what several benchmarks share. Imports neither numpy nor torch."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEventLoop, QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QWidget

LOOK_MS = 5


def wait_for(condition: Callable[[], bool], limit_s: float) -> bool:
    """Let the window live until `condition()` holds, or for limit_s."""
    loop, timer = QEventLoop(), QTimer(interval=LOOK_MS)
    end = time.perf_counter() + limit_s
    timer.timeout.connect(lambda: loop.quit() if condition() or time.perf_counter() > end else None)
    timer.start()
    loop.exec()
    return bool(condition())


def pause(seconds: float) -> None:
    wait_for(lambda: False, seconds)


def drop(target: QWidget, paths: Sequence[Path]) -> None:
    """As if a person had dropped the paths."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path.absolute())) for path in paths])
    place, copy = QPointF(target.rect().center()), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place.toPoint(), copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, enter)
    event = QDropEvent(place, copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, event)


def choose(window: QWidget, folder: Path, preset: str, limit_s: float = 120.0) -> bool:
    """Choose the dataset and the preset; whether Train can be pressed then."""
    field = window.findChild(QLineEdit, "dataFolderEdit")
    field.setText(str(folder))
    field.returnPressed.emit()
    ready = wait_for(window.findChild(QPushButton, "trainButton").isEnabled, limit_s)
    presets = window.findChild(QComboBox, "presetCombo")
    presets.setCurrentIndex(presets.findData(preset))
    presets.activated.emit(presets.currentIndex())
    return ready


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
