"""What the user asks about trust: why an answer, how careful the model is to be, how it takes poor photos."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Notice, Prediction, RunFailed, RunResult
from catdog_gui.session.prediction import CheckedPhotos
from catdog_gui.session.trust import Careful, PoorRow, Why, scored_anew
from catdog_gui.ui import theme
from catdog_gui.ui.bridge import Task
from catdog_gui.ui.careful_panel import CarefulPanel
from catdog_gui.ui.job_values import Count
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.poor_panel import PoorPanel
from catdog_gui.ui.why_panel import ALIKE_PX, WhyPanel

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class TrustWishes(QObject):
    """Owner: the window. Puts the panels into the window and connects them."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self.why = WhyPanel(window)
        self.careful = CarefulPanel()
        self.poor = PoorPanel()
        self._asked: Prediction | None = None
        self._asking: Task | None = None
        self._shown: RunResult | None = None  # whose figures the panels show
        self._saving: int | None = None  # the place of the slider that is being kept now
        self._wanted: int | None = None  # the place that the user wants
        self._rows: list[PoorRow] = []
        self._trying: Task | None = None
        window.installEventFilter(self)
        for panel in (self.careful, self.poor):
            window.results.add_section(panel)
            panel.hide()
        window.predict_panel.why_requested.connect(self.ask_why)
        window.predict_panel.current_changed.connect(self.ask_again)
        window.predict_panel.answer_left.connect(self.why.put_away)
        window.tabs.currentChanged.connect(self.why.put_away)  # it would lie on what was asked for
        window.run.changed.connect(self.follow_run)
        window.results.photos_asked.connect(self.show_checked)
        self.careful.chosen.connect(self.make_careful)
        self.poor.asked.connect(self.try_poor_photos)
        self.poor.stop_requested.connect(self._stop_trying)

    # --- why ----------------------------------------------------------------------------------------------------------

    def ask_why(self, answer: Prediction, beside: QPoint) -> None:
        """beside: the left edge of the answer, in global coordinates."""
        self._asked = answer
        if self._asking is not None:
            self._asking.cancel()
        self.why.wait_for(answer)
        self._place(beside)
        model = self._window.predict.answered_by or self._window.predict.file
        if model is None or not answer.path:
            self.why.show_reason_missing(self.tr("It came without a file, so the model cannot look at it again."))
            return
        side = round(ALIKE_PX * max(1.0, self._window.devicePixelRatioF()))

        def done(found: Why) -> None:
            if self._asked is answer and self.why.isVisible():
                self.why.show_why(found)
                self._place(beside)

        def failed(failure: RunFailed) -> None:
            if self._asked is answer and self.why.isVisible():
                self.why.show_failure(failure)

        self._asking = self._window.background.start(self._jobs.explain(model, Path(answer.path), side), done, failed)

    def ask_again(self, answer: Prediction, beside: QPoint) -> None:
        """Another answer was reached with the keys: follow it where the sheet is open."""
        if self.why.isVisible() and answer is not self._asked:
            self.ask_why(answer, beside)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In a window of another size the sheet would lie somewhere: it is put away."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.why.put_away()
        return False

    def _place(self, beside: QPoint) -> None:
        """Left of the answers, level with the one that was asked about, all of it inside the window."""
        window, panel = self._window, self.why
        at = window.mapFromGlobal(beside)
        x = max(theme.S, at.x() - panel.width() - theme.XL)  # beside their card
        lowest = window.height() - panel.height() - theme.S
        panel.move(x, max(theme.S, min(at.y(), lowest)))

    def show_checked(self, label: str, answer: str) -> None:
        """The check photos behind a number of the table are asked again, and stand among the answers."""
        result = self._shown
        if result is not None and result.model is not None:
            wanted = CheckedPhotos(Path(result.run), label, answer)
            self._window.predict.classify_by(Path(result.model), [wanted])

    # --- how careful, and poor photos --------------------------------------------------------------------------------

    def follow_run(self) -> None:
        """Another run's result is on screen: read what is known of its model."""
        result = self._window.run.state.result
        if result is self._shown:
            return
        self.careful.settle()  # a place that was chosen a moment ago is for the model that goes
        self._shown = result
        self._stop_trying()
        for panel in (self.careful, self.poor):
            panel.message.say("")
            panel.hide()
        self.careful.forget()
        self._wanted = None
        if result is None or result.model is None or not result.val:
            return
        background = self._window.background
        background.start(self._jobs.careful(Path(result.model)), self._on_careful(result), lambda _failure: None)
        background.start(self._jobs.known_poor_photos(Path(result.run)), self._on_known(result), lambda _failure: None)

    def _on_careful(self, result: RunResult) -> Callable[[Careful], None]:
        def take(careful: Careful) -> None:
            if self._shown is result:
                self.careful.render(careful)

        return take

    def _on_known(self, result: RunResult) -> Callable[[tuple[PoorRow, ...]], None]:
        def take(rows: tuple[PoorRow, ...]) -> None:
            if self._shown is result:
                self._rows = list(rows)
                self.poor.message.say("")
                self.poor.render(self._rows, running=False)
                self.poor.show()

        return take

    def make_careful(self, step: int) -> None:
        """Keep the step with the model, and judge the answers on screen anew."""
        result = self._shown
        if result is None or result.model is None:
            return
        self._wanted = step
        if self._saving is None:  # one after the other: the last place wins
            self._save_careful(result, step)

    def _save_careful(self, result: RunResult, step: int) -> None:
        assert result.model is not None
        self._saving = step
        self.careful.message.say("")
        predict = self._window.predict
        model, answers = Path(result.model), predict.state.predictions
        ours = predict.answered_by == model and not predict.state.running

        def done(judged: list[Prediction]) -> None:
            self._saving = None
            if ours and predict.state.predictions is answers and len(judged) == len(answers):
                predict.replace_answers(judged, scored_anew(predict.state.score, judged))
            if self._shown is result and self._wanted not in (None, step):
                self._save_careful(result, self._wanted or 0)
            elif self._shown is result:
                self._read_careful(result)

        def failed(failure: RunFailed) -> None:
            self._saving = None
            if self._shown is result:
                self._read_careful(result)
                self.careful.message.say_code(failure.code, failure.fields, failure.details)

        job = self._jobs.save_careful(model, step, list(answers) if ours else [])
        self._window.background.start(job, done, failed)

    def before_closing(self) -> None:
        """The last place of the slider is to be kept, though the window closes at once: its job begins."""
        self.careful.settle()

    def after_closing(self) -> None:
        """All jobs have ended, and nobody was told. A place that waited for an earlier one is kept now."""
        result = self._shown
        if None in (result, self._saving, self._wanted) or self._wanted == self._saving:
            return
        assert result is not None
        assert self._wanted is not None
        if result.model is not None:
            try:
                self._jobs.save_careful(Path(result.model), self._wanted, [])(lambda _said: None, lambda: False)
            except CatDogError as error:
                logging.getLogger(__name__).warning("carefulness not written: %s", error)

    def _read_careful(self, result: RunResult) -> None:
        if result.model is not None:
            job = self._jobs.careful(Path(result.model))
            self._window.background.start(job, self._on_careful(result), lambda _failure: None)

    def try_poor_photos(self) -> None:
        result = self._shown
        if result is None or self._trying is not None:
            return
        self._rows = []
        self.poor.message.say("")
        self.poor.render(self._rows, running=True)

        so_far = Count(0)

        def progress(message: object) -> None:
            nonlocal so_far
            match message:
                case PoorRow():
                    self._rows.append(message)
                case Count():
                    so_far = message
                    self.poor.message.say("")  # a photo that was waited for has come
                case Notice():
                    self.poor.message.say_code(message.code, message.fields)
            self.poor.render(self._rows, running=True, done=so_far.done, total=so_far.total)

        def done(rows: Sequence[PoorRow]) -> None:
            self._trying = None
            if self._shown is result:
                self._rows = list(rows)
                self.poor.message.say("")
                self.poor.render(self._rows, running=False)

        def failed(failure: RunFailed) -> None:
            self._trying = None
            if self._shown is result:
                self.poor.render(self._rows, running=False)
                self.poor.message.say_code(failure.code, failure.fields, failure.details)

        job = self._jobs.poor_photos(Path(result.run))
        self._trying = self._window.background.start(job, done, failed, progress)

    def _stop_trying(self) -> None:
        """A job that is stopped tells nobody: what there is stays on screen."""
        if self._trying is not None:
            self._trying.cancel()
            self._trying = None
            self.poor.message.say("")
            self.poor.render(self._rows, running=False)
