"""A window whose jobs are small functions that a test holds by Events, instead of the engine."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QObject, QRect, QSize, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.estimates.estimate import KINDS, Machine
from catdog_gui.engine.photos import reading
from catdog_gui.session.data import Dataset
from catdog_gui.session.estimates import Here
from catdog_gui.session.hardware import Device
from catdog_gui.ui import app as application
from catdog_gui.ui import theme
from catdog_gui.ui.job_values import Count, Known, Samples
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.main_window import MainWindow

LIMIT_MS = 10_000


class FakeJobs(Jobs):
    """`script` is what a run says before it waits for `release` (or for Stop), `ending` what it says or raises then."""

    def __init__(self) -> None:
        super().__init__()
        self.configs: list[TrainConfig] = []
        self.script: list[events.Event] = [events.PhaseStarted("scan")]
        self.ending: list[events.Event] = []
        self.error: Exception | None = None
        self.release = threading.Event()
        self.datasets: dict[Path, Dataset] = {}
        self.scanned: list[tuple[Path, bool]] = []
        self.found_devices: tuple[Device, ...] = (Device("cpu", "cpu", "Test CPU", works=True),)
        self.loaded: list[Path] = []
        self.predicted: list[Sequence[object]] = []
        self.answers: list[events.Prediction] = []
        self.drawn: Samples | None = None
        self.machine = Machine("cpu", "fp32", dict.fromkeys(KINDS, 1.0), measured=True)
        self.machine_measured = self.machine
        self.free_mb: float | None = None
        self.asked: list[Here] = []
        self.measured: list[tuple[Here, bool]] = []
        self.measure_ends = threading.Event()

    def train(self, config: TrainConfig) -> Any:
        self.configs.append(config)

        def job(emit: Callable[[events.Event], None], should_stop: Callable[[], bool]) -> None:
            for event in self.script:
                emit(event)
            while not (self.release.wait(0.005) or should_stop()):
                pass
            if self.error is not None:
                raise self.error
            for event in self.ending:
                emit(event)

        return job

    def scan(self, folder: Path, *, use_split: bool) -> Any:
        self.scanned.append((folder, use_split))

        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> Dataset:
            if folder not in self.datasets:
                raise InputError("folder_missing", path=str(folder))
            send(Count(7))
            return self.datasets[folder]

        return job

    def thumbnails(self, examples: Mapping[str, Sequence[Path]], side: int) -> Any:
        return lambda send, should_stop: None

    def devices(self, *, thorough: bool = False) -> Any:
        return lambda send, should_stop: self.found_devices

    def known(self, here: Here) -> Any:
        self.asked.append(here)
        return lambda send, should_stop: Known(self.machine, (), self.free_mb)

    def measure(self, here: Here, *, with_network: bool) -> Any:
        self.measured.append((here, with_network))

        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> None:
            while not (self.measure_ends.wait(0.005) or should_stop()):
                pass
            if not should_stop():
                self.machine = self.machine_measured

        return job

    def report(self) -> Any:
        return lambda send, should_stop: "torch 9.9"

    def samples(self, folder: Path) -> Any:
        return lambda send, should_stop: self.drawn

    def load(self, model: Path) -> Any:
        self.loaded.append(model)
        return lambda send, should_stop: None

    def predict(self, model: Path, sources: Sequence[object]) -> Any:
        self.predicted.append(list(sources))

        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> None:
            for answer in self.answers:
                send(answer)

        return job


def told_of_a_photo_that_hangs(
    monkeypatch: pytest.MonkeyPatch, where: ModuleType, job: Callable[[Any, Any], object]
) -> list[str]:
    """The codes of the notices of a job whose photos do not come until it has said something; it is stopped then.

    where: the module whose `read_bytes` reads them.
    """
    came, told = threading.Event(), list[object]()

    def read(path: Path) -> bytes:
        came.wait(60)
        return path.read_bytes()

    def send(message: object) -> None:
        told.append(message)
        came.set()

    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(where, "read_bytes", read)
    with pytest.raises(Stopped):
        job(send, came.is_set)
    return [message.code for message in told if isinstance(message, events.Notice)]


@pytest.fixture(autouse=True)
def _widgets_deleted_here() -> Iterator[None]:
    """Delete what was given to `deleteLater` on this thread.

    Else Python's collector would do it later, perhaps while a worker thread of the next test runs: Qt crashes then.
    """
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def owner() -> Iterator[QObject]:
    """A parent for models, so that they too are deleted on this thread."""
    owner = QObject()
    yield owner
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Numbers as in English, whatever this computer speaks."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def jobs() -> FakeJobs:
    return FakeJobs()


@pytest.fixture
def pets(jobs: FakeJobs, tmp_path: Path) -> Path:
    """A folder that the fake scan knows: 1,000 cats and 1,000 dogs."""
    folder = tmp_path / "pets"
    jobs.datasets[folder] = Dataset(folder, "class_folders", {"cats": 1000, "dogs": 1000})
    return folder


OpenWindow = Callable[..., MainWindow]


@pytest.fixture
def _look_restored(qapp: QApplication) -> Iterator[None]:
    """The application's style, palette and font as they were: the next test may look at plain widgets."""
    style, palette, font = qapp.style().name(), qapp.palette(), qapp.font()
    yield
    theme.choose_scheme(qapp, "system")
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def open_window(qtbot: Any, jobs: FakeJobs, _look_restored: None) -> Iterator[OpenWindow]:
    """`open_window(*argv)`: a window on screen, its devices tested and its plots built."""
    windows: list[MainWindow] = []

    def open_one(*argv: str) -> MainWindow:
        _app, window = application.build(argv, jobs=jobs)
        windows.append(window)
        qtbot.waitUntil(lambda: window.hardware.state.tested and window.background.is_idle, timeout=LIMIT_MS)
        return window

    yield open_one
    jobs.release.set()
    for window in windows:
        window.run.stop()
        qtbot.waitUntil(lambda window=window: not window.run.is_live, timeout=LIMIT_MS)
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def window(open_window: OpenWindow) -> MainWindow:
    return open_window()


