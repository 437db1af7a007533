"""Whether memory, threads, file handles and QObjects stay level in a long life.

usage: soak.py [--epochs 10000] [--cycles 500] [--predictions 100000] [--presets fast,balanced,best,article]
       0 or "" leaves a part out; exit 1 where one grows

Drawn pets in a temporary home: a run of so many epochs of a tiny network, so many clicks on Train and Stop in the real
window (in memory), so many answers of one predictor. Resident memory goes up and down by a tenth from one run to the
next, since the C library keeps what was freed in pieces; so the median of the last fifth of each part must not be more
than 5 % above the median of the second fifth. Threads, handles and objects must not grow (but for 2 that may come
late). "in use" is what the C library has given out (glibc): a leak shows there, whatever happens to be resident.

--presets: of each, a run that memory runs out for until the last rung, and one that is stopped, after one that went
well; resident memory must be within 100 MB of what it was before them.
"""

import argparse
import ctypes
import gc
import os
import statistics
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
MOST_LEFT_MB = 100.0
LOOKS = 100
_SPARE = 2  # threads, handles and objects that may come late


class _MallInfo(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        ]
    ]


def in_use_mb() -> float:
    """What glibc has given out, of all its heaps and of its own mappings; 0 elsewhere."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (OSError, AttributeError, TypeError):
        return 0.0
    ask.restype = _MallInfo
    found = ask()
    return float(found.uordblks + found.hblkhd) / 2**20


@dataclass(frozen=True)
class Look:
    memory_mb: float
    in_use_mb: float
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
        return cls(memory, in_use_mb(), process.num_threads(), len(ours), handles, objects)

    def __str__(self) -> str:
        return (
            f"{self.memory_mb:.0f} MB ({self.in_use_mb:.1f} in use), {self.threads} threads "
            f"({self.python_threads} of Python), {self.handles} handles, {self.objects} objects"
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
        looks = [look for _, look in self._looks]
        fifth = max(1, len(looks) // 5)
        warm, last = looks[fifth : 2 * fifth] or looks, looks[-fifth:]

        def grown_by(name: str) -> float:
            then, now = (statistics.median(getattr(look, name) for look in part) for part in (warm, last))
            return now / then - 1 if then else 0.0

        growth = grown_by("memory_mb")
        counts = ("threads", "python_threads", "handles", "objects")
        grown = [name for name in counts if getattr(last[-1], name) > getattr(warm[0], name) + _SPARE]
        good = growth <= MOST_GROWTH and not grown
        print(f"{self._name}: {self._looks[-1][0]} rounds in {time.perf_counter() - self._began:.0f} s")
        print(f"    first {looks[0]}\n    warm  {warm[0]}\n    last  {last[-1]}")
        print(f"    memory {100 * growth:+.1f} % since warm, in use {100 * grown_by('in_use_mb'):+.2f} %; "
              f"grown: {', '.join(grown) or 'nothing'} -> {'good' if good else 'LEAK'}", flush=True)  # fmt: skip
        return good


def epochs(home: Path, count: int) -> bool:
    from catdog_gui.engine import events
    from catdog_gui.engine.config import preset
    from catdog_gui.engine.samples import draw_samples
    from catdog_gui.engine.training.run import fit

    watch = Watch("epochs", count)
    data = draw_samples(home / "few", photos_per_class=4, held_out=0, size=64).dataset  # one step an epoch

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
    watch = Watch("Train and Stop", count, lambda: len(window.findChildren(QObject)) + len(QApplication.allWidgets()))
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


def given_back(data: Path, home: Path, name: str) -> bool:
    """A run without memory and a stopped one, after one that went well: what is resident afterwards."""
    import torch

    from catdog_gui.engine import events
    from catdog_gui.engine.config import preset
    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.training.run import fit

    def no_memory(_module: torch.nn.Module, _inputs: object) -> None:
        if torch.is_grad_enabled():
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    config = replace(preset(name), data=data, device="cpu", epochs=2)
    fit(replace(config, run=home / f"{name}-well"))
    before = Look.now().memory_mb
    codes: list[str] = []
    if name != "fast":  # it takes no memory that could run out: numpy learns from what lies there
        hook = torch.nn.modules.module.register_module_forward_pre_hook(no_memory)
        try:
            fit(replace(config, run=home / f"{name}-climbs"), lambda event: codes.append(getattr(event, "code", "")))
        except CatDogError as error:
            codes.append(error.code)
        finally:
            hook.remove()
    climbed = Look.now().memory_mb
    steps: list[events.Event] = []
    fit(
        replace(config, run=home / f"{name}-stopped"),
        lambda event: steps.append(event) if isinstance(event, events.StepDone) else None,
        lambda: len(steps) > 1,
    )
    stopped = Look.now().memory_mb
    good = max(climbed, stopped) - before <= MOST_LEFT_MB
    said = ", ".join(filter(None, codes)) or "nothing"
    print(
        f"{name}: {before:.0f} MB before; {climbed:.0f} MB after {said}; "
        f"{stopped:.0f} MB after Stop -> {'good' if good else 'KEPT'}",
        flush=True,
    )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=10_000)
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--predictions", type=int, default=100_000)
    parser.add_argument("--presets", default="fast,balanced,best,article")
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
            good &= epochs(home, options.epochs)
        if options.predictions:
            fit(replace(preset("fast"), data=drawn.dataset, run=home / "model", device="cpu"))
            good &= predictions(home / "model", list(drawn.held_out), options.predictions)
        for preset_name in filter(None, options.presets.split(",")):
            good &= given_back(drawn.dataset, home, preset_name)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
