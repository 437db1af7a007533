"""RunState: from events to what the screens show."""

import math
from pathlib import Path

import pytest

from catdog_gui.engine import events
from catdog_gui.session.state import Action, RunPhase, RunState, allowed

RESULT = events.RunResult("completed", "/r", "/r/m", ["a", "b"], {}, {"accuracy": 0.9}, 2, "cpu", "fp32", {})


def step(number: int, loss: float | None = 0.5, steps: int = 100) -> events.StepDone:
    return events.StepDone(number, 1, loss, 1e-3, 50.0, 1.0, 10.0, accuracy=0.5, steps=steps)


def begun(*said: events.Event) -> RunState:
    state = RunState()
    state.begin()
    for event in said:
        state.apply(event)
    return state


@pytest.mark.parametrize(
    ("phase", "shown"),
    [
        ("scan", RunPhase.PREPARING),
        ("prepare", RunPhase.PREPARING),
        ("train", RunPhase.RUNNING),
        ("validate", RunPhase.RUNNING),
        ("save", RunPhase.RUNNING),
    ],
)
def test_each_phase_of_the_engine_has_its_place(phase: events.Phase, shown: RunPhase) -> None:
    assert begun(events.PhaseStarted(phase)).phase is shown


def test_a_late_phase_does_not_undo_stopping() -> None:
    state = begun(events.PhaseStarted("prepare"))
    state.ask_stop()

    state.apply(events.PhaseStarted("train"))

    assert state.phase is RunPhase.STOPPING


def test_stop_means_nothing_where_nothing_runs() -> None:
    state = RunState()

    state.ask_stop()

    assert state.phase is RunPhase.IDLE


@pytest.mark.parametrize("status", ["completed", "stopped"])
def test_a_result_ends_the_run(status: str) -> None:
    result = events.RunResult(status, "/r", None, [], {}, {}, 1, "cpu", "fp32", {})  # type: ignore[arg-type]

    state = begun(result)

    assert state.phase.value == status
    assert state.result is result


def test_a_finished_run_never_changes_again() -> None:
    state = begun(RESULT)

    for event in (events.PhaseStarted("train"), step(5), events.RunFailed("unexpected")):
        state.apply(event)

    assert state.phase is RunPhase.COMPLETED
    assert state.failure is None
    assert len(state.train_loss) == 0


def test_a_loss_that_is_no_number_leaves_a_gap_and_the_rest_stays() -> None:
    state = begun(step(1, 0.7), step(2, None), step(3, 0.5))

    assert list(state.train_loss.x) == [1, 2, 3]
    assert math.isnan(state.train_loss.y[1])
    assert state.train_loss.last == 0.5


def test_the_last_value_is_unknown_while_it_is_no_number() -> None:
    assert begun(step(1, None)).train_loss.last is None


def test_the_share_done_is_of_the_phase_that_goes_on() -> None:
    state = begun(events.PhaseStarted("prepare"))
    assert state.fraction_done is None
    state.apply(events.Progress("prepare", 50, 200))
    assert state.fraction_done == 0.25

    state.apply(events.PhaseStarted("train"))
    assert state.fraction_done is None
    state.apply(step(30))

    assert state.fraction_done == 0.3


def test_progress_without_a_total_promises_nothing() -> None:
    assert begun(events.PhaseStarted("scan"), events.Progress("scan", 50, 0)).fraction_done is None


def test_the_best_epoch_is_the_last_one_that_said_so() -> None:
    said = [
        events.EpochDone(n, 3, 0.3, 0.9, 0.2, accuracy, step=10 * n, best=best)
        for n, accuracy, best in ((1, 0.9, True), (2, 0.95, True), (3, 0.93, False))
    ]

    state = begun(*said)

    assert state.best is said[1]
    assert list(state.val_accuracy.x) == [10, 20, 30]


def test_memory_is_kept_sample_by_sample() -> None:
    sample = events.MemorySample("cpu", "ram", 900.0, None, 950.0, 16000.0, 900.0)

    state = begun(sample, sample)

    assert list(state.memory.y) == [900.0, 900.0]
    assert math.isnan(state.reserved.y[0])


def test_what_may_be_done_follows_from_the_phase() -> None:
    idle, live, stopping, over = RunState(), begun(), begun(), begun(RESULT)
    stopping.ask_stop()

    assert Action.TRAIN not in allowed(idle, data_ready=False)
    assert Action.TRAIN in allowed(idle, data_ready=True)
    assert allowed(live, data_ready=True) == {Action.STOP}
    assert allowed(stopping, data_ready=True) == frozenset()
    assert Action.TRAIN in allowed(over, data_ready=True)


def test_notices_warnings_and_skipped_photos_are_collected() -> None:
    state = begun(
        events.Notice("batch_halved"), events.DataWarning("few_photos"), events.PhotoSkipped("cats/x.jpg", "truncated")
    )

    assert [item.code for item in (*state.notices, *state.warnings, *state.skipped)] == [
        "batch_halved",
        "few_photos",
        "truncated",
    ]


def test_a_run_read_back_from_its_lines_shows_what_was_seen_live() -> None:
    said: list[events.Event] = [
        events.RunStarted(str(Path("/r")), ["a", "b"], "cpu", "CPU", "fp32", 2, "fast", "net", {"train": 8}, 1.0),
        events.PhaseStarted("train"),
        step(1),
        events.EpochDone(1, 2, 0.3, 0.9, 0.2, 0.9, step=1, best=True),
        RESULT,
    ]

    again = begun(*(event for line in map(events.to_line, said) if (event := events.from_line(line)) is not None))

    assert again == begun(*said)


def test_a_first_look_is_not_yet_learning_and_has_no_speed_of_its_own() -> None:
    state = begun(events.PhaseStarted("prepare"), events.Progress("prepare", 400, 400, 433.0))

    state.apply(events.PhaseStarted("train"))
    state.apply(events.Progress("train", 32, 320))

    assert (state.stage, state.fraction_done, state.photos_per_s) == ("first_look", 0.1, None)
    state.apply(step(1))
    assert (state.stage, state.photos_per_s) == ("train", 50.0)


@pytest.mark.parametrize("next_one", [events.Progress("prepare", 3, 9), step(1), events.PhaseStarted("train")])
def test_a_photo_is_waited_for_until_something_else_comes(next_one: events.Event) -> None:
    state = begun(events.PhaseStarted("prepare"), events.Notice("photo_waits", {"path": "/drive/a.jpg"}))
    state.apply(events.Notice("memory_freed"))
    assert state.waits == events.Notice("photo_waits", {"path": "/drive/a.jpg"})

    state.apply(next_one)

    assert state.waits is None
