"""The choice among the devices: the best one, the one a setting means, the number format."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from catdog_gui.engine.devices.listing import DeviceInfo, Kind, cpu_device, list_devices, may_have_accelerator
from catdog_gui.engine.errors import FieldValue, InputError, UsageError
from catdog_gui.engine.messages import sentence

if TYPE_CHECKING:
    import torch

_ORDER: tuple[Kind, ...] = ("cuda", "mps", "cpu")
_NAMES = re.compile(r"auto|all|cpu|mps|cuda(:\d{1,3})?")


def get_optimal_device(devices: Sequence[DeviceInfo] | None = None) -> "torch.device":
    """The best device that works: a CUDA card, then MPS, then the CPU."""
    import torch

    return torch.device(resolve("auto", devices=devices).id)


def resolve(device: str = "auto", *, devices: Sequence[DeviceInfo] | None = None) -> DeviceInfo:
    """The working device that a setting means. "all": the first of the cards that work together.

    devices: those of `list_devices`, looked up where not given ("cpu", and "auto" without any driver: without torch).
    Raises UsageError unknown_device for a name that means nothing, InputError device_unavailable (fields:
    reason_code, reason, next_code, next_step) for one that is not there or does not work.
    """
    wanted = device.strip().lower()
    if not _NAMES.fullmatch(wanted):
        raise UsageError("unknown_device", device=device)
    if devices is None:
        plain = wanted == "cpu" or (wanted in ("auto", "all") and not may_have_accelerator())
        devices = [cpu_device()] if plain else list_devices()
    matching = [item for item in devices if _means(wanted, item)]
    working = [item for item in matching if item.works]
    if working:
        return min(working, key=lambda item: _ORDER.index(item.kind))
    raise _unavailable(wanted, matching, devices)


def _means(wanted: str, item: DeviceInfo) -> bool:
    return wanted in ("auto", "all", item.kind, item.id)


def _unavailable(wanted: str, matching: Sequence[DeviceInfo], devices: Sequence[DeviceInfo]) -> InputError:
    available = ", ".join(item.id for item in devices if item.works) or "–"
    broken = next((item for item in matching if item.code), None)
    code = broken.code if broken and broken.code else "no_such_device"
    fields = broken.fields if broken else {}
    next_code = broken.next_code if broken and broken.next_code else "next_choose_device"
    next_fields = broken.next_fields if broken and broken.next_code else {"available": available}
    details: dict[str, FieldValue] = {**next_fields, **fields, "device": wanted, "available": available}
    details |= {"reason_code": code, "reason": sentence(code, fields)}
    details |= {"next_code": next_code, "next_step": sentence(next_code, next_fields)}
    return InputError("device_unavailable", **details)


def choose_precision(wanted: str, device: DeviceInfo) -> str:
    """The number format to compute in. auto: bf16 where it is real, else fp16 on a CUDA card, else fp32.

    Raises UsageError precision_unsupported where the device lacks the wanted one.
    """
    if wanted == "auto":
        if "bf16" in device.precisions:
            return "bf16"
        return "fp16" if device.kind == "cuda" and "fp16" in device.precisions else "fp32"
    if wanted not in device.precisions:
        available = ", ".join(device.precisions)
        raise UsageError("precision_unsupported", name=device.name, precision=wanted, available=available)
    return wanted
