"""The report about this computer: the contract's keys, the article's checks, and a text for people."""

import json

import pytest
import torch

from catdog_gui.engine import devices
from catdog_gui.engine.devices import nvidia
from catdog_gui.engine.devices.nvidia import Card

DEVICE_KEYS = {"id", "name", "works", "reason", "next_step", "memory_mb", "compute_capability", "precisions"}


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "cards", list)
    monkeypatch.setattr(nvidia, "has_driver", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)


@pytest.fixture
def wrong_torch(no_card: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commonest case on Windows: a card with its driver, and a torch without CUDA."""
    monkeypatch.setattr(nvidia, "cards", lambda: [Card("NVIDIA GeForce RTX 3060", "581.10", 12288.0, (8, 6))])
    monkeypatch.setattr(nvidia, "has_driver", lambda: True)
    monkeypatch.setattr(torch.version, "cuda", None)
    monkeypatch.setattr(torch.backends.cudnn, "version", lambda: None)


def test_the_report_has_the_contracts_keys_and_can_be_a_json_line() -> None:
    report = json.loads(json.dumps(devices.computer_report(), allow_nan=False))

    assert report["torch"] == torch.__version__
    assert {"torch_cuda", "cudnn", "driver", "devices"} <= report.keys()
    assert all(device.keys() >= DEVICE_KEYS for device in report["devices"])
    assert report["best"] in [device["id"] for device in report["devices"] if device["works"]]


def test_the_report_answers_the_articles_checks(no_card: None) -> None:
    checks = devices.computer_report()["checks"]

    assert checks["cuda_available"] is False
    assert checks["device_count"] == 0
    assert checks["device_names"] == []
    assert checks["compute_capabilities"] == []


def test_the_text_names_processor_memory_python_and_torch() -> None:
    report = devices.computer_report()
    text = devices.report_text(report)

    for part in (
        report["torch"],
        report["computer"]["processor"],
        report["computer"]["python"],
        "Self-test",
        "PySide6",
    ):
        assert part in text
    assert "None" not in text


def test_a_card_that_cannot_be_used_is_explained_with_the_command(wrong_torch: None) -> None:
    report = devices.computer_report()
    text = devices.report_text(report)

    assert report["driver"] == "581.10"
    assert "NVIDIA GeForce RTX 3060 (cuda:0)" in text
    assert "the installed PyTorch was built without CUDA" in text
    assert "--index-url https://download.pytorch.org/whl/cu130" in text
    assert report["best"] == "cpu"


def test_a_torch_for_cuda_on_a_computer_without_driver_is_mentioned(
    no_card: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)

    report = devices.computer_report()

    assert report["hint"]["code"] == "no_card_found"
    assert report["hint"]["message"] in devices.report_text(report)


def test_a_torch_that_raises_at_every_question_still_gives_a_report(
    no_card: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raises(*_: object) -> None:
        raise RuntimeError("CUDA driver initialization failed")

    for name in ("is_available", "device_count", "get_arch_list", "get_device_name"):
        monkeypatch.setattr(torch.cuda, name, raises)

    report = devices.computer_report()
    text = devices.report_text(report)

    assert report["checks"]["cuda_available"] is None
    assert "CUDA available  unknown" in text
    assert "CUDA driver initialization failed" in text


@pytest.mark.parametrize(("number", "words"), [(92400, "9.24.0"), (8907, "8.9.7"), (90100, "9.1.0")])
def test_cudnns_version_is_written_as_people_write_it(
    number: int, words: str, monkeypatch: pytest.MonkeyPatch, no_card: None
) -> None:
    monkeypatch.setattr(torch.backends.cudnn, "version", lambda: number)

    assert devices.computer_report()["cudnn"] == words
