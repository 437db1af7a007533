"""The journal of moves as a file: its lines read back, its number, and the lock of the program that works on it."""

import contextlib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.files import JSON_BYTES, write_error

if TYPE_CHECKING:
    from filelock import BaseFileLock

SCHEMA = 2  # 1: lines without a sum
_SUM = "sum"


@dataclass(slots=True)
class Move:
    source: Path
    place: Path
    state: list[int] | None = None  # size and time of the file once it was moved; None: that is not known
    undone: bool = False


def locked(journal: Path) -> "BaseFileLock":
    """Held while photos are moved there or back. Raises CatDogError moves_in_use, cannot_write."""
    from filelock import FileLock, Timeout

    lock = FileLock(journal.with_suffix(".lock"), thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise CatDogError("moves_in_use") from error
    except OSError as error:
        raise write_error(error, journal) from error
    return lock


def unlock(lock: "BaseFileLock", journal: Path) -> None:
    """The lock's file goes with its journal: removed earlier, two programs could each hold a lock of that name."""
    lock.release()
    if not journal.exists():
        with contextlib.suppress(OSError):
            journal.with_suffix(".lock").unlink()


def forget(journal: Path) -> None:
    """Remove an old journal; one that another program works on stays. Raises OSError, CatDogError."""
    lock = locked(journal)
    try:
        journal.unlink()
    finally:
        unlock(lock, journal)


def to_line(values: dict[str, Any]) -> str:
    """With a sum: a flipped letter of a path would move a photo to somewhere else."""
    return json.dumps({**values, _SUM: _sum(values)}, ensure_ascii=False) + "\n"


def _sum(values: dict[str, Any]) -> str:
    words = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(words.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def read(journal: Path) -> tuple[dict[str, Any] | None, dict[int, Move], list[str]]:
    """The head, the moves by number, the folders that were made. Damaged lines are passed over."""
    head: dict[str, Any] | None = None
    moves: dict[int, Move] = {}
    made: list[str] = []
    for line in _lines(journal):
        if line.pop(_SUM, None) != _sum(line) and (head is None or head["schema"] != 1) and line.get("schema") != 1:
            continue
        if head is None and line.get("schema") in (1, SCHEMA):
            head = line
        elif (folder := _path(line.get("made"))) is not None:
            made.append(str(folder))
        elif isinstance(number := line.get("n"), int):
            source, place = _path(line.get("from")), _path(line.get("to"))
            move = moves.get(number)
            if source is not None and place is not None:
                moves[number] = Move(source, place)
            elif move is not None:
                move.undone = move.undone or line.get("undone") is True
                move.state = _state(line.get("done")) or move.state
    return head, moves, made


def _path(value: object) -> Path | None:
    path = Path(value) if isinstance(value, str) and "\0" not in value else None
    return path if path is not None and path.is_absolute() else None


def _state(value: object) -> list[int] | None:
    return value if isinstance(value, list) and all(type(part) is int for part in value) else None


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    try:
        with journal.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                with contextlib.suppress(ValueError, RecursionError):
                    values = json.loads(line)
                    if isinstance(values, dict):
                        yield values
    except OSError:
        return


def open_next(parent: Path) -> tuple[Path, TextIO]:
    taken = (path.stem[5:] for path in parent.glob("move-*.jsonl"))
    number = 1 + max((int(digits) for digits in taken if digits.isdecimal()), default=0)
    while True:
        path = parent / f"move-{number:04}.jsonl"
        try:
            return path, path.open("x", encoding=JSON_BYTES[0], errors=JSON_BYTES[1], newline="\n")
        except FileExistsError:  # another program was quicker
            number += 1
