"""The devices that the window offers."""

from catdog_gui.session.hardware import Device, HardwareState


def card(number: int, *, works: bool = True) -> Device:
    return Device(f"cuda:{number}", "cuda", "RTX 3060", works=works, memory_mb=12_288.0, precisions=("fp32", "fp16"))


CPU = Device("cpu", "cpu", "CPU", works=True)


def test_several_cards_are_offered_together_and_the_best_single_one_stays_the_choice() -> None:
    state = HardwareState()
    state.found((CPU, card(0), card(1)))

    assert [device.id for device in state.devices] == ["cpu", "cuda:0", "cuda:1", "all"]
    assert state.devices[-1].name == "2 × RTX 3060"
    assert state.for_training == "cuda:0"

    state.choose("all")

    assert state.for_training == "all"


def test_one_working_card_is_not_offered_twice() -> None:
    state = HardwareState()
    state.found((CPU, card(0), card(1, works=False)))

    assert [device.id for device in state.devices] == ["cpu", "cuda:0", "cuda:1"]
