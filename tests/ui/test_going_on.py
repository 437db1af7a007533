"""Runs that go on, in the window: the offer at the start, the list of runs, the ways out, pausing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from catdog_gui.engine import events
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.ui.bridge import RunModel
from catdog_gui.ui.main_window import MainWindow
from tests.ui.conftest import LIMIT_MS


def summary(path: Path, status: str, **changes: Any) -> RunSummary:
    values: dict[str, Any] = {
        "path": path,
        "name": "pets",
        "started": 1_700_000_000.0,
        "status": status,
        "preset": "fast",
        "model": "efficientnet_lite0",
        "classes": ("cats", "dogs"),
        "accuracy": None,
        "n_val": None,
        "epochs": 2,
        "has_model": True,
        "has_checkpoint": True,
    }
    return RunSummary(**{**values, **changes})


@pytest.fixture
def went_on(jobs: Any) -> list[tuple[Any, ...]]:
    """What was asked to go on; the jobs themselves are those of a training."""
    asked: list[tuple[Any, ...]] = []

    def resume_run(run: Path, policy: str) -> Any:
        asked.append(("go on", run, policy))
        return jobs.train(None)

    def train_from(run: Path, epochs: int | None) -> Any:
        asked.append(("from", run, epochs))
        return jobs.train(None)

    jobs.resume_run, jobs.train_from = resume_run, train_from
    return asked


Find = Callable[..., Any]


def offer_at_start(window: MainWindow, runs: list[RunSummary]) -> None:
    window.going_on._asked = False
    window.runs._on_listed(runs)


def test_a_run_that_was_cut_off_is_offered_once_and_goes_on_in_one_click(
    window: MainWindow, went_on: list[Any], tmp_path: Path, qtbot: Any
) -> None:
    offer_at_start(window, [summary(tmp_path / "run", "interrupted")])
    words = window.findChild(QLabel, "goOnWords")
    assert not window.go_on_offer.isHidden()
    assert "“pets”" in words.text()

    window.findChild(QPushButton, "goOnOfferButton").click()

    assert went_on == [("go on", tmp_path / "run", "ask")]
    assert window.go_on_offer.isHidden()
    assert window.run.is_live


@pytest.mark.parametrize("status", ["completed", "stopped", "running", "failed"])
def test_nothing_is_offered_for_a_run_that_ended_knowingly(status: str, window: MainWindow, tmp_path: Path) -> None:
    offer_at_start(window, [summary(tmp_path / "run", status)])

    assert window.go_on_offer.isHidden()


def test_a_run_that_closing_the_window_stopped_is_offered_at_the_next_start(
    window: MainWindow, went_on: list[Any], tmp_path: Path
) -> None:
    window.preferences.remember(left_run=str(tmp_path / "run"))

    offer_at_start(window, [summary(tmp_path / "run", "stopped")])
    assert not window.go_on_offer.isHidden()
    assert "was stopped when the window was closed" in window.findChild(QLabel, "goOnWords").text()

    window.findChild(QPushButton, "goOnOfferButton").click()
    assert went_on == [("go on", tmp_path / "run", "ask")]
    assert window.preferences.now.left_run == ""  # if it is stopped with Stop now, that was meant


def test_a_run_stopped_by_closing_that_is_not_wanted_now_is_not_offered_again(
    window: MainWindow, tmp_path: Path
) -> None:
    window.preferences.remember(left_run=str(tmp_path / "run"))
    offer_at_start(window, [summary(tmp_path / "run", "stopped")])
    window.findChild(QPushButton, "notNowButton").click()

    offer_at_start(window, [summary(tmp_path / "run", "stopped")])

    assert window.go_on_offer.isHidden()


def test_not_now_is_remembered(window: MainWindow, tmp_path: Path) -> None:
    offer_at_start(window, [summary(tmp_path / "run", "interrupted")])
    window.findChild(QPushButton, "notNowButton").click()

    window.runs._on_listed([summary(tmp_path / "run", "interrupted")])

    assert window.go_on_offer.isHidden()


@pytest.mark.parametrize("status", ["failed", "interrupted", "running"])
def test_the_newest_run_that_came_to_an_end_answers_not_one_that_failed_after_it(
    status: str, window: MainWindow, tmp_path: Path
) -> None:
    good = summary(tmp_path / "good", "stopped", name="good")
    window.runs._on_listed(
        [summary(tmp_path / "bad", status, name="bad"), good, summary(tmp_path / "old", "completed")]
    )

    assert window.predict.state.model is not None
    assert window.predict.state.model.name == "good"


def test_the_model_of_a_failed_run_answers_where_there_is_no_other(window: MainWindow, tmp_path: Path) -> None:
    none = summary(tmp_path / "none", "completed", has_model=False)
    window.runs._on_listed([none, summary(tmp_path / "bad", "failed", name="bad")])

    assert window.predict.state.model is not None
    assert window.predict.state.model.name == "bad"


@pytest.mark.parametrize(
    ("status", "words", "expected"),
    [("stopped", "Go on", ("go on", "ask")), ("completed", "10 more epochs", ("from", 10))],
)
def test_a_run_in_the_list_goes_on(
    status: str, words: str, expected: tuple[str, Any], window: MainWindow, went_on: list[Any], tmp_path: Path
) -> None:
    window.runs._on_listed([summary(tmp_path / "run", status)])
    button = window.findChild(QPushButton, "goOnButton")
    assert button.text() == words

    button.click()

    assert went_on == [(expected[0], tmp_path / "run", expected[1])]


def test_a_run_that_goes_on_has_the_name_it_has_in_the_list(
    window: MainWindow, jobs: Any, went_on: list[Any], make_started: Any, make_result: Any, tmp_path: Path, qtbot: Any
) -> None:
    run = tmp_path / "run-0017"
    rows = [summary(run, "completed", name="ds 2")]
    jobs.runs = lambda: lambda _send, _should_stop: rows
    window.runs._on_listed([summary(run, "stopped", name="ds 2")])
    jobs.script, jobs.ending = [make_started(run)], [make_result(run)]
    with qtbot.waitSignal(window.run.ended, timeout=LIMIT_MS):
        window.findChild(QPushButton, "goOnButton").click()
        jobs.release.set()

    assert window.predict.state.model is not None
    assert window.predict.state.model.name == "ds 2"


def test_a_new_run_has_the_name_it_has_in_the_list_once_it_is_listed(
    window: MainWindow, jobs: Any, went_on: list[Any], make_started: Any, make_result: Any, tmp_path: Path, qtbot: Any
) -> None:
    before, run = summary(tmp_path / "run-0016", "completed", name="ds 1"), tmp_path / "run-0017"
    jobs.runs = lambda: lambda _send, _should_stop: [summary(run, "completed", name="ds 2"), before]
    window.runs._on_listed([before])
    jobs.script, jobs.ending = [make_started(run)], [make_result(run)]
    window.findChild(QPushButton, "goOnButton").click()
    jobs.release.set()
    qtbot.waitUntil(lambda: len(window.runs.runs) == 2, timeout=LIMIT_MS)

    assert window.predict.file == run / "model.safetensors"
    assert window.predict.state.model is not None
    assert window.predict.state.model.name == "ds 2"


def test_a_run_without_a_checkpoint_has_no_more_epochs(window: MainWindow, tmp_path: Path) -> None:
    window.runs._on_listed([summary(tmp_path / "run", "completed", has_checkpoint=False)])

    assert not window.findChild(QPushButton, "goOnButton").isEnabled()


def fail_with(window: MainWindow, jobs: Any, qtbot: Any, error: CatDogError, run: Path) -> None:
    jobs.error = error
    jobs.release.set()
    with qtbot.waitSignal(window.run.ended):
        window.going_on.go_on(run)
    jobs.error = None


def test_a_class_that_came_meanwhile_is_named_and_leaves_the_choice(
    window: MainWindow, went_on: list[Any], jobs: Any, qtbot: Any, tmp_path: Path
) -> None:
    fail_with(window, jobs, qtbot, InputError("classes_added", known="cats, dogs", added="birds"), tmp_path / "run")

    assert "The run knows cats, dogs" in window.findChild(QLabel, "failureLabel").text()
    offered = [window.findChild(QPushButton, f"wayOut-{way}") for way in ("keep", "new")]
    assert all(link is not None and link.isVisible() for link in offered)
    assert [call[0] for call in went_on] == ["go on"]


@pytest.mark.parametrize(
    ("way", "expected"), [("keep", ("go on", "keep")), ("new", ("from", None))], ids=["its own", "those of now"]
)
def test_changed_photos_leave_the_choice_to_the_user(
    way: str, expected: tuple[str, Any], window: MainWindow, went_on: list[Any], jobs: Any, qtbot: Any, tmp_path: Path
) -> None:
    error = InputError("photos_changed", what="1 gone", names="cats/1.jpg", count=1)
    fail_with(window, jobs, qtbot, error, tmp_path / "run")
    assert "1 gone (cats/1.jpg)" in window.findChild(QLabel, "failureLabel").text()

    with qtbot.waitSignal(window.run.ended):
        window.findChild(QPushButton, f"wayOut-{way}").click()

    assert went_on[-1] == (expected[0], tmp_path / "run", expected[1])


def test_the_smaller_network_is_one_click_away(
    window: MainWindow, jobs: Any, went_on: list[Any], qtbot: Any, tmp_path: Path
) -> None:
    error = CatDogError("out_of_memory", device="card", batch_size=8, model="resnet34", smaller="resnet18")
    fail_with(window, jobs, qtbot, error, tmp_path / "run")
    button = window.findChild(QPushButton, "wayOut-smaller")
    assert "resnet18" in button.text()

    button.click()

    assert window.train_panel.form.values()["model"] == "resnet18"


def test_a_paused_run_waits_and_a_stop_ends_it(qtbot: Any) -> None:
    steps: list[int] = []
    model = RunModel()

    def job(emit: Callable[[events.Event], None], should_stop: Callable[[], bool]) -> None:
        while not should_stop():
            steps.append(len(steps))
        emit(events.Notice("stopped_early", {"epoch": 1, "best": 1}))

    model.start(job)
    qtbot.waitUntil(lambda: len(steps) > 10)
    model.pause(True)
    qtbot.waitUntil(lambda: _stands_still(steps))
    assert model.state.paused

    model.pause(False)
    before = len(steps)
    qtbot.waitUntil(lambda: len(steps) > before)
    model.pause(True)
    with qtbot.waitSignal(model.ended):
        model.stop()

    assert not model.state.paused


def _stands_still(steps: list[int]) -> bool:
    """Whether the job has not gone on for as long as it takes it to do thousands of steps."""
    before = len(steps)
    sum(range(200_000))
    return len(steps) == before


def test_a_run_that_another_program_computes_is_watched_as_if_it_were_our_own(
    window: MainWindow, jobs: Any, tmp_path: Path, qtbot: Any
) -> None:
    from catdog_gui.engine.config import TrainConfig
    from catdog_gui.engine.runs import runlog

    with runlog.create(tmp_path / "run") as elsewhere:
        elsewhere.write_config(TrainConfig(), {})
        elsewhere.append(events.PhaseStarted("train"))
        window.runs.open_run(tmp_path / "run")
        qtbot.waitUntil(lambda: window.property("runPhase") == "running")

        elsewhere.append(events.EpochDone(1, 2, 0.5, 0.8, 0.4, 0.9, step=3, best=True))
        qtbot.waitUntil(lambda: len(window.run.state.epochs) == 1)
        window.run.stop()
        qtbot.waitUntil(elsewhere.stop_asked)
        with qtbot.waitSignal(window.run.ended):
            elsewhere.append(events.RunFailed("disk_full", {"path": "x", "needed_mb": 1.0, "free_mb": 0.0}))

    assert window.property("runPhase") == "failed"
