"""From features to the answer as part of a graph: calibrated probabilities, novelty, best class, verdict.

The rules are those of `engine.verdicts` and `engine.limits`; figures in float32 (they differ by some 1e-6).
"""

import numpy as np

from catdog_gui.engine.export.graph import DOUBLE, FLOAT, INT64, Array, Graph
from catdog_gui.engine.export.runtime import VERDICTS
from catdog_gui.engine.models.limits import LOWEST_SURE, Limits, log_odds
from catdog_gui.engine.models.model_file import Model
from catdog_gui.engine.models.poorness import poorness_of
from catdog_gui.engine.models.verdicts import NEIGHBOURS

FARTHEST = 2.0  # the largest distance: opposite features, or some that are not numbers


def add_answer(graph: Graph, features: str, model: Model) -> None:
    """features: float32 (1, F). Adds the outputs probabilities (C,), novelty, top and verdict (1,)."""
    classes = len(model.classes)
    shares = _probabilities(graph, features, model)
    unit = _unit(graph, features)
    distance = _novelty(graph, unit, model.vectors)
    best = graph.add("ReduceMax", shares, graph.whole(0), keepdims=1)
    top = graph.add("ArgMax", shares, axis=0, keepdims=1, select_last_index=0)
    verdict = _verdict(graph, best, distance, model.limits, _poorness(graph, unit, model))
    said = f"One share for each class, in the order of the metadata “classes”; {_basis(model)}."
    graph.output(shares, "probabilities", FLOAT, [classes], said)
    said = "1 minus the cosine to the 10th nearest training photo's features, 0 (alike) to 2."
    graph.output(distance, "novelty", FLOAT, [1], said)
    graph.output(top, "top", INT64, [1], "Number of the most probable class, from 0.")
    graph.output(verdict, "verdict", INT64, [1], f"0, 1 or 2: {', '.join(VERDICTS)}.")


def _basis(model: Model) -> str:
    return "calibrated on photos that were not learned from" if model.calibrated else "not calibrated"


def _probabilities(graph: Graph, features: str, model: Model) -> str:
    weight = model.tensors["head.weight"].astype(np.float32).T
    bias = model.tensors["head.bias"].astype(np.float32)
    scores = graph.add("Gemm", features, graph.constant(weight, "head_weight"), graph.constant(bias, "head_bias"))
    clean = graph.add("Where", _finite(graph, scores), scores, graph.number(0.0))
    shares = graph.add("Softmax", graph.add("Div", clean, graph.number(model.temperature)), axis=1)
    return graph.add("Squeeze", shares, graph.whole(0))


def _finite(graph: Graph, x: str) -> str:
    odd = graph.add("Or", graph.add("IsNaN", x), graph.add("IsInf", x))
    return graph.add("Not", odd)


def _unit(graph: Graph, features: str) -> str:
    length = graph.add("ReduceL2", features, graph.whole(1), keepdims=1)
    return graph.add("Div", features, graph.add("Max", length, graph.number(1e-9)))


def _novelty(graph: Graph, unit: str, vectors: Array) -> str:
    """(1,); 0 where no photos are remembered, as the program says it."""
    if len(vectors) == 0:
        return graph.constant(np.zeros(1, np.float32), "no_novelty")
    stored = graph.add("Cast", graph.constant(np.ascontiguousarray(vectors.T), "novelty_vectors"), to=FLOAT)
    cosines = graph.add("MatMul", unit, stored)
    nearest = _kth_largest(graph, cosines, min(NEIGHBOURS, len(vectors)))
    away = graph.add("Sub", graph.number(1.0), nearest)
    distance = graph.add("Clip", away, graph.number(0.0), graph.number(FARTHEST))
    return graph.add("Where", _finite(graph, nearest), distance, graph.number(FARTHEST))


def _poorness(graph: Graph, unit: str, model: Model) -> str | None:
    """How poor the photo looks, (1,) float64, at least 0; None where that plays no part. Not a number counts as 0."""
    found = poorness_of(model.tensors)
    if found is None or model.limits.poor == 0:
        return None
    weight = graph.constant(np.ascontiguousarray(found.weight.astype(np.float32)[:, None]), "poor_weight")
    along = graph.add("Squeeze", graph.add("MatMul", unit, weight), graph.whole(1))
    value = graph.add("Add", graph.add("Cast", along, to=DOUBLE), graph.double(found.bias))
    above = graph.add("Greater", value, graph.double(0.0))
    return graph.add("Where", above, value, graph.double(0.0))


def _kth_largest(graph: Graph, values: str, k: int) -> str:
    """(1, K) -> (1,)."""
    last = graph.add("Slice", graph.top(values, k), graph.whole(k - 1), graph.whole(k), graph.whole(1))
    return graph.add("Squeeze", last, graph.whole(1))


def _verdict(graph: Graph, best: str, distance: str, limits: Limits, poorness: str | None = None) -> str:
    """In float64, as the program compares. poorness: (1,) float64, at least 0; None: all photos look well."""
    share, away = graph.add("Cast", best, to=DOUBLE), graph.add("Cast", distance, to=DOUBLE)
    known = graph.add("LessOrEqual", away, graph.double(limits.novelty))
    sure = graph.add("GreaterOrEqual", share, _least_sure(graph, away, limits, poorness))
    when_known = graph.add("Where", sure, graph.whole(0), graph.whole(1))
    return graph.add("Where", known, when_known, graph.whole(2))


def _least_sure(graph: Graph, distance: str, limits: Limits, poorness: str | None) -> str:
    """`Limits.least_sure`: falls with the nearness of the photo, rises with its poorness, where the rule has these."""
    if not 0 < limits.sure < 1 or (limits.slope == 0 and limits.poor == 0):
        return graph.double(limits.sure)
    nearness = graph.add("Max", graph.add("Sub", graph.double(limits.novelty), distance), graph.double(0.0))
    eased = graph.add("Mul", nearness, graph.double(-limits.slope))
    odds = graph.add("Add", eased, graph.double(log_odds(limits.sure)))
    if poorness is not None:
        odds = graph.add("Add", odds, graph.add("Mul", poorness, graph.double(limits.poor)))
    powers = graph.add("Add", graph.add("Exp", graph.add("Neg", odds)), graph.double(1.0))
    share = graph.add("Div", graph.double(1.0), powers)
    least = graph.add("Max", share, graph.double(LOWEST_SURE))
    return least if limits.poor else graph.add("Min", least, graph.double(limits.sure))
