"""What the window knows about the devices of this computer. Neither torch nor Qt."""

from dataclasses import dataclass

from catdog_gui.session.data import Said


@dataclass(frozen=True, slots=True)
class Device:
    """One device. memory_mb: MiB, None = not known; reason, next_step: only where it does not work.

    tested: it has computed something; else (a CPU alone) it is taken for granted.
    """

    id: str
    kind: str
    name: str
    works: bool
    memory_mb: float | None = None
    precisions: tuple[str, ...] = ()
    reason: Said | None = None
    next_step: Said | None = None
    tested: bool = True


ALL = "all"  # the id of all cards together
LOST = frozenset({"device_gone", "device_broken"})  # how a run ends whose card fails: devices are looked for again
PROCESSOR = Device("cpu", "cpu", "CPU", works=True)  # the one that is always there, shown until all are tested
_ORDER = ("cuda", "mps", "cpu")


def with_all_cards(devices: tuple[Device, ...]) -> tuple[Device, ...]:
    """The devices, and all working CUDA cards together where there are several; their memory is each card's own."""
    cards = [device for device in devices if device.kind == "cuda" and device.works]
    if len(cards) < 2:
        return devices
    least = min((card.memory_mb for card in cards if card.memory_mb is not None), default=None)
    names = ", ".join(dict.fromkeys(card.name for card in cards))
    together = Device(
        ALL, "cuda", f"{len(cards)} × {names}", works=True, memory_mb=least, precisions=cards[0].precisions
    )
    return (*devices, together)


@dataclass(slots=True)
class HardwareState:
    """Owner: the window; changed only by its methods. tested: the list is the outcome of a test, not the start's."""

    devices: tuple[Device, ...] = (PROCESSOR,)
    testing: bool = False
    tested: bool = False
    chosen: str = ""  # the id the user picked, remembered; "" = the best one that works
    failure: Said | None = None

    @property
    def current(self) -> Device:
        """The device that will be used: the chosen one where it works, else the best."""
        working = [device for device in self.devices if device.works]
        for device in working:
            if device.id == self.chosen:
                return device
        ranked = sorted(working, key=lambda device: _ORDER.index(device.kind) if device.kind in _ORDER else 9)
        return ranked[0] if ranked else PROCESSOR

    @property
    def for_training(self) -> str:
        """The setting `device` of a run: "auto" while the list is not known and nothing was chosen."""
        return self.current.id if self.tested or self.chosen == self.current.id else "auto"

    def test(self) -> None:
        self.testing = True
        self.failure = None

    def found(self, devices: tuple[Device, ...]) -> None:
        self.devices = with_all_cards(devices) or (PROCESSOR,)
        self.testing = False
        self.tested = True

    def failed(self, reason: Said) -> None:
        self.testing = False
        self.failure = reason

    def choose(self, device_id: str) -> None:
        self.chosen = device_id
