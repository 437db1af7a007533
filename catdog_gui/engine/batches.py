"""What a run's store holds, and the batches that come from it."""

from typing import Any

import numpy as np
import torch

from catdog_gui.engine import events
from catdog_gui.engine.features import engine_name
from catdog_gui.engine.images import Recipe
from catdog_gui.engine.learner import Learner
from catdog_gui.engine.loading import BatchLoader
from catdog_gui.engine.prepare import Prepared, Rows
from catdog_gui.engine.run_setup import Setup, engine_for
from catdog_gui.engine.trainer import takes_statistics

Array = np.ndarray[Any, np.dtype[Any]]


def rows_for(setup: Setup, learner: Learner) -> Rows:
    """What the store has to hold for the learner: the frozen stages' output, or squares where nothing is frozen."""
    config = setup.config
    recipe = Recipe(config.image_size, config.fit)
    if learner.first == 0:
        side = recipe.margin_size if config.augment else recipe.size
        return Rows((side, side, 3), margin=config.augment)
    name = engine_name(config.model, setup.device.id)
    setup.facts["engine"] = name
    kind = f"{config.model} imagenet stages {learner.first} {name} {setup.precision} {recipe.to_json()}"
    return Rows(
        shape=learner.frozen_shape(config.image_size),
        kind=kind if config.pretrained else None,
        engine=lambda: engine_for(setup, learner.network, learner.first),
    )


def make_loaders(setup: Setup, learner: Learner, prepared: Prepared) -> tuple[BatchLoader, BatchLoader]:
    """Batches to learn from, and to check with."""
    batch_size = _fitting_batch(setup, learner, len(prepared.train))
    pinned = _can_pin(setup)
    learned, checked = (
        BatchLoader(
            store=prepared.store,
            labels=prepared.labels,
            members=prepared.train if learning else prepared.val,
            batch_size=batch_size,
            device=torch.device(setup.device.id),
            seed=setup.config.seed,
            learning=learning,
            varied=learning and setup.config.augment and learner.first == 0,
            size=setup.config.image_size if learner.first == 0 else 0,
            pinned=pinned,
            should_stop=setup.should_stop,
        )
        for learning in (True, False)
    )
    return learned, checked


def _fitting_batch(setup: Setup, learner: Learner, most: int) -> int:
    """The batch that was asked for, or the nearest that works with `most` photos to learn from; that is said."""
    wanted = setup.config.batch_size
    learner.set_mode()
    least = 2 if not learner.head_only and takes_statistics(learner.module) else 1
    size = max(least, min(wanted, most))
    if size != wanted and not learner.head_only:
        code = "batch_lowered" if size < wanted else "batch_raised"
        setup.report.say(events.Notice(code, {"batch_size": size, "photos": most}))
    return size


def _can_pin(setup: Setup) -> bool:
    """Whether batches go through page-locked memory; where that fails it is said and done without."""
    if setup.config.pin_memory == "off" or setup.device.kind != "cuda":
        return False
    try:
        torch.empty(1).pin_memory()
    except RuntimeError as error:
        setup.report.say(events.Notice("pin_memory_off", {"reason": str(error).splitlines()[0]}))
        return False
    return True
