"""The network that a run learns or looks with: built, with its first weights, and divided into frozen and learning."""

import math
from typing import Any

import numpy as np
import torch
from torch import nn

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.distributed.ranks import by_first
from catdog_gui.engine.errors import ConfigError
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.networks.catalog import SPECS, Network, Upper
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.preparing.stores import has_room

VARIATIONS = "variations"  # the fact of a run that says how many it stores
Array = np.ndarray[Any, np.dtype[Any]]


def learning_stage(config: TrainConfig) -> int:
    """The stage from which learning starts."""
    return 0 if config.learns_all else SPECS[config.model].upper_from


def stored_stage(config: TrainConfig) -> int:
    """The stage whose input is computed once and stored; 0: the photos themselves."""
    return 0 if config.stores_photos else learning_stage(config)


def variations_with_room(setup: Setup, shape: tuple[int, ...]) -> int:
    """How many varied versions of each photo to store: those of the settings, none where the disk has no room for them.

    shape: of what the frozen stages give for one picture. A run that goes on keeps to what it began with: a version's
    number would otherwise mean another one.
    """
    if setup.start is not None:
        return int(setup.before.get(VARIATIONS, 0))
    count = setup.config.stored_variations
    size = 2 * len(setup.scan.paths) * (1 + count) * math.prod(shape)  # float16
    if count and not by_first(setup.ranks, lambda: has_room(size)):
        setup.report.say(events.Notice("variations_left_out", {"count": count, "needed_gb": size / 2**30}))
        count = 0
    return count


def learning_module(network: Network, stored: int) -> nn.Module:
    """What a step runs through: the stages from `stored` on, and the head."""
    return Upper(network, stored) if stored else network


def frozen_shape(network: Network, first: int, image_size: int) -> tuple[int, ...]:
    """Shape of what the stages before `first` give for one photo."""
    with torch.inference_mode():
        black = torch.zeros((1, image_size, image_size, 3), dtype=torch.uint8)
        return tuple(network.features(black, last=first).shape[1:])


def build_network(setup: Setup) -> Network:
    """The network with its first weights, seeded. Raises ConfigError no_pretrained, CatDogError, Stopped."""
    config = setup.config
    torch.manual_seed(config.seed)
    dropout = 0.2 if config.learns_all and config.pretrained else 0.0
    network = networks.build(config.model, len(setup.scan.classes), image_size=config.image_size, dropout=dropout)
    if setup.start is not None and setup.before.get("threads"):
        torch.set_num_threads(int(setup.before["threads"]))  # sums are exact for the same number of threads only
    setup.facts |= {"threads": torch.get_num_threads()}
    if config.pretrained:
        if not networks.has_pretrained(config.model):
            raise ConfigError("no_pretrained", "pretrained", model=config.model)
        networks.load_pretrained(
            network,
            config.model,
            on_progress=setup.report.fetched,
            should_stop=setup.should_stop,
        )
    network.checkpointing = config.checkpointing
    return network


def stage_tensors(network: Network) -> dict[str, Array]:
    """The stages' state by name, float32."""
    return {
        name: value.detach().float().cpu().numpy()
        for name, value in network.stages.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
