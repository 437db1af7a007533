"""The words for what a run will take."""

from dataclasses import replace

import pytest

from catdog_gui.engine.config import preset
from catdog_gui.engine.estimates.estimate import Machine
from catdog_gui.session.estimates import EstimateState, minutes_text

HERE = Machine("cpu", "bf16", {"features": 1.0, "whole": 1.0}, measured=True)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (9.4, "10 s"), (33, "30 s"), (58, "1 min"), (100, "2 min"), (700, "12 min"), (3500, "1 h"),
     (9_000, "2 h")],
)  # fmt: skip
def test_times_are_said_as_a_person_would(seconds: float, words: str) -> None:
    assert minutes_text(seconds) == words


def test_nothing_is_said_before_the_computer_was_measured() -> None:
    state = EstimateState()
    assert state.of(preset("fast"), 2000) is None

    state.know(replace(HERE, measured=False), (), None)
    assert state.of(preset("fast"), 2000) is None

    state.know(HERE, (), None)
    found = state.of(preset("fast"), 2000)
    assert found is not None
    assert state.of(preset("fast"), 0) is None

    state.forget()
    assert state.of(preset("fast"), 2000) is None


def test_a_run_that_does_not_fit_is_too_large() -> None:
    state = EstimateState()
    state.know(HERE, (), free_mb=2000.0)
    large = state.of(replace(preset("best"), batch_size=256), 2000)

    assert state.too_large(large)
    assert not state.too_large(state.of(preset("fast"), 2000))
    assert not state.too_large(None)
