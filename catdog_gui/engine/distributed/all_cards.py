"""A run on all cards of this computer: torchrun starts a process a card, and this one tells what they say. No torch."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Self

from catdog_gui.engine import events
from catdog_gui.engine.distributed.ranks import OWNED, Ask, RankLostError, error_of
from catdog_gui.engine.files import write_error
from catdog_gui.engine.runs import runlog

_LOOK_S = 0.1  # how often the Stop and the Pause button are looked at
_HELD_S = 0.3  # a question that is not answered for so long means: hold
_END_S = 10.0  # after its result or its failure was told a run has so long to end; then it is ended


def run_in_processes(
    run: Path, count: int, emit: Callable[[events.Event], None], should_stop: Ask, options: Sequence[str] = ()
) -> events.RunResult:
    """Go on with a run (or begin one that has only its settings) in `count` processes; emit gets what they say.

    A stop reaches them as the file STOP in the run folder, a pause (should_stop does not return) as the file PAUSE.
    options: of `catdog train --resume`. Raises what the run raised, RankLostError where a process ended without a word.
    """
    told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    last_words: deque[str] = deque(maxlen=20)
    with _processes(run, count, options) as job, _Wishes(run, should_stop) as wishes:
        readers = [
            threading.Thread(target=_read, args=(job.stdout, told.put), name="catdog-ranks", daemon=True),
            threading.Thread(target=_read, args=(job.stderr, _keeper(last_words)), name="catdog-ranks", daemon=True),
        ]
        for reader in readers:
            reader.start()
        end = _follow(told, emit, wishes.pass_on)
        readers[0].join(1.0)
        if not readers[0].is_alive():  # else one of them stands still, and is killed
            with contextlib.suppress(subprocess.TimeoutExpired):
                job.wait(_END_S)
    for reader in readers:
        reader.join(_END_S)
    if isinstance(end, events.RunResult):
        return end
    if isinstance(end, events.RunFailed):
        raise error_of(end.code, end.fields, job.returncode)
    words = next((line for line in reversed(last_words) if line), f"exit {job.returncode}")
    raise RankLostError(words.removeprefix("catdog: "))


@contextlib.contextmanager
def _processes(run: Path, count: int, options: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """The run's processes; none of them outlives the block, or this program: they end with the pipe to their stdin.

    They are in a group of their own: Ctrl-C reaches this program alone, which asks them to stop.
    """
    launch = [sys.executable, "-m", "catdog_gui.torchrun", "--standalone", "--nproc-per-node", str(count), "--"]
    with subprocess.Popen(
        [*launch, "train", "--resume", str(run), "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, OWNED: "1"},
        start_new_session=os.name == "posix",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    ) as job:
        try:
            yield job
        finally:
            assert job.stdin is not None
            with contextlib.suppress(OSError):
                job.stdin.close()
            try:
                job.wait(_END_S)
            except subprocess.TimeoutExpired:
                job.kill()


class _Wishes:
    """Asks whether to stop, on a thread of its own, and hands a stop or a pause on as files of the run folder."""

    def __init__(self, run: Path, should_stop: Ask) -> None:
        self._should_stop, self._over = should_stop, threading.Event()
        self._stop = False
        self._stop_file, self._pause_file = run / runlog.STOP, run / runlog.PAUSE
        self._asked_at: float | None = None  # when the question was asked that has no answer yet
        self._looked_at = float("-inf")
        self._asking = threading.Thread(target=self._ask, name="catdog-wishes", daemon=True)

    def __enter__(self) -> Self:
        self._asking.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._asking.join(_HELD_S)  # a question that is held goes on waiting
        with contextlib.suppress(OSError):
            self._pause_file.unlink(missing_ok=True)

    def _ask(self) -> None:
        while not (self._stop or self._over.wait(_LOOK_S)):
            self._asked_at = time.monotonic()
            self._stop = self._should_stop()
            self._asked_at = None

    def pass_on(self) -> None:
        """Put the files there, again where the beginning run has cleared them away. Raises CatDogError."""
        now = time.monotonic()
        if now - self._looked_at < _LOOK_S:
            return
        asked_at, self._looked_at = self._asked_at, now
        hold = not self._stop and asked_at is not None and now - asked_at > _HELD_S
        for wanted, file in ((self._stop, self._stop_file), (hold, self._pause_file)):
            try:
                if wanted:
                    file.touch()
                elif file is self._pause_file:
                    file.unlink(missing_ok=True)
            except OSError as error:
                raise write_error(error, file) from error


def _read(stream: IO[str], take: Callable[[str | None], None]) -> None:
    for line in stream:
        take(line)
    take(None)


def _keeper(lines: deque[str]) -> Callable[[str | None], None]:
    def keep(line: str | None) -> None:
        if line is not None:
            lines.append(line.strip())

    return keep


def _follow(
    told: "queue.SimpleQueue[str | None]", emit: Callable[[events.Event], None], look: Callable[[], None]
) -> events.Event | None:
    """Pass on what is said, until nothing more is or the end was said long ago; the run's end, where it was said."""
    end: events.Event | None = None
    ended_at = float("inf")
    while time.monotonic() - ended_at < _END_S:
        if end is None:
            look()
        try:
            line = told.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        if line is None:
            return end
        event = events.from_line(line)
        if isinstance(event, events.RunResult | events.RunFailed):
            ended_at = min(ended_at, time.monotonic())
            end = end if isinstance(end, events.RunResult) else event
        if event is not None and not isinstance(event, events.RunFailed):  # that is raised
            emit(event)
    return end
