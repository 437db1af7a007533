"""The card's benchmark runs to its end where there is no card to measure, and says what is missing."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    path = Path(__file__).parent.parent / "benchmarks" / "gpu.py"
    spec = importlib.util.spec_from_file_location("benchmark_gpu", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "benchmark_gpu", module)  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def test_the_twin_on_the_processor_prints_every_comparison(
    gpu: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--device", "cpu", "--photos", "24", "--seconds", "0.01"])

    assert gpu.main() == 0

    said = capsys.readouterr().out
    rates = [float(rate.replace(",", "")) for rate in re.findall(r"([\d,]+) photos/s +(?:[\d.]+x)? +waits", said)]
    assert len(rates) >= 8
    assert min(rates) > 0
    for words in (
        "on the device already",
        "as the program does",
        "CPU, fp32",
        "a whole run (completed",
        "memory curve: ",
    ):
        assert words in said


def test_without_a_card_it_says_so(
    gpu: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["gpu.py"])
    monkeypatch.setattr(gpu.torch.cuda, "is_available", lambda: False)

    assert gpu.main() == 1
    assert "no CUDA card" in capsys.readouterr().out
