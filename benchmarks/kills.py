"""Runs killed at random moments and taken up again, against one that was never killed: bit for bit the same?

usage: kills.py [--count N] [--presets fast,best,article] [--chain N] [--photos N] [--epochs N] [--side PX] [--seed S]

Draws its own photos. Each run is a process of its own, killed by SIGKILL between scan and end (saves included: they
are a good part of such a short run), then resumed. The resumed process is killed again, up to `--chain` times; what is
left after them all is compared once, and each kill counts. Prints, for each preset, how many kills ended in runs that
were the same to the last bit; exit 1 where one did not.
"""

import argparse
import dataclasses
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, from_json, preset
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.samples import draw_samples
from catdog_gui.engine.training.run import fit, resume

# Torch is there when a process begins (where the system can fork): importing it would be most of each.
PROCESSES = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
Child = multiprocessing.process.BaseProcess


@dataclasses.dataclass
class Chain:
    """kills: while it lived; saving: of these, inside a save; epochs: learned before each kill."""

    kills: int = 0
    saving: int = 0
    epochs: list[int] = dataclasses.field(default_factory=list)
    alike: bool = False


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Small enough for hundreds of runs; everything else is the preset's. 0: the preset's own in small."""

    side: int
    epochs: int

    def config(self, name: str, data: Path, run: Path) -> TrainConfig:
        base = dataclasses.replace(preset(name), data=data, run=run, device="cpu", workers=2, batch_size=16, patience=0)
        return dataclasses.replace(base, image_size=self.side, epochs=self.epochs or (8 if name == "fast" else 4))


def work(run: Path, config: dict[str, Any] | None) -> None:
    """A process of its own: begin the run, or take it up where there are no settings."""
    if config is None:
        resume(run)
    else:
        fit(from_json(config))


def started(run: Path, config: TrainConfig | None = None) -> Child:
    child = PROCESSES.Process(target=work, args=(run, config.to_json() if config is not None else None))
    child.start()
    return child


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


def stamp(run: Path) -> int:
    """Changes once the run is begun or taken up: what follows can be gone on with."""
    try:
        return (run / runlog.CONFIG).stat().st_mtime_ns if (run / runlog.EVENTS).stat().st_size else 0
    except OSError:
        return 0


def finished(child: Child) -> None:
    child.join()
    if child.exitcode:
        raise SystemExit(f"a run failed: {child.exitcode}")


def begun(child: Child, run: Path, before: int) -> None:
    """Wait until the child is at work on the run."""
    while stamp(run) == before and child.is_alive():
        time.sleep(0.001)


def killed(child: Child, run: Path, before: int, after_s: float) -> bool:
    """Kill it so long after it began; whether it was still alive."""
    begun(child, run, before)
    child.join(after_s)
    child.kill()
    child.join()
    if child.exitcode not in (0, -signal.SIGKILL):
        raise SystemExit(f"a run failed: {child.exitcode}")
    return child.exitcode != 0


def chain(config: TrainConfig, whole: Path, most: int, length_s: float, draw: random.Random) -> Chain:
    """A run that is killed up to `most` times on its way, then compared."""
    run, found = config.run, Chain()
    assert run is not None
    shutil.rmtree(run, ignore_errors=True)
    child, before = started(run, config), 0
    while killed(child, run, before, draw.uniform(0, length_s if not found.kills else length_s / 2)):
        found.kills += 1
        found.saving += bool(list(run.glob(".*.part")) or list(run.glob("*.new")))
        found.epochs.append(sum(isinstance(event, events.EpochDone) for event in runlog.read_events(run)))
        before = stamp(run)
        child = started(run)
        if found.kills == most:
            finished(child)
            break
    found.alike = same(run, whole)
    return found


def whole_run(config: TrainConfig) -> float:
    """Run it without a kill; seconds from its beginning to its end."""
    assert config.run is not None
    shutil.rmtree(config.run, ignore_errors=True)
    child = started(config.run, config)
    begun(child, config.run, 0)
    began = time.perf_counter()
    finished(child)
    return time.perf_counter() - began


def kills(name: str, place: Path, data: Path, options: argparse.Namespace) -> bool:
    """Chains of one preset until there are enough kills; prints, and returns whether all were alike."""
    sizes, draw = Sizes(options.side, options.epochs), random.Random(options.seed)
    whole = sizes.config(name, data, place / name / "whole")
    assert whole.run is not None
    whole_run(whole)
    length = whole_run(whole)  # the second finds its features in the cache, as all that follow
    found: list[Chain] = []
    began = time.perf_counter()
    while sum(link.kills for link in found) < options.count:
        left = min(options.chain, options.count - sum(link.kills for link in found))
        found.append(chain(sizes.config(name, data, place / name / "killed"), whole.run, left, length, draw))
        alike = "the same" if found[-1].alike else "NOT THE SAME"
        print(f"    {name}: {alike}; epochs told when it was killed: {found[-1].epochs}", flush=True)
        if options.keep and not found[-1].alike:
            shutil.copytree(place / name / "killed", f"{options.keep}/{name}-{len(found)}")
    good, total = sum(link.kills for link in found if link.alike), sum(link.kills for link in found)
    print(
        f"{name}: {good} of {total} kills in {len(found)} runs ended the same to the last bit "
        f"({sum(link.saving for link in found)} inside a save; a run takes {length:.1f} s, at most "
        f"{max(link.kills for link in found)} kills in one; {time.perf_counter() - began:.0f} s)",
        flush=True,
    )
    return good == total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50, help="kills of each preset")
    parser.add_argument("--presets", default="fast,best,article")
    parser.add_argument("--chain", type=int, default=6, help="most kills of one run; 1: each run is killed once")
    parser.add_argument("--photos", type=int, default=30, help="of each of the two classes")
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--side", type=int, default=64, help="pixels that the network sees")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", default="", help="folder for runs that were not the same")
    options = parser.parse_args()
    if sys.platform == "linux":
        multiprocessing.set_forkserver_preload(
            ["catdog_gui.engine.training.epochs", "catdog_gui.engine.learning.network_learner"]
        )
    with tempfile.TemporaryDirectory() as place:
        os.environ["CATDOG_HOME"] = str(Path(place) / "home")
        data = draw_samples(Path(place) / "set", photos_per_class=options.photos, held_out=0, size=80).dataset
        good = [kills(name, Path(place), data, options) for name in options.presets.split(",")]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
