"""Batches of a store, on the device."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.augment import augment
from catdog_gui.engine.learning.randomness import plan_batches, shuffled
from catdog_gui.engine.learning.staging import Column, NotPinnedError, Ring, Way
from catdog_gui.engine.learning.variation import draw, version_of
from catdog_gui.engine.photos.reading import read_ahead
from catdog_gui.engine.preparing.stores import ArrayStore, LiveStore, Store

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(slots=True)
class Batch:
    """inputs: rows of the store (photos uint8 (N, S, S, 3), or features); labels: (N,) int64; both on the device."""

    inputs: torch.Tensor
    labels: torch.Tensor

    def __iter__(self) -> Iterator[torch.Tensor]:
        return iter((self.inputs, self.labels))


class CardRows:
    """Rows that lie on the device, as all of airbench's do (Jordan 2024): an epoch sends its order there, no photo."""

    def __init__(self, rows: torch.Tensor, members: Array) -> None:
        """rows: one for each of the members, in their order."""
        self._rows = rows
        self._places = np.zeros(int(members.max()) + 1, np.int64)
        self._places[members] = np.arange(len(members))

    def batches(
        self, plan: list[Array], besides: Callable[[Array], list[Array]]
    ) -> Iterator[tuple[list[torch.Tensor], Array]]:
        """As `Ring.batches`; the tensors are the reader's own."""
        order = np.concatenate(plan) if plan else np.zeros(0, np.int64)
        sent = [torch.from_numpy(column).to(self._rows.device) for column in (self._places[order], *besides(order))]
        start = 0
        for photos in plan:
            places, *columns = (column[start : start + len(photos)] for column in sent)
            yield [self._rows.index_select(0, places), *columns], photos
            start += len(photos)


