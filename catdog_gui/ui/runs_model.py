"""The list of runs: owns the summaries, and the jobs that read, rename and copy."""

import logging
import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.session.state import RunState
from catdog_gui.ui.bridge import Background
from catdog_gui.ui.jobs import Jobs

LOOK_AGAIN_S = 2.0  # a look reads a few files of each run


class RunsModel(QObject):
    """Signals: changed: the list is newer; opened(Path, RunState): a run was read back; failed(RunFailed);
    saved(Path): a model was copied there; deleted(Path); stuck(Path): the system has no trash for this run."""

    changed = Signal()
    opened = Signal(object, object)
    saved = Signal(object)
    failed = Signal(object)
    deleted = Signal(object)
    stuck = Signal(object)

    def __init__(self, background: Background, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: Sequence[RunSummary] = ()
        self._background = background
        self._jobs = jobs
        self._looked = -LOOK_AGAIN_S  # when, by the monotonic clock

    @property
    def newest_with_model(self) -> RunSummary | None:
        """Of those that came to an end or were stopped; one that failed or was cut off only where there is no other."""
        able = [run for run in self.runs if run.has_model]
        return next((run for run in able if run.status in ("completed", "stopped")), able[0] if able else None)

    def summary(self, run: Path) -> RunSummary | None:
        return next((item for item in self.runs if item.path == run), None)

    def refresh(self) -> None:
        self._background.start(self._jobs.runs(), self._on_listed, self.failed.emit)

    def look_again(self) -> None:
        """List the runs anew, for those of other programs: where the last look is two seconds old, and in silence."""
        now = time.monotonic()
        if now - self._looked >= LOOK_AGAIN_S:
            self._looked = now
            self._background.start(self._jobs.runs(), self._on_seen, _note)

    def open_run(self, run: Path) -> None:
        def done(state: RunState) -> None:
            self.opened.emit(run, state)

        self._background.start(self._jobs.read_run(run), done, self.failed.emit)

    def rename(self, run: Path, name: str) -> None:
        self._background.start(self._jobs.rename_run(run, name), lambda _none: self.refresh(), self.failed.emit)

    def delete(self, run: Path, *, for_good: bool = False) -> None:
        """To the trash; `stuck(run)` is said where that is not possible, and nothing was deleted then."""

        def done(deleted: bool) -> None:
            if deleted:
                self.deleted.emit(run)
                self.refresh()
            else:
                self.stuck.emit(run)

        self._background.start(self._jobs.delete_run(run, for_good=for_good), done, self.failed.emit)

    def save_model(self, run: Path, target: Path) -> None:
        def done(_nothing: None) -> None:
            self.saved.emit(target)

        self._background.start(self._jobs.save_model(run, target), done, self.failed.emit)

    def _on_seen(self, runs: Sequence[RunSummary]) -> None:
        if tuple(runs) != tuple(self.runs):
            self._on_listed(runs)

    def _on_listed(self, runs: Sequence[RunSummary]) -> None:
        self.runs = runs
        self.changed.emit()


def _note(failure: RunFailed) -> None:
    logging.getLogger(__name__).warning("runs not listed: %s", failure.code)
