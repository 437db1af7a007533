"""What a job says while it works: frozen values, each with a JSON line. Neither torch nor Qt.

`to_dict` / `from_dict` are each other's inverse for every event; unknown keys of a newer program are ignored.
"""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from catdog_gui.engine.errors import FieldValue
from catdog_gui.engine.json_types import fields_fit
from catdog_gui.engine.messages import sentence

VERSION = 1
Phase = Literal["scan", "prepare", "train", "validate", "save"]
PHASES: tuple[Phase, ...] = ("scan", "prepare", "train", "validate", "save")


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events; `type` is the JSON line's type."""

    type: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    """The run folder exists and the settings are final. Said once, before the first phase that needs them.

    photos: {"train": n, "val": n}, known after preparing and then said again.
    """

    type: ClassVar[str] = "start"
    run: str
    classes: list[str]
    device: str
    device_name: str
    precision: str
    epochs: int
    preset: str
    model: str
    photos: dict[str, int]
    started: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class PhaseStarted(Event):
    type: ClassVar[str] = "phase"
    phase: Phase


@dataclass(frozen=True, slots=True)
class Progress(Event):
    """done and total count photos (prepare, validate), files (scan) or what `unit` says; total 0 = not known yet.

    unit: "MB" while a network's weights are fetched.
    """

    type: ClassVar[str] = "progress"
    phase: Phase
    done: int
    total: int
    photos_per_s: float | None = None
    unit: Literal["photos", "MB"] = "photos"


@dataclass(frozen=True, slots=True)
class StepDone(Event):
    """One optimizer step. loss, accuracy: of this step's photos (accuracy 0..1); times in ms a step.

    steps: steps of the whole run as planned, for the progress bar.
    """

    type: ClassVar[str] = "step"
    step: int
    epoch: int
    loss: float | None
    lr: float
    photos_per_s: float | None
    data_ms: float | None
    compute_ms: float | None
    accuracy: float | None = None
    steps: int = 0


@dataclass(frozen=True, slots=True)
class EpochDone(Event):
    """One pass over the training photos, validated. step: the last step of the epoch. best: the new best."""

    type: ClassVar[str] = "epoch"
    epoch: int
    epochs: int
    train_loss: float | None
    train_accuracy: float | None
    val_loss: float | None
    val_accuracy: float | None
    step: int = 0
    best: bool = False


@dataclass(frozen=True, slots=True)
class MemorySample(Event):
    """Memory in MiB. kind "ram": allocated = resident memory of the process, reserved = None."""

    type: ClassVar[str] = "memory"
    device: str
    kind: Literal["cuda", "mps", "ram"]
    allocated_mb: float | None
    reserved_mb: float | None
    peak_mb: float | None
    total_mb: float | None
    process_mb: float | None


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """Something the program did by itself and says so (`batch_halved`, `train_val_layout`, ...)."""

    type: ClassVar[str] = "notice"
    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DataWarning(Event):
    """Something about the photos that makes the answer less trustworthy (`imbalanced`, `few_photos`, ...)."""

    type: ClassVar[str] = "warning"
    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PhotoSkipped(Event):
    """One file that is not used. path: relative to the dataset, "/" between its parts."""

    type: ClassVar[str] = "skipped"
    path: str
    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunResult(Event):
    """The end of a run that was completed or stopped by the user.

    val: {"accuracy": 0..1, "log_loss": nats, "n": photos} plus "ece" (0..1) and "balanced_accuracy"; empty when the run
    was stopped before the first validation. confusion: rows true, columns answered. model: None when none was saved.
    """

    type: ClassVar[str] = "result"
    status: Literal["completed", "stopped"]
    run: str
    model: str | None
    classes: list[str]
    photos: dict[str, int]
    val: dict[str, float | int | None]
    epochs: int
    device: str
    precision: str
    seconds: dict[str, float]
    best_epoch: int = 0
    confusion: list[list[int]] = field(default_factory=list)


Verdict = Literal["sure", "not_sure", "none_of_these", "unreadable"]


