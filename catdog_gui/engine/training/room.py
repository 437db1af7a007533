"""Whether the disk has room for what a run writes: told before the work, not after it."""

import shutil
from dataclasses import dataclass

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.models import verdicts
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.runs import runlog

_FLOAT = 4  # bytes


@dataclass(frozen=True, slots=True)
class Needed:
    """Bytes of a run's files. weights: of the model file, the least that it takes."""

    weights: int
    model: int
    checkpoint: int

    @property
    def most(self) -> int:
        """At one moment: the model, two checkpoints, and one of them once more while it is written aside."""
        return self.model + 2 * self.checkpoint + max(self.model, self.checkpoint)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Numbers in a network: of all its weights, of those that a checkpoint holds, of those that learn; features."""

    weights: int
    kept: int
    learning: int
    features: int


def check_room(setup: Setup) -> None:
    """Warn where the run's disk may not have room for all it writes. Files of the run that are there count as room.

    Raises CatDogError disk_full where it cannot even take the model.
    """
    folder = setup.folder.path
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        return
    need = needed(setup.config, len(setup.scan.classes), len(setup.scan.paths))
    free_mb = free / 2**20
    if free < need.weights:
        raise CatDogError("disk_full", path=str(setup.folder.model_path), needed_mb=need.model / 2**20, free_mb=free_mb)
    there = sum(
        path.stat().st_size for name in (runlog.MODEL, *runlog.CHECKPOINTS) if (path := folder / name).is_file()
    )
    more = need.most - there
    if free < more:
        setup.report.say(
            events.Notice("room_short", {"path": str(folder), "needed_mb": more / 2**20, "free_mb": free_mb})
        )


def needed(config: TrainConfig, classes: int, photos: int) -> Needed:
    """What the run's files will take, to some hundredths. photos: of the dataset, both sides."""
    sizes = _sizes(config, classes)
    checked = round(photos * config.val_fraction)
    remembered = min(photos, verdicts.MOST_VECTORS)
    model = _FLOAT * sizes.weights + remembered * (2 * sizes.features + 8)
    moments = 1 if config.optimizer == "sgd" else 2
    states = 3 if config.pretrained else 2  # now, the best, and what fine-tuning began with
    answers = checked * (_FLOAT * classes + (0 if config.trainable == "head" else 2 * sizes.features))
    checkpoint = _FLOAT * (states * sizes.kept + moments * sizes.learning) + answers
    return Needed(_FLOAT * sizes.weights, model, checkpoint)


def _sizes(config: TrainConfig, classes: int) -> _Sizes:
    if config.trainable == "head" and config.model == "efficientnet_lite0":  # torch may not be needed at all
        from catdog_gui.engine.networks.lite0_shape import FEATURES
        from catdog_gui.engine.networks.weights import bundled_lite0

        head = (FEATURES + 1) * classes
        return _Sizes(sum(value.size for value in bundled_lite0().values()) + head, head, head, FEATURES)
    import torch
    from torch import nn

    from catdog_gui.engine.learning.network_setup import learning_stage
    from catdog_gui.engine.networks.catalog import build

    with torch.device("meta"):  # shapes only
        network = build(config.model, classes, image_size=config.image_size)

    def count(stages: nn.Module) -> int:
        return sum(value.numel() for value in stages.state_dict().values())

    head, features = count(network.head), network.head.in_features
    weights = count(network.stages) + head
    if config.trainable == "head":
        return _Sizes(weights, head, head, features)
    return _Sizes(weights, weights, count(network.stages[learning_stage(config) :]) + head, features)
