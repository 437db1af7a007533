"""How fast and how large this computer's training is: a self-measurement of a few seconds, on a worker's thread.

It runs the program's own code on a few photos: reading, the frozen stages, one or two optimizer steps of each preset.
"""

import contextlib
import dataclasses
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine import devices
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.devices import DeviceInfo
from catdog_gui.engine.errors import CatDogError, PhotoError, Stopped
from catdog_gui.engine.estimates import costs
from catdog_gui.engine.estimates.estimate import part_of
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Picture, Recipe, decode
from catdog_gui.engine.photos.reading import default_workers, read_ahead
from catdog_gui.engine.system import cores

Array = np.ndarray[Any, np.dtype[Any]]
PHOTOS = 32  # that are read
SMALL_BATCH = 8  # photos of a measured step
_WHOLE = dataclasses.replace(preset("best"), trainable="all")


class Clock:
    """Seconds that work takes on a quiet computer: other programs' share of the processors is taken out.

    Never more than the processors' own time for it, spread over all of them; `share`: how much of them it got, 0..1.
    """

    def __init__(self, *, on_cpu: bool = True) -> None:
        self._cores = cores() if on_cpu else 0
        self.shares: list[float] = []

    def time(self, work: Callable[[], object]) -> float:
        wall, busy = time.perf_counter(), time.process_time()
        work()
        wall, busy = time.perf_counter() - wall, time.process_time() - busy
        if not self._cores:
            return wall
        self.shares.append(min(1.0, busy / max(1e-9, wall * self._cores)))
        return min(wall, _WAITING * busy / self._cores)


_WAITING = 1.15  # no work keeps all processors busy all the time


@dataclass(frozen=True, slots=True)
class StepCost:
    """Seconds of one optimizer step and of one checked batch (0 where it was not wanted); photos: in it."""

    photos: int
    step_s: float
    check_s: float


@dataclass(frozen=True, slots=True)
class Measured:
    """factors: kind -> times the reference's cost; reading_ms: a photo; base_mb: the process without torch."""

    factors: dict[str, float]
    reading_ms: float
    base_mb: float


def measure_all(
    device: DeviceInfo,
    precision: str,
    paths: Sequence[Path],
    kinds: Sequence[str],
    core_seconds: float,
    should_stop: Callable[[], bool] = lambda: False,
) -> Measured | None:
    """What estimates need of these kinds, the quick ones first; None where no photo can be read. Raises Stopped."""
    if set(kinds) - {"features"}:
        import torch  # noqa: F401 -- loading it is no part of the measurement
    began = time.process_time()
    reading, pictures = reading_s(paths[:PHOTOS], Recipe(), should_stop)
    if not pictures:
        return None
    factors: dict[str, float] = {}
    base_mb = _base_mb()
    parts: list[tuple[str, Callable[[], float]]] = [
        ("features", lambda: _features_factor(device, precision, pictures)),
        ("upper", lambda: _step_factor(preset("balanced"), device, precision, should_stop)),
        ("whole", lambda: _step_factor(_WHOLE, device, precision, should_stop)),
        ("small_cnn", lambda: _step_factor(preset("article"), device, precision, should_stop)),
    ]
    for kind, measured in parts:
        if kind not in kinds:
            continue
        if should_stop():
            raise Stopped
        if factors and time.process_time() - began > core_seconds:
            break
        with contextlib.suppress(RuntimeError, MemoryError, CatDogError):  # told from the others then
            factors[kind] = measured()
    return Measured(factors, 1000 * reading, base_mb) if factors else None


def _base_mb() -> float:
    """This process without torch, which a run of the head alone does not load."""
    taken = costs.TORCH_LOADED_MB if "torch" in sys.modules else 0.0
    return max(costs.BASE_MB, devices.process_mb() - taken)


def _features_factor(device: DeviceInfo, precision: str, pictures: Sequence[Picture]) -> float:
    photo_s, _ready_s = features_s(preset("fast"), device, precision, pictures)
    if device.kind == "cpu":
        return 1000 * photo_s / costs.FEATURES_MS["bf16" if precision == "bf16" else "fp32"]
    return 1000 * photo_s / _cost(_WHOLE, precision).check_ms


def _step_factor(config: TrainConfig, device: DeviceInfo, precision: str, should_stop: Callable[[], bool]) -> float:
    """Times the reference's cost of one small step."""
    batch = SMALL_BATCH // 2 if config.augment else SMALL_BATCH
    if device.kind != "cpu":
        batch = 4 * SMALL_BATCH
    cost = _cost(config, precision)
    varied = costs.VARIED_MS if config.augment else 0.0
    usual_ms = cost.step_ms + batch * (cost.photo_ms + varied)
    found = step_cost(config, device, precision, batch=batch, should_stop=should_stop)
    return 1000 * found.step_s / usual_ms


def _cost(config: TrainConfig, precision: str) -> costs.Step:
    part, _kind = part_of(config)
    return part.fp32 if precision == "fp32" else part.bf16


def reading_s(paths: Sequence[Path], recipe: Recipe, should_stop: Callable[[], bool]) -> tuple[float, list[Picture]]:
    """Seconds a photo for reading, hashing and decoding with all threads, and the squares. Raises Stopped."""
    from catdog_gui.engine.datasets.copies import fingerprint
    from catdog_gui.engine.photos.images import digest

    def work(path: Path) -> Picture | None:
        try:
            data = read_bytes(path)
            picture = decode(data, recipe)
        except PhotoError:
            return None
        digest(data)
        fingerprint(picture)
        return picture

    for path in paths[:2]:  # what is loaded at the first photo is not counted
        work(path)
    found: list[Picture] = []

    def read() -> None:
        read_ones = read_ahead(paths, work, workers=default_workers(), should_stop=should_stop)
        found.extend(picture for picture in read_ones if picture is not None)

    return Clock().time(read) / max(1, len(paths)), found


