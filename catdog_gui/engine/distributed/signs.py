"""What ranks tell each other beside their sums, through torchrun's store: signs of life, a stop, a pause, a trouble."""

import contextlib
import json
import time
from collections.abc import Mapping
from typing import Any

import psutil

from catdog_gui.engine import packages
from catdog_gui.engine.distributed.ranks import Ask, RankLostError, error_of
from catdog_gui.engine.errors import CatDogError, Stopped

_BEAT_S = 1.0  # between two signs of life
_LOOK_S = 0.1  # between two looks while it waits
_DYING_S = 2.0  # a process that ends closes its connections a little before it counts as ended


class Signs:
    """One rank's. Every call may raise RuntimeError where the store is gone, and what `lost` gives.

    stop: a rank was asked to stop; hold: the first rank wants all to wait.
    """

    def __init__(self, store: Any, number: int, count: int, timeout_s: float) -> None:  # noqa: ANN401 -- torch's store
        self._store, self._number, self._count, self._timeout_s = store, number, count, timeout_s
        self._beat_at, self._beats, self._meetings = float("-inf"), 0, 0
        self._peers: dict[int, psutil.Process] = {}
        self.stop = self.hold = False

    def watch(self, processes: Mapping[int, int]) -> None:
        """The ranks of this computer and their process ids: one that was killed is then noticed at once."""
        for number, pid in processes.items():
            if number != self._number:
                try:
                    self._peers[number] = psutil.Process(pid)
                except psutil.NoSuchProcess as error:
                    raise self.lost(f"process {number} has ended") from error

    # -- stop and pause -------------------------------------------------------------------------------------------

    def beat(self) -> None:
        """Say that this rank is at work, and hear what the others say; at most once a second."""
        now = time.monotonic()
        if now - self._beat_at < _BEAT_S:
            return
        self._beat_at, self._beats = now, self._beats + 1
        self._store.set(f"beat/{self._number}", str(self._beats))
        self._hear()
        self._check_peers()

    def _hear(self) -> None:
        self.stop = self.stop or self._store.check(["stop"])
        if self._number:
            self.hold = self._read("hold") == b"1"

    def ask_stop(self) -> None:
        if not self.stop:
            self.stop = True
            self._store.set("stop", "1")

    def say_hold(self, hold: bool) -> None:
        """The first rank's word to all."""
        if hold != self.hold:
            self.hold = hold
            self._store.set("hold", "1" if hold else "0")

    def wait(self, asked: Ask, held: Ask) -> None:
        """Hold with the others until the first rank lets all go on, or one of them is asked to stop."""
        first = _Watched(self, 0)
        while self.hold and not self.stop:
            time.sleep(_LOOK_S)
            self.beat()
            self._hear()
            if asked():
                self.ask_stop()
            if self._number == 0:
                self.say_hold(held() and not self.stop)
            else:
                first.check()

    # -- together again -------------------------------------------------------------------------------------------

    def meet(self) -> None:
        """Wait for the others for as long as they are at work."""
        self._meetings += 1
        place = f"met/{self._meetings}"
        self._store.set(f"{place}/{self._number}", "1")
        missing = [_Watched(self, number) for number in range(self._count) if number != self._number]
        pause_s = _LOOK_S / 32
        while missing := [other for other in missing if not self._store.check([f"{place}/{other.number}"])]:
            for other in missing:
                other.check()
            self._check_peers()
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _LOOK_S)
        self._store.delete_key(f"met/{self._meetings - 1}/{self._number}")  # all have been there

    def _check_peers(self) -> None:
        for number, process in list(self._peers.items()):
            if _lives(process):
                continue
            if not self._store.check([f"left/{number}"]):
                raise self.lost(f"process {number} has ended")
            del self._peers[number]  # it had nothing left to do

    def _read(self, key: str) -> bytes:
        value: bytes = self._store.get(key) if self._store.check([key]) else b""
        return value

    # -- trouble --------------------------------------------------------------------------------------------------

    def explain(self, error: Exception) -> None:
        """Tell the others what went wrong here."""
        told = error if isinstance(error, CatDogError) else packages.explained(error)
        told = told or CatDogError("unexpected", reason=f"{type(error).__name__}: {error}")
        trouble = [told.code, dict(told.fields), told.exit_code]
        if not self._store.check(["trouble"]):
            self._store.set("trouble", json.dumps(trouble, default=str))

    def explained(self) -> Exception | None:
        """What another rank said went wrong, if one did."""
        said = self._read("trouble")
        return error_of(*json.loads(said)) if said else None

    def lost(self, reason: str) -> Exception:
        """The error for a rank that is gone: its own, where it told why it went."""
        with contextlib.suppress(RuntimeError):
            return self.explained() or RankLostError(reason)
        return RankLostError(reason)

    def broken(self, reason: str) -> Exception:
        """The error for a connection that broke: as `lost`, and it names the rank of this computer that has ended."""
        until = time.monotonic() + _DYING_S
        while self._peers and time.monotonic() < until:
            try:
                self._check_peers()
            except RuntimeError:
                break
            except CatDogError as error:
                return error
            time.sleep(_LOOK_S)
        return self.lost(reason)

    def leave(self, error: BaseException | None) -> None:
        """This rank goes, for that reason; the others need not look for it."""
        with contextlib.suppress(RuntimeError):
            if error is None or isinstance(error, Stopped):
                self._store.set(f"left/{self._number}", "1")
            elif isinstance(error, Exception) and not isinstance(error, RankLostError):
                self.explain(error)


class _Watched:
    """Another rank that is waited for: its signs of life must go on."""

    def __init__(self, signs: Signs, number: int) -> None:
        self.number, self._signs = number, signs
        self._seen, self._since = b"", time.monotonic()

    def check(self) -> None:
        signs = self._signs
        beat, now = signs._read(f"beat/{self.number}"), time.monotonic()  # noqa: SLF001 -- its own helper
        if beat != self._seen:
            self._seen, self._since = beat, now
        elif now - self._since > signs._timeout_s:  # noqa: SLF001
            raise signs.lost(f"process {self.number} has not moved for {signs._timeout_s:.0f} s")  # noqa: SLF001


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True
