"""The dataset once it is read: what is left out, both sides of the split, and the lines of `photos.jsonl`."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.datasets.scan_result import Finding, Scan, without
from catdog_gui.engine.datasets.split import findings_from_digests, split
from catdog_gui.engine.errors import CatDogError, FieldValue, InputError, PhotoError
from catdog_gui.engine.photos.images import Picture
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.preparing.report import Report
from catdog_gui.engine.preparing.stores import Store
from catdog_gui.engine.runs.listing import Listing, compare

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Read:
    """One photo after reading: a picture, or the reason why there is none; or neither, where its content is known."""

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
    digests: dict[int, bytes] = field(default_factory=dict)

    def lines(self, photos: Array) -> Array:
        """Where these photos stand in `photos.jsonl`, 0 = the first after the head line."""
        listed = self.labels >= 0
        listed[list(self.skipped)] = True
        found: Array = (np.cumsum(listed) - 1)[photos]
        return found


def sorted_out(
    scan: Scan, config: TrainConfig, reads: list[Read], store: Store, report: Report, listing: Listing | None
) -> Prepared:
    """Leave bad photos out, tell what was found, split; or keep the sides of a run that goes on."""
    skipped = {read.number: read.error for read in reads if read.error is not None}
    if len(skipped) == len(reads):
        first = next(iter(skipped.values()))
        raise InputError("no_readable_photos", count=len(skipped), reason=str(first))
    if listing is not None:
        return _kept_apart(scan, reads, store, report, listing, skipped)
    kept = np.array([read.number for read in reads if read.error is None], np.int64)
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
    train, val = kept[np.asarray(halves.train, np.int64)], kept[np.asarray(halves.val, np.int64)]
    return Prepared(readable, store, _labels(scan, readable, kept), train, val, skipped, findings, _digests(reads))


def _kept_apart(
    scan: Scan, reads: list[Read], store: Store, report: Report, listing: Listing, skipped: dict[int, PhotoError]
) -> Prepared:
    """The photos of a run that goes on, each on the side it was on. Raises InputError (photos_changed,
    classes_added, classes_changed)."""
    readable = {read.number: read.digest for read in reads if read.error is None}
    changes, sides = compare(listing, scan, readable)
    added = [name for name in scan.classes if name not in listing.classes]
    if changes and listing.policy == "ask":
        if added and set(listing.classes) <= set(scan.classes):  # else one may only have another name now
            raise InputError("classes_added", known=", ".join(listing.classes), added=", ".join(added))
        raise InputError("photos_changed", **changes.fields())
    if changes:
        report.say(events.Notice("photos_kept", changes.fields()))
    kept = np.array(sorted(sides), np.int64)
    others: dict[int, CatDogError] = {n: skipped.get(n, _NOT_OF_RUN) for n in range(len(scan.paths)) if n not in sides}
    left = replace(without(scan, others), skipped=scan.skipped) if len(kept) else scan
    train = np.array([number for number in kept if sides[int(number)] == "train"], np.int64)
    val = np.array([number for number in kept if sides[int(number)] == "val"], np.int64)
    if left.classes != listing.classes or not len(train) or not len(val):
        raise InputError("classes_changed", **changes.fields())
    return Prepared(left, store, _labels(scan, left, kept), train, val, skipped, [], _digests(reads))


_NOT_OF_RUN = CatDogError("not_of_run")  # a photo that came after the run began: left alone


def _labels(scan: Scan, left: Scan, kept: Array) -> Array:
    """The class number of each photo of the first scan; -1 for those that are not kept."""
    labels = np.full(len(scan.paths), -1, np.int64)
    labels[kept] = np.asarray(left.labels, np.int64)
    return labels


def _digests(reads: list[Read]) -> dict[int, bytes]:
    return {read.number: read.digest for read in reads if read.digest is not None}


def photo_lines(first: Scan, prepared: Prepared) -> Iterator[dict[str, FieldValue]]:
    """The lines of photos.jsonl: every photo with its class and side, every file left out with the reason."""
    sides = {int(n): "train" for n in prepared.train} | {int(n): "val" for n in prepared.val}
    for number, path in enumerate(first.paths):
        error = prepared.skipped.get(number)
        shown = printable(path)
        if error is not None:
            yield {"path": shown, "skipped": error.code, "reason": str(error)}
        elif prepared.labels[number] < 0:
            continue  # it came after the run began
        else:
            label = int(prepared.labels[number])
            digest = prepared.digests.get(number, b"").hex()
            yield {"path": shown, "label": prepared.scan.classes[label], "side": sides.get(number), "digest": digest}
    for file in first.skipped:
        yield {"path": file.path, "skipped": file.code}
