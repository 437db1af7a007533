"""Move files so that nothing is ever overwritten and every move can be undone, after a restart or a crash too.

A journal under the home (`moves/move-0001.jsonl`) has a line before each move (from, to) and one after it.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from catdog_gui.engine import home
from catdog_gui.engine.answers.move_lines import SCHEMA, Move, forget, locked, open_next, read, to_line, unlock
from catdog_gui.engine.errors import CatDogError, InputError, Stopped
from catdog_gui.engine.events import PhotoSkipped
from catdog_gui.engine.files import write_error
from catdog_gui.engine.json_types import is_number
from catdog_gui.engine.photos.names import printable

if TYPE_CHECKING:
    from filelock import BaseFileLock

_KEPT = 20  # journals
_PIECE = 2**20  # bytes copied or compared at once
PART = ".catdog.part"  # how the name of a copy ends until it is whole


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


class MoveJournal:
    """Notes moves while they are done. Owner: the thread that moves."""

    def __init__(self, target: Path) -> None:
        """Raises CatDogError (disk_full, cannot_write): nothing is moved that could not be undone."""
        parent = home.moves_dir()
        try:
            parent.mkdir(parents=True, exist_ok=True)
            self.path, self._log = open_next(parent)
        except OSError as error:
            raise write_error(error, parent) from error
        self._number = 0
        self._lock: BaseFileLock | None = None
        try:
            self._lock = locked(self.path)
            self._write({"schema": SCHEMA, "target": str(target.absolute()), "when": round(time.time(), 3)})
        except CatDogError:
            self.close()
            raise
        for old in sorted(parent.glob("move-*.jsonl"), reverse=True)[_KEPT:]:
            with contextlib.suppress(OSError, CatDogError):
                forget(old)

    def make_folder(self, folder: Path) -> None:
        """Make a folder and note which ones were new, so that undoing can take them away. Raises OSError."""
        for path in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
            self._write({"made": str(path.absolute())})  # before: undoing takes only empty ones away
        folder.mkdir(parents=True, exist_ok=True)

    def move(self, source: Path, place: Path) -> None:
        """Move a file. Raises FileExistsError where the place is taken, OSError, CatDogError (disk_full, cannot_write).

        The file stays where it was then.
        """
        if os.path.lexists(place):
            raise FileExistsError(str(place))
        self._number += 1
        self._write({"n": self._number, "from": str(source.absolute()), "to": str(place.absolute())})
        try:
            transfer(source, place)
        except OSError:
            self._note({"n": self._number, "undone": True})
            raise
        self._note({"n": self._number, "done": state_of(place)})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._log.close()
        if not any(True for move in read(self.path)[1].values() if not move.undone):
            with contextlib.suppress(OSError):
                self.path.unlink()
        if self._lock is not None:
            unlock(self._lock, self.path)

    def _note(self, line: dict[str, Any]) -> None:
        """What undoing can do without: it looks where the file is. So a disk that is full now costs nothing."""
        with contextlib.suppress(CatDogError):
            self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._log.write(to_line(line))
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
    with source.open("rb") as old:
        copy_to(old, place, dates_of=source)


def copy_to(old: BinaryIO, place: Path, *, dates_of: Path) -> None:
    """Write what is left of `old` to `place`: aside and flushed first, so that no half file ever has that name.

    Raises FileExistsError where the place is taken, OSError.
    """
    part = place.with_name(f".{os.urandom(16).hex()}{PART}")
    try:
        with part.open("xb") as new:
            shutil.copyfileobj(old, new, _PIECE)
            new.flush()
            os.fsync(new.fileno())
            if new.tell() != os.fstat(old.fileno()).st_size:
                raise OSError("the file changed while it was copied")
        with contextlib.suppress(OSError):  # some drives keep no dates
            shutil.copystat(dates_of, part)
        _give_name(part, place)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _give_name(part: Path, place: Path) -> None:
    """Without replacing anything. Raises FileExistsError, OSError."""
    try:
        os.link(part, place, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a drive without links: its name is taken first, then filled at once
        place.open("xb").close()
        part.replace(place)


def newest() -> MoveSummary | None:
    """The newest moves that can be undone."""
    found = (_summary(path) for path in sorted(home.moves_dir().glob("move-*.jsonl"), reverse=True))
    return next((summary for summary in found if summary is not None and summary.count), None)


def undo(journal: Path, should_stop: Callable[[], bool] = lambda: False) -> Undone:
    """Move everything back, the last one first; nothing is overwritten.

    What cannot go back is named and can be tried again. Raises CatDogError moves_in_use where another program moves
    these photos there or back, InputError nothing_to_undo, not_a_move_list (the file stays as it is).
    """
    head, moves, _made = read(journal)
    if head is None and not moves and journal.is_file():
        raise InputError("not_a_move_list", path=str(journal))
    lock = None
    try:
        lock = locked(journal)
    except CatDogError as error:
        if error.code == "moves_in_use":
            raise
        # A home that is full or read-only keeps no photo from coming back.
    try:
        if not journal.is_file():  # another program has just finished with it
            raise InputError("nothing_to_undo")
        return _undo(journal, should_stop)
    finally:
        if lock is not None:
            unlock(lock, journal)


def _undo(journal: Path, should_stop: Callable[[], bool]) -> Undone:
    result = Undone()
    _head, moves, made = read(journal)
    for number, move in sorted(moves.items(), reverse=True):
        if move.undone:
            continue
        if should_stop():
            raise Stopped
        reason = _move_back(move)
        if reason is None:
            _note_undone(journal, number)
            result.back[printable(str(move.place))] = printable(str(move.source))
        else:
            result.failed.append(reason)
    filled = {folder for move in moves.values() for folder in move.place.parents}
    for folder in reversed(made):
        if Path(folder) not in filled:
            continue  # not made for these photos
        for part in Path(folder).glob(f".*{PART}"):  # a crash in the middle of a copy left it
            with contextlib.suppress(OSError):
                part.unlink()
        with contextlib.suppress(OSError):  # something else lies in it: it stays
            Path(folder).rmdir()
    if not result.failed:
        with contextlib.suppress(OSError):
            journal.unlink()
    return result


def _note_undone(journal: Path, number: int) -> None:
    """Not where the disk is full: the next time the photo is found at its old place."""
    line = to_line({"n": number, "undone": True})
    with contextlib.suppress(OSError), journal.open("a", encoding="utf-8", newline="\n") as log:
        log.write(f"\n{line}")  # a crash may have left half a line


def _move_back(move: Move) -> PhotoSkipped | None:
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
        if move.state is not None and state_of(place) != move.state:
            return PhotoSkipped(shown, "changed_since_move")
        source.parent.mkdir(parents=True, exist_ok=True)
        transfer(place, source)
    except OSError as error:
        return PhotoSkipped(shown, "cannot_move", {"path": shown, "reason": error.strerror or str(error)})
    return None


def _is_leftover(move: Move) -> bool:
    """Whether a crash came in the middle of the move: what lies at the new place is the old file, or a part of it."""
    if move.state is not None:
        return False
    if move.place.samefile(move.source):
        return True
    with move.place.open("rb") as new, move.source.open("rb") as old:
        return all(piece == old.read(len(piece)) for piece in iter(lambda: new.read(_PIECE), b""))


def _summary(path: Path) -> MoveSummary | None:
    head, moves, _made = read(path)
    if head is None:
        return None
    count = sum(1 for move in moves.values() if not move.undone)
    when = head.get("when")
    return MoveSummary(path, Path(str(head.get("target", ""))), count, float(when) if is_number(when) else 0.0)


def state_of(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def as_move_error(error: OSError, path: Path, folder: Path) -> CatDogError:
    """What a failed move of `path` into `folder` means to a person: which of the two is to blame."""
    needed = 0
    with contextlib.suppress(OSError):
        needed = path.stat().st_size
    failed = write_error(error, folder / path.name, needed)
    if failed.code == "disk_full":
        return failed
    if isinstance(error.filename, str) and Path(error.filename).parent == folder:
        return write_error(error, folder)
    return CatDogError("cannot_move", path=printable(str(path)), reason=error.strerror or str(error))
