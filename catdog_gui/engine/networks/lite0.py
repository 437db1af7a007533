"""EfficientNet-Lite0 (Google, 2020; Tan & Le, arXiv:1905.11946, without squeeze-and-excitation, with ReLU6).

Written from torchvision's convolution blocks, but with TensorFlow's SAME padding in the stride-2 convolutions:
with torchvision's symmetric padding the features of the bundled weights have a cosine of only 0.89 to 0.94 to the
right ones.
"""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional
from torchvision.ops import Conv2dNormActivation

from catdog_gui.engine.networks.lite0_shape import BN_EPS, FEATURES, STAGES, Block, blocks


class SamePad(nn.Module):
    """Zero padding as TensorFlow's SAME: the odd pixel goes to the right and the bottom."""

    def __init__(self, kernel: int, stride: int) -> None:
        super().__init__()
        self.kernel, self.stride = kernel, stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        top, bottom = self._sides(x.shape[-2])
        left, right = self._sides(x.shape[-1])
        return functional.pad(x, (left, right, top, bottom))

    def _sides(self, side: int) -> tuple[int, int]:
        total = max((-(-side // self.stride) - 1) * self.stride + self.kernel - side, 0)
        return total // 2, total - total // 2


def _conv(
    channels_in: int,
    channels_out: int,
    kernel: int = 1,
    *,
    stride: int = 1,
    groups: int = 1,
    activation: Callable[..., nn.Module] | None = nn.ReLU6,
) -> list[nn.Module]:
    conv = Conv2dNormActivation(
        channels_in,
        channels_out,
        kernel,
        stride=stride,
        padding=0 if stride > 1 else kernel // 2,  # at stride 1 SAME is symmetric
        groups=groups,
        norm_layer=lambda channels: nn.BatchNorm2d(channels, eps=BN_EPS, momentum=0.01),
        activation_layer=activation,
    )
    return [SamePad(kernel, stride), conv] if stride > 1 else [conv]


class InvertedResidual(nn.Module):
    """Expand 1x1, depthwise, project 1x1; added to its input where the shapes allow it."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        middle = block.channels_in * block.expand
        expand = _conv(block.channels_in, middle) if block.expand != 1 else []
        depthwise = _conv(middle, middle, block.kernel, stride=block.stride, groups=middle)
        self.layers = nn.Sequential(*expand, *depthwise, *_conv(middle, block.channels_out, activation=None))
        self.has_residual = block.has_residual

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.layers(x)
        return x + y if self.has_residual else y


class SpatialMean(nn.Module):
    """(N, C, H, W) -> (N, C)."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mean(dim=(2, 3))


def stages() -> nn.Sequential:
    """Stem, 16 blocks, final convolution, spatial mean: 19 stages from (N, 3, S, S), normalized, to (N, 1280)."""
    stem = nn.Sequential(*_conv(3, 32, 3, stride=2))
    final = nn.Sequential(*_conv(STAGES[-1].channels_out, FEATURES))
    return nn.Sequential(stem, *[InvertedResidual(block) for block in blocks()], final, SpatialMean())
