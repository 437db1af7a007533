"""The chosen folder: owns the DataState and the jobs that fill it."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from catdog_gui.engine import home
from catdog_gui.engine.events import RunFailed
from catdog_gui.session.data import Dataset, DataState
from catdog_gui.ui.bridge import Background, Task
from catdog_gui.ui.job_values import Count, Samples, Thumbnail
from catdog_gui.ui.jobs import Jobs


class DataModel(QObject):
    """Signals: changed: the state is newer; thumbnail(Thumbnail): one example photo is there;
    ready(Path): a folder was looked through and can be trained on; drawing(int, int): sample pictures drawn so far, of
    how many, (0, 0) at the end; failed(RunFailed)."""

    changed = Signal()
    thumbnail = Signal(object)
    ready = Signal(object)
    drawing = Signal(int, int)
    failed = Signal(object)

    def __init__(self, background: Background, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = DataState()
        self.thumbnail_side = 72
        self._background = background
        self._jobs = jobs
        self._scan: Task | None = None
        self._thumbnails: Task | None = None
        self._drawing: Task | None = None

    def choose(self, folder: Path, *, use_split: bool = True) -> None:
        """Look through a folder; what was chosen before is forgotten, an unfinished scan is cancelled."""
        if folder.parent == home.samples_dir():  # one of the recent folders: its drawings are made whole first
            self.draw_samples()
            return
        self._choose(folder, use_split=use_split)

    def _choose(self, folder: Path, *, use_split: bool) -> None:
        self._cancel_jobs()
        self.state.choose(folder, use_split=use_split)
        self.changed.emit()
        job = self._jobs.scan(folder, use_split=use_split)
        self._scan = self._background.start(job, self._on_scanned, self._on_failed, self._on_progress)

    def cancel(self) -> None:
        """Leave the scan."""
        self._cancel_jobs()
        self.state.cancel()
        self.changed.emit()

    def draw_samples(self) -> None:
        """Draw the sample pictures, then choose them."""
        if self._drawing is not None:
            return
        self.drawing.emit(0, 1)
        job = self._jobs.samples(home.samples_dir())
        self._drawing = self._background.start(job, self._on_drawn, self._on_not_drawn, self._on_drawing)

    def _cancel_jobs(self) -> None:
        for task in (self._scan, self._thumbnails):
            if task is not None:
                task.cancel()

    def _on_progress(self, message: object) -> None:
        if isinstance(message, Count):
            self.state.progress(message.done)
            self.changed.emit()

    def _on_scanned(self, dataset: Dataset) -> None:
        self.state.scanned(dataset)
        self.changed.emit()
        if self.state.ready:
            self.ready.emit(dataset.root)
        job = self._jobs.thumbnails(dataset.examples, self.thumbnail_side)
        self._thumbnails = self._background.start(job, lambda _none: None, self.failed.emit, self._on_thumbnail)

    def _on_failed(self, failure: RunFailed) -> None:
        self.state.failed(failure.code, failure.fields)
        self.changed.emit()
        if failure.code == "unexpected":  # a fault of the program, with details worth copying
            self.failed.emit(failure)

    def _on_thumbnail(self, message: object) -> None:
        if isinstance(message, Thumbnail):
            self.thumbnail.emit(message)

    def _on_drawing(self, message: object) -> None:
        if isinstance(message, Count):
            self.drawing.emit(message.done, message.total)

    def _on_drawn(self, samples: Samples) -> None:
        self._drawing = None
        self.drawing.emit(0, 0)
        self._choose(samples.dataset, use_split=True)
        self.state.held_out = samples.held_out

    def _on_not_drawn(self, failure: RunFailed) -> None:
        self._drawing = None
        self.drawing.emit(0, 0)
        self.failed.emit(failure)
