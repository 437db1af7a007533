"""Read, hash and decode every photo once, run the frozen stages over it, and keep the outcome in a store."""

import contextlib
import dataclasses
import itertools
import math
import time
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.datasets.copies import fingerprint
from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.distributed.ranks import ALONE, Ranks
from catdog_gui.engine.errors import CatDogError, PhotoError, Stopped
from catdog_gui.engine.home import cache_dir
from catdog_gui.engine.networks.cache import Computed, PhotoCache, Stored, stamp
from catdog_gui.engine.networks.features import FeatureEngine
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Picture, Recipe, decode, digest
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.photos.reading import default_workers, read_ahead, tells_of_slow
from catdog_gui.engine.preparing import stores
from catdog_gui.engine.preparing.prepared import Prepared, Read, sorted_out
from catdog_gui.engine.preparing.report import Report
from catdog_gui.engine.preparing.stores import IN_MEMORY, ArrayStore, LiveStore
from catdog_gui.engine.runs.listing import Listing

_REMEMBER_AT_ONCE = 16 * 2**20  # bytes of rows
_MOST_CACHED = 2 * 2**30  # bytes of rows: more would push out what other datasets left
_AHEAD = 8_000_000  # pixels of pictures that may be decoded ahead
Array = np.ndarray[Any, np.dtype[Any]]


def read_one(scan: Scan, number: int, recipe: Recipe, *, margin: bool, known: Container[bytes] = ()) -> Read:
    """Read, hash and decode a photo; never raises for what is wrong with the file.

    known: digests of contents that need no decoding.
    """
    try:
        data = read_bytes(scan.path(number))
        content = digest(data)
        if content in known:
            return Read(number, content)
        picture = decode(data, recipe, margin=margin)
    except PhotoError as error:
        return Read(number, error=error)
    return Read(number, content, fingerprint(picture), picture)


@dataclass(frozen=True, slots=True)
class Rows:
    """What the store holds of each photo. shape: of one row; kind: in words, for the cache; None: not cached.

    engine: makes the engine whose output the rows are; None: they are the decoded squares. vary: makes a photo's
    versions (V, S, S, 3) of its square and its content's digest, any thread; a row is then the output for each.
    """

    shape: tuple[int, ...]
    kind: str | None = None
    engine: Callable[[], FeatureEngine] | None = None
    margin: bool = False
    vary: Callable[[Picture, bytes], Array] | None = None

    @property
    def versions(self) -> int:
        """How many pictures of a photo the engine sees."""
        return self.shape[0] if self.vary is not None else 1

    @property
    def dtype(self) -> type[np.generic]:
        return np.float16 if self.engine else np.uint8

    def size(self, photos: int) -> int:
        """Bytes of that many rows."""
        return photos * math.prod(self.shape) * np.dtype(self.dtype).itemsize


def prepare(
    scan: Scan,
    config: TrainConfig,
    rows: Rows,
    report: Report,
    should_stop: Callable[[], bool],
    listing: Listing | None = None,
    ranks: Ranks = ALONE,
) -> Prepared:
    """Fill a store with a row for each photo: from the cache where it is known, computed and remembered elsewhere.

    listing: the photos of a run that goes on; their sides are kept. ranks: those of one computer share the work and the
    store; each of several computers does all of it, from its own copy of the photos.
    Raises InputError (no_readable_photos, and the scan's reasons once bad photos are left out; photos_changed,
    classes_changed), Stopped, CatDogError.
    """
    store = _shared_store(scan, rows, ranks)
    work = _Filling(scan, config, rows, store, report, should_stop, ranks)
    try:
        reads = _everyones(ranks.attempt(work.run, unequal=True), ranks)
        kept = store or LiveStore(
            [scan.path(n) for n in range(len(scan.paths))], work.recipe, rows.margin, work.workers
        )
        return sorted_out(scan, config, reads, kept, report, listing)
    except BaseException:
        if store is not None:
            store.close()
        raise