def features_s(
    config: TrainConfig, device: DeviceInfo, precision: str, photos: Sequence[Picture]
) -> tuple[float, float]:
    """Seconds a photo of the frozen stages in a steady run, and seconds to make their engine ready."""
    from catdog_gui.engine.networks.features import make_engine

    tensors, last = _frozen(config)
    began = time.perf_counter()
    engine = make_engine(config.model, tensors, config.image_size, device.id, precision, last)
    ready_s = time.perf_counter() - began
    try:
        engine.run(enumerate(photos[: len(photos) // 4]), _drop)  # warm-up
        clock, half = Clock(on_cpu=device.kind == "cpu"), max(1, len(photos) // 2)
        halves = [photos[:half], photos[-half:]]
        times = [clock.time(lambda part=part: engine.run(enumerate(part), _drop)) for part in halves]  # type: ignore[misc]
        return min(times) / half, ready_s
    finally:
        engine.close()


def _drop(_number: int, _output: Array) -> None:
    """Nobody wants it."""


def _frozen(config: TrainConfig) -> tuple[dict[str, Array], int | None]:
    """The frozen stages' tensors and their number, None: all. Without torch for the bundled network's head."""
    from catdog_gui.engine.networks.features import LITE0

    if config.trainable == "head" and config.model == LITE0:
        from catdog_gui.engine.networks.weights import bundled_lite0

        return dict(bundled_lite0()), None
    from catdog_gui.engine.learning.network_setup import learning_stage, stage_tensors
    from catdog_gui.engine.networks import catalog as networks

    network = networks.build(config.model, 2, image_size=config.image_size)
    return stage_tensors(network), None if config.trainable == "head" else learning_stage(config)


def step_cost(
    config: TrainConfig,
    device: DeviceInfo,
    precision: str,
    *,
    batch: int = SMALL_BATCH,
    repeats: int = 1,
    checked: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
) -> StepCost:
    """One step of what learns in a run of `config`, warmed up. Raises Stopped, and what torch raises."""
    from catdog_gui.engine.comparison.timing import synchronize

    with _trainer(config, device, precision, batch, should_stop) as (trainer, optimizer):
        clock = Clock(on_cpu=device.kind == "cpu")

        def time_of(work: Callable[[], object]) -> float:
            if should_stop():
                raise Stopped
            synchronize(device.id)

            def finished() -> None:
                work()
                synchronize(device.id)

            return clock.time(finished)

        steps = [time_of(lambda: trainer.train_epoch(optimizer)) for _ in range(1 + repeats)]
        checks = [time_of(trainer.validate) for _ in range(1 + repeats)] if checked else [0.0, 0.0]
    devices.free_memory(device.id)
    return StepCost(batch, min(steps[1:]), min(checks[1:]))


@contextlib.contextmanager
def _trainer(
    config: TrainConfig, device: DeviceInfo, precision: str, batch: int, should_stop: Callable[[], bool]
) -> Iterator[tuple[Any, Any]]:
    """A trainer of what learns, over one batch of noise, and its optimizer; as `learning` makes them."""
    import torch

    from catdog_gui.engine.learning.loading import BatchLoader
    from catdog_gui.engine.learning.network_setup import learning_module, learning_stage, stored_stage
    from catdog_gui.engine.learning.optim import make_optimizer
    from catdog_gui.engine.learning.trainer import Trainer
    from catdog_gui.engine.networks import catalog as networks
    from catdog_gui.engine.networks.precision import tune
    from catdog_gui.engine.preparing.stores import ArrayStore

    tune(torch.device(device.id))
    network = networks.build(config.model, 2, image_size=config.image_size)
    first, stored = learning_stage(config), stored_stage(config)
    module = learning_module(network, stored)
    size = 0 if stored else config.image_size
    rows = _noise(config, network, stored, batch)
    module.to(device.id)
    network.to(memory_format=torch.channels_last)
    loaders = [
        BatchLoader(
            store=ArrayStore(rows),
            labels=np.arange(batch, dtype=np.int64) % 2,
            members=np.arange(batch),
            batch_size=batch,
            device=torch.device(device.id),
            learning=learning,
            varied=learning and config.augment and bool(size),
            size=size,
        )
        for learning in (True, False)
    ]
    trainer = Trainer(
        module,
        loaders[0],
        loaders[1],
        device=device,
        precision=precision,
        should_stop=should_stop,
        set_mode=lambda: networks.set_learning(network, first, keep_statistics=config.pretrained),
    )
    yield trainer, make_optimizer(network, config, device.kind)


def _noise(config: TrainConfig, network: Any, first: int, batch: int) -> Array:  # noqa: ANN401 -- engine.networks.Network
    from catdog_gui.engine.learning.network_setup import frozen_shape

    random = np.random.default_rng(0)
    if first:
        return random.random((batch, *frozen_shape(network, first, config.image_size)), np.float32).astype(np.float16)
    recipe = Recipe(config.image_size, config.fit)
    side = recipe.margin_size if config.augment else recipe.size
    return random.integers(0, 256, (batch, side, side, 3), np.uint8)
