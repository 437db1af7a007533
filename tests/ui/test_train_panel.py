"""The cards Hardware and Quality, and the form for all settings."""

from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.config import PRESETS, preset
from catdog_gui.engine.errors import ConfigError
from catdog_gui.session.data import Said
from catdog_gui.session.hardware import Device, HardwareState
from catdog_gui.ui.advanced import FIELDS, NAMES
from catdog_gui.ui.train_panel import TrainPanel, device_line, short_name

CARD = Device("cuda:0", "cuda", "NVIDIA GeForce RTX 3060", works=True, memory_mb=12288, precisions=("fp32", "bf16"))
OLD = Device("cuda:1", "cuda", "NVIDIA GeForce GTX 780", works=False, reason=Said("architecture"), next_step=Said("x"))
CPU = Device("cpu", "cpu", "Intel(R) Xeon(R) Processor @ 2.10GHz", works=True)


@pytest.fixture
def panel(qtbot: Any) -> TrainPanel:
    panel = TrainPanel()
    panel.complete()
    qtbot.addWidget(panel)
    return panel


def hardware(*devices: Device, chosen: str = "") -> HardwareState:
    state = HardwareState(chosen=chosen)
    state.found(devices)
    return state


def test_devices_carry_their_id_and_the_best_is_chosen(panel: TrainPanel) -> None:
    panel.render(hardware(CPU, CARD), enabled=True)

    assert [panel.devices.itemData(n) for n in range(2)] == ["cpu", "cuda:0"]
    assert panel.devices.currentData() == "cuda:0"
    assert panel.devices.currentText() == "NVIDIA GeForce RTX 3060 · 12 GB"


def test_a_device_that_fails_is_greyed_and_its_reason_is_readable(panel: TrainPanel, find: Any) -> None:
    panel.render(hardware(CPU, OLD), enabled=True)

    item = panel.devices.model().index(1, 0)
    assert not panel.devices.model().flags(item) & item.flags().ItemIsEnabled
    assert find(panel, "deviceProblems").text().startswith("GTX 780: ")


def test_while_the_devices_are_tested_the_processor_can_be_used(panel: TrainPanel, find: Any) -> None:
    state = HardwareState()
    state.test()
    panel.render(state, enabled=True)

    assert panel.devices.currentData() == "cpu"
    assert panel.devices.isEnabled()
    assert find(panel, "deviceNote").text() == "Looking for graphics cards…"
    assert not find(panel, "refreshDevicesButton").isEnabled()


def test_names_are_said_as_people_say_them() -> None:
    assert [short_name(device) for device in (CARD, CPU)] == ["RTX 3060", "CPU"]
    assert device_line(CPU) == "CPU · Intel Xeon"
    assert device_line(OLD) == "NVIDIA GeForce GTX 780: cannot be used"


def test_the_presets_carry_their_id_and_say_what_they_do(panel: TrainPanel, find: Any) -> None:
    assert [panel.presets.itemData(n) for n in range(panel.presets.count())] == list(PRESETS)
    seen = set()
    for name in PRESETS:
        panel.presets.setCurrentIndex(panel.presets.findData(name))
        seen.add(find(panel, "presetNote").text())
    assert len(seen) == len(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_an_untouched_form_is_the_preset(panel: TrainPanel, name: str) -> None:
    panel.show_settings(name, {})

    config = panel.config(None, "auto", use_split=True)

    assert config == preset(name)
    assert panel.form.values() == {}


def test_every_setting_has_a_row_a_name_and_its_help(panel: TrainPanel, find: Any) -> None:
    assert {item.name for item in FIELDS} == set(NAMES)
    for item in FIELDS:
        control = find(panel, f"setting_{item.name}")
        assert control.accessibleName()
        assert control.toolTip() == item.metadata["help"]


@pytest.mark.parametrize(
    ("field", "text"),
    [("epochs", "0"), ("epochs", "2.5"), ("learning_rate", "fast"), ("val_fraction", "1.5"), ("seed", "-1")],
)
def test_a_bad_value_is_refused_and_its_field_marked(panel: TrainPanel, find: Any, field: str, text: str) -> None:
    edit = find(panel, f"setting_{field}")
    edit.setText(text)
    edit.textEdited.emit(text)

    assert edit.property("bad") == "true"
    with pytest.raises(ConfigError) as caught:
        panel.config(Path("/x"), "cpu", use_split=True)
    assert caught.value.field == field


def test_a_decimal_comma_is_understood(panel: TrainPanel, find: Any) -> None:
    edit = find(panel, "setting_learning_rate")
    edit.setText("0,01")
    edit.textEdited.emit("0,01")

    assert panel.config(None, "cpu", use_split=True).learning_rate == 0.01


def test_remembered_changes_are_shown_and_reset_forgets_them(panel: TrainPanel, find: Any, qtbot: Any) -> None:
    panel.show_settings("fast", {"epochs": 7, "augment": True, "optimizer": "sgd", "val": "/check"})
    assert panel.form.values() == {"epochs": 7, "augment": True, "optimizer": "sgd", "val": Path("/check")}

    with qtbot.waitSignal(panel.settings_changed):
        find(panel, "resetSettings").click()

    assert panel.form.values() == {}


def test_remembered_changes_of_another_version_do_no_harm(panel: TrainPanel) -> None:
    panel.show_settings("fast", {"epochs": None, "optimizer": "none", "augment": "yes", "gone": 3})

    assert panel.form.error() is not None or panel.config(None, "cpu", use_split=True)


def test_a_check_folder_replaces_the_share(panel: TrainPanel) -> None:
    assert panel.val_fraction() == 0.2
    panel.show_settings("fast", {"val": "/check"})

    assert panel.val_fraction() is None


def test_nothing_can_be_changed_while_a_run_lives(panel: TrainPanel) -> None:
    panel.render(hardware(CPU), enabled=False)

    assert not panel.devices.isEnabled()
    assert not panel.presets.isEnabled()
    assert not panel.form.isEnabled()


def test_a_cpu_that_was_not_tested_is_not_called_so(panel: TrainPanel, find: Any) -> None:
    panel.render(
        hardware(Device("cpu", "cpu", "CPU", works=True, precisions=("fp32", "bf16"), tested=False)), enabled=True
    )

    assert find(panel, "deviceNote").text() == "Ready, mixed precision (bf16)"


def test_a_computer_without_a_graphics_card_is_told_so_once_it_was_looked_for(panel: TrainPanel, find: Any) -> None:
    hardware = HardwareState()
    panel.render(hardware, enabled=True)
    assert find(panel, "deviceNote").text() == ""

    hardware.found((Device("cpu", "cpu", "Old CPU", works=True, tested=False),))
    panel.render(hardware, enabled=True)

    assert find(panel, "deviceNote").text() == "No graphics card found"
