"""Which photos a run learned from and was checked with, read back from its `photos.jsonl`. Neither torch nor numpy."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from catdog_gui.engine import home
from catdog_gui.engine.files import read_json
from catdog_gui.engine.runs import runlog


@dataclass(frozen=True, slots=True)
class RunPhoto:
    """path: absolute, as it was then; side: "train", "val" or "" (on neither side)."""

    path: Path
    label: str
    side: str


def run_of(model_file: Path, started: float | None) -> Path | None:
    """The run that made a model: the folder it lies in, else one under the home; None where it is gone.

    started: when the run began (the model's `trained`); it tells a model that was copied elsewhere from its neighbour.
    """
    folder = model_file if model_file.is_dir() else model_file.parent
    places = [folder]
    with contextlib.suppress(OSError):
        places += sorted(home.runs_dir().iterdir(), reverse=True) if started is not None else []
    return next((place for place in places if _is_that_run(place, started)), None)


def _is_that_run(folder: Path, started: float | None) -> bool:
    config = read_json(folder / runlog.CONFIG)
    if config is None or not (folder / runlog.PHOTOS).is_file():
        return False
    facts = config.get("facts")
    return isinstance(facts, dict) and started is not None and facts.get("started") == started


def photos_at(run: Path, rows: Iterable[int]) -> dict[int, RunPhoto]:
    """The photos with these numbers (0 = the first after the head line); damaged or skipped ones are left out."""
    wanted = set(rows)
    found: dict[int, RunPhoto] = {}
    root = photo_root(run)
    for number, line in enumerate(_lines(run)):
        if number in wanted:
            photo = _photo(line, root)
            if photo is not None:
                found[number] = photo
            wanted.remove(number)
            if not wanted:
                break
    return found


def checked_photos(run: Path) -> Iterator[RunPhoto]:
    """The photos that were kept back to check the run with."""
    root = photo_root(run)
    for line in _lines(run):
        if '"val"' in line:  # most lines are not: this spares their parsing
            photo = _photo(line, root)
            if photo is not None and photo.side == "val":
                yield photo


def photo_root(run: Path) -> Path:
    """The folder that the photos' paths are relative to."""
    config = read_json(run / runlog.CONFIG) or {}
    facts = config.get("facts")
    root = facts.get("root") if isinstance(facts, dict) else None
    if isinstance(root, str) and root:
        return Path(root)
    return Path(str(config.get("data") or "")).expanduser().absolute()


def _lines(run: Path) -> Iterator[str]:
    try:
        with (run / runlog.PHOTOS).open(encoding="utf-8", errors="replace") as file:
            next(file, None)  # the head line with the schema
            yield from file
    except OSError:
        return


def _photo(line: str, root: Path) -> RunPhoto | None:
    try:
        values = json.loads(line)
        path, label = values["path"], values["label"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(path, str) or not isinstance(label, str):
        return None
    return RunPhoto(root / path, label, str(values.get("side") or ""))
