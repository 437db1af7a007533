"""What each step did and how long it took, told without waiting for a card.

A card works through a queue: asking it for a loss stops the program until the queue is empty, and the program's own
clock measures how long the queueing took. So a step's figures travel to the host in the queue too, between marks whose
times are the card's, and the step is told once its last mark has passed: one to MOST_UNDER_WAY steps late.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from catdog_gui.engine.learning.figures import Step

MOST_UNDER_WAY = 8  # steps that are queued and not told; more would only make Stop slow


class Mark(Protocol):
    """A moment in a device's queue."""

    def is_over(self) -> bool:
        """Whether the device has come to it."""

    def wait(self) -> None:
        """Return once the device has come to it."""


class Clock(Protocol):
    """Marks of one device, the time between them, and figures taken along. One thread."""

    is_late: bool  # whether figures come later than their step was asked for

    def mark(self) -> Any:  # noqa: ANN401 -- its own kind of Mark
        """A mark behind everything that was asked of the device until now."""

    def seconds(self, first: Any, second: Any) -> float:  # noqa: ANN401
        """Between two marks that are over."""

    def to_host(self, figures: torch.Tensor) -> torch.Tensor:
        """A copy that may be read once a later mark is over."""


@dataclass(frozen=True, slots=True)
class _Now:
    """A mark of a device that works while one asks."""

    at: float

    def is_over(self) -> bool:
        return True

    def wait(self) -> None:
        pass


class HostClock:
    """For the CPU, and for devices whose queue is not looked into."""

    is_late = False

    def mark(self) -> _Now:
        return _Now(time.perf_counter())

    def seconds(self, first: _Now, second: _Now) -> float:
        return second.at - first.at

    def to_host(self, figures: torch.Tensor) -> torch.Tensor:
        return figures


class _CardMark:
    __slots__ = ("event",)

    def __init__(self, device: torch.device) -> None:
        self.event = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        self.event.record(torch.cuda.current_stream(device))

    def is_over(self) -> bool:
        over: bool = self.event.query()  # type: ignore[no-untyped-call]
        return over

    def wait(self) -> None:
        self.event.synchronize()


class CardClock:
    """Events in the current stream of a CUDA card."""

    is_late = True

    def __init__(self, device: torch.device) -> None:
        self._device = device

    def mark(self) -> _CardMark:
        return _CardMark(self._device)

    def seconds(self, first: _CardMark, second: _CardMark) -> float:
        milliseconds: float = first.event.elapsed_time(second.event)
        return milliseconds / 1000

    def to_host(self, figures: torch.Tensor) -> torch.Tensor:
        return figures.to("cpu", non_blocking=True)  # into page-locked memory that torch keeps for this


def clock_for(device: torch.device) -> Clock:
    """The clock of a device."""
    return CardClock(device) if device.type == "cuda" else HostClock()


@dataclass(frozen=True, slots=True)
class _UnderWay:
    number: int
    photos: int
    figures: torch.Tensor  # loss and right answers
    asked: Mark
    came: Mark
    ended: Mark


class LateSteps:
    """The steps of one epoch. In turn: ask() for a batch, came() when it is there, done() after its step; then flush().

    tell: called for each step, in order, on this thread.
    """

    def __init__(self, clock: Clock, tell: Callable[[Step], None], most: int = MOST_UNDER_WAY) -> None:
        self._clock, self._tell, self._most = clock, tell, most
        self._under_way: deque[_UnderWay] = deque()
        self._asked: Any = None
        self._came: Any = None

    def ask(self) -> None:
        """The coming batch is asked for."""
        self._asked = self._clock.mark()

    def came(self) -> None:
        """The batch is on the device (or will be when the queue comes to it)."""
        self._came = self._clock.mark()

    def done(self, number: int, loss: torch.Tensor, right: torch.Tensor, photos: int) -> None:
        """All of the step is queued. Tells the steps that have ended; waits for one where too many have not."""
        figures = self._clock.to_host(torch.stack([loss, right]))
        self._under_way.append(_UnderWay(number, photos, figures, self._asked, self._came, self._clock.mark()))
        while self._under_way and (len(self._under_way) > self._most or self._under_way[0].ended.is_over()):
            self._tell_first()

    def flush(self) -> None:
        """Tell the rest; returns when the device has done all of it."""
        while self._under_way:
            self._tell_first()

    def _tell_first(self) -> None:
        step = self._under_way[0]
        step.ended.wait()
        self._under_way.popleft()
        loss, right = step.figures
        data_s, compute_s = self._clock.seconds(step.asked, step.came), self._clock.seconds(step.came, step.ended)
        self._tell(Step(step.number, loss, right, step.photos, data_s, compute_s))
