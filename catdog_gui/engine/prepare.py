"""Read, hash and decode every photo once, run the frozen stages over it, and keep the outcome in a store."""

import math
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.copies import fingerprint
from catdog_gui.engine.errors import CatDogError, FieldValue, InputError, PhotoError
from catdog_gui.engine.features import FeatureEngine, one
from catdog_gui.engine.home import cache_dir
from catdog_gui.engine.images import Picture, Recipe, decode, digest
from catdog_gui.engine.loading import ArrayStore, LiveStore, Store
from catdog_gui.engine.photo_file import read_bytes
from catdog_gui.engine.reading import default_workers, read_ahead
from catdog_gui.engine.report import Report
from catdog_gui.engine.scan_result import Finding, Scan, without
from catdog_gui.engine.split import findings_from_digests, split

_IN_MEMORY = 256 * 2**20  # bytes of a store above which it lies in a mapped file
_DISK_LEFT = 2 * 2**30  # bytes of free disk that a store must leave
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Read:
    """One photo after reading: a picture, or the reason why there is none."""

    number: int
    digest: bytes | None = None
    print: Array | None = None
    picture: Picture | None = None
    error: PhotoError | None = None


@dataclass(slots=True)
class Prepared:
    """The dataset ready to learn from. labels, members: by the store's row numbers (those of the first scan)."""

    scan: Scan
    store: Store
    labels: Array
    train: Array
    val: Array
    skipped: dict[int, PhotoError] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def read_one(scan: Scan, number: int, recipe: Recipe, *, margin: bool) -> Read:
    """Read, hash and decode a photo; never raises for what is wrong with the file."""
    try:
        data = read_bytes(scan.root / scan.paths[number])
        picture = decode(data, recipe, margin=margin)
    except PhotoError as error:
        return Read(number, error=error)
    return Read(number, digest(data), fingerprint(picture), picture)


def prepare(
    scan: Scan,
    config: TrainConfig,
    engine: FeatureEngine | None,
    report: Report,
    should_stop: Callable[[], bool],
) -> Prepared:
    """Fill a store: what `engine` gives for each photo, or the decoded squares where there is none.

    Raises InputError (no_readable_photos, and the scan's reasons once bad photos are left out), Stopped, CatDogError.
    """
    recipe = Recipe(config.image_size, config.fit)
    margin = engine is None and config.augment and config.fit == "crop"
    workers = config.workers or default_workers()
    total = len(scan.paths)
    reads: list[Read] = []

    def pictures() -> Iterator[tuple[int, Picture]]:
        began = time.perf_counter()
        work = read_ahead(
            range(total),
            lambda number: read_one(scan, number, recipe, margin=margin),
            workers=workers,
            should_stop=should_stop,
        )
        for read in work:
            reads.append(Read(read.number, read.digest, read.print, None, read.error))
            if read.error is not None:
                report.say(_skipped(scan.paths[read.number], read.error))
            report.progress("prepare", len(reads), total, len(reads) / max(time.perf_counter() - began, 1e-6))
            if read.picture is not None:
                yield read.number, read.picture

    store = _fill(scan, recipe, engine, pictures(), margin=margin, workers=workers, should_stop=should_stop)
    try:
        return _sorted_out(scan, config, reads, store, report)
    except BaseException:
        store.close()
        raise


def _skipped(path: str, error: PhotoError) -> events.PhotoSkipped:
    return events.PhotoSkipped(path, error.code, dict(error.fields))


def _fill(
    scan: Scan,
    recipe: Recipe,
    engine: FeatureEngine | None,
    pictures: Iterator[tuple[int, Picture]],
    *,
    margin: bool,
    workers: int,
    should_stop: Callable[[], bool],
) -> Store:
    total = len(scan.paths)
    if engine is not None:
        shape = one(engine, np.zeros((recipe.size, recipe.size, 3), np.uint8)).shape
        store = _allocate((total, *shape), np.float16)
        if store is None:
            raise CatDogError(
                "disk_full", path=str(cache_dir()), needed_mb=total * math.prod(shape) / 2**19, free_mb=0.0
            )
        rows = store.rows
        engine.run(pictures, lambda number, output: rows.__setitem__(number, output))
        return store
    side = recipe.margin_size if margin else recipe.size
    squares = _allocate((total, side, side, 3), np.uint8)
    for number, picture in pictures:  # decoded in any case: a bad photo is found before learning begins
        if squares is not None:
            squares.rows[number] = picture
    if squares is not None:
        return squares
    return LiveStore([scan.root / path for path in scan.paths], recipe, margin, workers, should_stop)


def _allocate(shape: tuple[int, ...], dtype: type[np.generic]) -> ArrayStore | None:
    """Rows in memory where they are few, else in a mapped file of the home; None where the disk has no room."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size <= _IN_MEMORY:
        return ArrayStore(np.zeros(shape, dtype))
    folder = cache_dir() / "stores"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder).free < size + _DISK_LEFT:
            return None
        path: Path = folder / f"{uuid.uuid4().hex}.bin"
        return ArrayStore(np.memmap(path, dtype, "w+", shape=shape), path)
    except OSError:
        return None


def _sorted_out(scan: Scan, config: TrainConfig, reads: list[Read], store: Store, report: Report) -> Prepared:
    """Leave bad photos out, tell what was found, split."""
    skipped = {read.number: read.error for read in reads if read.error is not None}
    kept = np.array([read.number for read in reads if read.error is None], np.int64)
    if len(kept) == 0:
        first = next(iter(skipped.values()))
        raise InputError("no_readable_photos", count=len(skipped), reason=str(first))
    readable = without(scan, skipped)
    if readable.reason is not None:
        raise InputError(readable.reason.code, **readable.reason.fields)
    digests = [reads[number].digest for number in kept]
    prints = [reads[number].print for number in kept]
    halves = split(readable, digests, fraction=config.val_fraction, seed=config.seed, prints=prints)
    found = findings_from_digests(readable, digests, prints)
    known = {(item.code, str(item.fields)) for item in scan.warnings}
    findings = [f for f in (*readable.warnings, *found, *halves.findings) if (f.code, str(f.fields)) not in known]
    for finding in findings:
        report.say(events.DataWarning(finding.code, dict(finding.fields)))
    labels = np.full(len(scan.paths), -1, np.int64)
    labels[kept] = np.asarray(readable.labels, np.int64)
    train, val = kept[np.asarray(halves.train, np.int64)], kept[np.asarray(halves.val, np.int64)]
    return Prepared(readable, store, labels, train, val, skipped, findings)


def photo_lines(first: Scan, prepared: Prepared) -> Iterator[dict[str, FieldValue]]:
    """The lines of photos.jsonl: every photo with its class and side, every file left out with the reason."""
    sides = {int(n): "train" for n in prepared.train} | {int(n): "val" for n in prepared.val}
    for number, path in enumerate(first.paths):
        error = prepared.skipped.get(number)
        shown = path.encode("utf-8", "replace").decode()
        if error is not None:
            yield {"path": shown, "skipped": error.code, "reason": str(error)}
        else:
            label = int(prepared.labels[number])
            yield {"path": shown, "label": prepared.scan.classes[label], "side": sides.get(number)}
    for file in first.skipped:
        yield {"path": file.path, "skipped": file.code}
