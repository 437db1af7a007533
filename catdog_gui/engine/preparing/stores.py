"""Stores of what learning reads over and over: one row a photo. No torch."""

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.photos.reading import read_ahead

Array = np.ndarray[Any, np.dtype[Any]]


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
    """Rows decoded anew each time, for datasets that fit neither memory nor disk. lost: what vanished, and why."""

    paths: list[Path]
    recipe: Recipe
    margin: bool
    workers: int
    lost: dict[int, PhotoError] = field(default_factory=dict)

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
        for number, picture in read_ahead(photos, self._read, workers=self.workers, should_stop=lambda: False):
            if isinstance(picture, PhotoError):
                self.lost[number] = picture
            else:
                into[len(kept)] = picture
                kept.append(number)
        return np.array(kept, np.int64)

    def _read(self, number: int) -> tuple[int, Array | PhotoError]:
        try:
            return int(number), decode(read_bytes(self.paths[number]), self.recipe, margin=self.margin)
        except PhotoError as error:
            return int(number), error

    def close(self) -> None:
        pass
