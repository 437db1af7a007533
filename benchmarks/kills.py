"""Runs killed at random moments and taken up again, against one that was never killed: bit for bit the same?

usage: kills.py [--count N] [--presets fast,best,article] [--seed S]
Draws its own photos. Each run is a process of its own, killed by SIGKILL between scan and end (saves included: they
are a good part of such a short run), then resumed. Prints, for each preset, how many were the same to the last bit.
"""

import argparse
import dataclasses
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.samples import draw_samples

_TRAIN = """
import json, sys
from pathlib import Path
from catdog_gui.engine.config import from_json
from catdog_gui.engine.training.run import fit, resume
if sys.argv[1] == "resume":
    resume(Path(sys.argv[2]))
else:
    fit(from_json(json.loads(sys.argv[2])))
"""


def config_for(name: str, data: Path, run: Path) -> TrainConfig:
    """Small enough for hundreds of runs; everything else is the preset's."""
    base = dataclasses.replace(preset(name), data=data, run=run, device="cpu", workers=2, batch_size=16, patience=0)
    return dataclasses.replace(base, image_size=64, epochs=8 if name == "fast" else 4)


def started(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", _TRAIN, *words], stderr=subprocess.DEVNULL)


def said(run: Path) -> list[tuple[Any, ...]]:
    """The loss of every step, and what every epoch said."""
    found: list[tuple[Any, ...]] = []
    for event in runlog.read_events(run):
        if isinstance(event, events.StepDone):
            found.append((event.step, event.loss, event.lr))
        elif isinstance(event, events.EpochDone):
            found.append((event.epoch, event.train_loss, event.train_accuracy, event.val_loss, event.val_accuracy))
    return found


def same(run: Path, whole: Path) -> bool:
    ours, theirs = read_model(run).tensors, read_model(whole).tensors
    equal = ours.keys() == theirs.keys() and all(np.array_equal(ours[name], theirs[name]) for name in ours)
    return equal and said(run) == said(whole)


def first_said(run: Path) -> bool:
    return (run / runlog.EVENTS).exists() and (run / runlog.EVENTS).stat().st_size > 0


def killed(config: TrainConfig, after_s: float) -> bool:
    """Start the run, kill it so long after its folder exists; whether it was still alive."""
    assert config.run is not None
    child = started("fit", json.dumps(config.to_json()))
    while not first_said(config.run) and child.poll() is None:
        time.sleep(0.001)
    time.sleep(after_s)
    alive = child.poll() is None
    child.send_signal(signal.SIGKILL)
    child.wait()
    return alive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--presets", default="fast,best,article")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        data = draw_samples(Path(place) / "set", photos_per_class=30, held_out=0, size=80).dataset
        for name in options.presets.split(","):
            whole, run = Path(place) / name / "whole", Path(place) / name / "killed"
            for again in (False, True):  # the second finds its features in the cache, as all that follow
                shutil.rmtree(whole, ignore_errors=True)
                child = started("fit", json.dumps(config_for(name, data, whole).to_json()))
                while not first_said(whole) and child.poll() is None:
                    time.sleep(0.001)
                began = time.perf_counter()
                assert child.wait() == 0, again
                length = time.perf_counter() - began
            alike = saving = 0
            for _ in range(options.count):
                while True:
                    shutil.rmtree(run, ignore_errors=True)
                    if killed(config_for(name, data, run), moments.uniform(0, length)):
                        break
                saving += bool(list(run.glob(".*.part")) or list(run.glob("*.new")))
                assert started("resume", str(run)).wait() == 0
                alike += same(run, whole)
            print(
                f"{name}: {alike} of {options.count} the same to the last bit ({saving} killed inside a save)",
                flush=True,
            )


if __name__ == "__main__":
    main()
