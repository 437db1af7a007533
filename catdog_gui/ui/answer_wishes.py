"""What the user asks of runs and models: reopen, save, classify. One method a wish."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QFileDialog

from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.runs.run_list import free_name
from catdog_gui.engine.runs.runlog import MODEL
from catdog_gui.session.prediction import ModelLine
from catdog_gui.session.state import RunState
from catdog_gui.ui import places as places_of
from catdog_gui.ui import text
from catdog_gui.ui.answer_exports import AnswerExports
from catdog_gui.ui.job_values import Seen
from catdog_gui.ui.jobs import Jobs

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class AnswerWishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self._follows = False  # the run on screen answers; not once the user opened another model
        self._opened: tuple[RunState, Path] | None = None  # the run that was read back last, and where it lies
        self._saved: Path | None = None  # the file of the followed run, once it is there
        self.exports = AnswerExports(window, jobs)
        self._connect_runs()
        self._connect_right()

    def _connect_runs(self) -> None:
        w = self._window
        w.runs_panel.open_requested.connect(w.runs.open_run)
        w.runs_panel.rename_requested.connect(w.runs.rename)
        w.runs_panel.folder_requested.connect(self.open_folder)
        w.runs_panel.save_model_requested.connect(self.ask_save_model)
        w.runs.opened.connect(self.show_run)
        w.run.ended.connect(self._name_run)
        w.runs.changed.connect(self.use_newest_model)
        w.runs.changed.connect(self._name_as_listed)
        w.runs.changed.connect(self.exports.look_for_moves, Qt.ConnectionType.SingleShotConnection)
        w.runs.changed.connect(w.predict.look_for_jobs, Qt.ConnectionType.SingleShotConnection)
        w.runs.changed.connect(w.predict.say_if_nobody_answers)

    def _connect_right(self) -> None:
        w = self._window
        w.predict_panel.photos_dropped.connect(w.predict.classify)
        w.predict_panel.image_dropped.connect(self.classify_image)
        w.predict_panel.model_dropped.connect(self.take_model_or_folder)
        w.predict_panel.model_requested.connect(self.ask_model)
        w.predict_panel.pause_requested.connect(w.predict.pause)
        w.predict_panel.go_on_requested.connect(w.predict.resume)
        w.predict_panel.again_requested.connect(w.predict.ask_again)
        w.predict_panel.job_accepted.connect(w.predict.go_on)
        w.predict_panel.job_declined.connect(w.predict.drop_job)
        w.predict_panel.stop_requested.connect(w.predict.stop)
        w.predict_panel.clear_requested.connect(w.predict.clear)
        w.predict_panel.answerActivated.connect(self.open_photo)
        w.predict_panel.folder_requested.connect(self.open_folder_of)
        w.predict_panel.thumbnails_wanted.connect(self.read_thumbnails)
        w.held_out.accepted.connect(self.classify_held_out)

    # --- which model answers -----------------------------------------------------------------------------------------

    def follow_next_run(self) -> None:
        """A run begins: its best model is to answer."""
        self._follows = True

    def follow_run(self) -> None:
        """Answer with the best model of the run on screen as soon as it has one, with its final one at the end."""
        window, state = self._window, self._window.run.state
        if not self._follows or state.started is None:
            return
        folder = Path(state.started.run)
        name = self._run_name(folder)
        classes = tuple(state.started.classes)
        if state.result is not None and state.result.model is not None:
            self._follows = False
            window.predict.use(Path(state.result.model), ModelLine(name, state.started.started, classes=classes))
        elif state.is_live and state.best is not None and self._is_saved(folder / MODEL):
            line = ModelLine(name, state.started.started, best_epoch=state.best.epoch, classes=classes)
            window.predict.use(folder / MODEL, line)

    def _run_name(self, folder: Path) -> str:
        """As in the list of runs; until it is listed, what it will most likely be called there."""
        summary = self._window.runs.summary(folder)
        if summary is not None:
            return summary.name
        data = self._window.data.state
        if data.held_out:
            return self.tr("Sample pictures")
        return data.folder.name if data.folder is not None else folder.name

    def _name_as_listed(self) -> None:
        """A run has one name: also one that was listed, or renamed, since its model answers."""
        file = self._window.predict.file
        summary = self._window.runs.summary(file.parent) if file is not None and file.name == MODEL else None
        if summary is not None:
            self._window.predict.rename(summary.name)

    def _name_run(self) -> None:
        """A run on the sample pictures is called so in the list, not after their folder."""
        result = self._window.run.state.result
        if result is not None and self._window.data.state.held_out:
            others = {run.name for run in self._window.runs.runs if run.path != Path(result.run)}
            self._window.runs.rename(Path(result.run), free_name(self.tr("Sample pictures"), others))

    def _is_saved(self, file: Path) -> bool:
        """Whether the run's best model is on the disk; it comes a moment after the epoch is reported."""
        if self._saved != file and file.exists():
            self._saved = file
        return self._saved == file

    # --- runs ---------------------------------------------------------------------------------------------------------

    def show_run(self, run: Path, state: RunState) -> None:
        """A run was read back: its curves and results, and its model for answers."""
        window = self._window
        if window.run.is_live:
            window.show_failure(RunFailed("run_goes_on"))
            return
        window.failure.hide()
        if state.failure is not None and state.failure.code == "run_elsewhere":
            window.show_tab(0)
            self.follow_next_run()
            window.run.start(self._jobs.watch_run(run))
            return
        self._follows = False
        self._opened = (state, run)
        window.run.show(state)
        if state.failure is not None:
            window.show_failure(state.failure)
        window.show_tab(1 if state.result is not None else 0)
        summary = window.runs.summary(run)
        if summary is not None and summary.has_model:
            self._use_summary(run)

    def place_of(self, state: RunState) -> str:
        """Where the run on screen lies; a run that was copied still tells of its old place. "": there is none."""
        if self._opened is not None and self._opened[0] is state:
            return str(self._opened[1])
        return state.started.run if state.started is not None else ""

    def use_newest_model(self) -> None:
        newest = self._window.runs.newest_with_model
        if newest is not None and self._window.predict.file is None and not self._window.run.is_live:
            self._use_summary(newest.path)

    def _use_summary(self, run: Path) -> None:
        summary = self._window.runs.summary(run)
        if summary is not None:
            line = ModelLine(summary.name, summary.started, classes=summary.classes)
            self._window.predict.use(run / MODEL, line)

    def open_folder(self, folder: Path) -> None:
        _open(folder)

    def ask_save_model(self, run: Path) -> None:
        summary = self._window.runs.summary(run)
        places = self._window.preferences.places
        start = places.start(places_of.MODEL, f"{summary.name if summary is not None else run.name}.safetensors")
        kinds = self.tr("Models (*.safetensors)")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save model as"), start, kinds)
        if name:
            places.used(places_of.MODEL, Path(name).parent)
            self._window.runs.save_model(run, Path(name))

    def save_current_model(self) -> None:
        file = self._window.predict.file
        if file is not None and file.name == MODEL:
            self.ask_save_model(file.parent)
        else:
            self._window.show_failure(RunFailed("no_model_yet"))

    # --- answers ------------------------------------------------------------------------------------------------------

    def open_photo(self, photo: Path) -> None:
        """With the program that the system has for it."""
        self._open_if_here(photo, photo)

    def open_folder_of(self, photo: Path) -> None:
        self._open_if_here(photo, photo.absolute().parent)

    def _open_if_here(self, photo: Path, target: Path) -> None:
        """Whether the photo is still there is asked beside the window: its drive may not answer."""
        panel = self._window.predict_panel

        def failed(failure: RunFailed) -> None:
            panel.say(text.say(failure.code, failure.fields), failure.details)

        self._window.background.start(self._jobs.find_photo(photo), lambda _found: _open(target), failed)

    def classify_image(self, image: QImage) -> None:
        """A picture without a file: from a browser or the clipboard."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, b"PNG")
        self._window.predict.classify([bytes(buffer.data().data())])

    def read_thumbnails(self, positions: list[int]) -> None:
        """Answers on screen have no picture any more, or came without: look at their photos again."""
        window, answers = self._window, self._window.predict.state.predictions
        if window.predict.file is None:
            return
        paths = {position: Path(answers[position].path) for position in positions if position < len(answers)}

        def show(message: object) -> None:
            if isinstance(message, Seen) and window.predict.state.predictions is answers:
                window.predict_panel.answers.put_thumbnail(message.position, message.pixels)

        window.background.start(
            self._jobs.seen(window.predict.file, paths), lambda _none: None, lambda _failure: None, show
        )

    def classify_held_out(self) -> None:
        held_out = self._window.data.state.held_out
        if held_out:
            self._window.predict.classify(list(held_out))

    def ask_model(self) -> None:
        kinds = self.tr("Models (*.safetensors);;All files (*)")
        places = self._window.preferences.places
        start = places.start(places_of.MODEL)
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a model"), start, kinds)
        if name:
            places.used(places_of.MODEL, Path(name).parent)
            self.open_model(Path(name))

    def open_model(self, path: Path) -> None:
        self._follows = False
        self._window.predict.open_model(path)

    def take_model_or_folder(self, path: Path) -> None:
        """One thing was dropped that is no photo by its name: a model or a run is opened, a folder answered for."""

        def known(is_model: bool) -> None:
            if is_model:
                self.open_model(path)
            else:
                self._window.predict_panel.take_photos([path])

        self._window.background.start(self._jobs.is_model(path), known, self._window.show_failure)


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
