"""EfficientNet-Lite0's graph for OpenVINO, built operation by operation from the bundled weights.

Built here, not converted: OpenVINO's model converter reports its use over the network; see `openvino_runtime`.
Batch normalization is folded into the convolutions. Equal to `lite0.stages` (a test says so).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from catdog_gui.engine.networks.lite0_shape import BN_EPS, Block, blocks
from catdog_gui.engine.networks.openvino_runtime import openvino

ov = openvino()
ops = ov.opset13
Array = np.ndarray[Any, np.dtype[Any]]
Node = Any  # openvino's graph nodes and outputs have no public types


class _Weights:
    """Hands out convolutions in the order of `lite0.stages`' names."""

    def __init__(self, tensors: Mapping[str, Array]) -> None:
        self._tensors = tensors

    def folded(self, name: str) -> tuple[Array, Array]:
        """Kernel and bias of the convolution `name.0` with its norm `name.1` folded in."""
        kernel = self._tensors[f"{name}.0.weight"]
        norm = {part: self._tensors[f"{name}.1.{part}"] for part in ("weight", "bias", "running_mean", "running_var")}
        scale = norm["weight"] / np.sqrt(norm["running_var"] + BN_EPS)
        return kernel * scale[:, None, None, None], norm["bias"] - norm["running_mean"] * scale


def _conv(x: Node, kernel: Array, bias: Array, *, stride: int = 1, depthwise: bool = False, relu: bool = True) -> Node:
    strides, none, dilations = [stride, stride], [0, 0], [1, 1]
    if depthwise:
        y = ops.group_convolution(x, ops.constant(kernel[:, None]), strides, none, none, dilations, "same_upper")
    else:
        y = ops.convolution(x, ops.constant(kernel), strides, none, none, dilations, "same_upper")
    y = ops.add(y, ops.constant(bias.reshape(1, -1, 1, 1)))
    return ops.clamp(y, 0.0, 6.0) if relu else y


def _residual(x: Node, weights: _Weights, name: str, block: Block) -> Node:
    y, layer = x, 0
    if block.expand != 1:
        y = _conv(y, *weights.folded(f"{name}.layers.{layer}"))
        layer += 1
    if block.stride > 1:
        layer += 1  # the padding module has a place of its own in torch's sequence
    y = _conv(y, *weights.folded(f"{name}.layers.{layer}"), stride=block.stride, depthwise=True)
    y = _conv(y, *weights.folded(f"{name}.layers.{layer + 1}"), relu=False)
    return ops.add(x, y) if block.has_residual else y


def build(tensors: Mapping[str, Array], mean: Array, std: Array, size: int, last_stage: int = 19) -> Any:  # noqa: ANN401 -- ov.Model
    """The graph from uint8 (N, size, size, 3) to the output of the first `last_stage` stages, float32.

    tensors: the bundled weights by name; mean, std: (3,) of the normalization. 19 stages give (N, 1280) features.
    """
    weights = _Weights(tensors)
    photos = ops.parameter([-1, size, size, 3], np.uint8, name="photos")
    x = ops.transpose(ops.convert(photos, "f32"), ops.constant(np.array([0, 3, 1, 2], np.int64)))
    scale = (1.0 / (255.0 * std)).astype(np.float32).reshape(1, 3, 1, 1)
    x = ops.add(
        ops.multiply(x, ops.constant(scale)), ops.constant((-mean / std).astype(np.float32).reshape(1, 3, 1, 1))
    )
    x = _conv(x, *weights.folded("0.1"), stride=2)
    for number, block in enumerate(blocks()[: last_stage - 1], start=1):
        x = _residual(x, weights, str(number), block)
    if last_stage >= 18:
        x = _conv(x, *weights.folded("17.0"))
    if last_stage >= 19:
        x = ops.reduce_mean(x, ops.constant(np.array([2, 3], np.int64)), keep_dims=False)
    return ov.Model([ops.result(x)], [photos], "efficientnet_lite0")
