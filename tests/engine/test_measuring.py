"""The self-measurement: what it finds, that it is short, that it can be stopped."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from catdog_gui.engine.config import preset
from catdog_gui.engine.devices import cpu_device
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.estimates import machine, measuring
from catdog_gui.engine.estimates.estimate import KINDS
from catdog_gui.engine.estimates.measuring import measure_all, reading_s, step_cost
from catdog_gui.engine.photos.recipe import Recipe


def test_a_measured_step_is_one_of_the_network_that_learns() -> None:
    config = replace(preset("article"), image_size=32)
    cost = step_cost(config, cpu_device(), "fp32", batch=4, checked=True)

    assert cost.photos == 4
    assert 0 < cost.check_s < 5
    assert 0 < cost.step_s < 5


def test_what_was_measured_is_kept_for_the_next_estimate(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "preset", lambda name: replace(preset(name), image_size=32))
    monkeypatch.setattr(measuring, "Recipe", lambda _size=32, fit="crop": Recipe(32, fit))
    photos = sorted(tiny_dataset.rglob("*.jpg"))

    machine.measure(cpu_device(), "fp32", tiny_dataset, photos)

    found = machine.known("cpu", "fp32", tiny_dataset)
    assert found.measured
    assert set(found.factors) <= {"features", "upper", "whole", "small_cnn"}
    assert found.reading_ms is not None
    assert 0 < found.reading_ms < 1000


def test_without_time_left_the_rest_is_left_out(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_features_factor", lambda *_: 1.5)
    monkeypatch.setattr(measuring, "_step_factor", lambda *_: pytest.fail("no time is left for it"))

    found = measure_all(cpu_device(), "fp32", sorted(tiny_dataset.rglob("*.jpg")), KINDS, 0.0)

    assert found is not None
    assert found.factors == {"features": 1.5}


def test_a_part_that_fails_is_left_out(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> float:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(measuring, "_features_factor", lambda *_: 1.5)
    monkeypatch.setattr(measuring, "_step_factor", fail)

    found = measure_all(cpu_device(), "fp32", sorted(tiny_dataset.rglob("*.jpg")), KINDS, 60.0)

    assert found is not None
    assert found.factors == {"features": 1.5}


def test_it_can_be_stopped_and_keeps_nothing_then(tiny_dataset: Path) -> None:
    with pytest.raises(Stopped):
        machine.measure(cpu_device(), "fp32", tiny_dataset, sorted(tiny_dataset.rglob("*.jpg")), lambda: True)
    assert not machine.known("cpu", "fp32", tiny_dataset).measured


def test_unreadable_photos_give_no_figures(tmp_path: Path, make_dataset: Callable[..., Path]) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no photo")

    assert measure_all(cpu_device(), "fp32", [tmp_path / "a.jpg"], KINDS, 5.0) is None
    _, found = reading_s([tmp_path / "gone.jpg"], Recipe(32), lambda: False)
    assert found == []


def test_a_busy_computer_is_not_taken_for_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program takes three quarters of two processors: 8 s pass, in which ours get 4 of 16 core-seconds."""
    now = {"wall": 0.0, "busy": 0.0}
    monkeypatch.setattr(measuring.time, "perf_counter", lambda: now["wall"])
    monkeypatch.setattr(measuring.time, "process_time", lambda: now["busy"])
    monkeypatch.setattr(measuring, "cores", lambda: 2)

    def work() -> None:
        now["wall"] += 8.0
        now["busy"] += 4.0

    assert measuring.Clock().time(work) == pytest.approx(2.3)
    assert measuring.Clock(on_cpu=False).time(work) == 8.0
