"""The pixel recipe of ARCHITECTURE.md: its two choices, its limits, and its steps 3 and 4 for decoded pictures."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from PIL import Image

from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.photos.rgb import is_rgb, to_rgb

Picture = npt.NDArray[np.uint8]  # RGB, (H, W, 3)
Box = tuple[float, float, float, float]  # left, top, right, bottom

MOST_PIXELS = 89_478_485  # Pillow's own limit against decompression bombs
LONGEST_RATIO = 100  # longest side to shortest
_STRIP = 4_000_000  # pixels that are converted to RGB at once
_COPIED = 8_000_000  # pixels of a photo whose needed rows may be copied; of a larger one all rows are filtered


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a photo becomes what the network sees. size: side of the square in pixels, 32 to 1024."""

    size: int = 224
    fit: Literal["crop", "squash"] = "crop"
    version: int = 1

    @property
    def margin_size(self) -> int:
        """Side M of the square that photos are cut to while learning varies them; M - size is even."""
        return self.size + 2 * ((self.size + 7) // 14)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Recipe":
        """Raises InputError (recipe_unknown) for values that this version cannot follow."""
        size, fit, version = values.get("size"), values.get("fit"), values.get("version")
        whole = isinstance(size, int) and not isinstance(size, bool) and 32 <= size <= 1024
        if not whole or fit not in ("crop", "squash") or version != 1:
            raise InputError("recipe_unknown")
        return cls(size=int(size or 0), fit="squash" if fit == "squash" else "crop")


def from_array(picture: Picture, recipe: Recipe, *, margin: bool = False) -> Picture:
    """Steps 3 and 4 of the recipe for a decoded, upright picture."""
    height, width = picture.shape[:2]
    check_shape(width, height)
    if recipe.fit == "squash":
        return from_pillow(Image.fromarray(np.ascontiguousarray(picture)), recipe, margin=margin)
    side = recipe.margin_size if margin else recipe.size
    if min(width, height) <= recipe.margin_size:
        return _cut(Image.fromarray(np.ascontiguousarray(picture)), recipe.margin_size, side)
    left, top, right, bottom = _crop_box(width, height, recipe.margin_size, side)
    # Only what the filter reaches is copied into Pillow's memory.
    reach = int(min(width, height) / recipe.margin_size) + 2
    x, y = max(int(left) - reach, 0), max(int(top) - reach, 0)
    part = np.ascontiguousarray(picture[y : int(bottom) + reach + 1, x : int(right) + reach + 1])
    box = (left - x, top - y, right - x, bottom - y)
    return np.array(_filtered(Image.fromarray(part), side, side, box))


def from_pillow(image: Image.Image, recipe: Recipe, *, margin: bool = False) -> Picture:
    """Steps 3 and 4 of the recipe for an upright image of any mode."""
    check_shape(*image.size)
    if recipe.fit == "squash":
        square = to_array(_filtered(image, recipe.size, recipe.size))
        edge = (recipe.margin_size - recipe.size) // 2
        return np.pad(square, ((edge, edge), (edge, edge), (0, 0)), "reflect") if margin else square
    side = recipe.margin_size if margin else recipe.size
    return _cut(image, recipe.margin_size, side)


def seen_box(width: int, height: int, recipe: Recipe) -> Box:
    """The part of an upright photo (its size in pixels) that the network sees: left, top, right, bottom in 0..1."""
    if recipe.fit == "squash":
        return 0.0, 0.0, 1.0, 1.0
    left, top, right, bottom = _crop_box(width, height, recipe.margin_size, recipe.size)
    return left / width, top / height, right / width, bottom / height


def check_shape(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise too_many(width * height)
    if max(width, height) > LONGEST_RATIO * min(width, height):
        raise PhotoError("too_narrow", width=width, height=height)


def too_many(pixels: int) -> PhotoError:
    return PhotoError("too_many_pixels", megapixels=round(pixels / 1e6))


def _cut(image: Image.Image, resized: int, side: int) -> Picture:
    """Resize the short side to `resized`, cut the centre side x side; only what is needed is computed."""
    if min(image.size) > resized:
        box = _crop_box(*image.size, resized, side)
        return to_array(_filtered(image, side, side, box))
    # Pillow's boxes are 32-bit floats: enlarging shows their rounding as 2 grey levels, the whole picture has none.
    width, height = _resized(*image.size, resized)
    left, top = (width - side) // 2, (height - side) // 2
    return to_array(_filtered(image, width, height))[top : top + side, left : left + side].copy()


def _filtered(image: Image.Image, width: int, height: int, box: Box | None = None) -> Image.Image:
    """Antialiased bilinear, across first.

    In two calls: Pillow 13 begins with whichever direction costs it less, and rounds to 8 bits in between. A fifth of
    the grey levels of a tall photo would then be 1 off from those of another release, a cut-out or an exported model.
    """
    left, top, right, bottom = box or (0.0, 0.0, *image.size)
    reach = max((bottom - top) / height, 1.0)
    first, last = max(int(top - reach), 0), min(math.ceil(bottom + reach), image.height)
    if image.mode != "RGBX" and not is_rgb(image):
        rows = _converted(image, width, left, right, range(first, last))
        return rows.resize((width, height), Image.Resampling.BILINEAR, box=(0, top - first, width, bottom - first))
    if (first, last) != (0, image.height) and image.width * image.height <= _COPIED:
        image, top, bottom = image.crop((0, first, image.width, last)), top - first, bottom - first
    rows = image.resize((width, image.height), Image.Resampling.BILINEAR, box=(left, 0, right, image.height))
    return rows.resize((width, height), Image.Resampling.BILINEAR, box=(0, top, width, bottom))


def _converted(image: Image.Image, width: int, left: float, right: float, needed: range) -> Image.Image:
    """The needed rows of an image of any mode, filtered across; strip by strip, so that no second giant is made."""
    rows = Image.new("RGB", (width, len(needed)))
    step = max(1, _STRIP // image.width)
    for top in range(needed.start, needed.stop, step):
        bottom = min(top + step, needed.stop)
        strip = to_rgb(image.crop((0, top, image.width, bottom)))
        box = (left, 0, right, bottom - top)
        rows.paste(strip.resize((width, bottom - top), Image.Resampling.BILINEAR, box=box), (0, top - needed.start))
    return rows


def from_rgbx(picture: Picture) -> Image.Image:
    """A decoded picture (H, W, 4), whose last byte means nothing, as Pillow holds RGB itself: without a copy."""
    height, width = picture.shape[:2]
    return Image.frombuffer("RGBX", (width, height), picture, "raw", "RGBX", 0, 1)


def to_array(image: Image.Image) -> Picture:
    """(H, W, 3), writable, of an RGB or RGBX image."""
    if image.mode == "RGBX":
        return np.frombuffer(bytearray(image.tobytes("raw", "RGB")), np.uint8).reshape(image.height, image.width, 3)
    return np.array(image)


def _resized(width: int, height: int, short_side: int) -> tuple[int, int]:
    short, long = min(width, height), max(width, height)
    new_long = (long * short_side + short // 2) // short
    return (short_side, new_long) if width <= height else (new_long, short_side)


def _crop_box(width: int, height: int, resized: int, side: int) -> Box:
    """The source rectangle that becomes the centre side x side after resizing the short side to `resized`.

    In the 32-bit floats that Pillow takes: whole numbers of pixels can then be added or taken off without rounding.
    """
    new_width, new_height = _resized(width, height, resized)
    left, top = (new_width - side) // 2, (new_height - side) // 2
    across, down = width / new_width, height / new_height
    box = (left * across, top * down, min((left + side) * across, width), min((top + side) * down, height))
    left_f, top_f, right_f, bottom_f = (float(np.float32(edge)) for edge in box)
    return left_f, top_f, right_f, bottom_f
