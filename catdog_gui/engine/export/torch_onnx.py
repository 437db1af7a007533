"""Any of the torch networks as part of a graph: torch.fx writes down what `forward` does, and each step is one of few.

Not torch.onnx: it needs one more package (onnxscript). A step that is not known here is an error, never left out. Batch
normalization is folded into the convolution before it.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from torch import fx, nn
from torchvision.ops import StochasticDepth

from catdog_gui.engine.export.graph import Array, Graph
from catdog_gui.engine.networks import catalog as networks


def add_features(graph: Graph, x: str, network: str, tensors: Mapping[str, Array], size: int) -> str:
    """float32 (1, 3, size, size), normalized -> (1, F). tensors: the stages' state by name.

    Raises ValueError or RuntimeError where they are not the network's.
    """
    stages = networks.build(network, 2, image_size=size).stages
    state = {name: torch.from_numpy(np.array(value)) for name, value in tensors.items()}
    missing = stages.load_state_dict(state, strict=False).missing_keys
    if any(not name.endswith("num_batches_tracked") for name in missing):
        raise ValueError(f"missing: {', '.join(missing[:3])}")
    stages.eval().requires_grad_(False)
    return _Walk(graph, stages).run(x)


class _Tracer(fx.Tracer):
    """Sees through everything but torch's own layers and stochastic depth, which does nothing in answers."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        known = isinstance(m, nn.Conv2d | nn.BatchNorm2d | StochasticDepth)  # and what this program makes of them
        return known or super().is_leaf_module(m, module_qualified_name)


class _Walk:
    def __init__(self, graph: Graph, stages: nn.Sequential) -> None:
        self._graph = graph
        self._stages = stages
        self._steps = list(_Tracer().trace(stages).nodes)
        self._values: dict[fx.Node, str] = {}

    def run(self, x: str) -> str:
        for step in self._steps:
            if step.op == "placeholder":
                self._values[step] = x
            elif step.op == "output":
                return self._value(step.args[0])
            else:
                self._values[step] = self._add(step)
        raise ValueError("the network has no output")

    def _value(self, argument: Any) -> str:  # noqa: ANN401 -- whatever fx has as an argument
        if not isinstance(argument, fx.Node):
            raise ValueError(f"argument {argument}")
        return self._values[argument]

    def _add(self, step: fx.Node) -> str:
        if step.op == "get_attr":
            return self._graph.constant(_array(_attribute(self._stages, str(step.target))))
        x = self._value(step.args[0])
        if step.op == "call_module":
            return self._layer(step, self._module(step), x)
        return self._function(step, x)

    def _module(self, step: fx.Node) -> nn.Module | None:
        return self._stages.get_submodule(str(step.target)) if step.op == "call_module" else None

    def _layer(self, step: fx.Node, layer: nn.Module | None, x: str) -> str:
        if isinstance(layer, nn.Conv2d):
            norm = self._module(next(iter(step.users))) if len(step.users) == 1 else None
            return _conv(self._graph, x, layer, norm if isinstance(norm, nn.BatchNorm2d) else None)
        if isinstance(layer, nn.BatchNorm2d):
            before = step.args[0]
            if isinstance(before, fx.Node) and isinstance(self._module(before), nn.Conv2d) and len(before.users) == 1:
                return x  # it is in the convolution
        elif isinstance(layer, nn.LayerNorm):
            weights = [self._graph.constant(_array(value)) for value in (layer.weight, layer.bias)]
            return self._layer_norm(x, len(layer.normalized_shape), weights, layer.eps)
        elif (make := _LAYERS.get(type(layer))) is not None:
            return make(self._graph, x, layer)
        raise ValueError(f"layer {type(layer).__name__}")

    def _function(self, step: fx.Node, x: str) -> str:
        name = step.target if isinstance(step.target, str) else getattr(step.target, "__name__", "")
        rest: Any = step.args[1:]
        if name in ("add", "mul"):
            return self._graph.add(name.capitalize(), x, self._value(rest[0]))
        if name == "permute":
            order = rest if isinstance(rest[0], int) else rest[0]
            return self._graph.add("Transpose", x, perm=list(order))
        if name == "layer_norm":
            given: dict[str, Any] = dict(zip(("normalized_shape", "weight", "bias", "eps"), rest, strict=False))
            given |= step.kwargs
            weights = [self._value(given["weight"]), self._value(given["bias"])]
            return self._layer_norm(x, len(given["normalized_shape"]), weights, given["eps"])
        raise ValueError(f"step {name}")

    def _layer_norm(self, x: str, axes: int, weights: list[str], eps: float) -> str:
        return self._graph.add("LayerNormalization", x, *weights, axis=-axes, epsilon=eps)


