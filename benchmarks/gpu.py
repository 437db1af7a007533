"""What a card does with this program: is it kept busy, and what does each way of computing gain? Draws its own photos.

    python benchmarks/gpu.py [--device cuda|cpu] [--photos N] [--seconds S] [--model NAME]

Ends within 5 minutes. Rates are photos a second by the device's own clock. Without a card it says so; `--device cpu`
runs the same program on the processor with small photos, to try it out.
"""

import argparse
import dataclasses
import itertools
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not

import numpy as np
import torch
from PIL import Image

from catdog_gui.engine import devices, events
from catdog_gui.engine.config import preset
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.augment import augment
from catdog_gui.engine.learning.late_steps import Step
from catdog_gui.engine.learning.loading import ArrayStore, Batch, BatchLoader, LiveStore, Store
from catdog_gui.engine.learning.staging import CudaWay
from catdog_gui.engine.learning.trainer import Trainer
from catdog_gui.engine.learning.variation import draw
from catdog_gui.engine.networks.catalog import build
from catdog_gui.engine.networks.precision import tune
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.photos.reading import default_workers, read_ahead
from catdog_gui.engine.training.run import fit

GOAL = 0.95
LIMIT_S = 300.0


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is measured with; small on a processor, where only the program itself is tried."""

    device: torch.device
    photos: int
    batch: int
    size: int
    model: str
    seconds: float
    warm_steps: int
    began: float = dataclasses.field(default_factory=time.perf_counter)

    def left_s(self) -> float:
        return LIMIT_S - (time.perf_counter() - self.began)


@dataclasses.dataclass(frozen=True)
class Rate:
    """photos_per_s and the share of the time in which the device waited for photos, 0..1; steps: how many counted."""

    photos_per_s: float
    waits: float
    steps: int


def main() -> int:
    options = _options()
    if options.device == "cuda" and not torch.cuda.is_available():
        print("There is no CUDA card here that this PyTorch can use. --device cpu tries the program on the processor.")
        return 1
    plan = _plan(options)
    tune(plan.device)
    print(
        f"{_name(plan.device)}, torch {torch.__version__}, {plan.model} at {plan.size} px, {plan.batch} photos a step"
    )
    with tempfile.TemporaryDirectory() as folder:
        paths = _draw(Path(folder) / "photos", plan)
        squares = _decoded(paths, plan)
        kept_busy = _feeding(plan, squares, paths)
        _precisions(plan, squares)
        _against_processor(plan, squares)
        _whole_run(plan, Path(folder))
    print(f"all of it: {time.perf_counter() - plan.began:.0f} s")
    return 0 if kept_busy or plan.device.type == "cpu" else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--photos", type=int, help="how many are drawn (3000 for a card)")
    parser.add_argument("--seconds", type=float, help="measured for each row (6 on a card)")
    parser.add_argument("--model", help="network (resnet50 on a card)")
    return parser.parse_args()


def _plan(options: argparse.Namespace) -> Plan:
    if options.device == "cuda":
        plan = Plan(torch.device("cuda", 0), 3000, 64, 224, "resnet50", 6.0, 5)
    else:
        plan = Plan(torch.device("cpu"), 48, 8, 64, "small_cnn", 0.3, 1)
    given = {name: getattr(options, name) for name in ("photos", "seconds", "model") if getattr(options, name)}
    return dataclasses.replace(plan, **given)


def _name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else devices.cpu_device().name


# --- photos ----------------------------------------------------------------------------------------------------------


def _draw(folder: Path, plan: Plan) -> list[Path]:
    """JPEG files of 500 x 375 in two class folders: soft shapes under noise, as heavy to decode as a real photo."""
    for name in ("cats", "dogs"):
        (folder / name).mkdir(parents=True)

    def draw_one(number: int) -> Path:
        rng = np.random.default_rng(number)
        small = rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)
        large = np.asarray(Image.fromarray(small).resize((500, 375), Image.Resampling.BICUBIC), np.int16)
        noisy = (large + rng.normal(0, 12, large.shape)).clip(0, 255).astype(np.uint8)
        noisy[..., number % 2] //= 2  # the classes differ in colour
        path = folder / ("cats", "dogs")[number % 2] / f"{number:05}.jpg"
        Image.fromarray(noisy).save(path, quality=88)
        return path

    with ThreadPoolExecutor(default_workers()) as pool:
        return list(pool.map(draw_one, range(plan.photos)))


def _decoded(paths: list[Path], plan: Plan) -> ArrayStore:
    recipe, began = Recipe(plan.size), time.perf_counter()
    pictures = read_ahead(
        paths,
        lambda path: decode(path.read_bytes(), recipe, margin=True),
        workers=default_workers(),
        should_stop=lambda: False,
    )
    rows = np.stack(list(pictures))
    rate = len(rows) / (time.perf_counter() - began)
    print(f"{len(rows):,} photos decoded in {default_workers()} threads: {rate:,.0f} photos/s")
    return ArrayStore(rows)


# --- rates -----------------------------------------------------------------------------------------------------------


def _loader(plan: Plan, store: Store, **options: Any) -> BatchLoader:  # noqa: ANN401 -- the loader's own
    numbers = np.arange(plan.photos)
    return BatchLoader(
        store,
        numbers % 2,
        numbers,
        plan.batch,
        options.pop("device", plan.device),
        learning=True,
        varied=True,
        size=plan.size,
        **options,
    )


class _OnDevice:
    """Batches whose photos lie on the device already; varied there each time, as the others are."""

    def __init__(self, plan: Plan, store: ArrayStore) -> None:
        self._plan = plan
        size = plan.batch
        self._squares = [
            torch.from_numpy(store.rows[start : start + size]).to(plan.device)
            for start in range(0, min(8 * size, plan.photos - size + 1), size)
        ]
        self._labels = (torch.arange(size) % 2).to(plan.device)
        self._draws = torch.from_numpy(draw(0, 0, np.arange(size))).to(plan.device)

    def __iter__(self) -> Iterator[Batch]:
        for _, squares in zip(
            range(self._plan.photos // self._plan.batch), itertools.cycle(self._squares), strict=False
        ):
            yield Batch(augment(squares, self._plan.size, self._draws), self._labels)


def measure(plan: Plan, loader: Iterable[Batch], precision: str, *, device: torch.device | None = None) -> Rate:
    """Learn from `loader`, epoch after epoch, for the plan's seconds; the first steps do not count."""
    device = device or plan.device
    torch.manual_seed(0)
    network = build(plan.model, 2, image_size=plan.size).to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    steps: list[Step] = []
    ends: list[float] = []

    def stop() -> bool:
        if not ends and len(steps) > plan.warm_steps:
            ends.append(time.perf_counter() + plan.seconds)
        return bool(ends) and time.perf_counter() > ends[0] and len(steps) > 2 * plan.warm_steps

    trainer = Trainer(
        network, loader, [], device=str(device), precision=precision, on_step=steps.append, should_stop=stop
    )
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True)
    try:
        for epoch in itertools.count():
            if isinstance(loader, BatchLoader):
                loader.epoch = epoch
            trainer.train_epoch(optimizer)
    except Stopped:
        pass
    devices.free_memory(str(device))
    counted = steps[plan.warm_steps :]
    data_s, compute_s = sum(step.data_s for step in counted), sum(step.compute_s for step in counted)
    photos = sum(step.photos for step in counted)
    return Rate(photos / (data_s + compute_s), data_s / (data_s + compute_s), len(counted))


