"""What the screens say of the time and memory that each preset will take here. Neither torch nor Qt."""

from dataclasses import dataclass, field
from pathlib import Path

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.estimates.estimate import KINDS, Estimate, Machine, estimate
from catdog_gui.engine.estimates.machine import Past, probably_cached
from catdog_gui.session.hardware import Device


@dataclass(frozen=True, slots=True)
class Here:
    """What an estimate is for. memory_mb: the card's, None on the CPU."""

    device: str
    precision: str
    folder: Path
    memory_mb: float | None = None


def precision_of(wanted: str, device: Device) -> str:
    """The number format that a run will compute in, as `engine.devices.choose_precision` has it."""
    if wanted != "auto":
        return wanted
    if "bf16" in device.precisions:
        return "bf16"
    return "fp16" if device.kind == "cuda" and "fp16" in device.precisions else "fp32"


_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)  # what a person says before "s" or "min"


@dataclass(slots=True)
class EstimateState:
    """Owner: the window; changed only by its methods. machine: None until what is known was read.

    free_mb: memory that a run could have, with what this program holds already; None where that is not known.
    """

    machine: Machine | None = None
    runs: tuple[Past, ...] = ()
    measuring: bool = False
    free_mb: float | None = None
    _kept: dict[tuple[object, ...], Estimate] = field(default_factory=dict)

    def know(self, machine: Machine, runs: tuple[Past, ...], free_mb: float | None) -> None:
        """What is known of the chosen device is there."""
        self.machine, self.runs, self.free_mb = machine, runs, free_mb
        self._kept.clear()

    def forget(self) -> None:
        """Another device was chosen; nothing is said until it is known."""
        self.machine = None
        self._kept.clear()

    def lacks(self, *, with_network: bool) -> bool:
        """Whether a measurement would tell something. with_network: steps of a network are of interest."""
        if self.machine is None:
            return False
        wanted = KINDS if with_network else KINDS[:1]
        return not set(wanted) <= set(self.machine.factors)

    def of(self, config: TrainConfig, photos: int) -> Estimate | None:
        """What a run will take; None where nothing worth saying is known yet."""
        if self.machine is None or not self.machine.measured or not photos:
            return None
        key = (config, photos)
        if key not in self._kept:
            cached = probably_cached(config, config.data, self.machine, self.runs)
            self._kept[key] = estimate(config, photos, self.machine, cached=cached)
        return self._kept[key]

    def too_large(self, found: Estimate | None) -> bool:
        """Whether a run needs more memory than is free."""
        return found is not None and self.free_mb is not None and found.needed_mb > self.free_mb


def rounded(seconds: float) -> tuple[int, str]:
    """A time as a person says it before it is over: (10, "s"), (3, "min"), (2, "h"). At least a second."""
    for unit, size in (("s", 1.0), ("min", 60.0)):
        count = seconds / size
        if count < 55:
            return min(_STEPS, key=lambda step: abs(step - max(1.0, count))), unit
    hours = seconds / 3600
    return max(1, round(hours)), "h"


def minutes_text(seconds: float) -> str:
    """ "10 s", "3 min", "2 h"."""
    count, unit = rounded(seconds)
    return f"{count} {unit}"
