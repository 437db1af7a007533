"""Whether memory, threads, file handles and QObjects stay level in a long life.

usage: soak.py [--epochs 10000] [--cycles 500] [--predictions 100000]    0 leaves a part out; exit 1 where one grows

Drawn pets in a temporary home: a run of so many epochs of a tiny network, so many clicks on Train and Stop in the real
window (in memory), so many answers of one predictor. What is in use after a fifth of each part must not grow by more
than 5 % until its end; threads, handles and objects must not grow (but for 2 that may come late).
"""

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import psutil

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the network is tiny: threads that wait for each other cost most
WARM = 0.2  # share of a part after which nothing may grow any more
MOST_GROWTH = 0.05
LOOKS = 50
_SPARE = 2  # threads, handles and objects that may come late


@dataclass(frozen=True)
class Look:
    memory_mb: float
    threads: int
    python_threads: int
    handles: int
    objects: int

    @classmethod
    def now(cls, objects: int = 0) -> "Look":
        gc.collect()
        process = psutil.Process()
        handles = process.num_fds() if os.name == "posix" else process.num_handles()
        memory = process.memory_info().rss / 2**20
        # Python keeps a note of each foreign thread (Qt's) that it has met, by a number that is used again: no threads.
        ours = [thread for thread in threading.enumerate() if not isinstance(thread, threading._DummyThread)]
        return cls(memory, process.num_threads(), len(ours), handles, objects)

    def __str__(self) -> str:
        return (
            f"{self.memory_mb:.0f} MB, {self.threads} threads ({self.python_threads} of Python), "
            f"{self.handles} handles, {self.objects} objects"
        )


class Watch:
    """Looks `LOOKS` times over a part of `total` rounds, and judges."""

    def __init__(self, name: str, total: int, objects: Callable[[], int] = lambda: 0) -> None:
        self._name, self._total, self._objects = name, total, objects
        self._looks: list[tuple[int, Look]] = []
        self._began = time.perf_counter()

    def round(self, number: int) -> None:
        if number % max(1, self._total // LOOKS) == 0:
            self._looks.append((number, Look.now(self._objects())))

    def verdict(self) -> bool:
        """Prints the figures; True where nothing grew."""
        warm = next(look for number, look in self._looks if number >= WARM * self._total)
        late = [look for number, look in self._looks if number >= WARM * self._total]
        last = self._looks[-1][1]
        growth = min(look.memory_mb for look in late[-3:]) / warm.memory_mb - 1
        counts = ("threads", "python_threads", "handles", "objects")
        grown = [name for name in counts if getattr(last, name) > getattr(warm, name) + _SPARE]
        good = growth <= MOST_GROWTH and not grown
        print(f"{self._name}: {self._looks[-1][0]} rounds in {time.perf_counter() - self._began:.0f} s")
        print(f"    first {self._looks[0][1]}\n    warm  {warm}\n    last  {last}")
        print(f"    memory {100 * growth:+.1f} % since warm; grown: {', '.join(grown) or 'nothing'}"
              f" -> {'good' if good else 'LEAK'}", flush=True)  # fmt: skip
        return good


def epochs(data: Path, home: Path, count: int) -> bool:
    from catdog_gui.engine import events
    from catdog_gui.engine.config import preset
    from catdog_gui.engine.training.run import fit

    watch = Watch("epochs", count)

    def emit(event: events.Event) -> None:
        if isinstance(event, events.EpochDone):
            watch.round(event.epoch)

    tiny = {"image_size": 32, "epochs": count, "patience": 0, "batch_size": 8, "device": "cpu", "precision": "fp32"}
    fit(replace(preset("article"), data=data, run=home / "long", **tiny), emit)
    return watch.verdict()


def cycles(data: Path, count: int) -> bool:
    """Train and Stop in the real window."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
    from PySide6.QtWidgets import QApplication, QPushButton

    from catdog_gui.ui.app import build

    def wait(condition: Callable[[], bool], limit_s: float = 120) -> None:
        end = time.perf_counter() + limit_s
        while not condition():
            if time.perf_counter() > end:
                raise SystemExit(f"the window did not get there in {limit_s} s: {window.property('runPhase')}")
            loop = QEventLoop()
            QTimer.singleShot(10, loop.quit)
            loop.exec()

    _, window = build([str(data)])
    wait(lambda: window.findChild(QPushButton, "trainButton") is not None)
    train, stop = (window.findChild(QPushButton, name) for name in ("trainButton", "stopButton"))
    wait(lambda: train.isEnabled() and window.background.is_idle)
    watch = Watch("Train and Stop", count, lambda: len(window.findChildren(QObject)))
    for number in range(1, count + 1):
        train.click()
        wait(lambda: window.property("runPhase") == "running" or not window.run.is_live)
        if number % 2 and stop.isEnabled():
            stop.click()
        wait(lambda: not window.run.is_live and window.background.is_idle)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        watch.round(number)
    window.close()
    return watch.verdict()


def predictions(run: Path, photos: list[Path], count: int) -> bool:
    from catdog_gui.engine.answers.predict import load_model

    def endless() -> Iterator[Path]:
        while True:
            yield from photos

    watch = Watch("predictions", count)
    predictor = load_model(run, device="cpu")
    for number, _answer in enumerate(predictor.predict_many(islice(endless(), count)), 1):
        watch.round(number)
    predictor.close()
    return watch.verdict()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=10_000)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--predictions", type=int, default=100_000)
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        os.environ["CATDOG_HOME"] = name
        from catdog_gui.engine.config import preset
        from catdog_gui.engine.samples import draw_samples
        from catdog_gui.engine.training.run import fit

        drawn = draw_samples(home / "photos", photos_per_class=12, held_out=8, size=96)
        if options.cycles:  # first: what others leave behind would count as its own
            good &= cycles(drawn.dataset, options.cycles)
            gc.enable()
        if options.epochs:
            good &= epochs(drawn.dataset, home, options.epochs)
        if options.predictions:
            fit(replace(preset("fast"), data=drawn.dataset, run=home / "model", device="cpu"))
            good &= predictions(home / "model", list(drawn.held_out), options.predictions)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