def _row(name: str, rate: Rate, against: Rate | None = None, goal: str = "") -> None:
    share = f"  {rate.photos_per_s / against.photos_per_s:6.3f}x" if against else "         "
    print(f"  {name:<42}{rate.photos_per_s:10,.0f} photos/s{share}  waits {100 * rate.waits:4.1f} %{goal}", flush=True)


def _feeding(plan: Plan, squares: ArrayStore, paths: list[Path]) -> bool:
    """Real data by every way against the same loop on data that is on the device already."""
    print(f"fed with photos ({_best(plan)}):")
    ideal = measure(plan, _OnDevice(plan, squares), _best(plan))
    _row("photos on the device already", ideal)
    way = CudaWay(plan.device) if plan.device.type == "cuda" else None
    ring = measure(plan, _loader(plan, squares, way=way), _best(plan))
    _row("from memory, as the program does", ring, ideal, f"  (goal {GOAL})")
    kept = _loader(plan, squares, way=way)
    kept.keep_on_card(2**40)
    _row("whole dataset kept on the device", measure(plan, kept, _best(plan)), ideal)
    _row("from memory, without page-locked buffers", measure(plan, _loader(plan, squares), _best(plan)), ideal)
    live = LiveStore(paths, Recipe(plan.size), margin=True, workers=default_workers())
    _row("decoded anew from the files", measure(plan, _loader(plan, live, way=way), _best(plan)), ideal)
    return ring.photos_per_s >= GOAL * ideal.photos_per_s


