"""The comparison of devices: which rows there are, how a row is timed, what its figures mean, and how it is stopped."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine import events
from catdog_gui.engine.comparison import bench
from catdog_gui.engine.comparison import timing as bench_timing
from catdog_gui.engine.comparison.bench import Piece, Timing, compare
from catdog_gui.engine.comparison.plan import Facts, Planned, plan
from catdog_gui.engine.comparison.timing import MOST, timed
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.devices import DeviceInfo, cpu_device
from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.photos import reading

CPU = DeviceInfo("cpu", "cpu", "Some CPU", precisions=("fp32", "bf16"))
OLD_CPU = DeviceInfo("cpu", "cpu", "Old CPU")
CARD = DeviceInfo("cuda:0", "cuda", "RTX 3060", precisions=("fp32", "bf16", "fp16"))
GTX = DeviceInfo("cuda:1", "cuda", "GTX 1080", precisions=("fp32", "fp16"))
BROKEN = DeviceInfo("cuda:0", "cuda", "RTX 3060", works=False, code="torch_without_cuda", fields={"name": "RTX 3060"})
MPS = DeviceInfo("mps", "mps", "Apple M3 GPU", precisions=("fp32", "fp16"))
PC = Facts(cuda_built=True, has_driver=True, apple=False)
TINY = {"image_size": 32, "batch_size": 8}


def rows(*devices: DeviceInfo, facts: Facts = PC) -> list[tuple[str, str, str | None]]:
    return [(row.id, row.precision, row.code) for row in plan(devices, facts)]


def events_row(speed: float) -> events.BenchRow:
    return events.BenchRow("cpu", "Some CPU", "fp32", photos_per_s=speed, speedup=1.0)


@pytest.fixture
def piece() -> Piece:
    config = replace(preset("article"), **TINY)
    return Piece(config, 2, np.zeros((8, 32, 32, 3), np.uint8), np.array([0, 1] * 4), total=2000)


# --- which rows ------------------------------------------------------------------------------------------------------


def test_every_device_is_compared_in_full_and_in_mixed_precision() -> None:
    assert rows(CARD, GTX, CPU) == [
        ("cpu", "fp32", None),
        ("cpu", "bf16", None),
        ("cuda:0", "fp32", None),
        ("cuda:0", "bf16", None),
        ("cuda:1", "fp32", None),
        ("cuda:1", "fp16", None),
        ("mps", "fp32", "bench_no_mps"),
    ]


def test_a_processor_without_bf16_has_a_row_that_says_so() -> None:
    assert ("cpu", "bf16", "bench_no_bf16") in rows(OLD_CPU)


def test_a_card_that_does_not_work_has_one_row_with_its_own_reason() -> None:
    assert [row for row in rows(BROKEN, CPU) if row[0] == "cuda:0"] == [("cuda:0", "fp32", "torch_without_cuda")]


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (Facts(cuda_built=True, has_driver=False, apple=False), "bench_no_driver"),
        (Facts(cuda_built=True, has_driver=True, apple=False), "bench_no_card"),
        (Facts(cuda_built=False, has_driver=False, apple=False), "bench_no_card_cpu_build"),
    ],
)
def test_why_there_is_no_card_is_said(facts: Facts, code: str) -> None:
    assert ("cuda", "fp32", code) in rows(CPU, facts=facts)


def test_apples_graphics_are_compared_where_they_are() -> None:
    apple = Facts(cuda_built=False, has_driver=False, apple=True)

    assert [row for row in rows(MPS, OLD_CPU, facts=apple) if row[0] == "mps"] == [
        ("mps", "fp32", None),
        ("mps", "fp16", None),
    ]
    assert ("mps", "fp32", "bench_no_mps_here") in rows(OLD_CPU, facts=apple)


# --- how a row is timed ----------------------------------------------------------------------------------------------


class Device:
    """A device that works on its own, with a clock: asking takes 1 ms, the work is done when somebody waits for it."""

    def __init__(self, *work_s: float) -> None:
        self.now, self.steps, self._owed = 0.0, 0, 0.0
        self._work = work_s

    def step(self) -> None:
        self._owed += self._work[min(self.steps, len(self._work) - 1)]
        self.steps += 1
        self.now += 0.001

    def synchronize(self) -> None:
        self.now += self._owed
        self._owed = 0.0

    def timed(self, should_stop: Callable[[], bool] = lambda: False) -> list[float]:
        return timed(
            self.step,
            synchronize=self.synchronize,
            after=lambda _count: None,
            should_stop=should_stop,
            clock=lambda: self.now,
        )


def test_the_clock_is_read_only_when_the_device_has_finished() -> None:
    assert Device(2.0).timed() == pytest.approx([2.001] * 5)


def test_the_first_slow_pieces_are_not_counted() -> None:
    seconds = Device(30.0, 0.5).timed()

    assert seconds == pytest.approx([0.501] * len(seconds))


def test_a_fast_device_is_timed_often_and_a_very_slow_one_seldom() -> None:
    assert len(Device(0.002).timed()) == MOST
    assert len(Device(20.0).timed()) == 2


def test_stop_ends_the_timing() -> None:
    device = Device(1.0)

    with pytest.raises(Stopped):
        device.timed(lambda: device.steps >= 3)
    assert device.steps == 3


# --- what the figures mean -------------------------------------------------------------------------------------------


def test_the_figures_follow_from_the_median_piece(piece: Piece) -> None:
    row = bench.figures(piece, Planned("cuda:0", "RTX", "bf16", CARD), Timing([1, 2, 2, 3, 9.0], 512.0), events_row(2))

    assert (row.photos_per_s, row.speedup) == (4.0, 2.0)
    assert (row.epoch_s, row.seconds_25000, row.article_s) == (500.0, 6250.0, 62500.0)
    assert (row.peak_mb, row.spread, row.repeats) == (512.0, 0.5, 5)


def test_the_processor_in_full_precision_is_what_the_others_are_compared_with(piece: Piece) -> None:
    first = Planned("cpu", "Some CPU", "fp32", CPU)

    assert bench.figures(piece, first, Timing([2.0], None), None).speedup == 1.0
    assert bench.figures(piece, Planned("cuda:0", "RTX", "fp32", CARD), Timing([2.0], None), None).speedup is None


# --- the whole -------------------------------------------------------------------------------------------------------


def tiny() -> TrainConfig:
    return replace(preset("article"), **TINY)


def test_a_real_row_is_trained_and_measured(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ENOUGH_S", "WARM_UP_S"):
        monkeypatch.setattr(bench_timing, name, 0.0)
    said: list[events.Event] = []
    cpu = cpu_device()

    found = compare(tiny_dataset, said.append, config=tiny(), rows=[Planned("cpu", cpu.name, "fp32", cpu)])

    (row,) = found.rows
    assert (found.photos, found.batch_size, found.stopped) == (48, 8, False)
    assert row.code is None
    assert row.photos_per_s is not None
    assert row.photos_per_s > 0
    assert row.epoch_s == pytest.approx(48 / row.photos_per_s)
    assert row.peak_mb is not None
    assert row.peak_mb > 50
    assert (row.speedup, row.repeats) == (1.0, 5)
    assert said[-1] == row
    assert isinstance(said[0], events.BenchProgress)


def test_stop_is_heard_within_a_step(tiny_dataset: Path) -> None:
    looked = threading.Event()
    cpu = cpu_device()
    inside: list[str] = []

    def should_stop() -> bool:
        import traceback

        frames = [frame.name for frame in traceback.extract_stack()]
        if "train_epoch" in frames and "look" in frames:
            inside.append("layer")
            looked.set()
        return looked.is_set()

    found = compare(tiny_dataset, config=tiny(), rows=[Planned("cpu", "CPU", "fp32", cpu)], should_stop=should_stop)

    assert found.stopped
    assert found.rows == []
    assert inside


def test_a_stop_keeps_the_rows_that_are_measured(tiny_dataset: Path) -> None:
    def measure(_piece: Piece, device: DeviceInfo, *_: object) -> Timing:
        if device is CARD:
            raise Stopped
        return Timing([1.0], 10.0)

    planned = [Planned("cpu", "CPU", "fp32", CPU), Planned("cuda:0", "RTX", "fp32", CARD)]
    found = compare(tiny_dataset, config=tiny(), rows=planned, measure=measure)

    assert found.stopped
    assert [row.device for row in found.rows] == ["cpu"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"), "bench_out_of_memory"),
        (RuntimeError("CUDA error: an illegal memory access was encountered\nmore"), "bench_failed"),
    ],
)
def test_a_card_that_fails_costs_its_row_only(tiny_dataset: Path, error: Exception, code: str) -> None:
    def measure(_piece: Piece, device: DeviceInfo, *_: object) -> Timing:
        if device is CARD:
            raise error
        return Timing([2.0], 10.0)

    planned = [Planned(device.id, device.name, "fp32", device) for device in (CPU, CARD, MPS)]
    found = compare(tiny_dataset, config=tiny(), rows=planned, measure=measure)

    assert [(row.code, row.speedup) for row in found.rows] == [(None, 1.0), (code, None), (None, 1.0)]


def test_photos_that_cannot_be_read_are_passed_over(tiny_dataset: Path) -> None:
    for number in range(20):
        (tiny_dataset / "cats" / f"{number:04}.jpg").write_bytes(b"")

    piece = bench.make_piece(tiny_dataset, tiny(), lambda: False)

    assert piece.photos.shape == (8, 32, 32, 3)
    assert piece.photos.std() > 10
    assert 1 in piece.labels


def test_a_folder_without_readable_photos_is_refused(tiny_dataset: Path) -> None:
    for photo in tiny_dataset.rglob("*.jpg"):
        photo.write_bytes(b"no photo")

    with pytest.raises(InputError) as caught:
        bench.make_piece(tiny_dataset, tiny(), lambda: False)
    assert caught.value.code == "no_readable_photos"


def test_a_photo_that_does_not_come_is_named(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came, told = threading.Event(), list[events.Event]()
    slow = tiny_dataset / "cats" / "0000.jpg"

    def read(path: Path) -> bytes:
        if path == slow:
            came.wait(60)
        return path.read_bytes()

    def emit(event: events.Event) -> None:
        told.append(event)
        came.set()

    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(bench, "read_bytes", read)
    found = compare(tiny_dataset, emit, config=tiny(), rows=[])

    assert found.rows == []
    assert told == [events.Notice("photo_waits", {"path": str(slow)})]


def test_a_small_folder_fills_the_batch_by_repeating(tmp_path: Path, make_dataset: Callable[..., Path]) -> None:
    folder = make_dataset(tmp_path / "few", {"cats": 4, "dogs": 4})

    piece = bench.make_piece(folder, replace(tiny(), batch_size=20), lambda: False)

    assert len(piece.photos) == len(piece.labels) == 20
    assert piece.total == 8


@pytest.mark.gpu
def test_a_card_is_faster_than_the_processor_and_waits_are_real(tiny_dataset: Path) -> None:
    config = replace(preset("article"), batch_size=16)

    found = compare(tiny_dataset, config=config)

    speeds = {(row.device, row.precision): row.photos_per_s for row in found.rows}
    assert speeds["cuda:0", "fp32"] > speeds["cpu", "fp32"]
    assert all(row.peak_mb for row in found.rows if row.photos_per_s)
