"""Trains the same short piece on every device and compares: the table of the article this program grew out of.

A piece is one step of the article's network on 64 of the dataset's own photos, copied to the device, forward, backward
and optimizer, through the same `Trainer` as a run. Photos are decoded before, as in a run, whose epochs read a store.
"""

import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from catdog_gui.engine import devices, events
from catdog_gui.engine.comparison.plan import Facts, Planned, plan
from catdog_gui.engine.comparison.timing import Array, Piece, Timing, train
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.devices import DeviceInfo, nvidia
from catdog_gui.engine.errors import FieldValue, InputError, PhotoError, Stopped
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.photos.reading import default_workers, read_ahead, tells_of_slow

Emit = Callable[[events.Event], None]
ARTICLE_PHOTOS = 25_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """stopped: the user ended it; the rows are those that were measured by then."""

    rows: list[events.BenchRow]
    photos: int
    model: str
    batch_size: int
    image_size: int
    stopped: bool = False


Measure = Callable[[Piece, DeviceInfo, str, Callable[[int], None], Callable[[], bool]], Timing]


def compare(
    data: Path,
    emit: Emit = lambda _event: None,
    should_stop: Callable[[], bool] = lambda: False,
    *,
    config: TrainConfig | None = None,
    rows: Sequence[Planned] | None = None,
    measure: "Measure | None" = None,
) -> Comparison:
    """Measure every row, the CPU in fp32 first. emit gets a BenchProgress before and a BenchRow after each, and a
    Notice for a photo that has been waited for a minute.

    config: what to train; the article's recipe where not given. rows, measure: for tests.
    Raises InputError for a folder that cannot be trained on, or of which no photo can be read; Stopped before a row.
    """
    config = config or preset("article")
    piece = make_piece(data, config, should_stop, tells_of_slow(emit))
    planned = list(rows) if rows is not None else planned_rows()
    done: list[events.BenchRow] = []
    stopped = False
    for number, row in enumerate(planned):
        try:
            done.append(_row(piece, row, done, _teller(emit, row, number, len(planned)), measure or train, should_stop))
        except Stopped:
            stopped = True
            break
        emit(done[-1])
    return Comparison(done, piece.total, config.model, len(piece.photos), config.image_size, stopped)


def planned_rows() -> list[Planned]:
    """The rows of this computer; its devices are looked for and tested."""
    import torch

    apple = sys.platform == "darwin" and platform.machine() == "arm64"
    facts = Facts(torch.version.cuda is not None or torch.version.hip is not None, nvidia.has_driver(), apple)
    return plan(devices.list_devices(), facts)


def make_piece(
    data: Path,
    config: TrainConfig,
    should_stop: Callable[[], bool],
    on_slow: Callable[[Path], None] = lambda _photo: None,
) -> Piece:
    """A batch of the dataset's photos, spread over it, decoded. Raises InputError, Stopped.

    on_slow: told of a photo that has been waited for a minute.
    """
    found = scan(data, should_stop=should_stop)
    found.refuse()
    recipe = Recipe(config.image_size, config.fit)
    wanted = min(config.batch_size, len(found.paths))
    numbers = [int(number) for number in np.linspace(0, len(found.paths) - 1, min(2 * wanted, len(found.paths)))]
    photos, labels, first = _decoded(found, numbers, recipe, wanted, should_stop, on_slow)
    if not photos:
        raise InputError("no_readable_photos", count=len(numbers), reason=str(first))
    repeated = np.resize(np.arange(len(photos)), config.batch_size)  # a small folder's photos come more than once
    return Piece(
        config=config,
        classes=len(found.classes),
        photos=np.stack(photos)[repeated],
        labels=np.array(labels, np.int64)[repeated],
        total=len(found.paths),
    )


def _decoded(
    found: Scan,
    numbers: list[int],
    recipe: Recipe,
    wanted: int,
    should_stop: Callable[[], bool],
    on_slow: Callable[[Path], None],
) -> tuple[list[Array], list[int], PhotoError | None]:
    """The first `wanted` of these photos that can be read, their labels, and what was wrong with the first other."""

    def read(number: int) -> tuple[int, Array | PhotoError]:
        try:
            return number, decode(read_bytes(found.path(number)), recipe)
        except PhotoError as error:
            return number, error

    photos: list[Array] = []
    labels: list[int] = []
    first: PhotoError | None = None
    half = numbers[::2] + numbers[1::2]
    pictures = read_ahead(
        half,
        read,
        workers=default_workers(),
        should_stop=should_stop,
        on_slow=lambda number: on_slow(found.path(number)),
    )
    for number, picture in pictures:
        if isinstance(picture, PhotoError):
            first = first or picture
        else:
            photos.append(picture)
            labels.append(int(found.labels[number]))
        if len(photos) == wanted:
            break
    return photos, labels, first


def _teller(emit: Emit, row: Planned, done: int, total: int) -> Callable[[int], None]:
    def tell(pieces: int) -> None:
        emit(events.BenchProgress(row.id, row.name, row.precision, done, total, pieces))

    return tell


def _row(
    piece: Piece,
    row: Planned,
    before: Sequence[events.BenchRow],
    tell: Callable[[int], None],
    measure: Measure,
    should_stop: Callable[[], bool],
) -> events.BenchRow:
    """Measure one row; a device that fails gets the reason instead of figures. Raises Stopped."""
    if row.device is None:
        return events.BenchRow(row.id, row.name, row.precision, code=row.code, fields=dict(row.fields))
    tell(0)
    try:
        timing = measure(piece, row.device, row.precision, tell, should_stop)
    except Stopped:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever a driver raises costs this row, not the comparison
        code, fields = _why(error, row, len(piece.photos))
        return events.BenchRow(row.id, row.name, row.precision, code=code, fields=fields)
    return figures(piece, row, timing, next((item for item in before if item.photos_per_s), None))


def _why(error: Exception, row: Planned, photos: int) -> tuple[str, dict[str, FieldValue]]:
    from catdog_gui.engine.devices import is_out_of_memory

    if is_out_of_memory(error):
        return "bench_out_of_memory", {"name": row.name, "photos": photos}
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return "bench_failed", {"name": row.name, "text": lines[0][:300]}


def figures(piece: Piece, row: Planned, timing: Timing, base: events.BenchRow | None) -> events.BenchRow:
    """The row of a measured device. base: the CPU in fp32, None where this row is it."""
    middle = statistics.median(timing.seconds)
    rate = len(piece.photos) / middle
    first = base is None and (row.id, row.precision) == ("cpu", "fp32")
    against = base.photos_per_s if base is not None and (base.device, base.precision) == ("cpu", "fp32") else None
    return events.BenchRow(
        device=row.id,
        name=row.name,
        precision=row.precision,
        photos_per_s=rate,
        speedup=1.0 if first else rate / against if against else None,
        epoch_s=piece.total / rate,
        seconds_25000=ARTICLE_PHOTOS / rate,
        article_s=preset("article").epochs * ARTICLE_PHOTOS / rate,
        peak_mb=timing.peak_mb,
        spread=_spread(timing.seconds) / middle,
        repeats=len(timing.seconds),
    )


def _spread(seconds: Sequence[float]) -> float:
    """The interquartile range."""
    if len(seconds) < 2:
        return 0.0
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive")
    return high - low
