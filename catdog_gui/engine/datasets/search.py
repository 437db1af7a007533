"""From what was dropped or named to photos: files as they are, folders searched, each photo once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from catdog_gui.engine.datasets.walk import SkippedFile, Walk
from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.photos.names import printable

_NOT_SAID = frozenset({"not_a_photo_name", "linked_again", "not_regular_file"})


def find_photos(
    sources: Iterable[Any],
    should_stop: Callable[[], bool] = lambda: False,
    on_skipped: Callable[[SkippedFile], None] | None = None,
) -> Iterator[Any]:
    """The sources in order, each folder replaced by the photos in it and below (not hidden ones, links followed once).

    What is no path (bytes, arrays, images) passes through; a path that is given or found twice comes once.
    on_skipped hears of folders that cannot be opened and of photos that are not really here (absolute paths); without
    it a source that cannot be opened raises PhotoError folder_unreadable. Raises Stopped while searching.
    """
    seen: set[str] = set()
    for source in sources:
        if not isinstance(source, str | Path):
            yield source
            continue
        path = Path(source)
        found = _in_folder(path, should_stop, on_skipped) if _is_folder(path) else [path]
        for photo in found:
            key = str(photo.absolute())
            if key not in seen:
                seen.add(key)
                yield photo


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long, a link in a circle: the answer to the photo says so
        return False


def _in_folder(
    folder: Path, should_stop: Callable[[], bool], on_skipped: Callable[[SkippedFile], None] | None
) -> Iterator[Path]:
    try:
        top = Walk(folder, should_stop=should_stop).run()
    except OSError as error:
        if on_skipped is None:
            raise PhotoError("folder_unreadable") from error
        code = "folder_forbidden" if isinstance(error, PermissionError) else "folder_unreadable"
        on_skipped(SkippedFile(printable(str(folder)), code))
        return
    for inner in top.below():
        for item in inner.others:
            if on_skipped is not None and item.code not in _NOT_SAID:
                on_skipped(SkippedFile(printable(str(folder / item.path)), item.code, item.fields))
        for name in inner.photos:
            yield folder / inner.path / name
