"""Depthwise convolutions with quick gradients: the same layer otherwise, and the better gradients."""

import copy

import pytest
import torch
from torch import nn

from catdog_gui.engine.config import NETWORKS
from catdog_gui.engine.networks.catalog import build
from catdog_gui.engine.networks.depthwise import DepthwiseConv2d, quicken

SHAPES = [  # kernel, stride, padding, side, bias
    (5, 1, 2, 7, False),
    (5, 1, 2, 14, True),
    (5, 1, 0, 9, False),
    (5, 2, 0, 17, False),
    (3, 2, 1, 15, True),
    (7, 1, 3, 8, True),
]


def layer(kernel: int, stride: int, padding: int, *, bias: bool) -> nn.Conv2d:
    torch.manual_seed(0)
    return nn.Conv2d(16, 16, kernel, stride, padding, groups=16, bias=bias)


def quick(made: nn.Conv2d) -> nn.Conv2d:
    made = copy.deepcopy(made)
    quicken(nn.Sequential(made))
    assert type(made) is DepthwiseConv2d
    return made


def gradients(made: nn.Conv2d, side: int, *, low: bool) -> list[torch.Tensor]:
    """Output, and gradients of input, weight and bias, float32."""
    x = torch.randn(4, 16, side, side, generator=torch.Generator().manual_seed(1)).bfloat16().float()
    x = x.to(memory_format=torch.channels_last).requires_grad_()
    with torch.autocast("cpu", torch.bfloat16, enabled=low):
        y = made(x)
    weights = torch.linspace(-1, 1, y.numel()).reshape(y.shape).bfloat16().float()
    (y.float() * weights).sum().backward()  # type: ignore[no-untyped-call]
    return [y.detach().float(), *[value.grad for value in (x, *made.parameters()) if value.grad is not None]]


def off(found: torch.Tensor, expected: torch.Tensor) -> float:
    return float((found - expected).abs().max() / expected.abs().max())


@pytest.mark.parametrize(("kernel", "stride", "padding", "side", "bias"), SHAPES)
def test_gradients_in_bf16_are_at_least_as_exact_as_torchs(
    kernel: int, stride: int, padding: int, side: int, bias: bool
) -> None:
    plain = layer(kernel, stride, padding, bias=bias)
    rounded = copy.deepcopy(plain)  # bf16 sees these weights
    for value in rounded.parameters():
        value.data = value.data.bfloat16().float()
    exact = gradients(rounded, side, low=False)
    theirs = gradients(plain, side, low=True)

    ours = gradients(quick(plain), side, low=True)

    assert len(ours) == 3 + bias
    assert torch.equal(ours[0], theirs[0])
    for mine, torchs, right in zip(ours[1:], theirs[1:], exact[1:], strict=True):
        assert off(mine, right) < 0.01
        assert off(mine, right) < off(torchs, right) + 1e-3


@pytest.mark.parametrize(("kernel", "stride", "padding", "side", "bias"), SHAPES)
def test_in_full_precision_nothing_changes(kernel: int, stride: int, padding: int, side: int, bias: bool) -> None:
    plain = layer(kernel, stride, padding, bias=bias)

    pairs = zip(gradients(quick(plain), side, low=False), gradients(plain, side, low=False), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_a_frozen_layer_passes_gradients_on_and_gets_none() -> None:
    made = quick(layer(5, 1, 2, bias=True)).requires_grad_(False)

    found = gradients(made, 7, low=True)

    assert len(found) == 2
    assert found[1].any()


@pytest.mark.parametrize("name", NETWORKS)
def test_no_network_has_a_slow_layer_left(name: str) -> None:
    made = build(name, 2, image_size=32)
    slow = [
        part
        for part in made.modules()
        if type(part) is nn.Conv2d
        and part.groups > 1
        and part.groups == part.in_channels == part.out_channels
        and (part.kernel_size[0] > 3 or part.stride[0] > 1)
    ]

    assert slow == []
