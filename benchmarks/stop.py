"""How soon a run ends when Stop is pressed, in the real window, for every preset and phase.

usage: stop.py [DATA] [--presets fast,balanced,best,article] [--phases prepare,train,validate] [--rounds 1]
(a display, or QT_QPA_PLATFORM=offscreen; an idle machine; without DATA 400 drawn pictures)

Three times in ms after the press: until the button is painted as "Stopping…" (goal 100), until the last step or photo
of the run was reported (goal 300: what was begun may end), until Train can be pressed again, saving included (goal
2000). The press is posted by another thread at a moment of its own, so it waits for a busy window as a person's would.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

from PySide6.QtCore import QEvent, QMetaObject, QObject, Qt
from PySide6.QtWidgets import QPushButton
from window_driver import choose, pause, wait_for

from catdog_gui.engine import events
from catdog_gui.engine.config import PRESETS
from catdog_gui.ui.jobs import Jobs

GOALS = {"shown": 100.0, "work": 300.0, "train": 2000.0}
LONGEST_S = 900.0  # until a phase is reached
LATER_S = 0.5  # the press comes up to this long after the phase has begun


class WatchedJobs(Jobs):
    """The real engine; notes when the run says what."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[float, events.Event]] = []

    def train(self, config: Any) -> Any:  # noqa: ANN401
        job = super().train(config)
        self.said = []

        def watched(emit: Callable[[events.Event], None], should_stop: Callable[[], bool]) -> None:
            def note(event: events.Event) -> None:
                self.said.append((time.perf_counter(), event))
                emit(event)

            job(note, should_stop)

        return watched

    def reached(self, phase: str) -> bool:
        """Whether the run is in that phase, and at work."""
        last = next((event.phase for _, event in reversed(self.said) if isinstance(event, events.PhaseStarted)), None)
        if phase == "validate":
            return last == phase
        kind = events.Progress if phase == "prepare" else events.StepDone
        return last == phase and any(isinstance(event, kind) for _, event in self.said)

    def last_work(self) -> float:
        """When the last photo or step was reported."""
        return max((at for at, event in self.said if isinstance(event, events.Progress | events.StepDone)), default=0.0)


class Painted(QObject):
    """When the Stop button was painted as not to be pressed any more."""

    def __init__(self, button: QPushButton) -> None:
        super().__init__(button)
        self.at: float | None = None
        button.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- Qt's spelling
        if event.type() is QEvent.Type.Paint and self.at is None and not watched.isEnabled():
            self.at = time.perf_counter()
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--phases", default="prepare,train,validate")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["CATDOG_HOME"] = home
        return drive(options, Path(home))


def drive(options: argparse.Namespace, home: Path) -> int:
    from catdog_gui.engine.samples import draw_samples
    from catdog_gui.ui.app import build, let_the_window_go_first

    data = options.data or draw_samples(home / "drawn").dataset
    jobs = WatchedJobs()
    _, window = build([], jobs=jobs)
    let_the_window_go_first()
    pause(4)
    bad = 0
    for preset in options.presets.split(","):
        if not choose(window, data, preset):
            print("the folder cannot be trained on", file=sys.stderr)
            return 1
        for phase in options.phases.split(","):
            for _ in range(options.rounds):
                if phase == "prepare":
                    shutil.rmtree(home / "cache", ignore_errors=True)
                bad += not one(window, jobs, preset, phase)
    window.close()
    pause(1)
    print("all within the goals" if not bad else f"{bad} not within the goals")
    return 0


def one(window: Any, jobs: WatchedJobs, preset: str, phase: str) -> bool:  # noqa: ANN401
    """Train, press Stop in that phase, print the three times; whether the goals are met."""
    train, stop = window.findChild(QPushButton, "trainButton"), window.findChild(QPushButton, "stopButton")
    jobs.said = []
    train.click()
    wait_for(lambda: jobs.reached(phase) or not window.run.is_live, LONGEST_S)
    if not window.run.is_live:
        print(f"{preset:<9} {phase:<9} was over before it could be stopped")
        return True
    painted, pressed = Painted(stop), []

    def press() -> None:
        time.sleep(random.uniform(0, LATER_S) if phase != "validate" else 0)
        pressed.append(time.perf_counter())
        QMetaObject.invokeMethod(stop, "click", Qt.ConnectionType.QueuedConnection)

    hand = threading.Thread(target=press)
    hand.start()
    wait_for(lambda: bool(pressed) and train.isEnabled(), 120)
    over = time.perf_counter()
    hand.join()
    status = window.property("runPhase")
    stop.removeEventFilter(painted)
    if painted.at is None:
        print(f"{preset:<9} {phase:<9} was over ({status}) before the press was seen")
        return True
    begin = pressed[0]
    shown, work, again = (1000 * (at - begin) for at in (painted.at, jobs.last_work(), over))
    met = shown <= GOALS["shown"] and work <= GOALS["work"] and again <= GOALS["train"]
    print(f"{preset:<9} {phase:<9} shown {shown:5.0f}  last work {max(0.0, work):5.0f}  Train again {again:6.0f} ms  "
          f"({status}){'' if met else '  <- over a goal'}", flush=True)  # fmt: skip
    return met


if __name__ == "__main__":
    sys.exit(main())
