"""The processes (ranks) that compute one run together, as the run sees them; mostly there is one. No torch here."""

import contextlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from catdog_gui.engine.errors import CatDogError, FieldValue, InputError, Stopped, UsageError

T = TypeVar("T")
Ask = Callable[[], bool]
LAUNCHED = "CATDOG_LAUNCHED"  # in the environment: `catdog_gui.torchrun` started the processes
OWNED = "CATDOG_OWNED"  # and they are to end with the pipe to its stdin
_LOOK_S = 0.1  # between two looks whether a pause is over


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

    def wants_stop(self, asked: Ask, held: Ask = lambda: False) -> bool:
        """Whether a rank was asked to stop; says that this one is at work. Any time, cheap.

        held: whether the run is to hold; all ranks wait then, this call or the `attempt` around it, until it is not.
        """
        stop = asked()
        while not stop and held():
            time.sleep(_LOOK_S)
            stop = asked()
        return stop


ALONE = Ranks()


def is_ranked() -> bool:
    """Whether torchrun, or somebody who sets what it sets, started this process as one of several."""
    return "RANK" in os.environ and int(os.environ.get("WORLD_SIZE", "1")) > 1


def exit_code_of(ranks: Ranks, stopped: int) -> int:
    """What a stopped run's process ends with: torchrun takes anything but 0 for a failure, our launcher does not."""
    return stopped if ranks.count == 1 or (ranks.is_first and LAUNCHED in os.environ) else 0


def by_first(ranks: Ranks, work: Callable[[], T]) -> T:
    """What work() gives in the first rank, for all; what it raises there, all raise."""
    return ranks.share(ranks.attempt(lambda: work() if ranks.is_first else None, unequal=True))  # type: ignore[return-value]


def error_of(code: str, fields: Mapping[str, FieldValue], exit_code: int) -> Exception:
    """The error that another process ended with, as it would have been raised here."""
    if code == "stopped_by_user":
        return Stopped()
    if code == "rank_lost":
        return RankLostError(str(fields.get("reason", "")))
    kinds: dict[int, type[CatDogError]] = {2: UsageError, 3: InputError}
    return kinds.get(exit_code, CatDogError)(code, **fields)


def tell_torchrun(sentence: str) -> None:
    """Leave the reason where torchrun looks for it: it then ends its own report with it."""
    place = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if place:
        more = {"py_callstack": sentence, "timestamp": str(int(time.time()))}
        with contextlib.suppress(OSError):
            Path(place).write_text(json.dumps({"message": {"message": sentence, "extraInfo": more}}), encoding="utf-8")


def dealt(items: Any, ranks: Ranks) -> Any:  # noqa: ANN401 -- arrays
    """This rank's part, dealt out as cards are; `collected` puts them together again."""
    return items[ranks.number :: ranks.count]


def collected(parts: Sequence[Any], whole: Any) -> Any:  # noqa: ANN401 -- arrays
    """The parts' rows in the order of the whole. whole: an array to fill, of the right shape."""
    for number, part in enumerate(parts):
        if len(part):
            whole[number :: len(parts)] = part
    return whole
