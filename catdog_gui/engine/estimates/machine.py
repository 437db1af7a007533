"""What is known of this computer's speed: kept under the home, corrected by past runs. Neither torch nor numpy.

`known` reads it; `measure` fills it, on a worker's thread, and loads torch there.
"""

import functools
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from catdog_gui import __version__
from catdog_gui.engine import system
from catdog_gui.engine.config import TrainConfig, from_json
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.estimates import costs
from catdog_gui.engine.estimates.estimate import KINDS, Machine, raw_seconds, run_kind
from catdog_gui.engine.events import RunResult
from catdog_gui.engine.files import read_json, write_json
from catdog_gui.engine.home import cache_dir, home
from catdog_gui.engine.runs import runlog

if TYPE_CHECKING:
    from catdog_gui.engine.devices import DeviceInfo

SCHEMA = 1
CORE_SECONDS = 5.0  # of the self-measurement; what does not fit in is told from the rest
_RUNS_READ = 30  # newest runs that are looked at
_RUNS_USED = 3  # of one kind; the middle of them counts
_CACHED_BELOW = 0.4  # share of the estimate: preparing was that quick because the features were kept
_FOLDERS = 20  # whose reading speed is remembered
_LEAST, _MOST = 0.1, 10.0  # a correction beyond is a computer that slept, or another one's run


def file() -> Path:
    return home() / "machine.json"


@dataclass(frozen=True, slots=True)
class Past:
    """One run that has ended, as far as estimates need it. photos: read in all."""

    config: TrainConfig
    device: str
    precision: str
    photos: int
    epochs: int
    seconds: dict[str, float]


def known(device: str, precision: str, folder: Path | None = None, *, runs: Sequence[Past] | None = None) -> Machine:
    """What is known of a device here. folder: the photos, whose reading was perhaps timed. Any thread.

    runs: those of `past_runs`, read where not given.
    """
    values = read_json(file()) or {}
    figures = _section(values.get("devices"), _key(device, precision))
    if figures.get("made_with") != _made_with():
        figures = {}
    factors = {kind: float(value) for kind, value in _section(figures, "factors").items() if _positive(value)}
    base = figures.get("base_mb")
    machine = Machine(
        device=device,
        precision=precision,
        factors={kind: factors[kind] for kind in KINDS if kind in factors},
        reading_ms=_reading(values, folder),
        base_mb=base if _positive(base) else costs.BASE_MB,
        measured=bool(factors),
    )
    return replace(machine, learned=corrections(machine, past_runs() if runs is None else runs))


def _section(values: object, name: str) -> dict[str, Any]:
    found = values.get(name) if isinstance(values, dict) else None
    return found if isinstance(found, dict) else {}


