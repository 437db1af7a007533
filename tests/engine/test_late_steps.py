"""Steps are told when a card has done them, in order, with the card's times; the loop itself waits for nothing.

The card is a stand-in that works through its queue when it is let; what it is asked is the program's own.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import nn

from catdog_gui.engine import Trainer
from catdog_gui.engine.learning.figures import NotFiniteError, Step
from catdog_gui.engine.learning.late_steps import MOST_UNDER_WAY, HostClock, LateSteps


@dataclass
class Moment:
    card: "QueueingCard"
    number: int

    def is_over(self) -> bool:
        return self.number <= self.card.done

    def wait(self) -> None:
        if not self.is_over():
            self.card.waits += 1
            self.card.done = self.number


class QueueingCard:
    """Counts marks; is `behind` of them behind, or as far as somebody waited for. A mark is a second after the last."""

    is_late = True

    def __init__(self, behind: int) -> None:
        self.behind, self.asked, self.done, self.waits = behind, 0, 0, 0
        self.unread: list[tuple[torch.Tensor, torch.Tensor, int]] = []

    def mark(self) -> Moment:
        self.asked += 1
        self.done = max(self.done, self.asked - self.behind)
        for host, figures, number in self.unread:
            if number <= self.done:
                host.copy_(figures)
        return Moment(self, self.asked)

    def seconds(self, first: Moment, second: Moment) -> float:
        assert second.is_over()  # a real event raises
        return float(second.number - first.number)

    def to_host(self, figures: torch.Tensor) -> torch.Tensor:
        host = torch.full_like(figures, -1.0)  # what is read too early is seen
        self.unread.append((host, figures, self.asked + 1))
        return host


def run(card: Any, steps: int, at: Callable[[int], None] = lambda _number: None) -> list[Step]:
    told: list[Step] = []
    late = LateSteps(card, told.append)
    for number in range(1, steps + 1):
        late.ask()
        late.came()
        late.done(number, torch.tensor(float(number)), torch.tensor(2.0), 4)
        at(len(told))
    late.flush()
    return told


def batches(count: int, bad: int = 0) -> list[tuple[torch.Tensor, torch.Tensor]]:
    made = [(torch.randn(4, 8), torch.arange(4) % 2) for _ in range(count)]
    if bad:
        made[bad - 1] = (torch.full((4, 8), math.nan), made[0][1])
    return made


def test_a_device_that_works_at_once_tells_each_step_at_once() -> None:
    known: list[int] = []

    told = run(HostClock(), 5, known.append)

    assert known == [1, 2, 3, 4, 5]
    assert [step.loss.item() for step in told] == [1, 2, 3, 4, 5]


def test_a_card_that_is_behind_is_not_waited_for_and_tells_its_steps_late() -> None:
    card = QueueingCard(behind=6)  # two steps of three marks
    known: list[int] = []

    told = run(card, 10, known.append)

    assert known == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert [(step.number, step.loss.item(), step.right.item()) for step in told[:8]] == [
        (n, n, 2.0) for n in range(1, 9)
    ]
    assert [step.number for step in told] == list(range(1, 11))


def test_no_more_steps_than_stop_may_take_are_under_way() -> None:
    card = QueueingCard(behind=10**6)
    told: list[int] = []

    run(card, 30, told.append)

    assert told[-1] == 30 - MOST_UNDER_WAY


def test_waiting_for_photos_and_computing_are_the_cards_own_times() -> None:
    card = QueueingCard(behind=0)
    told: list[Step] = []
    late = LateSteps(card, told.append)

    late.ask()
    for _ in range(4):  # other things in the card's queue until the batch is there
        card.mark()
    late.came()
    late.done(1, torch.tensor(0.5), torch.tensor(1.0), 4)

    assert (told[0].data_s, told[0].compute_s) == (5.0, 1.0)


def test_an_epoch_on_a_card_asks_for_no_figure_before_its_end() -> None:
    torch.manual_seed(0)
    card = QueueingCard(behind=4)
    seen: list[Step] = []
    ours = Trainer(nn.Linear(8, 2), batches(30), [], device="cpu", on_step=seen.append)
    ours._clock = card

    figures = ours.train_epoch(torch.optim.SGD(ours.model.parameters(), lr=0.1))

    assert card.waits <= 2  # the last ones, at the epoch's end
    assert [step.number for step in seen] == list(range(1, 31))
    assert all(step.loss.item() >= 0 for step in seen[:28])
    assert figures.photos == 120


def test_a_loss_that_is_no_number_is_noticed_a_few_steps_later_not_at_the_end() -> None:
    ours = Trainer(nn.Linear(8, 2), batches(200, bad=20), [], device="cpu")
    ours._clock = QueueingCard(behind=9)
    ours._look_every = 10**6  # as on a card: the loop does not look
    steps = 0

    def count(_number: int) -> None:
        nonlocal steps
        steps += 1

    ours.before_step = count
    with pytest.raises(NotFiniteError) as error:
        ours.train_epoch(torch.optim.SGD(ours.model.parameters(), lr=0.1))

    assert error.value.fields["step"] == 20
    assert steps <= 20 + MOST_UNDER_WAY


@pytest.mark.gpu
def test_a_real_card_tells_losses_without_being_waited_for() -> None:
    seen: list[Step] = []
    placed = [(inputs.cuda(), labels.cuda()) for inputs, labels in batches(50)]
    ours = Trainer(nn.Linear(8, 2), placed, [], device="cuda", on_step=seen.append)
    optimizer = torch.optim.SGD(ours.model.parameters(), lr=0.1)
    ours.train_epoch(optimizer)  # what is loaded once
    seen.clear()

    torch.cuda.set_sync_debug_mode("error")  # raises where the loop waits for the card
    steps = LateSteps(ours._clock, seen.append)
    try:
        for number, (inputs, labels) in enumerate(ours._batches(steps), start=1):
            steps.done(number, *ours._step(optimizer, inputs, labels), len(labels))
    finally:
        torch.cuda.set_sync_debug_mode("default")
    steps.flush()

    assert [step.number for step in seen] == list(range(1, 51))
    assert all(step.compute_s > 0 and math.isfinite(step.loss.item()) for step in seen)