def _best(plan: Plan) -> str:
    return devices.choose_precision("auto", devices.resolve(str(plan.device)))


def _precisions(plan: Plan, squares: ArrayStore) -> None:
    """The same loop in each number format."""
    print("number formats:")
    kept = _loader(plan, squares)
    kept.keep_on_card(2**40)
    first: Rate | None = None
    for name, precision, plain in (
        ("fp32 without TensorFloat-32", "fp32", True),
        ("fp32", "fp32", False),
        ("AMP, bf16", "bf16", False),
        ("AMP, fp16", "fp16", False),
    ):
        if precision not in devices.resolve(str(plan.device)).precisions:
            print(f"  {name:<42} not here: this device does not compute in it")
            continue
        with _in_full(when=plain):
            rate = measure(plan, kept, precision)
        _row(name, rate, first)
        first = first or rate


@contextmanager
def _in_full(*, when: bool) -> Iterator[None]:
    """Products in full fp32 inside."""
    before = torch.get_float32_matmul_precision(), torch.backends.cudnn.allow_tf32
    if when:
        torch.set_float32_matmul_precision("highest")
        torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before[0])
        torch.backends.cudnn.allow_tf32 = before[1]


def _against_processor(plan: Plan, squares: ArrayStore) -> None:
    """The processor of this computer on the same step, in its best format and in fp32."""
    print("the processor of this computer:")
    cpu = torch.device("cpu")
    short = dataclasses.replace(plan, seconds=plan.seconds if plan.device.type == "cpu" else 4.0)
    for precision in dict.fromkeys(("fp32", devices.choose_precision("auto", devices.cpu_device()))):
        _row(f"CPU, {precision}", measure(short, _loader(plan, squares, device=cpu), precision, device=cpu))


# --- a whole run -----------------------------------------------------------------------------------------------------


def _whole_run(plan: Plan, folder: Path) -> None:
    """`best` by the program itself, with its memory curve beside torch's own figures at the same moments."""
    apart: list[float] = []
    peaks: list[float] = []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.MemorySample) and plan.device.type == "cuda":
            now = torch.cuda.memory_allocated(plan.device) / 2**20, torch.cuda.memory_reserved(plan.device) / 2**20
            apart.append(max(abs(now[0] - (event.allocated_mb or 0)), abs(now[1] - (event.reserved_mb or 0))))
        if isinstance(event, events.MemorySample):
            peaks.append(event.peak_mb or 0.0)
        if isinstance(event, events.Notice):
            print(f"  notice: {event.code} {event.fields}")

    config = dataclasses.replace(
        preset("best"),
        data=folder / "photos",
        run=folder / "run",
        device=str(plan.device),
        model=plan.model,
        pretrained=False,
        image_size=plan.size,
        batch_size=plan.batch,
        epochs=2,
    )
    ends = time.perf_counter() + max(20.0, plan.left_s() - 20)
    result = fit(config, emit, lambda: time.perf_counter() > ends)
    print(f"a whole run ({result.status}, {result.epochs} epochs, {result.precision}): {_seconds(result.seconds)}")
    print(f"memory curve: {len(peaks)} samples, peak {max(peaks):,.0f} MB", end="")
    if plan.device.type == "cuda":
        own = torch.cuda.max_memory_allocated(plan.device) / 2**20
        print(
            f", torch.cuda's own peak {own:,.0f} MB; furthest from torch.cuda at a sample: {max(apart):.1f} MB", end=""
        )
    print()


def _seconds(seconds: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.1f} s" for name, value in seconds.items())


if __name__ == "__main__":
    raise SystemExit(main())
