"""From what was dropped or named to photos: files as they are, folders searched, each photo once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.scan_walk import Walk


def find_photos(sources: Iterable[Any], should_stop: Callable[[], bool] = lambda: False) -> Iterator[Any]:
    """The sources in order, each folder replaced by the photos in it and below (not hidden ones, links followed once).

    What is no path (bytes, arrays, images) passes through; a path that is given or found twice comes once.
    Raises Stopped while searching, PhotoError folder_unreadable.
    """
    seen: set[str] = set()
    for source in sources:
        if not isinstance(source, str | Path):
            yield source
            continue
        path = Path(source)
        found = _in_folder(path, should_stop) if _is_folder(path) else [path]
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


def _in_folder(folder: Path, should_stop: Callable[[], bool]) -> Iterator[Path]:
    try:
        top = Walk(folder, should_stop=should_stop).run()
    except OSError as error:
        raise PhotoError("folder_unreadable") from error
    for inner in top.below():
        for name in inner.photos:
            yield folder / inner.path / name
