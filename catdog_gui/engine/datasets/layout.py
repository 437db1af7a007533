"""What kind of dataset a folder tree is: which folders are the classes, and which side of the split they are on."""

import re
from dataclasses import dataclass
from typing import Literal

from catdog_gui.engine.datasets.walk import Folder
from catdog_gui.engine.photos.names import folded

Layout = Literal["class_folders", "train_val", "wrapped", "flat", "one_class", "empty"]
Side = Literal[0, 1, 2]  # still to be split, train, val
TO_SPLIT: Literal[0] = 0
TRAIN: Literal[1] = 1
VAL: Literal[2] = 2

_TRAIN = frozenset({"train", "training", "trn", "tr"})
_VAL = frozenset({"val", "valid", "validate", "validation", "dev", "eval", "evaluation", "holdout"})
_TEST = frozenset({"test", "testing", "tst"})  # is the check side where there is no other
_FILLER = re.compile(r"(set|data|dataset|images|imgs|photos|pictures|folder|split)$")


@dataclass(frozen=True, slots=True)
class Plan:
    """bases: folders whose sub-folders are the classes, with their side. unused: folders with photos that are not used.

    inner: the folder to offer instead, for `wrapped`.
    """

    layout: Layout
    bases: tuple[tuple[Folder, Side], ...] = ()
    unused: tuple[Folder, ...] = ()
    inner: Folder | None = None


def plan(top: Folder) -> Plan:
    """Judge a tree by its folders' names and where its photos lie."""
    if top.total == 0:
        return Plan("empty")
    found = _split_folders(top)
    if found is not None:
        return found
    inside = _with_photos(top)
    if len(top.photos) > top.total - len(top.photos):
        return Plan("flat")
    if len(inside) >= 2:
        return _train_only(inside) or Plan("class_folders", ((top, TO_SPLIT),))
    inner = unwrap(inside[0]) if inside else top
    if inside and _holds_classes(inner):
        return Plan("wrapped", inner=inner)
    return Plan("one_class", ((top, TO_SPLIT),))


def is_train_name(name: str) -> bool:
    return _kind(name) == "train"


def unwrap(folder: Folder) -> Folder:
    """Through folders that hold nothing but one more folder, down to the one with the classes; else `folder` itself."""
    inner = folder
    while not _holds_classes(inner):
        inside = _with_photos(inner)
        if inner.photos or len(inside) != 1:
            return folder
        inner = inside[0]
    return inner


def _holds_classes(folder: Folder) -> bool:
    return len(_with_photos(folder)) >= 2 and len(folder.photos) <= folder.total - len(folder.photos)


def _with_photos(folder: Folder) -> list[Folder]:
    return [child for child in folder.children if child.total]


def _kind(name: str) -> str:
    word = re.sub(r"[^a-z]", "", folded(name))
    for candidate in (word, _FILLER.sub("", word)):
        for kind, names in (("train", _TRAIN), ("val", _VAL), ("test", _TEST)):
            if candidate in names:
                return kind
    return ""


def _split_folders(top: Folder) -> Plan | None:
    """train and val folders side by side, each with class folders in it."""
    kinds: dict[str, list[Folder]] = {"train": [], "val": [], "test": []}
    for child in top.children:
        kind = _kind(child.name)
        if kind and (child.total > len(child.photos) or not child.total):
            kinds[kind].append(child)
    train = [child for child in kinds["train"] if child.total]
    check = [child for child in kinds["val"] if child.total] or [child for child in kinds["test"] if child.total]
    if not train or not check:
        return None
    sides: list[tuple[Folder, Side]] = [(unwrap(child), TRAIN) for child in train]
    sides += [(unwrap(child), VAL) for child in check]
    used = {child.path for child in (*train, *check)}
    unused = tuple(child for child in _with_photos(top) if child.path not in used)
    return Plan("train_val", tuple(sides), unused)


def _train_only(inside: list[Folder]) -> Plan | None:
    """A train folder with class folders in it, beside other folders: the classes are those inside it."""
    train = [child for child in inside if _kind(child.name) == "train" and _holds_classes(unwrap(child))]
    return Plan("wrapped", inner=unwrap(train[0])) if len(train) == 1 else None
