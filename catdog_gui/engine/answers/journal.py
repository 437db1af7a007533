"""The journal of a long job of answers, under the home: with it the job goes on after the program was ended.

One folder a job: `job.json` (model, what was given, how many photos), `answers.jsonl` (one line an answer, as in
`--json`, and the file as the system names it), and a lock while a program works on it.
"""

import contextlib
import errno
import json
import math
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catdog_gui.engine import events, home
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.files import JSON_BYTES, LockedLog, read_json, write_error, write_json

SCHEMA = 1
LEAST_PHOTOS = 100  # fewer are answered again in a moment
JOB, ANSWERS, LOCK = "job.json", "answers.jsonl", "lock"
_KEPT = 5  # jobs; older ones are removed when another begins
_FLUSH_S = 0.5  # answers that a crash may cost; they are asked for again


@dataclass(frozen=True, slots=True)
class JobSummary:
    """A job that can be gone on with. sources: files and folders as given; started: seconds since 1970.

    answered, total: photos; total counts those that were found when it began. is_done: all are answered.
    """

    path: Path
    model: Path
    sources: tuple[Path, ...]
    started: float
    answered: int
    total: int
    is_done: bool = False


class AnswerJournal(LockedLog):
    """A job being written. Holds its lock until `close`; owner: the thread that asks the model."""

    def __init__(self, path: Path) -> None:
        """Open a job's folder for adding answers. Raises CatDogError answers_in_use, cannot_*."""
        from filelock import FileLock, Timeout

        self.path = path
        self._flushed = time.monotonic()
        if not path.is_dir():  # another program has forgotten it; a lock would make it again
            raise CatDogError("cannot_read", path=str(path), reason=os.strerror(errno.ENOENT))
        self._lock = FileLock(path / LOCK, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise CatDogError("answers_in_use") from error
        except OSError as error:
            raise write_error(error, path) from error
        try:
            _end_line(path / ANSWERS)
            self._log = (path / ANSWERS).open("a", encoding=JSON_BYTES[0], errors=JSON_BYTES[1], newline="\n")
        except OSError as error:
            self._lock.release()
            raise write_error(error, path / ANSWERS) from error

    def add(self, file: Path, answer: events.Prediction) -> None:
        """Note an answer. Raises CatDogError (disk_full, cannot_write)."""
        try:
            self._log.write(events.to_line(answer, file=str(file)) + "\n")
            if time.monotonic() - self._flushed > _FLUSH_S:
                self._log.flush()
                self._flushed = time.monotonic()
        except OSError as error:
            raise write_error(error, self.path / ANSWERS) from error

    def finish(self) -> None:
        """All photos are answered. Raises CatDogError (disk_full, cannot_write)."""
        write_json(self.path / JOB, {**(read_json(self.path / JOB) or {}), "done": True})


def begin(model: Path, sources: Sequence[Path], total: int) -> AnswerJournal:
    """A new job. Raises CatDogError (disk_full, cannot_write)."""
    parent = home.answers_dir()
    try:
        parent.mkdir(parents=True, exist_ok=True)
        path = _next_numbered(parent)
    except OSError as error:
        raise write_error(error, parent) from error
    values = {
        "schema": SCHEMA,
        "model": str(model.absolute()),
        "model_state": _state(model),
        "sources": [str(source.absolute()) for source in sources],
        "started": round(time.time(), 3),
        "total": total,
    }
    try:
        write_json(path / JOB, values)
        journal = AnswerJournal(path)
    except CatDogError:
        shutil.rmtree(path, ignore_errors=True)
        raise
    for old in sorted(parent.glob("job-*"), reverse=True)[_KEPT:]:
        with contextlib.suppress(CatDogError):
            forget(old)
    return journal


def _next_numbered(parent: Path) -> Path:
    number = 1 + max((int(p.name[4:]) for p in parent.glob("job-*") if p.name[4:].isdecimal()), default=0)
    while True:
        path = parent / f"job-{number:04}"
        try:
            path.mkdir()
        except FileExistsError:  # another program was quicker
            number += 1
            continue
        return path


def newest() -> JobSummary | None:
    """The newest job that has answers and that no program works on; None where there is none."""
    folders = sorted(home.answers_dir().glob("job-*"), reverse=True)
    found = (summarize(path) for path in folders if not _in_use(path))
    return next((job for job in found if job is not None and job.answered), None)


def summarize(path: Path) -> JobSummary | None:
    """None where the folder is no job or its file is damaged."""
    values = read_json(path / JOB)
    try:
        if values is None or values["schema"] != SCHEMA:
            return None
        sources = tuple(_path(source) for source in values["sources"])
        total, started = int(values["total"]), float(values["started"])
        model = _path(values["model"])
        if not math.isfinite(started):
            return None
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return JobSummary(path, model, sources, started, _lines(path / ANSWERS), total, values.get("done") is True)


def _path(value: object) -> Path:
    """Raises ValueError for what no path can be."""
    if not isinstance(value, str) or "\0" in value:
        raise ValueError("path")
    os.fsencode(value)
    return Path(value)


def model_is_same(job: Path) -> bool:
    """Whether the model file is the one that answered so far."""
    values = read_json(job / JOB) or {}
    try:
        state = _state(_path(values.get("model")))
    except ValueError:
        return False
    return state is not None and values.get("model_state") == state


def read_answers(job: Path) -> Iterator[tuple[Path, events.Prediction]]:
    """Each answered file once, with its answer; a line that a crash cut off is passed over."""
    seen: set[str] = set()
    try:
        with (job / ANSWERS).open(encoding="utf-8", errors="replace") as file:
            for line in file:
                found = _from_line(line)
                if found is not None and found[0] not in seen:
                    seen.add(found[0])
                    yield Path(found[0]), found[1]
    except OSError:
        return


def forget(job: Path) -> None:
    """Remove a job; what another program works on stays. Raises CatDogError cannot_write."""
    if job.parent != home.answers_dir() or _in_use(job):
        return
    try:
        shutil.rmtree(job)
    except FileNotFoundError:
        return
    except OSError as error:
        raise write_error(error, job) from error


def _from_line(line: str) -> tuple[str, events.Prediction] | None:
    try:
        values: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(values.get("file"), str):
        return None
    answer = events.from_dict(values)
    return (values["file"], answer) if isinstance(answer, events.Prediction) else None


def _end_line(file: Path) -> None:
    """A crash may have left half a line: what is added begins on a new one."""
    with file.open("ab+") as log:
        if log.tell() and log.seek(-1, 2) is not None and log.read(1) != b"\n":
            log.write(b"\n")


def _lines(file: Path) -> int:
    try:
        with file.open("rb") as log:
            return sum(block.count(b"\n") for block in iter(lambda: log.read(2**20), b""))
    except OSError:
        return 0


def _in_use(job: Path) -> bool:
    from catdog_gui.engine.runs.runlog import is_locked

    return is_locked(job)


def _state(model: Path) -> list[int] | None:
    """Size and time of the model file: another one answers differently."""
    try:
        status = model.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]