def _shared_store(scan: Scan, rows: Rows, ranks: Ranks) -> ArrayStore | None:
    """The store, in a file that all ranks of this computer map; None: no room. Raises CatDogError disk_full."""
    shape = (len(scan.paths), *rows.shape)

    def allocate() -> ArrayStore | None:
        if ranks.local != 0:
            return None
        store = _allocate(shape, rows.dtype, in_memory=IN_MEMORY if ranks.local_count == 1 else -1)
        if store is None and rows.engine is not None:
            needed_mb = rows.size(len(scan.paths)) / 2**20
            raise CatDogError("disk_full", path=str(cache_dir()), needed_mb=needed_mb, free_mb=0.0)
        return store

    own = ranks.attempt(allocate)
    files = ranks.gather(own.file if own is not None else None)
    file = files[ranks.number - ranks.local]
    if own is not None or file is None:
        return own
    return ArrayStore(np.memmap(file, rows.dtype, "r+", shape=shape))


def _everyones(reads: list["Read"], ranks: Ranks) -> list["Read"]:
    """What the ranks of the first computer read, in the photos' order."""
    if ranks.count == 1:
        return reads
    parts = ranks.gather(reads)[: ranks.local_count]
    whole: list[Read] = [Read(0)] * sum(map(len, parts))
    for number, part in enumerate(parts):
        whole[number :: len(parts)] = part
    return whole


