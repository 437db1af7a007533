"""What the user asks about exporting: which model, where to, stop, show."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from catdog_gui.engine.events import RunFailed
from catdog_gui.engine.runs.runlog import MODEL
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.onnx_dialog import ExportDialog

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


class OnnxWishes(QObject):
    """Owner: the window."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        window.runs_panel.export_requested.connect(self.ask)

    def ask(self, run: Path) -> None:
        """Export a run's model."""
        summary = self._window.runs.summary(run)
        self._open(run, summary.name if summary is not None else run.name)

    def ask_current(self) -> None:
        """Export the model that answers."""
        file = self._window.predict.file
        if file is None:
            self._window.show_failure(RunFailed("no_model_yet"))
        elif file.name == MODEL:
            self.ask(file.parent)
        else:
            self._open(file, file.stem)

    def _open(self, model: Path, name: str) -> None:
        dialog = ExportDialog(name, self._window)
        dialog.place_requested.connect(lambda int8: self._choose_place(dialog, model, name, int8=int8))
        dialog.folder_requested.connect(self._window.answers.open_folder)
        dialog.open()

    def _choose_place(self, dialog: ExportDialog, model: Path, name: str, *, int8: bool) -> None:
        start = f"{name}-int8.onnx" if int8 else f"{name}.onnx"
        kinds = self.tr("ONNX files (*.onnx)")
        chosen, _ = QFileDialog.getSaveFileName(dialog, self.tr("Export the model as"), start, kinds)
        if chosen:
            target = Path(chosen)
            self.export(dialog, model, target if target.suffix else target.with_suffix(".onnx"), int8=int8)

    def export(self, dialog: ExportDialog, model: Path, target: Path, *, int8: bool) -> None:
        """Begin the work; the dialog shows how it goes. The file dialog has asked whether to replace what is there."""
        dialog.begin()
        task = self._window.background.start(
            self._jobs.export(model, target, int8=int8), dialog.show_end, dialog.show_failure, dialog.show_progress
        )
        dialog.cancelled.connect(task.cancel)
