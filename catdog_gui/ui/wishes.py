"""What the user asks for, turned into calls of the models. One method a wish; panels and menus send them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QFileDialog, QMenu

from catdog_gui.engine.errors import ConfigError
from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.home import samples_dir
from catdog_gui.ui import theme
from catdog_gui.ui.dialogs import TextDialog, left_out_text
from catdog_gui.ui.drops import Drop
from catdog_gui.ui.job_values import Opening
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.places import FOLDER

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class Wishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self._train_samples = False
        self.trained: Path | None = None  # the folder of the last run of this window
        self._connect_left()
        self._connect_middle()

    def _connect_left(self) -> None:
        w = self._window
        w.data_panel.folder_chosen.connect(self.choose_folder)
        w.data.ready.connect(self._on_data_ready)
        w.data_panel.choose_requested.connect(self.ask_folder)
        w.data_panel.cancel_requested.connect(w.data.cancel)
        w.data_panel.left_out_requested.connect(self.show_left_out)
        w.data_panel.split_chosen.connect(self.split)
        w.left.dropped.connect(self.drop_dataset)
        w.left.hovered.connect(lambda on: w.light_up(left=on, right=False))
        w.train_panel.device_chosen.connect(self.choose_device)
        w.train_panel.refresh_requested.connect(w.hardware.test)
        w.train_panel.compare_requested.connect(self.compare_devices)
        w.train_panel.preset_chosen.connect(self.choose_preset)
        w.train_panel.settings_changed.connect(self.change_settings)
        w.train_panel.advanced_toggled.connect(lambda is_open: w.preferences.remember(advanced_open=is_open))
        w.train_bar.train_requested.connect(self.train)
        w.train_bar.stop_requested.connect(w.run.stop)
        w.train_bar.pause_requested.connect(w.run.pause)
        w.train_bar.fix_requested.connect(self.fix)

    def _connect_middle(self) -> None:
        w = self._window
        w.welcome.choose_requested.connect(self.ask_folder)
        w.welcome.samples_requested.connect(self.draw_samples)
        w.welcome.folder_chosen.connect(self.choose_folder)
        w.welcome.run_chosen.connect(w.runs.open_run)
        w.welcome.dropped.connect(self.drop_dataset)

    # --- photos to learn from -----------------------------------------------------------------------------------------

    def choose_folder(self, folder: Path | str) -> None:
        if self._window.run.state.is_live:
            self._window.show_failure(RunFailed("run_goes_on"))
            return
        self._window.failure.hide()
        self._window.data.choose(Path(folder))

    def ask_folder(self) -> None:
        state, places = self._window.data.state, self._window.preferences.places
        start = str(state.folder.parent) if state.folder is not None else places.start(FOLDER)
        title = self.tr("Choose a folder with one sub-folder per class")
        name = QFileDialog.getExistingDirectory(self._window, title, start)
        if name:
            places.used(FOLDER, Path(name).parent)
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
        """The whole job in one click: draw, choose, and train as soon as they are looked through."""
        if not self._window.run.state.is_live:
            self._train_samples = True
            self._window.data.draw_samples()

    def _on_data_ready(self, folder: Path) -> None:
        self._window.preferences.remember_folder(folder)
        wanted, self._train_samples = self._train_samples, False
        if wanted and folder.parent == samples_dir():
            self.train()

    def show_left_out(self) -> None:
        left_out = self._window.data.state.left_out
        if left_out:
            title = self.tr("Files that are left out, and why")
            TextDialog(title, left_out_text(left_out), self._window).open()

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
        window.answers.follow_next_run()
        self.trained = data.folder
        window.run.start(self._jobs.train(config))

    def compare_devices(self) -> None:
        """Measure every device with the chosen photos, in a dialog of its own."""
        from catdog_gui.ui.compare_dialog import CompareDialog

        window, folder = self._window, self._window.data.state.folder
        if window.run.is_live or not window.data.state.ready or folder is None:
            return
        dialog = CompareDialog(window.comparison, folder.name, window)
        window.comparison.start(folder)
        dialog.open()

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
        if len(drop.paths) == 1 and drop.paths[0].suffix.lower() == ".safetensors":
            menu.addAction(self.tr("Open this model"), lambda: self._window.answers.open_model(drop.paths[0]))
            return menu
        learn = menu.addAction(theme.icon("folder", theme.colours().accent), self.tr("Learn from these photos"))
        learn.setEnabled(bool(drop.paths) and not self._window.run.state.is_live)
        learn.triggered.connect(lambda: self.drop_dataset(drop))
        ask = menu.addAction(theme.icon("photo", theme.colours().accent), self.tr("Say what is on these photos"))
        ask.setEnabled(self._window.predict.file is not None)
        ask.triggered.connect(lambda: self._window.predict_panel.take(drop))
        return menu

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
            self._window.answers.open_model(model)
        if opening.photos:
            self._window.predict.classify_later(opening.photos)
