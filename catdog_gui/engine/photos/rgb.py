"""RGB from every mode a photo can have."""

from collections.abc import Iterator

import numpy as np
from PIL import Image

from catdog_gui.engine.errors import PhotoError

_STRIP = 4_000_000  # pixels


def is_rgb(image: Image.Image) -> bool:
    """Whether `to_rgb` would give the image itself."""
    return image.mode == "RGB" and "transparency" not in image.info


def to_rgb(image: Image.Image) -> Image.Image:
    """RGB from every mode: 16-bit grey by its high byte, transparency over white, the rest by Pillow's conversion."""
    if is_rgb(image):
        return image
    if image.mode.startswith("I"):
        return _high_byte(image).convert("RGB")
    if image.has_transparency_data:
        return _over_white(image)
    try:
        return image.convert("RGB")
    except ValueError as error:  # LAB and the like
        raise PhotoError("colours_unsupported", mode=image.mode) from error


def _high_byte(image: Image.Image) -> Image.Image:
    """8-bit grey of 16-bit grey, which Pillow keeps in 16 or 32 bits."""
    grey = Image.new("L", image.size)
    for box in _strips(image):
        high = np.asarray(image.crop(box)) >> 8
        grey.paste(Image.fromarray(np.clip(high, 0, 255, out=high).astype(np.uint8)), box)
    return grey


def _over_white(image: Image.Image) -> Image.Image:
    white = Image.new("RGB", image.size, "white")
    for box in _strips(image):
        strip = image.crop(box).convert("RGBA")
        white.paste(strip, box, strip)
    return white


def _strips(image: Image.Image) -> Iterator[tuple[int, int, int, int]]:
    """Boxes over the whole image, such that a giant needs no second and third copy."""
    rows = max(1, _STRIP // image.width)
    for top in range(0, image.height, rows):
        yield 0, top, image.width, min(top + rows, image.height)
