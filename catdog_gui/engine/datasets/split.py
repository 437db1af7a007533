"""Which photos are learned from and which are checked with: seeded, stratified, copies always on one side."""

import hashlib
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from catdog_gui.engine.datasets.copies import groups, joined, near_pairs, stack
from catdog_gui.engine.datasets.layout import TRAIN, VAL
from catdog_gui.engine.datasets.scan_result import Finding, Scan, named
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.photos.names import printable

Digests = Sequence[bytes | None]  # one a photo; None: not known
Prints = Sequence[npt.NDArray[np.uint8] | None]  # `copies.fingerprint` of each photo; None: not known


@dataclass(frozen=True, slots=True)
class Split:
    """Indices into the scan's photos, ascending. findings: decisions that `findings_from_digests` does not tell."""

    train: "array[int]"
    val: "array[int]"
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kin:
    """Which photos are copies. pairs: re-saved copies (not exact ones); conflicting: photos that carry two labels."""

    same: list[list[int]]
    pairs: list[tuple[int, int]]
    conflicting: set[int]


def split(found: Scan, digests: Digests, *, fraction: float, seed: int, prints: Prints | None = None) -> Split:
    """Divide the photos; a function of seed, content (the path where there is no digest) and class, not of file order.

    fraction: share for checking, 0..1, of each class; at least one photo a class on either side. Exact copies and, with
    `prints`, re-saved ones stay on one side. A photo that carries two labels is on neither side. Sides that the folders
    give are kept, less the check photos that are copies of training photos; when that leaves none, all are split anew.
    Raises InputError (too_few_different_photos).
    """
    kin = _kin(found, digests, prints)
    if VAL not in found.sides:
        return _drawn(found, digests, kin, fraction, seed)
    exact, near = _copies_in_val(found, kin)
    left_out = kin.conflicting | exact.keys() | near.keys()
    train = [at for at, side in enumerate(found.sides) if side == TRAIN and at not in kin.conflicting]
    val = [at for at, side in enumerate(found.sides) if side == VAL and at not in left_out]
    if not val:
        drawn = _drawn(found, digests, kin, fraction, seed)
        return Split(drawn.train, drawn.val, (Finding("val_all_copies"),))
    for label, name in enumerate(found.classes):
        if not any(found.labels[at] == label for at in train):
            raise InputError("too_few_different_photos", name=name)
    checked = {found.labels[at] for at in val}
    before = {label for label, side in zip(found.labels, found.sides, strict=True) if side == VAL}
    lost = [found.classes[label] for label in sorted(before - checked)]
    return Split(array("i", train), array("i", val), (named("val_class_missing", lost),) if lost else ())


def findings_from_digests(found: Scan, digests: Digests, prints: Prints | None = None) -> list[Finding]:
    """What copies among the photos mean.

    Codes: duplicates, near_copies, same_photo_two_classes, copies_across_split, near_copies_across_split.
    """
    kin = _kin(found, digests, prints)
    findings = []
    twice = [group for group in kin.same if group[0] in kin.conflicting]
    if twice:
        one, other = twice[0][0], next(at for at in twice[0] if found.labels[at] != found.labels[twice[0][0]])
        fields = {"path": _shown(found, one), "other": _shown(found, other)}
        findings.append(Finding("same_photo_two_classes", {"count": len(twice), **fields}))
    exact, near = _copies_in_val(found, kin)
    told = kin.conflicting | exact.keys()
    extra = sum(max(0, len(set(group) - told) - 1) for group in kin.same)
    if extra:
        findings.append(Finding("duplicates", {"count": extra}))
    for code, copies in (("copies_across_split", exact), ("near_copies_across_split", near)):
        if copies:
            findings.append(Finding(code, {"count": len(copies), "path": _shown(found, min(copies))}))
    resaved = {max(pair) for pair in kin.pairs} - near.keys()
    if resaved:
        findings.append(Finding("near_copies", {"count": len(resaved), "path": _shown(found, min(resaved))}))
    return findings


