"""How a photo is varied while learning: the random numbers, and versions made once by Pillow. No torch.

`augment` does the same to whole batches on the device, anew in every epoch; the versions are for frozen stages, which
look at them once, before anything is learned. The two agree within two grey levels.
"""

from typing import Any

import numpy as np
from PIL import Image

from catdog_gui.engine.learning.randomness import uniform
from catdog_gui.engine.photos.images import Picture

Array = np.ndarray[Any, np.dtype[Any]]
DRAWS = 8  # random numbers a photo
TURNED = 0.25  # share of the photos that are seen turned by 90, 180 or 270 degrees
LEAST_ZOOM = 0.6  # smallest side of the seen part, share of the margin square's side
LIGHT = 0.25  # brightness, contrast and saturation change by up to this share
VERSION = 1  # of all that makes a stored version what it is: part of the name under which it is kept
_COSINES = (1, 0, -1, 0)  # of so many quarter turns


def draw(seed: int, epoch: int, photos: Array) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The random numbers of the photos, (N, DRAWS) in 0..1."""
    return uniform(seed, epoch, photos, DRAWS)


def version_of(seed: int, epoch: int, photos: Array, count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Which of `count` versions of each photo an epoch learns from; 0, the photo as it is, in every second one.

    The others come in turn in between. So half of an epoch's photos are as they are; with fewer the answers to such
    became worse. count: at least 2.
    """
    turn = epoch + (uniform(seed, 0, photos, 1)[:, 0] * 2 * (count - 1)).astype(np.int64)
    return np.where(turn % 2 == 0, 0, 1 + turn // 2 % (count - 1))


def versions(square: Picture, content: bytes, size: int, count: int) -> Picture:
    """A photo as it is and `count` times varied, (1 + count, size, size, 3), of its margin square (M, M, 3).

    content: its digest, on which alone the variations depend: what was computed of them is known again.
    """
    edge = (len(square) - size) // 2
    number = np.frombuffer(content[:8], np.uint64)
    image = Image.fromarray(square)
    found = [square[edge : edge + size, edge : edge + size]]
    found += [varied(image, draw(VERSION, at, number)[0], size) for at in range(count)]
    return np.stack(found)


def varied(square: Image.Image, draws: Array, size: int) -> Picture:
    """A mirrored, turned, zoomed, shifted part (size, size, 3) of a margin square in other light. draws: (DRAWS,)."""
    numbers = [float(value) for value in draws]
    part = square.transform(
        (size, size), Image.Transform.AFFINE, _seen(numbers, square.width, size), Image.Resampling.BILINEAR
    )
    brightness, contrast, saturation = (1 + LIGHT * (2 * value - 1) for value in numbers[4:7])
    # One linear map: brightness, then contrast about the mean, then saturation about each pixel's own grey.
    offset = brightness * float(np.asarray(part).mean()) * (1 - contrast)
    other = brightness * contrast * (1 - saturation) / 3
    own = brightness * contrast * saturation + other
    matrix = (own, other, other, offset, other, own, other, offset, other, other, own, offset)
    return np.asarray(part.convert("RGB", matrix))


def _seen(draws: list[float], side: int, size: int) -> tuple[float, float, float, float, float, float]:
    """Where each pixel of `size` comes from in a square of `side`, as Pillow's coefficients."""
    zoom = LEAST_ZOOM + (1 - LEAST_ZOOM) * draws[0]
    mirror = -1 if draws[1] < 0.5 else 1
    quarters = 1 + int(draws[7] * 3 / TURNED) if draws[7] < TURNED else 0
    step = zoom * side / size
    across, down = step * _COSINES[quarters % 4], step * _COSINES[(quarters - 1) % 4]
    left, top = ((1 + (2 * value - 1) * (1 - zoom)) * side / 2 for value in draws[2:4])  # where the middle is seen
    x = (mirror * across, -mirror * down, left - mirror * (across - down) * size / 2)
    return (*x, down, across, top - (across + down) * size / 2)
