"""Where a file dialog starts: where one of its kind was used last, at first in the user's home folder."""

from collections.abc import Callable, Mapping
from pathlib import Path

PHOTOS, FOLDER, MODEL = "photos", "folder", "model"


class Places:
    """last: kind -> folder. keep: told of every change, to remember it for the next start."""

    def __init__(
        self, last: Mapping[str, str] | None = None, keep: Callable[[dict[str, str]], None] | None = None
    ) -> None:
        self._last = dict(last or {})
        self._keep = keep

    def start(self, kind: str, name: str = "") -> str:
        """The folder to begin in, with a proposed file name in it where there is one."""
        last = self._last.get(kind)
        folder = Path(last) if last and Path(last).is_dir() else Path.home()
        return str(folder / name)

    def used(self, kind: str, folder: Path) -> None:
        """A dialog of that kind ended in this folder."""
        if self._last.get(kind) != str(folder):
            self._last[kind] = str(folder)
            if self._keep is not None:
                self._keep(dict(self._last))
