"""The comparison of devices: owns the ComparisonState and the job that measures."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from catdog_gui.engine.events import Event, RunFailed
from catdog_gui.session.comparison import ComparisonState
from catdog_gui.ui.bridge import Background, Task
from catdog_gui.ui.jobs import Jobs


class ComparisonModel(QObject):
    """Signal changed: the state is newer."""

    changed = Signal()

    def __init__(self, background: Background, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = ComparisonState()
        self._background = background
        self._jobs = jobs
        self._task: Task | None = None
        self._folder: Path | None = None

    def start(self, folder: Path) -> None:
        """Measure with this folder's photos. Does nothing while that goes on."""
        if self._task is not None:
            return
        self._folder = folder
        self.state.begin()
        self.changed.emit()
        job = self._jobs.compare(folder)
        self._task = self._background.start(job, self._on_done, self._on_failed, self._on_event)

    def again(self) -> None:
        """Measure once more, with the same photos."""
        if self._folder is not None:
            self.start(self._folder)

    def stop(self) -> None:
        """End it; rows that are measured stay."""
        if self._task is not None:
            self._task.ask_stop()
            self.state.ask_stop()
            self.changed.emit()

    def _on_event(self, message: object) -> None:
        if isinstance(message, Event):
            self.state.apply(message)
            self.changed.emit()

    def _on_done(self, _nothing: None) -> None:
        self._task = None
        self.state.end()
        self.changed.emit()

    def _on_failed(self, failure: RunFailed) -> None:
        self._task = None
        self.state.apply(failure)
        self.changed.emit()
