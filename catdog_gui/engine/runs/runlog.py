"""Run folders: make, lock, append to, read back. Neither torch nor Qt."""

import contextlib
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from catdog_gui.engine import events, home
from catdog_gui.engine.config import TrainConfig, from_json
from catdog_gui.engine.errors import CatDogError, ConfigError, InputError, UsageError
from catdog_gui.engine.files import JSON_BYTES, LockedLog, read_json, write_atomic, write_error, write_json

SCHEMA = 1
CONFIG, EVENTS, PHOTOS, MODEL, NAME = "config.json", "events.jsonl", "photos.jsonl", "model.safetensors", "name.json"
CHECKPOINTS = ("checkpoint.safetensors", "checkpoint-before.safetensors")  # the newest, the one before
STOP, PAUSE, LOCK = "STOP", "PAUSE", "lock"
_TAIL = 256 * 1024  # bytes at the end of events.jsonl in which the last line mostly lies
_MOST_WAITING = 20_000  # lines that are kept for a disk that is full
_LOCK_S = 0.5  # a list of runs that is being made holds each lock for a moment


class RunFolder(LockedLog):
    """One run being written. Holds the run's lock until `close`; owner: the thread that runs `fit`."""

    def __init__(self, path: Path) -> None:
        """Open an existing folder for writing. Raises CatDogError run_in_use, cannot_write, InputError not_a_run."""
        self.path = path
        if not path.is_dir():  # another program has deleted it; a lock would make it again
            raise InputError("not_a_run", path=str(path))
        from filelock import FileLock, Timeout  # 20 ms that the window's first paint would wait for

        self._lock = FileLock(path / LOCK, thread_local=False)
        try:
            self._lock.acquire(timeout=_LOCK_S, poll_interval=0.05)
        except Timeout as error:
            raise CatDogError("run_in_use", run=str(path)) from error
        except OSError as error:
            raise write_error(error, path) from error
        try:
            self._log = (path / EVENTS).open("ab", buffering=0)
            self._size = self._log.seek(0, os.SEEK_END)
        except OSError as error:
            self._lock.release()
            raise write_error(error, path / EVENTS) from error
        self._waiting: list[bytes] = []  # lines that a full disk has not taken yet

    @property
    def model_path(self) -> Path:
        return self.path / MODEL

    def write_config(self, config: TrainConfig, facts: dict[str, Any]) -> None:
        """facts: what the settings became here: threads, engine, versions, device."""
        write_json(self.path / CONFIG, {**config.to_json(), "facts": facts})

    def append(self, event: events.Event) -> None:
        """Add one line and hand it to the system. Raises CatDogError (disk_full, cannot_write).

        Then the file is as it was, and the line comes with the next one that can be written.
        """
        line = events.to_line(event, time=round(time.time(), 3)) + "\n"
        self._waiting = [*self._waiting[-_MOST_WAITING:], line.encode(*JSON_BYTES)]
        try:
            self._write_waiting()
        except OSError as error:
            raise write_error(error, self.path / EVENTS, sum(map(len, self._waiting))) from error

    def _write_waiting(self) -> None:
        data = b"".join(self._waiting)
        done = 0
        try:
            while done < len(data):
                done += self._log.write(data[done:]) or 0
        except OSError:
            with contextlib.suppress(OSError):
                self._log.truncate(self._size)  # never half a line
            raise
        self._size += len(data)
        self._waiting = []

    def cut(self, size: int) -> None:
        """Forget what was said after the first `size` bytes. Raises CatDogError cannot_write."""
        try:
            self._size = min(size, self._size)
            self._log.truncate(self._size)
            self._log.seek(0, os.SEEK_END)
        except OSError as error:
            raise write_error(error, self.path / EVENTS) from error

    def put_back(self, size: int, rest: bytes, settings: bytes) -> None:
        """Let `rest` follow the first `size` bytes, in the place of what was said since; and the settings of then.

        Raises CatDogError.
        """
        self.cut(size)
        self._waiting = [rest]
        try:
            self._write_waiting()
        except OSError as error:
            raise write_error(error, self.path / EVENTS, len(rest)) from error
        if settings:
            write_atomic(self.path / CONFIG, settings)

    def log_size(self) -> int:
        """Bytes of events.jsonl that are with the system."""
        with contextlib.suppress(OSError):
            self._write_waiting()
        return self._size

    def write_photos(self, lines: Iterable[dict[str, Any]]) -> None:
        """One object a photo: path, label, side; a skipped one: path, skipped."""
        head = json.dumps({"schema": SCHEMA})
        body = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
        write_atomic(self.path / PHOTOS, f"{head}\n{body}\n".encode(*JSON_BYTES))

    def stop_asked(self) -> bool:
        """Whether somebody put a file STOP into the folder."""
        return (self.path / STOP).exists()

    def pause_asked(self) -> bool:
        """Whether a file PAUSE lies in the folder: the run holds for as long as it does."""
        return (self.path / PAUSE).exists()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._write_waiting()
        super().close()


