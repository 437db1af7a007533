"""A run that takes all cards of this computer, each by a process of its own."""

import contextlib
import dataclasses
from pathlib import Path

from catdog_gui.engine import devices, events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.distributed.ranks import Ranks
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.preparing.report import Emit
from catdog_gui.engine.preparing.setup import ShouldStop
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.listing import Policy
from catdog_gui.engine.training import going_on


def cards_for(config: TrainConfig, ranks: Ranks) -> int:
    """How many cards of this computer the run is to take, each by a process of its own; 1: this process computes."""
    if config.device != "all" or ranks.count > 1 or not devices.may_have_accelerator():
        return 1
    return sum(device.kind == "cuda" and device.works for device in devices.list_devices())


def begin(
    folder: runlog.RunFolder,
    config: TrainConfig,
    cards: int,
    emit: Emit,
    should_stop: ShouldStop,
    source: Path | None,
) -> events.RunResult:
    """The run of a new folder; source: the run it starts from. Raises what the run raised, CatDogError."""
    from catdog_gui.engine.distributed.all_cards import run_in_processes

    with folder:
        facts = {} if source is None else {going_on.FROM: str(source.absolute())}
        folder.write_config(dataclasses.replace(config, run=folder.path), facts)
    try:
        return run_in_processes(folder.path, cards, emit, should_stop)
    except CatDogError:
        _take_back(folder.path)
        raise


def _take_back(run: Path) -> None:
    """A folder that holds nothing but the settings we wrote: its photos could not be used, so there is no run."""
    with contextlib.suppress(OSError):
        if (run / runlog.EVENTS).stat().st_size == 0 and not (run / runlog.PHOTOS).exists():
            for name in (runlog.CONFIG, runlog.EVENTS, runlog.LOCK, runlog.STOP):
                (run / name).unlink(missing_ok=True)
            run.rmdir()


def go_on(
    run: Path,
    cards: int,
    emit: Emit,
    should_stop: ShouldStop,
    *,
    policy: Policy,
    replay: bool,
    device: str | None,
) -> events.RunResult:
    """As `resume`."""
    from catdog_gui.engine.distributed.all_cards import run_in_processes

    options = [
        *(["--changed", "keep"] if policy == "keep" else []),
        *(["--replay"] if replay else []),
        *(["--device", device] if device is not None else []),
    ]
    return run_in_processes(run, cards, emit, should_stop, options)
