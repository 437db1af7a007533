"""Optimizers of torch by name, and their state as named tensors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.networks.catalog import Network

Array = np.ndarray[Any, np.dtype[Any]]


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


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Array]:
    """Its state by "number of the weight.name", copied; nothing before the first step."""
    return {
        f"{number}.{name}": value.detach().to("cpu", copy=True).numpy()
        for number, parts in optimizer.state_dict()["state"].items()
        for name, value in parts.items()
        if isinstance(value, torch.Tensor)
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Array]) -> None:
    """Put back what `optimizer_tensors` gave. Raises ValueError, IndexError for what is not this optimizer's."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    learned = [value for group in optimizer.param_groups for value in group["params"]]
    for key, value in tensors.items():
        number, _, name = key.partition(".")
        stored, like = torch.from_numpy(value), learned[int(number)]
        fits = stored.shape == like.shape and stored.dtype == like.dtype
        if not fits and (name != "step" or stored.numel() != 1 or not stored.is_floating_point()):
            raise ValueError(f"optimizer.{key}")  # fused optimizers read beyond what is too short
        if stored.shape == like.shape:  # laid out as the weights are: fused optimizers walk both in one go
            stored = torch.empty_like(like, dtype=stored.dtype).copy_(stored)
        state.setdefault(int(number), {})[name] = stored
    if state and (len(state) != len(learned) or len({frozenset(names) for names in state.values()}) != 1):
        raise ValueError("optimizer")
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
