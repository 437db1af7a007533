"""The prepare phase of `fast` against the possible rate: the same decoding in threads into the same engine, no more.

usage: prepare.py DATA [--repeats N] [--precision fp32|bf16]
Both take turns in one process; a new, empty cache each time. Prints photos/s of each turn and the ratio of the medians.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from catdog_gui.engine import devices
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.networks.features import LITE0, make_engine
from catdog_gui.engine.networks.weights import bundled_lite0
from catdog_gui.engine.photos.images import Picture, Recipe, decode
from catdog_gui.engine.photos.reading import default_workers
from catdog_gui.engine.preparing.prepare import Rows, prepare
from catdog_gui.engine.preparing.report import Report


def possible(found: Scan, precision: str) -> float:
    """Seconds for decoding and the network; nothing is hashed, compared, stored or told. The engine is made before."""
    paths, recipe = [found.path(number) for number in range(len(found.paths))], Recipe()
    engine = make_engine(LITE0, bundled_lite0(), recipe.size, "cpu", precision)
    kept = np.zeros((len(paths), 1280), np.float16)

    def read(path: Path) -> Picture:
        return decode(path.read_bytes(), recipe)

    def pictures(pool: ThreadPoolExecutor) -> Iterator[tuple[int, Picture]]:
        waiting: deque[tuple[int, Future[Picture]]] = deque()
        for number, path in enumerate(paths):
            waiting.append((number, pool.submit(read, path)))
            if len(waiting) > 12:
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()

    began = time.perf_counter()
    with ThreadPoolExecutor(default_workers()) as pool:
        engine.run(pictures(pool), lambda number, output: kept.__setitem__(number, output))
    seconds = time.perf_counter() - began
    engine.close()
    return seconds


def ours(found: Scan, precision: str) -> float:
    """Seconds of the program's own phase, making the engine included."""
    rows = Rows(
        shape=(1280,),
        kind=f"benchmark {precision}",
        engine=lambda: make_engine(LITE0, bundled_lite0(), 224, "cpu", precision),
    )
    with tempfile.TemporaryDirectory() as home:
        os.environ["CATDOG_HOME"] = home
        began = time.perf_counter()
        prepared = prepare(found, TrainConfig(), rows, Report(lambda _event: None, "cpu"), lambda: False)
        seconds = time.perf_counter() - began
        prepared.store.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--precision", default="auto")
    options = parser.parse_args()
    precision = devices.choose_precision(options.precision, devices.cpu_device())
    found = scan(options.data)
    bundled_lite0()
    count, rates = len(found.paths), {"possible": list[float](), "prepare": list[float]()}
    for turn in range(options.repeats):
        for name, run in (("possible", possible), ("prepare", ours)):
            rates[name].append(count / run(found, precision))
            print(f"turn {turn + 1}: {name} {rates[name][-1]:.0f} photos/s", flush=True)
    medians = {name: statistics.median(values) for name, values in rates.items()}
    told = ", ".join(f"{name} {value:.0f}" for name, value in medians.items())
    print(f"{count} photos, {precision}: {told} photos/s, ratio {medians['prepare'] / medians['possible']:.2f}")


if __name__ == "__main__":
    main()
