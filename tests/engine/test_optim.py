"""The learning rate as a function of the step, and who is decayed."""

import dataclasses
import math
from typing import Any

import pytest
import torch
from torch import nn

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.learning.optim import make_optimizer, set_learning_rate
from catdog_gui.engine.learning.schedule import learning_rate_factor
from catdog_gui.engine.networks.catalog import Network, build, set_learning


def factor(step: int, steps: int = 100, warmup: float = 0.1, schedule: str = "cosine") -> float:
    return learning_rate_factor(step, steps, warmup=warmup, schedule=schedule)


def resnet(first: int = 0) -> Network:
    network = build("resnet18", 2, image_size=32)
    set_learning(network, first, keep_statistics=True)
    return network


def optimizer(network: Network, **settings: Any) -> torch.optim.Optimizer:
    return make_optimizer(network, dataclasses.replace(TrainConfig(), **settings), "cpu")


def test_the_rate_rises_from_near_nothing_to_its_largest_and_falls_to_nothing() -> None:
    assert factor(0) == pytest.approx(1 / 11)
    assert factor(9) == pytest.approx(10 / 11)
    assert factor(10) == 1.0  # the end of warm-up
    assert factor(55) == pytest.approx(0.5)
    assert 0 < factor(99) < 1e-3
    assert factor(100) == pytest.approx(0.0)
    assert factor(250) == pytest.approx(0.0)


def test_the_rate_rises_without_a_stop_and_then_falls_without_one() -> None:
    factors = [factor(step) for step in range(100)]

    assert factors[:11] == sorted(factors[:11])
    assert factors[10:] == sorted(factors[10:], reverse=True)
    assert all(0 <= value <= 1 for value in factors)


def test_a_constant_rate_stays_after_warm_up() -> None:
    assert factor(0, schedule="constant") < 0.1
    assert {factor(step, schedule="constant") for step in range(10, 200)} == {1.0}


@pytest.mark.parametrize("schedule", ["cosine", "constant"])
def test_without_warm_up_the_first_step_has_the_largest_rate(schedule: str) -> None:
    assert factor(0, warmup=0.0, schedule=schedule) == 1.0


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("warmup", [0.0, 0.05, 0.9])
def test_runs_of_a_few_steps_learn_at_all(steps: int, warmup: float) -> None:
    assert all(math.isfinite(factor(step, steps, warmup)) for step in range(steps))
    assert max(factor(step, steps, warmup) for step in range(steps)) > 0.3


@pytest.mark.parametrize("name", ["adam", "adamw", "sgd"])
def test_only_matrices_are_decayed_never_norms_nor_biases(name: str) -> None:
    network = resnet()
    made = optimizer(network, optimizer=name, weight_decay=0.02, trainable="all")

    decay = {id(value): group["weight_decay"] for group in made.param_groups for value in group["params"]}
    for parameter in network.parameters():
        assert decay[id(parameter)] == (0.02 if parameter.ndim > 1 else 0.0)


def test_every_learning_parameter_is_in_one_group_and_frozen_ones_in_none() -> None:
    network = resnet(first=7)
    made = optimizer(network, trainable="upper")

    held = [id(value) for group in made.param_groups for value in group["params"]]
    assert sorted(held) == sorted(id(value) for value in network.parameters() if value.requires_grad)
    assert len(held) < len(list(network.parameters()))


@pytest.mark.parametrize("first", [0, 7, 100])
def test_every_group_learns_at_the_rate_that_is_set(first: int) -> None:
    made = optimizer(resnet(first))

    set_learning_rate(made, 5e-3)

    assert {group["lr"] for group in made.param_groups} == {5e-3}


@pytest.mark.parametrize(
    ("name", "kind"), [("adam", torch.optim.Adam), ("adamw", torch.optim.AdamW), ("sgd", torch.optim.SGD)]
)
def test_a_step_with_each_optimizer_lowers_the_loss(name: str, kind: type) -> None:
    torch.manual_seed(0)
    network = build("small_cnn", 2, image_size=32)
    made = optimizer(network, optimizer=name, learning_rate=1e-3, pretrained=False, trainable="all")
    assert type(made) is kind
    x, y = torch.randint(0, 256, (8, 32, 32, 3), dtype=torch.uint8), torch.arange(8) % 2
    losses = []
    for _ in range(8):
        made.zero_grad()
        loss = nn.functional.cross_entropy(network(x), y)
        loss.backward()  # type: ignore[no-untyped-call]
        made.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
