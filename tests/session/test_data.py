"""The chosen folder, the devices and the time left, as the window knows them."""

from pathlib import Path

import pytest

from catdog_gui.session.data import DataPhase, Dataset, DataState, Said
from catdog_gui.session.hardware import PROCESSOR, Device, HardwareState
from catdog_gui.session.pace import Pace

PETS = Dataset(Path("/pets"), "class_folders", {"cats": 1000, "dogs": 1000})
CARD = Device("cuda:0", "cuda", "NVIDIA RTX 3060", works=True, memory_mb=12288)
DEAD = Device("cuda:0", "cuda", "NVIDIA GTX 780", works=False, reason=Said("no_kernel"))
CPU = Device("cpu", "cpu", "Test CPU", works=True)


def test_a_scan_makes_the_folder_ready() -> None:
    state = DataState()
    state.choose(Path("/pets"))
    assert not state.ready

    state.scanned(PETS)

    assert state.ready


def test_a_folder_with_a_reason_against_it_is_not_ready() -> None:
    state = DataState()
    state.choose(Path("/x"))
    state.scanned(Dataset(Path("/x"), "empty", {}, reason=Said("no_photos")))

    assert state.phase is DataPhase.READY
    assert not state.ready


def test_another_folder_forgets_the_first_one_at_once() -> None:
    state = DataState(held_out=(Path("/drawing"),))
    state.choose(Path("/pets"))
    state.scanned(PETS)

    state.choose(Path("/other"))

    assert state.dataset is None
    assert state.held_out == ()


def test_a_cancelled_scan_of_a_first_folder_leaves_nothing_chosen() -> None:
    state = DataState()
    state.choose(Path("/pets"))

    state.cancel()

    assert state.phase is DataPhase.NONE


@pytest.mark.parametrize(
    ("classes", "fraction", "sides"),
    [
        ({"cats": 1000, "dogs": 1000}, 0.2, (1600, 400)),
        ({"cats": 4, "dogs": 4}, 0.01, (6, 2)),
        ({"cats": 4, "dogs": 5}, 0.9, (2, 7)),
    ],
)
def test_each_class_has_a_photo_on_each_side(classes: dict[str, int], fraction: float, sides: tuple[int, int]) -> None:
    assert Dataset(Path("/x"), "class_folders", classes).sides(fraction) == sides


def test_the_folders_own_split_is_kept() -> None:
    assert Dataset(Path("/x"), "train_val", {"cats": 30, "dogs": 30}, own_check=12).sides(0.5) == (48, 12)


def test_the_best_device_that_works_is_taken_until_one_is_chosen() -> None:
    state = HardwareState()
    state.found((CPU, CARD))
    assert state.current is CARD

    state.choose("cpu")

    assert state.current is CPU


def test_a_remembered_device_that_does_not_work_now_is_passed_over() -> None:
    state = HardwareState(chosen="cuda:0")

    state.found((DEAD, CPU))

    assert state.current is CPU
    assert state.for_training == "cpu"


def test_until_the_devices_are_tested_the_engine_decides() -> None:
    state = HardwareState()

    assert state.current is PROCESSOR
    assert state.for_training == "auto"


def test_time_left_is_said_only_once_it_is_known() -> None:
    pace = Pace()

    assert pace.watch("train", 0.0, 100.0) is None
    assert pace.watch("train", 0.3, 100.5) is None  # too early
    assert pace.watch("train", 0.5, 110.0) == pytest.approx(10.0)
    assert pace.watch("train", None, 111.0) is None


def test_a_new_phase_is_timed_anew() -> None:
    pace = Pace()
    pace.watch("prepare", 0.0, 0.0)
    pace.watch("prepare", 1.0, 60.0)

    assert pace.watch("train", 0.0, 61.0) is None
    assert pace.watch("train", 0.25, 62.0) == pytest.approx(3.0)
