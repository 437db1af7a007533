"""What the jobs of the window send and return: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catdog_gui.engine.estimates.estimate import Machine
    from catdog_gui.engine.estimates.machine import Past
    from catdog_gui.engine.events import PhotoSkipped
    from catdog_gui.session.prediction import ModelLine


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """One example photo, upright. pixels: uint8 (side, side, 3)."""

    label: str
    index: int
    pixels: Any


@dataclass(frozen=True, slots=True)
class Seen:
    """What the model sees of the photo of an answer. position: in the list of answers; pixels: uint8 (S, S, 3)."""

    position: int
    pixels: Any


@dataclass(frozen=True, slots=True)
class Noted:
    """The answers of this job are noted down in the folder `job`. name: of what was given, as shown."""

    job: Path
    name: str = ""


@dataclass(frozen=True, slots=True)
class Sorted:
    """Photos were put into folders, or back. moved: old path -> new path, as shown; empty where they were copied."""

    count: int
    moved: Mapping[str, str]
    failed: "tuple[PhotoSkipped, ...]" = ()


@dataclass(frozen=True, slots=True)
class Movable:
    """Moves that can be undone."""

    path: Path
    count: int


@dataclass(frozen=True, slots=True)
class Count:
    """Progress of a job; total 0 = not known."""

    done: int
    total: int = 0


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model file that has been read and can answer."""

    file: Path
    line: "ModelLine"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of this computer's speed. free_mb: memory that a run could have."""

    machine: "Machine"
    runs: "tuple[Past, ...]"
    free_mb: float | None


@dataclass(frozen=True, slots=True)
class ExportEnd:
    """A written and checked file. precision: "fp32" or "int8"; photos: "run", "drawn" or "mixed".

    own_precision: what the program answers in here, None where that is fp32 too.
    """

    file: Path
    example: Path
    size_mb: float
    precision: str
    photos: str
    checked: int
    agree: int
    largest_difference: float
    own_precision: str | None = None
    own_same: int = 0
    own_difference: float = 0.0


@dataclass(frozen=True, slots=True)
class Opening:
    """What the paths of a command line are: at most one dataset, run and model; the rest are photos."""

    dataset: Path | None = None
    run: Path | None = None
    model: Path | None = None
    photos: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Samples:
    """The drawn pictures: their folder, and those that are in no class, to try."""

    dataset: Path
    held_out: tuple[Path, ...]
