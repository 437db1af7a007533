"""A linear layer learned over stored features, in numpy: small enough that torch would only be waited for.

Features are brought to mean 0 and deviation 1, which makes the problem well conditioned; the optimizers are torch's
own rules (Adam: Kingma & Ba 2015, with coupled decay; AdamW: Loshchilov & Hutter 2019; SGD with Nesterov's momentum).
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from catdog_gui.engine.models.metrics import softmax

Array = np.ndarray[Any, np.dtype[Any]]
_BETA1, _BETA2, _EPS, _MOMENTUM = 0.9, 0.999, 1e-8, 0.9
_PIECE = 4096  # photos read at once


@dataclass(slots=True)
class LinearHead:
    """weight (C, F), bias (C,), over (features - mean) / scale; all float32."""

    weight: Array
    bias: Array
    mean: Array
    scale: Array

    @classmethod
    def zeros(cls, features: int, classes: int) -> "LinearHead":
        one = np.float32
        return cls(
            np.zeros((classes, features), one), np.zeros(classes, one), np.zeros(features, one), np.ones(features, one)
        )

    def standardize(self, features: Array, members: Array) -> None:
        """Take mean and deviation from the features (N, F) of these rows, read in pieces."""
        total, squares = np.zeros(features.shape[1]), np.zeros(features.shape[1])
        for start in range(0, len(members), _PIECE):
            piece = features[members[start : start + _PIECE]].astype(np.float64)
            total += piece.sum(axis=0)
            squares += np.square(piece).sum(axis=0)
        mean = total / len(members)
        deviation = np.sqrt(np.maximum(squares / len(members) - np.square(mean), 0))
        self.mean = mean.astype(np.float32)
        self.scale = (deviation + 1e-3).astype(np.float32)  # a dead feature stays harmless

    def scores(self, features: Array) -> Array:
        """(N, C) float32 of features (N, F)."""
        result: Array = self.standard(features) @ self.weight.T + self.bias
        return result

    def standard(self, features: Array) -> Array:
        """The features as the layer sees them, float32."""
        rows = features.astype(np.float32)
        rows -= self.mean
        rows /= self.scale
        return rows

    def folded(self) -> tuple[Array, Array]:
        """Weight (C, F) and bias (C,) of the same layer over plain features."""
        weight = self.weight / self.scale
        return weight, self.bias - weight @ self.mean


def loss_and_gradient(scores: Array, labels: Array, smoothing: float) -> tuple[float, Array]:
    """Mean cross-entropy in nats and its gradient by the scores (N, C). smoothing: share spread over all classes."""
    count, classes = scores.shape
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    target = np.full((count, classes), smoothing / classes, np.float32)
    target[np.arange(count), labels] += 1 - smoothing
    loss = -float((target * log_p).sum()) / count
    gradient: Array = (softmax(scores) - target).astype(np.float32) / np.float32(count)
    return loss, gradient


@dataclass(slots=True)
class Descent:
    """One optimizer over named arrays, changed in place. decayed: the names that weight decay applies to."""

    kind: str  # adam, adamw, sgd
    weight_decay: float
    decayed: frozenset[str] = frozenset({"weight"})
    steps: int = 0
    moments: dict[str, Array] = field(default_factory=dict)

    def step(self, values: dict[str, Array], gradients: dict[str, Array], rate: float) -> None:
        self.steps += 1
        for name, value in values.items():
            gradient, decay = gradients[name], self.weight_decay if name in self.decayed else 0.0
            if decay and self.kind == "adamw":
                value *= np.float32(1 - rate * decay)
            elif decay:
                gradient = gradient + np.float32(decay) * value
            value -= np.float32(rate) * self._direction(name, gradient)

    def _direction(self, name: str, gradient: Array) -> Array:
        if self.kind == "sgd":
            before = self.moments.get(name)
            moment = gradient.copy() if before is None else np.float32(_MOMENTUM) * before + gradient
            self.moments[name] = moment
            result: Array = gradient + np.float32(_MOMENTUM) * moment
            return result
        first = self._mean(f"{name}.first", gradient, _BETA1) / np.float32(1 - _BETA1**self.steps)
        second = self._mean(f"{name}.second", np.square(gradient), _BETA2) / np.float32(1 - _BETA2**self.steps)
        adam: Array = first / (np.sqrt(second) + np.float32(_EPS))
        return adam

    def _mean(self, key: str, value: Array, beta: float) -> Array:
        before = self.moments.get(key)
        after = (
            np.float32(1 - beta) * value if before is None else np.float32(beta) * before + np.float32(1 - beta) * value
        )
        self.moments[key] = after
        return after
