"""Ranks under torch.distributed: they talk over gloo; gradients go over nccl where there are cards.

A rank never waits for a message that another may not send: whatever can fail in one of them alone is an `attempt`,
after which all know how it went for all. So memory that ran out, a stop or a fault of one ends the same step in each.
"""

import contextlib
import datetime as dt
import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import distributed as dist
from torch.distributed import PrefixStore  # type: ignore[attr-defined]
from torch.distributed.rendezvous import rendezvous

from catdog_gui.engine import devices
from catdog_gui.engine.distributed.ranks import Ask, RankLostError, Ranks
from catdog_gui.engine.distributed.signs import Signs
from catdog_gui.engine.errors import CatDogError, Stopped

T = TypeVar("T")
TIMEOUT = "CATDOG_RANK_TIMEOUT"  # seconds, in the environment
_TIMEOUT_S = 120.0
_LEAVE_S = 5.0
_BUCKET = 32 * 2**20  # bytes of gradients that travel together


class MemoryElsewhereError(MemoryError):
    """Memory ran out in another rank."""


@dataclass(frozen=True, slots=True)
class Packed:
    """Tensors of one type and device, and all of their values in a row."""

    tensors: list[torch.Tensor]
    flat: torch.Tensor

    def unpack(self) -> None:
        """Put the values back into the tensors."""
        start = 0
        for tensor in self.tensors:
            tensor.copy_(self.flat[start : start + tensor.numel()].view(tensor.shape))
            start += tensor.numel()


class Together(Ranks):
    """One of the processes of a job that torchrun started. Owner: the thread that runs `fit`."""

    def __init__(self) -> None:
        """Meet the others. Raises RankLostError."""
        self.timeout_s = float(os.environ.get(TIMEOUT, _TIMEOUT_S))
        limit = dt.timedelta(seconds=self.timeout_s)
        with _told():
            store, self.number, self.count = next(rendezvous("env://", timeout=limit))
            self._signs = Signs(PrefixStore("catdog", store), self.number, self.count, self.timeout_s)
            dist.init_process_group(
                "gloo", store=PrefixStore("gloo", store), rank=self.number, world_size=self.count, timeout=limit
            )
        self.local = int(os.environ.get("LOCAL_RANK", self.number))
        self.local_count = int(os.environ.get("LOCAL_WORLD_SIZE", self.count))
        self._cards: Any = None  # the group that gradients on cards go over
        self._asked: Ask = lambda: False
        self._held: Ask = lambda: False
        self._in_step = False  # whether the others wait for this one's part of a step
        here = self.number - self.local
        pids = {number: pid for number, (place, pid) in enumerate(self.gather((here, os.getpid()))) if place == here}
        self._signs.watch(pids)

    def compute_on(self, device: str) -> None:
        """Each rank's device is known: cards get a group of their own, over nccl."""
        if device.startswith("cuda"):
            torch.cuda.set_device(device)
            with self._told():
                self._cards = dist.new_group(backend="nccl", timeout=dt.timedelta(seconds=self.timeout_s))

    # -- telling --------------------------------------------------------------------------------------------------

    def share(self, value: T) -> T:
        box: list[Any] = [value if self.is_first else None]
        with self._told():
            dist.broadcast_object_list(box, src=0)
        result: T = box[0]
        return result

    def gather(self, value: T) -> list[T]:
        values: list[Any] = [None] * self.count
        with self._told():
            dist.all_gather_object(values, value)
        return values

    def wants_stop(self, asked: Ask, held: Ask = lambda: False) -> bool:
        signs, self._asked, self._held = self._signs, asked, held
        with self._told():
            if asked():
                signs.ask_stop()
            if self.is_first:
                signs.say_hold(held() and not signs.stop)
            signs.beat()
            if not self._in_step:
                signs.wait(asked, held)
        return signs.stop

    # -- all or none ----------------------------------------------------------------------------------------------

    def attempt(self, work: Callable[[], T], *, unequal: bool = False) -> T:
        return self.attempt_counted(work, lambda _: 0, unequal=unequal)[0]

    def attempt_counted(
        self, work: Callable[[], T], count: Callable[[T], int], *, bad: bool = False, unequal: bool = False
    ) -> tuple[T, int, bool]:
        """As `attempt`; and the sum over the ranks of count(result), and whether any of them came with `bad`."""
        self._in_step = not unequal
        result, error = _outcome(work)
        self._in_step = False
        if isinstance(error, RankLostError):
            raise error
        other = error is not None and not isinstance(error, Stopped) and not _is_memory(error)
        if other and error is not None:
            with self._told():
                self._signs.explain(error)
        if unequal:
            self.meet()
        hold = self.is_first and self._signs.hold and not unequal
        flags = [other, isinstance(error, Stopped), error is not None and _is_memory(error), bad, hold]
        told = torch.tensor([*map(int, flags), 0 if error is not None else count(result)])  # type: ignore[arg-type]
        with self._told():
            dist.all_reduce(told)
        failed, stopped, memory, any_bad, hold, total = told.tolist()
        if failed:
            raise error if other and error is not None else self._signs.lost("it did not say why")
        if stopped:
            raise Stopped
        if memory:
            raise error if error is not None else MemoryElsewhereError("out of memory in another process of the run")
        if hold:
            self._hold()
        return result, total, bool(any_bad)  # type: ignore[return-value]  # without an error there is a result

    def _hold(self) -> None:
        """All have agreed to wait here; the first says until when."""
        self._signs.hold = True
        with self._told():
            self._signs.wait(self._asked, self._held)

    def meet(self) -> None:
        """Wait for the others for as long as they are at work."""
        with self._told():
            self._signs.meet()

    # -- tensors --------------------------------------------------------------------------------------------------

    def sum(self, packs: list[Packed], *, weight: float) -> None:
        """Put the sum over the ranks of weight * value into each tensor; one pack while the next is on its way."""
        with self._told():
            for pack in packs:
                pack.flat.mul_(weight)
            under_way = [dist.all_reduce(pack.flat, group=self._group(pack.flat), async_op=True) for pack in packs]
            for pack, work in zip(packs, under_way, strict=True):
                work.wait()
                pack.unpack()

    def same(self, module: torch.nn.Module) -> None:
        """Give every rank the first one's weights and statistics."""
        with torch.no_grad(), self._told():
            for pack in packed([value for _, value in sorted(module.state_dict().items())]):
                dist.broadcast(pack.flat, 0, group=self._group(pack.flat))
                pack.unpack()

    def _group(self, tensor: torch.Tensor) -> Any:  # noqa: ANN401 -- torch's process groups
        return self._cards if tensor.is_cuda else None

    # -- the end --------------------------------------------------------------------------------------------------

    def leave(self, error: BaseException | None = None) -> bool:
        """Leave the group, on every way out; False where that does not end (a card waits for a rank that is gone).

        error: why, where it is not the run's end; told to the others.
        """
        self._signs.leave(error)
        leaving = threading.Thread(target=_destroy, name="catdog-leave", daemon=True)
        leaving.start()
        leaving.join(_LEAVE_S)
        return not leaving.is_alive()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """As the function; the reason is that of the rank that is gone, where it told one."""
        try:
            yield
        except CatDogError:
            raise
        except RuntimeError as error:
            raise self._signs.broken(_reason(error)) from error


