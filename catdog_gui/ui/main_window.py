"""The window: puts the panels together and shows the models' states on them. Wishes are routed in `wishes.py`.

`first_look.py` makes what is seen first. The rest is imported and made here by `complete`, after the first paint.
"""

import logging
import time
from html import escape
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Property, QEvent, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from catdog_gui.session.data import DataPhase, DataState, LeftOut
from catdog_gui.session.hardware import LOST
from catdog_gui.session.phases import RunPhase
from catdog_gui.session.settings import Settings
from catdog_gui.ui import text, theme
from catdog_gui.ui.advanced import setting_name
from catdog_gui.ui.columns import light_up
from catdog_gui.ui.drops import can_take, is_own, parse
from catdog_gui.ui.first_look import FirstLook
from catdog_gui.ui.widgets import column

if TYPE_CHECKING:
    from catdog_gui.engine.events import RunFailed
    from catdog_gui.ui.jobs import Jobs

CURVES, RESULTS, RUNS = range(3)


class MainWindow(FirstLook):
    """Qt property runPhase: idle, preparing, running, stopping, completed, stopped, failed.

    Signal runPhaseChanged(str). The models own what is shown; the panels keep nothing.
    """

    runPhaseChanged = Signal(str)  # noqa: N815 -- Qt's spelling

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self._phase = RunPhase.IDLE
        self._is_complete = False

    def complete(self, jobs: "Jobs") -> None:
        """Make all that is not seen at first, and begin to work. Once, after the first paint."""
        self._jobs = jobs
        self._build_models(jobs)
        self._build_panels()
        self._lay_out()
        self._build_wishes(jobs)
        self._connect_states()
        self._is_complete = True
        self.render_recent()
        self.render_all()
        QTimer.singleShot(0, self._begin)

    @Property(str, notify=runPhaseChanged)
    def runPhase(self) -> str:
        return self.run.state.phase.value if self._is_complete else self._phase.value

    # --- the rest -----------------------------------------------------------------------------------------------------

    def _build_models(self, jobs: "Jobs") -> None:
        from catdog_gui.session.pace import Pace
        from catdog_gui.ui.bridge import Background, RunModel
        from catdog_gui.ui.compare_model import ComparisonModel
        from catdog_gui.ui.data_model import DataModel
        from catdog_gui.ui.estimate_model import EstimateModel
        from catdog_gui.ui.hardware_model import HardwareModel
        from catdog_gui.ui.predict_model import PredictModel
        from catdog_gui.ui.runs_model import RunsModel

        self.background = Background(self)
        self.run = RunModel(self)
        self.data = DataModel(self.background, jobs, self)
        self.hardware = HardwareModel(self.background, jobs, self.preferences.now.device, self)
        self.predict = PredictModel(self.background, jobs, self)
        self.runs = RunsModel(self.background, jobs, self)
        self.comparison = ComparisonModel(self.background, jobs, self)
        self.estimates = EstimateModel(self.background, jobs, self)
        self._pace = Pace()

    def _build_panels(self) -> None:
        from catdog_gui.ui.curves import CurvesView
        from catdog_gui.ui.going_on import GoOnOffer
        from catdog_gui.ui.predict_panel import PredictPanel
        from catdog_gui.ui.progress_panel import FailurePanel, ProgressPanel
        from catdog_gui.ui.ready import HeldOutOffer, ReadyPage
        from catdog_gui.ui.results_panel import ResultsPanel
        from catdog_gui.ui.runs_panel import RunsPanel

        self.train_panel.complete()
        self.progress = ProgressPanel()
        self.failure = FailurePanel()
        self.go_on_offer = GoOnOffer()
        self.ready = ReadyPage()
        self.curves = CurvesView()
        self.results = ResultsPanel()
        self.runs_panel = RunsPanel()
        self.held_out = HeldOutOffer()
        self.predict_panel = PredictPanel()
        self.predict_panel.places = self.preferences.places

    def _lay_out(self) -> None:
        from PySide6.QtWidgets import QTabWidget

        self._curves_page = QStackedWidget()
        self._curves_page.addWidget(self.ready)
        self._curves_page.addWidget(self.curves)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("tabs")
        for part in (self.tabs, self.tabs.tabBar()):
            part.setAccessibleName(self.tr("Curves, results and runs"))
        self.tabs.addTab(self._curves_page, self.tr("Curves"))
        self.tabs.addTab(self.results, self.tr("Results"))
        self.tabs.addTab(self.runs_panel, self.tr("Runs"))
        work = QWidget()
        body = column(work, gap=theme.M)
        body.addWidget(self.progress)
        body.addWidget(self.tabs, 1)
        self._middle.addWidget(work)
        self.middle_card.body.insertWidget(0, self.failure)
        self.middle_card.body.insertWidget(0, self.go_on_offer)
        self.predict_panel.add_offer(self.held_out)
        self.right_card.body.replaceWidget(self._preview, self.predict_panel)
        shiboken6.delete(self._preview)  # at once: each object name is there once
        del self._preview

    def _build_wishes(self, jobs: "Jobs") -> None:
        from catdog_gui.ui.answer_wishes import AnswerWishes
        from catdog_gui.ui.closing import Closing
        from catdog_gui.ui.estimate_wishes import EstimateWishes
        from catdog_gui.ui.going_on import GoOnWishes
        from catdog_gui.ui.help_wishes import HelpWishes
        from catdog_gui.ui.onnx_wishes import OnnxWishes
        from catdog_gui.ui.run_wishes import RunWishes
        from catdog_gui.ui.trust_wishes import TrustWishes
        from catdog_gui.ui.wishes import Wishes

        self.closing = Closing(self, self.run, self.background)
        self.closing.stopped_run.connect(lambda run: self.preferences.remember(left_run=run))
        self.wishes = Wishes(self, jobs)
        self.answers = AnswerWishes(self, jobs)
        self.going_on = GoOnWishes(self, jobs)
        self.estimating = EstimateWishes(self)
        self.onnx = OnnxWishes(self, jobs)
        self.help_wishes = HelpWishes(self, jobs)
        self.trust = TrustWishes(self, jobs)
        self.run_wishes = RunWishes(self)
        self.failure.log_requested.connect(self.help_wishes.open_log)
        self.failure.report_requested.connect(self.help_wishes.report_problem)
        self.menus.fill(self)

    def _connect_states(self) -> None:
        self.run.changed.connect(self.render_run)
        self.run.ended.connect(self.runs.refresh)
        self.data.changed.connect(self.render_data)
        self.data.thumbnail.connect(self.data_panel.show_thumbnail)
        self.data.drawing.connect(self.welcome.render_drawing)
        self.hardware.changed.connect(self.render_hardware)
        self.predict.changed.connect(self.render_answers)
        self.runs.changed.connect(self.render_runs)
        for model in (self.data, self.runs):
            model.failed.connect(self.show_failure)
        self.preferences.changed.connect(self.render_recent)
        self.tabs.currentChanged.connect(self._on_tab)

    # --- work begins ----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.data.thumbnail_side = self.data_panel.thumbnail_side()
        self.setWindowIcon(theme.app_icon())
        self.runs.refresh()
        self.background.start(self._jobs.plotting(), self._on_plotting_loaded, self.show_failure)

    def _on_plotting_loaded(self, _nothing: None) -> None:
        self.curves.build_plots()
        # One after the other: pyqtgraph, OpenVINO and torch at once would hold each other up.
        self.predict.load_ahead(then=self.hardware.look)

    # --- showing ------------------------------------------------------------------------------------------------------

    def render_all(self) -> None:
        self.render_data()
        self.render_hardware()
        self.render_run()
        self.render_answers()

    def render_run(self) -> None:
        """At most 20 times a second while a run lives."""
        state = self.run.state
        share = state.fraction_done
        left = self._pace.watch(state.stage if state.is_live else None, share, time.monotonic())
        self.progress.render(state, left)
        self.curves.render(state)
        self.results.render(state)
        self.render_train_bar()
        self.header.render_badge(state, self.hardware.state)
        self.answers.follow_run()
        self.runs_panel.tell_shown(self.answers.place_of(state), live=state.is_live)
        if state.phase is not self._phase:
            self._on_phase(state.phase)

    def _on_phase(self, phase: RunPhase) -> None:
        self._phase = phase
        if self.run.is_live:
            skipped = self.run.state.skipped
            self.data.state.found_by_run = tuple(LeftOut(item.path, item.code, item.fields) for item in skipped)
        self._show_pages()
        self.render_data()
        self.render_hardware()
        if phase is RunPhase.COMPLETED:
            self.tabs.setCurrentIndex(RESULTS)
        if phase is RunPhase.FAILED and self.run.state.failure is not None:
            self.show_failure(self.run.state.failure)
            if self.run.state.failure.code in LOST:
                self.hardware.test()  # so that what no longer works is shown as such, and another can be chosen
        self.runPhaseChanged.emit(phase.value)

    def render_data(self) -> None:
        enabled = not self.run.state.is_live
        val_fraction = self.train_panel.val_fraction()
        self.data_panel.render(self.data.state, enabled=enabled, val_fraction=val_fraction)
        self.ready.render_data(self.data.state, val_fraction)
        self.render_train_bar()
        self._show_pages()

    def render_train_bar(self) -> None:
        # While a run lives nothing is missing, and asking every control of the form takes 5 ms, 20 times a second.
        missing = None if self.run.state.is_live else self._missing()
        again = self.wishes.trained is not None and self.wishes.trained == self.data.state.folder
        self.train_bar.render(self.run.state, missing, again=again)
        self.menus_enabled(missing is None)

    def menus_enabled(self, can_train: bool) -> None:
        live = self.run.state.is_live
        can_compare = self.data.state.ready and not live
        may_stop = live and self.run.state.phase is not RunPhase.STOPPING
        if self.menus.allow(train=can_train and not live, stop=may_stop, compare=can_compare):
            self.train_panel.compare.setEnabled(can_compare)

    def render_hardware(self) -> None:
        self.train_panel.render(self.hardware.state, enabled=not self.run.state.is_live)
        self.header.render_badge(self.run.state, self.hardware.state)

    def render_answers(self) -> None:
        self.predict_panel.render(self.predict.state)
        over = self.run.state.result is not None and self.predict.file is not None
        tried = bool(self.predict.state.predictions) or self.predict.state.running
        self.held_out.setVisible(bool(self.data.state.held_out) and over and not tried)
        for action in (self.menus.save_model, self.menus.export):
            action.setEnabled(self.predict.file is not None)
        for action in (self.menus.save_answers, self.menus.copy_answers):
            action.setEnabled(bool(self.predict.state.predictions))

    def render_runs(self) -> None:
        self.runs_panel.render(self.runs.runs)
        self.render_recent()

    def render_recent(self) -> None:
        recent = self.preferences.now.recent
        self.data_panel.set_recent(recent)
        newest = self.runs.runs[0] if self.runs.runs else None
        line = None
        if newest is not None:
            words = self.tr("the run of {when}").format(when=text.moment(newest.started))
            line = (words, newest.path)
        self.welcome.render_recent(recent, line)
        self.menus.show_recent(recent, self.wishes.choose_folder)

    def show_failure(self, failure: "RunFailed") -> None:
        """Say in the middle what went wrong, until it is dismissed or the next run begins."""
        logging.getLogger(__name__).error("%s %s\n%s", failure.code, failure.fields, failure.details)
        self.failure.show_failure(failure, self.going_on.ways_out(failure))

    def show_tab(self, number: int) -> None:
        self.tabs.setCurrentIndex(number)
        self._show_pages()

    def _on_tab(self, number: int) -> None:
        if number == RUNS:
            self.runs.look_again()

    def _show_pages(self) -> None:
        idle = self.run.state.phase is RunPhase.IDLE
        begun = self.data.state.dataset is not None or not idle
        self._middle.setCurrentIndex(1 if begun or self.tabs.currentIndex() != CURVES else 0)
        self._curves_page.setCurrentWidget(self.ready if idle else self.curves)

    def _missing(self) -> tuple[str, list[str]] | None:
        """What keeps Train from being pressed, in words with links; None where nothing does."""
        data = self.data.state
        if data.phase is DataPhase.NONE:
            return self.nothing_chosen()
        if data.phase is DataPhase.SCANNING:
            return self.tr("Looking through the folder…"), []
        if not data.ready:
            return self._why_not(data)
        error = self.train_panel.form.error()
        if error is not None:
            words = self.tr("<a>{setting}</a> needs another value").format(setting=setting_name(error.field))
            return words, [f"setting:{error.field}"]
        return None

    def _why_not(self, data: DataState) -> tuple[str, list[str]]:
        """The way out, as a link, where the chosen folder cannot be trained on; why stands beside the folder."""
        offer = data.dataset.offers[0] if data.dataset is not None and data.dataset.offers else None
        if offer is None:
            another = self.tr("Choose another folder")
            return f"<a>{another}</a>", ["photos"]
        link = self.tr("Use the folder “{name}”").format(name=offer.path.name)
        return f"<a>{escape(link)}</a>", [f"folder:{offer.path}"]

    # --- what Qt calls ------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if can_take(event.mimeData()) and not is_own(event):
            event.acceptProposedAction()
            self.light_up(left=True, right=True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self.light_up(left=False, right=False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.light_up(left=False, right=False)
        event.acceptProposedAction()
        self.wishes.ask_what_to_do(parse(event.mimeData()), self.mapToGlobal(event.position().toPoint()))

    def light_up(self, *, left: bool, right: bool) -> None:
        light_up(self.data_panel, left)
        light_up(self.right_card, right)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._is_complete and self.isActiveWindow():
            self.runs.look_again()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._is_complete:
            event.accept()
            return
        self.preferences.keep_geometry(self)
        self.preferences.write()  # first: a job that is slow to end may be killed together with the window
        self.trust.before_closing()
        if self.closing.may_close():
            self.trust.after_closing()
            event.accept()
        else:
            event.ignore()
