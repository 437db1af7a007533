"""A folder tree as columns: which folder holds which photos. Reads names only; every real folder once, links safe."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from catdog_gui.engine.errors import FieldValue, Stopped
from catdog_gui.engine.photos.file import not_here
from catdog_gui.engine.photos.names import is_hidden, is_photo_name, printable

_DEEPEST = 64  # folders within folders
_LOOK_EVERY = 1000  # files between two looks at should_stop
_WINDOWS = os.name == "nt"
_WINDOWS_HIDDEN = 0x2 | 0x4  # hidden, system


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that is not used. path: as shown (valid Unicode), relative to the dataset, "/" between parts."""

    path: str
    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)


@dataclass(slots=True)
class Folder:
    """path: relative to the dataset, "/" between its parts, "" for itself; names as the file system has them."""

    path: str
    photos: list[str] = field(default_factory=list)
    others: list[SkippedFile] = field(default_factory=list)
    children: list["Folder"] = field(default_factory=list)
    total: int = 0  # photos in here and below

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def below(self) -> Iterator["Folder"]:
        """This folder and all below, in a fixed order."""
        waiting = [self]
        while waiting:
            folder = waiting.pop()
            yield folder
            waiting.extend(reversed(folder.children))


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


class Walk:
    """One walk over a tree; `run` once. Raises Stopped, and OSError where the root itself cannot be read."""

    def __init__(
        self,
        root: Path,
        *,
        without: Path | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """without: a folder that is left out. progress: gets the number of files seen so far."""
        self._root = root
        self._should_stop = should_stop
        self._progress = progress
        self._files = 0
        self._links: list[tuple[Folder, str, int]] = []
        real = root.resolve()
        # A link back to a folder above the root would bring everything again.
        self._seen = {_identity(parent.stat()) for parent in real.parents}
        if without is not None and without.is_dir():
            self._seen.add(_identity(without.stat()))
        self._seen.discard(None)

    def run(self) -> Folder:
        top = Folder("")
        self._enter(top, 0)
        # Links after all real folders: what is really here counts where it really is.
        while self._links:
            links, self._links = sorted(self._links, key=lambda item: (item[0].path, item[1])), []
            for parent, name, depth in links:
                self._follow(parent, name, depth)
        for folder in reversed(list(top.below())):
            folder.children.sort(key=lambda child: child.path)
            folder.photos.sort()
            folder.total = len(folder.photos) + sum(child.total for child in folder.children)
        return top

    def _enter(self, top: Folder, depth: int) -> None:
        """Read `top` and all real folders below; their links wait."""
        waiting = [(top, depth)]
        while waiting:
            folder, depth = waiting.pop()
            try:
                is_new = self._first_time(Path(self._real(folder.path)).stat())
                names = self._read(folder, depth) if is_new and depth <= _DEEPEST else []
            except OSError as error:
                if folder.path == "":
                    raise
                code = "folder_forbidden" if isinstance(error, PermissionError) else "folder_unreadable"
                folder.others.append(SkippedFile(printable(folder.path), code))
                continue
            for name in names:
                child = Folder(join(folder.path, name))
                folder.children.append(child)
                waiting.append((child, depth + 1))

    def _read(self, folder: Folder, depth: int) -> list[str]:
        """Sort the entries of one folder into photos, others and links; returns the names of the folders in it."""
        folders = []
        with os.scandir(self._real(folder.path)) as entries:
            for entry in entries:
                name = entry.name
                if is_hidden(name):
                    self._placeholder(folder, name)
                elif entry.is_symlink():
                    self._links.append((folder, name, depth))
                elif entry.is_dir(follow_symlinks=False):
                    if not (_WINDOWS and _hidden_on_windows(entry)):
                        folders.append(name)
                elif _WINDOWS:
                    self._file_on_windows(folder, entry)
                else:
                    self._file(folder, name, entry.is_file(follow_symlinks=False))
        self._look()
        return folders

    def _file(self, folder: Folder, name: str, regular: bool) -> None:
        self._files += 1
        if self._files % _LOOK_EVERY == 0:
            self._look()
        if not is_photo_name(name):
            self._other(folder, name, "not_a_photo_name")
        elif regular:
            folder.photos.append(name)
        else:
            self._other(folder, name, "not_regular_file")

    def _file_on_windows(self, folder: Folder, entry: "os.DirEntry[str]") -> None:
        """The listing brings size and attributes along there: what is known for free is said at once."""
        status = entry.stat(follow_symlinks=False)
        if _hidden_on_windows(entry):
            return
        if is_photo_name(entry.name) and not_here(status):
            self._other(folder, entry.name, "not_downloaded")
        elif is_photo_name(entry.name) and status.st_size == 0:
            self._other(folder, entry.name, "empty")
        else:
            self._file(folder, entry.name, entry.is_file(follow_symlinks=False))

    def _follow(self, parent: Folder, name: str, depth: int) -> None:
        path = join(parent.path, name)
        try:
            status = Path(self._real(path)).stat()
        except OSError:
            self._other(parent, name, "broken_link")
            return
        if not stat.S_ISDIR(status.st_mode):
            self._file(parent, name, stat.S_ISREG(status.st_mode))
        elif _identity(status) in self._seen or depth >= _DEEPEST:
            self._other(parent, name, "linked_again")
        else:
            child = Folder(path)
            parent.children.append(child)
            self._enter(child, depth + 1)

    def _placeholder(self, folder: Folder, name: str) -> None:
        """`.photo.jpg.icloud` stands for photo.jpg that macOS has moved to iCloud."""
        if name.endswith(".icloud") and is_photo_name(name[1:-7]):
            self._other(folder, name[1:-7], "not_downloaded")

    def _other(self, folder: Folder, name: str, code: str) -> None:
        folder.others.append(SkippedFile(printable(join(folder.path, name)), code))

    def _first_time(self, status: os.stat_result) -> bool:
        identity = _identity(status)
        if identity in self._seen:
            return False
        if identity is not None:
            self._seen.add(identity)
        return True

    def _real(self, path: str) -> str:
        return os.path.join(self._root, path) if path else str(self._root)  # noqa: PTH118 -- a million times

    def _look(self) -> None:
        if self._should_stop():
            raise Stopped
        if self._progress is not None:
            self._progress(self._files)


def _identity(status: os.stat_result) -> tuple[int, int] | None:
    """Names a folder whatever path leads to it; None on file systems that cannot."""
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _hidden_on_windows(entry: "os.DirEntry[str]") -> bool:
    attributes: int = getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0)
    return bool(attributes & _WINDOWS_HIDDEN)
