"""The photos of a run that goes on (`photos.jsonl`), and what became of them since."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.errors import FieldValue, InputError
from catdog_gui.engine.messages import PARTS, sentence, spelt
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.runs import runlog

Policy = Literal["ask", "keep"]  # about photos that changed: refuse with the list, or go on with those of the run
_NAMED = 5  # examples in a message


@dataclass(frozen=True, slots=True)
class Listed:
    """One photo of the run. side: train, val, or None (on neither)."""

    label: str
    side: str | None
    digest: bytes | None


@dataclass(frozen=True, slots=True)
class Listing:
    """photos: by shown path; left_out: shown paths of files that could not be used; classes: the run's, in order."""

    photos: Mapping[str, Listed]
    left_out: frozenset[str]
    classes: tuple[str, ...]
    policy: Policy = "ask"


@dataclass(slots=True)
class Changes:
    """Shown paths. renamed: (old, new); moved: to another class's folder; other: the content is another."""

    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.renamed or self.moved or self.other)

    def fields(self) -> dict[str, FieldValue]:
        """Counts, and the first few by name."""
        renamed = [f"{old} → {new}" for old, new in self.renamed]
        names = [*self.gone, *self.new, *renamed, *self.moved, *self.other]
        shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        counts: dict[str, FieldValue] = {
            f"count_{part}": count for part in PARTS if (count := len(getattr(self, part)))
        }
        return spelt({"names": shown, "count": len(names), **counts}, sentence)


def read(run: Path, classes: tuple[str, ...], policy: Policy) -> Listing:
    """The run's photos. Raises InputError photos_list_damaged where the file is gone or cannot be read."""
    photos: dict[str, Listed] = {}
    left_out: set[str] = set()
    try:
        with (run / runlog.PHOTOS).open(encoding="utf-8") as file:
            for line in file:
                values = json.loads(line)
                if "skipped" in values:
                    left_out.add(values["path"])
                elif "path" in values:
                    digest = values.get("digest")
                    photos[values["path"]] = Listed(
                        str(values["label"]), values.get("side"), bytes.fromhex(digest) if digest else None
                    )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("photos_list_damaged", run=str(run)) from error
    if not photos:
        raise InputError("photos_list_damaged", run=str(run))
    return Listing(photos, frozenset(left_out), classes, policy)


def compare(
    listing: Listing, found: Scan, digests: Mapping[int, bytes | None]
) -> tuple[Changes, dict[int, str | None]]:
    """What changed, and the side of each photo that the run goes on with.

    digests: content by photo of `found`; a photo that is missing there cannot be read now.
    """
    changes, sides = Changes(), dict[int, str | None]()
    unknown: list[int] = []
    seen: set[str] = set()
    for number, path in enumerate(found.paths):
        if number not in digests:
            continue
        name, label = printable(path), found.classes[found.labels[number]]
        known = listing.photos.get(name)
        if known is None or known.label != label:
            unknown.append(number)
            continue
        seen.add(name)
        if None not in (known.digest, digests[number]) and known.digest != digests[number]:
            changes.other.append(name)
        sides[number] = known.side
    missing = [name for name in listing.photos if name not in seen]
    _match(listing, found, digests, unknown, missing, changes, sides)
    return changes, sides


def _match(
    listing: Listing,
    found: Scan,
    digests: Mapping[int, bytes | None],
    unknown: Sequence[int],
    missing: Sequence[str],
    changes: Changes,
    sides: dict[int, str | None],
) -> None:
    """Tell renamed photos from new and gone ones, by their content."""
    by_content: dict[bytes, str] = {}
    for name in missing:
        digest = listing.photos[name].digest
        if digest is not None:
            by_content.setdefault(digest, name)
    explained: set[str] = set()
    for number in unknown:
        name, label = printable(found.paths[number]), found.classes[found.labels[number]]
        old = by_content.get(digests[number] or b"")
        if old is None or old in explained:
            if name not in listing.left_out:
                changes.new.append(name)
            continue
        explained.add(old)
        if listing.photos[old].label == label:
            changes.renamed.append((old, name))
            sides[number] = listing.photos[old].side
        else:
            changes.moved.append(name)
    changes.gone.extend(name for name in missing if name not in explained)
