"""Between the chosen photos, device and settings and what they will take: asks the EstimateModel, shows its answer."""

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from catdog_gui.engine.config import PRESETS, TrainConfig, preset
from catdog_gui.engine.errors import ConfigError
from catdog_gui.engine.estimates.estimate import Estimate
from catdog_gui.session.estimates import Here, precision_of
from catdog_gui.session.hardware import ALL
from catdog_gui.ui.estimate_words import estimate_line, memory_line, short_time

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class EstimateWishes(QObject):
    """Owner: the window. Nothing is measured while a run or a comparison of devices lives."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.estimates.changed.connect(self.show_estimates)
        window.data.changed.connect(self.look)
        window.hardware.changed.connect(self.look)
        window.run.ended.connect(self.look)
        window.runPhaseChanged.connect(lambda _phase: self.look())
        window.comparison.changed.connect(self.look)
        window.train_panel.settings_changed.connect(self.look)
        window.train_panel.preset_chosen.connect(lambda _name: self.look())

    def look(self) -> None:
        """Something that the estimates hang on is another one, or may be."""
        window = self._window
        if window.run.is_live or window.comparison.state.running:
            window.estimates.leave()
            return
        here = self._here()
        config = self._config(window.train_panel.preset_id)
        with_network = here is not None and config is not None and config.trainable != "head"
        window.estimates.want(here, with_network=with_network)
        self.show_estimates()

    def _here(self) -> Here | None:
        window = self._window
        data, hardware = window.data.state, window.hardware.state
        config = self._config(window.train_panel.preset_id)
        if not data.ready or data.folder is None or not hardware.tested or config is None:
            return None
        device = hardware.current
        if device.id == ALL:  # told for one of them: never less than it takes
            device = next(item for item in hardware.devices if item.kind == "cuda" and item.works)
        memory = device.memory_mb if device.kind != "cpu" else None
        return Here(device.id, precision_of(config.precision, device), data.folder, memory)

    def _config(self, name: str) -> TrainConfig | None:
        """The settings of a preset with the user's changes; None where one of them cannot be used."""
        window = self._window
        chosen = name == window.train_panel.preset_id
        changes = window.train_panel.form.values() if chosen else window.preferences.now.overrides.get(name, {})
        try:
            config = dataclasses.replace(preset(name), data=window.data.state.folder, **changes)
            return config.validated()
        except (ConfigError, TypeError):
            return None

    def show_estimates(self) -> None:
        window, state = self._window, self._window.estimates.state
        dataset = window.data.state.dataset
        photos = sum(dataset.classes.values()) if dataset is not None and window.data.state.ready else 0
        found: dict[str, Estimate | None] = {
            name: state.of(config, photos) for name in PRESETS if (config := self._config(name)) is not None
        }
        times = {name: short_time(item.total_s) for name, item in found.items() if item is not None}
        current = found.get(window.train_panel.preset_id)
        warning = ""
        if current is not None and state.free_mb is not None and state.too_large(current):
            device = window.hardware.state.current
            warning = memory_line(current, state.free_mb, device.name, on_card=device.kind != "cpu")
        measuring = state.measuring and current is None
        window.train_panel.show_estimates(times, estimate_line(current, measuring=measuring), warning)
