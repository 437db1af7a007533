"""A set of drawn pictures in a folder: made whole or not at all."""

import io
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PIL import Image

from catdog_gui.engine import system
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.files import write_error
from catdog_gui.engine.samples.faces import pet
from catdog_gui.engine.samples.pen import Pen
from catdog_gui.engine.samples.scenes import gradient, scene

VERSION = 1  # of the drawings: an older set is drawn anew
KINDS = (("cat", "cats"), ("dog", "dogs"))  # what is drawn, its class
_MANIFEST = "samples.json"
_FINER = 2  # drawn this many times larger, then reduced: smooth edges
_LEFTOVER_S = 3600.0
_BYTES_A_PIXEL = 0.2  # of a drawing as a JPEG
_EVERY = 8  # pictures between two words about progress


@dataclass(frozen=True, slots=True)
class SampleSet:
    """dataset: folder with the classes `cats` and `dogs`; held_out: pictures in none of them, to drop on the window."""

    dataset: Path
    held_out: list[Path]


@dataclass(frozen=True, slots=True)
class _Task:
    kind: str
    number: int
    file: Path


def draw_samples(
    folder: Path,
    *,
    photos_per_class: int = 200,
    held_out: int = 6,
    size: int = 256,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> SampleSet:
    """Draw `folder`/dataset/{cats,dogs} and `folder`/try these; a set of the same make that is complete stays as it is.

    size: side in pixels. The same seed draws the same pictures. on_progress(done, total) is called on the caller's
    thread. Raises Stopped, CatDogError (disk_full, cannot_write); nothing is left behind then. FileExistsError where
    the folder holds something else.
    """
    made = {"version": VERSION, "photos_per_class": photos_per_class, "held_out": held_out, "size": size, "seed": seed}
    if _is_complete(folder, made):
        return _set(folder)
    if folder.exists() and any(folder.iterdir()) and not (folder / _MANIFEST).is_file():
        raise FileExistsError(f"{folder} holds something else than drawn pictures")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(folder)
        temporary = Path(tempfile.mkdtemp(prefix=_prefix(folder), dir=folder.parent))
        try:
            _draw_all(_tasks(temporary, photos_per_class, held_out, seed), size, seed, on_progress, should_stop)
            (temporary / _MANIFEST).write_text(json.dumps(made), "utf-8")
            _put_in_place(temporary, folder, made)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        pixels = (photos_per_class * len(KINDS) + held_out) * size * size
        raise write_error(error, folder, round(pixels * _BYTES_A_PIXEL)) from error
    return _set(folder)


def draw_picture(kind: str, number: int, *, size: int = 256, seed: int = 0) -> Image.Image:
    """One picture, "cat" or "dog": RGB, size x size. The same numbers draw the same picture."""
    rng = Random(f"{VERSION}/{seed}/{kind}/{number}")  # noqa: S311 -- drawings, not secrets
    fine = size * _FINER
    image = scene(rng, fine)
    pet(Pen.on(image), rng, kind)
    return _light(image.reduce(_FINER), rng)


def _light(image: Image.Image, rng: Random) -> Image.Image:
    """Daylight or lamp light: a soft tint that falls from one corner, brighter or darker."""
    tint = rng.choice(((255, 226, 180), (206, 220, 255), (255, 250, 240), (40, 36, 70)))
    strength = rng.uniform(0.0, 0.16)
    shaded = gradient(image.width, tint, (70, 60, 80)).rotate(rng.choice((0, 90, 180, 270)))
    return Image.blend(image, shaded, strength)


def _tasks(root: Path, photos_per_class: int, held_out: int, seed: int) -> list[_Task]:
    tasks = []
    for kind, label in KINDS:
        folder = root / "dataset" / label
        folder.mkdir(parents=True)
        tasks += [_Task(kind, n, folder / f"{kind}-{n + 1:03}.jpg") for n in range(photos_per_class)]
    folder = root / "try these"
    folder.mkdir()
    kinds = [KINDS[n % len(KINDS)][0] for n in range(held_out)]
    Random(seed).shuffle(kinds)  # noqa: S311 -- an order, not a secret
    return tasks + [_Task(kind, photos_per_class + n, folder / f"drawing-{n + 1}.jpg") for n, kind in enumerate(kinds)]


def _draw_all(
    tasks: list[_Task],
    size: int,
    seed: int,
    on_progress: Callable[[int, int], None] | None,
    should_stop: Callable[[], bool] | None,
) -> None:
    def draw(task: _Task) -> None:
        if should_stop is not None and should_stop():
            raise Stopped
        jpeg = io.BytesIO()  # Pillow's own writing has no words for a full disk
        draw_picture(task.kind, task.number, size=size, seed=seed).save(jpeg, "JPEG", quality=90)
        task.file.write_bytes(jpeg.getvalue())

    with ThreadPoolExecutor(min(8, system.cores())) as pool:
        try:
            for done, _ in enumerate(pool.map(draw, tasks), 1):
                if on_progress is not None and (done % _EVERY == 0 or done == len(tasks)):
                    on_progress(done, len(tasks))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _put_in_place(temporary: Path, folder: Path, made: dict[str, int]) -> None:
    """Rename the finished set to its name; another program that was quicker wins."""
    replaced = temporary.with_name(f"{temporary.name}-old")
    if folder.exists():
        if _is_complete(folder, made):
            return
        folder.rename(replaced)
    temporary.rename(folder)
    shutil.rmtree(replaced, ignore_errors=True)


def _is_complete(folder: Path, made: dict[str, int]) -> bool:
    try:
        if json.loads((folder / _MANIFEST).read_text("utf-8")) != made:
            return False
    except (OSError, ValueError):
        return False
    counts = [len(list((folder / "dataset" / label).glob("*.jpg"))) for _, label in KINDS]
    return counts == [made["photos_per_class"]] * len(KINDS) and len(_set(folder).held_out) == made["held_out"]


def _set(folder: Path) -> SampleSet:
    return SampleSet(folder / "dataset", sorted((folder / "try these").glob("*.jpg")))


def _prefix(folder: Path) -> str:
    return f".{folder.name}-drawing-"


def _clear_leftovers(folder: Path) -> None:
    """Remove what a killed program left half-drawn."""
    for path in _leftovers(folder):
        shutil.rmtree(path, ignore_errors=True)


def _leftovers(folder: Path) -> Iterator[Path]:
    oldest = time.time() - _LEFTOVER_S
    for path in folder.parent.glob(f"{_prefix(folder)}*"):
        try:
            if path.stat().st_mtime < oldest:
                yield path
        except OSError:  # its owner was quicker
            continue
