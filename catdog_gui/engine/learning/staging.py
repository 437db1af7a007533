"""Batches on their way to a card: a fixed ring of page-locked buffers, filled by threads, copied in a stream beside.

Threads fill a buffer and queue its copy, while the card computes and the program queues the steps before. No memory is
page-locked a batch, and nothing waits for the card but a thread whose buffer is still being copied.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch

from catdog_gui.engine.photos.reading import read_ahead

Array = np.ndarray[Any, np.dtype[Any]]
DEPTH = 4  # batches on their way
Fill = Callable[[Array, list[Array]], Array]


class Moment(Protocol):
    """A moment in a stream."""

    def wait(self) -> None:
        """Return once the card has come to it; lets other threads run."""


class Way(Protocol):
    """How values get to one device. Any thread."""

    def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A buffer that the card can copy from by itself. Raises RuntimeError where none is to be had."""

    def device(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """A buffer on the card, of the copying stream."""

    def send(self, pairs: Sequence[tuple[torch.Tensor, torch.Tensor]], after: Any) -> Any:  # noqa: ANN401 -- Moments
        """Queue copies (target, source) behind `after` (or None); returns the moment at which they are done."""

    def arrive(self, sent: Any) -> None:  # noqa: ANN401
        """The computing stream goes on once `sent` is done."""

    def read(self) -> Any:  # noqa: ANN401
        """The moment at which all that was asked of the computing stream until now is done."""

    def leave(self) -> None:
        """Later copies come after all that was asked of the computing stream until now."""


class _CudaMoment:
    __slots__ = ("event",)

    def __init__(self, stream: torch.cuda.Stream) -> None:
        # blocking: a waiting thread sleeps
        self.event = torch.cuda.Event(blocking=True)  # type: ignore[no-untyped-call]
        self.event.record(stream)

    def wait(self) -> None:
        self.event.synchronize()


class CudaWay:
    """Page-locked memory, and a stream beside the one that computes."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._side = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def host(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        with torch.cuda.device(self._device):  # else the first card would get a context of 0.4 GB for nothing
            return torch.empty(shape, dtype=dtype, pin_memory=True)

    def device(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        # Memory belongs to the stream it was asked for in: freed while a copy is under way, it goes to later copies
        # of the same stream only, which come after it.
        with torch.cuda.stream(self._side):
            return torch.empty(shape, dtype=dtype, device=self._device)

    def send(self, pairs: Sequence[tuple[torch.Tensor, torch.Tensor]], after: _CudaMoment | None) -> _CudaMoment:
        with torch.cuda.stream(self._side):
            if after is not None:
                self._side.wait_event(after.event)
            for target, source in pairs:
                target.copy_(source, non_blocking=True)
        return _CudaMoment(self._side)

    def arrive(self, sent: _CudaMoment) -> None:
        torch.cuda.current_stream(self._device).wait_event(sent.event)

    def read(self) -> _CudaMoment:
        return _CudaMoment(torch.cuda.current_stream(self._device))

    def leave(self) -> None:
        self._side.wait_stream(torch.cuda.current_stream(self._device))


@dataclass(slots=True)
class _Slot:
    host: list[torch.Tensor]
    views: list[Array]  # the same memory, for numpy
    device: list[torch.Tensor]
    sent: Any = None  # when the host's buffers may be filled again
    read: Any = None  # when the card's may


@dataclass(frozen=True, slots=True)
class Column:
    """What one of a batch's arrays is: the shape of a photo's part, and its type."""

    shape: tuple[int, ...]
    dtype: torch.dtype


class Ring:
    """The buffers of one pass over the batches; made anew for each: a thread of a pass cut off may still fill one.

    columns: what a batch consists of; rows: photos in the largest batch. Raises NotPinnedError where page-locked memory
    is not to be had, torch's out-of-memory error where the card's is not.
    """

    def __init__(self, way: Way, columns: Sequence[Column], rows: int, depth: int = DEPTH) -> None:
        self._way = way
        self._slots = [self._slot(columns, rows) for _ in range(depth)]

    def _slot(self, columns: Sequence[Column], rows: int) -> _Slot:
        try:
            host = [self._way.host((rows, *column.shape), column.dtype) for column in columns]
        except RuntimeError as error:
            raise NotPinnedError(str(error).splitlines()[0]) from error
        device = [self._way.device((rows, *column.shape), column.dtype) for column in columns]
        return _Slot(host, [buffer.numpy() for buffer in host], device)

    def batches(
        self,
        plan: Iterable[Array],
        fill: Fill,
        *,
        workers: int,
        should_stop: Callable[[], bool],
        on_slow: Callable[[object], None] = lambda _batch: None,
    ) -> Iterator[tuple[list[torch.Tensor], Array]]:
        """Each batch's arrays on the card, and its photos. They may be read until the next batch is asked for.

        fill(photos, buffers): put a batch into numpy buffers (one row a photo, those at the end unused); returns the
        photos that are there. Called in `workers` threads. on_slow: a batch is waited for a minute. Raises Stopped.
        """
        # A slot comes round once its last batch was consumed: read_ahead hands one out before it takes one more.
        jobs = zip(itertools.cycle(self._slots), plan)
        ahead = read_ahead(
            jobs,
            lambda job: self._send(*job, fill),
            workers=workers,
            depth=len(self._slots),
            should_stop=should_stop,
            on_slow=on_slow,
        )
        try:
            for slot, photos in ahead:
                self._way.arrive(slot.sent)
                yield [buffer[: len(photos)] for buffer in slot.device], photos
                slot.read = self._way.read()
        finally:
            self._way.leave()  # the card's buffers go to the next ring, whose copies must not come too early

    def _send(self, slot: _Slot, photos: Array, fill: Fill) -> tuple[_Slot, Array]:
        if slot.sent is not None:
            slot.sent.wait()
        kept = fill(photos, slot.views)
        pairs = [
            (target[: len(kept)], source[: len(kept)]) for target, source in zip(slot.device, slot.host, strict=True)
        ]
        slot.sent = self._way.send(pairs, slot.read)
        return slot, kept


class NotPinnedError(RuntimeError):
    """Page-locked memory is not to be had; the text says why."""
