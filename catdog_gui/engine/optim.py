"""Optimizers, and the learning rate as a pure function of the step."""

import math

import torch
from torch import nn

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.networks import Network

HEAD_FACTOR = 10.0  # a new head over pretrained stages learns this much faster than they do


def learning_rate_factor(step: int, steps: int, *, warmup: float, schedule: str) -> float:
    """0..1, what to multiply the largest learning rate with. step: 0-based; warmup: share of the steps.

    Linear warm-up, then half a cosine to 0 (Loshchilov & Hutter 2017) or constant.
    """
    rising = round(warmup * steps)
    if step < rising:
        return (step + 1) / (rising + 1)
    if schedule == "constant" or steps <= rising:
        return 1.0
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - rising) / (steps - rising))))


def make_optimizer(network: Network, config: TrainConfig, device_kind: str) -> torch.optim.Optimizer:
    """The optimizer over what learns; norms and biases are not decayed. Fused where torch has it for the device."""
    fused = device_kind in ("cpu", "cuda")
    groups = _groups(network, config)
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=config.learning_rate, momentum=0.9, nesterov=True, fused=fused)
    kind = torch.optim.Adam if config.optimizer == "adam" else torch.optim.AdamW
    return kind(groups, lr=config.learning_rate, fused=fused)


def _groups(network: Network, config: TrainConfig) -> list[dict[str, object]]:
    """Groups with `scale`: the share of the learning rate that they take."""
    stages = [value for value in network.stages.parameters() if value.requires_grad]
    over_pretrained = bool(stages) and config.pretrained
    head_scale = HEAD_FACTOR if over_pretrained else 1.0
    groups = []
    for parameters, scale in ((stages, 1.0), (list(network.head.parameters()), head_scale)):
        for decayed in (True, False):
            chosen = [value for value in parameters if (value.ndim > 1) == decayed]
            if chosen:
                decay = config.weight_decay if decayed else 0.0
                groups.append({"params": chosen, "weight_decay": decay, "scale": scale})
    return groups


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the rate of this step; each group takes its share."""
    for group in optimizer.param_groups:
        group["lr"] = rate * group.get("scale", 1.0)


def freed_gradients(module: nn.Module) -> None:
    """Give the gradients' memory back."""
    for value in module.parameters():
        value.grad = None
