"""A run that goes on, or starts from another's end: what it finds in the run folder."""

import contextlib
import functools
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from catdog_gui import __version__
from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError, InputError, UsageError
from catdog_gui.engine.files import read_json, write_error
from catdog_gui.engine.photos.reading import default_workers
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.listing import Listing, Policy, read
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training.checkpoint import Checkpoint

_COMPARED = (
    "program",
    "python",
    "torch",
    "openvino",
    "numpy",
    "device",
    "device_name",
    "precision",
    "threads",
    "processes",
    "engine",
)


FROM = "from"  # among the facts: the run that this one starts from


@dataclass(frozen=True, slots=True)
class Left:
    """Where a run was left. start: None where it has to begin anew; facts: what its settings became then."""

    start: Checkpoint | None = None
    listing: Listing | None = None
    fell_back: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def device(self) -> str | None:
        return str(self.facts["device"]) if self.start is not None and self.facts.get("device") else None

    @property
    def source(self) -> Path | None:
        """The run to start from, where this one was ended before its first checkpoint."""
        return Path(str(self.facts[FROM])) if self.start is None and self.facts.get(FROM) else None

    @property
    def precision(self) -> str | None:
        return str(self.facts["precision"]) if self.start is not None and self.facts.get("precision") else None


def result_of(run: Path) -> events.RunResult | None:
    """The result of a run that was completed."""
    end = runlog.last_event(run)
    if not isinstance(end, events.RunResult) or end.status != "completed":
        return None
    here = runlog.placed(end, run)
    assert isinstance(here, events.RunResult)
    return here


def open_again(run: Path) -> runlog.RunFolder:
    """The run's folder, for writing; STOP, PAUSE and half-written files that were left there go. Raises CatDogError."""
    folder = runlog.RunFolder(run)
    try:
        for leftover in (runlog.STOP, runlog.PAUSE):
            (run / leftover).unlink(missing_ok=True)
        for part in run.glob(".*.part"):
            part.unlink(missing_ok=True)
    except OSError as error:
        folder.close()
        raise write_error(error, run) from error
    return folder


def where_left(run: Path, folder: runlog.RunFolder, policy: Policy) -> Left:
    """Read the checkpoint; what was said after it is cut off. Raises CatDogError."""
    start, fell_back = checkpoint.load(run)
    config = read_json(run / runlog.CONFIG) or {}
    facts = config.get("facts")
    listing = read(run, start.classes, policy) if start is not None else None
    folder.cut(start.events if start is not None else 0)
    return Left(start, listing, fell_back, dict(facts) if isinstance(facts, dict) else {})


class Record:
    """What a run's folder says of it before it goes on, to be put back where it does not: its photos have changed, or
    it was stopped before it learned anything more. Its result, and the time by which its model knows it, then stay.
    """

    def __init__(self, run: Path, folder: runlog.RunFolder) -> None:
        self._run, self._folder = run, folder
        self._events, self._settings = _bytes(run / runlog.EVENTS), _bytes(run / runlog.CONFIG)
        self.end = runlog.last_event(run)

    def put_back(self) -> None:
        """As well as the disk lets it."""
        same = _alike(_bytes(self._run / runlog.EVENTS), self._events)
        with contextlib.suppress(CatDogError):
            self._folder.put_back(same, self._events[same:], self._settings)

    @contextlib.contextmanager
    def kept_by_refusals(self) -> Iterator[None]:
        """Put it back where an InputError refuses the run."""
        try:
            yield
        except InputError:
            self.put_back()
            raise

    def stopped(self) -> events.RunResult | None:
        """The result of a run that had been stopped before, as it is told from where the run lies now."""
        if not isinstance(self.end, events.RunResult):
            return None
        here = runlog.placed(self.end, self._run)
        assert isinstance(here, events.RunResult)
        return here


def _alike(first: bytes, second: bytes) -> int:
    """How many bytes both begin with."""
    least, most = 0, min(len(first), len(second))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if first[:middle] == second[:middle] else (least, middle - 1)
    return least


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def end_of(run: Path, config: TrainConfig) -> Checkpoint:
    """The checkpoint of the run that a new one starts from. Raises CatDogError (no_checkpoint, ...)."""
    was = runlog.read_config(run)
    kept, _ = checkpoint.load(run)
    if kept is None:
        raise InputError("no_checkpoint", run=str(run))
    for name in ("model", "trainable", "image_size"):
        if getattr(was, name) != getattr(config, name):
            raise UsageError("from_other_settings", setting=name, was=str(getattr(was, name)), run=str(run))
    return kept


def tell(setup: Setup, left: Left) -> None:
    """Say what its checkpoints are worth."""
    report = setup.report
    if left.fell_back:
        report.say(events.Notice("checkpoint_fell_back", {}))
    if left.start is None and not left.facts.keys() - {FROM}:
        return  # its settings were written for the processes of all cards, which now begin
    if left.start is None:
        report.say(events.Notice("began_anew", {}))


def tell_differences(setup: Setup) -> None:
    """Say where the run goes on, and which versions and devices are others than before.

    Then the result may differ in the last digits. Called once its photos are known to be there.
    """
    start = setup.start
    if start is not None:
        setup.report.say(events.Notice("went_on", {"epoch": start.done + 1, "step": start.so_far.steps}))
    now, was = setup.facts, setup.before
    other = [name for name in _COMPARED if name in was and name in now and was[name] != now[name]]
    if setup.start is not None and other:
        what = ", ".join(f"{name} {was[name]} → {now[name]}" for name in other)
        setup.report.say(events.Notice("went_on_differently", {"what": what}))


def versions() -> dict[str, Any]:
    """What computes, for config.json."""
    import numpy as np

    facts: dict[str, Any] = {"program": __version__, "python": platform.python_version(), "numpy": np.__version__}
    facts |= _libraries()
    facts["threads"] = default_workers()  # torch's own number takes its place where torch computes
    return facts


@functools.cache
def _libraries() -> dict[str, str]:
    """Looked up once: each look reads all folders of packages again, and keeps what it read."""
    found: dict[str, str] = {}
    for name in ("torch", "openvino"):
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
