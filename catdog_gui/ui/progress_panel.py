"""The head of the middle column: phase chips, progress, photos a second, time left, and one sentence."""

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from catdog_gui.engine.events import Phase, RunFailed
from catdog_gui.engine.home import log_file
from catdog_gui.session.state import RunPhase, RunState
from catdog_gui.ui import text, theme
from catdog_gui.ui.widgets import CopyButton, IconLabel, column, label, link, restyle, row

FIGURES_S = 0.5
PATIENCE_MS = 1000  # a run that takes longer to stop says what it waits for
CHIPS: tuple[Phase, ...] = ("scan", "prepare", "train", "validate")
_CHIP_OF: dict[Phase, int] = {"scan": 0, "prepare": 1, "train": 2, "validate": 3, "save": 3}


class ProgressPanel(QWidget):
    """render(state, seconds_left) shows a run; it keeps nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips = [label("", "chip") for _chip in CHIPS]
        self._arrows = [label("›", "secondary") for _chip in CHIPS[1:]]
        self._names: tuple[str, ...] = ("",) * len(CHIPS)
        self._chips_shown = False
        self._now = 0
        self._paused = False
        self._fitted: tuple[object, ...] = ()
        self._phase: RunPhase | None = None
        self._status = self._figures_shown = ""
        self._bar_shown: tuple[int | None, bool] = (-1, False)
        self._state = RunState()
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._show_status)
        self._figures_due = 0.0  # time.monotonic
        self._figures, self._figures_below = _figures("figuresLabel"), _figures("figuresBelowLabel")
        self._head = QWidget()
        self._head.setLayout(self._chip_row())
        self._head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # `_fit` makes it fit
        self.bar = QProgressBar(textVisible=False)
        self.bar.setObjectName("progressBar")
        self.bar.setAccessibleName(self.tr("Progress"))
        self.status = label("", "secondary", wrap=True, name="statusLabel")
        self.status.setAccessibleName(self.tr("Status"))
        foot = row(self.status, self._figures_below, gap=theme.M)
        foot.setStretch(0, 1)
        foot.setAlignment(self._figures_below, Qt.AlignmentFlag.AlignTop)
        body = column(self)
        body.addWidget(self._head)
        body.addWidget(self.bar)
        body.addLayout(foot)

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, state: RunState, seconds_left: float | None
    ) -> None:
        # 20 times a second: Qt is asked for nothing that has not changed, for each call waits for the workers' threads.
        self._state = state
        if state.phase is not self._phase:
            self._phase, self._fitted = state.phase, ()
            if state.phase is RunPhase.STOPPING:
                self._patience.start()
            self.setVisible(state.phase not in (RunPhase.IDLE, RunPhase.FAILED))
            self._head.setVisible(state.is_live)
            self.bar.setVisible(state.is_live)
        self._show_chips(state)
        self._show_figures(self._figure_words(state, seconds_left))
        self._show_bar(state)
        self._show_status()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fitted = ()
        self._fit()

    def _show_status(self) -> None:
        state = self._state
        words = self._status_words(state)
        if words != self._status:
            self._status = words
            self.status.setText(words)
            self.status.setToolTip(text.best_epoch() if state.best is not None and state.is_live else "")

    def _fit(self) -> None:
        """Where it is narrow the figures go below the bar, and of the phases that are over the tick alone stays."""
        fitted = (self._names, self._now, self._figures_shown, self.width(), self._head.isHidden())
        if fitted == self._fitted:
            return
        self._fitted = fitted
        words = [f"✓ {name}" if number < self._now else name for number, name in enumerate(self._names)]
        needed = self._width_of(words, self._arrows)
        ticks_only = needed > self.width()
        if ticks_only:
            words = ["✓" if number < self._now else name for number, name in enumerate(self._names)]
        self._show_words(words, ticks_only=ticks_only)
        beside = needed + theme.L + self._figures.sizeHint().width() <= self.width()
        self._figures.setVisible(beside)
        self._figures_below.setVisible(not beside and not self._head.isHidden())

    def _width_of(self, words: list[str], arrows: list[QLabel]) -> int:
        """Pixels that the chips need with these words."""
        total = sum(arrow.sizeHint().width() + theme.XS for arrow in arrows)
        for chip, name in zip(self._chips, words, strict=True):
            padding = chip.sizeHint().width() - chip.fontMetrics().horizontalAdvance(chip.text())
            total += padding + chip.fontMetrics().horizontalAdvance(name) + theme.XS
        return total

    def _show_words(self, words: list[str], *, ticks_only: bool) -> None:
        for number, arrow in enumerate(self._arrows):
            arrow.setVisible(number >= self._now or not ticks_only)
        for chip, word, name in zip(self._chips, words, self._names, strict=True):
            if word != chip.text():
                chip.setText(word)
                chip.setToolTip(name if word == "✓" else "")
                chip.setAccessibleName(name)

    def _show_figures(self, words: str) -> None:
        """Figures that change at every event are shown twice a second: more cannot be read."""
        if words == self._figures_shown:
            return
        if not words or not self._figures_shown or time.monotonic() > self._figures_due:
            self._figures_shown = words
            self._figures_due = time.monotonic() + FIGURES_S
            for place in (self._figures, self._figures_below):
                place.setText(words)

    def _chip_row(self) -> QHBoxLayout:
        line = row(gap=theme.XS)
        for number, chip in enumerate(self._chips):
            if number:
                line.addWidget(self._arrows[number - 1])
            line.addWidget(chip)
        line.addStretch(1)
        line.addWidget(self._figures)
        return line

    def _show_chips(self, state: RunState) -> None:
        now = _CHIP_OF[state.step_phase] if state.step_phase is not None else 0
        # validation comes after every epoch: the run still trains until it saves
        if state.step_phase == "validate" and state.started is not None and state.epoch < state.started.epochs:
            now = 2
        shown = ((self.tr("Scan"), self.tr("Prepare"), self._train_words(state), self.tr("Check")), now, state.paused)
        if shown == (self._names, self._now, self._paused) and self._chips_shown:
            return
        self._chips_shown = True
        self._names, self._now, self._paused = shown
        self._fitted = ()
        here = "paused" if state.paused else "now"
        for number, chip in enumerate(self._chips):
            restyle(chip, "state", "done" if number < now else here if number == now else "next")

    def _train_words(self, state: RunState) -> str:
        if state.step_phase in ("train", "validate") and state.epoch and state.started is not None:
            return self.tr("Train · epoch {epoch} of {epochs}").format(
                epoch=text.number(state.epoch), epochs=text.number(state.started.epochs)
            )
        return self.tr("Train")

    def _figure_words(self, state: RunState, seconds_left: float | None) -> str:
        parts: list[str] = []
        if state.phase is RunPhase.STOPPING or state.paused:
            return ""
        if state.photos_per_s:
            parts.append(self.tr("{count} photos/s").format(count=text.number(round(state.photos_per_s))))
        if seconds_left is not None:
            left = self.tr("{time} left") if state.stage == "train" else self.tr("{time} left of this step")
            parts.append(left.format(time=text.clock(seconds_left)))
        return " · ".join(parts)

    def _show_bar(self, state: RunState) -> None:
        done = state.fraction_done
        if not state.is_live:
            done = 1.0 if state.phase is RunPhase.COMPLETED else done or 0.0
        if state.paused:
            done = done or 0.0
        value = None if done is None else round(1000 * done)
        if (value, state.paused) == self._bar_shown:
            return
        self._bar_shown = (value, state.paused)
        restyle(self.bar, "state", "paused" if state.paused else "")
        self.bar.setRange(0, 0 if value is None else 1000)  # 0: it moves, without a promise
        if value is not None:
            self.bar.setValue(value)

    def _status_words(self, state: RunState) -> str:
        match state.phase:
            case RunPhase.IDLE:
                return ""
            case RunPhase.STOPPING:
                return self._stopping_words(state)
            case RunPhase.PREPARING | RunPhase.RUNNING if state.paused:
                return self.tr("Paused. Nothing is computed until you go on.")
            case RunPhase.PREPARING | RunPhase.RUNNING if state.waits is not None:
                return text.say(state.waits.code, state.waits.fields)
            case RunPhase.PREPARING:
                return self._preparing_words(state)
            case RunPhase.RUNNING:
                return self._running_words(state)
            case RunPhase.COMPLETED:
                return self._ended_words(self.tr("Finished"), state)
            case RunPhase.STOPPED:
                return self._ended_words(self.tr("Stopped by you"), state)
            case RunPhase.FAILED:
                return failure_words(state.failure)

    def _stopping_words(self, state: RunState) -> str:
        """After a moment what it waits for: on a busy computer that takes seconds."""
        if state.stage == "save":
            return self.tr("Stopping: the best model so far is being saved.")
        if self._patience.isActive():
            return self.tr("Stopping…")
        match state.stage:
            case None:
                words = self.tr("Stopping as soon as the program is loaded.")
            case "scan":
                words = self.tr("Stopping as soon as the drive has answered about the folder.")
            case "train":
                words = self.tr("Stopping as soon as the step under way is done.")
            case _:
                words = self.tr("Stopping as soon as the photos it is working on are done.")
        saved = self.tr("Then the best model so far is saved.") if state.best is not None else ""
        return f"{words} {saved}".rstrip()

    def _preparing_words(self, state: RunState) -> str:
        progress = state.progress
        if progress is None or not progress.done:
            return self.tr("Getting ready…")
        if progress.unit == "MB":
            return self.tr("Fetching the network's weights: {done} of {total} MB").format(
                done=text.number(progress.done), total=text.number(progress.total)
            )
        if progress.total:
            return self.tr("Reading photos: {done} of {total}").format(
                done=text.number(progress.done), total=text.number(progress.total)
            )
        return self.tr("Looking through the folder: {count} photos").format(count=text.number(progress.done))

    def _running_words(self, state: RunState) -> str:
        if state.step_phase == "save":
            return self.tr("Saving the model…")
        if state.stage == "first_look" and state.progress is not None:
            return self.tr("A first look at the photos: {done} of {total}").format(
                done=text.number(state.progress.done), total=text.number(state.progress.total)
            )
        best = state.best
        if best is None or best.val_accuracy is None:
            return self.tr("Learning from the photos…")
        return self.tr("Best so far: {share} of the check photos right, epoch {epoch}").format(
            share=text.percent(best.val_accuracy, 1), epoch=text.number(best.epoch)
        )

    def _ended_words(self, how: str, state: RunState) -> str:
        result = state.result
        if result is None:
            return how
        time = text.duration(result.seconds.get("total", 0.0))
        if result.model is None:
            return self.tr("{how} after {time}, before there was a model to keep.").format(how=how, time=time)
        return self.tr("{how} after {time}. The model is saved.").format(how=how, time=time)


def _figures(name: str) -> QLabel:
    result = label("", "secondary", name=name)
    result.setFont(theme.font(theme.BODY, tabular=True))
    return result


class FailurePanel(QFrame):
    """Why a run or another job failed, what to do, and the details to copy. Hidden until `show_failure`.

    Signals: action_requested(str): the key of a way out was chosen; log_requested; report_requested(str): a report
    about a problem with these details.
    """

    action_requested = Signal(str)
    log_requested = Signal()
    report_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "message")
        self.setObjectName("failurePanel")
        self._details = ""
        self._words: QLabel = label("", wrap=True, name="failureLabel")
        self._log = label("", "caption", wrap=True)
        self._copy = CopyButton(self.tr("Copy details"))
        self._copy.setObjectName("copyDetailsButton")
        self._open_log = link(self.tr("Open log file"), "openLogLink")
        self._open_log.clicked.connect(self.log_requested)
        self._report = link(self.tr("Report a problem…"), "reportProblemLink")
        self._report.clicked.connect(lambda: self.report_requested.emit(self._details))
        close = link(self.tr("Dismiss"), "dismissFailure")
        close.clicked.connect(self.hide)
        body = column(self, margins=(theme.L, theme.M))
        top = row(IconLabel("warning", "limit"), self._words, gap=theme.M)
        top.setStretch(1, 1)
        body.addLayout(top)
        log = row(self._log, self._open_log, gap=theme.M)
        log.setStretch(0, 1)
        body.addLayout(log)
        self._ways = row(gap=theme.L)
        self._ways.addStretch(1)
        body.addLayout(self._ways)
        body.addLayout(row(self._copy, self._report, None, close, gap=theme.L))
        self.hide()

    def show_failure(self, failure: RunFailed, ways: Sequence[tuple[str, str]] = ()) -> None:
        """ways: what can be done with one click, as keys and words."""
        words = failure_words(failure)
        self._show_ways(ways)
        self._words.setText(words)
        self._log.setText(self.tr("Log file: {path}").format(path=log_file()))
        for part in (self._log, self._open_log, self._report):  # a plain refusal has nothing to add
            part.setVisible(bool(failure.details))
        self._details = f"[{failure.code}] {failure.fields}\n\n{failure.details}"
        self._copy.set_content(f"{words}\n{self._details}")
        self.show()

    def _show_ways(self, ways: Sequence[tuple[str, str]]) -> None:
        while self._ways.count() > 1:
            item = self._ways.takeAt(0)
            if item is not None and (way := item.widget()) is not None:
                way.deleteLater()
        for number, (key, words) in enumerate(ways):
            way = link(words, f"wayOut-{key}")
            way.clicked.connect(partial(self.action_requested.emit, key))
            self._ways.insertWidget(number, way)


def failure_words(failure: RunFailed | None) -> str:
    """The failure's sentence in the window's language."""
    return "" if failure is None else text.say(failure.code, failure.fields)
