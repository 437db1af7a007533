"""Stores of what learning reads over and over: one row a photo. No torch."""

import contextlib
import os
import platform
import shutil
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from catdog_gui.engine.errors import CatDogError, PhotoError
from catdog_gui.engine.home import cache_dir
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.photos.reading import read_ahead

Array = np.ndarray[Any, np.dtype[Any]]
IN_MEMORY = 256 * 2**20  # bytes of a store above which it lies in a mapped file
_DISK_LEFT = 2 * 2**30  # bytes of free disk that a store must leave
_ENDING = ".bin"
_MOST_LOST = 0.2  # share of the photos that may vanish while they are learned from


class Store(Protocol):
    """What learning reads: one row a photo of the dataset."""

    @property
    def row(self) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
        """Shape and type of one photo's row."""

    def take(self, photos: Array) -> tuple[Array, Array]:
        """The rows of the photos with these numbers, and the numbers of those that could be read. Any thread."""

    def put(self, photos: Array, into: Array) -> Array:
        """As `take`, into the first rows of an array that is large enough; the numbers only come back."""

    def close(self) -> None: ...


@dataclass(slots=True)
class ArrayStore:
    """Rows in memory or in a mapped file."""

    rows: Array
    file: Path | None = None

    @property
    def row(self) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
        return self.rows.shape[1:], self.rows.dtype

    def take(self, photos: Array) -> tuple[Array, Array]:
        return self.rows[photos], photos

    def put(self, photos: Array, into: Array) -> Array:
        np.take(self.rows, photos, axis=0, out=into[: len(photos)], mode="clip")  # other modes buffer the output
        return photos

    def close(self) -> None:
        self.rows = self.rows[:0].copy()
        if self.file is not None:
            with contextlib.suppress(OSError):  # on Windows, while another process still has it open
                self.file.unlink(missing_ok=True)


@dataclass(slots=True)
class LiveStore:
    """Rows decoded anew each time, for datasets that fit neither memory nor disk.

    lost: what cannot be read now, and why. It is tried again in the next epoch; `take` and `put` raise CatDogError
    photos_lost once that is more than a fifth: a drive is gone, and learning from the rest would make another model.
    waits_for: the photo that is read now, for whoever waits for a batch.
    """

    paths: list[Path]
    recipe: Recipe
    margin: bool
    workers: int
    lost: dict[int, PhotoError] = field(default_factory=dict)
    waits_for: Path | None = None

    @property
    def row(self) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
        side = self.recipe.margin_size if self.margin else self.recipe.size
        return (side, side, 3), np.dtype(np.uint8)

    def take(self, photos: Array) -> tuple[Array, Array]:
        rows = np.zeros((len(photos), *self.row[0]), np.uint8)
        kept = self.put(photos, rows)
        return rows[: len(kept)], kept

    def put(self, photos: Array, into: Array) -> Array:
        kept: list[int] = []
        reads = read_ahead(photos, self._read, workers=self.workers, should_stop=lambda: False)
        with contextlib.closing(reads):
            for number in map(int, photos):
                self.waits_for = self.paths[number]
                picture = next(reads)
                if isinstance(picture, PhotoError):
                    self.lost[number] = picture
                else:
                    self.lost.pop(number, None)
                    into[len(kept)] = picture
                    kept.append(number)
        if len(self.lost) > _MOST_LOST * len(self.paths):
            first = next(iter(self.lost.values()))
            raise CatDogError("photos_lost", count=len(self.lost), total=len(self.paths), reason=str(first))
        return np.array(kept, np.int64)

    def _read(self, number: int) -> Array | PhotoError:
        try:
            return decode(read_bytes(self.paths[number]), self.recipe, margin=self.margin)
        except PhotoError as error:
            return error

    def close(self) -> None:
        pass


def has_room(size: int) -> bool:
    """Whether there is room for a store of `size` bytes, in memory or on the disk; others may take it meanwhile."""
    if size <= IN_MEMORY:
        return True
    try:
        place = next(folder for folder in (cache_dir(), *cache_dir().parents) if folder.exists())
        return shutil.disk_usage(place).free >= size + _DISK_LEFT
    except (OSError, StopIteration):
        return False


def new_file(size: int) -> Path | None:
    """A file of `size` bytes for a store, its place on the disk taken; None where there is no room.

    Not merely made long: writing into a mapped file on a full disk kills the process, and two programs that begin at
    once may both have seen the same free place. What programs that were killed left behind goes first.
    """
    folder = cache_dir() / "stores"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob(f"*{_ENDING}"):
            if _is_left_over(file):
                file.unlink(missing_ok=True)
        if shutil.disk_usage(folder).free < size + _DISK_LEFT:
            return None
    except OSError:
        return None
    path: Path = folder / f"{_here()}{os.getpid()}-{uuid.uuid4().hex}{_ENDING}"
    try:
        with path.open("xb") as made:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(made.fileno(), 0, size)
            made.truncate(size)
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    return path


def _here() -> str:
    """How the names of this computer's stores begin: several computers may share a home."""
    name = "".join(char if char.isalnum() else "_" for char in platform.node())
    return f"{name or 'computer'}-"


def _is_left_over(file: Path) -> bool:
    """Whether the program on this computer that made it has ended."""
    import psutil

    number = file.name.removeprefix(_here()).partition("-")[0]
    return file.name.startswith(_here()) and number.isdecimal() and not psutil.pid_exists(int(number))
