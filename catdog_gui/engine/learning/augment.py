"""Photos varied while learning: mirror, turn, zoom and shift, light. Whole batches at once, on the device.

Or a few versions of each photo once and for all, where what stays frozen looks at them before anything is learned.
"""

from typing import Any

import numpy as np
import torch
from torch.nn import functional

from catdog_gui.engine.learning.randomness import uniform
from catdog_gui.engine.photos.images import Picture

DRAWS = 8  # random numbers a photo
VERSION = 1  # of all that makes a stored version what it is: part of the name under which it is kept
TURNED = 0.25  # share of the photos that are seen turned by 90, 180 or 270 degrees
LEAST_ZOOM = 0.6  # smallest side of the seen part, share of the margin square's side
LIGHT = 0.25  # brightness, contrast and saturation change by up to this share


def draw(seed: int, epoch: int, photos: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The random numbers of the photos, (N, DRAWS) in 0..1."""
    return uniform(seed, epoch, photos, DRAWS)


def versions(square: Picture, content: bytes, size: int, count: int) -> Picture:
    """A photo as it is and `count` times varied, (1 + count, size, size, 3), of its margin square (M, M, 3).

    content: its digest, on which alone the variations depend: what was computed of them is known again.
    """
    edge = (len(square) - size) // 2
    plain = square[None, edge : edge + size, edge : edge + size]
    number = np.frombuffer(content[:8], np.uint64)
    draws = np.concatenate([draw(VERSION, at, number) for at in range(count)])
    with torch.inference_mode():
        margins = torch.from_numpy(square)[None].expand(count, -1, -1, -1)
        varied = augment(margins, size, torch.from_numpy(draws)).numpy()
    return np.concatenate([plain, varied])


def version_of(seed: int, epoch: int, photos: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Which of `count` versions of each photo an epoch learns from: one after the other, each photo from another on."""
    first = (uniform(seed, 0, photos, 1)[:, 0] * count).astype(np.int64)
    return (first + epoch) % count


def augment(squares: torch.Tensor, size: int, draws: torch.Tensor) -> torch.Tensor:
    """Varied photos, uint8 (N, size, size, 3), of margin squares uint8 (N, M, M, 3). Depends on the numbers only.

    draws: of `draw`, on the squares' device (sent there with them: to send them by themselves would wait for a card).
    """
    x = squares.permute(0, 3, 1, 2).float()
    x = functional.grid_sample(
        x, _grid(draws, x, size), mode="bilinear", padding_mode="reflection", align_corners=False
    )
    x = _light(x, draws[:, 4:7])
    return x.round().clamp(0, 255).to(torch.uint8).permute(0, 2, 3, 1).contiguous()


def _grid(draws: torch.Tensor, x: torch.Tensor, size: int) -> torch.Tensor:
    """Where each output pixel comes from: a mirrored, turned, zoomed, shifted square inside the picture."""
    zoom = LEAST_ZOOM + (1 - LEAST_ZOOM) * draws[:, 0]
    mirror = torch.where(draws[:, 1] < 0.5, -1.0, 1.0)
    shift = (2 * draws[:, 2:4] - 1) * (1 - zoom)[:, None]
    quarters = torch.where(draws[:, 7] < TURNED, 1 + (draws[:, 7] * (3 / TURNED)).floor(), 0.0)
    across, down = _cosine(quarters), _cosine(quarters - 1)  # the sine is the cosine of a quarter less
    rows = torch.stack(
        [zoom * mirror * across, -zoom * mirror * down, shift[:, 0], zoom * down, zoom * across, shift[:, 1]], dim=1
    )
    return functional.affine_grid(rows.view(-1, 2, 3), [len(x), 3, size, size], align_corners=False)


def _cosine(quarters: torch.Tensor) -> torch.Tensor:
    """Of so many quarter turns, -1..3, with nothing rounded."""
    return (quarters % 4 - 2).abs() - 1


def _light(x: torch.Tensor, draws: torch.Tensor) -> torch.Tensor:
    factors = 1 + LIGHT * (2 * draws - 1)
    brightness, contrast, saturation = (factors[:, k, None, None, None] for k in range(3))
    x = x * brightness
    middle = x.mean(dim=(1, 2, 3), keepdim=True)
    x = middle + (x - middle) * contrast
    grey = x.mean(dim=1, keepdim=True)
    return grey + (x - grey) * saturation
