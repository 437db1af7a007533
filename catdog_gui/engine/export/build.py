"""A model of this program as one ONNX graph: the decoded photo in, the verdict out, and what a reader should know."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from catdog_gui import __version__
from catdog_gui.engine.export.answer import add_answer
from catdog_gui.engine.export.graph import UINT8, Graph
from catdog_gui.engine.export.pixels import add_normalized, add_square
from catdog_gui.engine.export.runtime import VERDICTS
from catdog_gui.engine.models.model_file import Model
from catdog_gui.engine.networks.features import LITE0, MEAN, STD

SCHEMA = 1
INPUT = "photo"
_PIXELS = (
    "uint8 RGB, height x width x 3, upright by its EXIF orientation, transparency over white. A JPEG is decoded at the"
    " largest reduction of 1, 1/2, 1/4, 1/8 that keeps the short side >= {least} pixels. The longest side is at most"
    " 100 times the shortest."
)
_LICENCE_LITE0 = (
    "The network's weights were learned from EfficientNet-Lite0, trained on ImageNet by Google, converted by ML"
    " Illustrated: Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0"
)
_LICENCE_TORCHVISION = (
    "The network's weights may have been learned from torchvision's (BSD 3-Clause License), trained on ImageNet, whose"
    " photos have terms of their own."
)
_LICENCE_OWN = "The network was learned from the user's photos alone."


def build(model: Model) -> Any:  # noqa: ANN401 -- onnx.ModelProto
    """The graph in float32: `photo` uint8 (height, width, 3) -> probabilities, novelty, top, verdict.

    Raises KeyError, ValueError, RuntimeError where the tensors are not the network's.
    """
    graph = Graph()
    photo = graph.input(INPUT, UINT8, ["height", "width", 3])
    square = add_square(graph, photo, model.recipe)
    x = add_normalized(graph, square, MEAN, STD)
    features = _add_features(graph, x, model)
    add_answer(graph, features, model)
    return graph.model(metadata(model), "catdog_gui", __version__)


def _add_features(graph: Graph, x: str, model: Model) -> str:
    stages = {name.removeprefix("stages."): v for name, v in model.tensors.items() if name.startswith("stages.")}
    floats = {name: value.astype(np.float32) for name, value in stages.items()}
    if model.network == LITE0:
        from catdog_gui.engine.export import lite0_onnx

        return lite0_onnx.add_features(graph, x, floats, model.recipe.size)
    from catdog_gui.engine.export import torch_onnx  # torch: two seconds that EfficientNet-Lite0 does without

    return torch_onnx.add_features(graph, x, model.network, floats, model.recipe.size)


def metadata(model: Model) -> dict[str, str]:
    """Key -> text or JSON."""
    values: dict[str, Any] = {
        "schema": SCHEMA,
        "classes": list(model.classes),
        "verdicts": list(VERDICTS),
        "thresholds": asdict(model.limits),
        "knows_novelty": len(model.vectors) > 0,
        "calibration": {"temperature": model.temperature, "calibrated": model.calibrated},
        "recipe": model.recipe.to_json(),
        "validation": model.validation,
        "trained": model.trained,
    }
    words = {
        "program": f"catdog_gui {__version__}",
        "network": model.network,
        "precision": "fp32",
        "model_precision": model.precision,
        "input": _PIXELS.format(least=2 * model.recipe.size),
        "licence": _licence(model),
    }
    return {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()} | words


def _licence(model: Model) -> str:
    if model.network == LITE0:
        return _LICENCE_LITE0
    return _LICENCE_OWN if model.network == "small_cnn" else _LICENCE_TORCHVISION
