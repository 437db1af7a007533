"""Does a device really compute? A small forward and backward pass, and what its failure means.

Runs on a worker thread: the first test of a card loads CUDA and cuDNN, which takes seconds.
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from catdog_gui.engine.devices import nvidia
from catdog_gui.engine.devices.nvidia import Card
from catdog_gui.engine.errors import FieldValue

if TYPE_CHECKING:
    import torch

_LONGEST_TEXT = 300


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a device does not work (`code`, `fields`) and the way out (`next_code`, `next_fields`)."""

    code: str
    fields: dict[str, FieldValue] = field(default_factory=dict)
    next_code: str | None = None
    next_fields: dict[str, FieldValue] = field(default_factory=dict)


def run_self_test(device: "torch.device", dtype: "torch.dtype | None" = None) -> None:
    """Forward and backward through a convolution and a linear layer, with autocast to `dtype` where given.

    Raises whatever the device raises; ArithmeticError where the outcome is not finite.
    """
    import torch
    from torch import nn

    with torch.inference_mode(False), torch.enable_grad():
        network = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2)
        ).to(device)
        photos = torch.ones(2, 3, 16, 16, device=device)
        with torch.autocast(device.type, dtype=dtype, enabled=dtype is not None):
            answers = network(photos)
        loss = nn.functional.cross_entropy(answers.float(), torch.zeros(2, dtype=torch.long, device=device))
        loss.backward()  # type: ignore[no-untyped-call]
        total = loss.detach() + sum(p.grad.abs().sum() for p in network.parameters() if p.grad is not None)
        if not bool(torch.isfinite(total)):  # also waits for the card
            raise ArithmeticError("the result is not a number")


@contextmanager
def without_warnings() -> Iterator[None]:
    """torch warns of old drivers and unknown cards where we say it in our own words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def arch_supported(capability: nvidia.Capability, built_for: list[str]) -> bool:
    """Whether code built for these architectures can run on a card.

    sm_XY runs on the same major version from minor Y on (sm_XYa on exactly this one); compute_XY (PTX) is translated
    for every newer card. An empty list says nothing: True.
    """
    return not built_for or any(_runs(capability, arch) for arch in built_for)


def _runs(capability: nvidia.Capability, arch: str) -> bool:
    found = re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", arch)
    if found is None:
        return False
    kind, built, suffix = found.group(1), (int(found.group(2)), int(found.group(3))), found.group(4)
    if suffix == "a":
        return capability == built
    if kind == "compute" and not suffix:
        return capability >= built
    return capability[0] == built[0] and capability[1] >= built[1]


def without_cuda(card: Card) -> Finding:
    """A card, and a torch that was built without CUDA."""
    return Finding("torch_without_cuda", {"name": card.name}, *_install(card))


def _install(card: Card) -> tuple[str, dict[str, FieldValue]]:
    """The way out that consists in another torch, with a newer driver first where that is needed."""
    tag = nvidia.wheel_tag(card.capability, card.driver)
    if tag is None:
        return "next_use_processor", {}
    command = nvidia.install_command(tag)
    if nvidia.driver_suffices(card.driver, tag):
        return "next_install_torch", {"command": command}
    return "next_update_driver_install", {"needed": nvidia.driver_needed(tag), "command": command}


def explain(error: BaseException, card: Card, built_for: list[str], cuda: str | None) -> Finding:
    """What a failure on a card means. built_for: torch's architectures; cuda: the version torch was built with."""
    text = str(error)
    low = text.lower()
    name: dict[str, FieldValue] = {"name": card.name}
    if "not compiled with cuda" in low:
        return without_cuda(card)
    if "found no nvidia driver" in low:
        return Finding("no_driver", name, "next_install_driver")
    if "driver" in low and ("too old" in low or "insufficient" in low):
        return _driver_too_old(text, card, cuda)
    if card.capability is not None and not arch_supported(card.capability, built_for):
        return _arch_not_supported(card, card.capability, built_for)
    if "no kernel image" in low:
        return Finding("no_kernel_image", name, *_install(card))
    if type(error).__name__ == "OutOfMemoryError" or "out of memory" in low:
        return Finding("card_out_of_memory", name, "next_free_memory")
    return Finding("self_test_failed", {**name, "text": _short(error)}, "next_restart")


def _arch_not_supported(card: Card, capability: nvidia.Capability, built_for: list[str]) -> Finding:
    fields: dict[str, FieldValue] = {
        "name": card.name,
        "capability": f"{capability[0]}.{capability[1]}",
        "built_for": ", ".join(built_for),
    }
    return Finding("arch_not_supported", fields, *_install(card))


def _driver_too_old(text: str, card: Card, cuda: str | None) -> Finding:
    found = re.search(r"found version (\d+)", text)
    version = card.driver or (found.group(1) if found else "?")
    fields: dict[str, FieldValue] = {"name": card.name, "driver": version, "cuda": cuda or "?"}
    tag = nvidia.NEWEST_TAG if (cuda or "13").split(".")[0] >= "13" else nvidia.OLDER_TAG
    return Finding("driver_too_old", fields, "next_update_driver", {"needed": nvidia.driver_needed(tag)})


def _short(error: BaseException) -> str:
    """The first line of an error's text, of bearable length."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:_LONGEST_TEXT]