@pytest.fixture
def window_in(qapp: QApplication, open_window: OpenWindow) -> Iterator[OpenWindow]:
    """`window_in("de")`: a window in that language."""
    yield lambda language: open_window("--lang", language)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


@pytest.fixture
def ready(qtbot: Any, window: MainWindow, pets: Path) -> MainWindow:
    """A window in which `pets` was chosen."""
    window.wishes.choose_folder(pets)
    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)
    return window


Find = Callable[[QWidget, str], Any]


@pytest.fixture
def find() -> Find:
    """`find(window, "trainButton")`: the widget of that object name; there is exactly one."""

    def find_one(parent: QWidget, name: str) -> Any:
        found = parent.findChildren(QWidget, name)
        assert len(found) == 1, f"{len(found)} widgets are called {name}"
        return found[0]

    return find_one


def _has_room(widget: QWidget) -> bool:
    least = widget.minimumSizeHint()
    if isinstance(widget, QLabel) and widget.wordWrap():
        least = QSize(least.width(), widget.heightForWidth(widget.width()))
    elif isinstance(widget, QLabel | QPushButton) and not widget.toolTip():  # what is cut on purpose says so
        least = widget.sizeHint()
    elif isinstance(widget, QComboBox):
        words = widget.fontMetrics().horizontalAdvance(widget.currentText())
        least = QSize(widget.width() + words - _words_of(widget).width(), least.height())
    inside = widget.parentWidget().rect().contains(widget.geometry())
    return inside and widget.width() >= least.width() and widget.height() >= least.height()


def _words_of(combo: QComboBox) -> QRect:
    """Where a combo box writes its words."""
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    return combo.style().subControlRect(control, option, part, combo)


@pytest.fixture
def cut_off() -> Callable[[QWidget], list[str]]:
    """`cut_off(panel)`: the words of all labels and controls seen on it that have less room than they need."""

    def find_all(parent: QWidget) -> list[str]:
        for _round in range(5):  # a layout may ask for another one
            QApplication.processEvents()
        kinds = (QLabel, QAbstractButton, QComboBox)
        seen = [child for child in parent.findChildren(QWidget) if isinstance(child, kinds) and child.isVisible()]
        words = [(child, child.currentText() if isinstance(child, QComboBox) else child.text()) for child in seen]
        return [text for child, text in words if text and not _has_room(child)]

    return find_all


def result(run: Path, status: str = "completed", accuracy: float = 0.9875) -> events.RunResult:
    return events.RunResult(
        status=status,  # type: ignore[arg-type]
        run=str(run),
        model=str(run / "model.safetensors"),
        classes=["cats", "dogs"],
        photos={"train": 1600, "val": 400, "skipped_count": 0},
        val={"accuracy": accuracy, "log_loss": 0.05, "n": 400},
        epochs=3,
        device="cpu",
        precision="fp32",
        seconds={"total": 6.4},
        best_epoch=2,
        confusion=[[198, 2], [3, 197]],
    )


def started(run: Path, epochs: int = 3) -> events.RunStarted:
    return events.RunStarted(
        run=str(run),
        classes=["cats", "dogs"],
        device="cpu",
        device_name="Test CPU",
        precision="fp32",
        epochs=epochs,
        preset="fast",
        model="efficientnet_lite0",
        photos={"train": 1600, "val": 400},
        started=1_764_000_000.0,
    )


@pytest.fixture
def make_result() -> Callable[..., events.RunResult]:
    return result


@pytest.fixture
def make_started() -> Callable[..., events.RunStarted]:
    return started
