"""Optimizers of torch by name."""

import torch

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.networks.catalog import Network


def make_optimizer(network: Network, config: TrainConfig, device_kind: str) -> torch.optim.Optimizer:
    """The optimizer over what learns; norms and biases are not decayed. Fused where torch has it for the device."""
    fused = device_kind in ("cpu", "cuda")
    groups = _groups(network, config)
    if config.optimizer == "sgd":
        return torch.optim.SGD(groups, lr=config.learning_rate, momentum=0.9, nesterov=True, fused=fused)
    kind = torch.optim.Adam if config.optimizer == "adam" else torch.optim.AdamW
    return kind(groups, lr=config.learning_rate, fused=fused)


def _groups(network: Network, config: TrainConfig) -> list[dict[str, object]]:
    learning = [value for value in network.parameters() if value.requires_grad]
    groups: list[dict[str, object]] = []
    for decay, chosen in (
        (config.weight_decay, [value for value in learning if value.ndim > 1]),
        (0.0, [value for value in learning if value.ndim <= 1]),
    ):
        if chosen:
            groups.append({"params": chosen, "weight_decay": decay})
    return groups


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Set the rate of the coming step."""
    for group in optimizer.param_groups:
        group["lr"] = rate
