"""Move files so that nothing is ever overwritten and every move can be undone, after a restart or a crash too.

A journal under the home (`moves/move-0001.jsonl`) has a line before each move (from, to) and one after it.
"""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catdog_gui.engine import home
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.events import PhotoSkipped
from catdog_gui.engine.files import JSON_BYTES, write_error
from catdog_gui.engine.photos.names import printable

SCHEMA = 1
_KEPT = 20  # journals
_PIECE = 2**20  # bytes compared at once


@dataclass(frozen=True, slots=True)
class MoveSummary:
    """Moves that can be undone. when: seconds since 1970."""

    path: Path
    target: Path
    count: int
    when: float


@dataclass(slots=True)
class Undone:
    """back: old place -> place now, as shown; failed: why the others stayed."""

    back: dict[str, str] = field(default_factory=dict)
    failed: list[PhotoSkipped] = field(default_factory=list)


@dataclass(slots=True)
class _Move:
    source: Path
    place: Path
    state: list[int] | None = None  # size and time of the file once it was moved; None: that is not known
    undone: bool = False


class MoveJournal:
    """Notes moves while they are done. Owner: the thread that moves."""

    def __init__(self, target: Path) -> None:
        """Raises CatDogError (disk_full, cannot_write): nothing is moved that could not be undone."""
        parent = home.moves_dir()
        try:
            parent.mkdir(parents=True, exist_ok=True)
            self.path = _next_numbered(parent)
            self._log = self.path.open("x", encoding=JSON_BYTES[0], errors=JSON_BYTES[1], newline="\n")
        except OSError as error:
            raise write_error(error, parent) from error
        self._number = 0
        self._write({"schema": SCHEMA, "target": str(target.absolute()), "when": round(time.time(), 3)})
        for old in sorted(parent.glob("move-*.jsonl"), reverse=True)[_KEPT:]:
            with contextlib.suppress(OSError):
                old.unlink()

    def make_folder(self, folder: Path) -> None:
        """Make a folder and note which ones were new, so that undoing can take them away. Raises OSError."""
        new = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for path in reversed(new):
            self._write({"made": str(path.absolute())})

    def move(self, source: Path, place: Path) -> None:
        """Move a file. Raises FileExistsError where the place is taken, OSError; the file stays where it was then."""
        if os.path.lexists(place):
            raise FileExistsError(str(place))
        self._number += 1
        self._write({"n": self._number, "from": str(source.absolute()), "to": str(place.absolute())})
        try:
            transfer(source, place)
        except OSError:
            self._write({"n": self._number, "undone": True})
            raise
        self._write({"n": self._number, "done": _state(place)})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._log.close()
        if not any(True for move in _read(self.path)[1].values() if not move.undone):
            with contextlib.suppress(OSError):
                self.path.unlink()

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._log.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._log.flush()
        except OSError as error:
            raise write_error(error, self.path) from error


def transfer(source: Path, place: Path) -> None:
    """Move a file within a drive or to another one; what is at `place` is never replaced.

    Raises FileExistsError, OSError: the file is where it was then, and there is no half copy.
    """
    if os.name == "nt":
        try:
            source.rename(place)  # refuses a taken name there
        except FileExistsError:
            raise
        except OSError:
            _copy(source, place)
        else:
            return
    else:
        try:
            os.link(source, place, follow_symlinks=False)  # a rename would replace what is there
        except (FileExistsError, FileNotFoundError):
            raise
        except OSError:  # another drive, or one without links
            _copy(source, place)
    try:
        source.unlink()
    except OSError:
        place.unlink(missing_ok=True)
        raise


def _copy(source: Path, place: Path) -> None:
    with source.open("rb") as old, place.open("xb") as new:
        try:
            shutil.copyfileobj(old, new, _PIECE)
            new.flush()
            os.fsync(new.fileno())
            if new.tell() != os.fstat(old.fileno()).st_size:
                raise OSError("the file changed while it was copied")
        except OSError:
            new.close()
            place.unlink(missing_ok=True)
            raise
    with contextlib.suppress(OSError):  # some drives keep no dates
        shutil.copystat(source, place)


def newest() -> MoveSummary | None:
    """The newest moves that can be undone."""
    found = (_summary(path) for path in sorted(home.moves_dir().glob("move-*.jsonl"), reverse=True))
    return next((summary for summary in found if summary is not None and summary.count), None)