@dataclass(frozen=True, slots=True)
class Prediction(Event):
    """The answer for one photo. label: None unless the verdict is sure; top: the best guess, None when unreadable.

    probabilities: class -> 0..1, in the model's order; novelty: distance to the training photos, 0 (alike) to 2.
    code, fields: why it could not be read, or is not sure. seen: what the model saw, small, uint8 (S, S, 3), no line.
    box: the part of the upright photo that the model saw: left, top, right, bottom in 0..1. poorness: how poor the
    photo looks (turned, dark, ...), 0 for a usual one, 1 where 1 of 100 are poorer; None: the model cannot tell.
    """

    type: ClassVar[str] = "prediction"
    path: str
    verdict: Verdict
    label: str | None
    top: str | None
    probabilities: dict[str, float]
    calibrated: bool
    novelty: float | None
    code: str | None = None
    fields: dict[str, FieldValue] = field(default_factory=dict)
    seen: Any = field(default=None, compare=False, metadata={"line": False})
    box: tuple[float, float, float, float] | None = field(default=None, metadata={"line": False})
    poorness: float | None = None


@dataclass(frozen=True, slots=True)
class Estimated(Event):
    """What the run will probably take here, said before it prepares. seconds: by phase; peak_mb, free_mb: MiB.

    rough: this computer was never measured. cached: the photos' features are likely kept from an earlier run.
    """

    type: ClassVar[str] = "estimate"
    seconds: dict[str, float]
    total_s: float
    peak_mb: float
    free_mb: float | None
    rough: bool = False
    cached: bool = False


@dataclass(frozen=True, slots=True)
class BenchProgress(Event):
    """What a comparison of devices measures now. done, total: rows; pieces: timed so far in this row, 0: warm-up."""

    type: ClassVar[str] = "bench_progress"
    device: str
    name: str
    precision: str
    done: int
    total: int
    pieces: int = 0


@dataclass(frozen=True, slots=True)
class BenchRow(Event):
    """One row of a comparison of devices; figures are None in a row that was not measured, and `code` says why.

    speedup: over the CPU in fp32; epoch_s, seconds_25000: one pass over this dataset, and over 25,000 photos;
    article_s: the article's training, 10 such passes; peak_mb: MiB, on the card, or of the process; spread: the middle
    half of the repeats is that share of their median wide; repeats: timed pieces.
    """

    type: ClassVar[str] = "bench_row"
    device: str
    name: str
    precision: str
    photos_per_s: float | None = None
    speedup: float | None = None
    epoch_s: float | None = None
    seconds_25000: float | None = None
    article_s: float | None = None
    peak_mb: float | None = None
    spread: float | None = None
    repeats: int = 0
    code: str | None = None
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunFailed(Event):
    """The end of a job that failed. details: traceback for "Copy details"; stays out of the JSON lines."""

    type: ClassVar[str] = "error"
    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)
    details: str = field(default="", metadata={"line": False})


EVENTS: dict[str, type[Event]] = {
    cls.type: cls
    for cls in (
        RunStarted,
        PhaseStarted,
        Progress,
        StepDone,
        EpochDone,
        MemorySample,
        Notice,
        DataWarning,
        PhotoSkipped,
        Prediction,
        Estimated,
        BenchProgress,
        BenchRow,
        RunResult,
        RunFailed,
    )
}


def finite(value: object) -> object:
    """JSON has no NaN and no infinity: both become null, in nested values too."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def to_dict(event: Event) -> dict[str, Any]:
    """The event as the object of its JSON line, with version, type and (for coded events) the English message."""
    values = {
        item.name: finite(getattr(event, item.name))
        for item in dataclasses.fields(event)
        if item.metadata.get("line", True)
    }
    line: dict[str, Any] = {"v": VERSION, "type": event.type, **values}
    if isinstance(event, Notice | DataWarning | PhotoSkipped | RunFailed):
        line["message"] = sentence(event.code, event.fields)
    if isinstance(event, Prediction | BenchRow):
        line["reason"] = sentence(event.code, event.fields) if event.code else None
    if isinstance(event, PhotoSkipped):
        line["reason"] = line["message"]
    return line


def to_line(event: Event, **extra: object) -> str:
    """One JSON line without its line end. extra: further keys, such as `time`."""
    return json.dumps({**to_dict(event), **extra}, ensure_ascii=False, allow_nan=False)


def from_dict(values: Mapping[str, Any]) -> Event | None:
    """The event of a JSON object; None for a type this version does not know, missing fields or wrong values."""
    cls = EVENTS.get(str(values.get("type")))
    if cls is None:
        return None
    known = {item.name for item in dataclasses.fields(cls) if item.metadata.get("line", True)}
    found = {key: value for key, value in values.items() if key in known}
    if not fields_fit(cls, found):
        return None
    try:
        return cls(**found)
    except TypeError:
        return None


def from_line(line: str) -> Event | None:
    """The event of a JSON line; None where the line is damaged or unknown."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return from_dict(values) if isinstance(values, dict) else None
