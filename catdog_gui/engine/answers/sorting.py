"""Copy or move photos into one folder a class, by the model's answers. Nothing is ever overwritten."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from catdog_gui.engine.answers.moving import MoveJournal, as_move_error, copy_to
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.files import write_error
from catdog_gui.engine.photos.names import printable

UNSURE = ("not_sure", "none_of_these")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\ud800-\udfff]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)", re.IGNORECASE)
_LONGEST = 200  # bytes; file systems take 255, and a number may follow


def folder_name(name: str) -> str:
    """A class name as a single folder name that every system takes; a model file may hold any name."""
    clean = _FORBIDDEN.sub("_", name).encode()[:_LONGEST].decode("utf-8", "ignore").strip(" .")
    return f"_{clean}" if not clean or _RESERVED.match(clean) else clean


@lru_cache(maxsize=4)
def folder_names(classes: tuple[str, ...]) -> dict[str, str]:
    """Class -> folder: different classes never share one, nor take the folders of unsure answers."""
    names: dict[str, str] = {}
    taken = set(UNSURE)
    for name in sorted(classes, key=lambda name: folder_name(name) != name):  # clean names stay as they are
        folder = _first_free(folder_name(name), taken)
        taken.add(folder.casefold())
        names[name] = folder
    return names


def _first_free(name: str, taken: set[str]) -> str:
    return next(folder for folder in _numbered(name, "") if folder.casefold() not in taken)


class Sorter:
    """Puts photos into folders by their answers. Owner: the thread that sorts; `close` it."""

    def __init__(self, target: Path, *, move: bool = False, learned_from: Iterable[Path] = ()) -> None:
        """learned_from: folders of training photos; they are never written to, nor is anything taken out of them.

        Raises InputError sort_into_learned, CatDogError (disk_full, cannot_write).
        """
        self._target = target
        self._guarded = [_real(folder) for folder in learned_from]
        if self._is_guarded(target):
            raise InputError("sort_into_learned", path=printable(str(target)))
        self._journal = MoveJournal(target) if move else None

    @property
    def journal(self) -> Path | None:
        """Where moves are noted."""
        return self._journal.path if self._journal is not None else None

    def sort(self, photo: Path, prediction: Prediction) -> Path | None:
        """Copy or move `photo` into its folder; returns where. None for an unreadable photo: it stays.

        Folders: the class where the answer is sure, else not_sure or none_of_these. A taken name gets a number.
        Raises CatDogError (disk_full, cannot_write, cannot_read, cannot_move, moved_link, move_from_learned).
        """
        if prediction.verdict == "unreadable":
            return None
        names = folder_names(tuple(prediction.probabilities))
        label = prediction.label
        folder = self._target / (prediction.verdict if label is None else names.get(label) or folder_name(label))
        return _copy_into(folder, photo) if self._journal is None else self._move_into(self._journal, folder, photo)

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _move_into(self, journal: MoveJournal, folder: Path, photo: Path) -> Path:
        if photo.is_symlink():  # moved, it might lead nowhere
            raise CatDogError("moved_link", path=printable(str(photo)))
        if self._is_guarded(photo):
            raise CatDogError("move_from_learned", path=printable(str(photo)))
        try:
            photo.stat()
        except OSError as error:
            raise _cannot_read(photo, error) from error
        try:
            journal.make_folder(folder)
        except OSError as error:
            raise write_error(error, folder) from error
        try:
            for name in _numbered(*_parts(photo.name)):
                with contextlib.suppress(FileExistsError):
                    journal.move(photo, folder / name)
                    return folder / name
        except OSError as error:
            raise as_move_error(error, photo, folder) from error
        raise AssertionError("numbers do not end")

    def _is_guarded(self, path: Path) -> bool:
        if not self._guarded:
            return False
        real = _real(path)
        return any(real == folder or folder in real.parents for folder in self._guarded)


def sort_into(target: Path, photo: Path, prediction: Prediction) -> Path | None:
    """Copy one photo into its folder under `target`: `Sorter.sort`."""
    return Sorter(target).sort(photo, prediction)


def _copy_into(folder: Path, photo: Path) -> Path:
    try:
        source = photo.open("rb")
    except OSError as error:
        raise _cannot_read(photo, error) from error
    with source:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return _copied(source, folder, photo)
        except OSError as error:
            raise write_error(error, folder / photo.name, os.fstat(source.fileno()).st_size) from error


def _cannot_read(photo: Path, error: OSError) -> CatDogError:
    return CatDogError("cannot_read", path=str(photo), reason=error.strerror or str(error))


def _real(path: Path) -> Path:
    return Path(os.path.normcase(path.absolute().resolve()))


def _parts(name: str) -> tuple[str, str]:
    stem, dot, ending = name.rpartition(".")
    return (stem, f".{ending}") if dot and stem else (name, "")


def _copied(source: BinaryIO, folder: Path, photo: Path) -> Path:
    for free in _numbered(*_parts(photo.name)):
        if os.path.lexists(folder / free):
            continue
        with contextlib.suppress(FileExistsError):  # somebody was quicker
            source.seek(0)
            copy_to(source, folder / free, dates_of=photo)
            return folder / free
    raise AssertionError("numbers do not end")


def _numbered(stem: str, ending: str) -> Iterator[str]:
    yield stem + ending
    number = 2
    while True:
        yield f"{stem} ({number}){ending}"
        number += 1
