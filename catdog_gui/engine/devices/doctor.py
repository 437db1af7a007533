"""What this computer has, for `catdog doctor` and Help > This computer."""

import platform
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import catdog_gui
from catdog_gui.engine import system
from catdog_gui.engine.devices import nvidia
from catdog_gui.engine.devices.choice import resolve
from catdog_gui.engine.devices.listing import DeviceInfo, list_devices
from catdog_gui.engine.devices.self_test import without_warnings
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.messages import sentence

T = TypeVar("T")
_PACKAGES = (  # what this program stands on: name to show, distributions that provide it
    ("torchvision", ("torchvision",)),
    ("openvino", ("openvino",)),
    ("pyside6", ("PySide6-Essentials", "PySide6")),
    ("pillow", ("pillow",)),
    ("simplejpeg", ("simplejpeg",)),
    ("numpy", ("numpy",)),
    ("safetensors", ("safetensors",)),
)
_SHOWN = {"pyside6": "PySide6", "openvino": "OpenVINO", "pillow": "Pillow", "numpy": "NumPy"}


def computer_report() -> dict[str, Any]:
    """Everything that `catdog doctor --json` prints: the contract's keys, and more.

    checks: the article's (is CUDA available, how many cards, name, compute capability, cuDNN). best: the device "auto"
    takes. hint: code, message and next_step of what is worth knowing though no device fails; None where nothing is.
    """
    import torch

    devices = list_devices()
    cuda = _cuda_facts()
    return {
        "torch": str(torch.__version__),
        "torch_cuda": torch.version.cuda,
        "torch_rocm": torch.version.hip,
        "cudnn": cuda["cudnn"],
        "driver": nvidia.driver_version(),
        "devices": [device.to_json() for device in devices],
        "best": _best(devices),
        "hint": _hint(devices),
        "checks": cuda,
        "computer": _computer(),
        "versions": {"catdog_gui": catdog_gui.__version__, **_versions()},
    }


def _best(devices: list[DeviceInfo]) -> str | None:
    try:
        return resolve("auto", devices=devices).id
    except CatDogError:
        return None


def _cuda_facts() -> dict[str, Any]:
    """What torch itself says about CUDA; each answer None where torch raises instead."""
    import torch

    def names() -> list[str]:
        return [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]

    def capabilities() -> list[str]:
        return [
            ".".join(str(part) for part in torch.cuda.get_device_capability(i))
            for i in range(torch.cuda.device_count())
        ]

    with without_warnings():
        return {
            "cuda_available": _answer(torch.cuda.is_available),
            "device_count": _answer(torch.cuda.device_count),
            "device_names": _answer(names),
            "compute_capabilities": _answer(capabilities),
            "built_for": _answer(torch.cuda.get_arch_list),
            "cudnn": _answer(_cudnn),
            "mps_available": _answer(torch.backends.mps.is_available),
        }


def _answer(question: Callable[[], T]) -> T | None:
    try:
        return question()
    except Exception:  # noqa: BLE001 -- a damaged driver or torch must not end the report about it
        return None


def _cudnn() -> str | None:
    """cuDNN's version as people write it: 92400 is 9.24.0, 8907 is 8.9.7."""
    import torch

    version = torch.backends.cudnn.version()  # type: ignore[no-untyped-call]
    if version is None:
        return None
    major, rest = divmod(int(version), 10_000 if version >= 90_000 else 1000)
    return f"{major}.{rest // 100}.{rest % 100}"


def _hint(devices: list[DeviceInfo]) -> dict[str, Any] | None:
    """Why there is no card in the list at all, where that can surprise: a torch for CUDA, and no driver."""
    import torch

    if any(device.kind != "cpu" for device in devices) or torch.version.cuda is None or nvidia.has_driver():
        return None
    return {
        "code": "no_card_found",
        "message": sentence("no_card_found", {"cuda": torch.version.cuda}),
        "next_step": sentence("next_install_driver_if_card"),
    }


def _computer() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "executable": sys.executable,
        "processor": system.cpu_name(),
        "cores": system.cores(),
        "ram_mb": round(system.ram_mb()),
    }


def _versions() -> dict[str, str | None]:
    return {name: next(_installed(packages), None) for name, packages in _PACKAGES}


def _installed(packages: tuple[str, ...]) -> Iterator[str]:
    from importlib import metadata  # slow to load, and only the report needs it

    for package in packages:
        try:
            yield metadata.version(package)
        except metadata.PackageNotFoundError:
            continue


def report_text(report: dict[str, Any]) -> str:
    """The report as plain text for people: a heading and aligned lines a part, to read and to paste into a message."""
    parts = [
        _section("This computer", _computer_rows(report["computer"])),
        _section("PyTorch", _torch_rows(report)),
        *(_section(f"{device['name']} ({device['id']})", _device_rows(device, report)) for device in report["devices"]),
        _section("Versions", _version_rows(report["versions"])),
    ]
    hint = report["hint"]
    if hint:
        parts.insert(2, f"{hint['message']} {hint['next_step']}")
    return "\n\n".join(parts)


def _section(title: str, rows: list[tuple[str, str]]) -> str:
    width = max(len(name) for name, _ in rows)
    return "\n".join([title, *(f"  {name:<{width}}  {value}" for name, value in rows)])


def _version_rows(versions: dict[str, str | None]) -> list[tuple[str, str]]:
    return [(_SHOWN.get(name, name), version or "not installed") for name, version in versions.items()]


def _computer_rows(computer: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("System", computer["system"]),
        ("Processor", f"{computer['processor']}, {computer['cores']} cores"),
        ("Memory", _gb(computer["ram_mb"])),
        ("Python", f"{computer['python']} ({computer['executable']})"),
    ]


def _torch_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    checks = report["checks"]
    rows = [
        ("Version", report["torch"]),
        ("Built for", _built_for(report)),
        ("CUDA available", _yes(checks["cuda_available"])),
        ("CUDA cards", "unknown" if checks["device_count"] is None else str(checks["device_count"])),
        ("cuDNN", report["cudnn"] or "none"),
        ("NVIDIA driver", report["driver"] or "none"),
    ]
    return [*rows, ("MPS available", "yes")] if checks["mps_available"] else rows


def _built_for(report: dict[str, Any]) -> str:
    if report["torch_rocm"]:
        return f"ROCm {report['torch_rocm']}"
    if report["torch_cuda"] is None:
        return "processors only"
    return " ".join([f"CUDA {report['torch_cuda']}:", *(report["checks"]["built_for"] or [])])


def _device_rows(device: dict[str, Any], report: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("Self-test", "passed" if device["works"] else "failed")]
    if device["id"] == report["best"]:
        rows.append(("Used for “auto”", "yes"))
    if device["reason"]:
        rows.append(("Reason", device["reason"]))
    if device["next_step"]:
        rows.append(("What to do", device["next_step"]))
    if device["memory_mb"] is not None:
        rows.append(("Memory", _gb(device["memory_mb"])))
    if device["compute_capability"]:
        rows.append(("Compute capability", device["compute_capability"]))
    if device["precisions"]:
        rows.append(("Computes in", ", ".join(device["precisions"])))
    return rows


def _gb(mb: float) -> str:
    return f"{mb / 1024:.1f} GB"


def _yes(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"
