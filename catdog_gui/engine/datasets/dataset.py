"""A folder -> Scan: classes, photos, what is left out and why, what to know before training. Neither torch nor pixels.

The quick scan reads names only. Everything that needs the files' content is in `deep` and `findings_from_digests`.
The folder is never written to.
"""

import os
import zipfile
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path

from catdog_gui.engine.datasets.deep import check_deep
from catdog_gui.engine.datasets.layout import TO_SPLIT, TRAIN, VAL, Layout, Plan, Side, is_train_name, plan, unwrap
from catdog_gui.engine.datasets.scan_result import Finding, Offer, Scan, judge, listed, named, without
from catdog_gui.engine.datasets.split import Split, findings_from_digests, split
from catdog_gui.engine.datasets.walk import Folder, SkippedFile, Walk, join
from catdog_gui.engine.errors import FieldValue, InputError, Stopped
from catdog_gui.engine.photos.names import (
    ARCHIVE_ENDINGS,
    class_order,
    ending,
    folded,
    is_hidden,
    is_photo_name,
    printable,
)

__all__ = [
    "TO_SPLIT",
    "TRAIN",
    "VAL",
    "Finding",
    "Layout",
    "Offer",
    "Scan",
    "SkippedFile",
    "Split",
    "check_deep",
    "findings_from_digests",
    "printable",
    "scan",
    "split",
    "without",
]


def scan(
    folder: Path,
    *,
    val: Path | None = None,
    use_split: bool = True,
    should_stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] | None = None,
) -> Scan:
    """Quick: reads names, no content. val: a separate folder with the photos to check with, one sub-folder a class.

    use_split=False: train and validation folders are merged and split anew. progress: gets the files seen so far.
    Raises Stopped and InputError: folder_missing, not_a_folder, archive_given, folder_forbidden, folder_unreadable.
    """
    root = Path(os.path.abspath(folder))  # noqa: PTH100 -- resolve() would lose the name the user knows
    top = _walk(root, without=val, should_stop=should_stop, progress=progress)
    arranged = plan(top)
    if val is not None:
        check_root = Path(os.path.abspath(val))  # noqa: PTH100
        check = _walk(check_root, should_stop=should_stop, progress=progress)
        return _with_check_folder(root, arranged, check_root, check)
    return _collected(root, top, arranged, use_split=use_split) or _refused(root, top, arranged)


def _collected(root: Path, top: Folder, arranged: Plan, *, use_split: bool) -> Scan | None:
    """The photos by class; None for a layout that has no classes as it is."""
    if arranged.layout == "train_val":
        return _train_val(root, arranged, use_split=use_split)
    if arranged.layout not in ("class_folders", "one_class"):
        return None
    columns = _Columns(root, arranged.layout)
    columns.add_classes(arranged.bases[0][0], TO_SPLIT)
    columns.skip_loose(top)
    return columns.finish()


class _Columns:
    """Collects the columns of a Scan, class by class."""

    def __init__(self, root: Path, layout: Layout) -> None:
        self._root = root
        self._layout: Layout = layout
        self._rows: dict[str, list[tuple[str, int]]] = {}  # class -> (path, side)
        self._empty: list[str] = []
        self.skipped: list[SkippedFile] = []
        self.warnings: list[Finding] = []

    @property
    def classes(self) -> list[str]:
        return sorted(self._rows, key=class_order)

    def has(self, side: Side) -> set[str]:
        return {name for name, rows in self._rows.items() if any(row[1] == side for row in rows)}

    def add_classes(self, base: Folder, side: Side) -> None:
        """Every sub-folder of `base` is a class."""
        for child in sorted(base.children, key=lambda item: class_order(item.name)):
            self.add_class(printable(child.name), child, side)

    def add_class(self, name: str, folder: Folder, side: Side, within: Path | None = None) -> None:
        """All photos in and below `folder`. within: the root of `folder`'s paths where that is not the dataset."""
        prefix = f"{within.as_posix().rstrip('/')}/" if within else ""
        if folder.total:
            self._rows.setdefault(name, []).extend(
                (prefix + join(part.path, photo), side) for part in folder.below() for photo in part.photos
            )
        elif name not in self._rows:
            self._empty.append(name)
        self.skipped.extend(item for part in folder.below() for item in part.others)

    def skip_loose(self, base: Folder) -> None:
        """Photos beside the class folders belong to no class."""
        self.skipped.extend(SkippedFile(printable(join(base.path, name)), "loose_photo") for name in base.photos)
        named_like_photos = (item for item in base.others if item.code != "not_a_photo_name")
        self.skipped.extend(named_like_photos)

    def skip_folder(self, folder: Folder, code: str) -> None:
        self.skipped.append(SkippedFile(printable(folder.path), code, {"count": folder.total}))

    def finish(self) -> Scan:
        classes = self.classes
        empty = [name for name in self._empty if name not in self._rows]
        if empty:
            self.warnings.append(named("empty_class", sorted(empty, key=class_order)))
        rows = [(path, label, side) for label, name in enumerate(classes) for path, side in self._rows[name]]
        result = Scan(
            self._root,
            self._layout,
            tuple(classes),
            [row[0] for row in rows],
            array("i", (row[1] for row in rows)),
            bytearray(row[2] for row in rows),
            tuple(self.skipped),
            tuple(self.warnings),
        )
        return judge(result)


def _walk(
    root: Path,
    *,
    without: Path | None = None,
    should_stop: Callable[[], bool],
    progress: Callable[[int], None] | None,
) -> Folder:
    _check_is_folder(root)
    shown = printable(str(root))
    try:
        return Walk(root, without=without, should_stop=should_stop, progress=progress).run()
    except PermissionError as error:
        raise InputError("data_forbidden", path=shown) from error
    except OSError as error:
        raise InputError("data_unreadable", path=shown, detail=error.strerror or str(error)) from error


