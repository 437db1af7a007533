"""What a run works with, once its settings are final."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from catdog_gui.engine import events, runlog
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.devices import DeviceInfo
from catdog_gui.engine.report import Report
from catdog_gui.engine.scan_result import Scan

if TYPE_CHECKING:
    from catdog_gui.engine.features import FeatureEngine
    from catdog_gui.engine.networks import Network

ShouldStop = Callable[[], bool]


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
    """The settings and what they became here (threads, engine, versions) into the run folder."""
    setup.folder.write_config(dataclasses.replace(setup.config, run=setup.folder.path), setup.facts)


def engine_for(setup: Setup, network: "Network", last_stage: int) -> "FeatureEngine":
    """The engine for the frozen stages."""
    from catdog_gui.engine.features import make_engine

    tensors = {
        name: value.detach().float().cpu().numpy()
        for name, value in network.stages.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    return make_engine(
        setup.config.model, tensors, setup.config.image_size, setup.device.id, setup.precision, last_stage
    )