def undo(journal: Path, should_stop: Callable[[], bool] = lambda: False) -> Undone:
    """Move everything back, the last one first; nothing is overwritten.

    What cannot go back is named and can be tried again. Raises CatDogError (cannot_write) where that cannot be noted.
    """
    result = Undone()
    _head, moves, made = _read(journal)
    try:
        with journal.open("a", encoding=JSON_BYTES[0], errors=JSON_BYTES[1], newline="\n") as log:
            for number, move in sorted(moves.items(), reverse=True):
                if move.undone:
                    continue
                if should_stop():
                    raise Stopped
                reason = _move_back(move)
                if reason is None:
                    log.write(json.dumps({"n": number, "undone": True}) + "\n")
                    log.flush()
                    result.back[printable(str(move.place))] = printable(str(move.source))
                else:
                    result.failed.append(reason)
    except OSError as error:
        raise write_error(error, journal) from error
    for folder in reversed(made):
        with contextlib.suppress(OSError):  # something else lies in it: it stays
            Path(folder).rmdir()
    if not result.failed:
        with contextlib.suppress(OSError):
            journal.unlink()
    return result


def _move_back(move: _Move) -> PhotoSkipped | None:
    """None where the file is back at its old place; else why not."""
    place, source = move.place, move.source
    shown = printable(str(place))
    if not os.path.lexists(place):
        return None if os.path.lexists(source) or move.state is None else PhotoSkipped(shown, "moved_photo_gone")
    try:
        if os.path.lexists(source):
            if not _is_leftover(move):
                return PhotoSkipped(shown, "old_place_taken", {"path": printable(str(source))})
            place.unlink()
            return None
        if move.state is not None and _state(place) != move.state:
            return PhotoSkipped(shown, "changed_since_move")
        source.parent.mkdir(parents=True, exist_ok=True)
        transfer(place, source)
    except OSError as error:
        return PhotoSkipped(shown, "cannot_move", {"path": shown, "reason": error.strerror or str(error)})
    return None


def _is_leftover(move: _Move) -> bool:
    """Whether a crash came in the middle of the move: what lies at the new place is the old file, or a part of it."""
    if move.state is not None:
        return False
    if move.place.samefile(move.source):
        return True
    with move.place.open("rb") as new, move.source.open("rb") as old:
        return all(piece == old.read(len(piece)) for piece in iter(lambda: new.read(_PIECE), b""))


def _summary(path: Path) -> MoveSummary | None:
    head, moves, _made = _read(path)
    if head is None:
        return None
    count = sum(1 for move in moves.values() if not move.undone)
    return MoveSummary(path, Path(str(head.get("target", ""))), count, float(head.get("when") or 0.0))


def _read(journal: Path) -> tuple[dict[str, Any] | None, dict[int, _Move], list[str]]:
    """The head, the moves by number, the folders that were made. Damaged lines are passed over."""
    head: dict[str, Any] | None = None
    moves: dict[int, _Move] = {}
    made: list[str] = []
    for line in _lines(journal):
        if line.get("schema") == SCHEMA:
            head = line
        elif isinstance(line.get("made"), str):
            made.append(line["made"])
        elif "from" in line and "to" in line:
            moves[line["n"]] = _Move(Path(str(line["from"])), Path(str(line["to"])))
        elif line.get("n") in moves:
            move = moves[line["n"]]
            move.undone = move.undone or line.get("undone") is True
            move.state = line.get("done", move.state)
    return head, moves, made


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    try:
        with journal.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                with contextlib.suppress(ValueError):
                    values = json.loads(line)
                    if isinstance(values, dict):
                        yield values
    except OSError:
        return


def _next_numbered(parent: Path) -> Path:
    taken = (path.stem[5:] for path in parent.glob("move-*.jsonl"))
    number = 1 + max((int(digits) for digits in taken if digits.isdecimal()), default=0)
    while (path := parent / f"move-{number:04}.jsonl").exists():
        number += 1
    return path


def _state(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def as_move_error(error: OSError, path: Path) -> CatDogError:
    """What a failed move means to a person."""
    failed = write_error(error, path)
    if failed.code == "disk_full":
        return failed
    return CatDogError("cannot_move", path=printable(str(path)), reason=error.strerror or str(error))
