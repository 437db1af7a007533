"""What the user asks for, turned into calls of the models. One method a wish; panels and menus send them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QObject, QPoint, QUrl
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from catdog_gui.engine.errors import ConfigError
from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.home import log_file
from catdog_gui.engine.runlog import MODEL
from catdog_gui.session.data import Dataset
from catdog_gui.session.prediction import ModelLine, to_csv
from catdog_gui.session.state import RunState
from catdog_gui.ui import theme
from catdog_gui.ui.dialogs import AboutDialog, TextDialog, left_out_text
from catdog_gui.ui.drops import Drop
from catdog_gui.ui.jobs import Jobs, Opening

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class Wishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self.trained: Path | None = None  # the folder of the last run of this window
        self._followed: str | None = None  # the run whose best model answers; None once the user opened another
        self._saved: Path | None = None  # the file of the followed run, once it is there
        self._connect_left()
        self._connect_middle()
        self._connect_right()

    def _connect_left(self) -> None:
        w = self._window
        w.data_panel.folder_chosen.connect(self.choose_folder)
        w.data.ready.connect(w.preferences.remember_folder)
        w.data_panel.choose_requested.connect(self.ask_folder)
        w.data_panel.cancel_requested.connect(w.data.cancel)
        w.data_panel.left_out_requested.connect(self.show_left_out)
        w.data_panel.split_chosen.connect(self.split)
        w.left.dropped.connect(self.drop_dataset)
        w.left.hovered.connect(lambda on: w.light_up(left=on, right=False))
        w.train_panel.device_chosen.connect(self.choose_device)
        w.train_panel.refresh_requested.connect(w.hardware.test)
        w.train_panel.preset_chosen.connect(self.choose_preset)
        w.train_panel.settings_changed.connect(self.change_settings)
        w.train_panel.advanced_toggled.connect(lambda is_open: w.preferences.remember(advanced_open=is_open))
        w.train_bar.train_requested.connect(self.train)
        w.train_bar.stop_requested.connect(w.run.stop)
        w.train_bar.fix_requested.connect(self.fix)

    def _connect_middle(self) -> None:
        w = self._window
        w.welcome.choose_requested.connect(self.ask_folder)
        w.welcome.samples_requested.connect(self.draw_samples)
        w.welcome.folder_chosen.connect(self.choose_folder)
        w.welcome.run_chosen.connect(w.runs.open_run)
        w.welcome.dropped.connect(self.drop_dataset)
        w.runs_panel.open_requested.connect(w.runs.open_run)
        w.runs_panel.rename_requested.connect(w.runs.rename)
        w.runs_panel.folder_requested.connect(self.open_folder)
        w.runs_panel.save_model_requested.connect(self.ask_save_model)
        w.runs.opened.connect(self.show_run)
        w.runs.changed.connect(self.use_newest_model)

    def _connect_right(self) -> None:
        w = self._window
        w.predict_panel.photos_dropped.connect(w.predict.classify)
        w.predict_panel.image_dropped.connect(self.classify_image)
        w.predict_panel.model_dropped.connect(self.open_model)
        w.predict_panel.model_requested.connect(self.ask_model)
        w.predict_panel.stop_requested.connect(w.predict.stop)
        w.predict_panel.clear_requested.connect(w.predict.clear)
        w.predict_panel.csv_requested.connect(self.save_answers)
        w.held_out.accepted.connect(self.classify_held_out)

    # --- photos to learn from -----------------------------------------------------------------------------------------

    def choose_folder(self, folder: Path | str) -> None:
        if not self._window.run.state.is_live:
            self._window.failure.hide()
            self._window.data.choose(Path(folder))

    def ask_folder(self) -> None:
        state = self._window.data.state
        start = str(state.folder.parent) if state.folder is not None else ""
        title = self.tr("Choose a folder with one sub-folder per class")
        name = QFileDialog.getExistingDirectory(self._window, title, start)
        if name:
            self.choose_folder(name)

    def drop_dataset(self, drop: Drop) -> None:
        """Something was dropped where the dataset belongs."""
        window = self._window
        if window.run.state.is_live:
            window.show_failure(RunFailed("run_goes_on"))
        elif drop.paths:
            self.choose_folder(drop.paths[0])
        else:
            window.show_failure(RunFailed("web_folder" if drop.declined == "web_address" else "drop_a_folder"))

    def split(self, use_split: bool) -> None:
        data = self._window.data
        if data.state.folder is not None:
            data.choose(data.state.folder, use_split=use_split)

    def draw_samples(self) -> None:
        if not self._window.run.state.is_live:
            self._window.data.draw_samples()

    def show_left_out(self) -> None:
        dataset: Dataset | None = self._window.data.state.dataset
        if dataset is not None:
            title = self.tr("Files that are left out, and why")
            TextDialog(title, left_out_text(dataset.left_out), self._window).open()

    def fix(self, target: str) -> None:
        """Go to where a missing thing is chosen."""
        kind, _, name = target.partition(":")
        if kind == "photos":
            self.ask_folder()
        elif kind == "folder":
            self.choose_folder(name)
        elif kind == "setting":
            self._window.train_panel.open_advanced(True)
            self._window.train_panel.form.focus(name)

    # --- settings and the run -----------------------------------------------------------------------------------------

    def choose_device(self, device_id: str) -> None:
        self._window.preferences.remember(device=device_id)
        self._window.hardware.choose(device_id)

    def choose_preset(self, preset: str) -> None:
        window = self._window
        window.preferences.remember(preset=preset)
        window.train_panel.show_settings(preset, window.preferences.now.overrides.get(preset, {}))
        window.render_data()

    def change_settings(self) -> None:
        window = self._window
        panel = window.train_panel
        if panel.form.error() is None:
            window.preferences.remember_overrides(panel.preset_id, panel.form.values())
        window.render_data()

    def train(self) -> None:
        window = self._window
        if window.run.is_live or not window.data.state.ready:
            return
        data = window.data.state
        try:
            config = window.train_panel.config(
                data.folder, window.hardware.state.for_training, use_split=data.use_split
            )
        except ConfigError as error:
            window.show_failure(RunFailed(error.code, error.fields))
            return
        window.failure.hide()
        window.show_tab(0)
        self._followed = ""
        self.trained = data.folder
        window.run.start(self._jobs.train(config))

    def follow_run(self) -> None:
        """Answer with the best model of the run on screen as soon as it has one, with its final one at the end."""
        window, state = self._window, self._window.run.state
        if self._followed is None or state.started is None:
            return
        folder = Path(state.started.run)
        name = window.data.state.folder.name if window.data.state.folder is not None else folder.name
        classes = tuple(state.started.classes)
        if state.result is not None and state.result.model is not None:
            self._followed = None
            window.predict.use(Path(state.result.model), ModelLine(name, state.started.started, classes=classes))
        elif state.is_live and state.best is not None and self._is_saved(folder / MODEL):
            line = ModelLine(name, state.started.started, best_epoch=state.best.epoch, classes=classes)
            window.predict.use(folder / MODEL, line)

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
        self._followed = None
        window.failure.hide()
        window.run.show(state)
        window.show_tab(1 if state.result is not None else 0)
        summary = window.runs.summary(run)
        if summary is not None and summary.has_model:
            self._use_summary(run)

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
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def ask_save_model(self, run: Path) -> None:
        summary = self._window.runs.summary(run)
        start = f"{summary.name if summary is not None else run.name}.safetensors"
        kinds = self.tr("Models (*.safetensors)")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save model as"), start, kinds)
        if name:
            self._window.runs.save_model(run, Path(name))

    def save_current_model(self) -> None:
        file = self._window.predict.file
        if file is not None and file.name == MODEL:
            self.ask_save_model(file.parent)
        else:
            self._window.show_failure(RunFailed("no_model_yet"))

    # --- answers ------------------------------------------------------------------------------------------------------

    def classify_image(self, image: QImage) -> None:
        """A picture without a file: from a browser or the clipboard."""
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(buffer, b"PNG")
        self._window.predict.classify([bytes(buffer.data().data())])

    def classify_held_out(self) -> None:
        held_out = self._window.data.state.held_out
        if held_out:
            self._window.predict.classify(list(held_out))

    def ask_model(self) -> None:
        kinds = self.tr("Models (*.safetensors);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a model"), "", kinds)
        if name:
            self.open_model(Path(name))

    def open_model(self, path: Path) -> None:
        self._followed = None
        self._window.predict.open_model(path)

    def save_answers(self) -> None:
        answers = self._window.predict.state.predictions
        if not answers:
            return
        kinds = self.tr("CSV tables (*.csv)")
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save answers as CSV"), "answers.csv", kinds)
        if name:
            self._save_csv(Path(name), to_csv(answers))

    def _save_csv(self, target: Path, content: str) -> None:
        self._window.background.start(
            self._jobs.write_text(target, content), lambda _none: None, self._window.show_failure
        )

    # --- a drop in the middle, and the command line -------------------------------------------------------------------

    def ask_what_to_do(self, drop: Drop, where: QPoint) -> None:
        """Neither column was meant: offer both."""
        if not drop.usable:
            self.drop_dataset(drop)
            return
        menu = self.drop_menu(drop)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def drop_menu(self, drop: Drop) -> QMenu:
        """The two things that can be done with a drop."""
        menu = QMenu(self._window)
        learn = menu.addAction(theme.icon("folder", theme.colours().accent), self.tr("Learn from these photos"))
        learn.setEnabled(bool(drop.paths) and not self._window.run.state.is_live)
        learn.triggered.connect(lambda: self.drop_dataset(drop))
        ask = menu.addAction(theme.icon("photo", theme.colours().accent), self.tr("Say what is on these photos"))
        ask.setEnabled(self._window.predict.file is not None)
        ask.triggered.connect(lambda: self._classify_drop(drop))
        return menu

    def _classify_drop(self, drop: Drop) -> None:
        if drop.image is not None:
            self.classify_image(drop.image)
        else:
            self._window.predict.classify(list(drop.paths))

    def open_paths(self, paths: Sequence[Path]) -> None:
        """What the command line names."""
        if paths:
            self._window.background.start(self._jobs.sort_paths(paths), self._on_sorted, self._window.show_failure)

    def _on_sorted(self, opening: Opening) -> None:
        if opening.dataset is not None:
            self.choose_folder(opening.dataset)
        if opening.run is not None:
            self._window.runs.open_run(opening.run)
        model = opening.model or opening.run
        if model is not None:
            self.open_model(model)
        if opening.photos:
            self._window.predict.classify_later(opening.photos)

    # --- help ---------------------------------------------------------------------------------------------------------

    def show_computer(self) -> None:
        dialog = TextDialog(self.tr("This computer"), self.tr("Looking…"), self._window, fixed=True)
        dialog.setObjectName("computerDialog")
        window = self._window
        task = window.background.start(self._jobs.report(), dialog.set_content, window.show_failure)
        dialog.finished.connect(task.cancel)
        dialog.open()

    def show_about(self) -> None:
        AboutDialog(self._window).open()

    def open_log(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_file())))

    def set_appearance(self, scheme: str) -> None:
        self._window.preferences.remember(appearance=scheme)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.choose_scheme(app, scheme)
            theme.apply(app)
