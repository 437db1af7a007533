"""What this computer can compute on and whether it really works."""

import os
import platform
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from catdog_gui.engine import system
from catdog_gui.engine.devices import nvidia
from catdog_gui.engine.devices.memory import empty_cache
from catdog_gui.engine.devices.nvidia import Card
from catdog_gui.engine.devices.placement import forget_optimal
from catdog_gui.engine.devices.self_test import Finding, explain, run_self_test, without_cuda, without_warnings
from catdog_gui.engine.errors import FieldValue
from catdog_gui.engine.messages import sentence

if TYPE_CHECKING:
    import torch

Kind = Literal["cpu", "cuda", "mps"]


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One device. id: "cpu", "cuda:0", "mps"; memory_mb: MiB; precisions: what it really computes in, fp32 first.

    works False: `code`, `fields` say why, `next_code`, `next_fields` the way out (sentences: `reason`, `next_step`).
    """

    id: str
    kind: Kind
    name: str
    works: bool = True
    code: str | None = None
    fields: dict[str, FieldValue] = field(default_factory=dict)
    next_code: str | None = None
    next_fields: dict[str, FieldValue] = field(default_factory=dict)
    memory_mb: float | None = None
    compute_capability: str | None = None
    precisions: tuple[str, ...] = ("fp32",)

    @property
    def reason(self) -> str | None:
        """Why it does not work, in English."""
        return sentence(self.code, self.fields) if self.code else None

    @property
    def next_step(self) -> str | None:
        """What to do about it, in English."""
        return sentence(self.next_code, self.next_fields) if self.next_code else None

    def to_json(self) -> dict[str, Any]:
        """The device as `catdog doctor --json` prints it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "name": self.name,
            "works": self.works,
            "code": self.code,
            "fields": dict(self.fields),
            "reason": self.reason,
            "next_step": self.next_step,
            "memory_mb": round(self.memory_mb) if self.memory_mb is not None else None,
            "compute_capability": self.compute_capability,
            "precisions": list(self.precisions),
        }


def list_devices(*, probe: bool = True) -> list[DeviceInfo]:
    """Every device of this computer, the CPU last; those that fail are among them, with the reason.

    probe: let each compute a small forward and backward pass (seconds on a card); without it what torch claims.
    """
    with without_warnings():
        found = [*_cuda_devices(probe), *_mps_devices(probe), cpu_device(probe=probe)]
    forget_optimal()
    return found


def cpu_device(*, probe: bool = False) -> DeviceInfo:
    """The processor. Without probe torch is not loaded (except on Windows, to know about bf16)."""
    precisions: tuple[str, ...] = ("fp32", "bf16") if system.cpu_computes_bf16() else ("fp32",)
    name, memory = system.cpu_name(), system.ram_mb()
    if probe:
        import torch

        failure = _failure(torch.device("cpu"), Card(name))
        if failure is not None:
            return _failing("cpu", Card(name, memory_mb=memory), failure)
        precisions = _proven(torch.device("cpu"), precisions)
    return DeviceInfo("cpu", "cpu", name, memory_mb=memory, precisions=precisions)


def may_have_accelerator() -> bool:
    """Whether it is worth loading torch to look for something faster than the CPU; milliseconds, without torch."""
    if sys.platform == "darwin":
        return platform.machine() == "arm64"
    return nvidia.has_driver() or Path("/dev/kfd").exists()  # kfd: AMD's compute driver


def _failing(id: str, card: Card, finding: Finding) -> DeviceInfo:  # noqa: A002 -- DeviceInfo's word
    capability = f"{card.capability[0]}.{card.capability[1]}" if card.capability else None
    kind = id.partition(":")[0]
    return DeviceInfo(
        id,
        "cuda" if kind == "cuda" else "mps" if kind == "mps" else "cpu",
        card.name,
        works=False,
        code=finding.code,
        fields=finding.fields,
        next_code=finding.next_code,
        next_fields=finding.next_fields,
        memory_mb=card.memory_mb,
        compute_capability=capability,
        precisions=(),
    )


def _failure(device: "torch.device", card: Card) -> Finding | None:
    """Run the self-test; what its failure means, None where it passes."""
    import torch

    try:
        run_self_test(device)
    except Exception as error:  # noqa: BLE001 -- whatever a driver raises makes the device unusable, not the program
        return explain(error, card, _built_for() if device.type == "cuda" else [], torch.version.cuda)
    finally:
        empty_cache(str(device))
    return None


