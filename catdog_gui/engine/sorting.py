"""Copy photos into one folder a class, by the model's answers. Nothing is moved, changed or ever overwritten."""

import re
import shutil
from pathlib import Path

from catdog_gui.engine.events import Prediction
from catdog_gui.engine.files import write_error

_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def folder_name(name: str) -> str:
    """A class name as a single folder name that every system takes; a model file may hold any name."""
    clean = _FORBIDDEN.sub("_", name).strip(" .")
    return f"_{clean}" if not clean or _RESERVED.match(clean) else clean


def sort_into(target: Path, photo: Path, prediction: Prediction) -> Path | None:
    """Copy `photo` into its folder under `target`; returns where. None for an unreadable photo: it stays.

    Folders: the class where the answer is sure, else not_sure or none_of_these. A taken name gets a number.
    Raises CatDogError (disk_full, cannot_write).
    """
    if prediction.verdict == "unreadable":
        return None
    folder = target / folder_name(prediction.label or prediction.verdict)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        place = _free(folder, photo.name)
        with photo.open("rb") as source, place.open("xb") as copy:
            shutil.copyfileobj(source, copy)
        shutil.copystat(photo, place)
    except OSError as error:
        raise write_error(error, folder) from error
    return place


def _free(folder: Path, name: str) -> Path:
    place, number = folder / name, 2
    while place.exists() or place.is_symlink():
        stem, dot, ending = name.rpartition(".")
        place = folder / (f"{stem} ({number}).{ending}" if dot and stem else f"{name} ({number})")
        number += 1
    return place
