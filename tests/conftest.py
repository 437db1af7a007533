"""What every test gets: a home of its own, an invisible Qt, drawn photos, and a check that it left nothing running."""

import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

import catdog_gui

if TYPE_CHECKING:
    from catdog_gui.engine.events import RunResult
    from catdog_gui.engine.samples import SampleSet

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Networks in tests are tiny: threads that wait for each other would make them 20 times slower on busy processors.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["LC_ALL"] = "C.UTF-8"  # the texts asserted on are the English ones

CLASSES: Mapping[str, int] = {"cats": 24, "dogs": 24}
_GRACE_S = 2.0  # for a thread that has been told to end and is on its way out
_PACKAGE = f"{Path(catdog_gui.__file__).parent}{os.sep}"
_COLOURS = ((214, 118, 40), (52, 92, 190), (60, 160, 70), (150, 60, 160), (200, 190, 60))


# --- what is needed and not here: skipped, with the reason printed ---------------------------------------------------


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, reason in (
        ("photos", _missing_folder("CATDOG_PHOTOS", "train")),
        ("bad_inputs", _missing_folder("CATDOG_BAD_INPUTS", "manifest.json")),
    ):
        if item.get_closest_marker(marker) and reason:
            pytest.skip(reason)
    if item.get_closest_marker("gpu") and (reason := _missing_gpu()):
        pytest.skip(reason)


def _missing_folder(variable: str, holds: str) -> str | None:
    folder = os.environ.get(variable)
    if not folder:
        return f"{variable} is not set"
    return None if (Path(folder) / holds).exists() else f"{variable}={folder} holds no {holds}"


def _missing_gpu() -> str | None:
    import torch

    return None if torch.cuda.is_available() else "no CUDA card that this torch can use"


@pytest.fixture(scope="session")
def photos_dir() -> Path:
    """Real photos: `train/cats`, `train/dogs`, `other`. Never written to."""
    if reason := _missing_folder("CATDOG_PHOTOS", "train"):
        pytest.skip(reason)
    return Path(os.environ["CATDOG_PHOTOS"])


@pytest.fixture(scope="session")
def bad_inputs_dir() -> Path:
    """Troublesome files and folders, described by its `manifest.json`. Never written to."""
    if reason := _missing_folder("CATDOG_BAD_INPUTS", "manifest.json"):
        pytest.skip(reason)
    return Path(os.environ["CATDOG_BAD_INPUTS"])


# --- nothing of the person's own is touched --------------------------------------------------------------------------


