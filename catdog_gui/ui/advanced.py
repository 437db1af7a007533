"""The form "Advanced": one row a setting, made from TrainConfig's fields."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QWidget

from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.errors import ConfigError
from catdog_gui.ui import text, theme
from catdog_gui.ui.text import QT_TRANSLATE_NOOP
from catdog_gui.ui.widgets import label, link, restyle, show_text

ELSEWHERE = frozenset({"data", "preset", "device", "use_split", "run"})  # have their own place in the window
WIDE = frozenset({"model", "val"})  # long values: a line of their own
NAMES: dict[str, str] = {
    "epochs": QT_TRANSLATE_NOOP("settings", "Epochs"),
    "batch_size": QT_TRANSLATE_NOOP("settings", "Batch size"),
    "image_size": QT_TRANSLATE_NOOP("settings", "Image size"),
    "model": QT_TRANSLATE_NOOP("settings", "Network"),
    "pretrained": QT_TRANSLATE_NOOP("settings", "Pretrained"),
    "trainable": QT_TRANSLATE_NOOP("settings", "Part that learns"),
    "fit": QT_TRANSLATE_NOOP("settings", "Squares"),
    "augment": QT_TRANSLATE_NOOP("settings", "Vary photos"),
    "variations": QT_TRANSLATE_NOOP("settings", "Stored variations"),
    "precision": QT_TRANSLATE_NOOP("settings", "Precision"),
    "optimizer": QT_TRANSLATE_NOOP("settings", "Optimizer"),
    "learning_rate": QT_TRANSLATE_NOOP("settings", "Learning rate"),
    "weight_decay": QT_TRANSLATE_NOOP("settings", "Weight decay"),
    "warmup": QT_TRANSLATE_NOOP("settings", "Warm-up"),
    "schedule": QT_TRANSLATE_NOOP("settings", "Schedule"),
    "label_smoothing": QT_TRANSLATE_NOOP("settings", "Label smoothing"),
    "patience": QT_TRANSLATE_NOOP("settings", "Patience"),
    "val": QT_TRANSLATE_NOOP("settings", "Check folder"),
    "val_fraction": QT_TRANSLATE_NOOP("settings", "Check share"),
    "workers": QT_TRANSLATE_NOOP("settings", "Reading threads"),
    "pin_memory": QT_TRANSLATE_NOOP("settings", "Pin memory"),
    "accumulate": QT_TRANSLATE_NOOP("settings", "Parts of a step"),
    "checkpointing": QT_TRANSLATE_NOOP("settings", "Checkpointing"),
    "empty_cache_every": QT_TRANSLATE_NOOP("settings", "Empty cache every"),
    "disk_full": QT_TRANSLATE_NOOP("settings", "If the disk is full"),
    "seed": QT_TRANSLATE_NOOP("settings", "Seed"),
}
FIELDS = tuple(item for item in dataclasses.fields(TrainConfig) if item.name not in ELSEWHERE)


def setting_name(field: str) -> str:
    """A setting's name in the window's language; an unknown one (a newer program's) as it is spelt."""
    return QCoreApplication.translate("settings", NAMES.get(field, field))


class AdvancedForm(QWidget):
    """Edits what differs from the preset.

    Signal changed: the user changed a setting; `values` tells what differs now.

    Its rows are made by `complete`: they are folded in at the first paint and would hold it up.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preset = "fast"
        self._changes: Mapping[str, Any] = {}  # those given before there were rows
        self._controls: dict[str, QWidget] = {}

    @property
    def is_complete(self) -> bool:
        return bool(self._controls)

    def complete(self) -> None:
        """Make the rows. Once."""
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(theme.S)
        grid.setVerticalSpacing(theme.XS)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for number, item in enumerate(FIELDS):
            self._add(grid, number, item)
        self._error = label("", "error", wrap=True, name="settingError")
        self._error.hide()
        grid.addWidget(self._error, 2 * len(FIELDS), 0, 1, 2)
        self.reset = link(self.tr("Reset to the preset"), "resetSettings")
        self.reset.clicked.connect(self._on_reset)
        grid.addWidget(self.reset, 2 * len(FIELDS) + 1, 0, 1, 2)
        self.show_settings(self._preset, self._changes)

    def show_settings(self, name: str, changes: Mapping[str, Any]) -> None:
        """Show a preset's settings with the user's changes on top."""
        self._preset, self._changes = name, changes
        if not self._controls:
            return
        base = preset(name)
        for field, control in self._controls.items():
            with QSignalBlocker(control):
                _set(control, changes.get(field, getattr(base, field)))
        self._mark()

    def values(self) -> dict[str, Any]:
        """What differs from the preset. A text that is no number stays a text: `validated` refuses it."""
        if not self._controls:
            return dict(self._changes)
        base = preset(self._preset)
        found = {item.name: _get(self._controls[item.name], item.default) for item in FIELDS}
        return {name: value for name, value in found.items() if value != getattr(base, name)}

    def error(self) -> ConfigError | None:
        """Why the settings cannot be used; None where they can."""
        try:
            dataclasses.replace(preset(self._preset), **self.values()).validated()
        except ConfigError as error:
            return error
        return None

    def stops(self) -> list[QWidget]:
        """What Tab goes through, in order."""
        return [*self._controls.values(), self.reset]

    def focus(self, field: str) -> None:
        control = self._controls.get(field)
        if control is not None:
            control.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, grid: QGridLayout, number: int, item: dataclasses.Field[Any]) -> None:
        name = setting_name(item.name)
        help_text = QCoreApplication.translate("settings", item.metadata["help"])
        control = _control(item)
        control.setObjectName(f"setting_{item.name}")
        control.setAccessibleName(name)
        control.setAccessibleDescription(help_text)
        control.setToolTip(help_text)
        control.setMinimumWidth(0)
        caption = label(name, "secondary", wrap=True)
        caption.setToolTip(help_text)
        caption.setBuddy(control)
        if item.name in WIDE:
            grid.addWidget(caption, 2 * number, 0, 1, 2)
            grid.addWidget(control, 2 * number + 1, 0, 1, 2)
        else:
            grid.addWidget(caption, 2 * number, 0)
            grid.addWidget(control, 2 * number, 1)
        self._controls[item.name] = control
        if isinstance(control, QComboBox):
            control.currentIndexChanged.connect(self._on_changed)
        elif isinstance(control, QCheckBox):
            control.toggled.connect(self._on_changed)
        elif isinstance(control, QLineEdit):
            control.textEdited.connect(self._on_changed)

    def _on_changed(self) -> None:
        self._mark()
        self.changed.emit()

    def _on_reset(self) -> None:
        self.show_settings(self._preset, {})
        self.changed.emit()

    def _mark(self) -> None:
        error = self.error()
        for name, control in self._controls.items():
            restyle(control, "bad", "true" if error is not None and error.field == name else "false")
        words = ""
        if error is not None:
            fields = {**error.fields, "field": setting_name(error.field)}
            words = text.say(error.code, fields)
        show_text(self._error, words)
        self.reset.setEnabled(bool(self.values()))


def _control(item: dataclasses.Field[Any]) -> QWidget:
    if item.metadata["choices"]:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(4)
        for choice in item.metadata["choices"]:
            combo.addItem(choice, choice)
        return combo
    if isinstance(item.default, bool):
        return QCheckBox()
    return QLineEdit()


def _set(control: QWidget, value: object) -> None:
    if isinstance(control, QComboBox):
        control.setCurrentIndex(max(0, control.findData(value)))
    elif isinstance(control, QCheckBox):
        control.setChecked(value is True)
    elif isinstance(control, QLineEdit):
        control.setText("" if value is None else str(value))


def _get(control: QWidget, default: object) -> object:
    if isinstance(control, QComboBox):
        return control.currentData()
    if isinstance(control, QCheckBox):
        return control.isChecked()
    assert isinstance(control, QLineEdit)
    raw = control.text().strip()
    if default is None:
        return Path(raw).expanduser() if raw else None
    try:
        return int(raw) if isinstance(default, int) else float(raw.replace(",", "."))
    except ValueError:
        return raw
