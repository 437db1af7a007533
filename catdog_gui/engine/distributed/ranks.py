"""The processes (ranks) that compute one run together, as the run sees them; mostly there is one. No torch here."""

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from catdog_gui.engine.errors import CatDogError

T = TypeVar("T")


class RankLostError(CatDogError):
    """Another process of the run has ended or does not answer; nothing can be agreed any more."""

    def __init__(self, reason: str) -> None:
        super().__init__("rank_lost", reason=reason)


class Ranks:
    """One process: this one. `distributed.Together` is what it is among several.

    All processes call these in the same order; RankLostError is raised where one of them is gone.
    """

    number = 0  # the first, 0, says, writes and decides
    count = 1
    local = 0  # among those of this computer
    local_count = 1

    @property
    def is_first(self) -> bool:
        return self.number == 0

    def share(self, value: T) -> T:
        """The first rank's value, for all."""
        return value

    def gather(self, value: T) -> list[T]:
        """Everyone's values, for all, by rank."""
        return [value]

    def attempt(self, work: Callable[[], T], *, unequal: bool = False) -> T:  # noqa: ARG002 -- there is nobody
        """work(), all or none: what one raises, all raise (memory that ran out, a stop, any other trouble).

        unequal: the others may take far longer; they are waited for as long as they are seen to work.
        """
        return work()

    def compute_on(self, device: str) -> None:
        """This rank's device is known."""

    def wants_stop(self, asked: bool) -> bool:
        """Whether the first rank was asked to stop; says that this rank is at work. Any time, cheap."""
        return asked


ALONE = Ranks()


def is_ranked() -> bool:
    """Whether torchrun, or somebody who sets what it sets, started this process as one of several."""
    return "RANK" in os.environ and int(os.environ.get("WORLD_SIZE", "1")) > 1


def by_first(ranks: Ranks, work: Callable[[], T]) -> T:
    """What work() gives in the first rank, for all; what it raises there, all raise."""
    return ranks.share(ranks.attempt(lambda: work() if ranks.is_first else None, unequal=True))  # type: ignore[return-value]


def dealt(items: Any, ranks: Ranks) -> Any:  # noqa: ANN401 -- arrays
    """This rank's part, dealt out as cards are; `collected` puts them together again."""
    return items[ranks.number :: ranks.count]


def collected(parts: Sequence[Any], whole: Any) -> Any:  # noqa: ANN401 -- arrays
    """The parts' rows in the order of the whole. whole: an array to fill, of the right shape."""
    for number, part in enumerate(parts):
        if len(part):
            whole[number :: len(parts)] = part
    return whole
