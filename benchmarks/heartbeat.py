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

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractItemView, QPushButton, QWidget
from window_driver import choose, drop, pause, quantile, wait_for

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
            worst = ", ".join(f"{value:.0f}" for value in sorted(values)[-3:])
            print(f"{phase:<12} {len(values):>6} beats  median {quantile(values, 0.5):5.1f}  "
                  f"p99 {quantile(values, 0.99):5.1f}  largest {worst} ms")  # fmt: skip


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
    from catdog_gui.engine.datasets.search import find_photos
    from catdog_gui.ui.app import build, let_the_window_go_first

    _, window = build([])
    let_the_window_go_first()
    state = {"phase": "start"}

    def phase() -> str:
        live = window.property("runPhase")
        if state["phase"] == "run" and live == "preparing":
            return "preparing" if window.run.state.progress is not None else "libraries"
        return str(live) if state["phase"] == "run" else state["phase"]

    heart = Heartbeat(phase)
    pause(8)
    state["phase"] = "scan"
    if not choose(window, options.data, options.preset):
        print("the folder cannot be trained on", file=sys.stderr)
        return 1
    pause(2)
    state["phase"] = "run"
    window.findChild(QPushButton, "trainButton").click()
    wait_for(lambda: window.property("runPhase") in ("completed", "stopped", "failed"), 3600)
    pause(2)
    if options.photos is not None:
        count = len(list(find_photos([options.photos])))
        state["phase"] = "answering"
        drop(window.findChild(QWidget, "dropArea"), [options.photos])
        answers = window.findChild(QAbstractItemView, "predictionList").model()
        wait_for(lambda: answers.rowCount() >= count, 600)
    heart.report()
    window.close()
    pause(1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
