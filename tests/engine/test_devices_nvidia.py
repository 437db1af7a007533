"""What is asked of NVIDIA's tools, whatever they answer, and the command that installs the right torch."""

import sys
import time
from pathlib import Path

import pytest

from catdog_gui.engine import system
from catdog_gui.engine.devices import nvidia
from catdog_gui.engine.devices.nvidia import Card

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="fakes nvidia-smi by a shell script")


@pytest.fixture
def smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a fake nvidia-smi is to be put; nothing else of NVIDIA is in this computer."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(nvidia, "_PLACES_OF_SMI", ())
    monkeypatch.setattr(nvidia, "_cards_of_driver", list)
    monkeypatch.setattr(nvidia, "_cards_of_registry", list)
    monkeypatch.setattr(nvidia, "_cards_of_bus", list)
    return tmp_path / "nvidia-smi"


def _script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@posix_only
def test_cards_are_read_from_nvidia_smi(smi: Path) -> None:
    _script(smi, 'echo "NVIDIA GeForce RTX 3060, 552.22, 12288, 8.6"; echo "NVIDIA T4, 552.22, [N/A], 7.5"')

    assert nvidia.cards() == [
        Card("NVIDIA GeForce RTX 3060", "552.22", 12288.0, (8, 6)),
        Card("NVIDIA T4", "552.22", None, (7, 5)),
    ]


@posix_only
def test_an_old_nvidia_smi_without_compute_capability_still_names_the_card(smi: Path) -> None:
    _script(smi, 'case "$1" in *compute_cap*) exit 2;; esac; echo "NVIDIA GeForce GTX 1080, 470.82.01, 8192"')

    assert nvidia.cards() == [Card("NVIDIA GeForce GTX 1080", "470.82.01", 8192.0, None)]


@posix_only
@pytest.mark.parametrize(
    "text",
    [
        "echo 'No devices were found'",
        "echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver'; exit 9",
        "printf '\\377\\376,\\000,x,y\\n,,,\\n'",
        "true",
    ],
)
def test_garbage_of_nvidia_smi_is_no_card(smi: Path, text: str) -> None:
    _script(smi, text)

    assert nvidia.cards() == []


@posix_only
def test_an_nvidia_smi_that_hangs_is_given_up(smi: Path) -> None:
    _script(smi, "exec /bin/sleep 20")
    start = time.monotonic()

    assert nvidia.cards(timeout_s=0.1) == []
    assert time.monotonic() - start < 5


def test_a_missing_nvidia_smi_is_no_card(smi: Path) -> None:
    assert nvidia.cards() == []


def test_a_program_that_cannot_be_started_has_no_answer(tmp_path: Path) -> None:
    assert system.ask([str(tmp_path / "missing")]) is None


@pytest.mark.parametrize(
    ("capability", "driver", "tag"),
    [
        (None, None, "cu130"),
        ((8, 6), "581.10", "cu130"),
        ((8, 6), "552.22", "cu126"),  # the driver is too old for CUDA 13
        ((6, 1), "581.10", "cu126"),  # CUDA 13 left this card behind
        ((12, 0), "552.22", "cu130"),  # needs a newer driver in any case
        ((3, 5), "470.82", None),
    ],
)
def test_the_build_of_torch_suits_card_and_driver(
    capability: tuple[int, int] | None, driver: str | None, tag: str | None
) -> None:
    assert nvidia.wheel_tag(capability, driver) == tag


def test_a_driver_that_runs_no_build_has_to_be_updated_first() -> None:
    assert not nvidia.driver_suffices("470.82", "cu126")
    assert not nvidia.driver_suffices("552.22", "cu130")
    assert nvidia.driver_suffices("552.22", "cu126")
    assert nvidia.driver_suffices(None, "cu130")


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_the_install_command_is_for_this_python_and_replaces_the_torch_that_is_there(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvidia.sys, "platform", platform)
    monkeypatch.setattr(nvidia.sys, "executable", "/home/a b/bin/python")

    command = nvidia.install_command("cu126")

    assert command.startswith('"/home/a b/bin/python" -m pip ')
    assert command.endswith("torch torchvision --index-url https://download.pytorch.org/whl/cu126")
    assert "--force-reinstall" in command or "uninstall -y torch torchvision &&" in command