@pytest.fixture(scope="session", autouse=True)
def _session_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """For fixtures that outlive a test; each test has its own."""
    os.environ["CATDOG_HOME"] = str(tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def catdog_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's home in this test: a folder that does not exist yet."""
    home = tmp_path / "catdog-home"
    monkeypatch.setenv("CATDOG_HOME", str(home))
    return home


# --- nothing is left running -----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _nothing_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a QThread, a Python thread or a visible window, and say where it was started."""
    started: list[tuple[QThread, str]] = []
    start = QThread.start

    def start_and_note(thread: QThread, *args: object) -> None:
        started.append((thread, _caller()))
        start(thread, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(QThread, "start", start_and_note)
    before = set(threading.enumerate())
    yield
    gc.enable()  # a window switches it off
    left = [*_left_qthreads(started), *_left_threads(before), *_left_windows()]
    if left:
        pytest.fail("The test left behind:\n" + "\n".join(left), pytrace=False)


def _caller() -> str:
    lines = traceback.extract_stack()[:-2]
    ours = [line for line in lines if _PACKAGE in line.filename or f"{os.sep}tests{os.sep}" in line.filename]
    line = (ours or lines)[-1]
    return f"{line.filename}:{line.lineno}"


def _left_qthreads(started: list[tuple[QThread, str]]) -> list[str]:
    return [
        f"  QThread {thread.objectName() or type(thread).__name__} started at {where}"
        for thread, where in started
        if isValid(thread) and thread.isRunning() and not thread.wait(int(_GRACE_S * 1000))
    ]


def _left_threads(before: set[threading.Thread]) -> list[str]:
    """New threads that keep the process alive, and daemon threads that run our code."""
    left = []
    for thread in set(threading.enumerate()) - before:
        if isinstance(thread, threading._DummyThread) or (thread.daemon and not _runs_our_code(thread)):
            continue
        thread.join(_GRACE_S)
        if thread.is_alive():
            left.append(f"  thread {thread.name} at\n{''.join(_stack(thread)[-2:])}")
    return left


def _stack(thread: threading.Thread) -> list[str]:
    frame = sys._current_frames().get(thread.ident or 0)
    return traceback.format_stack(frame) if frame else []


def _runs_our_code(thread: threading.Thread) -> bool:
    return thread.name.startswith("catdog") or any(_PACKAGE in line for line in _stack(thread))


def _left_windows() -> list[str]:
    if not isinstance(QApplication.instance(), QApplication):
        return []
    left = [
        widget for widget in QApplication.topLevelWidgets() if widget.isVisible() and not widget.inherits("QTipLabel")
    ]
    names = [f"  visible window {_describe(widget)}" for widget in left]
    for widget in left:  # the next test is not to pay for it
        widget.hide()
        widget.deleteLater()
    return names


def _describe(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} {widget.windowTitle()!r}"


# --- drawn photos ----------------------------------------------------------------------------------------------------

DrawPhoto = Callable[..., Image.Image]
MakeDataset = Callable[..., Path]


@pytest.fixture(scope="session")
def draw_photo() -> DrawPhoto:
    """`draw_photo(kind=0, seed=0, size=(96, 80))`: an RGB picture; kind: colour and shape, seed: the rest."""
    return _draw_photo


@pytest.fixture(scope="session")
def make_dataset() -> MakeDataset:
    """`make_dataset(folder, classes={"cats": 24, "dogs": 24}, size=(96, 80), seed=0) -> folder`.

    One sub-folder a class with that many JPEGs `0000.jpg`, ...; no two are alike.
    """
    return _make_dataset


@pytest.fixture
def tiny_dataset(tmp_path: Path) -> Path:
    """Two classes of 24 drawn photos, told apart by colour and shape: two epochs are enough to learn them."""
    return _make_dataset(tmp_path / "photos")


def _make_dataset(
    folder: Path, classes: Mapping[str, int] = CLASSES, size: tuple[int, int] = (96, 80), seed: int = 0
) -> Path:
    for kind, (name, count) in enumerate(classes.items()):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number in range(count):
            photo = _draw_photo(kind, seed * 100_000 + number, size)
            photo.save(folder / name / f"{number:04}.jpg", quality=90)
    return folder


def _draw_photo(kind: int = 0, seed: int = 0, size: tuple[int, int] = (96, 80)) -> Image.Image:
    """Even kinds are a head with pointed ears, odd ones a head with hanging ears, each in its kind's colour."""
    rng = np.random.default_rng([kind, seed])
    width, height = size
    ground = rng.integers(150, 220, 3) + rng.integers(-20, 20, (height, width, 3))
    photo = Image.fromarray(ground.astype(np.uint8))
    draw = ImageDraw.Draw(photo)
    tint = tuple(int(np.clip(c + rng.integers(-18, 18), 0, 255)) for c in _COLOURS[kind % len(_COLOURS)])
    r = int(min(size) * rng.uniform(0.25, 0.33))
    x, y = (int(side * rng.uniform(0.42, 0.58)) for side in size)
    draw.ellipse((x - r, y - r, x + r, y + r), fill=tint)
    for side in (-1, 1):
        if kind % 2 == 0:
            draw.polygon([(x + side * r, y - r // 3), (x + side * r, y - r * 3 // 2), (x, y - r * 3 // 4)], fill=tint)
        else:
            ear = x + side * r
            draw.ellipse((ear - r // 3, y - r // 2, ear + r // 3, y + r), fill=tuple(c // 2 for c in tint))
        eye = x + side * r // 2
        draw.ellipse((eye - 3, y - 3, eye + 3, y + 3), fill=(20, 20, 20))
    return photo


# --- a run on drawn pets ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def drawn_samples(tmp_path_factory: pytest.TempPathFactory) -> "SampleSet":
    """Drawn pets, 40 cats and 40 dogs of 160 px, and 8 of both kept out. Not to be written to."""
    from catdog_gui.engine.samples import draw_samples

    return draw_samples(tmp_path_factory.mktemp("samples") / "set", photos_per_class=40, held_out=8, size=160)


Train = Callable[..., "RunResult"]


@pytest.fixture(scope="session")
def train() -> Train:
    """`train(data, run, preset="fast", emit=..., should_stop=..., **settings) -> RunResult` on the CPU."""

    def run(data: Path, run: Path, preset: str = "fast", /, **changes: Any) -> "RunResult":
        import dataclasses

        from catdog_gui.engine import config
        from catdog_gui.engine.training import run as training

        how = {name: changes.pop(name) for name in ("emit", "should_stop") if name in changes}
        settings = dataclasses.replace(config.preset(preset), data=data, run=run, device="cpu", **changes)
        return training.fit(settings, **how)

    return run


@pytest.fixture(scope="session")
def drawn_run(drawn_samples: "SampleSet", train: Train, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a `fast` model of drawn pets. Not to be written to."""
    run = tmp_path_factory.mktemp("runs") / "drawn"
    return Path(train(drawn_samples.dataset, run, precision="fp32").run)  # comparable on every computer
