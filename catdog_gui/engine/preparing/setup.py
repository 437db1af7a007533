"""What a run works with, once its settings are final."""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.devices import DeviceInfo
from catdog_gui.engine.distributed.ranks import ALONE, Ranks
from catdog_gui.engine.photos.images import Recipe
from catdog_gui.engine.preparing.report import Report
from catdog_gui.engine.runs import runlog

if TYPE_CHECKING:
    from catdog_gui.engine.runs.listing import Listing
    from catdog_gui.engine.training.checkpoint import Checkpoint

ShouldStop = Callable[[], bool]


class NowAndThen:
    """Asks at most 20 times a second: asking the disk for each photo would be felt at 300 photos a second.

    for_good: after a yes it does not ask again.
    """

    def __init__(self, ask: Callable[[], bool], *, for_good: bool = True) -> None:
        self._ask, self._asked_at, self._said, self._for_good = ask, float("-inf"), False, for_good

    def __call__(self) -> bool:
        now = time.perf_counter()
        if not (self._said and self._for_good) and now - self._asked_at >= 0.05:
            self._asked_at, self._said = now, self._ask()
        return self._said


@dataclass(slots=True)
class Setup:
    """What a run works with, once its settings are final."""

    config: TrainConfig
    device: DeviceInfo
    precision: str
    scan: Scan
    folder: runlog.RunFolder
    report: Report
    should_stop: ShouldStop
    started: float
    facts: dict[str, Any] = field(default_factory=dict)
    start: "Checkpoint | None" = None  # where a run that goes on was left
    source: "Checkpoint | None" = None  # the end of another run that this one starts from
    listing: "Listing | None" = None  # the photos of a run that goes on
    ranks: Ranks = ALONE  # the processes that compute it
    before: dict[str, Any] = field(default_factory=dict)  # the facts of a run that goes on, as they were


def started_event(setup: Setup, classes: tuple[str, ...], photos: dict[str, int]) -> events.RunStarted:
    """What the run is; photos: {} until they are prepared."""
    return events.RunStarted(
        run=str(setup.folder.path),
        classes=list(classes),
        device=setup.device.id,
        device_name=setup.device.name,
        precision=setup.precision,
        epochs=setup.config.epochs,
        preset=setup.config.preset,
        model=setup.config.model,
        photos=photos,
        started=setup.started,
    )


def write_config(setup: Setup) -> None:
    """The settings and what they became here (threads, engine, versions) into the run folder.

    root: the photos' folder in full; the setting may have been relative to a folder that nobody knows later.
    """
    facts = {**setup.facts, "root": str(setup.scan.root)}
    setup.folder.write_config(dataclasses.replace(setup.config, run=setup.folder.path), facts)


def feature_kind(setup: Setup, stages: str, engine: str) -> str:
    """What the frozen stages' output is, in words: the same words, the same numbers for the same photo."""
    config = setup.config
    recipe = Recipe(config.image_size, config.fit).to_json()
    return f"{config.model} imagenet stages {stages} {engine} {setup.precision} {recipe}"
