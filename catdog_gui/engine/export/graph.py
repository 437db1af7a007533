"""An ONNX graph under construction: nodes and constants with names, in the order in which they were added."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray[Any, np.dtype[Any]]
OPSET = 18  # the first with an antialiased Resize; ONNX Runtime reads it since 1.14
IR_VERSION = 8
UINT8, INT32, INT64 = TensorProto.UINT8, TensorProto.INT32, TensorProto.INT64
FLOAT, DOUBLE = TensorProto.FLOAT, TensorProto.DOUBLE


class Graph:
    """Every method adds a node and returns the name of what it gives."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._named: dict[tuple[str, bytes], str] = {}
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []

    def input(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, source: str, name: str, kind: int, shape: Sequence[int], words: str) -> None:
        """Give `source` to the outside under `name`; words: one sentence that stands in the file beside it."""
        self._nodes.append(helper.make_node("Identity", [source], [name], name=f"out_{name}"))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape, doc_string=words))

    def constant(self, value: Array, name: str = "") -> str:
        """A constant of the graph. Small equal ones are stored once."""
        key = (f"{value.dtype} {value.shape}", value.tobytes() if value.size <= 64 else b"")
        if key[1] and not name and key in self._named:
            return self._named[key]
        name = name or f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value).reshape(value.shape), name))
        self._named[key] = name
        return name

    def whole(self, *values: int) -> str:
        """A constant int64 vector."""
        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        """A constant float32 scalar."""
        return self.constant(np.array(value, np.float32))

    def double(self, value: float) -> str:
        """A constant float64 scalar."""
        return self.constant(np.array(value, np.float64))

    def int32(self, value: int) -> str:
        """A constant int32 scalar."""
        return self.constant(np.array(value, np.int32))

    def int64(self, value: int) -> str:
        """A constant int64 scalar."""
        return self.constant(np.array(value, np.int64))

    def pick(self, vector: str, place: int) -> str:
        """One value of a vector, (1,)."""
        return self.add("Slice", vector, self.whole(place), self.whole(place + 1), self.whole(0))

    def add(self, operation: str, *sources: str, name: str = "", **attributes: Any) -> str:  # noqa: ANN401 -- ONNX's kinds
        """One node with one result. A source "" is an input that is left out."""
        result = name or f"{operation.lower()}{len(self._nodes)}"
        self._nodes.append(helper.make_node(operation, sources, [result], name=result, **attributes))
        return result

    def conv(
        self,
        x: str,
        kernel: Array,
        bias: Array,
        *,
        stride: Sequence[int] = (1, 1),
        pads: Sequence[int] = (0, 0, 0, 0),
        groups: int = 1,
        dilations: Sequence[int] = (1, 1),
    ) -> str:
        """kernel: (out, in / groups, h, w) float32; pads: top, left, bottom, right."""
        number = len(self._nodes)
        weights = (self.constant(kernel, f"kernel{number}"), self.constant(bias, f"bias{number}"))
        return self.add(
            "Conv",
            x,
            *weights,
            name=f"conv{number}",
            kernel_shape=list(kernel.shape[2:]),
            strides=list(stride),
            pads=list(pads),
            group=groups,
            dilations=list(dilations),
        )

    def top(self, values: str, count: int) -> str:
        """The `count` largest of the last axis, falling."""
        name = f"top{len(self._nodes)}"
        self._nodes.append(helper.make_node("TopK", [values, self.whole(count)], [name, f"{name}_places"], name=name))
        return name

    def relu6(self, x: str) -> str:
        return self.add("Clip", x, self.number(0.0), self.number(6.0))

    def model(self, metadata: Mapping[str, str], producer: str, version: str) -> onnx.ModelProto:
        """The whole, checked by ONNX's own rules. Raises onnx.checker.ValidationError."""
        graph = helper.make_graph(self._nodes, "catdog", self._inputs, self._outputs, self._constants)
        model: onnx.ModelProto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = IR_VERSION
        model.producer_name, model.producer_version = producer, version
        helper.set_model_props(model, dict(metadata))
        onnx.checker.check_model(model)
        return model
