"""How long one piece of training takes on a device: warmed up, synchronized, repeated; and the memory it takes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from catdog_gui.engine import devices
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.devices import DeviceInfo
from catdog_gui.engine.errors import Stopped

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, np.dtype[Any]]
LEAST, MOST = 5, 50  # timed pieces of a row
ENOUGH_S = 3.0  # of timing, once there are LEAST pieces
LONGEST_S = 25.0  # of timing, after which two pieces must do
WARM_UP_S = 1.0  # at least one piece; a card takes longer to find its pace


@dataclass(frozen=True, slots=True)
class Piece:
    """What every device trains. photos: uint8 (N, S, S, 3); labels: int64 (N,); total: photos of the dataset."""

    config: TrainConfig
    classes: int
    photos: Array
    labels: Array
    total: int


@dataclass(frozen=True, slots=True)
class Timing:
    """seconds: of each timed piece; peak_mb: MiB."""

    seconds: list[float]
    peak_mb: float | None


def train(
    piece: Piece, device: DeviceInfo, precision: str, tell: Callable[[int], None], should_stop: Callable[[], bool]
) -> Timing:
    """Train the piece on a device until its pace is known. Raises Stopped within a layer, and what torch raises."""
    devices.free_memory(device.id)
    devices.reset_peak(device.id)
    peak = _Peak(device.id)
    step = _make_step(piece, device, precision, should_stop)

    def look(count: int) -> None:
        peak.look()
        tell(count)

    try:
        seconds = timed(
            step,
            synchronize=lambda: synchronize(device.id),
            after=look,
            should_stop=should_stop,
        )
    finally:
        del step
        devices.free_memory(device.id)
    return Timing(seconds, peak.mb)


class _Peak:
    """The most memory that a device was seen to take; where torch keeps no peak (MPS) the driver's pool tells it."""

    def __init__(self, device_id: str) -> None:
        self._device = device_id
        self.mb: float | None = None

    def look(self) -> None:
        sample = devices.memory_sample(self._device)
        now = sample.peak_mb if sample.peak_mb is not None else sample.reserved_mb
        if now is not None:
            self.mb = max(now, self.mb or 0.0)


def timed(
    step: Callable[[], object],
    *,
    synchronize: Callable[[], None],
    after: Callable[[int], object],
    should_stop: Callable[[], bool],
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Seconds of each piece. Warm-up is not counted, and the device has finished whenever the clock is read."""
    began = clock()
    while True:
        step()
        synchronize()
        if clock() - began >= WARM_UP_S:
            break
    after(0)
    seconds: list[float] = []
    while not _enough(seconds):
        if should_stop():
            raise Stopped
        synchronize()
        start = clock()
        step()
        synchronize()
        seconds.append(clock() - start)
        after(len(seconds))
    return seconds


def _enough(seconds: Sequence[float]) -> bool:
    spent, count = sum(seconds), len(seconds)
    return (count >= LEAST and spent >= ENOUGH_S) or count >= MOST or (count >= 2 and spent >= LONGEST_S)


def synchronize(device_id: str) -> None:
    """Wait until the device has done all that was asked of it; the CPU works at once."""
    import torch

    kind = device_id.partition(":")[0]
    if kind == "cuda":
        torch.cuda.synchronize(device_id)
    elif kind == "mps":
        torch.mps.synchronize()


def _make_step(
    piece: Piece, device: DeviceInfo, precision: str, should_stop: Callable[[], bool]
) -> Callable[[], object]:
    """One optimizer step of the piece, as a run would do it on this device."""
    import torch

    from catdog_gui.engine.learning.optim import make_optimizer
    from catdog_gui.engine.learning.trainer import Trainer
    from catdog_gui.engine.networks import catalog as networks
    from catdog_gui.engine.networks.precision import tune

    config = piece.config
    torch.manual_seed(config.seed)
    tune(torch.device(device.id))
    network = networks.build(config.model, piece.classes, image_size=config.image_size)
    network.train()
    network.to(device.id).to(memory_format=torch.channels_last)
    _leave_between_layers(network.stages, should_stop)
    optimizer = make_optimizer(network, config, device.kind)
    photos, labels = torch.from_numpy(piece.photos), torch.from_numpy(piece.labels)
    if device.kind == "cuda":
        photos, labels = photos.pin_memory(), labels.pin_memory()
    trainer = Trainer(network, [(photos, labels)], [], device=device, precision=precision, should_stop=should_stop)
    return lambda: trainer.train_epoch(optimizer)


def _leave_between_layers(stages: "torch.nn.Sequential", should_stop: Callable[[], bool]) -> None:
    """A step takes seconds on a processor: Stop is heard between its layers, on the way forth and back."""

    def look(*_: object) -> None:
        if should_stop():
            raise Stopped

    for stage in stages:
        stage.register_forward_pre_hook(look)
        stage.register_full_backward_pre_hook(look)
