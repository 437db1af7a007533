"""What the window knows about the chosen folder. Neither torch nor Qt; `ui.jobs` fills it from the engine's scan."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path

from catdog_gui.engine.errors import Fields, FieldValue

EXAMPLES = 5  # photos of a class that are shown; twice as many are tried
EXAMPLE_CLASSES = 6  # classes with photos; further ones get a line


@dataclass(frozen=True, slots=True)
class Said:
    """A code and its fields: a reason, a warning or a notice that `ui.text.say` words."""

    code: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One file that is not used. path: relative to the folder, "/" between its parts."""

    path: str
    code: str
    fields: Mapping[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """Another folder that probably is what was meant. code: use_inner_folder or use_parent_folder."""

    code: str
    path: Path


@dataclass(frozen=True, slots=True)
class Dataset:
    """The outcome of a scan. classes: name -> photos, both sides of the split together.

    own_check: photos in the folder's own validation part, None where it is split by share. examples: class -> a few
    photos to show. reason: why it cannot be trained on; None where it can.
    """

    root: Path
    layout: str
    classes: Mapping[str, int]
    own_check: int | None = None
    examples: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Said, ...] = ()
    offers: tuple[Offer, ...] = ()
    reason: Said | None = None

    @property
    def trainable(self) -> bool:
        return self.reason is None

    def sides(self, val_fraction: float) -> tuple[int, int]:
        """Photos to learn from and to check with; at least one of each class on each side."""
        total = sum(self.classes.values())
        check = self.own_check
        if check is None:
            check = sum(min(max(1, round(n * val_fraction)), max(0, n - 1)) for n in self.classes.values())
        return total - check, check


class DataPhase(Enum):
    NONE = auto()
    SCANNING = auto()
    READY = auto()
    FAILED = auto()


@dataclass(slots=True)
class DataState:
    """The chosen folder. Owner: the window; changed only by its methods.

    found: photos seen so far while scanning. use_split: whether train and validation folders are taken as the split.
    """

    phase: DataPhase = DataPhase.NONE
    folder: Path | None = None
    found: int = 0
    dataset: Dataset | None = None
    failure: Said | None = None
    use_split: bool = True
    held_out: tuple[Path, ...] = ()  # drawings kept back from the sample pictures
    found_by_run: tuple[LeftOut, ...] = ()  # files that the last run left out: only reading them tells

    @property
    def ready(self) -> bool:
        """Whether it can be trained on now."""
        return self.phase is DataPhase.READY and self.dataset is not None and self.dataset.trainable

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The files that are not used: those that the scan refused by their names, and those a run could not read."""
        named = self.dataset.left_out if self.dataset is not None else ()
        known = {item.path for item in named}
        return (*named, *(item for item in self.found_by_run if item.path not in known))

    def choose(self, folder: Path, *, use_split: bool = True) -> None:
        """A folder was chosen; the scan starts."""
        if folder != self.folder:
            self.dataset = None
            self.held_out = ()
        self.folder = folder
        self.phase = DataPhase.SCANNING
        self.found = 0
        self.found_by_run = ()
        self.failure = None
        self.use_split = use_split

    def progress(self, found: int) -> None:
        self.found = found

    def scanned(self, dataset: Dataset) -> None:
        """The scan has ended."""
        self.phase = DataPhase.READY
        self.dataset = dataset
        self.folder = dataset.root

    def failed(self, code: str, fields: Fields) -> None:
        """The folder could not be read at all."""
        self.phase = DataPhase.FAILED
        self.dataset = None
        self.failure = Said(code, dict(fields))

    def cancel(self) -> None:
        """The user stopped the scan."""
        self.phase = DataPhase.READY if self.dataset is not None else DataPhase.NONE
