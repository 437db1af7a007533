"""Which photos a written model is checked with: those that its run kept back, as far as they are still there."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.models.model_file import Model
from catdog_gui.engine.photos import images
from catdog_gui.engine.photos.reading import read_ahead
from catdog_gui.engine.photos.recipe import Picture, Recipe
from catdog_gui.engine.runs.photos import checked_photos, run_of

OnSlow = Callable[[Path], None]
COUNT = 50
_ODD = ((1, 1), (1, 100), (100, 1), (3, 300), (300, 3), (37, 53), (255, 257), (640, 360), (901, 450), (700, 1400))
_DRAWN_SIDE, _DRAWINGS = 160, 8


@dataclass(frozen=True, slots=True)
class Found:
    """Decoded, upright pictures (H, W, 3), and what they are: the run's own photos, drawn ones, or some of both."""

    pictures: list[Picture]
    source: Literal["run", "drawn", "mixed"]


def pictures(
    source: Path, model: Model, should_stop: Callable[[], bool], on_slow: OnSlow = lambda _photo: None
) -> Found:
    """50 pictures of several sizes, ten of them cut to odd ones. source: the run folder or model file.

    The run is looked for as the heat maps look for it; drawn pictures take the place of photos that are gone.
    on_slow: told of a photo that has been waited for a minute. Raises Stopped.
    """
    count = COUNT - len(_ODD)
    found = _read(_photos(source, model), count, model.recipe, should_stop, on_slow)
    drawn = _draw(count - len(found), should_stop)
    kind: Literal["run", "drawn", "mixed"] = "mixed" if found and drawn else "run" if found else "drawn"
    return Found(found + drawn + _odd(found + drawn), kind)


def _photos(source: Path, model: Model) -> list[Path]:
    """What the model's run kept back to check with."""
    started = model.trained.get("started")
    run = run_of(source, started if isinstance(started, int | float) else None)
    return [photo.path for photo in checked_photos(run)] if run is not None else []


def _read(
    paths: list[Path], count: int, recipe: Recipe, should_stop: Callable[[], bool], on_slow: OnSlow
) -> list[Picture]:
    """Up to `count` of the photos, spread evenly; those that cannot be read are passed over for the next ones."""
    found: list[Picture] = []
    step = max(1, len(paths) // max(1, count))
    order = [path for start in range(step) for path in paths[start::step]]

    def read(path: Path) -> Picture | None:
        try:
            return images.decode_upright(images.read_bytes(path), 2 * recipe.size)
        except CatDogError:
            return None

    few = order[: 4 * count]  # a folder that is gone is not tried file by file
    reads = read_ahead(few, read, workers=1, depth=2, should_stop=should_stop, on_slow=on_slow)
    for picture in reads:
        if picture is not None:
            found.append(picture)
        if len(found) >= count:
            break
    return found


def _draw(count: int, should_stop: Callable[[], bool]) -> list[Picture]:
    """`count` pictures of all sizes, made from eight drawings."""
    from catdog_gui.engine.samples.sets import draw_picture

    drawings: list[Picture] = []
    for number in range(min(count, _DRAWINGS)):
        if should_stop():
            raise Stopped
        drawing = draw_picture(("cat", "dog")[number % 2], number, size=_DRAWN_SIDE, seed=1)
        drawings.append(np.array(drawing.convert("RGB")))
    return [
        _sized(drawings[number % len(drawings)], _DRAWN_SIDE + 13 * number, _DRAWN_SIDE + 331 * number % 400)
        for number in range(count)
    ]


def _odd(pictures: list[Picture]) -> list[Picture]:
    """Pictures at sizes that go wrong first: very narrow, tiny, around the network's own, tall, wide."""
    return [_sized(pictures[number % len(pictures)], *size) for number, size in enumerate(_ODD)]


def _sized(picture: Picture, height: int, width: int) -> Picture:
    """By leaving out or repeating rows and columns: rough, as odd pictures may be."""
    rows = np.linspace(0, picture.shape[0] - 1, height).astype(int)
    columns = np.linspace(0, picture.shape[1] - 1, width).astype(int)
    return np.ascontiguousarray(picture[rows][:, columns])
