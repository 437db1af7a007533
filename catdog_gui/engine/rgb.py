"""RGB from every mode a photo can have."""

import numpy as np
from PIL import Image

from catdog_gui.engine.errors import PhotoError

_STRIP = 4_000_000  # pixels


def to_rgb(image: Image.Image) -> Image.Image:
    """RGB from every mode: 16-bit grey by its high byte, transparency over white, the rest by Pillow's conversion."""
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    if image.mode.startswith("I"):
        high = np.asarray(image) >> 8
        return Image.fromarray(np.clip(high, 0, 255, out=high).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        return _over_white(image)
    try:
        return image.convert("RGB")
    except ValueError as error:  # LAB and the like
        raise PhotoError("colours_unsupported", mode=image.mode) from error


def _over_white(image: Image.Image) -> Image.Image:
    """In strips, such that a giant needs no second and third copy."""
    white = Image.new("RGB", image.size, "white")
    rows = max(1, _STRIP // image.width)
    for top in range(0, image.height, rows):
        box = (0, top, image.width, min(top + rows, image.height))
        strip = image.crop(box).convert("RGBA")
        white.paste(strip, box, strip)
    return white