class WatchedFolder(RunFolder):
    """The folder as a process sees it that computes the run with others and writes nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write_config(self, config: TrainConfig, facts: dict[str, Any]) -> None:
        pass

    def append(self, event: events.Event) -> None:
        pass

    def log_size(self) -> int:
        return 0

    def put_back(self, size: int, rest: bytes, settings: bytes) -> None:
        pass

    def write_photos(self, lines: Iterable[dict[str, Any]]) -> None:
        pass

    def stop_asked(self) -> bool:
        """The process that writes looks, and tells the others."""
        return False

    def pause_asked(self) -> bool:
        return False

    def close(self) -> None:
        pass


def create(path: Path | None = None) -> RunFolder:
    """Make a new run folder: `path`, or the next number under the home.

    Raises UsageError run_not_empty, CatDogError cannot_write: so the place is tried before anything is computed.
    """
    try:
        if path is None:
            return RunFolder(_next_numbered(home.runs_dir()))
        path = path.expanduser().absolute()
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise UsageError("run_not_empty", run=str(path))
    except OSError as error:
        raise write_error(error, path or home.runs_dir()) from error
    made = RunFolder(path)
    if made.log_size() or any(item.name not in (LOCK, EVENTS) for item in path.iterdir()):
        made.close()  # another program was quicker, and has ended by now
        raise UsageError("run_not_empty", run=str(path))
    return made


def _next_numbered(parent: Path) -> Path:
    parent.mkdir(parents=True, exist_ok=True)
    number = 1 + max((int(p.name[4:]) for p in parent.glob("run-*") if p.name[4:].isdecimal()), default=0)
    while True:
        path = parent / f"run-{number:04}"
        try:
            path.mkdir()
        except FileExistsError:  # another program was quicker
            number += 1
            continue
        return path


def is_run(path: Path) -> bool:
    """Whether the folder is a run of this program."""
    return (path / CONFIG).is_file() and (path / EVENTS).is_file()


def read_config(run: Path) -> TrainConfig:
    """The settings of a run. Raises InputError not_a_run, run_settings_damaged, run_setting_unknown."""
    values = read_json(run / CONFIG)
    if values is None:
        if is_run(run):
            raise InputError("run_settings_damaged", path=str(run))
        raise InputError("not_a_run", path=str(run))
    try:
        return from_json(values)
    except ConfigError as error:
        raise InputError("run_setting_unknown", path=str(run), setting=error.field) from error


def read_events(run: Path) -> Iterator[events.Event]:
    """Every event of a run in order; damaged or unknown lines are passed over. A run being written may be read."""
    try:
        with (run / EVENTS).open(encoding="utf-8", errors="replace") as file:
            for line in file:
                event = events.from_line(line)
                if event is not None:
                    yield placed(event, run)
    except OSError:
        return


def placed(event: events.Event, run: Path) -> events.Event:
    """The event as if the run had always been where it is now: a copied or moved run names its own files."""
    if isinstance(event, events.RunStarted):
        return replace(event, run=str(run))
    if isinstance(event, events.RunResult):
        return replace(event, run=str(run), model=str(run / MODEL) if event.model is not None else None)
    return event


def is_locked(run: Path) -> bool:
    """Whether a program is writing the run now."""
    if not (run / LOCK).exists():
        return False
    from filelock import FileLock, Timeout

    lock = FileLock(run / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:  # where nobody can write nobody does
        return False
    lock.release()
    return False


def last_event(run: Path) -> events.Event | None:
    """The last whole line. The end is read first, and more only where that holds none: many classes make long lines."""
    try:
        with (run / EVENTS).open("rb") as file:
            size, length = file.seek(0, os.SEEK_END), _TAIL
            while True:
                file.seek(max(0, size - length))
                lines = file.read(length).decode("utf-8", "replace").split("\n")
                found = next((event for line in reversed(lines) if (event := events.from_line(line)) is not None), None)
                if found is not None or length >= size:
                    return found
                length *= 8
    except OSError:
        return None


def save_model_as(run: Path, target: Path) -> None:
    """Copy the run's model; an existing file is replaced only once the copy is whole. Raises CatDogError."""
    try:
        data = (run / MODEL).read_bytes()
    except OSError as error:
        raise InputError("no_model_in_run", path=str(run)) from error
    write_atomic(target, data)
