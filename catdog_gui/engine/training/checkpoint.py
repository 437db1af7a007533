"""All that is needed to go on with a run exactly: one file, replaced as a whole, and the one before it.

safetensors: arrays by name, one metadata key with JSON. Read into memory, never mapped, so that it can be replaced.
"""

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.files import write_atomic, write_error
from catdog_gui.engine.learning.figures import EpochSoFar, Validation
from catdog_gui.engine.learning.learner import Snapshot
from catdog_gui.engine.models.model_file import checksum
from catdog_gui.engine.networks.tensor_file import from_bytes, to_bytes
from catdog_gui.engine.runs.runlog import CHECKPOINTS

SCHEMA = 1
FILE, BEFORE = CHECKPOINTS
KEY, SUM = "catdog", "sum"
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(slots=True)
class Best:
    """The best check so far: its epoch (0: before the first), what had been learned then, and its answers."""

    epoch: int
    state: dict[str, Array]
    validation: Validation


@dataclass(slots=True)
class Checkpoint:
    """done: epochs learned and checked; so_far: of the next one; last_better: epoch; events: bytes of events.jsonl.

    classes: of the head, in order; moved: whether a step was ever taken.
    """

    classes: tuple[str, ...]
    learner: Snapshot
    done: int = 0
    so_far: EpochSoFar = field(default_factory=EpochSoFar)
    last_better: int = 0
    moved: bool = False
    best: Best | None = None
    events: int = 0


def save(checkpoint: Checkpoint, folder: Path) -> None:
    """Write it beside the old one, flushed, then move both. Raises CatDogError (disk_full, cannot_write)."""
    tensors = {f"learner.{name}": value for name, value in checkpoint.learner.tensors.items()}
    best = checkpoint.best
    if best is not None:
        tensors |= {f"best.{name}": value for name, value in best.state.items()}
        checked = best.validation
        tensors |= {"check.scores": checked.scores, "check.labels": checked.labels, "check.features": checked.features}
    tensors = {name: np.ascontiguousarray(value) for name, value in tensors.items()}
    so_far = checkpoint.so_far
    text = {
        "schema": SCHEMA,
        "classes": list(checkpoint.classes),
        "done": checkpoint.done,
        "so_far": [so_far.steps, so_far.photos, so_far.loss_sum, so_far.right_sum],
        "last_better": checkpoint.last_better,
        "moved": checkpoint.moved,
        "best": None if best is None else [best.epoch, best.validation.loss, best.validation.accuracy],
        "events": checkpoint.events,
        "values": checkpoint.learner.values,
        "checksum": checksum(tensors),
    }
    words = json.dumps(text, ensure_ascii=False)
    data = to_bytes(tensors, metadata={KEY: words, SUM: _sum(words)})
    fresh = folder / (FILE + ".new")
    try:
        write_atomic(fresh, data, shown=folder / FILE)
        if (folder / FILE).exists():
            os.replace(folder / FILE, folder / BEFORE)  # noqa: PTH105 -- replaces on Windows too
        os.replace(fresh, folder / FILE)  # noqa: PTH105
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise write_error(error, folder / FILE) from error


def load(folder: Path) -> tuple[Checkpoint | None, bool]:
    """The newest whole checkpoint, None where there is none; and whether a newer one was damaged.

    Raises CatDogError cannot_read where a file is there and cannot be read at all.
    """
    damaged = False
    for name in (FILE, BEFORE):
        try:
            data = (folder / name).read_bytes()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InputError("cannot_read", path=str(folder / name), reason=error.strerror or str(error)) from error
        try:
            return _read(data), damaged
        except Exception:  # noqa: BLE001 -- whatever is wrong with a damaged file, the one before is asked
            damaged = True
    if damaged:
        raise CatDogError("checkpoint_damaged", run=str(folder))
    return None, False


def _read(data: bytes) -> Checkpoint:
    length = int.from_bytes(data[:8], "little")
    metadata = json.loads(data[8 : 8 + length])["__metadata__"]
    if metadata.get(SUM, "") != _sum(metadata[KEY]):  # a flipped digit would be another epoch
        raise ValueError("sum")
    text = json.loads(metadata[KEY])
    if text["schema"] != SCHEMA:
        raise ValueError("schema")
    tensors = from_bytes(data)
    if checksum(tensors) != text["checksum"]:
        raise ValueError("checksum")
    steps, photos, loss_sum, right_sum = text["so_far"]
    if not all(0 <= number < 2**53 for number in (steps, photos, text["done"], text["events"])):
        raise ValueError("numbers")
    return Checkpoint(
        classes=tuple(text["classes"]),
        learner=Snapshot(_part(tensors, "learner."), dict(text["values"])),
        done=int(text["done"]),
        so_far=EpochSoFar(int(steps), int(photos), float(loss_sum), float(right_sum)),
        last_better=int(text["last_better"]),
        moved=bool(text["moved"]),
        best=_best(text["best"], tensors),
        events=int(text["events"]),
    )


def _best(values: list[Any] | None, tensors: dict[str, Array]) -> Best | None:
    if values is None:
        return None
    epoch, loss, accuracy = values
    answers = (tensors["check.scores"], tensors["check.labels"], tensors["check.features"])
    return Best(int(epoch), _part(tensors, "best."), Validation(float(loss), float(accuracy), *answers))


def check_best(best: Best | None, state: dict[str, Array], classes: int) -> None:
    """Whether the best can be put into a learner whose state is given. Raises ValueError."""
    if best is None:
        return
    if _shapes(best.state) != _shapes(state):
        raise ValueError("best")
    checked = best.validation
    count = len(checked.labels)
    if count and checked.scores.shape != (count, classes):
        raise ValueError("check.scores")
    if checked.features.ndim != 2 or len(checked.features) not in (0, count):  # 0: a head's photos are in the store
        raise ValueError("check.features")
    known = not count or 0 <= checked.labels.min() <= checked.labels.max() < classes
    if checked.labels.dtype.kind not in "iu" or not known:
        raise ValueError("check.labels")
    if any(value.dtype.kind != "f" for value in (checked.scores, checked.features)):
        raise ValueError("check")


def _shapes(tensors: dict[str, Array]) -> dict[str, tuple[int, ...]]:
    """A single number is stored as a row of one."""
    return {name: value.shape or (1,) for name, value in tensors.items()}


def _sum(words: str) -> str:
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()


def _part(tensors: dict[str, Array], prefix: str) -> dict[str, Array]:
    return {name[len(prefix) :]: value for name, value in tensors.items() if name.startswith(prefix)}
