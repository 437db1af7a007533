"""Ranks under torch.distributed: they talk over gloo; gradients go over nccl where there are cards.

A rank never waits for a message that another may not send: whatever can fail in one of them alone is an `attempt`,
after which all know how it went for all. So memory that ran out, a stop or a fault of one ends the same step in each.
"""

import contextlib
import datetime as dt
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import torch
from torch import distributed as dist
from torch.distributed import PrefixStore  # type: ignore[attr-defined]
from torch.distributed.rendezvous import rendezvous

from catdog_gui.engine import devices
from catdog_gui.engine.distributed.ranks import RankLostError, Ranks
from catdog_gui.engine.errors import CatDogError, Stopped

T = TypeVar("T")
TIMEOUT = "CATDOG_RANK_TIMEOUT"  # seconds, in the environment
_TIMEOUT_S = 120.0
_BEAT_S = 1.0  # between two signs of life
_LOOK_S = 0.2
_LEAVE_S = 5.0
_BUCKET = 32 * 2**20  # bytes of gradients that travel together


class MemoryElsewhereError(MemoryError):
    """Memory ran out in another rank."""


class Together(Ranks):
    """One of the processes of a job that torchrun started. Owner: the thread that runs `fit`."""

    def __init__(self) -> None:
        """Meet the others. Raises RankLostError."""
        self.timeout_s = float(os.environ.get(TIMEOUT, _TIMEOUT_S))
        limit = dt.timedelta(seconds=self.timeout_s)
        with _told():
            store, self.number, self.count = next(rendezvous("env://", timeout=limit))
            self._store = PrefixStore("catdog", store)
            dist.init_process_group(
                "gloo", store=PrefixStore("gloo", store), rank=self.number, world_size=self.count, timeout=limit
            )
        self.local = int(os.environ.get("LOCAL_RANK", self.number))
        self.local_count = int(os.environ.get("LOCAL_WORLD_SIZE", self.count))
        self._cards: Any = None  # the group that gradients on cards go over
        self._beat_at, self._beats, self._meetings, self._stop = float("-inf"), 0, 0, False

    def compute_on(self, device: str) -> None:
        """Each rank's device is known: cards get a group of their own, over nccl."""
        if device.startswith("cuda"):
            torch.cuda.set_device(device)
            with _told():
                self._cards = dist.new_group(backend="nccl", timeout=dt.timedelta(seconds=self.timeout_s))

    # -- telling --------------------------------------------------------------------------------------------------

    def share(self, value: T) -> T:
        box: list[Any] = [value if self.is_first else None]
        with _told():
            dist.broadcast_object_list(box, src=0)
        result: T = box[0]
        return result

    def gather(self, value: T) -> list[T]:
        values: list[Any] = [None] * self.count
        with _told():
            dist.all_gather_object(values, value)
        return values

    def wants_stop(self, asked: bool) -> bool:
        now = time.monotonic()
        if asked and self.is_first and not self._stop:
            self._stop = True
            with _told():
                self._store.set("stop", "1")
        elif now - self._beat_at >= _BEAT_S:
            self._beat_at, self._beats = now, self._beats + 1
            with _told():
                self._store.set(f"beat/{self.number}", str(self._beats))
                self._stop = self._stop or self._store.check(["stop"])
        return self._stop

    # -- all or none ----------------------------------------------------------------------------------------------

    def attempt(self, work: Callable[[], T], *, unequal: bool = False) -> T:
        return self.attempt_counted(work, lambda _: 0, unequal=unequal)[0]

    def attempt_counted(
        self, work: Callable[[], T], count: Callable[[T], int], *, bad: bool = False, unequal: bool = False
    ) -> tuple[T, int, bool]:
        """As `attempt`; and the sum over the ranks of count(result), and whether any of them came with `bad`."""
        result, error = _outcome(work)
        if isinstance(error, RankLostError):
            raise error
        other = error is not None and not isinstance(error, Stopped) and not _is_memory(error)
        if other and isinstance(error, Exception):
            self._explain(error)
        if unequal:
            self._meet()
        flags = [other, isinstance(error, Stopped), error is not None and _is_memory(error), bad]
        told = torch.tensor([*map(int, flags), 0 if error is not None else count(result)])  # type: ignore[arg-type]
        with _told():
            dist.all_reduce(told)
        failed, stopped, memory, any_bad, total = told.tolist()
        if failed:
            raise error if other and error is not None else self._explained()
        if stopped:
            raise Stopped
        if memory:
            raise error if error is not None else MemoryElsewhereError("out of memory in another process of the run")
        return result, total, bool(any_bad)  # type: ignore[return-value]  # without an error there is a result

    def _explain(self, error: Exception) -> None:
        known = isinstance(error, CatDogError)
        code, fields = (error.code, dict(error.fields)) if isinstance(error, CatDogError) else ("unexpected", {})
        if not known:
            fields = {"reason": f"{type(error).__name__}: {error}"}
        with _told():
            self._store.set("trouble", json.dumps([code, fields], default=str))

    def _explained(self) -> CatDogError:
        with _told():
            code, fields = json.loads(self._store.get("trouble"))
        return CatDogError(code, **fields)

    def _meet(self) -> None:
        """Wait for the others for as long as they are at work."""
        self._meetings += 1
        with _told():
            self._store.set(f"met/{self._meetings}/{self.number}", "1")
            missing = {number: (b"", time.monotonic()) for number in range(self.count) if number != self.number}
            while missing:
                for number in list(missing):
                    if self._store.check([f"met/{self._meetings}/{number}"]):
                        del missing[number]
                        continue
                    beat = self._store.get(f"beat/{number}") if self._store.check([f"beat/{number}"]) else b""
                    seen, since = missing[number]
                    if beat != seen:
                        missing[number] = (beat, time.monotonic())
                    elif time.monotonic() - since > self.timeout_s:
                        raise RankLostError(f"process {number} has not moved for {self.timeout_s:.0f} s")
                if missing:
                    time.sleep(_LOOK_S)

    # -- tensors --------------------------------------------------------------------------------------------------

    def sum(self, tensors: list[torch.Tensor]) -> None:
        """Put the sum over the ranks into each tensor; in pieces of bearable size, the next while one is on its way."""
        under_way: list[tuple[list[torch.Tensor], torch.Tensor, Any]] = []
        with _told():
            for bucket in _buckets(tensors):
                flat = torch.cat([tensor.reshape(-1) for tensor in bucket])
                under_way.append((bucket, flat, dist.all_reduce(flat, group=self._group(flat), async_op=True)))
            for bucket, flat, work in under_way:
                work.wait()
                _scatter(flat, bucket)

    def same(self, module: torch.nn.Module) -> None:
        """Give every rank the first one's weights and statistics."""
        with torch.no_grad(), _told():
            for bucket in _buckets([value for _, value in sorted(module.state_dict().items())]):
                flat = torch.cat([tensor.reshape(-1) for tensor in bucket])
                dist.broadcast(flat, 0, group=self._group(flat))
                _scatter(flat, bucket)

    def _group(self, tensor: torch.Tensor) -> Any:  # noqa: ANN401 -- torch's process groups
        return self._cards if tensor.is_cuda else None

    # -- the end --------------------------------------------------------------------------------------------------

    def leave(self) -> bool:
        """Leave the group, on every way out; False where that does not end (a card waits for a rank that is gone)."""
        leaving = threading.Thread(target=_destroy, name="catdog-leave", daemon=True)
        leaving.start()
        leaving.join(_LEAVE_S)
        return not leaving.is_alive()


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
        raise RankLostError(_short(str(error)) or type(error).__name__) from error


def _short(text: str) -> str:
    """The first sentence of what gloo says, without the place in its source."""
    return re.sub(r"^\[[^]]*\]\s*", "", text.strip()).split(". ")[0].partition("\n")[0][:200]


def _outcome(work: Callable[[], T]) -> tuple[T | None, Exception | None]:
    try:
        return work(), None
    except Exception as error:  # noqa: BLE001 -- told to the other ranks, then raised
        return None, error


def _is_memory(error: BaseException) -> bool:
    return devices.is_out_of_memory(error)


def _scatter(flat: torch.Tensor, bucket: list[torch.Tensor]) -> None:
    """Put the pieces of a flat tensor back where they came from."""
    start = 0
    for tensor in bucket:
        tensor.copy_(flat[start : start + tensor.numel()].view(tensor.shape))
        start += tensor.numel()


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