def _array(value: torch.Tensor) -> Array:
    result: Array = value.detach().float().numpy()
    return result


def _attribute(module: nn.Module, path: str) -> torch.Tensor:
    owner, _, name = path.rpartition(".")
    value = getattr(module.get_submodule(owner), name)
    assert isinstance(value, torch.Tensor)
    return value


def _conv(graph: Graph, x: str, layer: nn.Conv2d, norm: nn.BatchNorm2d | None) -> str:
    kernel = _array(layer.weight).astype(np.float64)
    bias = np.zeros(len(kernel)) if layer.bias is None else _array(layer.bias).astype(np.float64)
    if norm is not None:
        mean, variance = (_array(value).astype(np.float64) for value in _statistics(norm))
        scale = _array(norm.weight) / np.sqrt(variance + norm.eps)
        kernel, bias = kernel * scale[:, None, None, None], (bias - mean) * scale + _array(norm.bias)
    if isinstance(layer.padding, str) or layer.padding_mode != "zeros":
        raise ValueError(f"padding {layer.padding} {layer.padding_mode}")
    return graph.conv(
        x,
        kernel.astype(np.float32),
        bias.astype(np.float32),
        stride=layer.stride,
        pads=(*layer.padding, *layer.padding),
        groups=layer.groups,
        dilations=layer.dilation,
    )


def _statistics(norm: nn.BatchNorm2d) -> tuple[torch.Tensor, torch.Tensor]:
    assert norm.running_mean is not None
    assert norm.running_var is not None
    return norm.running_mean, norm.running_var


def _linear(graph: Graph, x: str, layer: Any) -> str:  # noqa: ANN401 -- a layer of the table's kind, here and below
    y = graph.add("MatMul", x, graph.constant(_array(layer.weight).T))
    return y if layer.bias is None else graph.add("Add", y, graph.constant(_array(layer.bias)))


def _max_pool(graph: Graph, x: str, layer: Any) -> str:  # noqa: ANN401
    def pair(value: Any) -> list[int]:  # noqa: ANN401
        return [value, value] if isinstance(value, int) else list(value)

    kernel, stride, padding = pair(layer.kernel_size), pair(layer.stride), pair(layer.padding)
    if layer.ceil_mode or pair(layer.dilation) != [1, 1]:
        raise ValueError("max pooling")
    return graph.add("MaxPool", x, kernel_shape=kernel, strides=stride, pads=padding * 2)


def _average(graph: Graph, x: str, layer: Any) -> str:  # noqa: ANN401
    if layer.output_size not in (1, (1, 1)):
        raise ValueError("average pooling")
    return graph.add("GlobalAveragePool", x)


def _flatten(graph: Graph, x: str, layer: Any) -> str:  # noqa: ANN401
    if (layer.start_dim, layer.end_dim) != (1, -1):
        raise ValueError("flatten")
    return graph.add("Flatten", x, axis=1)


def _silu(graph: Graph, x: str, _layer: Any) -> str:  # noqa: ANN401
    return graph.add("Mul", x, graph.add("Sigmoid", x))


def _gelu(graph: Graph, x: str, layer: Any) -> str:  # noqa: ANN401
    """By the error function: ONNX has an operation of its own only since opset 20."""
    if layer.approximate != "none":
        raise ValueError("gelu")
    erf = graph.add("Erf", graph.add("Mul", x, graph.number(math.sqrt(0.5))))
    return graph.add("Mul", graph.add("Mul", x, graph.number(0.5)), graph.add("Add", erf, graph.number(1.0)))


_LAYERS: dict[type, Callable[[Graph, str, Any], str]] = {
    nn.Linear: _linear,
    nn.MaxPool2d: _max_pool,
    nn.AdaptiveAvgPool2d: _average,
    nn.Flatten: _flatten,
    nn.ReLU: lambda graph, x, _layer: graph.add("Relu", x),
    nn.Sigmoid: lambda graph, x, _layer: graph.add("Sigmoid", x),
    nn.Hardsigmoid: lambda graph, x, _layer: graph.add("HardSigmoid", x, alpha=1 / 6, beta=0.5),
    nn.Hardswish: lambda graph, x, _layer: graph.add("HardSwish", x),
    nn.SiLU: _silu,
    nn.GELU: _gelu,
    StochasticDepth: lambda _graph, x, _layer: x,
}
