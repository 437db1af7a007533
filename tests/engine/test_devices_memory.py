"""Memory figures: in MiB, labelled for what they are."""

import gc
import sys
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from catdog_gui.engine import devices, system

MIB = 1024 * 1024


def test_the_cpus_memory_is_the_resident_memory_of_this_process() -> None:
    before = devices.memory_sample("cpu")
    block = np.ones(80 * MIB, np.uint8)
    during = devices.memory_sample("cpu")

    assert (during.kind, during.device, during.reserved_mb) == ("ram", "cpu", None)
    assert during.allocated_mb == during.process_mb
    assert (during.allocated_mb or 0) - (before.allocated_mb or 0) == pytest.approx(80, abs=20)
    assert (during.peak_mb or 0) >= (during.allocated_mb or 0)
    assert (during.total_mb or 0) > (during.allocated_mb or 0)
    assert block.size == 80 * MIB


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can reset a process's peak")
def test_the_peak_of_the_cpu_counts_from_its_reset() -> None:
    block = np.ones(120 * MIB, np.uint8)
    high = devices.memory_sample("cpu").peak_mb or 0
    del block
    devices.reset_peak("cpu")

    assert (devices.memory_sample("cpu").peak_mb or 0) < high - 60


def test_a_cards_memory_has_four_figures_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, mb in (("memory_allocated", 1843), ("memory_reserved", 2048), ("max_memory_allocated", 1900)):
        monkeypatch.setattr(torch.cuda, name, lambda _, mb=mb: mb * MIB)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: SimpleNamespace(total_memory=12288 * MIB))

    sample = devices.memory_sample("cuda:0")

    assert (sample.kind, sample.device) == ("cuda", "cuda:0")
    assert (sample.allocated_mb, sample.reserved_mb, sample.peak_mb, sample.total_mb) == (1843, 2048, 1900, 12288)
    assert (sample.process_mb or 0) > 0


def test_apples_memory_is_labelled_as_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, mb in (
        ("current_allocated_memory", 500),
        ("driver_allocated_memory", 700),
        ("recommended_max_memory", 8000),
    ):
        monkeypatch.setattr(torch.mps, name, lambda mb=mb: mb * MIB)

    sample = devices.memory_sample("mps")

    assert (sample.kind, sample.allocated_mb, sample.reserved_mb, sample.total_mb) == ("mps", 500, 700, 8000)


def test_freeing_memory_does_not_start_cuda(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: False)

    def started() -> None:
        raise AssertionError("CUDA was started")

    monkeypatch.setattr(torch.cuda, "empty_cache", started)

    devices.free_memory("cuda:0")
    devices.free_memory("cpu")


def test_garbage_made_after_the_imports_is_still_collected() -> None:
    class Model:
        def __init__(self) -> None:
            self.me = self  # a cycle: only the collector can free it

    gc.collect()
    devices.freeze_imports()
    try:
        model = weakref.ref(Model())
        devices.free_memory("cpu")
    finally:
        gc.unfreeze()

    assert model() is None


def test_a_containers_limit_counts_where_it_is_below_the_computers_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "read", lambda path: f"{256 * MIB}\n" if path.endswith("memory.max") else None)
    assert system.ram_mb() == 256

    monkeypatch.setattr(system, "read", lambda _: "max\n")
    assert system.ram_mb() > 256