def _kin(found: Scan, digests: Digests, prints: Prints | None) -> _Kin:
    same = [group for group in groups(digests).values() if len(group) > 1]
    conflicting = {at for group in same if len({found.labels[at] for at in group}) > 1 for at in group}
    if prints is None:
        return _Kin(same, [], conflicting)
    # One photo of each set of exact copies stands for all.
    later = {at for group in same for at in group[1:]}
    rows, known = stack([None if at in later else row for at, row in enumerate(prints)])
    return _Kin(same, [(known[one], known[other]) for one, other in near_pairs(rows)], conflicting)


def _copies_in_val(found: Scan, kin: _Kin) -> tuple[dict[int, int], dict[int, int]]:
    """Check photos that are copies of training photos (-> one of these): exact ones, and re-saved ones."""
    exact, near = {}, {}
    for group in kin.same:
        train = [at for at in group if found.sides[at] == TRAIN and at not in kin.conflicting]
        if train:
            exact.update({at: train[0] for at in group if found.sides[at] == VAL})
    first = {at: group[0] for group in kin.same for at in group}
    members = {group[0]: group for group in kin.same}
    for one, other in kin.pairs:
        both = [members.get(first.get(at, at), [at]) for at in (one, other)]
        for here, there in (both, both[::-1]):
            train = [at for at in here if found.sides[at] == TRAIN]
            if train:
                near.update({at: train[0] for at in there if found.sides[at] == VAL and at not in exact})
    near = {at: origin for at, origin in near.items() if at not in kin.conflicting}
    # Pictures so alike that most would count as copies (drawings, frames of one film) are what the dataset is about.
    return (exact, {}) if 2 * len(near) > found.sides.count(VAL) else (exact, near)


def _drawn(found: Scan, digests: Digests, kin: _Kin, fraction: float, seed: int) -> Split:
    """A seeded split of all photos, class by class, by whole groups of copies."""
    exact = joined(len(found.paths), ((group[0], at) for group in kin.same for at in group[1:]))
    pairs = [pair for pair in kin.pairs if found.labels[pair[0]] == found.labels[pair[1]]]
    alike = joined(len(found.paths), [*((exact[at], at) for at in range(len(exact))), *pairs])
    members: dict[int, list[int]] = defaultdict(list)
    for at, label in enumerate(found.labels):
        if at not in kin.conflicting:
            members[label].append(at)
    val: list[int] = []
    for label, name in enumerate(found.classes):
        photos = members[label]
        units = _units(photos, alike)
        if max(map(len, units), default=0) > len(photos) // 2:
            units = _units(photos, exact)
        if len(units) < 2:
            raise InputError("too_few_different_photos", name=name)
        val.extend(_take(_shuffled(found, digests, units, seed), max(1, round(fraction * len(photos)))))
    chosen = set(val)
    train = (at for photos in members.values() for at in photos if at not in chosen)
    return Split(array("i", sorted(train)), array("i", sorted(val)))


def _units(photos: Sequence[int], group_of: Sequence[int]) -> list[list[int]]:
    units: dict[int, list[int]] = defaultdict(list)
    for at in photos:
        units[group_of[at]].append(at)
    return list(units.values())


def _shuffled(found: Scan, digests: Digests, units: list[list[int]], seed: int) -> list[list[int]]:
    def key(at: int) -> bytes:
        return digests[at] or found.paths[at].encode("utf-8", "surrogatepass")

    def place(unit: list[int]) -> bytes:
        return hashlib.blake2b(min(key(at) for at in unit), digest_size=16, key=str(seed).encode()).digest()

    return sorted(units, key=place)


def _take(units: list[list[int]], target: int) -> list[int]:
    """Photos of whole groups, up to `target` of them; at least one group, and never all."""
    taken: list[int] = []
    left = len(units)
    for unit in units:
        if left > 1 and len(taken) + len(unit) <= target:
            taken.extend(unit)
            left -= 1
    return taken or min(units, key=lambda unit: len(unit))


def _shown(found: Scan, index: int) -> str:
    return printable(found.paths[index])