def _positive(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e9


def _key(device: str, precision: str) -> str:
    return f"{device} {precision}"


def _made_with() -> dict[str, Any]:
    """What figures are only good for: this program, these libraries, this processor and number of cores."""
    return {
        "program": __version__,
        "torch": _version("torch"),
        "openvino": _version("openvino"),
        "processor": system.cpu_name(),
        "cores": system.cores(),
    }


@functools.cache  # each look reads all folders of packages again, and keeps what it read
def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _reading(values: dict[str, Any], folder: Path | None) -> float | None:
    """Milliseconds a photo of this folder, else of the folder that was read last."""
    reading = {key: value for key, value in _section(values, "reading").items() if _positive(value)}
    if folder is not None and str(folder) in reading:
        return float(reading[str(folder)])
    return float(next(reversed(reading.values()))) if reading else None


def keep(
    device: str, precision: str, factors: dict[str, float], base_mb: float, folder: Path, reading_ms: float
) -> None:
    """Remember what was measured; a home that cannot be written leaves it unknown."""
    values = read_json(file()) or {}
    figures = {"made_with": _made_with(), "factors": factors, "base_mb": base_mb}
    kept = {**_section(values, "devices"), _key(device, precision): figures}
    reading = {key: value for key, value in _section(values, "reading").items() if key != str(folder)}
    newest = dict([*reading.items(), (str(folder), reading_ms)][-_FOLDERS:])
    try:
        file().parent.mkdir(parents=True, exist_ok=True)
        write_json(file(), {"schema": SCHEMA, "devices": kept, "reading": newest})
    except (OSError, CatDogError):
        return


# --- what past runs took ---------------------------------------------------------------------------------------------


def past_runs(parent: Path | None = None) -> list[Past]:
    """The newest runs that have ended, newest first."""
    folder = parent or home() / "runs"
    try:
        made = sorted((path for path in folder.iterdir() if path.is_dir()), key=_modified, reverse=True)
    except OSError:
        return []
    return [past for path in made[:_RUNS_READ] if (past := _past(path)) is not None]


def _modified(path: Path) -> float:
    try:
        return (path / runlog.EVENTS).stat().st_mtime
    except OSError:
        return 0.0


def _past(run: Path) -> Past | None:
    values, end = read_json(run / runlog.CONFIG), runlog.last_event(run)
    if values is None or not isinstance(end, RunResult) or not end.epochs:
        return None
    try:
        config = from_json(values)
    except CatDogError:
        return None
    photos = sum(end.photos.get(side, 0) for side in ("train", "val"))
    return Past(config, end.device, end.precision, photos, end.epochs, dict(end.seconds)) if photos else None


def corrections(machine: Machine, runs: Iterable[Past]) -> dict[str, tuple[float, float]]:
    """Run kind -> what preparing and learning took over what was estimated for them."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    for past in runs:
        if (past.device, past.precision) != (machine.device, machine.precision):
            continue
        prepare, learn = found.setdefault(run_kind(past.config), ([], []))
        raw = raw_seconds(replace(past.config, epochs=past.epochs), past.photos, machine)
        prepared = past.seconds.get("prepare", 0.0) / raw["prepare"]
        if prepared >= _CACHED_BELOW:
            prepare.append(prepared)
        learned = past.seconds.get("train", 0.0) + past.seconds.get("validate", 0.0)
        learn.append(learned / (raw["train"] + raw["validate"]))
    return {kind: (_middle(prepare), _middle(learn)) for kind, (prepare, learn) in found.items()}


def _middle(ratios: Sequence[float]) -> float:
    newest = ratios[:_RUNS_USED]
    return min(_MOST, max(_LEAST, statistics.median(newest))) if newest else 1.0


def probably_cached(config: TrainConfig, folder: Path | None, machine: Machine, runs: Iterable[Past]) -> bool:
    """Whether a run has read these photos in the same way, and its features are likely kept."""
    if config.stores_photos or folder is None or not (cache_dir() / "photos.sqlite").is_file():
        return False
    wanted = _as_read(config, folder, machine.device, machine.precision)
    return any(_as_read(past.config, past.config.data, past.device, past.precision) == wanted for past in runs)


def _as_read(config: TrainConfig, folder: Path | None, device: str, precision: str) -> tuple[object, ...]:
    way = (config.model, config.trainable == "head", config.stored_variations, config.image_size, config.fit)
    return (*way, config.pretrained, str(folder), device, precision)


# --- the self-measurement --------------------------------------------------------------------------------------------


def measure(
    device: "DeviceInfo",
    precision: str,
    folder: Path,
    photos: Sequence[Path],
    should_stop: Callable[[], bool] = lambda: False,
    *,
    with_network: bool = True,
) -> None:
    """Measure what a device does here and keep it: some CORE_SECONDS of computing. photos: a few of `folder`'s.

    with_network: steps of networks too, for which torch is loaded; what was measured before is then left out.
    Raises Stopped; a part that fails, or for which no time is left, is left out.
    """
    from catdog_gui.engine.estimates.measuring import measure_all

    had = known(device.id, precision, runs=()).factors
    kinds = KINDS if with_network else KINDS[:1]
    wanted = [kind for kind in kinds if kind not in had] or list(kinds)
    found = measure_all(device, precision, photos, wanted, CORE_SECONDS, should_stop)
    if found is not None:
        keep(device.id, precision, {**had, **found.factors}, found.base_mb, folder, found.reading_ms)
