"""The remembered settings while the window is open: changed in memory at once, written a moment later."""

import dataclasses
import logging
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from catdog_gui.engine.errors import CatDogError
from catdog_gui.session import settings
from catdog_gui.session.settings import Settings
from catdog_gui.ui.places import Places

WRITE_MS = 500


class Preferences(QObject):
    """Owner of the Settings. Signal changed: the recent folders are other ones."""

    changed = Signal()

    def __init__(self, now: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now = now
        self.places = Places(now.places, lambda places: self.remember(places=places))
        self._timer = QTimer(self, singleShot=True, interval=WRITE_MS)
        self._timer.timeout.connect(self.write)

    def remember(self, **changes: Any) -> None:  # noqa: ANN401 -- fields of Settings
        self._take(dataclasses.replace(self.now, **changes))

    def remember_folder(self, folder: Path) -> None:
        self._take(self.now.with_recent(folder))
        self.changed.emit()

    def remember_overrides(self, preset: str, values: dict[str, Any]) -> None:
        plain = {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}
        self._take(self.now.with_overrides(preset, plain))

    def write(self) -> None:
        """Write now. A disk that cannot take it is noted in the log: the window works without."""
        self._timer.stop()
        try:
            settings.save(self.now)
        except CatDogError as error:
            logging.getLogger(__name__).warning("settings not written: %s", error)

    def keep_geometry(self, window: QWidget) -> None:
        self.now = dataclasses.replace(self.now, geometry=bytes(window.saveGeometry().toBase64().data()).decode())

    def restore_geometry(self, window: QWidget) -> None:
        if self.now.geometry:
            window.restoreGeometry(QByteArray.fromBase64(self.now.geometry.encode("ascii", "ignore")))

    def _take(self, now: Settings) -> None:
        if now != self.now:
            self.now = now
            self._timer.start()