def _proven(device: "torch.device", precisions: tuple[str, ...]) -> tuple[str, ...]:
    """Those precisions in which the self-test passes."""
    import torch

    dtypes = {"bf16": torch.bfloat16, "fp16": torch.float16}
    passed = ["fp32"]
    for name in precisions[1:]:
        try:
            run_self_test(device, dtypes[name])
        except Exception:  # noqa: BLE001, S112 -- it then computes in what is left
            continue
        passed.append(name)
    return tuple(passed)


def _built_for() -> list[str]:
    import torch

    try:
        return [] if torch.version.hip else list(torch.cuda.get_arch_list())
    except Exception:  # noqa: BLE001 -- only makes an explanation poorer
        return []


def _cuda_devices(probe: bool) -> list[DeviceInfo]:
    import torch

    try:
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    except Exception as error:  # noqa: BLE001 -- damaged drivers raise here
        return _unreachable(error)
    return [_cuda_device(number, probe) for number in range(count)] if count else _unreachable(None)


def _unreachable(error: Exception | None) -> list[DeviceInfo]:
    """Cards that the system sees and torch does not; `error`: what torch raised when asked."""
    import torch

    cards = nvidia.cards()
    if error is not None and not cards:
        cards = [Card("NVIDIA")]
    found = []
    for number, card in enumerate(cards):
        finding = _why_unreachable(card, error, torch.version.cuda)
        found.append(_failing(f"cuda:{number}", card, finding))
    forget_optimal()
    return found


def _why_unreachable(card: Card, error: Exception | None, cuda: str | None) -> Finding:
    import torch

    if cuda is None and error is None:
        return without_cuda(card) if nvidia.has_driver() else _no_driver(card)
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    if hidden is not None and error is None and nvidia.has_driver():
        variable = "CUDA_VISIBLE_DEVICES"
        fields: dict[str, FieldValue] = {"name": card.name, "variable": variable, "value": hidden}
        return Finding("card_hidden", fields, "next_unset_variable", {"variable": variable})
    if error is None:
        try:
            torch.cuda.init()  # type: ignore[no-untyped-call]  # says why
        except Exception as reason:  # noqa: BLE001 -- explained below
            error = reason
    return explain(error or RuntimeError("CUDA finds no card"), card, _built_for(), cuda)


def _no_driver(card: Card) -> Finding:
    return Finding("no_driver", {"name": card.name}, "next_install_driver")


def _cuda_device(number: int, probe: bool) -> DeviceInfo:
    """A card that torch lists: NVIDIA's, or AMD's where torch was built for ROCm."""
    import torch

    id = f"cuda:{number}"  # noqa: A001 -- DeviceInfo's word
    try:
        properties = torch.cuda.get_device_properties(number)
        amd = torch.version.hip is not None
        pair = None if amd else (int(properties.major), int(properties.minor))
        card = Card(str(properties.name), None, properties.total_memory / system.MIB, pair)
    except Exception as error:  # noqa: BLE001 -- a card that is lost or too new
        cards = nvidia.cards()
        card = cards[number] if number < len(cards) else Card("NVIDIA")
        return _failing(id, card, explain(error, card, _built_for(), torch.version.cuda))
    real_bf16 = amd or (pair or (0, 0)) >= (8, 0)  # older cards emulate it
    precisions: tuple[str, ...] = ("fp32", "bf16", "fp16") if real_bf16 else ("fp32", "fp16")
    if probe:
        failure = _failure(torch.device(id), card)
        if failure is not None:
            return _failing(id, card, failure)
        precisions = _proven(torch.device(id), precisions)
    capability = f"{pair[0]}.{pair[1]}" if pair else None
    return DeviceInfo(
        id, "cuda", card.name, memory_mb=card.memory_mb, compute_capability=capability, precisions=precisions
    )


def _mps_devices(probe: bool) -> list[DeviceInfo]:
    """Apple's graphics, where torch can use them."""
    import torch

    card = Card(f"{system.cpu_name()} GPU", memory_mb=None)
    try:
        if not torch.backends.mps.is_available():
            return []
        card = Card(card.name, memory_mb=torch.mps.recommended_max_memory() / system.MIB)
    except Exception as error:  # noqa: BLE001 -- as for CUDA
        return [_failing("mps", card, explain(error, card, [], None))]
    precisions: tuple[str, ...] = ("fp32", "fp16")
    if probe:
        failure = _failure(torch.device("mps"), card)
        if failure is not None:
            return [_failing("mps", card, failure)]
        precisions = _proven(torch.device("mps"), precisions)
    return [DeviceInfo("mps", "mps", card.name, memory_mb=card.memory_mb, precisions=precisions)]
