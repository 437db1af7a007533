"""Answers: owns the PredictState, says which model answers, and runs the prediction jobs one after the other."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from catdog_gui.engine.events import Event, Prediction, RunFailed
from catdog_gui.session.pace import Pace
from catdog_gui.session.prediction import JobOffer, ModelLine, PredictState, Score
from catdog_gui.ui.bridge import Background, Stop, Task
from catdog_gui.ui.job_values import Noted, OpenedModel
from catdog_gui.ui.jobs import Jobs

_LOOK_S = 0.1  # how often a job that is held up looks at Stop
Send = Callable[[object], None]


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
        self._gate = threading.Event()  # set: jobs go on; cleared: they are held up
        self._gate.set()
        self._pace = Pace()
        self._noted: Noted | None = None  # where the answers of the last long job are noted down
        self._early: list[object] = []
        self._answered_by: Path | None = None  # whose answers are on screen
        self._given: list[object] = []  # what they are the answers to; empty where an earlier job's are shown
        self._loads_ahead = False
        self._told = QTimer(self, singleShot=True, interval=0)  # after all that has arrived was taken in
        self._told.timeout.connect(self.changed)

    def use(self, file: Path, line: ModelLine) -> None:
        """Ask this model from now on."""
        if self.file != file or self.state.model != line:
            self.file = file
            self.state.use_model(line)
            if self.state.predictions and not self.state.running and self._answered_by not in (None, file):
                self.state.say("answers_of_before" if self._given else "answers_of_before_drop")
            self.changed.emit()
            if self._loads_ahead:
                self.load_ahead()
        self._classify_early()

    def rename(self, name: str) -> None:
        """The model that answers is called so now."""
        if self.state.model is not None and self.state.model.name != name:
            self.state.model = replace(self.state.model, name=name)
            self.changed.emit()

    @property
    def answered_by(self) -> Path | None:
        """The model file whose answers are on screen; None where they are an earlier job's."""
        return self._answered_by

    def replace_answers(self, answers: list[Prediction], score: Score | None) -> None:
        """Show the same answers under other limits."""
        self.state.predictions, self.state.score = answers, score
        self.changed.emit()

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

    def forget(self, folder: Path) -> None:
        """A run's folder is gone: its model answers no more."""
        if self.file is not None and self.file.is_relative_to(folder):
            self.stop()
            self.file = None
            self.state.use_model(None)
            self.changed.emit()

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
            self._given = []
        self._answered_by = self.file
        self._given += sources
        self._waiting.append(list(sources))
        if self._task is None:
            self._next()
        else:
            self._count_waiting()
            self.changed.emit()

    def classify_by(self, model: Path, sources: Sequence[object]) -> None:
        """Let this model answer, in a list of its own. What is on screen goes; what was noted down of it stays."""

        def ask() -> None:
            if not self.state.running:
                self.state.clear()
                self._given = []
            self.classify(sources)

        def opened(found: OpenedModel) -> None:
            self._on_opened(found)
            ask()

        if self.file == model:
            ask()
        else:
            self._background.start(self._jobs.open_model(model), opened, self._on_failed)

    def ask_again(self) -> None:
        """Ask the model that is open now about the photos whose answers are on screen."""
        given = self._given
        if given and not self.state.running:
            self.clear()
            self.classify(given)

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

    def pause(self) -> None:
        """Hold the job up between two photos."""
        if self._task is not None:
            self._gate.clear()
            self.state.pause(True)
            self.changed.emit()

    def resume(self) -> None:
        """Let a job that is held up go on."""
        self._gate.set()
        self._pace = Pace()
        self.state.pause(False)
        self.changed.emit()

    def look_for_jobs(self) -> None:
        """Offer to go on with the job that an earlier start of the program left."""
        self._background.start(self._jobs.unfinished(), self._on_found_job, lambda _failure: None)

    def go_on(self) -> None:
        """Go on with the job that is offered: its answers are shown again first."""
        offer = self.state.offer
        if offer is None or self._task is not None:
            return
        self.state.clear()
        self._answered_by, self._given, self.state.given = None, [], 0
        self._start(self._jobs.go_on(offer.path))

    def drop_job(self) -> None:
        """Forget the job that is offered."""
        if self.state.offer is not None:
            self._forget(self.state.offer.path)
            self.state.offer = None
            self.changed.emit()

    def stop(self) -> None:
        """Leave the rest; answers that are there stay."""
        self._waiting.clear()
        self._count_waiting()
        if self._task is not None:
            self.state.ask_stop()
            self._task.ask_stop()
            self.changed.emit()

    def clear(self) -> None:
        self.state.clear()
        self._given = []
        if self._noted is not None and self._task is None:
            self._forget(self._noted.job)
            self._noted = None
        self.changed.emit()

    def _forget(self, job: Path) -> None:
        self._background.start(self._jobs.forget(job), lambda _none: None, self._on_failed)

    def _on_found_job(self, offer: JobOffer | None) -> None:
        if offer is not None and self._task is None and not self.state.predictions:
            self.state.offer = offer
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
        self.state.offer = None
        sources = self._waiting.popleft()
        self.state.given = len(sources)
        self._count_waiting()
        self._start(self._jobs.predict(self.file, sources))

    def _count_waiting(self) -> None:
        self.state.waiting = sum(map(len, self._waiting))

    def _start(self, job: Callable[[Send, Stop], None]) -> None:
        self._noted = None
        self.state.begin()
        self._pace = Pace()
        self.changed.emit()
        self._task = self._background.start(self._held_up(job), self._on_done, self._on_job_failed, self._on_message)

    def _held_up(self, job: Callable[[Send, Stop], None]) -> Callable[[Send, Stop], None]:
        """The job, waiting after each answer while it is paused."""

        def run(send: Send, should_stop: Stop) -> None:
            def send_and_wait(message: object) -> None:
                send(message)
                while not self._gate.wait(_LOOK_S) and not should_stop():
                    pass

            job(send_and_wait, should_stop)

        return run

    def _on_message(self, message: object) -> None:
        match message:
            case Event():
                self.state.apply(message)
                self._watch_pace()
            case OpenedModel():  # of a job that goes on: its earlier answers came at once, the others take their time
                self.use(message.file, message.line)
                self._answered_by = message.file
                self._pace, self.state.seconds_left = Pace(), None
            case Noted():
                self._noted = message
            case Score():
                self.state.score = message
        self._told.start()

    def _watch_pace(self) -> None:
        state = self.state
        if state.total and not state.paused:
            state.seconds_left = self._pace.watch("answers", state.done / state.total, time.monotonic())

    def _on_done(self, _nothing: None) -> None:
        self._task = None
        self._gate.set()
        self._offer_rest()
        self._next()

    def _offer_rest(self) -> None:
        """A job that was stopped can be gone on with, now or after a restart."""
        state = self.state
        if self._noted is not None and state.done < state.total and not self._waiting:
            noted, now = self._noted, time.time()
            self.state.offer = JobOffer(noted.job, noted.name, state.done, state.total, is_done=False, when=now)

    def _on_job_failed(self, failure: RunFailed) -> None:
        self._task = None
        self._gate.set()
        self._waiting.clear()
        self._count_waiting()
        self._on_failed(failure)

    def _on_opened(self, opened: OpenedModel) -> None:
        self.use(opened.file, opened.line)

    def _on_failed(self, failure: RunFailed) -> None:
        self.state.apply(failure)
        self.changed.emit()
