"""A step that is left between two layers, and leaves no trace.

A step of a big network lasts seconds on a CPU; Stop must not wait for it. So `should_stop` is looked at before each
layer, forward and backward. What an unfinished step has moved by then (running statistics, the random numbers of
dropout) is put back; the weights move only after the last look.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from catdog_gui.engine.errors import Stopped


@contextmanager
def stopped_between_layers(model: nn.Module, should_stop: Callable[[], bool]) -> Iterator[None]:
    """While it is entered, passes through `model` raise Stopped soon after should_stop says so, backward ones too."""

    def look(*_: object) -> None:
        if should_stop():
            raise Stopped

    def follow(_layer: nn.Module, _inputs: object, output: Any) -> None:  # noqa: ANN401 -- whatever a layer gives
        if isinstance(output, torch.Tensor) and output.requires_grad:
            output.register_hook(look)  # type: ignore[no-untyped-call]  # before this layer's backward pass

    layers = [layer for layer in model.modules() if not any(True for _ in layer.children())]
    hooks = [layer.register_forward_pre_hook(look) for layer in layers]
    hooks += [layer.register_forward_hook(follow) for layer in layers]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@contextmanager
def all_or_nothing(model: nn.Module) -> Iterator[None]:
    """Where its body raises, the buffers of layers in training mode and the CPU's random numbers are as before.

    Gradients are dropped then. For models on the CPU: on a card the copies would cost more than the rest of the step.
    """
    layers = (layer for layer in model.modules() if layer.training)
    kept = [(value, value.clone()) for layer in layers for value in layer.buffers(recurse=False)]
    random = torch.get_rng_state()
    try:
        yield
    except BaseException:
        with torch.no_grad():
            for value, before in kept:
                value.copy_(before)
        torch.set_rng_state(random)
        model.zero_grad(set_to_none=True)
        raise
