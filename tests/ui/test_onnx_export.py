"""Exporting a model from the window: asked, followed, cancelled, and told how it ended."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Notice
from catdog_gui.engine.photos import images
from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.ui.job_values import Count, ExportEnd
from catdog_gui.ui.jobs import Jobs
from catdog_gui.ui.main_window import MainWindow
from catdog_gui.ui.onnx_dialog import ExportDialog
from tests.ui.conftest import told_of_a_photo_that_hangs

END = ExportEnd(Path("/out/pets.onnx"), Path("/out/pets_example.py"), 16.72, "fp32", "run", 50, 50, 1.3e-6)


class Export:
    """The job: says its progress, then waits for `release` or a stop; then ends, fails or stops."""

    def __init__(self) -> None:
        self.asked: list[tuple[Path, Path, bool]] = []
        self.working, self.release, self.stopped = threading.Event(), threading.Event(), threading.Event()
        self.end = END
        self.error: Exception | None = None

    def __call__(self, model: Path, target: Path, *, int8: bool) -> Any:
        self.asked.append((model, target, int8))

        def job(send: Callable[[object], None], should_stop: Callable[[], bool]) -> ExportEnd:
            send(Count(12, 50))
            self.working.set()
            while not self.release.wait(0.005):
                if should_stop():
                    self.stopped.set()
                    return self.end
            if self.error is not None:
                raise self.error
            return self.end

        return job


@pytest.fixture
def export(jobs: Any) -> Iterator[Export]:
    made = jobs.export = Export()
    yield made
    made.release.set()


@pytest.fixture
def dialog(window: MainWindow, export: Export, qtbot: QtBot) -> ExportDialog:
    """Opened by the button beside a run."""
    pets = RunSummary(
        Path("/runs/run-0001"), "my pets", 1.8e9, "completed", "fast", "net", ("cats", "dogs"), 0.98, 400, 3, True
    )
    window.runs.runs = (pets,)
    window.runs.changed.emit()
    window.show_tab(2)
    window.runs_panel.findChild(QPushButton, "exportModelButton").click()
    opened = window.findChildren(ExportDialog)
    assert len(opened) == 1
    return opened[0]


def words(dialog: ExportDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisibleTo(dialog))


def begin(window: MainWindow, dialog: ExportDialog, export: Export, *, int8: bool = False) -> None:
    window.onnx.export(dialog, Path("/runs/run-0001"), Path("/out/pets.onnx"), int8=int8)
    assert export.working.wait(5)


def test_it_says_what_it_is_before_it_asks_for_a_place(dialog: ExportDialog, qtbot: QtBot) -> None:
    assert "my pets" in words(dialog)
    assert "needs neither this program nor PyTorch" in words(dialog)
    dialog.place_requested.disconnect()  # no file dialog
    dialog.findChild(QCheckBox, "exportInt8Check").setChecked(True)

    with qtbot.waitSignal(dialog.place_requested) as asked:
        dialog.findChild(QPushButton, "exportPlaceButton").click()
    assert asked.args == [True]


def test_progress_then_the_outcome_in_words(
    window: MainWindow, dialog: ExportDialog, export: Export, qtbot: QtBot
) -> None:
    begin(window, dialog, export)
    qtbot.waitUntil(lambda: "12 of 50" in words(dialog))

    export.release.set()
    qtbot.waitUntil(lambda: "Exported" in dialog.windowTitle())

    assert export.asked == [(Path("/runs/run-0001"), Path("/out/pets.onnx"), False)]
    assert "pets.onnx (16.7 MB) and pets_example.py" in words(dialog)
    assert "50 of 50 answers are the same" in words(dialog)
    assert "at most 0.0001 apart" in words(dialog)
    dialog.folder_requested.disconnect()
    with qtbot.waitSignal(dialog.folder_requested) as asked:
        dialog.findChild(QPushButton, "exportFolderButton").click()
    assert asked.args == [Path("/out")]


def test_what_eight_bits_and_the_windows_own_precision_change_is_said(
    window: MainWindow, dialog: ExportDialog, export: Export, qtbot: QtBot
) -> None:
    export.end = ExportEnd(
        END.file, END.example, 7.8, "int8", "drawn", 50, 49, 0.086, "bf16", own_same=48, own_difference=0.03
    )
    begin(window, dialog, export, int8=True)
    export.release.set()
    qtbot.waitUntil(lambda: dialog.windowTitle() == "Exported in 8 bits")

    assert "49 of 50 answers are the same; probabilities are at most 0.086 apart" in words(dialog)
    assert "in bf16, quicker and rounder: 48 of 50 answers are the same, at most 0.030 apart" in words(dialog)
    assert "drawings were asked about" in words(dialog)


def test_a_photo_that_does_not_come_is_named_until_it_has_come(dialog: ExportDialog) -> None:
    dialog.begin()

    dialog.show_progress(Notice("photo_waits", {"path": "/drive/a.jpg"}))

    assert "/drive/a.jpg has not come for a minute" in words(dialog)

    dialog.show_progress(Count(1, 50))

    assert "/drive/a.jpg" not in words(dialog)


def test_the_real_job_tells_of_a_photo_that_does_not_come(
    drawn_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Jobs().export(drawn_run, tmp_path / "pets.onnx", int8=False)

    assert told_of_a_photo_that_hangs(monkeypatch, images, job) == ["photo_waits"]


@pytest.mark.parametrize("how", ["button", "escape"])
def test_cancelling_stops_the_work(
    window: MainWindow, dialog: ExportDialog, export: Export, qtbot: QtBot, how: str
) -> None:
    begin(window, dialog, export)

    if how == "button":
        dialog.findChild(QPushButton, "exportCloseButton").click()
    else:
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    assert export.stopped.wait(5)
    qtbot.waitUntil(lambda: window.background.is_idle)
    assert not [d for d in window.findChildren(ExportDialog) if d.isVisible()]


def test_missing_packages_are_named_with_what_to_do(
    window: MainWindow, dialog: ExportDialog, export: Export, qtbot: QtBot
) -> None:
    export.error = CatDogError("export_packages_missing", names="onnx", command="python -m pip install onnx")
    begin(window, dialog, export)
    export.release.set()
    qtbot.waitUntil(lambda: dialog.windowTitle() == "The model was not exported")

    assert "Install with: python -m pip install onnx" in words(dialog)


def test_every_control_has_a_name_for_screen_readers(dialog: ExportDialog) -> None:
    assert all(button.accessibleName() for button in dialog.findChildren(QPushButton) if not button.isHidden())


def test_the_real_job_exports_and_reports(drawn_run: Path, tmp_path: Path) -> None:
    from catdog_gui.ui.jobs import Jobs

    said: list[object] = []
    end = Jobs().export(drawn_run, tmp_path / "pets.onnx", int8=False)(said.append, lambda: False)

    assert (end.file, end.agree, end.checked) == (tmp_path / "pets.onnx", 50, 50)
    assert said[-1] == Count(50, 50)