@dataclass(slots=True)
class BatchLoader:
    """Seeded batches of a store. Iterate once an epoch; `epoch` decides the order and the variations.

    size: the network's side where the store holds squares, 0 where it holds features. versions: how many of a photo
    each row holds, the first as it is; 0: a row is the photo's. way: how batches get to a card ahead of their use;
    on_unpinned: told why page-locked memory was not to be had, after which the loader does without.
    on_slow: told of a photo that a batch has been waiting for for a minute.
    kept: the members' rows on the card, where they fit.
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
    versions: int = 0
    way: Way | None = None
    on_unpinned: Callable[[str], None] = lambda _reason: None
    on_slow: Callable[[Path | None], None] = lambda _photo: None
    kept: CardRows | None = None
    should_stop: Callable[[], bool] = lambda: False
    epoch: int = 0
    start: int = 0  # batches of the epoch that are passed over: they were learned before
    shard: tuple[int, int] = (0, 1)  # which of how many parts of each batch; a part may be empty

    def __len__(self) -> int:
        return len(self._plan())

    def _plan(self) -> list[Array]:
        order = shuffled(self.seed, self.epoch, self.members) if self.learning else self.members
        return plan_batches(order, self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        part, parts = self.shard
        plan = self._plan()[self.start :]
        if parts > 1:
            plan = [np.array_split(photos, parts)[part] for photos in plan]
        for columns, photos in self._arriving(plan):
            if self.should_stop():
                raise Stopped
            if len(photos) or parts > 1:
                yield self._batch(*columns)

    def _arriving(self, plan: list[Array]) -> Iterator[tuple[Sequence[torch.Tensor], Array]]:
        """Each batch's columns on the device, and its photos: by the quickest way there is."""
        if self.kept is not None:
            return self.kept.batches(plan, self._besides)
        if self.way is not None and plan:
            try:
                ring = Ring(self.way, self._columns(), max(1, *map(len, plan)))
            except NotPinnedError as error:
                self.way = None
                self.on_unpinned(str(error))
            else:
                workers = 1 if isinstance(self.store, LiveStore) else 2  # that one has threads of its own
                return ring.batches(
                    plan, self._fill, workers=workers, should_stop=self.should_stop, on_slow=self._tell_slow
                )
        return self._handed_over(plan)

    def _handed_over(self, plan: list[Array]) -> Iterator[tuple[Sequence[torch.Tensor], Array]]:
        """Batches by way of plain memory. What lies ready is taken at once: giving it to a thread would cost more."""
        gathered: Iterator[tuple[list[Array], Array]]
        if isinstance(self.store, ArrayStore):
            gathered = map(self._gather, plan)
        else:
            gathered = read_ahead(
                plan, self._gather, workers=1, depth=3, should_stop=self.should_stop, on_slow=self._tell_slow
            )
        for columns, photos in gathered:
            yield [torch.from_numpy(column).to(self.device) for column in columns], photos

    def _tell_slow(self, _batch: object) -> None:
        if isinstance(self.store, LiveStore):
            self.on_slow(self.store.waits_for)

    def _gather(self, photos: Array) -> tuple[list[Array], Array]:
        rows, kept = self.store.take(photos)
        return [np.ascontiguousarray(rows), *self._besides(kept)], kept

    def _fill(self, photos: Array, into: list[Array]) -> Array:
        kept = self.store.put(photos, into[0])
        for target, source in zip(into[1:], self._besides(kept), strict=True):
            target[: len(kept)] = source
        return kept

    def _besides(self, photos: Array) -> list[Array]:
        """What goes along with the rows: labels, and the random numbers of the variation or the version's number."""
        labels = self.labels[photos]
        if self.versions:
            learned = version_of(self.seed, self.epoch, photos, self.versions)
            return [labels, learned if self.learning else np.zeros_like(learned)]
        return [labels, draw(self.seed, self.epoch, photos)] if self.varied else [labels]

    def _columns(self) -> list[Column]:
        none = self._besides(self.members[:0])
        shape, kind = self.store.row
        return [Column(shape, _torch_type(kind)), *(Column(c.shape[1:], _torch_type(c.dtype)) for c in none)]

    def _batch(self, inputs: torch.Tensor, labels: torch.Tensor, besides: torch.Tensor | None = None) -> Batch:
        draws = None if self.versions else besides
        if self.versions and besides is not None:
            inputs = inputs[torch.arange(len(inputs), device=inputs.device), besides]
        if draws is not None and len(inputs):
            inputs = augment(inputs, self.size, draws)
        elif self.size and inputs.shape[1] > self.size:
            edge = (inputs.shape[1] - self.size) // 2
            inputs = inputs[:, edge : edge + self.size, edge : edge + self.size]
        if not self.size:
            inputs = inputs.float()
        if self.way is None or self.kept is not None:
            return Batch(inputs, labels)
        return Batch(inputs.clone() if draws is None else inputs, labels.clone())  # the ring's are filled again

    def keep_on_card(self, most_bytes: int) -> int:
        """Move the members' rows to the card for good where they lie in memory and take at most this; returns bytes.

        Raises Stopped, torch's out-of-memory error (nothing is kept then).
        """
        shape, kind = self.store.row
        size = len(self.members) * math.prod(shape) * kind.itemsize
        if not isinstance(self.store, ArrayStore) or size > most_bytes or not len(self.members):
            return 0
        rows = torch.empty((len(self.members), *shape), dtype=_torch_type(kind), device=self.device)
        done = 0
        for columns, photos in self._arriving(plan_batches(self.members, self.batch_size)):
            rows[done : done + len(photos)] = columns[0]
            done += len(photos)
        self.kept = CardRows(rows, self.members)
        return size

    def leave_card(self) -> bool:
        """Give back the card's memory that only makes things faster. Returns whether there was some."""
        was_there, self.kept = self.kept is not None, None
        return was_there


def _torch_type(kind: "np.dtype[Any]") -> torch.dtype:
    return torch.from_numpy(np.zeros(0, kind)).dtype
