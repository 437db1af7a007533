"""When a run is over its networks and photos are gone, though the window collects garbage much later."""

import dataclasses
import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from catdog_gui.engine import devices, events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.learning.head_learner import HeadLearner
from catdog_gui.engine.learning.network_learner import NetworkLearner
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.preparing.stores import ArrayStore
from catdog_gui.engine.training.run import fit

KINDS = (torch.nn.Module, torch.optim.Optimizer, HeadLearner, NetworkLearner, ArrayStore)


@pytest.fixture(autouse=True)
def _as_in_the_window() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def settings(data: Path, run: Path, name: str) -> TrainConfig:
    base = dataclasses.replace(preset(name), data=data, run=run, image_size=32, device="cpu", workers=2, epochs=1)
    return dataclasses.replace(base, batch_size=16, precision="fp32")


def left() -> list[str]:
    return sorted(type(item).__name__ for item in gc.get_objects() if issubclass(type(item), KINDS))


@pytest.mark.parametrize("name", ["fast", "balanced", "article"])
def test_nothing_is_left_of_a_run_that_came_to_its_end(name: str, tiny_dataset: Path, tmp_path: Path) -> None:
    before = left()

    fit(settings(tiny_dataset, tmp_path / "run", name))

    assert left() == before


@pytest.mark.parametrize("name", ["fast", "article"])
def test_nothing_is_left_of_a_run_that_was_stopped(name: str, tiny_dataset: Path, tmp_path: Path) -> None:
    before, steps = left(), []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.StepDone):
            steps.append(event)

    result = fit(settings(tiny_dataset, tmp_path / "run", name), emit, lambda: bool(steps))

    assert result.status == "stopped"
    assert left() == before


def test_nothing_is_left_after_the_last_rung(tiny_dataset: Path, tmp_path: Path, monkeypatch: Any) -> None:
    before = left()

    def forward(*_args: Any) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    monkeypatch.setattr(networks.Network, "forward", forward)

    with pytest.raises(CatDogError) as caught:
        fit(settings(tiny_dataset, tmp_path / "run", "article"))

    assert caught.value.code == "out_of_memory"
    assert left() == before


@pytest.mark.skipif(sys.platform != "linux", reason="other systems hand memory back by themselves")
def test_memory_that_is_free_goes_back_to_the_system() -> None:
    def resident() -> float:
        return devices.memory_sample("cpu").allocated_mb or 0

    blocks = [np.ones(100_000, np.uint8) for _ in range(2_000)]  # 200 MB in pieces that the heap hands out
    last, high = np.ones(100_000, np.uint8), resident()  # above them all: the heap cannot shrink from its end
    gone = weakref.ref(blocks[0])
    blocks.clear()
    devices.free_memory("cpu")

    assert gone() is None
    assert high - resident() > 150
    assert last.all()
