"""What a run says: to the caller and into its folder, not too often; and how long its phases took."""

from pathlib import Path

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.preparing.report import Report
from catdog_gui.engine.runs import runlog


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Told:
    """A report with a clock of its own, and what it said."""

    def __init__(self) -> None:
        self.clock, self.said = Clock(), list[events.Event]()
        self.report = Report(self.said.append, "cpu", self.clock)

    def of(self, kind: type[events.Event]) -> list[events.Event]:
        return [event for event in self.said if isinstance(event, kind)]


@pytest.fixture
def told() -> Told:
    return Told()


def step(number: int) -> events.StepDone:
    return events.StepDone(number, 1, 0.5, 1e-3, None, None, None)


def test_what_was_said_before_the_folder_existed_is_in_it_too(told: Told, tmp_path: Path) -> None:
    told.report.say(events.PhaseStarted("scan"))
    with runlog.create(tmp_path / "run") as run:
        told.report.attach(run)
        told.report.say(events.PhaseStarted("prepare"))

    expected = [events.PhaseStarted("scan"), events.PhaseStarted("prepare")]
    assert told.said == expected
    assert list(runlog.read_events(tmp_path / "run")) == expected


def test_every_phase_is_counted_for_itself(told: Told) -> None:
    told.clock.now += 1
    told.report.phase("prepare")
    told.clock.now += 5
    told.report.phase("train")
    told.clock.now += 20
    told.report.phase("validate")
    told.clock.now += 2
    told.report.phase("train")
    told.clock.now += 10
    told.report.phase("save")

    assert told.report.seconds == {
        "imports": 0,
        "scan": pytest.approx(1),
        "prepare": pytest.approx(5),
        "train": pytest.approx(30),
        "validate": pytest.approx(2),
        "save": 0,
    }
    assert [event.phase for event in told.of(events.PhaseStarted)] == [  # type: ignore[attr-defined]
        "prepare",
        "train",
        "validate",
        "train",
        "save",
    ]


def test_time_can_be_counted_apart_without_a_word(told: Told) -> None:
    before = told.report.count_as("imports")
    told.clock.now += 3
    told.report.count_as(before)
    told.clock.now += 1
    told.report.phase("prepare")

    assert (before, told.report.seconds["imports"], told.report.seconds["scan"]) == ("scan", 3, 1)


def test_progress_is_said_ten_times_a_second_at_most_and_at_the_end(told: Told) -> None:
    for done in range(1, 1001):
        told.clock.now += 0.001
        told.report.progress("prepare", done, 1000)

    said = told.of(events.Progress)
    assert 9 <= len(said) <= 12
    assert said[-1] == events.Progress("prepare", 1000, 1000)


def test_progress_without_a_known_end_is_held_back_too(told: Told) -> None:
    for done in range(1000):
        told.clock.now += 0.001
        told.report.progress("scan", done, 0)

    assert len(told.of(events.Progress)) <= 12


def test_memory_is_sampled_twice_a_second_and_whenever_it_must(told: Told) -> None:
    for _ in range(100):
        told.clock.now += 0.02
        told.report.memory()
    assert 3 <= len(told.of(events.MemorySample)) <= 5

    told.report.memory(always=True)
    assert told.of(events.MemorySample)[-1] is told.said[-1]


def test_the_first_steps_are_said_one_by_one_and_later_ones_ten_times_a_second(told: Told) -> None:
    for number in range(1, 4001):
        told.clock.now += 0.001
        told.report.step(lambda number=number: step(number), number)

    said = [event.step for event in told.of(events.StepDone)]  # type: ignore[attr-defined]
    assert said[:2000] == list(range(1, 2001))
    assert 18 <= len(said) - 2000 <= 22


def test_a_step_of_an_epoch_that_is_begun_again_is_said_once(told: Told) -> None:
    for number in (1, 2, 3, 1, 2, 3, 4):
        told.report.step(lambda number=number: step(number), number)

    assert [event.step for event in told.of(events.StepDone)] == [1, 2, 3, 4]  # type: ignore[attr-defined]


def test_a_step_that_is_not_said_is_not_even_made(told: Told) -> None:
    told.report.step(lambda: step(5), 5)

    told.report.step(lambda: pytest.fail("was made"), 5)


# --- a card that waits for its photos --------------------------------------------------------------------------------


def timed(number: int, data_ms: float, compute_ms: float, epoch: int = 1) -> events.StepDone:
    return events.StepDone(number, epoch, 0.5, 1e-3, None, data_ms, compute_ms)


@pytest.fixture
def on_card(told: Told, monkeypatch: pytest.MonkeyPatch) -> Told:
    nothing = events.MemorySample("cuda:0", "cuda", 0.0, 0.0, 0.0, 0.0, 0.0)
    monkeypatch.setattr("catdog_gui.engine.preparing.report.memory_sample", lambda _device: nothing)
    told.report.use_device("cuda:0")
    return told


def codes(told: Told) -> list[str]:
    return [sentence(event.code, event.fields) for event in told.said if isinstance(event, events.Notice)]


def learn(told: Told, steps: list[events.StepDone]) -> None:
    for done in steps:
        told.report.step(lambda done=done: done, done.step)  # type: ignore[misc]


def test_a_card_that_waits_for_its_photos_is_told_once_with_what_helps(on_card: Told) -> None:
    learn(on_card, [timed(n, 100, 100) for n in range(1, 200)])

    assert len(codes(on_card)) == 1
    assert codes(on_card)[0].startswith("The card waits for photos 50 % of the time. A faster disk")


def test_a_card_that_is_kept_busy_is_no_news_and_neither_is_the_start_of_an_epoch(on_card: Told) -> None:
    learn(on_card, [timed(n, 20_000 if n % 10 == 1 else 20, 200, epoch=1 + (n - 1) // 10) for n in range(1, 200)])

    assert codes(on_card) == []


def test_a_card_that_starts_to_wait_late_is_noticed_too(on_card: Told) -> None:
    learn(on_card, [timed(n, 1, 200) for n in range(1, 1000)] + [timed(n, 300, 200) for n in range(1000, 1400)])

    assert len(codes(on_card)) == 1


def test_a_processor_reads_its_photos_itself_so_it_does_not_wait(told: Told) -> None:
    learn(told, [timed(n, 300, 100) for n in range(1, 200)])

    assert codes(told) == []
