"""Runs that go on: the offer at the start, the buttons in the list of runs, and the ways out of a run that failed."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFrame, QWidget

from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.ui import text, theme
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.widgets import column, label, link, row

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow

KEEP, NEW, SMALLER = "keep", "new", "smaller"
MORE_EPOCHS = 10


class GoOnOffer(QFrame):
    """A run that was cut off, or stopped by closing the window, can go on. Signals: accepted, declined."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("goOnOffer")
        self.setProperty("look", "note")
        self._words = label("", "", wrap=True, name="goOnWords")
        self.go_on = link(self.tr("Go on with it"), "goOnOfferButton")
        self.go_on.clicked.connect(self.accepted)
        self.not_now = link(self.tr("Not now"), "notNowButton")
        self.not_now.clicked.connect(self.declined)
        body = column(self, gap=theme.XS, margins=(theme.L, theme.M))
        body.addWidget(self._words)
        body.addLayout(row(self.go_on, self.not_now, None, gap=theme.L))
        self.hide()

    def show_run(self, run: RunSummary) -> None:
        if run.status == "stopped":
            words = self.tr(
                "The run “{name}” of {when} was stopped when the window was closed. It can go on exactly where it was."
            )
        else:
            words = self.tr("The run “{name}” of {when} was cut off. It can go on exactly where it was.")
        self._words.setText(words.format(name=run.name, when=text.moment(run.started)))
        self.show()


class GoOnWishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window, self._jobs = window, jobs
        self._offered: Path | None = None
        self._asked = False  # whether the start's question was asked
        self._run: Path | None = None  # the run that goes on now
        window.runs.changed.connect(self._offer)
        window.go_on_offer.accepted.connect(self._accept)
        window.go_on_offer.declined.connect(self._decline)
        window.runs_panel.go_on_requested.connect(self.go_on)
        window.runs_panel.more_requested.connect(self.more_epochs)
        window.failure.action_requested.connect(self._take_way_out)

    def go_on(self, run: Path, policy: str = "ask") -> None:
        """Take the run up where it was left."""
        self._begin(run, self._jobs.resume_run(run, policy))

    def more_epochs(self, run: Path) -> None:
        """A new run from a finished one's end."""
        self._begin(None, self._jobs.train_from(run, MORE_EPOCHS))

    def _begin(self, run: Path | None, job: Callable[..., None]) -> None:
        window = self._window
        if window.run.is_live:
            window.show_failure(RunFailed("run_goes_on"))
            return
        self._run = run
        window.preferences.remember(left_run="")
        window.go_on_offer.hide()
        window.failure.hide()
        window.show_tab(0)
        window.answers.follow_next_run()
        window.run.start(job)

    def ways_out(self, failure: RunFailed) -> list[tuple[str, str]]:
        """What can be done about a failure with one click: keys and words."""
        tr = self._tr
        if failure.code in ("photos_changed", "classes_added") and self._run is not None:
            return [(KEEP, tr("Go on with the run's photos")), (NEW, tr("New run with the photos of now"))]
        if failure.code == "classes_changed" and self._run is not None:
            return [(NEW, tr("New run with the photos of now"))]
        smaller = failure.fields.get("smaller")
        if failure.code == "out_of_memory" and smaller:
            return [(SMALLER, tr("Use the smaller network {name}").format(name=smaller))]
        return []

    def _take_way_out(self, key: str) -> None:
        window, run = self._window, self._run
        failure = window.run.state.failure
        if key == SMALLER and failure is not None:
            preset, values = window.train_panel.preset_id, window.train_panel.form.values()
            window.preferences.remember_overrides(preset, {**values, "model": str(failure.fields["smaller"])})
            window.wishes.choose_preset(preset)
            window.wishes.train()
        elif run is not None and key == KEEP:
            self.go_on(run, KEEP)
        elif run is not None and key == NEW:
            self._begin(None, self._jobs.train_from(run, None))

    def _offer(self) -> None:
        """At the start of the program, once: the newest run, where it was cut off or closing stopped it."""
        if self._asked:
            return
        self._asked = True
        newest = next(iter(self._window.runs.runs), None)
        if newest is None or self._window.run.is_live:
            return
        left = newest.status == "stopped" and str(newest.path) == self._window.preferences.now.left_run
        if newest.status != "interrupted" and not left:
            return
        self._offered = newest.path
        self._window.go_on_offer.show_run(newest)

    def _accept(self) -> None:
        if self._offered is not None:
            self.go_on(self._offered)

    def _decline(self) -> None:
        self._window.preferences.remember(left_run="")
        self._window.go_on_offer.hide()

    @staticmethod
    def _tr(source: str) -> str:
        return QCoreApplication.translate("GoOnWishes", source)
