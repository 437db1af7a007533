"""A head learned on frozen features before anything else moves, so that fine-tuning starts as good as `fast`.

Kumar et al. 2022: a random head would distort the pretrained features. And a stop in the first epoch loses nothing.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learner import StandardizedHead
from catdog_gui.engine.loading import BatchLoader
from catdog_gui.engine.precision import autocast, one_thread
from catdog_gui.engine.randomness import plan_batches, shuffled

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
    """(N, F) float16 that `head` gets for the loader's photos, and their labels (N,). Raises Stopped."""
    kept: list[torch.Tensor] = []
    labels: list[torch.Tensor] = []
    hook = head.register_forward_pre_hook(lambda _head, inputs: kept.append(inputs[0].half().cpu()))
    module.eval()
    try:
        with torch.inference_mode(), autocast(loader.device, precision):
            for inputs, target in loader:
                if should_stop():
                    raise Stopped
                module(inputs)
                labels.append(target.cpu())
                on_progress(sum(len(part) for part in labels), len(loader.members))
    finally:
        hook.remove()
    return torch.cat(kept).numpy(), torch.cat(labels).numpy()


def learn_head(head: nn.Linear, features: Array, labels: Array, *, seed: int, should_stop: Callable[[], bool]) -> None:
    """Put into `head` the linear layer that `fast` would have learned. Raises Stopped."""
    device = head.weight.device
    standard = StandardizedHead(nn.Linear(head.in_features, head.out_features))
    nn.init.zeros_(standard.head.weight)
    nn.init.zeros_(standard.head.bias)
    standard.standardize(features)
    with one_thread():
        _adapt(standard, torch.from_numpy(features), torch.from_numpy(labels), seed, should_stop)
    weight, bias = standard.folded()
    with torch.no_grad():
        head.weight.copy_(weight.to(device))
        head.bias.copy_(bias.to(device))


def _adapt(
    standard: StandardizedHead,
    inputs: torch.Tensor,
    targets: torch.Tensor,
    seed: int,
    should_stop: Callable[[], bool],
) -> None:
    groups = [
        {"params": [standard.head.weight], "weight_decay": _DECAY},
        {"params": [standard.head.bias], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.Adam(groups, lr=_RATE)
    for epoch in range(1, _EPOCHS + 1):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - (epoch - 1) / _EPOCHS)
        for members in plan_batches(shuffled(seed, epoch, np.arange(len(targets))), _BATCH):
            if should_stop():
                raise Stopped
            chosen = torch.from_numpy(members)
            loss = functional.cross_entropy(standard(inputs[chosen].float()), targets[chosen])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
