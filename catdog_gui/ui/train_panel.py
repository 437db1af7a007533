"""The card "Hardware" and "Quality": where to compute, how much work to put in, and the form for all settings."""

import dataclasses
import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from catdog_gui.engine.config import PRESETS, TrainConfig, preset
from catdog_gui.session.hardware import Device, HardwareState
from catdog_gui.ui import text, theme
from catdog_gui.ui.advanced import AdvancedForm
from catdog_gui.ui.text import QT_TRANSLATE_NOOP
from catdog_gui.ui.widgets import Card, label, link, row, set_icon, show_text

# id -> name, and what it does in one plain line
PRESET_WORDS: dict[str, tuple[str, str]] = {
    "fast": (
        QT_TRANSLATE_NOOP("presets", "Fast"),
        QT_TRANSLATE_NOOP("presets", "Ready in seconds, and good for most photos."),
    ),
    "balanced": (
        QT_TRANSLATE_NOOP("presets", "Balanced"),
        QT_TRANSLATE_NOOP("presets", "Takes minutes and learns finer differences."),
    ),
    "best": (
        QT_TRANSLATE_NOOP("presets", "Best"),
        QT_TRANSLATE_NOOP("presets", "Takes longest: learns from photos that are varied again and again."),
    ),
    "article": (
        QT_TRANSLATE_NOOP("presets", "The article's recipe"),
        QT_TRANSLATE_NOOP("presets", "A small network that starts from nothing. For comparing."),
    ),
}
assert set(PRESET_WORDS) == set(PRESETS)


