"""The window as a person meets it: what is enabled, what it says, where things go."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProgressBar,
)

from catdog_gui.engine import events
from catdog_gui.engine.errors import CatDogError
from catdog_gui.session.data import Dataset, LeftOut, Offer, Said
from catdog_gui.session.settings import load
from catdog_gui.ui import theme
from catdog_gui.ui.dialogs import TextDialog
from catdog_gui.ui.drops import Drop, parse

LIMIT_MS = 10_000
CONTRACT = (
    "dataFolderEdit",
    "chooseFolderButton",
    "deviceCombo",
    "presetCombo",
    "trainButton",
    "stopButton",
    "progressBar",
    "statusLabel",
    "lossPlot",
    "accuracyPlot",
    "memoryPlot",
    "dropArea",
    "choosePhotosButton",
    "predictionList",
    "runsList",
    "confusionTable",
)


def start(qtbot: Any, window: Any, jobs: Any) -> None:
    window.wishes.train()
    qtbot.waitUntil(lambda: window.run.state.step_phase is not None, timeout=LIMIT_MS)


def finish(qtbot: Any, window: Any, jobs: Any) -> None:
    with qtbot.waitSignal(window.run.ended, timeout=LIMIT_MS):
        jobs.release.set()
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)


# --- what scripts and screen readers rely on -------------------------------------------------------------------------


def test_every_name_of_the_contract_is_there_once(window: Any, find: Any) -> None:
    for name in CONTRACT:
        find(window, name)


def test_every_control_has_an_accessible_name(window: Any) -> None:
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QProgressBar)
    unnamed = [
        f"{type(control).__name__} {control.objectName()!r} in {type(control.parent()).__name__}"
        for kind in kinds
        for control in window.findChildren(kind)
        if not (control.accessibleName() or (isinstance(control, QAbstractButton) and control.text()))
        and not control.objectName().startswith("qt_")  # Qt's own inner parts
        and not isinstance(control, QHeaderView)
        and control.window() is window
    ]

    assert unnamed == []


def test_the_run_phase_is_a_qt_property_that_tells_of_changes(qtbot: Any, ready: Any, jobs: Any) -> None:
    told: list[str] = []
    ready.runPhaseChanged.connect(told.append)
    jobs.script = [events.PhaseStarted("scan"), events.PhaseStarted("train")]
    assert ready.property("runPhase") == "idle"

    start(qtbot, ready, jobs)
    qtbot.waitUntil(lambda: ready.property("runPhase") == "running", timeout=LIMIT_MS)
    finish(qtbot, ready, jobs)

    assert told[0] == "preparing"
    assert told[-2:] == ["running", "failed"]


# --- before the first run --------------------------------------------------------------------------------------------


def test_before_a_folder_is_chosen_train_says_what_is_missing(window: Any, find: Any) -> None:
    assert not find(window, "trainButton").isEnabled()
    assert "Choose photos" in find(window, "trainNote").text()
    assert window.welcome.isVisible()


def test_a_chosen_folder_shows_its_classes_and_train_is_ready(ready: Any, find: Any, pets: Path) -> None:
    assert find(ready, "trainButton").isEnabled()
    assert find(ready, "dataFolderEdit").text() == str(pets)
    assert find(ready, "splitLabel").text() == "1,600 to learn, 400 to check"
    texts = [label.text() for label in ready.data_panel.findChildren(QLabel)]
    assert {"cats", "dogs", "1,000"} <= set(texts)
    assert not ready.welcome.isVisible()


def test_return_in_the_folder_field_opens_the_folder(qtbot: Any, window: Any, find: Any, pets: Path) -> None:
    edit = find(window, "dataFolderEdit")
    edit.setText(str(pets))

    qtbot.keyClick(edit, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)


def test_a_folder_that_cannot_be_trained_on_says_why_and_offers_the_right_one(
    qtbot: Any, window: Any, find: Any, jobs: Any, pets: Path, tmp_path: Path
) -> None:
    wrapper = tmp_path / "wrapper"
    offers = (Offer("use_inner_folder", pets),)
    reason = Said("wrapper_folder", {"name": "pets"})
    jobs.datasets[wrapper] = Dataset(wrapper, "wrapped", {}, offers=offers, reason=reason)
    window.wishes.choose_folder(wrapper)
    qtbot.waitUntil(lambda: find(window, "dataProblem").isVisible(), timeout=LIMIT_MS)

    assert not find(window, "trainButton").isEnabled()
    assert "The class folders are one level down" in find(window, "dataProblem").text()
    assert "Use the folder “pets”" in find(window, "trainNote").text()
    link = next(label for label in window.data_panel.findChildren(QLabel) if 'href="offer"' in label.text())
    link.linkActivated.emit("offer")

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)
    assert find(window, "dataFolderEdit").text() == str(pets)


def test_a_missing_folder_is_named(qtbot: Any, window: Any, find: Any, tmp_path: Path) -> None:
    window.wishes.choose_folder(tmp_path / "gone")

    qtbot.waitUntil(lambda: "gone" in find(window, "dataProblem").text(), timeout=LIMIT_MS)
    assert not find(window, "trainButton").isEnabled()


def test_left_out_files_are_counted_and_listed_with_their_reasons(
    qtbot: Any, window: Any, find: Any, jobs: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "some"
    left_out = (LeftOut("cats/<b>.jpg", "empty_file", {}), LeftOut("loose.jpg", "loose_photo", {}))
    jobs.datasets[folder] = Dataset(folder, "class_folders", {"cats": 30, "dogs": 30}, left_out=left_out)
    window.wishes.choose_folder(folder)
    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)

    assert "2 left out" in find(window, "leftOutLabel").text()
    find(window, "leftOutLabel").linkActivated.emit("why")
    dialog = window.findChild(TextDialog, "textDialog")
    assert "loose.jpg: The photo lies beside the class folders" in dialog.content()
    assert "cats/<b>.jpg" in dialog.content()
    dialog.close()


def test_files_that_only_the_run_found_unreadable_are_listed_too(
    qtbot: Any, ready: Any, find: Any, jobs: Any, tmp_path: Path, make_started: Any, make_result: Any
) -> None:
    broken = events.PhotoSkipped("cats/broken.jpg", "truncated")
    jobs.script = [events.PhaseStarted("prepare"), make_started(tmp_path / "run"), broken]
    jobs.ending = [make_result(tmp_path / "run")]
    start(qtbot, ready, jobs)
    finish(qtbot, ready, jobs)

    assert "1 left out" in find(ready, "leftOutLabel").text()
    find(ready, "leftOutLabel").linkActivated.emit("why")
    dialog = ready.findChild(TextDialog, "textDialog")
    assert dialog.content().startswith("cats/broken.jpg: The file ends too early")
    dialog.close()


def test_the_folders_own_split_can_be_undone_with_one_click(qtbot: Any, window: Any, jobs: Any, tmp_path: Path) -> None:
    folder = tmp_path / "split"
    jobs.datasets[folder] = Dataset(folder, "train_val", {"cats": 30, "dogs": 30}, own_check=12)
    window.wishes.choose_folder(folder)
    qtbot.waitUntil(lambda: window.data.state.ready, timeout=LIMIT_MS)

    window.data_panel.split_chosen.emit(False)

    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)
    assert jobs.scanned == [(folder, True), (folder, False)]
    window.wishes.train()
    assert jobs.configs[0].use_split is False


# --- a run -----------------------------------------------------------------------------------------------------------


def test_while_a_run_lives_stop_takes_trains_place(qtbot: Any, ready: Any, jobs: Any, find: Any) -> None:
    start(qtbot, ready, jobs)

    assert not find(ready, "trainButton").isEnabled()
    assert find(ready, "stopButton").isEnabled()
    assert find(ready, "stopButton").isVisible()
    assert not find(ready, "dataFolderEdit").isEnabled()


def test_stop_says_stopping_at_once_and_train_comes_back(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_result: Any
) -> None:
    jobs.ending = [make_result(tmp_path / "run", "stopped")]
    start(qtbot, ready, jobs)

    with qtbot.waitSignal(ready.run.ended, timeout=LIMIT_MS):
        qtbot.mouseClick(find(ready, "stopButton"), Qt.MouseButton.LeftButton)
        assert find(ready, "stopButton").text() == "Stopping…"
        assert not find(ready, "stopButton").isEnabled()
        assert ready.property("runPhase") == "stopping"

    assert ready.property("runPhase") == "stopped"
    assert find(ready, "trainButton").isEnabled()
    assert not ready.failure.isVisible()


def test_a_finished_run_shows_its_results_and_its_model_answers(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_started: Any, make_result: Any
) -> None:
    run = tmp_path / "run"
    jobs.script = [make_started(run), events.PhaseStarted("train")]
    jobs.ending = [make_result(run)]
    start(qtbot, ready, jobs)

    finish(qtbot, ready, jobs)

    assert ready.results.isVisible()
    assert find(ready, "statusLabel").text() == "Finished after 6.4 s. The model is saved."
    assert ready.predict.file == run / "model.safetensors"
    assert "98.8 %" in find(ready, "trainNote").text()


def test_of_few_checked_photos_the_last_run_is_told_without_a_percentage(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_started: Any, make_result: Any
) -> None:
    result = make_result(tmp_path / "run", accuracy=1.0)
    jobs.script = [make_started(tmp_path / "run"), events.PhaseStarted("train")]
    jobs.ending = [dataclasses.replace(result, val={"accuracy": 1.0, "n": 8}, confusion=[[4, 0], [0, 4]])]
    start(qtbot, ready, jobs)

    finish(qtbot, ready, jobs)

    assert "8 of 8 right" in find(ready, "trainNote").text()
    assert "%" not in find(ready, "trainNote").text()


def test_while_it_trains_the_best_model_so_far_answers(
    qtbot: Any, ready: Any, jobs: Any, tmp_path: Path, make_started: Any
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "model.safetensors").touch()
    best = events.EpochDone(1, 3, 0.3, 0.9, 0.2, 0.95, step=10, best=True)
    jobs.script = [make_started(tmp_path / "run"), events.PhaseStarted("train"), best]
    start(qtbot, ready, jobs)
    qtbot.waitUntil(lambda: ready.run.state.best is not None, timeout=LIMIT_MS)

    ready.predict_panel.photos_dropped.emit([tmp_path / "rex.jpg"])

    qtbot.waitUntil(lambda: jobs.predicted == [[tmp_path / "rex.jpg"]], timeout=LIMIT_MS)
    assert ready.predict.state.model.best_epoch == 1


def test_a_failure_says_why_and_train_is_enabled(qtbot: Any, ready: Any, jobs: Any, find: Any) -> None:
    jobs.error = CatDogError("too_few_classes", name="cats")
    start(qtbot, ready, jobs)

    finish(qtbot, ready, jobs)

    assert ready.property("runPhase") == "failed"
    assert "At least two classes are needed" in find(ready, "failureLabel").text()
    find(ready.failure, "copyDetailsButton").click()
    assert "too_few_classes" in QApplication.clipboard().text()
    assert "Traceback" in QApplication.clipboard().text()
    assert ready.failure.isVisible()
    assert find(ready, "trainButton").isEnabled()


@pytest.mark.parametrize("way", ["it ends", "it is stopped", "it fails", "its worker ends without a word"])
def test_however_a_run_ends_train_comes_back_and_the_settings_stay(
    way: str, qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_result: Any
) -> None:
    ready.train_panel.presets.setCurrentIndex(ready.train_panel.presets.findData("balanced"))
    for name, value in (("epochs", "7"), ("seed", "5")):
        edit = find(ready, f"setting_{name}")
        edit.setText(value)
        edit.textEdited.emit(value)
    before = (ready.train_panel.preset_id, ready.train_panel.form.values())
    match way:
        case "it ends":
            jobs.ending = [make_result(tmp_path / "run")]
        case "it is stopped":
            jobs.ending = [make_result(tmp_path / "run", "stopped")]
        case "it fails":
            jobs.error = RuntimeError("a fault")
    start(qtbot, ready, jobs)
    if way == "it is stopped":
        ready.run.stop()
    finish(qtbot, ready, jobs)

    assert before == ("balanced", {**before[1], "epochs": 7, "seed": 5})
    assert (ready.train_panel.preset_id, ready.train_panel.form.values()) == before
    assert find(ready, "trainButton").isEnabled()
    assert not find(ready, "stopButton").isVisible()
    assert (jobs.configs[0].epochs, jobs.configs[0].seed) == (7, 5)
    jobs.script, jobs.error = [events.PhaseStarted("scan")], None
    ready.wishes.train()
    assert ready.run.is_live
    assert (jobs.configs[1].preset, jobs.configs[1].epochs) == ("balanced", 7)


def test_the_progress_names_phase_photos_and_epoch(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_started: Any
) -> None:
    jobs.script = [events.PhaseStarted("prepare"), events.Progress("prepare", 512, 2048, 410.0)]
    start(qtbot, ready, jobs)
    qtbot.waitUntil(lambda: ready.run.state.progress is not None, timeout=LIMIT_MS)

    bar = find(ready, "progressBar")
    assert (bar.value(), bar.maximum()) == (250, 1000)
    assert find(ready, "statusLabel").text() == "Reading photos: 512 of 2,048"
    assert any("410 photos/s" in label.text() for label in ready.progress.findChildren(QLabel))


def test_weights_that_are_fetched_are_counted_in_megabytes(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path
) -> None:
    jobs.script = [events.PhaseStarted("prepare"), events.Progress("prepare", 12, 45, unit="MB")]
    start(qtbot, ready, jobs)
    qtbot.waitUntil(lambda: ready.run.state.progress is not None, timeout=LIMIT_MS)

    assert find(ready, "statusLabel").text() == "Fetching the network's weights: 12 of 45 MB"


def run_of(home: Path, *said: events.Event) -> Path:
    """A run folder as the engine leaves it."""
    folder = home / "runs" / "run-0001"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"schema": 1, "preset": "fast", "data": "/photos/pets"}')
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in said))
    (folder / "model.safetensors").touch()
    return folder


def test_an_old_run_is_drawn_again_from_its_files_and_its_model_answers(
    qtbot: Any, catdog_home: Path, open_window: Any, find: Any, make_started: Any, make_result: Any
) -> None:
    folder = catdog_home / "runs" / "run-0001"
    step = events.StepDone(1, 1, 0.5, 0.001, 100.0, 1.0, 10.0, accuracy=0.5)
    run_of(catdog_home, make_started(folder), events.PhaseStarted("train"), step, make_result(folder))
    window = open_window()
    assert window.predict.file == folder / "model.safetensors"

    window.runs_panel.open_requested.emit(folder)

    qtbot.waitUntil(lambda: window.property("runPhase") == "completed", timeout=LIMIT_MS)
    assert window.results.isVisible()
    assert list(window.run.state.train_loss.y) == [0.5]


def test_a_run_from_elsewhere_is_not_told_to_be_missing(
    qtbot: Any, open_window: Any, find: Any, tmp_path: Path, make_started: Any, make_result: Any
) -> None:
    elsewhere = tmp_path / "usb"
    folder = run_of(elsewhere, make_started(tmp_path / "where it was made"), make_result(elsewhere))
    window = open_window()

    window.runs_panel.open_requested.emit(folder)

    qtbot.waitUntil(lambda: window.run.state.result is not None, timeout=LIMIT_MS)
    assert f"lies in another place: {folder}." in find(window, "noRunsLabel").text()


def test_a_run_that_was_cut_off_says_so(
    qtbot: Any, catdog_home: Path, open_window: Any, find: Any, make_started: Any
) -> None:
    folder = run_of(catdog_home, make_started(catdog_home), events.PhaseStarted("train"))
    window = open_window()

    window.runs_panel.open_requested.emit(folder)

    qtbot.waitUntil(lambda: window.failure.isVisible(), timeout=LIMIT_MS)
    assert "the program was closed" in find(window, "failureLabel").text()
    assert not find(window, "stopButton").isEnabled()


# --- settings --------------------------------------------------------------------------------------------------------


def test_the_run_gets_what_the_form_says(ready: Any, jobs: Any, find: Any) -> None:
    ready.train_panel.presets.setCurrentIndex(ready.train_panel.presets.findData("best"))
    edit = find(ready, "setting_epochs")
    edit.setText("3")
    edit.textEdited.emit("3")

    ready.wishes.train()

    config = jobs.configs[0]
    assert (config.preset, config.epochs, config.augment, config.device) == ("best", 3, True, "cpu")


def test_a_bad_setting_is_marked_and_train_leads_to_it(ready: Any, find: Any) -> None:
    edit = find(ready, "setting_batch_size")
    edit.setText("many")
    edit.textEdited.emit("many")

    assert edit.property("bad") == "true"
    assert find(ready, "settingError").text() == "“many” cannot be used for the setting Batch size."
    assert not find(ready, "trainButton").isEnabled()
    assert "Batch size" in find(ready, "trainNote").text()
    find(ready, "trainNote").linkActivated.emit("setting:batch_size")
    assert ready.train_panel.form.isVisible()
    find(ready, "resetSettings").click()
    assert find(ready, "trainButton").isEnabled()


def test_choices_are_remembered_in_the_next_window(open_window: Any, find: Any, qtbot: Any, pets: Path) -> None:
    first = open_window()
    first.wishes.choose_preset("balanced")
    first.preferences.remember_folder(pets)
    first.close()

    second = open_window()

    assert find(second, "presetCombo").currentData() == "balanced"
    assert [action.text() for action in second.data_panel.edit.recent_menu().actions()] != []


# --- drops -----------------------------------------------------------------------------------------------------------


def mime_of(*urls: str) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl(url) for url in urls])
    return mime


def test_a_folder_dropped_on_the_left_is_the_dataset(qtbot: Any, window: Any, find: Any, pets: Path) -> None:
    window.left.dropped.emit(Drop(paths=(pets,)))

    qtbot.waitUntil(lambda: find(window, "trainButton").isEnabled(), timeout=LIMIT_MS)


def test_a_web_address_is_declined_in_words(window: Any, find: Any) -> None:
    window.left.dropped.emit(parse(mime_of("https://example.org/cat.jpg")))

    assert "web address" in find(window, "failureLabel").text()
    assert window.failure.isVisible()
    assert find(window.failure, "copyDetailsButton").isVisible()
    assert not find(window.failure, "reportProblemLink").isVisible()


def test_a_drop_in_the_middle_offers_both(ready: Any, pets: Path) -> None:
    menu = ready.wishes.drop_menu(Drop(paths=(pets,)))

    assert [action.text() for action in menu.actions()] == ["Learn from these photos", "Say what is on these photos"]
    assert [action.isEnabled() for action in menu.actions()] == [True, False]


def test_a_dataset_dropped_while_a_run_lives_is_declined(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path
) -> None:
    start(qtbot, ready, jobs)

    ready.left.dropped.emit(Drop(paths=(tmp_path,)))

    assert "A run is going on" in find(ready, "failureLabel").text()


# --- closing ---------------------------------------------------------------------------------------------------------


def test_closing_while_a_run_lives_asks_and_stop_and_save_closes(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_result: Any
) -> None:
    jobs.ending = [make_result(tmp_path / "run", "stopped")]
    start(qtbot, ready, jobs)
    ready.close()
    assert ready.isVisible()

    find(ready, "stopAndSaveButton").click()

    qtbot.waitUntil(lambda: not ready.isVisible(), timeout=LIMIT_MS)
    assert ready.property("runPhase") == "stopped"
    assert not ready.closing.stuck
    assert load().left_run == str(tmp_path / "run")


def test_a_run_that_was_stopped_with_stop_is_not_one_that_closing_stopped(
    qtbot: Any, ready: Any, jobs: Any, tmp_path: Path, make_result: Any
) -> None:
    jobs.ending = [make_result(tmp_path / "run", "stopped")]
    start(qtbot, ready, jobs)
    finish(qtbot, ready, jobs)

    ready.close()

    assert load().left_run == ""


def test_closing_can_be_taken_back(qtbot: Any, ready: Any, jobs: Any, find: Any) -> None:
    start(qtbot, ready, jobs)
    ready.close()

    find(ready, "cancelCloseButton").click()

    assert ready.isVisible()
    assert ready.run.is_live
    assert ready.property("runPhase") == "preparing"


def test_keep_running_closes_the_window_once_the_run_is_done(
    qtbot: Any, ready: Any, jobs: Any, find: Any, tmp_path: Path, make_result: Any
) -> None:
    jobs.ending = [make_result(tmp_path / "run")]
    start(qtbot, ready, jobs)
    ready.close()
    find(ready, "keepRunningButton").click()
    assert ready.run.is_live
    assert ready.property("runPhase") == "preparing"

    jobs.release.set()

    qtbot.waitUntil(lambda: not ready.isVisible(), timeout=LIMIT_MS)
    assert ready.property("runPhase") == "completed"


# --- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (3840, 2160)])
def test_train_and_the_drop_area_stay_in_sight(ready: Any, find: Any, size: tuple[int, int]) -> None:
    ready.resize(*size)
    ready.layout().activate()

    for name in ("trainButton", "dropArea", "dataFolderEdit"):
        widget = find(ready, name)
        top_left = widget.mapTo(ready, QPoint(0, 0))
        assert top_left.x() >= 0
        assert top_left.y() >= 0
        assert top_left.x() + widget.width() <= size[0]
        assert top_left.y() + widget.height() <= size[1]


def test_a_paused_run_looks_paused_in_the_badge(qtbot: Any, ready: Any, find: Any) -> None:
    ready.wishes.train()
    badge = find(ready, "deviceBadge")
    qtbot.waitUntil(lambda: "Training on" in badge.text(), timeout=LIMIT_MS)
    assert theme.colours().good in badge.text()

    find(ready, "pauseButton").click()

    assert "Paused" in badge.text()
    assert theme.colours().good not in badge.text()
