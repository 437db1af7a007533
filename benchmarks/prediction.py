"""How fast photos are answered, against what this machine can do at most, in the same run.

usage: prediction.py [PHOTOS] [--model RUN] [--starts 3] [--memory 100000]     (an idle machine)

PHOTOS: a folder; without it 400 drawn ones. RUN: the run that answers; without it one is trained on drawn pictures.
Prints: photos a second of a folder against the bare loop (our decoding in as many threads, OpenVINO or torch, nothing
else); one photo at a time; in the real window (a display, or QT_QPA_PLATFORM=offscreen) the first photo dropped 2 s
after the first paint of a fresh start, and later ones; with --memory the resident memory while that many are answered.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

from window_driver import drop, pause, quantile, wait_for

AFTER_PAINT_S = 2.0
SINGLE = 100  # photos asked one at a time
GOALS = {"rate": 0.9, "one_ms": 60.0, "first_ms": 1000.0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="?")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=int, default=2000, help="photos of the folder that are asked")
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--fresh", nargs=2, metavar=("PHOTO", "PHOTOS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fresh:
        return fresh(Path(options.fresh[0]), Path(options.fresh[1]))
    with tempfile.TemporaryDirectory() as home:
        os.environ["CATDOG_HOME"] = home
        photos, run = _given(options, Path(home))
        found = _find(photos)[: options.most]
        rates(run, found, options.rounds)
        for _ in range(options.starts):
            _fresh_process(found)
        if options.memory:
            memory(run, found, options.memory)
    return 0


def _given(options: argparse.Namespace, home: Path) -> tuple[Path, Path]:
    """The photos and a run in `home`."""
    from catdog_gui.engine.samples import draw_samples

    photos, run = options.photos, home / "runs" / "run-0001"
    if photos is None or options.model is None:
        drawn = draw_samples(home / "drawn")
        photos = photos or drawn.dataset
        if options.model is None:
            command = [sys.executable, "-m", "catdog_gui.cli", "train", str(drawn.dataset), "--run", str(run)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if options.model is not None:
        shutil.copytree(options.model, run)
    return photos, run


def _find(folder: Path) -> list[Path]:
    from catdog_gui.engine.datasets.search import find_photos

    return list(find_photos([folder]))


# --- photos a second -------------------------------------------------------------------------------------------------


def rates(run: Path, photos: list[Path], rounds: int) -> None:
    from catdog_gui.engine.answers.predict import load_model

    begin = time.perf_counter()
    predictor = load_model(run)
    print(f"model loaded with its libraries in {1000 * (time.perf_counter() - begin):.0f} ms")
    bare, ours = [], []
    for _ in range(rounds):  # in turn: a neighbour's work on the machine meets both
        bare.append(_rate(lambda: _bare(predictor, photos), len(photos)))
        ours.append(_rate(lambda: sum(1 for _ in predictor.predict_many(photos)), len(photos)))
    print(f"folder of {len(photos)} photos: possible {_spread(bare)}, ours {_spread(ours)} photos/s")
    shares = sorted(b / a for a, b in zip(bare, ours, strict=True))
    print(f"  share of the possible: best against best {max(ours) / max(bare):.2f}, "
          f"median of the rounds {shares[len(shares) // 2]:.2f} (goal {GOALS['rate']})")  # fmt: skip
    single = []
    for photo in islice(cycle(photos), SINGLE):
        begin = time.perf_counter()
        predictor.predict(photo)
        single.append(1000 * (time.perf_counter() - begin))
    print(f"one photo, engine alone: median {quantile(single, 0.5):.1f} ms, p95 {quantile(single, 0.95):.1f} ms")
    predictor.close()


def _rate(work: Any, count: int) -> float:  # noqa: ANN401
    begin = time.perf_counter()
    work()
    return count / (time.perf_counter() - begin)


def _spread(values: list[float]) -> str:
    return f"{min(values):.0f} to {max(values):.0f}"


def _bare(predictor: Any, photos: list[Path]) -> int:  # noqa: ANN401
    """Read, decode, compute; no names, no verdicts, no pictures."""
    from catdog_gui.engine.photos import images
    from catdog_gui.engine.photos.file import read_bytes
    from catdog_gui.engine.photos.reading import default_workers

    recipe, workers = predictor.model.recipe, default_workers()

    def decoded(pool: ThreadPoolExecutor) -> Iterator[Any]:
        waiting: deque[Future[Any]] = deque()
        for photo in photos:
            waiting.append(pool.submit(lambda path: images.decode(read_bytes(path), recipe), photo))
            if len(waiting) > 4 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    count = 0

    def take(_number: int, _features: Any) -> None:  # noqa: ANN401
        nonlocal count
        count += 1

    with ThreadPoolExecutor(workers) as pool:
        predictor._engine.run(enumerate(decoded(pool)), take)
    return count


# --- the window ------------------------------------------------------------------------------------------------------


def _fresh_process(photos: list[Path]) -> None:
    command = [sys.executable, __file__, "--fresh", str(photos[0]), str(photos[0].parent)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    print(done.stdout.strip() or done.stderr.strip())


def fresh(photo: Path, folder: Path) -> int:
    """In a process of its own: start, wait, drop, and then one photo after the other."""
    from PySide6.QtWidgets import QAbstractItemView, QWidget

    from catdog_gui.ui.app import build, let_the_window_go_first

    _app, window = build([])
    let_the_window_go_first()
    area = window.findChild(QWidget, "dropArea")
    answers = window.findChild(QAbstractItemView, "predictionList").model()

    def answered(path: Path) -> float:
        """ms from the drop to the row."""
        rows = answers.rowCount()
        begin = time.perf_counter()
        arrived: list[float] = []
        connection = answers.rowsInserted.connect(lambda *_: arrived.append(time.perf_counter()))
        drop(area, [path])
        wait_for(lambda: answers.rowCount() > rows, 60)
        answers.disconnect(connection)
        window.grab()
        return 1000 * ((arrived[0] if arrived else time.perf_counter()) - begin)

    pause(AFTER_PAINT_S)
    first = answered(photo)
    libraries = [name for name in ("torch", "openvino") if name in sys.modules]
    later = []
    for path in islice(cycle(_find(folder)), SINGLE):
        later.append(answered(path))
        wait_for(lambda: not window.predict.state.running, 5)
    print(f"window: dropped {AFTER_PAINT_S:.0f} s after the first paint, answered in {first:.0f} ms "
          f"(goal {GOALS['first_ms']:.0f}; loaded: {', '.join(libraries)}); later ones median "
          f"{quantile(later, 0.5):.0f}, p95 {quantile(later, 0.95):.0f}, largest {max(later):.0f} ms "
          f"(goal p95 {GOALS['one_ms']:.0f})", flush=True)  # fmt: skip
    window.close()
    pause(0.5)
    return 0


# --- memory ----------------------------------------------------------------------------------------------------------


def memory(run: Path, photos: list[Path], count: int) -> None:
    """Answer `count` photos (the same ones again and again) and watch the resident memory."""
    import psutil

    from catdog_gui.engine.answers.predict import load_model

    predictor, process = load_model(run), psutil.Process()
    seen: list[tuple[int, int]] = []
    for number, _ in enumerate(predictor.predict_many(islice(cycle(photos), count)), 1):
        if number % max(1, count // 20) == 0:
            seen.append((number, process.memory_info().rss // 2**20))
    print(f"memory: {json.dumps(seen)} (photos, MiB)")
    middle = [size for number, size in seen if number >= count // 4]
    print(f"  from a quarter on: {min(middle)} to {max(middle)} MiB")


if __name__ == "__main__":
    sys.exit(main())