class TrainPanel(Card):
    """Signals, all by the user: device_chosen(str), preset_chosen(str), settings_changed, refresh_requested,
    compare_requested, advanced_toggled(bool)."""

    device_chosen = Signal(str)
    preset_chosen = Signal(str)
    settings_changed = Signal()
    refresh_requested = Signal()
    compare_requested = Signal()
    advanced_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._shown: tuple[Device, ...] = ()
        self.form = AdvancedForm()
        self._add_hardware()
        self._add_quality()
        self._advanced = link("", "advancedButton")
        self._advanced.clicked.connect(lambda: self.open_advanced(self.form.isHidden()))
        self.body.addWidget(self._advanced)
        self.form.changed.connect(self._on_changed)
        self.body.addWidget(self.form)
        self._set_open(False)
        self.show_settings("fast", {})

    def complete(self) -> None:
        """Make the rows of the form, behind the button that folds it out. Does nothing the second time."""
        if not self.form.is_complete:
            self.form.complete()
            stops = [self._advanced, *self.form.stops()]
            for before, after in itertools.pairwise(stops):
                QWidget.setTabOrder(before, after)

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, hardware: HardwareState, *, enabled: bool
    ) -> None:
        """Show the devices. enabled: settings may be changed now."""
        if hardware.devices != self._shown:
            self._shown = hardware.devices
            self._fill_devices()
        with QSignalBlocker(self.devices):
            self.devices.setCurrentIndex(max(0, self.devices.findData(hardware.current.id)))
        self.devices.setToolTip(hardware.current.name)
        self._device_note.setText(self._device_words(hardware))
        show_text(self._broken, "\n".join(self._reason(device) for device in hardware.devices if not device.works))
        for control in (self.devices, self.presets, self.form):
            control.setEnabled(enabled)
        self._refresh.setEnabled(enabled and not hardware.testing)

    def show_estimates(self, times: Mapping[str, str], words: str, warning: str = "") -> None:
        """Say what runs will take. times: preset -> "10 s", of those that are known; words: of the chosen preset.

        warning: why it may not fit into the memory; "" where it does.
        """
        for index in range(self.presets.count()):
            name = str(self.presets.itemData(index))
            title = QCoreApplication.translate("presets", PRESET_WORDS[name][0])
            line = f"{title} · {times[name]}" if name in times else title
            if line != self.presets.itemText(index):
                self.presets.setItemText(index, line)
        show_text(self._estimate, words)
        show_text(self._memory, warning)

    def show_settings(self, name: str, changes: Mapping[str, Any]) -> None:
        """Show a preset and the user's changes of it."""
        with QSignalBlocker(self.presets):
            self.presets.setCurrentIndex(max(0, self.presets.findData(name)))
        self.form.show_settings(name, changes)
        self._show_preset_note()

    def config(self, data: Path | None, device: str, *, use_split: bool) -> TrainConfig:
        """The settings of the next run. Raises ConfigError."""
        base = preset(self.preset_id)
        return dataclasses.replace(
            base, data=data, device=device, use_split=use_split, **self.form.values()
        ).validated()

    def val_fraction(self) -> float | None:
        """The share of photos kept back for checking; None where another folder checks."""
        values = self.form.values()
        if values.get("val") is not None:
            return None
        share = values.get("val_fraction", preset(self.preset_id).val_fraction)
        return share if isinstance(share, float) and 0.0 < share < 1.0 else 0.2

    @property
    def preset_id(self) -> str:
        return str(self.presets.currentData())

    def open_advanced(self, is_open: bool) -> None:
        """Fold the form out or in, and say so."""
        self._set_open(is_open)
        self.advanced_toggled.emit(is_open)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_advanced"):
            self._set_open(not self.form.isHidden())  # the arrow's colour

    def _set_open(self, is_open: bool) -> None:
        if is_open:
            self.complete()
        self.form.setVisible(is_open)
        self._advanced.setText(self.tr("Advanced"))
        self._advanced.setAccessibleName(self.tr("Hide the settings") if is_open else self.tr("Show all settings"))
        self._advanced.setIcon(theme.icon("chevron-down" if is_open else "chevron-right", theme.colours().accent))

    def _add_hardware(self) -> None:
        self.heading.setText(self.tr("Hardware"))
        self._refresh = QPushButton()
        self._refresh.setProperty("look", "link")
        self._refresh.setObjectName("refreshDevicesButton")
        self._refresh.setAccessibleName(self.tr("Look for devices again"))
        self._refresh.setToolTip(self.tr("Look for devices again"))
        self._refresh.setIconSize(QSize(16, 16))
        set_icon(self._refresh, "refresh", "secondary")
        self._refresh.clicked.connect(self.refresh_requested)
        self.compare = link(self.tr("Compare…"), "compareDevicesButton")
        self.compare.setAccessibleName(self.tr("Compare devices"))
        self.compare.setToolTip(self.tr("How fast each device of this computer learns"))
        self.compare.setEnabled(False)  # until there are photos
        self.compare.clicked.connect(self.compare_requested)
        self.body.addLayout(row(self.heading, None, self.compare, self._refresh, gap=theme.M))
        self.devices = _combo("deviceCombo", self.tr("Device to train on"))
        self.devices.activated.connect(lambda _index: self.device_chosen.emit(str(self.devices.currentData())))
        self.body.addWidget(self.devices)
        self._device_note = label("", "secondary", wrap=True, name="deviceNote")
        self.body.addWidget(self._device_note)
        self._broken = label("", "warning", wrap=True, name="deviceProblems")
        self._broken.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.body.addWidget(self._broken)
        self.body.addSpacing(theme.XS)

    def _add_quality(self) -> None:
        self.body.addWidget(label(self.tr("Quality"), "title"))
        self.presets = _combo("presetCombo", self.tr("Quality: how much work to put in"))
        for name, (title, words) in PRESET_WORDS.items():
            self.presets.addItem(QCoreApplication.translate("presets", title), name)
            tip = QCoreApplication.translate("presets", words)
            self.presets.setItemData(self.presets.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.presets.currentIndexChanged.connect(self._on_preset)
        self.body.addWidget(self.presets)
        self._estimate = label("", wrap=True, name="estimateNote")
        self._estimate.hide()
        self.body.addWidget(self._estimate)
        self._memory = label("", "warning", wrap=True, name="memoryWarning")
        self._memory.hide()
        self.body.addWidget(self._memory)
        self._preset_note = label("", "secondary", wrap=True, name="presetNote")
        self.body.addWidget(self._preset_note)

    def _fill_devices(self) -> None:
        with QSignalBlocker(self.devices):
            self.devices.clear()
            for device in self._shown:
                self.devices.addItem(device_line(device), device.id)
                index = self.devices.count() - 1
                tip = device.name if device.works else self._reason(device)
                self.devices.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)
                model = self.devices.model()
                if not device.works and isinstance(model, QStandardItemModel):
                    model.item(index).setEnabled(False)

    def _device_words(self, hardware: HardwareState) -> str:
        if hardware.testing:
            return self.tr("Looking for graphics cards…")
        if hardware.failure is not None:
            return text.say(hardware.failure.code, hardware.failure.fields)
        formats = [name for name in hardware.current.precisions if name != "fp32"]
        if formats:
            words = self.tr("Tested and working, mixed precision ({formats})")
            if not hardware.current.tested:
                words = self.tr("Ready, mixed precision ({formats})")
            return words.format(formats=", ".join(formats))
        if not hardware.tested:
            return ""
        if hardware.current.tested:
            return self.tr("Tested and working")
        return self.tr("No graphics card found") if [device.kind for device in hardware.devices] == ["cpu"] else ""

    def _reason(self, device: Device) -> str:
        parts = [text.say(said.code, said.fields) for said in (device.reason, device.next_step) if said is not None]
        return f"{short_name(device)}: {' '.join(parts)}"

    def _on_preset(self) -> None:
        self._show_preset_note()
        self.preset_chosen.emit(self.preset_id)

    def _on_changed(self) -> None:
        self._show_preset_note()
        self.settings_changed.emit()

    def _show_preset_note(self) -> None:
        words = QCoreApplication.translate("presets", PRESET_WORDS[self.preset_id][1])
        if self.form.values():
            words += " " + self.tr("With your changes under Advanced.")
        self._preset_note.setText(words)


def _combo(name: str, accessible: str) -> QComboBox:
    combo = QComboBox()
    combo.setObjectName(name)
    combo.setAccessibleName(accessible)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(8)
    return combo


def short_name(device: Device) -> str:
    """The name as a person would say it: "RTX 3060", "CPU", "Apple GPU"."""
    if device.kind == "cpu":
        return "CPU"
    name = device.name
    for maker in ("NVIDIA ", "GeForce ", "AMD ", "Radeon "):
        name = name.removeprefix(maker)
    return name


def device_line(device: Device) -> str:
    """The entry of the list: "NVIDIA RTX 3060 · 12 GB", "CPU · Intel Xeon"."""
    name = " ".join(word for word in _plain(device.name).split() if word not in ("CPU", "Processor"))
    if device.kind == "cpu":
        return f"CPU · {name}" if name else "CPU"
    if not device.works:
        return QCoreApplication.translate("TrainPanel", "{name}: cannot be used").format(name=name)
    memory = f" · {text.gigabytes(device.memory_mb, 0)}" if device.memory_mb else ""
    return name + memory


def _plain(name: str) -> str:
    for sign in ("(R)", "(TM)", "(r)", "(tm)", "®", "™"):
        name = name.replace(sign, "")
    return name.partition(" @")[0]
