"""The linear layer over stored features, learned without torch."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from catdog_gui.engine.learning.linear_head import Descent, LinearHead, loss_and_gradient


def features(count: int = 200, size: int = 512) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(0)
    rows = rng.normal(5, 3, (count, size)).astype(np.float32)
    rows[:, 7] = 2.0  # a feature that never changes
    return rows


def test_standardized_features_have_mean_0_and_deviation_1() -> None:
    rows, head = features(5000), LinearHead.zeros(512, 3)

    head.standardize(rows, np.arange(5000))

    standard = head.standard(rows)
    assert np.abs(standard.mean(axis=0)).max() < 2e-3
    assert standard.std(axis=0)[np.arange(512) != 7] == pytest.approx(np.ones(511), abs=2e-3)
    assert np.isfinite(standard).all()


def test_only_the_photos_to_learn_from_decide_about_the_scale() -> None:
    rows, head = features(100), LinearHead.zeros(512, 2)
    rows[50:] += 1000

    head.standardize(rows, np.arange(50))

    assert head.mean == pytest.approx(rows[:50].mean(axis=0), abs=1e-2)


def test_the_folded_head_answers_plain_features_as_the_one_that_learned() -> None:
    rows, head, rng = features(), LinearHead.zeros(512, 3), np.random.default_rng(1)
    head.standardize(rows, np.arange(200))
    head.weight[:], head.bias[:] = rng.normal(size=(3, 512)), rng.normal(size=3)

    weight, bias = head.folded()

    assert rows @ weight.T + bias == pytest.approx(head.scores(rows), abs=2e-2)  # over 512 features of size 5


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradient_are_those_of_torch(smoothing: float) -> None:
    scores = np.random.default_rng(4).normal(size=(20, 4)).astype(np.float32)
    labels = np.random.default_rng(2).integers(0, 4, 20)
    asked = torch.from_numpy(scores).requires_grad_()
    expected = functional.cross_entropy(asked, torch.from_numpy(labels), label_smoothing=smoothing)
    expected.backward()

    loss, gradient = loss_and_gradient(scores, labels, smoothing)

    assert loss == pytest.approx(float(expected.detach()), rel=1e-5)
    assert asked.grad is not None
    assert gradient == pytest.approx(asked.grad.numpy(), abs=1e-6)


@pytest.mark.parametrize("kind", ["adam", "adamw", "sgd"])
def test_optimizers_take_the_steps_of_torchs(kind: str) -> None:
    rng = np.random.default_rng(3)
    weight, bias = rng.normal(size=(2, 6)).astype(np.float32), rng.normal(size=2).astype(np.float32)
    values = {"weight": weight.copy(), "bias": bias.copy()}
    twins = {name: torch.from_numpy(value.copy()).requires_grad_() for name, value in values.items()}
    groups = [{"params": [twins["weight"]], "weight_decay": 0.15}, {"params": [twins["bias"]], "weight_decay": 0.0}]
    optimizer: torch.optim.Optimizer = {
        "adam": lambda: torch.optim.Adam(groups, lr=0.01),
        "adamw": lambda: torch.optim.AdamW(groups, lr=0.01),
        "sgd": lambda: torch.optim.SGD(groups, lr=0.01, momentum=0.9, nesterov=True),
    }[kind]()
    descent = Descent(kind, 0.15)

    for _ in range(20):
        gradients = {name: rng.normal(size=value.shape).astype(np.float32) for name, value in values.items()}
        for name, twin in twins.items():
            twin.grad = torch.from_numpy(gradients[name])
        optimizer.step()
        descent.step(values, gradients, 0.01)

    for name, value in values.items():
        assert value == pytest.approx(twins[name].detach().numpy(), abs=1e-5)
