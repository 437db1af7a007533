"""A step that is left between two layers: soon, and without a trace."""

import contextlib
import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from catdog_gui.engine import Trainer
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.first_head import features_of
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.networks.catalog import Network
from catdog_gui.engine.preparing.stores import ArrayStore

Batch = tuple[torch.Tensor, torch.Tensor]


class _Passing(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: torch.Tensor, came_back: Callable[[], None]) -> torch.Tensor:
        context.came_back = came_back
        return x.clone()

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Any:
        context.came_back()
        return gradients[0], None


class Gate(nn.Module):
    """Changes nothing; writes down each pass, and presses Stop in the one that it is told."""

    def __init__(self, name: str, passes: list[str], *, stop_at: str = "") -> None:
        super().__init__()
        self.name, self.passes, self.stop_at = name, passes, stop_at

    def note(self, way: str) -> None:
        self.passes.append(f"{self.name} {way}")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.note("forward")
        result: torch.Tensor = _Passing.apply(x, lambda: self.note("backward"))  # type: ignore[no-untyped-call]
        return result


def gated(passes: list[str]) -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        Gate("first", passes),
        nn.Linear(8, 16),
        nn.BatchNorm1d(16),
        Gate("middle", passes),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(16, 2),
        Gate("last", passes),
    )


def batches(count: int = 4) -> list[Batch]:
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(8, 8, generator=generator), torch.arange(8) % 2) for _ in range(count)]


def train(model: nn.Module, data: list[Batch], optimizer: torch.optim.Optimizer, stop: Callable[[], bool]) -> int:
    """Steps done until the end, or until it stopped."""
    done: list[int] = []
    trainer = Trainer(model, data, [], device="cpu", on_step=lambda step: done.append(step.number), should_stop=stop)
    with contextlib.suppress(Stopped):
        trainer.train_epoch(optimizer)
    return len(done)


def everything(model: nn.Module, optimizer: torch.optim.Optimizer) -> list[torch.Tensor]:
    moments = [value for state in optimizer.state.values() for value in state.values()]
    return [value.detach().clone() for value in (*model.state_dict().values(), *moments)] + [torch.get_rng_state()]


def same(some: list[torch.Tensor], others: list[torch.Tensor]) -> bool:
    return len(some) == len(others) and all(torch.equal(a, b) for a, b in zip(some, others, strict=True))


@pytest.mark.parametrize("pressed_in", ["first forward", "middle forward", "last backward", "middle backward"])
def test_after_a_stop_no_further_layer_is_computed(pressed_in: str) -> None:
    passes: list[str] = []
    model = gated(passes)

    done = train(model, batches(), torch.optim.Adam(model.parameters()), lambda: pressed_in in passes)

    assert done == 0
    assert passes[-1] == pressed_in


@pytest.mark.parametrize("pressed_in", ["first forward", "middle forward", "last backward", "middle backward"])
def test_a_step_that_was_left_and_done_later_ends_as_if_it_had_never_been_left(pressed_in: str) -> None:
    passes: list[str] = []
    model = gated(passes)
    other = copy.deepcopy(model)
    optimizer, others = (torch.optim.Adam(made.parameters(), 0.1) for made in (model, other))
    torch.manual_seed(5)
    train(other, batches(), others, lambda: False)
    expected = everything(other, others)
    torch.manual_seed(5)

    done = train(model, batches(), optimizer, lambda: passes.count(pressed_in) == 3)
    assert done == 2
    assert all(value.grad is None for value in model.parameters())
    passes.clear()
    train(model, batches()[done:], optimizer, lambda: False)

    assert same(everything(model, optimizer), expected)


def test_checking_photos_is_left_between_layers_too() -> None:
    passes: list[str] = []
    model = gated(passes)
    trainer = Trainer(model, [], batches(), device="cpu", should_stop=lambda: "middle forward" in passes)

    with pytest.raises(Stopped):
        trainer.validate()

    assert passes == ["first forward", "middle forward"]


@pytest.mark.parametrize("pressed_in", ["early forward", "late backward"])
def test_a_network_that_computes_its_activations_twice_is_left_the_same_way(pressed_in: str) -> None:
    passes: list[str] = []
    torch.manual_seed(0)
    early = nn.Sequential(nn.Flatten(), nn.Linear(12, 4), nn.BatchNorm1d(4), Gate("early", passes))
    network = Network(nn.Sequential(early, nn.Sequential(nn.ReLU(), Gate("late", passes))), 4, 2)
    network.checkpointing = True
    photos = [(torch.randint(0, 256, (4, 2, 2, 3), dtype=torch.uint8), torch.arange(4) % 2)]
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    before = everything(network, optimizer)

    train(network, photos, optimizer, lambda: pressed_in in passes)

    assert passes[-1] == pressed_in
    assert same(everything(network, optimizer), before)
    assert early[2].momentum == 0.1


def test_nothing_is_left_in_a_model_that_was_trained() -> None:
    model = gated([])

    train(model, batches(), torch.optim.SGD(model.parameters(), 0.1), lambda: False)

    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in model.modules())


def test_the_look_before_fine_tuning_is_left_between_layers_too() -> None:
    passes: list[str] = []
    model = gated(passes)
    head = model[6]
    assert isinstance(head, nn.Linear)
    store = ArrayStore(np.random.default_rng(0).standard_normal((16, 8)).astype(np.float16))
    loader = BatchLoader(store, np.arange(16) % 2, np.arange(16), 8, torch.device("cpu"))
    with pytest.raises(Stopped):
        features_of(model, head, loader, "fp32", lambda _done, _total: None, lambda: "middle forward" in passes)

    assert passes == ["first forward", "middle forward"]
    assert not any(layer._forward_pre_hooks or layer._forward_hooks for layer in model.modules())
    features, labels = features_of(model, head, loader, "fp32", lambda _done, _total: None, lambda: False)
    assert (features.shape, labels.tolist()) == ((16, 16), [0, 1] * 8)
