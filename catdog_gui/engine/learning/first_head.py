"""A head learned on frozen features before anything else moves, so that fine-tuning starts as good as `fast`.

Kumar et al. 2022: a random head would distort the pretrained features. And a stop in the first epoch loses nothing.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from torch import nn

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.linear_head import Descent, LinearHead, loss_and_gradient
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.randomness import plan_batches, shuffled
from catdog_gui.engine.learning.unfinished import stopped_between_layers
from catdog_gui.engine.networks.precision import autocast

Array = np.ndarray[Any, np.dtype[Any]]
_EPOCHS = 15
_BATCH = 64
_RATE = 1e-3
_DECAY = 0.15  # as in the preset `fast`


def features_of(
    module: nn.Module,
    head: nn.Linear,
    loader: BatchLoader,
    precision: str,
    on_progress: Callable[[int, int], None],
    should_stop: Callable[[], bool],
) -> tuple[Array, Array]:
    """(N, F) float16 that `head` gets for the loader's photos, and their labels (N,).

    On the CPU a batch is left between two layers where should_stop says so. Raises Stopped.
    """
    kept: list[torch.Tensor] = []
    labels: list[torch.Tensor] = []
    hook = head.register_forward_pre_hook(lambda _head, inputs: kept.append(inputs[0].half().cpu()))
    module.eval()
    try:
        on_cpu = loader.device.type == "cpu"
        watched = stopped_between_layers(module, should_stop) if on_cpu else nullcontext()
        with torch.inference_mode(), autocast(loader.device, precision), watched:
            for inputs, target in loader:
                if should_stop():
                    raise Stopped
                module(inputs)
                labels.append(target.cpu())
                on_progress(sum(len(part) for part in labels), len(loader.members))
    finally:
        hook.remove()
    if not kept:  # every photo is gone
        return np.zeros((0, head.in_features), np.float16), np.zeros(0, np.int64)
    return torch.cat(kept).numpy(), torch.cat(labels).numpy()


def learn_head(head: nn.Linear, features: Array, labels: Array, *, seed: int, should_stop: Callable[[], bool]) -> None:
    """Put into `head` the linear layer that `fast` would have learned. Raises Stopped."""
    found = LinearHead.zeros(head.in_features, head.out_features)
    everyone = np.arange(len(labels))
    found.standardize(features, everyone)
    descent, values = Descent("adam", _DECAY), {"weight": found.weight, "bias": found.bias}
    for epoch in range(1, _EPOCHS + 1):
        rate = _RATE * (1 - (epoch - 1) / _EPOCHS)
        for members in plan_batches(shuffled(seed, epoch, everyone), _BATCH):
            if should_stop():
                raise Stopped
            inputs = found.standard(features[members])
            _, error = loss_and_gradient(inputs @ found.weight.T + found.bias, labels[members], 0.0)
            descent.step(values, {"weight": error.T @ inputs, "bias": error.sum(axis=0)}, rate)
    weight, bias = found.folded()
    with torch.no_grad():
        head.weight.copy_(torch.from_numpy(weight))
        head.bias.copy_(torch.from_numpy(bias))
