"""Stores of what learning reads over and over, and batches on the device."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from catdog_gui.engine.augment import augment, draw
from catdog_gui.engine.errors import PhotoError, Stopped
from catdog_gui.engine.images import Recipe, decode
from catdog_gui.engine.photo_file import read_bytes
from catdog_gui.engine.randomness import plan_batches, shuffled
from catdog_gui.engine.reading import read_ahead

Array = np.ndarray[Any, np.dtype[Any]]


class Store(Protocol):
    """What learning reads: one row a photo of the dataset."""

    def take(self, photos: Array) -> tuple[Array, Array]:
        """The rows of the photos with these numbers, and the numbers of those that could be read. Any thread."""

    def close(self) -> None: ...


@dataclass(slots=True)
class ArrayStore:
    """Rows in memory or in a mapped file."""

    rows: Array
    file: Path | None = None

    def take(self, photos: Array) -> tuple[Array, Array]:
        return self.rows[photos], photos

    def close(self) -> None:
        self.rows = self.rows[:0].copy()
        if self.file is not None:
            self.file.unlink(missing_ok=True)


@dataclass(slots=True)
class LiveStore:
    """Rows decoded anew each time, for datasets that fit neither memory nor disk. lost: photos that vanished."""

    paths: list[Path]
    recipe: Recipe
    margin: bool
    workers: int
    lost: set[int] = field(default_factory=set)

    def take(self, photos: Array) -> tuple[Array, Array]:
        pictures, kept = [], []
        for number, picture in read_ahead(photos, self._read, workers=self.workers, should_stop=lambda: False):
            if picture is None:
                self.lost.add(number)
            else:
                pictures.append(picture)
                kept.append(number)
        side = self.recipe.margin_size if self.margin else self.recipe.size
        rows = np.stack(pictures) if pictures else np.zeros((0, side, side, 3), np.uint8)
        return rows, np.array(kept, np.int64)

    def _read(self, number: int) -> tuple[int, Array | None]:
        try:
            return int(number), decode(read_bytes(self.paths[number]), self.recipe, margin=self.margin)
        except PhotoError:
            return int(number), None

    def close(self) -> None:
        pass


@dataclass(slots=True)
class Batch:
    """inputs: rows of the store (photos uint8 (N, S, S, 3), or features); labels: (N,) int64; both on the device."""

    inputs: torch.Tensor
    labels: torch.Tensor

    def __iter__(self) -> Iterator[torch.Tensor]:
        return iter((self.inputs, self.labels))


@dataclass(slots=True)
class BatchLoader:
    """Seeded batches of a store. Iterate once an epoch; `epoch` decides the order and the variations.

    size: the network's side where the store holds squares, 0 where it holds features.
    """

    store: Store
    labels: Array
    members: Array
    batch_size: int
    device: torch.device
    seed: int = 0
    learning: bool = False
    varied: bool = False
    size: int = 0
    pinned: bool = False
    should_stop: Callable[[], bool] = lambda: False
    epoch: int = 0

    def __len__(self) -> int:
        return len(self._plan())

    def _plan(self) -> list[Array]:
        order = shuffled(self.seed, self.epoch, self.members) if self.learning else self.members
        return plan_batches(order, self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        for inputs, labels, photos in self._hosts():
            if self.should_stop():
                raise Stopped
            if len(photos):
                yield self._placed(inputs, labels, photos)

    def _hosts(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, Array]]:
        """Batches in the host's memory. What lies ready is taken at once: handing over to a thread would cost more."""
        if isinstance(self.store, ArrayStore) and not self.pinned:
            return map(self._gather, self._plan())
        return read_ahead(self._plan(), self._gather, workers=1, depth=3, should_stop=self.should_stop)

    def _gather(self, photos: Array) -> tuple[torch.Tensor, torch.Tensor, Array]:
        rows, kept = self.store.take(photos)
        inputs, labels = torch.from_numpy(np.ascontiguousarray(rows)), torch.from_numpy(self.labels[kept])
        return (inputs.pin_memory(), labels.pin_memory(), kept) if self.pinned else (inputs, labels, kept)

    def _placed(self, inputs: torch.Tensor, labels: torch.Tensor, photos: Array) -> Batch:
        inputs = inputs.to(self.device, non_blocking=self.pinned)
        labels = labels.to(self.device, non_blocking=self.pinned)
        if self.varied:
            draws = torch.from_numpy(draw(self.seed, self.epoch, photos)).to(self.device)
            inputs = augment(inputs, self.size, draws)
        elif self.size and inputs.shape[1] > self.size:
            edge = (inputs.shape[1] - self.size) // 2
            inputs = inputs[:, edge : edge + self.size, edge : edge + self.size]
        return Batch(inputs if self.size else inputs.float(), labels)
