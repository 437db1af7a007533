"""How late a 10 ms timer on the window's thread is while the program works: scan, prepare, train, answer.

usage: heartbeat.py DATA [--preset fast] [--photos DIR]    (a display, or QT_QPA_PLATFORM=offscreen; an idle machine)

Drives the real window: opens DATA, presses Train, waits for the end, drops the photos of --photos. Prints the lateness
in ms by phase (median, p99, largest), and the loading of libraries apart, since that is one hiccup a start.
"""

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLineEdit, QPushButton, QWidget

from catdog_gui.engine.photo_search import find_photos

BEAT_MS = 10


class Heartbeat:
    """Notes how late each beat came, under the phase that `phase()` names."""

    def __init__(self, phase) -> None:  # noqa: ANN001 -- a function without arguments
        self._phase = phase
        self._last = time.perf_counter()
        self.late: dict[str, list[float]] = defaultdict(list)
        self._timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=BEAT_MS)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.late[self._phase()].append(max(0.0, 1000 * (now - self._last) - BEAT_MS))
        self._last = now

    def report(self) -> None:
        for phase, values in self.late.items():
            figures = np.array(values)
            worst = ", ".join(f"{value:.0f}" for value in sorted(values)[-3:])
            print(f"{phase:<12} {len(figures):>6} beats  median {np.median(figures):5.1f}  "
                  f"p99 {np.quantile(figures, 0.99):5.1f}  largest {worst} ms")  # fmt: skip


def wait_for(condition, limit_s: float) -> bool:  # noqa: ANN001
    end = time.perf_counter() + limit_s
    while not condition() and time.perf_counter() < end:
        loop = QEventLoop()
        QTimer.singleShot(50, loop.quit)
        loop.exec()
    return bool(condition())


def drop(target: QWidget, path: Path) -> None:
    """As if a person had dropped `path`."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path.absolute()))])
    place, copy = QPointF(target.rect().center()), Qt.DropAction.CopyAction
    enter = QDragEnterEvent(place.toPoint(), copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, enter)
    event = QDropEvent(place, copy, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(target, event)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--photos", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["CATDOG_HOME"] = home
        return drive(options)


def drive(options: argparse.Namespace) -> int:
    from catdog_gui.ui.app import build

    _, window = build([])
    window.show()
    state = {"phase": "start"}

    def phase() -> str:
        live = window.property("runPhase")
        if state["phase"] == "run" and live == "preparing":
            loaded = "torch" in sys.modules and "openvino" in sys.modules
            return "preparing" if loaded else "libraries"
        return str(live) if state["phase"] == "run" else state["phase"]

    heart = Heartbeat(phase)
    train = window.findChild(QPushButton, "trainButton")
    wait_for(lambda: False, 8)
    state["phase"] = "scan"
    field = window.findChild(QLineEdit, "dataFolderEdit")
    field.setText(str(options.data))
    field.returnPressed.emit()
    if not wait_for(train.isEnabled, 60):
        print("the folder cannot be trained on", file=sys.stderr)
        return 1
    presets = window.findChild(QComboBox, "presetCombo")
    presets.setCurrentIndex(presets.findData(options.preset))
    presets.activated.emit(presets.currentIndex())
    wait_for(lambda: False, 2)
    state["phase"] = "run"
    train.click()
    wait_for(lambda: window.property("runPhase") in ("completed", "stopped", "failed"), 3600)
    wait_for(lambda: False, 2)
    if options.photos is not None:
        state["phase"] = "answering"
        count = len(list(find_photos([options.photos])))
        drop(window.findChild(QWidget, "dropArea"), options.photos)
        answers = window.findChild(QAbstractItemView, "predictionList").model()
        wait_for(lambda: answers.rowCount() >= count, 600)
    heart.report()
    window.close()
    wait_for(lambda: False, 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
