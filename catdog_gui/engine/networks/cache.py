"""What was computed for a photo before: its content's hash by file, and network outputs by content.

One SQLite file under the home: whole after a crash, safe with two programs at once, and cleared by deleting it. A file
is known again by path, size, modification and change time (ns) and inode, so a changed or replaced one is noticed. All
methods belong to the thread that made the object. Trouble with the cache never ends a run: it is switched off.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.home import cache_dir

SCHEMA = 1
LIMIT = 8 * 2**30  # bytes; the outputs that were not used for longest go first
_AT_ONCE = 400  # SQLite's parameters in one question
_TRIM_TO = 0.8  # share of the limit that is left after trimming
Array = np.ndarray[Any, np.dtype[Any]]

_TABLES = """
CREATE TABLE IF NOT EXISTS files (path BLOB PRIMARY KEY, stamp TEXT NOT NULL, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kinds (kind INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE IF NOT EXISTS outputs (kind INTEGER NOT NULL, digest BLOB NOT NULL, used INTEGER NOT NULL,
    print BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY (kind, digest));
CREATE INDEX IF NOT EXISTS by_use ON outputs (used);
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """print: `copies.fingerprint` of the decoded square; row: the network's output."""

    digest: bytes
    print: Array
    row: Array


@dataclass(frozen=True, slots=True)
class Computed:
    """One new photo and its file's `stamp`."""

    path: Path
    stamp: str
    stored: Stored


def stamp(path: Path) -> str | None:
    """What tells a file's state apart without reading it; None where there is no file."""
    try:
        status = os.stat(path)  # noqa: PTH116 -- once for each of a million photos
    except OSError:
        return None
    return f"{status.st_size},{status.st_mtime_ns},{status.st_ctime_ns},{status.st_ino}"


class PhotoCache:
    """kind: what the rows are (network, weights, stage, recipe, precision), in words; shape, dtype: of one row."""

    def __init__(
        self,
        kind: str,
        shape: tuple[int, ...],
        dtype: type[np.generic],
        *,
        file: Path | None = None,
        limit: int = LIMIT,
    ) -> None:
        self._kind, self._shape, self._dtype, self._limit = kind, shape, np.dtype(dtype), limit
        self._file = file or cache_dir() / "photos.sqlite"
        self._database: sqlite3.Connection | None = None
        self._number = 0
        with self._quietly():
            self._open()

    @property
    def is_on(self) -> bool:
        return self._database is not None

    def _open(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connect()
        except sqlite3.OperationalError:  # locked, full, read-only: nothing that deleting would cure
            raise
        except sqlite3.DatabaseError:
            clear(self._file)  # damaged, or of another version
            self._connect()

    def _connect(self) -> None:
        database = sqlite3.connect(self._file, timeout=5.0)
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, SCHEMA):
                raise sqlite3.DatabaseError("schema")
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            with database:
                if version == 0:
                    database.executescript(_TABLES + f"PRAGMA user_version={SCHEMA};")
                database.execute("INSERT OR IGNORE INTO kinds (name) VALUES (?)", (self._kind,))
            found = database.execute("SELECT kind FROM kinds WHERE name=?", (self._kind,)).fetchone()
        except BaseException:
            database.close()
            raise
        self._number = int(found[0])
        self._database = database

    @contextlib.contextmanager
    def _quietly(self) -> Iterator[None]:
        """Trouble with the file, the disk or the lock switches the cache off; the run goes on without."""
        try:
            yield
        except (sqlite3.Error, OSError, ValueError):
            self.close()

    def digests(self, stamps: Mapping[Path, str]) -> dict[Path, bytes]:
        """The content's digest of those files whose state is the one that was remembered."""
        found: dict[Path, bytes] = {}
        keys = {os.fsencode(path): path for path in stamps}
        with self._quietly():
            for part in _parts(list(keys)):
                if self._database is None:
                    break
                marks = ",".join("?" * len(part))
                question = f"SELECT path, stamp, digest FROM files WHERE path IN ({marks})"  # noqa: S608 -- marks only
                for path, mark, digest in self._database.execute(question, part):
                    if stamps[keys[path]] == mark:
                        found[keys[path]] = digest
        return found

    def known(self) -> frozenset[bytes]:
        """The digests of all contents whose output is stored."""
        with self._quietly():
            if self._database is not None:
                question = "SELECT digest FROM outputs WHERE kind=?"
                return frozenset(digest for (digest,) in self._database.execute(question, (self._number,)))
        return frozenset()

    def rows(self, digests: Sequence[bytes]) -> Iterator[Stored]:
        """What is stored of these contents, in any order; it counts as used now."""
        with self._quietly():
            for part in _parts(digests):
                if self._database is None:
                    break
                marks = ",".join("?" * len(part))
                where = f"kind=? AND digest IN ({marks})"
                question = f"SELECT digest, print, row FROM outputs WHERE {where}"  # noqa: S608 -- marks only
                for digest, print_, row in self._database.execute(question, (self._number, *part)).fetchall():
                    values = np.frombuffer(row, self._dtype).reshape(self._shape)
                    yield Stored(digest, np.frombuffer(print_, np.uint8), values)
                with self._database:
                    now = int(time.time())
                    self._database.execute(f"UPDATE outputs SET used=? WHERE {where}", (now, self._number, *part))  # noqa: S608

    def add(self, photos: Sequence[Computed]) -> None:
        """Remember photos, all of them or none."""
        if self._database is None:
            return
        files = [(os.fsencode(item.path), item.stamp, item.stored.digest) for item in photos]
        rows = self._lines([item.stored for item in photos])
        with self._quietly(), self._database:
            self._database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", files)
            self._database.executemany("INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?)", rows)

    def add_rows(self, rows: Sequence[Stored]) -> None:
        """Remember outputs that belong to no file of their own, all of them or none."""
        with self._quietly():
            if self._database is not None:
                with self._database:
                    question = "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?)"
                    self._database.executemany(question, self._lines(rows))

    def _lines(self, rows: Sequence[Stored]) -> list[tuple[int, bytes, int, bytes, bytes]]:
        now = int(time.time())
        return [(self._number, item.digest, now, item.print.tobytes(), _bytes(item.row, self._dtype)) for item in rows]

    def add_files(self, files: Sequence[tuple[Path, str, bytes]]) -> None:
        """Remember (path, stamp, digest) of files whose content is known already."""
        with self._quietly():
            if self._database is not None and files:
                rows = [(os.fsencode(path), mark, content) for path, mark, content in files]
                with self._database:
                    self._database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", rows)

    def trim(self) -> None:
        """Forget what was not used for longest, where the limit is passed."""
        with self._quietly():
            if self._database is None or self._size() <= self._limit:
                return
            with self._database:
                while self._size() > _TRIM_TO * self._limit:
                    gone = self._database.execute(
                        "DELETE FROM outputs WHERE rowid IN (SELECT rowid FROM outputs ORDER BY used LIMIT 1000)"
                    ).rowcount
                    if not gone:
                        break

    def _size(self) -> int:
        """Bytes in use: free pages, which later photos take, do not count."""
        assert self._database is not None
        values = [self._database.execute(f"PRAGMA {name}").fetchone()[0] for name in _PAGES]
        return int((values[0] - values[1]) * values[2])

    def close(self) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()
            self._database = None


_PAGES = ("page_count", "freelist_count", "page_size")


def _parts(keys: Sequence[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(keys), _AT_ONCE):
        yield list(keys[start : start + _AT_ONCE])


def _bytes(row: Array, dtype: np.dtype[Any]) -> bytes:
    return np.ascontiguousarray(row, dtype).tobytes()


def clear(file: Path | None = None) -> None:
    """Forget everything; what is used by another program at this moment stays."""
    file = file or cache_dir() / "photos.sqlite"
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            file.with_name(file.name + ending).unlink(missing_ok=True)
