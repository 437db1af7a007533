"""Start: arguments, language, faults, and what is not loaded."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QPushButton

from catdog_gui.engine import home
from catdog_gui.session.data import Dataset
from catdog_gui.ui.app import Faults, _arguments
from catdog_gui.ui.dialogs import FaultDialog
from catdog_gui.ui.job_values import OpenedModel

LIMIT_MS = 10_000
FIRST_PAINT = """
import sys
from catdog_gui.ui import app
application, window = app.build([])
heavy = {"torch", "torchvision", "numpy", "pyqtgraph", "openvino", "PIL"} & set(sys.modules)
window.close()
sys.exit(f"loaded before the first paint: {heavy}" if heavy else 0)
"""


def test_the_first_paint_waits_for_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_PAINT], capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr


def test_language_and_paths_are_told_apart() -> None:
    assert _arguments(["--lang", "de", "a", "b"]) == ("de", ["a", "b"])
    assert _arguments(["a", "--lang=fr"]) == ("fr", ["a"])
    assert _arguments([]) == (None, [])


def test_a_folder_on_the_command_line_is_the_dataset(qtbot: Any, open_window: Any, jobs: Any, tmp_path: Path) -> None:
    folder = tmp_path / "pets"
    folder.mkdir()
    jobs.datasets[folder] = Dataset(folder, "class_folders", {"cats": 30, "dogs": 30})

    window = open_window(str(folder))

    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)


def test_photos_on_the_command_line_are_classified_once_there_is_a_model(
    qtbot: Any, open_window: Any, jobs: Any, tmp_path: Path
) -> None:
    photo = tmp_path / "rex.jpg"
    photo.touch()

    window = open_window(str(photo))
    assert jobs.predicted == []
    from catdog_gui.session.prediction import ModelLine

    window.predict.use(tmp_path / "m.safetensors", ModelLine("pets"))

    assert jobs.predicted == [[photo]]


def test_a_model_on_the_command_line_is_opened(qtbot: Any, open_window: Any, jobs: Any, tmp_path: Path) -> None:
    from catdog_gui.session.prediction import ModelLine

    file = tmp_path / "m.safetensors"
    file.touch()
    jobs.open_model = lambda path: lambda send, should_stop: OpenedModel(path, ModelLine(path.stem))

    window = open_window(str(file))

    qtbot.waitUntil(lambda: window.predict.file == file, timeout=LIMIT_MS)


def test_a_fault_is_shown_once_however_often_it_comes(window: Any, caplog: Any) -> None:
    faults = Faults(window)
    for _ in range(100):
        error = ValueError("the same again")
        faults.report(ValueError, error, None)

    dialogs = window.findChildren(FaultDialog)
    assert len(dialogs) == 1
    assert len([record for record in caplog.records if "the same again" in record.getMessage()]) == 100
    texts = [button.text() for button in dialogs[0].findChildren(QPushButton)]
    assert texts == ["Copy details", "Open log file", "Report a problem…", "Close"]
    dialogs[0].close()


def test_the_next_fault_after_closing_the_dialog_is_shown(window: Any) -> None:
    faults = Faults(window)
    faults.report(ValueError, ValueError("one"), None)
    window.findChild(FaultDialog).accept()

    faults.report(ValueError, ValueError("two"), None)

    assert any(dialog.isVisible() for dialog in window.findChildren(FaultDialog))
    for dialog in window.findChildren(FaultDialog):
        dialog.close()


def test_a_damaged_settings_file_does_not_keep_the_window_from_opening(open_window: Any) -> None:
    home.settings_file().parent.mkdir(parents=True)
    home.settings_file().write_text("{")

    assert open_window().isVisible()
