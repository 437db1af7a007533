"""Batches reach a card whole, whatever the card does when: no buffer is written while it is still read.

The card is a stand-in that carries out what is queued at random times, in the orders its streams and moments allow;
everything else is the program's own.
"""

import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.staging import Column, CudaWay, NotPinnedError, Ring
from catdog_gui.engine.preparing.stores import ArrayStore

CPU = torch.device("cpu")
Work = Callable[[], None]


@dataclass
class Moment:
    card: "LazyCard"
    done: bool = False

    def wait(self) -> None:
        while not self.done:
            self.card.work()


@dataclass
class LazyCard:
    """Two streams of queued work: copies, and the computing stream. Work is done when waited for, or when it likes."""

    rng: random.Random = field(default_factory=lambda: random.Random(0))
    streams: tuple[deque[Work | Moment], deque[Work | Moment]] = field(default_factory=lambda: (deque(), deque()))
    lock: Any = field(default_factory=threading.RLock)
    hosts: int = 0
    stalled: set[int] = field(default_factory=set)

    # -- the program's side

    def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        self.hosts += 1
        return torch.empty(shape, dtype=dtype)

    def device(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.full(shape, 111, dtype=dtype)

    def send(self, pairs: Sequence[tuple[torch.Tensor, torch.Tensor]], after: Moment | None) -> Moment:
        def copy() -> None:
            for target, source in pairs:
                target.copy_(source)

        with self.lock:
            if after is not None:
                self.streams[0].append(self._held_until(after))
            self.streams[0].append(copy)
            return self._moment(0)

    def arrive(self, sent: Moment) -> None:
        with self.lock:
            self.streams[1].append(self._held_until(sent))

    def read(self) -> Moment:
        with self.lock:
            return self._moment(1)

    def leave(self) -> None:
        with self.lock:
            self.streams[0].append(self._held_until(self._moment(1)))

    # -- the card's side

    def compute(self, work: Work) -> None:
        with self.lock:
            self.streams[1].append(work)

    def _moment(self, stream: int) -> Moment:
        moment = Moment(self)
        self.streams[stream].append(lambda: setattr(moment, "done", True))
        return moment

    def _held_until(self, moment: Moment) -> Moment:
        return moment

    def work(self) -> None:
        """One piece of work of a stream that is not held."""
        with self.lock:
            ready = [s for s in self.streams if s and not (isinstance(s[0], Moment) and not s[0].done)]
            if ready:
                piece = self.rng.choice(ready).popleft()
                if not isinstance(piece, Moment):
                    piece()

    def finish(self) -> None:
        while any(self.streams):
            self.work()


def ring(card: Any, rows: int = 4, depth: int = 3) -> Ring:
    return Ring(card, [Column((2,), torch.int64)], rows, depth)


def plan(batches: int, size: int = 4) -> list[np.ndarray[Any, Any]]:
    return [np.arange(n * size, (n + 1) * size) for n in range(batches)]


def fill(photos: np.ndarray[Any, Any], into: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    into[0][: len(photos)] = photos[:, None]
    return photos


def arrived(card: LazyCard, made: Ring, batches: int, workers: int = 2) -> Iterator[tuple[list[int], torch.Tensor]]:
    """What the card's computing stream reads of each batch, when it comes to it."""
    for columns, photos in made.batches(plan(batches), fill, workers=workers, should_stop=lambda: False):
        seen = torch.zeros((4, 2), dtype=torch.int64)

        def read(seen: torch.Tensor = seen, source: torch.Tensor = columns[0]) -> None:
            seen.copy_(source)

        card.compute(read)
        for _ in range(card.rng.randrange(4)):
            card.work()
        yield photos.tolist(), seen


@pytest.mark.parametrize("seed", range(12))
def test_every_batch_arrives_whole_however_late_the_card_is(seed: int) -> None:
    card = LazyCard(random.Random(seed))

    batches = list(arrived(card, ring(card), 40))
    card.finish()

    assert [photos for photos, _ in batches] == [part.tolist() for part in plan(40)]
    assert all(seen[:, 0].tolist() == photos for photos, seen in batches)


def test_memory_is_page_locked_once_and_not_for_each_batch() -> None:
    card = LazyCard()

    list(arrived(card, ring(card, depth=3), 40))

    assert card.hosts == 3


def test_batches_are_filled_ahead_while_the_card_computes() -> None:
    card = LazyCard()
    filled: list[int] = []

    def note(photos: np.ndarray[Any, Any], into: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        filled.append(int(photos[0]))
        return fill(photos, into)

    batches = ring(card, depth=3).batches(plan(10), note, workers=1, should_stop=lambda: False)
    next(batches)
    deadline = time.monotonic() + 10
    while len(filled) < 3 and time.monotonic() < deadline:
        threading.Event().wait(0.01)

    assert filled == [0, 4, 8]  # two more than was asked for, and no more than there are buffers
    batches.close()


def test_a_pass_that_is_cut_off_leaves_the_next_one_whole() -> None:
    card = LazyCard(random.Random(5))
    cut = arrived(card, ring(card), 40)
    for _ in range(7):
        next(cut)
    cut.close()

    batches = list(arrived(card, ring(card), 10))
    card.finish()

    assert all(seen[:, 0].tolist() == photos for photos, seen in batches)


def test_stopping_ends_the_wait_for_a_batch_that_does_not_come() -> None:
    gate = threading.Event()

    def hang(photos: np.ndarray[Any, Any], into: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        gate.wait(30)
        return photos

    batches = ring(LazyCard()).batches(plan(3), hang, workers=1, should_stop=lambda: True)
    with pytest.raises(Stopped):
        next(batches)
    gate.set()


def test_memory_that_cannot_be_page_locked_is_named_as_such() -> None:
    class Refusing(LazyCard):
        def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
            raise RuntimeError("CUDA error: out of memory\nmore lines")

    with pytest.raises(NotPinnedError, match=r"^CUDA error: out of memory$"):
        ring(Refusing())


# --- through the loader ----------------------------------------------------------------------------------------------


class PromptCard(LazyCard):
    """Does its work when it is asked to compute with it: the loader's own tensors are computed by torch at once."""

    def arrive(self, sent: Moment) -> None:
        super().arrive(sent)
        self.finish()


def loader(way: Any, **options: Any) -> BatchLoader:
    rng = np.random.default_rng(0)
    squares = rng.integers(0, 256, (30, 74, 74, 3), dtype=np.uint8)
    values: dict[str, Any] = {"members": np.arange(2, 29), "batch_size": 4, "size": 64, "learning": True, **options}
    return BatchLoader(ArrayStore(squares), np.arange(30) % 3, device=CPU, way=way, seed=1, epoch=2, **values)


def same(some: BatchLoader, others: BatchLoader) -> bool:
    one, other = list(some), list(others)  # kept together: no batch may live in a buffer
    return len(one) == len(other) > 0 and all(
        torch.equal(a.inputs, b.inputs) and torch.equal(a.labels, b.labels) for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("varied", [False, True])
def test_batches_are_the_same_by_every_way(varied: bool) -> None:
    kept = loader(PromptCard(), varied=varied)
    plain = loader(None, varied=varied)

    assert same(loader(PromptCard(), varied=varied), plain)
    assert kept.keep_on_card(27 * 74 * 74 * 3) == 27 * 74 * 74 * 3
    assert same(kept, plain)
    assert kept.leave_card()
    assert same(kept, plain)


def test_features_and_the_order_for_checking_are_the_same_by_every_way() -> None:
    features = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float16)
    some = [
        BatchLoader(ArrayStore(features), np.arange(30), np.arange(29), 7, CPU, way=way) for way in (None, PromptCard())
    ]
    kept = BatchLoader(ArrayStore(features), np.arange(30), np.arange(29), 7, CPU)
    kept.keep_on_card(10**6)

    assert same(*some)
    assert same(kept, some[0])


def test_rows_that_take_more_than_they_may_stay_off_the_card() -> None:
    made = loader(None)

    assert made.keep_on_card(27 * 74 * 74 * 3 - 1) == 0
    assert made.kept is None
    assert not made.leave_card()


def test_without_page_locked_memory_the_loader_says_so_once_and_goes_on() -> None:
    class Refusing(PromptCard):
        def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
            raise RuntimeError("no more of it")

    said: list[str] = []
    made = loader(Refusing(), on_unpinned=said.append)

    assert same(made, loader(None))
    assert same(made, loader(None))
    assert said == ["no more of it"]


# --- on a real card --------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("varied", [False, True])
def test_a_real_card_gets_every_batch_as_the_processor_does(varied: bool) -> None:
    device = torch.device("cuda", 0)
    rng = np.random.default_rng(0)
    store = ArrayStore(rng.integers(0, 256, (500, 256, 256, 3), dtype=np.uint8))
    options: dict[str, Any] = {"batch_size": 32, "size": 224, "learning": True, "varied": varied}
    on_card = BatchLoader(store, np.arange(500), np.arange(500), device=device, way=CudaWay(device), **options)
    plain = BatchLoader(store, np.arange(500), np.arange(500), device=CPU, **options)

    busy = torch.randn(4096, 4096, device=device)
    for epoch in range(3):
        on_card.epoch = plain.epoch = epoch
        for batch, expected in zip(on_card, plain, strict=True):
            for _ in range(20):  # keeps the card behind the program
                busy = (busy @ busy).clamp(-1, 1)
            apart = (batch.inputs.cpu().int() - expected.inputs.int()).abs()
            assert torch.equal(batch.labels.cpu(), expected.labels)
            assert int(apart.max()) <= (1 if varied else 0)
        on_card.keep_on_card(10**9)  # the later epochs go the other way


@pytest.mark.gpu
def test_a_real_cards_loop_waits_for_nothing() -> None:
    device = torch.device("cuda", 0)
    store = ArrayStore(np.zeros((300, 74, 74, 3), np.uint8))
    made = BatchLoader(store, np.arange(300), np.arange(300), 16, device, size=64, varied=True, way=CudaWay(device))
    list(made)

    torch.cuda.set_sync_debug_mode("error")
    try:
        photos = sum(len(batch.labels) for batch in made)
    finally:
        torch.cuda.set_sync_debug_mode("default")

    assert photos == 300
