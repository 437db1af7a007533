"""The first screen's sample pictures: the whole job in one click."""

from pathlib import Path
from typing import Any

from catdog_gui.engine import home
from catdog_gui.session.data import Dataset
from catdog_gui.ui.job_values import Samples
from catdog_gui.ui.main_window import MainWindow
from catdog_gui.ui.welcome import Tile


def test_sample_pictures_are_drawn_chosen_and_learned_from_in_one_click(
    window: MainWindow, jobs: Any, qtbot: Any
) -> None:
    folder = home.samples_dir() / "dataset"
    jobs.drawn = Samples(folder, (Path("drawing-1.jpg"),))
    jobs.datasets[folder] = Dataset(folder, "class_folders", {"cats": 200, "dogs": 200})

    tile = window.findChild(Tile, "samplesTile")
    tile.clicked.emit()

    qtbot.waitUntil(lambda: window.run.is_live)
    assert jobs.configs[-1].data == folder


def test_a_folder_that_is_chosen_waits_for_the_train_button(
    window: MainWindow, jobs: Any, pets: Path, qtbot: Any
) -> None:
    window.wishes.choose_folder(pets)

    qtbot.waitUntil(lambda: window.data.state.ready)
    assert not window.run.is_live


def test_results_and_runs_can_be_looked_at_before_a_folder_is_chosen(window: MainWindow) -> None:
    window.show_tab(2)
    window.render_all()

    assert window.runs_panel.isVisible()