def _destroy() -> None:
    with contextlib.suppress(RuntimeError, ValueError):
        if dist.is_initialized():
            dist.destroy_process_group()


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """What torch raises when another rank is gone, in our words."""
    try:
        yield
    except CatDogError:
        raise
    except RuntimeError as error:
        raise RankLostError(_reason(error)) from error


def _reason(error: RuntimeError) -> str:
    """The first sentence of what gloo says, without the place in its source."""
    said = re.sub(r"^\[[^]]*\]\s*", "", str(error).strip()).split(". ")[0].partition("\n")[0][:200]
    return said or type(error).__name__


def _outcome(work: Callable[[], T]) -> tuple[T | None, Exception | None]:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 -- told to the other ranks, then raised
        return None, error


def _is_memory(error: BaseException) -> bool:
    return devices.is_out_of_memory(error)


def packed(tensors: list[torch.Tensor]) -> list[Packed]:
    """Tensors in pieces of bearable size. Takes as much memory again."""
    return [Packed(bucket, torch.cat([tensor.reshape(-1) for tensor in bucket])) for bucket in _buckets(tensors)]


def _buckets(tensors: list[torch.Tensor]) -> Iterator[list[torch.Tensor]]:
    """Tensors of one type and device, in order, up to so many bytes together."""
    bucket: list[torch.Tensor] = []
    for tensor in tensors:
        if bucket and (
            tensor.dtype != bucket[0].dtype
            or tensor.device != bucket[0].device
            or sum(held.nbytes for held in bucket) + tensor.nbytes > _BUCKET
        ):
            yield bucket
            bucket = []
        bucket.append(tensor)
    if bucket:
        yield bucket
