"""Memory that runs out, at every place where a run needs it: the ladder, and what is left behind."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from catdog_gui.engine import events
from catdog_gui.engine.answers.predict import load_model
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.devices import DeviceInfo, cpu_device
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.learning import first_head
from catdog_gui.engine.learning.trainer import Trainer
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.networks.features import TorchEngine
from catdog_gui.engine.training.run import fit, resume

Patch = pytest.MonkeyPatch


def out_of_memory() -> Exception:
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def settings(data: Path, run: Path, name: str = "article", **changes: Any) -> TrainConfig:
    base = dataclasses.replace(preset(name), data=data, run=run, image_size=32, device="cpu", workers=2, epochs=1)
    return dataclasses.replace(base, **{"batch_size": 16, "precision": "fp32", **changes})


def run_of(config: TrainConfig) -> tuple[events.RunResult, list[str]]:
    said: list[events.Event] = []
    result = fit(config, said.append)
    return result, [event.code for event in said if isinstance(event, events.Notice)]


def failing(times: int, work: Callable[..., Any]) -> Callable[..., Any]:
    """`work`, which runs out of memory so many times first."""
    left = [times]

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise out_of_memory()
        return work(*args, **kwargs)

    return wrapped


@pytest.mark.parametrize(
    ("place", "owner", "name"),
    [
        ("forward", networks.Network, "forward"),
        ("backward", torch.Tensor, "backward"),
        ("optimizer step", torch.optim.Adam, "step"),
        ("validation", Trainer, "validate"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_run_ends_well_wherever_memory_ran_out(
    place: str, owner: Any, name: str, tiny_dataset: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(owner, name, failing(2, getattr(owner, name)))

    result, codes = run_of(settings(tiny_dataset, tmp_path / "run"))

    assert result.status == "completed"
    assert codes == ([] if place == "validation" else ["memory_freed", "batch_halved"])
    assert load_model(tmp_path / "run", device="cpu").predict(next(tiny_dataset.rglob("*.jpg"))).probabilities


def test_the_first_look_at_the_photos_ends_well_too(tiny_dataset: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(first_head.BatchLoader, "__iter__", failing(1, first_head.BatchLoader.__iter__))

    result, _ = run_of(settings(tiny_dataset, tmp_path / "run", "balanced"))

    assert result.status == "completed"


def test_features_are_computed_in_halves(monkeypatch: Patch) -> None:
    network = networks.build("mobilenet_v3_small", 2, image_size=32)
    state = network.stages.state_dict()
    tensors = {key: value.numpy() for key, value in state.items() if not key.endswith("num_batches_tracked")}
    engine = TorchEngine("mobilenet_v3_small", tensors, 32, "cpu", "fp32", None)
    photos = np.random.default_rng(0).integers(0, 256, (8, 32, 32, 3), np.uint8)

    def answers() -> np.ndarray[Any, Any]:
        found: dict[int, Any] = {}
        engine.run(enumerate(photos), found.__setitem__)
        return np.stack([found[number] for number in range(8)])

    whole, computed, sizes = answers(), engine._computed, []

    def small_only(batch: Any) -> Any:
        sizes.append(len(batch))
        if len(batch) > 2:
            raise out_of_memory()
        return computed(batch)

    monkeypatch.setattr(engine, "_computed", small_only)

    assert answers() == pytest.approx(whole, abs=1e-4)
    assert sizes == [8, 4, 2, 2, 4, 2, 2]
    engine.close()


def bf16_cpu() -> DeviceInfo:
    return dataclasses.replace(cpu_device(), precisions=("fp32", "bf16"))


def test_the_ladder_is_climbed_to_its_top_and_the_smaller_network_is_named(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: Patch
) -> None:
    from catdog_gui.engine.training import run as training

    monkeypatch.setattr(training.devices, "resolve", lambda _name: bf16_cpu())
    monkeypatch.setattr(torch.Tensor, "backward", failing(10**9, torch.Tensor.backward))
    said: list[events.Event] = []
    config = settings(tiny_dataset, tmp_path / "run", model="resnet18", pretrained=False, batch_size=4)

    with pytest.raises(CatDogError) as caught:
        fit(config, said.append)

    codes = [event.code for event in said if isinstance(event, events.Notice)]
    assert codes == ["memory_freed", "batch_halved_statistics", "checkpointing_on", "precision_lowered"]
    assert (caught.value.code, caught.value.fields["smaller"]) == ("out_of_memory", "mobilenet_v3_small")


def test_a_second_run_in_the_same_process_works(tiny_dataset: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(torch.Tensor, "backward", failing(10**9, torch.Tensor.backward))
        with pytest.raises(CatDogError):
            fit(settings(tiny_dataset, tmp_path / "first"))

    assert run_of(settings(tiny_dataset, tmp_path / "second"))[0].status == "completed"


def test_losses_of_twenty_steps_are_those_of_the_undivided_batch(tiny_dataset: Path, tmp_path: Path) -> None:
    def losses(name: str, parts: int) -> list[float]:
        said: list[events.Event] = []
        fit(settings(tiny_dataset, tmp_path / name, epochs=7, accumulate=parts, learning_rate=1e-4), said.append)
        return [event.loss for event in said if isinstance(event, events.StepDone) and event.loss is not None][:20]

    assert losses("parts", 4) == pytest.approx(losses("whole", 1), abs=1e-4)


_LIMITED = """
import json, resource, sys
from pathlib import Path
from catdog_gui.engine.config import from_json
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.learning import network_learner
from catdog_gui.engine.training import run as training
codes = []
def emit(event):
    codes.append(getattr(event, "code", ""))
    if getattr(event, "phase", None) == "train" and type(event).__name__ == "PhaseStarted":
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + int(sys.argv[2]), -1))
try:
    result = training.fit(from_json(json.loads(sys.argv[1])), emit)
    print(json.dumps([result.status, [code for code in codes if code]]))
except CatDogError as error:
    print(json.dumps([error.code, [code for code in codes if code]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS and /proc")
def test_whatever_a_real_limit_of_memory_does_to_the_process_the_run_can_go_on(
    tiny_dataset: Path, tmp_path: Path
) -> None:
    network: dict[str, Any] = {"model": "resnet18", "pretrained": False}
    config = settings(tiny_dataset, tmp_path / "run", image_size=160, batch_size=64, **network)
    command = [sys.executable, "-c", _LIMITED, json.dumps(config.to_json()), str(300 * 2**20)]

    child = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    if child.returncode == 0:
        status, codes = json.loads(child.stdout.splitlines()[-1])
        assert status in ("completed", "out_of_memory")
        assert "memory_freed" in codes
    else:  # torch's own libraries do not survive every failed allocation
        assert child.returncode < 0, child.stderr[-2000:]
    assert resume(tmp_path / "run").status == "completed"
