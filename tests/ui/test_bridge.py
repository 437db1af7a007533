"""Between worker threads and the window."""

import os
import sys
import threading
from typing import Any

import pytest
from PySide6.QtCore import QObject

from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.events import Event, PhaseStarted, RunFailed, StepDone
from catdog_gui.session.state import RunPhase
from catdog_gui.ui.bridge import Background, JobThread, RunModel

LIMIT_MS = 10_000


def step(number: int) -> StepDone:
    return StepDone(number, 1, 0.5, 0.001, 100.0, 1.0, 10.0, accuracy=0.5)


@pytest.fixture
def model(qtbot: Any, owner: QObject) -> RunModel:
    return RunModel(owner)


@pytest.fixture
def background(qtbot: Any, owner: QObject) -> Background:
    return Background(owner)


def run_to_end(qtbot: Any, model: RunModel, job: Any) -> None:
    with qtbot.waitSignal(model.ended, timeout=LIMIT_MS):
        model.start(job)


def test_a_flood_of_events_arrives_whole_and_in_order_with_few_redraws(qtbot: Any, model: RunModel) -> None:
    redraws = []
    model.changed.connect(lambda: redraws.append(len(model.state.train_loss)))

    def job(emit: Any, should_stop: Any) -> None:
        for number in range(20_000):
            emit(step(number))

    run_to_end(qtbot, model, job)

    assert list(model.state.train_loss.x) == list(range(20_000))
    assert len(redraws) < 40


def test_an_error_of_the_program_says_its_code_and_fields(qtbot: Any, model: RunModel) -> None:
    def job(emit: Any, should_stop: Any) -> None:
        raise InputError("too_few_classes", name="cats")

    run_to_end(qtbot, model, job)

    assert model.state.phase is RunPhase.FAILED
    assert model.state.failure == RunFailed("too_few_classes", {"name": "cats"}, model.state.failure.details)
    assert "InputError" in model.state.failure.details


def test_any_other_error_is_named_and_keeps_its_traceback(qtbot: Any, model: RunModel) -> None:
    def job(emit: Any, should_stop: Any) -> None:
        raise ZeroDivisionError("by nothing")

    run_to_end(qtbot, model, job)

    assert model.state.failure is not None
    assert model.state.failure.code == "unexpected"
    assert "ZeroDivisionError: by nothing" in str(model.state.failure.fields["reason"])
    assert "test_bridge.py" in model.state.failure.details


def test_a_worker_that_ends_without_a_word_is_a_failed_run(qtbot: Any, model: RunModel) -> None:
    run_to_end(qtbot, model, lambda emit, should_stop: emit(PhaseStarted("train")))

    assert model.state.phase is RunPhase.FAILED
    assert model.state.failure is not None
    assert model.state.failure.code == "ended_silently"


def test_stop_shows_at_once_and_a_late_phase_does_not_undo_it(qtbot: Any, model: RunModel) -> None:
    seen = []

    def job(emit: Any, should_stop: Any) -> None:
        while not should_stop():
            pass
        emit(PhaseStarted("train"))

    model.changed.connect(lambda: seen.append(model.state.phase))
    with qtbot.waitSignal(model.ended, timeout=LIMIT_MS):
        model.start(job)
        model.stop()
        assert model.state.phase is RunPhase.STOPPING

    assert RunPhase.RUNNING not in seen


def test_a_second_start_does_not_touch_the_run_that_lives(qtbot: Any, model: RunModel) -> None:
    release = threading.Event()
    started: list[str] = []
    with qtbot.waitSignal(model.ended, timeout=LIMIT_MS):
        model.start(lambda emit, should_stop: release.wait(10) and None)
        model.start(lambda emit, should_stop: started.append("second"))
        release.set()

    assert not started


def test_the_next_run_begins_with_a_clean_state(qtbot: Any, model: RunModel) -> None:
    run_to_end(qtbot, model, lambda emit, should_stop: emit(step(1)))
    run_to_end(qtbot, model, lambda emit, should_stop: None)

    assert len(model.state.train_loss) == 0


def test_a_background_job_hands_over_progress_and_value_on_the_windows_thread(
    qtbot: Any, background: Background
) -> None:
    told, threads = [], set()

    def note(value: object) -> None:
        told.append(value)
        threads.add(threading.current_thread())

    def job(send: Any, should_stop: Any) -> str:
        send(1)
        send(2)
        return "done"

    with qtbot.waitSignal(background.idle, timeout=LIMIT_MS):
        background.start(job, note, note, note)

    assert told == [1, 2, "done"]
    assert threads == {threading.main_thread()}


def test_a_failing_background_job_says_why(qtbot: Any, background: Background) -> None:
    failures: list[RunFailed] = []

    def job(send: Any, should_stop: Any) -> None:
        raise InputError("not_a_model", path="x")

    with qtbot.waitSignal(background.idle, timeout=LIMIT_MS):
        background.start(job, lambda value: None, failures.append)

    assert [failure.code for failure in failures] == ["not_a_model"]


def test_a_cancelled_job_is_told_to_stop_and_says_nothing_more(qtbot: Any, background: Background) -> None:
    told: list[object] = []

    def job(send: Any, should_stop: Any) -> str:
        send("before")
        while not should_stop():
            pass
        raise Stopped

    with qtbot.waitSignal(background.idle, timeout=LIMIT_MS):
        background.start(job, told.append, told.append, told.append).cancel()

    assert told == []


def test_shutting_down_waits_for_jobs_that_listen_and_names_one_that_does_not(
    qtbot: Any, background: Background
) -> None:
    release = threading.Event()
    background.start(lambda send, should_stop: release.wait(10), lambda value: None, lambda failure: None)

    assert not background.shut_down(1)
    release.set()
    assert background.shut_down(LIMIT_MS)


def test_events_that_are_not_the_runs_are_left_alone(qtbot: Any, model: RunModel) -> None:
    class Odd(Event):
        pass

    run_to_end(qtbot, model, lambda emit, should_stop: emit(Odd()))

    assert model.state.phase is RunPhase.FAILED


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")
def test_a_job_and_the_threads_that_it_starts_let_the_window_go_first(
    qtbot: Any, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JobThread, "niceness", 5)
    found: list[int] = []

    def ask() -> None:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    def job(_send: Any, _should_stop: Any) -> None:
        ask()
        helper = threading.Thread(target=ask)
        helper.start()
        helper.join()

    background.start(job, lambda _none: None, lambda _failure: None)
    qtbot.waitUntil(lambda: background.is_idle, timeout=10_000)

    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert found == [min(19, own + 5)] * 2
