"""What a scan found, as columns, and what follows from classes and counts."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from catdog_gui.engine.datasets.layout import TRAIN, VAL, Layout
from catdog_gui.engine.datasets.walk import SkippedFile
from catdog_gui.engine.errors import CatDogError, FieldValue, InputError
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.photos.names import folded, printable

LEAST_PHOTOS = 4  # a class: fewer cannot be split and checked
FEW_PHOTOS = 20  # a class: fewer are warned about
IMBALANCE = 5  # times
_NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to know about the dataset; the sentence is in `messages.data`."""

    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """A folder that would do better than the one that was chosen."""

    code: Literal["use_inner_folder", "use_parent_folder"]
    path: Path


@dataclass(frozen=True, slots=True)
class Scan:
    """What is in a folder. Columns, one entry a photo, in a fixed order (class, then path).

    classes: sorted, as shown (valid Unicode); paths: as the file system has them, relative to root with "/" between the
    parts, absolute for photos of a separate check folder; labels: position in classes; sides: TO_SPLIT, TRAIN or VAL.
    reason: why it cannot be trained on, None when it can.
    """

    root: Path
    layout: Layout
    classes: tuple[str, ...] = ()
    paths: list[str] = field(default_factory=list)
    labels: "array[int]" = field(default_factory=lambda: array("i"))
    sides: bytearray = field(default_factory=bytearray)
    skipped: tuple[SkippedFile, ...] = ()
    warnings: tuple[Finding, ...] = ()
    offers: tuple[Offer, ...] = ()
    reason: Finding | None = None

    @property
    def trainable(self) -> bool:
        return self.reason is None

    @property
    def counts(self) -> dict[str, int]:
        """Photos a class."""
        found = Counter(self.labels)
        return {name: found[label] for label, name in enumerate(self.classes)}

    def path(self, index: int) -> Path:
        return self.root / self.paths[index]

    def refuse(self) -> None:
        """Raises InputError with the reason when it cannot be trained on; fields `offer` holds the better folder."""
        if self.reason is not None:
            offer = printable(str(self.offers[0].path)) if self.offers else None
            raise InputError(self.reason.code, **{**self.reason.fields, "offer": offer})

    def to_json(self) -> dict[str, Any]:
        """The scan result of the contract, without type and version. Valid Unicode throughout."""
        reason = self.reason
        return {
            "trainable": self.trainable,
            "reason": sentence(reason.code, reason.fields) if reason else None,
            "reason_code": reason.code if reason else None,
            "layout": self.layout,
            "classes": self.counts,
            "skipped": [
                {
                    "path": item.path,
                    "code": item.code,
                    "reason": sentence(item.code, item.fields),
                    "fields": item.fields,
                }
                for item in self.skipped
            ],
            "warnings": [
                {"code": item.code, "message": sentence(item.code, item.fields), "fields": item.fields}
                for item in self.warnings
            ],
            "offers": [{"code": item.code, "path": printable(str(item.path))} for item in self.offers],
        }


def without(found: Scan, skipped: Mapping[int, CatDogError]) -> Scan:
    """The scan less photos that turned out unusable (index -> reason): counts, classes and reason are judged anew.

    The photos that stay keep their order: photo i of the result is the i-th index that is not in `skipped`.
    """
    if not skipped:
        return found
    keep = [index for index in range(len(found.paths)) if index not in skipped]
    left = Counter(found.labels[index] for index in keep)
    labels = [label for label in range(len(found.classes)) if left[label]]
    renumbered = {label: new for new, label in enumerate(labels)}
    lost = [name for label, name in enumerate(found.classes) if not left[label]]
    unusable = [
        SkippedFile(printable(found.paths[at]), error.code, dict(error.fields)) for at, error in sorted(skipped.items())
    ]
    warnings = [item for item in found.warnings if item.code not in _JUDGED]
    if lost and keep:
        warnings.append(named("class_unreadable", lost))
    result = replace(
        found,
        classes=tuple(found.classes[label] for label in labels),
        paths=[found.paths[index] for index in keep],
        labels=array("i", (renumbered[found.labels[index]] for index in keep)),
        sides=bytearray(found.sides[index] for index in keep),
        skipped=(*found.skipped, *unusable),
        warnings=tuple(warnings),
    )
    if not found.trainable and found.layout not in ("class_folders", "train_val"):
        return result
    judged = judge(result)
    if judged.reason is not None and lost and {error.code for error in skipped.values()} == {"heic_unsupported"}:
        return replace(judged, reason=Finding("heic_only", {"count": len(skipped)}))
    return judged if keep else replace(judged, reason=Finding("no_readable_photo", {"count": len(skipped)}))


_JUDGED = frozenset({"few_photos", "imbalanced", "classes_alike"})


def judge(found: Scan) -> Scan:
    """Add the reason and the warnings that follow from classes and counts."""
    counts = found.counts
    warnings = list(found.warnings)
    if len(counts) < 2:
        name = next(iter(counts), None)
        refusal = Finding("no_photos") if name is None else Finding("too_few_classes", {"name": name})
        layout: Layout = "one_class" if found.layout == "class_folders" else found.layout
        return replace(found, layout=layout, reason=refusal)
    smallest, largest = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    reason = _too_few(found, counts)
    few = [name for name in counts if counts[name] < FEW_PHOTOS]
    if few and reason is None:
        warnings.append(Finding("few_photos", {"count": len(few), "name": smallest, "photos": counts[smallest]}))
    if counts[largest] >= IMBALANCE * counts[smallest]:
        share = round(100 * counts[largest] / sum(counts.values()))
        fields: dict[str, FieldValue] = {"name": largest, "photos": counts[largest], "percent": share}
        warnings.append(Finding("imbalanced", {**fields, "other": smallest, "other_photos": counts[smallest]}))
    alike = _alike(counts)
    if alike:
        warnings.append(named("classes_alike", alike))
    return replace(found, warnings=tuple(warnings), reason=reason)


def _too_few(found: Scan, counts: Mapping[str, int]) -> Finding | None:
    smallest = min(counts, key=counts.__getitem__)
    if counts[smallest] < LEAST_PHOTOS:
        return Finding("too_few_photos", {"name": smallest, "count": counts[smallest], "least": LEAST_PHOTOS})
    if VAL in found.sides:  # a class may have lost all its training photos
        trained = {label for label, side in zip(found.labels, found.sides, strict=True) if side == TRAIN}
        untrained = [name for label, name in enumerate(found.classes) if label not in trained]
        if untrained:
            return Finding("no_training_photos", {"name": untrained[0]})
    return None


def _alike(names: Iterable[str]) -> list[str]:
    """Names that differ only in case or in how accents are stored."""
    often = Counter(folded(name) for name in names)
    return [name for name in names if often[folded(name)] > 1]


def named(code: str, names: list[str]) -> Finding:
    return Finding(code, {"count": len(names), "names": listed(names)})


def listed(names: list[str]) -> str:
    shown = ", ".join(f"“{printable(name)}”" for name in names[:_NAMES_SHOWN])
    return f"{shown}, ..." if len(names) > _NAMES_SHOWN else shown
