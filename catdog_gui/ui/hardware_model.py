"""The devices of this computer: owns the HardwareState and the job that tests them."""

from PySide6.QtCore import QObject, Signal

from catdog_gui.engine.events import RunFailed
from catdog_gui.session.data import Said
from catdog_gui.session.hardware import Device, HardwareState
from catdog_gui.ui.bridge import Background
from catdog_gui.ui.jobs import Jobs


class HardwareModel(QObject):
    """Signal changed: the state is newer."""

    changed = Signal()

    def __init__(self, background: Background, jobs: Jobs, chosen: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = HardwareState(chosen=chosen)
        self._background = background
        self._jobs = jobs

    def look(self) -> None:
        """Look for devices and try each, as at the start. Does nothing while that goes on."""
        self._test(thorough=False)

    def test(self) -> None:
        """Look again, and try the CPU too. Does nothing while that goes on."""
        self._test(thorough=True)

    def _test(self, *, thorough: bool) -> None:
        if self.state.testing:
            return
        self.state.test()
        self.changed.emit()
        self._background.start(self._jobs.devices(thorough=thorough), self._on_found, self._on_failed)

    def choose(self, device_id: str) -> None:
        """The user picked a device."""
        self.state.choose(device_id)
        self.changed.emit()

    def _on_found(self, devices: tuple[Device, ...]) -> None:
        self.state.found(devices)
        self.changed.emit()

    def _on_failed(self, failure: RunFailed) -> None:
        self.state.failed(Said(failure.code, failure.fields))
        self.changed.emit()
