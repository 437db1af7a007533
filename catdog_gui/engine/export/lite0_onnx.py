"""EfficientNet-Lite0 as part of a graph, from the model file's tensors and without torch.

The same walk as `lite0_openvino`, with the paddings written out: the graph's size is fixed here. Batch normalization is
folded into the convolutions.
"""

from collections.abc import Mapping

import numpy as np

from catdog_gui.engine.export.graph import Array, Graph
from catdog_gui.engine.networks.lite0_shape import BN_EPS, Block, blocks


def add_features(graph: Graph, x: str, tensors: Mapping[str, Array], size: int) -> str:
    """float32 (1, 3, size, size), normalized -> (1, 1280). tensors: the stages' state by name. Raises KeyError."""
    walk = _Walk(graph, tensors, size)
    x = walk.conv(x, "0.1", kernel=3, stride=2)
    for number, block in enumerate(blocks(), start=1):
        x = _residual(walk, x, str(number), block)
    x = walk.conv(x, "17.0")
    return graph.add("ReduceMean", x, graph.whole(2, 3), keepdims=0)


class _Walk:
    """Adds convolutions and keeps the side of the picture at hand."""

    def __init__(self, graph: Graph, tensors: Mapping[str, Array], size: int) -> None:
        self.graph = graph
        self._tensors = tensors
        self._side = size

    def conv(self, x: str, name: str, *, kernel: int = 1, stride: int = 1, groups: int = 1, relu: bool = True) -> str:
        """The convolution `name.0` with its norm `name.1`, padded as TensorFlow's SAME."""
        out = -(-self._side // stride)
        total = max((out - 1) * stride + kernel - self._side, 0)
        before, after = total // 2, total - total // 2
        self._side = out
        weights = self._folded(name)
        pads = (before, before, after, after)
        x = self.graph.conv(x, *weights, stride=(stride, stride), pads=pads, groups=groups)
        return self.graph.relu6(x) if relu else x

    def _folded(self, name: str) -> tuple[Array, Array]:
        kernel = self._tensors[f"{name}.0.weight"]
        norm = {part: self._tensors[f"{name}.1.{part}"] for part in ("weight", "bias", "running_mean", "running_var")}
        scale = norm["weight"] / np.sqrt(norm["running_var"] + BN_EPS)
        bias = norm["bias"] - norm["running_mean"] * scale
        return (kernel * scale[:, None, None, None]).astype(np.float32), bias.astype(np.float32)


def _residual(walk: _Walk, x: str, name: str, block: Block) -> str:
    middle = block.channels_in * block.expand
    y, layer = x, 0
    if block.expand != 1:
        y = walk.conv(y, f"{name}.layers.{layer}")
        layer += 1
    if block.stride > 1:
        layer += 1  # the padding module has a place of its own in torch's sequence
    y = walk.conv(y, f"{name}.layers.{layer}", kernel=block.kernel, stride=block.stride, groups=middle)
    y = walk.conv(y, f"{name}.layers.{layer + 1}", relu=False)
    return walk.graph.add("Add", x, y) if block.has_residual else y
