"""Depthwise convolutions whose backward pass is as fast on a CPU as their forward pass.

oneDNN has no fast bf16 kernels for the gradients of 5 x 5 and of strided depthwise convolutions (torch 2.14): 127 ms
for the weights of one layer of EfficientNet-Lite0 at batch 32, where the forward pass takes 1.3 ms: four fifths of a
step of the upper stages. So these gradients are computed in fp32, which it does 5 to 60 times faster; those of 5 x 5
weights from four 3 x 3 windows, which halves the time again. A step of the upper stages: 0.95 s -> 0.37 s.
"""

from typing import Any

import torch
from torch import nn
from torch.nn import functional

_ConvBackward = torch.ops.aten.convolution_backward


class DepthwiseConv2d(nn.Conv2d):
    """A depthwise convolution as any other, but for the way its gradients are computed on a CPU in bf16."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.device.type != "cpu" or not torch.is_autocast_enabled("cpu") or not torch.is_grad_enabled():
            return super().forward(x)
        kind = torch.get_autocast_dtype("cpu")
        result: torch.Tensor = _Depthwise.apply(
            x.to(kind), self.weight, self.bias, self.stride[0], int(self.padding[0])
        )
        return result


def quicken(module: nn.Module) -> None:
    """Make the depthwise convolutions inside quick; names and values stay."""
    for layer in module.modules():
        if type(layer) is nn.Conv2d and _fits(layer):
            layer.__class__ = DepthwiseConv2d  # the same parameters and hooks, another forward


def _fits(layer: nn.Conv2d) -> bool:
    square = len({*layer.kernel_size}) == len({*layer.stride}) == 1
    plain = layer.dilation == (1, 1) and layer.padding_mode == "zeros"
    depthwise = 1 < layer.groups == layer.in_channels == layer.out_channels
    slow = layer.kernel_size[0] > 3 or layer.stride[0] > 1
    return slow and depthwise and square and plain and not isinstance(layer.padding, str) and len({*layer.padding}) == 1


class _Depthwise(torch.autograd.Function):
    """x: bf16 or fp16 (N, C, H, W); weight: float32 (C, 1, K, K)."""

    @staticmethod
    def forward(
        context: Any,  # noqa: ANN401 -- torch's
        x: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        stride: int,
        padding: int,
    ) -> torch.Tensor:
        low = weight.to(x.dtype)
        context.save_for_backward(x, low)
        context.stride, context.padding, context.has_bias = stride, padding, bias is not None
        low_bias = None if bias is None else bias.to(x.dtype)
        return functional.conv2d(x, low, low_bias, stride, padding, 1, len(weight))

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Any:  # noqa: ANN401
        x, low = context.saved_tensors
        weight = low.float()
        stride, padding = context.stride, context.padding
        gradient = gradients[0].float().contiguous(memory_format=torch.channels_last)
        to_input = to_weight = to_bias = None
        if context.needs_input_grad[0]:
            to_input = _backward(gradient, x, weight, stride, padding, (True, False))[0].to(x.dtype)
        if context.needs_input_grad[1]:
            to_weight = weight_gradient(gradient, x.float(), weight, stride, padding)
        if context.has_bias and context.needs_input_grad[2]:
            to_bias = gradient.sum(dim=(0, 2, 3))
        return to_input, to_weight, to_bias, None, None


def weight_gradient(
    gradient: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, stride: int, padding: int
) -> torch.Tensor:
    """d loss / d weight (C, 1, K, K), float32. gradient: d loss / d output; both activations float32."""
    if weight.shape[-1] != 5 or stride != 1:
        return _backward(gradient, x, weight, stride, padding, (False, True))[1]
    padded = functional.pad(x, (padding,) * 4)
    tall, wide = (side + 2 for side in gradient.shape[-2:])  # what one 3 x 3 window runs over
    result, window = torch.empty_like(weight), weight[..., :3, :3]
    for top in (0, 2):
        for left in (0, 2):
            seen = padded[..., top : top + tall, left : left + wide].contiguous(memory_format=torch.channels_last)
            part = _backward(gradient, seen, window, 1, 0, (False, True))[1]
            result[..., top : top + 3, left : left + 3] = part  # where windows overlap they agree
    return result


def _backward(
    gradient: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, stride: int, padding: int, wanted: tuple[bool, bool]
) -> list[torch.Tensor]:
    """Gradients of input and weight as wanted. Of x only the shape counts where its own gradient is asked for."""
    strides, paddings, none = [stride, stride], [padding, padding], [0, 0]
    if wanted[0]:
        x = x.float()
    results: list[torch.Tensor] = _ConvBackward(
        gradient, x, weight, None, strides, paddings, [1, 1], False, none, len(weight), [*wanted, False]
    )
    return results