class _Filling:
    """Fills a store. Owned by the thread of `fit`."""

    def __init__(
        self,
        scan: Scan,
        config: TrainConfig,
        rows: Rows,
        store: ArrayStore | None,
        report: Report,
        should_stop: Callable[[], bool],
        ranks: Ranks,
    ) -> None:
        self.recipe = Recipe(config.image_size, config.fit)
        self.workers = config.workers or max(1, default_workers() // ranks.local_count)
        self._mine = range(ranks.local, len(scan.paths), ranks.local_count)
        self._scan, self._rows, self._store = scan, rows, store
        self._report, self._should_stop = report, should_stop
        self._reads: dict[int, Read] = {}
        self._stamps: dict[int, str] = {}
        self._fresh: list[Computed] = []
        self._began = time.perf_counter()
        self._cached = 0
        keep = rows.kind is not None and rows.size(len(scan.paths)) <= _MOST_CACHED
        self._cache = PhotoCache(rows.kind or "", rows.shape, rows.dtype) if keep else None
        self._known: frozenset[bytes] = frozenset()
        self._engine: FeatureEngine | None = None
        self._missing: dict[int, int] = {}  # versions of a photo that are still to come, where some are there

    def run(self) -> list[Read]:
        """What was read, by photo. Raises Stopped; what was computed until then is remembered."""
        try:
            self._from_cache()
            rest = [number for number in self._mine if number not in self._reads]
            if rest:
                self._compute(rest)
        finally:
            if self._cache is not None:
                self._remember()
                self._cache.trim()
                self._cache.close()
        self._tell()
        return [self._reads[number] for number in self._mine]

    def _from_cache(self) -> None:
        if self._cache is None or not self._cache.is_on or self._store is None:
            return
        paths = {self._scan.path(number): number for number in self._mine}
        stamps = {path: mark for path in paths if (mark := stamp(path)) is not None}
        self._stamps = {paths[path]: mark for path, mark in stamps.items()}
        numbers: dict[bytes, list[int]] = {}
        for path, content in self._cache.digests(stamps).items():
            numbers.setdefault(content, []).append(paths[path])
        self._fetch(numbers)
        self._cached = len(self._reads)
        if self._cached < len(paths):
            self._known = self._cache.known()

    def _fetch(self, numbers: Mapping[bytes, list[int]]) -> None:
        """Take the rows of these contents from the cache. numbers: the photos that have each content."""
        if self._cache is None or self._store is None or not numbers:
            return
        for stored in self._cache.rows(list(numbers)):
            for number in numbers[stored.digest]:
                self._store.rows[number] = stored.row
                self._reads[number] = Read(number, stored.digest, stored.print)
            if self._should_stop():
                raise Stopped

    def _compute(self, rest: list[int]) -> None:
        """Read, decode, run the engine; a content that is known under another name comes from the cache."""
        with contextlib.ExitStack() as stack:
            self._run(self._pictures(rest, self._known), stack)
            self._fetch_known()
            lost = sorted(number for numbers in self._waiting().values() for number in numbers)  # trimmed meanwhile
            self._run(self._pictures(lost, ()), stack)

    def _fetch_known(self) -> None:
        waiting = self._waiting()
        self._fetch(waiting)
        found = [number for numbers in waiting.values() for number in numbers if self._reads[number].print is not None]
        if self._cache is not None:
            marked = [(n, mark) for n in found if (mark := self._stamps.get(n)) is not None]
            self._cache.add_files([(self._scan.path(n), mark, self._reads[n].digest or b"") for n, mark in marked])

    def _run(self, pictures: Iterator[tuple[int, Picture]], stack: contextlib.ExitStack) -> None:
        """Turn pictures into rows. The engine is made at the first of them, while more are decoded."""
        first = next(pictures, None)
        if first is None:
            return
        everything = itertools.chain([first], pictures)
        take = self._take if self._rows.vary is None else self._take_version
        if self._rows.engine is None:
            for number, picture in everything:  # in any case: a bad photo is found before learning begins
                if self._store is not None:
                    self._take(number, picture)
            return
        if self._engine is None:
            self._engine = stack.enter_context(contextlib.closing(self._rows.engine()))
        self._engine.run(everything, take)

    def _waiting(self) -> dict[bytes, list[int]]:
        """Photos whose content is known and whose row was not fetched yet, by content."""
        waiting: dict[bytes, list[int]] = {}
        for number, read in self._reads.items():
            if read.print is None and read.digest is not None:
                waiting.setdefault(read.digest, []).append(number)
        return waiting

    def _pictures(self, rest: list[int], known: Container[bytes]) -> Iterator[tuple[int, Picture]]:
        def work(number: int) -> Read:
            read = read_one(self._scan, number, self.recipe, margin=self._rows.margin, known=known)
            if vary is None or read.picture is None or read.digest is None:
                return read
            return dataclasses.replace(read, picture=vary(read.picture, read.digest))

        vary, versions = self._rows.vary, self._rows.versions
        depth = max(4 * self.workers, min(64, _AHEAD // (versions * self.recipe.margin_size**2)))
        reads = read_ahead(
            rest, work, workers=self.workers, should_stop=self._should_stop, depth=depth, on_slow=self._tell_slow
        )
        for read in reads:
            self._reads[read.number] = Read(read.number, read.digest, read.print, None, read.error)
            if read.error is not None:
                path = printable(self._scan.paths[read.number])
                self._report.say(events.PhotoSkipped(path, read.error.code, dict(read.error.fields)))
            self._tell()
            if read.picture is not None and vary is None:
                yield read.number, read.picture
            elif read.picture is not None:
                for version, picture in enumerate(read.picture):
                    yield read.number * versions + version, picture

    def _tell_slow(self, number: int) -> None:
        tells_of_slow(self._report.say)(self._scan.paths[number])

    def _tell(self) -> None:
        done = len(self._reads)
        computed = done - self._cached
        rate = computed / max(time.perf_counter() - self._began, 1e-6) if computed else None
        whole, mine = len(self._scan.paths), max(1, len(self._mine))  # the others are about as far
        self._report.progress("prepare", done * whole // mine, whole, rate and rate * whole / mine)

    def _take_version(self, numbered: int, output: Array) -> None:
        """In any order; a photo is remembered once all of its versions are there."""
        assert self._store is not None
        number, version = divmod(numbered, self._rows.versions)
        self._store.rows[number, version] = output
        self._missing[number] = self._missing.get(number, self._rows.versions) - 1
        if not self._missing[number]:
            del self._missing[number]
            self._is_there(number)

    def _take(self, number: int, output: Array) -> None:
        assert self._store is not None
        self._store.rows[number] = output
        self._is_there(number)

    def _is_there(self, number: int) -> None:
        """Note down a photo's row for the next run."""
        assert self._store is not None
        read, mark = self._reads[number], self._stamps.get(number)
        if mark is not None and read.digest is not None and read.print is not None:
            row = self._store.rows[number].copy()
            self._fresh.append(Computed(self._scan.path(number), mark, Stored(read.digest, read.print, row)))
            if len(self._fresh) * row.nbytes >= _REMEMBER_AT_ONCE or len(self._fresh) >= 1024:
                self._remember()

    def _remember(self) -> None:
        if self._cache is not None and self._fresh:
            self._cache.add(self._fresh)
        self._fresh = []


def _allocate(shape: tuple[int, ...], dtype: type[np.generic], in_memory: int = IN_MEMORY) -> ArrayStore | None:
    """Rows in memory up to `in_memory` bytes, else in a mapped file of the home; None where the disk has no room."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size <= in_memory:
        return ArrayStore(np.zeros(shape, dtype))
    path = stores.new_file(size)
    return ArrayStore(np.memmap(path, dtype, "r+", shape=shape), path) if path is not None else None
