"""Which rows a comparison of devices has, and why a row cannot be measured. No torch.

Always: the CPU in fp32 and bf16, each card in fp32 and mixed precision, Apple's graphics. What is missing is a row too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from catdog_gui.engine.devices import DeviceInfo
from catdog_gui.engine.errors import FieldValue


@dataclass(frozen=True, slots=True)
class Facts:
    """What this computer has beside the devices that are listed. cuda_built: torch was built for CUDA (or ROCm)."""

    cuda_built: bool
    has_driver: bool
    apple: bool  # an Apple computer with a processor of Apple's own


@dataclass(frozen=True, slots=True)
class Planned:
    """One row to come. device: None where there is nothing to measure on; code, fields: why."""

    id: str
    name: str
    precision: str
    device: DeviceInfo | None = None
    code: str | None = None
    fields: dict[str, FieldValue] = field(default_factory=dict)


def plan(devices: Sequence[DeviceInfo], facts: Facts) -> list[Planned]:
    """The rows in the order in which they are measured: the CPU in fp32 first, which the others are compared with."""
    rows: list[Planned] = []
    for kind in ("cpu", "cuda", "mps"):
        found = [device for device in devices if device.kind == kind]
        rows += [row for device in found for row in _rows(device)]
        if not found and kind != "cpu":
            rows.append(_missing(kind, facts))
    return rows


def _rows(device: DeviceInfo) -> list[Planned]:
    """Full and mixed precision of one device; one row with the reason where it does not work."""
    if not device.works:
        return [Planned(device.id, device.name, "fp32", code=device.code, fields=device.fields)]
    return [Planned(device.id, device.name, "fp32", device), _mixed(device)]


def _mixed(device: DeviceInfo) -> Planned:
    for precision in ("bf16", "fp16"):
        if precision in device.precisions:
            return Planned(device.id, device.name, precision, device)
    code = "bench_no_bf16" if device.kind == "cpu" else "bench_no_mixed"
    precision = "fp16" if device.kind == "mps" else "bf16"
    return Planned(device.id, device.name, precision, code=code, fields={"name": device.name})


def _missing(kind: str, facts: Facts) -> Planned:
    if kind == "mps":
        return Planned("mps", "Apple GPU", "fp32", code="bench_no_mps_here" if facts.apple else "bench_no_mps")
    if facts.has_driver or not facts.cuda_built:
        code = "bench_no_card" if facts.cuda_built else "bench_no_card_cpu_build"
    else:
        code = "bench_no_driver"
    return Planned("cuda", "NVIDIA", "fp32", code=code)
