"""What a run's store holds, and the batches that come from it."""

from typing import Any

import numpy as np
import torch

from catdog_gui.engine import devices, events
from catdog_gui.engine.features import engine_name
from catdog_gui.engine.images import Recipe
from catdog_gui.engine.learner import Learner
from catdog_gui.engine.loading import BatchLoader
from catdog_gui.engine.prepare import Prepared, Rows
from catdog_gui.engine.recovery import is_out_of_memory
from catdog_gui.engine.run_setup import Setup, engine_for
from catdog_gui.engine.staging import CudaWay
from catdog_gui.engine.trainer import takes_statistics

Array = np.ndarray[Any, np.dtype[Any]]
_CARD_SHARE = 0.25  # of the free memory: activations need far more than the photos


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
    way = _way(setup)
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
            way=way,
            on_unpinned=lambda reason: setup.report.say(events.Notice("pin_memory_off", {"reason": reason})),
            should_stop=setup.should_stop,
        )
        for learning in (True, False)
    )
    _keep_on_card(setup, (learned, checked))
    return learned, checked


def _keep_on_card(setup: Setup, loaders: tuple[BatchLoader, BatchLoader]) -> None:
    """Rows that fit into a small part of the card's memory stay there: no epoch has to send them again."""
    if setup.device.kind != "cuda":
        return
    most = int(_CARD_SHARE * torch.cuda.mem_get_info(setup.device.id)[0])
    kept = 0
    try:
        for loader in loaders:
            kept += loader.keep_on_card(most - kept)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        for loader in loaders:
            loader.leave_card()
        devices.free_memory(setup.device.id)
        kept = 0
    setup.facts["kept_on_card_mb"] = round(kept / 2**20)


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


def _way(setup: Setup) -> CudaWay | None:
    """The way to a card through page-locked memory, unless that is switched off."""
    if setup.config.pin_memory == "off" or setup.device.kind != "cuda":
        return None
    return CudaWay(torch.device(setup.device.id))
