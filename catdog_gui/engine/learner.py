"""What learns in a run: a linear head over stored features, the upper stages, or the whole network."""

from typing import Any

import numpy as np
import torch
from torch import nn

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.networks import SPECS, Network, Upper, set_learning

Array = np.ndarray[Any, np.dtype[Any]]


class StandardizedHead(nn.Module):
    """The head over features brought to mean 0 and deviation 1, which makes its problem well conditioned."""

    mean: torch.Tensor
    scale: torch.Tensor

    def __init__(self, head: nn.Linear) -> None:
        super().__init__()
        self.head = head
        self.register_buffer("mean", torch.zeros(head.in_features))
        self.register_buffer("scale", torch.ones(head.in_features))

    def standardize(self, features: Array) -> None:
        """Take mean and deviation from training features (N, F), read in pieces."""
        count, total, squares = 0, 0.0, 0.0
        for start in range(0, len(features), 4096):
            piece = features[start : start + 4096].astype(np.float64)
            count += len(piece)
            total = total + piece.sum(axis=0)
            squares = squares + np.square(piece).sum(axis=0)
        mean = total / count
        deviation = np.sqrt(np.maximum(squares / count - np.square(mean), 0))
        self.mean.copy_(torch.as_tensor(mean))
        self.scale.copy_(torch.as_tensor(deviation + 1e-3))  # a dead feature stays harmless

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        scores: torch.Tensor = self.head((features - self.mean) / self.scale)
        return scores

    def folded(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Weight (C, F) and bias (C,) of the same head over plain features."""
        weight = self.head.weight.detach() / self.scale
        return weight, self.head.bias.detach() - weight @ self.mean


class Learner:
    """The network, its learning part (`module`, over the store's rows) and what the model file gets of it.

    first: the stage from which learning starts; 0 = the whole network, over photos; all stages = only the head.
    """

    def __init__(self, network: Network, config: TrainConfig) -> None:
        self.network = network
        self.first = learning_stage(config, len(network.stages))
        self.head_only = self.first == len(network.stages)
        self._keep_statistics = config.pretrained
        if config.pretrained:
            nn.init.zeros_(network.head.weight)
            nn.init.zeros_(network.head.bias)
        set_learning(network, self.first, keep_statistics=config.pretrained)
        self.module: nn.Module = self._module()

    def _module(self) -> nn.Module:
        if self.head_only:
            return StandardizedHead(self.network.head)
        return Upper(self.network, self.first) if self.first else self.network

    def frozen_shape(self, image_size: int) -> tuple[int, ...]:
        """Shape of what the frozen stages give for one photo."""
        if self.head_only:
            return (self.network.head.in_features,)
        with torch.inference_mode():
            black = torch.zeros((1, image_size, image_size, 3), dtype=torch.uint8)
            return tuple(self.network.features(black, last=self.first).shape[1:])

    def set_mode(self) -> None:
        """Training mode with the frozen parts as they are."""
        set_learning(self.network, self.first, keep_statistics=self._keep_statistics)

    def use_classes(self, classes: int) -> None:
        """A new head: some class was left out after its photos were read."""
        self.network.head = nn.Linear(self.network.head.in_features, classes)
        if self._keep_statistics:
            nn.init.zeros_(self.network.head.weight)
            nn.init.zeros_(self.network.head.bias)
        self.module = self._module()

    def state(self) -> dict[str, torch.Tensor]:
        """A copy, on the CPU, of what learns."""
        return {name: value.detach().to("cpu", copy=True) for name, value in self.module.state_dict().items()}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        self.module.load_state_dict(state)

    def tensors(self) -> dict[str, Array]:
        """The model file's tensors: stages and head, float32."""
        state = self.network.state_dict()
        if isinstance(self.module, StandardizedHead):
            state["head.weight"], state["head.bias"] = self.module.folded()
        return {
            name: value.detach().float().cpu().numpy()
            for name, value in state.items()
            if not name.endswith("num_batches_tracked")
        }


def learning_stage(config: TrainConfig, stages: int) -> int:
    """The stage from which learning starts."""
    return {"head": stages, "upper": SPECS[config.model].upper_from, "all": 0}[config.trainable]
