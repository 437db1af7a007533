"""Answers: owns the PredictState, says which model answers, and runs the prediction jobs one after the other."""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from catdog_gui.engine.events import Event, RunFailed
from catdog_gui.session.prediction import ModelLine, PredictState
from catdog_gui.ui.bridge import Background, Task
from catdog_gui.ui.job_values import OpenedModel
from catdog_gui.ui.jobs import Jobs


class PredictModel(QObject):
    """Signal changed: the state is newer; once for all the answers that came at a time.

    A model that the user opened answers until a run saves its first own one; then the newest run's does.
    """

    changed = Signal()

    def __init__(self, background: Background, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = PredictState()
        self.file: Path | None = None
        self._background = background
        self._jobs = jobs
        self._task: Task | None = None
        self._waiting: deque[Sequence[object]] = deque()
        self._early: list[object] = []
        self._answered_by: Path | None = None  # whose answers are on screen
        self._loads_ahead = False
        self._told = QTimer(self, singleShot=True, interval=0)  # after all that has arrived was taken in
        self._told.timeout.connect(self.changed)

    def use(self, file: Path, line: ModelLine) -> None:
        """Ask this model from now on."""
        if self.file != file or self.state.model != line:
            self.file = file
            self.state.use_model(line)
            self.changed.emit()
            if self._loads_ahead:
                self.load_ahead()
        self._classify_early()

    def load_ahead(self, then: Callable[[], None] = lambda: None) -> None:
        """Load the model now and those used later, so that the first photo need not wait for it; `then`: afterwards.

        The best so far of a run that goes on is left alone: the next epoch may replace it, and the run needs the time.
        """
        self._loads_ahead = True
        model = self.state.model
        if self.file is None or model is None or model.best_epoch is not None:
            then()
            return
        job = self._jobs.load(self.file)
        # What is wrong with it is said when it is asked.
        self._background.start(job, lambda _nothing: then(), lambda _failure: then())

    def open_model(self, path: Path) -> None:
        """Open a model file or run folder that the user named; a foreign one is refused in words."""
        self._background.start(self._jobs.open_model(path), self._on_opened, self._on_failed)

    def classify(self, sources: Sequence[object]) -> None:
        """Answer for photos, folders or pictures (Path or encoded bytes), after those that are already waiting."""
        if self.file is None:
            self.state.say("no_model_yet")
            self.changed.emit()
            return
        if self._answered_by not in (None, self.file) and not self.state.running:
            self.state.clear()  # answers of two models in one list would be taken for one's
        self._answered_by = self.file
        self._waiting.append(list(sources))
        if self._task is None:
            self._next()

    def classify_later(self, sources: Sequence[object]) -> None:
        """Answer once there is a model: photos named on the command line."""
        self._early.extend(sources)
        if self.file is not None:
            self._classify_early()

    def say_if_nobody_answers(self) -> None:
        """The runs are known and none has a model: photos that wait for one are told so."""
        if self._early and self.file is None:
            self.state.say("no_model_yet")
            self.changed.emit()

    def stop(self) -> None:
        """Leave the rest; answers that are there stay."""
        self._waiting.clear()
        if self._task is not None:
            self.state.ask_stop()
            self._task.ask_stop()
            self.changed.emit()

    def clear(self) -> None:
        self.state.clear()
        self.changed.emit()

    def _classify_early(self) -> None:
        early, self._early = self._early, []
        if early:
            self.classify(early)

    def _next(self) -> None:
        if not self._waiting or self.file is None:
            self.state.end()
            self.changed.emit()
            return
        sources = self._waiting.popleft()
        self.state.begin()
        self.changed.emit()
        job = self._jobs.predict(self.file, sources)
        self._task = self._background.start(job, self._on_done, self._on_job_failed, self._on_event)

    def _on_event(self, message: object) -> None:
        if isinstance(message, Event):
            self.state.apply(message)
            self._told.start()

    def _on_done(self, _nothing: None) -> None:
        self._task = None
        self._next()

    def _on_job_failed(self, failure: RunFailed) -> None:
        self._task = None
        self._waiting.clear()
        self._on_failed(failure)

    def _on_opened(self, opened: OpenedModel) -> None:
        self.use(opened.file, opened.line)

    def _on_failed(self, failure: RunFailed) -> None:
        self.state.apply(failure)
        self.changed.emit()
