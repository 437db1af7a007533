"""The batches of a run: how large, how they reach the device."""

import torch
from torch import nn

from catdog_gui.engine import devices, events
from catdog_gui.engine.distributed.ranks import dealt
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.staging import CudaWay
from catdog_gui.engine.learning.trainer import takes_statistics
from catdog_gui.engine.photos.reading import tells_of_slow
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup

_CARD_SHARE = 0.25  # of the free memory: activations need far more than the photos


def make_loaders(
    setup: Setup, module: nn.Module, prepared: Prepared, *, squares: bool, versions: int = 0
) -> tuple[BatchLoader, BatchLoader]:
    """Batches to learn from, and to check with. module: what learns, in its mode; squares: the store holds photos.

    versions: how many of a photo each row holds, 0: one, without a dimension for them.
    """
    batch_size = _fitting_batch(setup, module, len(prepared.train))
    way, ranks = _way(setup), setup.ranks
    learned, checked = (
        BatchLoader(
            store=prepared.store,
            labels=prepared.labels,
            members=prepared.train if learning else dealt(prepared.val, ranks),
            shard=(ranks.number, ranks.count) if learning else (0, 1),
            batch_size=batch_size,
            device=torch.device(setup.device.id),
            seed=setup.config.seed,
            learning=learning,
            varied=learning and setup.config.augment and squares,
            size=setup.config.image_size if squares else 0,
            versions=versions,
            way=way,
            on_unpinned=lambda reason: setup.report.say(events.Notice("pin_memory_off", {"reason": reason})),
            on_slow=tells_of_slow(setup.report.say),
            should_stop=setup.should_stop if ranks.count == 1 else lambda: False,  # several stop together
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
        if not devices.is_out_of_memory(error):
            raise
        for loader in loaders:
            loader.leave_card()
        devices.free_memory(setup.device.id)
        kept = 0
    setup.facts["kept_on_card_mb"] = round(kept / 2**20)


def _fitting_batch(setup: Setup, module: nn.Module, most: int) -> int:
    """The batch that was asked for, or the nearest that works with `most` photos to learn from; that is said."""
    wanted = setup.config.batch_size
    least = 2 * setup.ranks.count if takes_statistics(module) else 1
    size = max(least, min(wanted, most))
    if size != wanted:
        code = "batch_lowered" if size < wanted else "batch_raised"
        setup.report.say(events.Notice(code, {"batch_size": size, "photos": most}))
    return size


def _way(setup: Setup) -> CudaWay | None:
    """The way to a card through page-locked memory, unless that is switched off."""
    if setup.config.pin_memory == "off" or setup.device.kind != "cuda":
        return None
    return CudaWay(torch.device(setup.device.id))
