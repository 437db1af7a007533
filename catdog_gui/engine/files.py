"""Writing files so that a reader, a crash or a full disk never meets half of one."""

import contextlib
import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

from catdog_gui.engine.errors import CatDogError

if TYPE_CHECKING:
    from filelock import BaseFileLock

# JSON's own escape for the parts of a file name that are not valid Unicode: so they are read back as they were.
JSON_BYTES = ("utf-8", "backslashreplace")


def write_atomic(path: Path, data: bytes, *, shown: Path | None = None) -> None:
    """Write aside, flush to the disk, rename. Raises CatDogError (disk_full, cannot_write); the old file stays then.

    shown: the name in the error, where `path` is not yet the one that a person knows.
    """
    temporary = path.with_name(f".{path.name}.{os.urandom(16).hex()}.part")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:  # Ctrl-C too leaves nothing behind
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise write_error(error, shown or path, len(data)) from error
        raise


def write_error(error: OSError, path: Path, needed: int = 0) -> CatDogError:
    """What a failed write means to a person."""
    import errno
    import shutil

    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", -1)):
        try:
            free = shutil.disk_usage(path.parent).free
        except OSError:
            free = 0
        return CatDogError("disk_full", path=str(path), needed_mb=needed / 2**20, free_mb=free / 2**20)
    return CatDogError("cannot_write", path=str(path), reason=error.strerror or str(error))


def write_json(path: Path, values: dict[str, Any]) -> None:
    write_atomic(path, (json.dumps(values, ensure_ascii=False, indent=2) + "\n").encode(*JSON_BYTES))


def read_json(path: Path, *, limit: int = 16 * 2**20) -> dict[str, Any] | None:
    """The object in a JSON file; None where there is none, it is damaged, larger than limit bytes or no object."""
    try:
        if path.stat().st_size > limit:
            return None
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


class LockedLog:
    """A file that lines are added to, and the lock that only its writer holds, until `close`."""

    _log: IO[Any]
    _lock: "BaseFileLock"

    def close(self) -> None:
        """Let go of both; a disk that is full now keeps nobody from it."""
        with contextlib.suppress(OSError):
            self._log.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
