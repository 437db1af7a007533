"""Copy photos into one folder a class, by the model's answers. Nothing is moved, changed or ever overwritten."""

import contextlib
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.files import write_error

UNSURE = ("not_sure", "none_of_these")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\ud800-\udfff]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)", re.IGNORECASE)
_LONGEST = 200  # bytes; file systems take 255, and a number may follow
_PIECE = 2**20  # bytes copied at once


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


def sort_into(target: Path, photo: Path, prediction: Prediction) -> Path | None:
    """Copy `photo` into its folder under `target`; returns where. None for an unreadable photo: it stays.

    Folders: the class where the answer is sure, else not_sure or none_of_these. A taken name gets a number.
    Raises CatDogError (disk_full, cannot_write, cannot_read).
    """
    if prediction.verdict == "unreadable":
        return None
    names = folder_names(tuple(prediction.probabilities))
    label = prediction.label
    folder = target / (prediction.verdict if label is None else names.get(label) or folder_name(label))
    try:
        source = photo.open("rb")
    except OSError as error:
        raise CatDogError("cannot_read", path=str(photo), reason=error.strerror or str(error)) from error
    with source:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            place = _copied(source, folder, photo.name)
        except OSError as error:
            raise write_error(error, folder) from error
    with contextlib.suppress(OSError):  # some drives keep no dates
        shutil.copystat(photo, place)
    return place


def _copied(source: BinaryIO, folder: Path, name: str) -> Path:
    stem, dot, ending = name.rpartition(".")
    candidates: Sequence[str] = (stem, f".{ending}") if dot and stem else (name, "")
    for free in _numbered(*candidates):
        try:
            copy = (folder / free).open("xb")  # never follows a link, never opens what is there
        except FileExistsError:
            continue
        try:
            with copy:
                shutil.copyfileobj(source, copy, _PIECE)
        except OSError:
            (folder / free).unlink(missing_ok=True)
            raise
        return folder / free
    raise AssertionError("numbers do not end")


def _numbered(stem: str, ending: str) -> Iterator[str]:
    yield stem + ending
    number = 2
    while True:
        yield f"{stem} ({number}){ending}"
        number += 1
