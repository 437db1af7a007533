"""Steps 3 and 4 of the pixel recipe against the filter as it is written, whatever Pillow's release makes of it."""

from typing import Literal

import numpy as np
import pytest
from PIL import Image

from catdog_gui.engine.photos import recipe
from catdog_gui.engine.photos.recipe import Picture, Recipe, from_array, from_pillow
from catdog_gui.engine.photos.rgb import to_rgb

CROP, SQUASH = Recipe(64), Recipe(64, "squash")
M = CROP.margin_size
TALL = [(180, 90), (99, 80), (400, 61), (300, 3), (146, 75)]
SIZES = [*TALL, (90, 180), (61, 400), (3, 300), (64, 64), (M, M), (M + 1, M), (1, 1), (1, 40), (500, 333)]


def noise(height: int, width: int) -> Picture:
    return np.random.default_rng([height, width]).integers(0, 256, (height, width, 3), dtype=np.uint8)


def weights(side: int, start: float, end: float, count: int) -> np.ndarray:
    """Whole numbers of 22 bits (count, side): triangles over the new pixels' places, wider where there are fewer."""
    step = float(np.float32(end) - np.float32(start)) / count
    reach = max(step, 1.0)
    centres = float(np.float32(start)) + (np.arange(count) + 0.5) * step
    heights = np.maximum(1 - np.abs(np.arange(side) + 0.5 - centres[:, None]) / reach, 0)
    return np.floor(heights / heights.sum(axis=1, keepdims=True) * 2**22 + 0.5).astype(np.int64)


def filtered(picture: np.ndarray, across: np.ndarray, down: np.ndarray) -> Picture:
    """Across, rounded to 8 bits, then down."""
    for factors, subscripts in ((across, "sw,hwc->hsc"), (down, "sh,hwc->swc")):
        picture = (np.einsum(subscripts, factors, picture.astype(np.int64)) + 2**21) >> 22
    return picture.astype(np.uint8)


def as_written(picture: Picture, recipe: Recipe) -> Picture:
    height, width = picture.shape[:2]
    size, margin, short = recipe.size, recipe.margin_size, min(height, width)
    if recipe.fit == "squash":
        return filtered(picture, weights(width, 0, width, size), weights(height, 0, height, size))
    sides = []
    for side in (width, height):
        new = (side * margin + short // 2) // short
        first = (new - size) // 2
        if short > margin:
            sides.append(weights(side, first * (side / new), min((first + size) * (side / new), side), size))
        else:
            sides.append(weights(side, 0, side, new)[first : first + size])
    return filtered(picture, *sides)


@pytest.mark.parametrize("recipe", [CROP, SQUASH], ids=["crop", "squash"])
@pytest.mark.parametrize(("height", "width"), SIZES)
def test_the_square_is_that_of_the_written_filter(height: int, width: int, recipe: Recipe) -> None:
    picture = noise(height, width)
    written = as_written(picture, recipe)

    assert np.array_equal(from_array(picture, recipe), written)
    assert np.array_equal(from_pillow(Image.fromarray(picture), recipe), written)


def test_a_photo_too_large_to_copy_gets_the_same_square(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = noise(180, 90)
    usual = from_pillow(Image.fromarray(picture), CROP)
    monkeypatch.setattr("catdog_gui.engine.photos.recipe._COPIED", 100)

    assert np.array_equal(from_pillow(Image.fromarray(picture), CROP), usual)


@pytest.mark.parametrize("mode", ["L", "LA", "RGBA", "P", "PA", "CMYK", "YCbCr", "LAB", "HSV", "1", "I;16", "I", "F"])
@pytest.mark.parametrize("fit", ["crop", "squash"])
def test_a_photo_that_is_converted_in_strips_gets_the_same_square(
    mode: str, fit: Literal["crop", "squash"], monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (613, 407, 3), np.uint8)
    photo = Image.fromarray(noise)
    if mode in ("I;16", "I", "F"):
        photo = Image.fromarray(noise[..., 0].astype({"I;16": np.uint16, "I": np.int32, "F": np.float32}[mode]))
    elif mode in ("LA", "RGBA"):
        photo.putalpha(Image.fromarray(noise[..., 1]))
        photo = photo.convert(mode)
    elif mode == "PA":
        photo = photo.convert("P").convert("PA")
    else:
        photo = photo.convert(mode)
    if mode == "P":
        photo.info["transparency"] = 3
    whole = from_pillow(to_rgb(photo), Recipe(64, fit))
    monkeypatch.setattr(recipe, "_STRIP", 407 * 50)

    assert np.array_equal(from_pillow(photo, Recipe(64, fit)), whole)