def _check_is_folder(root: Path) -> None:
    shown = printable(str(root))
    try:
        if root.is_dir():
            return
        if root.is_file():
            archive = ending(root.name) in ARCHIVE_ENDINGS or zipfile.is_zipfile(root)
            raise InputError("archive_given" if archive else "not_a_folder", path=shown)
    except OSError as error:
        raise InputError("data_unreadable", path=shown, detail=error.strerror or str(error)) from error
    raise InputError("not_a_folder" if root.exists() else "folder_missing", path=shown)


def _train_val(root: Path, arranged: Plan, *, use_split: bool) -> Scan:
    columns = _Columns(root, "train_val")
    for base, side in arranged.bases:
        if side == TRAIN:
            columns.add_classes(base, TRAIN if use_split else TO_SPLIT)
    known = {name: name for name in columns.classes}
    for base, side in arranged.bases:
        if side == VAL:
            _add_check(columns, base, known, VAL if use_split else TO_SPLIT)
        columns.skip_loose(base)
    for folder in arranged.unused:
        columns.skip_folder(folder, "folder_not_used")
    if use_split:
        names = [[base.path for base, side in arranged.bases if side == wanted] for wanted in (TRAIN, VAL)]
        fields: dict[str, FieldValue] = {"train": listed(names[0]), "val": listed(names[1])}
        columns.warnings.insert(0, Finding("train_val_layout", fields))
        _report_missing(columns)
    return columns.finish()


def _with_check_folder(root: Path, arranged: Plan, check_root: Path, check: Folder) -> Scan:
    """A dataset and a separate folder to check with."""
    bases = [base for base, side in arranged.bases if side in (TO_SPLIT, TRAIN)]
    unused = [*arranged.unused, *(base for base, side in arranged.bases if side == VAL)]
    if arranged.layout == "wrapped" and arranged.inner is not None and is_train_name(arranged.inner.name):
        bases = [arranged.inner]
    if not bases:
        return _refused(root, Folder(""), arranged)
    columns = _Columns(root, "train_val")
    for base in bases:
        columns.add_classes(base, TRAIN)
        columns.skip_loose(base)
    known = {name: name for name in columns.classes}
    _add_check(columns, unwrap(check), known, VAL, check_root)
    for folder in unused:
        columns.skip_folder(folder, "folder_not_used")
    if not columns.has(VAL):
        raise InputError("val_without_classes", path=printable(str(check_root)))
    _report_missing(columns)
    return columns.finish()


def _add_check(
    columns: _Columns, base: Folder, known: Mapping[str, str], side: Side, within: Path | None = None
) -> None:
    """The check side's photos by class name of the training side; classes that only it has are left out."""
    alike: dict[str, list[str]] = {}
    for name in known:
        alike.setdefault(folded(name), []).append(name)
    extra = []
    for child in base.children:
        name = printable(child.name)
        same = [name] if name in known else alike.get(folded(name), [])
        if len(same) == 1:
            columns.add_class(same[0], child, side, within)
        elif child.total:
            extra.append(name)
            columns.skip_folder(child, "class_only_in_val")
    if extra:
        columns.warnings.append(named("val_class_extra", sorted(extra, key=class_order)))


def _report_missing(columns: _Columns) -> None:
    missing = columns.has(TRAIN) - columns.has(VAL)
    if missing:
        columns.warnings.append(named("val_class_missing", sorted(missing, key=class_order)))


def _refused(root: Path, top: Folder, arranged: Plan) -> Scan:
    """Layouts that are no dataset as they are; with an offer where a better folder is at hand."""
    if arranged.layout == "wrapped" and arranged.inner is not None:
        inner = root / arranged.inner.path
        fields: dict[str, FieldValue] = {"name": printable(arranged.inner.name), "path": printable(str(inner))}
        return Scan(
            root, "wrapped", offers=(Offer("use_inner_folder", inner),), reason=Finding("wrapper_folder", fields)
        )
    if arranged.layout == "flat":
        parent = root.parent
        better = parent != root and _has_photos_beside(root) and _can_be_learned_from(parent)
        code = "class_folder_picked" if better else "no_class_folders"
        offers = (Offer("use_parent_folder", parent),) if better else ()
        reason = Finding(code, {"count": top.total, "parent": printable(str(parent))})
        return Scan(root, "flat", offers=offers, reason=reason, skipped=tuple(top.others))
    skipped = tuple(item for part in top.below() for item in part.others if item.code != "not_a_photo_name")
    return Scan(root, "empty", skipped=skipped, reason=Finding("no_photos"))


def _can_be_learned_from(folder: Path, most: int = 5000) -> bool:
    """Whether `folder` is a dataset or holds one; taken for one where looking at all its files would take long."""
    seen = 0

    def note(files: int) -> None:
        nonlocal seen
        seen = files

    try:
        top = _walk(folder, should_stop=lambda: seen > most, progress=note)
    except Stopped:
        return True
    except InputError:
        return False
    arranged = plan(top)
    found = _collected(folder, top, arranged, use_split=True)
    return arranged.layout == "wrapped" if found is None else found.trainable


def _has_photos_beside(root: Path, most: int = 5000) -> bool:
    """Whether a neighbour folder holds photos, in it or one level below. Looks at no more than `most` entries."""
    waiting = [(root.parent, 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    most -= 1
                    if most < 0:
                        return False
                    if is_hidden(entry.name) or entry.path == str(root):
                        continue
                    if depth and is_photo_name(entry.name):
                        return True
                    if depth < 3 and entry.is_dir(follow_symlinks=False):
                        waiting.append((Path(entry.path), depth + 1))
        except OSError:
            continue
    return False
