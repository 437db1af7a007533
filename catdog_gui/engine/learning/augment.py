"""Photos varied while learning: mirror, turn, zoom and shift, light. Whole batches at once, on the device."""

import torch
from torch.nn import functional

from catdog_gui.engine.learning.variation import LEAST_ZOOM, LIGHT, TURNED


def augment(squares: torch.Tensor, size: int, draws: torch.Tensor) -> torch.Tensor:
    """Varied photos, uint8 (N, size, size, 3), of margin squares uint8 (N, M, M, 3). Depends on the numbers only.

    draws: of `variation.draw`, on the squares' device (sent there with them: by themselves they would wait for a card).
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
