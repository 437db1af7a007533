"""A run on all cards of this computer: torchrun starts a process a card, and this one tells what they say. No torch."""

import contextlib
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from catdog_gui.engine import events
from catdog_gui.engine.distributed.ranks import RankLostError
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.files import write_error
from catdog_gui.engine.runs import runlog

_LOOK_S = 0.1  # how often the Stop button is looked at
_END_S = 40.0  # torchrun gives its processes 30 s to end


def run_in_processes(
    run: Path, count: int, emit: Callable[[events.Event], None], should_stop: Callable[[], bool]
) -> events.RunResult:
    """Go on with a run (or begin one that has only its settings) in `count` processes; emit gets what they say.

    A stop reaches them as the file STOP in the run folder. Raises what the run raised, RankLostError where a process
    ended without a word.
    """
    told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    last_words: deque[str] = deque(maxlen=20)
    with _processes(run, count) as job:
        readers = [
            threading.Thread(target=_read, args=(job.stdout, told.put), name="catdog-ranks", daemon=True),
            threading.Thread(target=_read, args=(job.stderr, _keeper(last_words)), name="catdog-ranks", daemon=True),
        ]
        for reader in readers:
            reader.start()
        end = _follow(told, run, emit, should_stop)
        job.wait(_END_S)
        for reader in readers:
            reader.join(_END_S)
    if isinstance(end, events.RunResult):
        return end
    if isinstance(end, events.RunFailed) and end.code == "rank_lost":
        raise RankLostError(str(end.fields.get("reason", "")))
    if isinstance(end, events.RunFailed):
        raise CatDogError(end.code, **end.fields)
    raise RankLostError(next((line for line in reversed(last_words) if "catdog: " in line), f"exit {job.returncode}"))


@contextlib.contextmanager
def _processes(run: Path, count: int) -> Iterator["subprocess.Popen[str]"]:
    """torchrun with the run's processes; none of them outlives the block."""
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
    command = [*launch, "-m", "catdog_gui.cli", "train", "--resume", str(run), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, encoding="utf-8"
    ) as job:
        try:
            yield job
        finally:
            if job.poll() is None:
                job.terminate()
                try:
                    job.wait(_END_S)
                except subprocess.TimeoutExpired:
                    job.kill()


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
    told: "queue.SimpleQueue[str | None]",
    run: Path,
    emit: Callable[[events.Event], None],
    should_stop: Callable[[], bool],
) -> events.Event | None:
    """Pass on what is said, until nothing more is; the run's end, where it was said."""
    end: events.Event | None = None
    asked = False
    while True:
        if not asked and should_stop():
            asked = True
            try:
                (run / runlog.STOP).touch()
            except OSError as error:
                raise write_error(error, run / runlog.STOP) from error
        try:
            line = told.get(timeout=_LOOK_S)
        except queue.Empty:
            continue
        if line is None:
            return end
        event = events.from_line(line)
        if event is None:
            continue
        if isinstance(event, events.RunResult | events.RunFailed):
            end = event
        if not isinstance(event, events.RunFailed):  # it is raised
            emit(event)
