"""How long the curves of a long run take to redraw: `python benchmarks/curves.py [POINTS]` (default 200,000).

Each redraw comes after 25 new steps, as at 500 steps a second and 20 redraws a second, with an epoch and a memory
sample now and then. Timed: `CurvesView.render` plus painting all three plots (offscreen raster, 640 x 700).
"""

import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

import numpy as np
from PySide6.QtWidgets import QApplication

from catdog_gui.engine import events
from catdog_gui.session.state import RunState
from catdog_gui.ui import theme
from catdog_gui.ui.curves import CurvesView

STEPS_A_REDRAW, REDRAWS, EPOCHS = 25, 200, 100
GOAL_MS = 10.0


def main() -> int:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    app = QApplication.instance() or QApplication(sys.argv)
    assert isinstance(app, QApplication)
    theme.apply(app)
    view, state = CurvesView(), _started(points)
    view.build_plots()
    view.resize(640, 700)
    rng = np.random.default_rng(0)
    _advance(state, points - STEPS_A_REDRAW * REDRAWS, points, rng)
    view.show()
    view.render(state)
    view.grab()
    renders: list[float] = []
    paints: list[float] = []
    cpu: list[float] = []  # a busy machine does not count
    for _ in range(REDRAWS):
        _advance(state, STEPS_A_REDRAW, points, rng)
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        view.render(state)
        between = time.perf_counter()
        view.grab()  # paints every plot once
        renders.append(1000 * (between - begin))
        paints.append(1000 * (time.perf_counter() - between))
        cpu.append(1000 * (time.thread_time() - begin_cpu))
    begin = time.perf_counter()
    for _ in range(100):
        view.render(state)
    nothing_new = 10 * (time.perf_counter() - begin)
    totals = [a + b for a, b in zip(renders, paints, strict=True)]
    _report(points, {"render": renders, "paint": paints, "redraw": totals, "cpu": cpu})
    print(f"nothing new: {nothing_new:.3f} ms a render")
    view.close()
    return 0 if statistics.median(cpu) <= GOAL_MS else 1


def _started(points: int) -> RunState:
    state = RunState()
    state.begin()
    counts = {"train": 1600, "val": 400}
    state.apply(events.RunStarted("run", ["a", "b"], "cpu", "CPU", "fp32", EPOCHS, "best", "net", counts, 0.0))
    state.apply(events.PhaseStarted("train"))
    state.steps = points
    return state


def _advance(state: RunState, steps: int, points: int, rng: np.random.Generator) -> None:
    noise = rng.normal(size=(steps, 3))
    for row in noise:
        step = state.step + 1
        falling = float(np.exp(-step / points * 6))
        accuracy = float(np.clip(0.98 - 0.45 * falling + 0.04 * row[1], 0, 1))
        loss = abs(0.05 + 0.65 * falling + 0.05 * float(row[0]))
        state.apply(events.StepDone(step, 1, loss, 1e-3, 500.0, 1.0, 2.0, accuracy, points))
        state.apply(events.MemorySample("cuda:0", "cuda", 1800 + 9 * float(row[2]), 2048.0, 1900.0, 12288.0, 2100.0))
        if step % (points // EPOCHS) == 0:
            epoch = step * EPOCHS // points
            state.apply(events.EpochDone(epoch, EPOCHS, loss, accuracy, loss, accuracy, step, best=True))


def _report(points: int, figures: dict[str, list[float]]) -> None:
    for name, taken in figures.items():
        values = sorted(taken)
        middle, p95 = statistics.median(values), values[int(0.95 * len(values))]
        print(f"{name:>7} at {points:,} points: median {middle:.2f} ms, p95 {p95:.2f}, max {values[-1]:.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
