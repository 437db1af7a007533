"""Ways in which a photo can be poor: turned, cropped, tiny, dark, blurred, noisy, badly compressed, grey.

Numpy and Pillow only, pure: the same photo is always spoiled in the same way. They are applied to the upright photo,
before the recipe, as they would be in a file.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageFilter

from catdog_gui.engine.photos.recipe import Picture

Array = np.ndarray[Any, np.dtype[Any]]
_NOISE_SEED = 20260101


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One way and strength. strength: in `unit`: degrees, % (of the side, of the light, of the short side), px, grey
    levels, JPEG quality; 0 with unit "" where there is only one.
    """

    name: str
    strength: float
    unit: str

    def spoil(self, picture: Picture) -> Picture:
        """The picture (H, W, 3) uint8 RGB made poor; another shape where it is turned, cropped or made tiny."""
        return _SPOIL[self.name](picture, self.strength)


NONE = Disturbance("none", 0, "")


def all_disturbances() -> Iterator[Disturbance]:
    """The rows of the table, mild to harsh; the photo as it is comes first."""
    yield NONE
    for name, unit, strengths in _STRENGTHS:
        for strength in strengths:
            yield Disturbance(name, strength, unit)


_STRENGTHS: tuple[tuple[str, str, tuple[float, ...]], ...] = (
    ("turned", "°", (15, 90, 180)),
    ("cropped", "%", (75, 50)),
    ("tiny", "px", (64, 32)),
    ("dark", "%", (25, 10)),
    ("blurred", "%", (1, 3)),
    ("noisy", "levels", (25, 75)),
    ("jpeg", "quality", (15, 5)),
    ("grey", "", (0,)),
)


def _same(picture: Picture, _strength: float) -> Picture:
    return picture


def _turned(picture: Picture, degrees: float) -> Picture:
    if degrees % 90 == 0:
        return np.ascontiguousarray(np.rot90(picture, int(degrees) // 90))
    turned = Image.fromarray(picture).rotate(degrees, Image.Resampling.BILINEAR, fillcolor=(128, 128, 128))
    return np.asarray(turned)


def _cropped(picture: Picture, percent: float) -> Picture:
    """The middle part of so many percent of each side."""
    height, width = picture.shape[:2]
    down, across = max(1, round(height * percent / 100)), max(1, round(width * percent / 100))
    top, left = (height - down) // 2, (width - across) // 2
    return np.ascontiguousarray(picture[top : top + down, left : left + across])


def _tiny(picture: Picture, side: float) -> Picture:
    """Reduced until the short side has so many pixels (never enlarged)."""
    height, width = picture.shape[:2]
    scale = min(1.0, side / min(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0))


def _dark(picture: Picture, percent: float) -> Picture:
    """So many percent of the light is left."""
    levels = np.round(np.arange(256) * percent / 100).astype(np.uint8)
    return levels[picture]


def _blurred(picture: Picture, percent: float) -> Picture:
    """Gaussian blur with a deviation of so many percent of the short side."""
    radius = min(picture.shape[:2]) * percent / 100
    return np.asarray(Image.fromarray(picture).filter(ImageFilter.GaussianBlur(radius)))


def _noisy(picture: Picture, levels: float) -> Picture:
    """Gaussian noise with a deviation of so many grey levels, in each channel."""
    noise = np.random.default_rng(_NOISE_SEED).standard_normal(picture.shape, np.float32) * np.float32(levels)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def _jpeg(picture: Picture, quality: float) -> Picture:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=int(quality))
    return np.asarray(Image.open(file).convert("RGB"))


def _grey(picture: Picture, _strength: float) -> Picture:
    return np.asarray(Image.fromarray(picture).convert("L").convert("RGB"))


_SPOIL: dict[str, Callable[[Picture, float], Picture]] = {
    "none": _same,
    "turned": _turned,
    "cropped": _cropped,
    "tiny": _tiny,
    "dark": _dark,
    "blurred": _blurred,
    "noisy": _noisy,
    "jpeg": _jpeg,
    "grey": _grey,
}
assert set(_SPOIL) == {"none", *(name for name, _, _ in _STRENGTHS)}
