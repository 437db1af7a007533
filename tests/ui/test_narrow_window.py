"""A narrow window, in each language: nothing is cut off."""

from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.events import Prediction, Progress
from catdog_gui.session.prediction import ModelLine, PredictState

LIMIT_MS = 10_000
WIDTHS = (960, 1024, 1100, 1280)
CLASSES = {"cats": 0.9, "dogs": 0.1}


def answer(state: PredictState, count: int) -> None:
    """So many answers of every kind."""
    state.begin()
    state.apply(Progress("validate", 0, count))
    for number in range(count):
        match number % 5:
            case 0:
                state.apply(Prediction(f"{number}.jpg", "sure", "cats", "cats", CLASSES, True, 0.1))
            case 1:
                state.apply(Prediction(f"{number}.jpg", "sure", "dogs", "dogs", CLASSES, True, 0.1))
            case 2:
                state.apply(Prediction(f"{number}.jpg", "not_sure", None, "cats", CLASSES, True, 0.1))
            case 3:
                state.apply(Prediction(f"{number}.jpg", "none_of_these", None, "cats", CLASSES, True, 0.9))
            case 4:
                state.apply(Prediction(f"{number}.jpg", "unreadable", None, None, {}, True, None, code="truncated"))


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_over_the_answers_is_cut_off(
    qtbot: Any, window_in: Any, find: Any, cut_off: Any, tmp_path: Path, language: str
) -> None:
    window = window_in(language)
    window.predict.use(tmp_path / "m.safetensors", ModelLine("pets", 1_764_000_000.0, classes=("cats", "dogs")))
    state = window.predict.state

    for stage in ("asking", "paused", "stopping", "answered", "searched"):
        match stage:
            case "asking":
                answer(state, 9_000)
            case "paused":
                state.pause(True)
            case "stopping":
                state.pause(False)
                state.ask_stop()
                window.render_answers()
                left = find(window, "answersLeftLabel")
                qtbot.waitUntil(lambda left=left: left.isVisible(), timeout=LIMIT_MS)
            case "answered":
                state.end()
            case "searched":
                find(window, "answerSearchEdit").setText("12")
        window.predict_panel.search_now()
        window.render_answers()
        for width in WIDTHS:
            window.resize(width, 640)
            qtbot.waitUntil(lambda width=width: window.width() == width, timeout=LIMIT_MS)

            assert cut_off(window.right_card) == [], f"{stage}, {width} pixels"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_model_that_answers_is_named_whole(
    qtbot: Any, window_in: Any, find: Any, tmp_path: Path, language: str
) -> None:
    window = window_in(language)
    line = find(window, "modelLine")

    for model in (ModelLine("pets", 1_764_000_000.0), ModelLine("pets", best_epoch=12)):
        window.predict.use(tmp_path / "m.safetensors", model)
        for width in WIDTHS:
            window.resize(width, 640)
            qtbot.waitUntil(lambda width=width: window.width() == width, timeout=LIMIT_MS)

            qtbot.waitUntil(lambda: line.text() == line.accessibleName(), timeout=LIMIT_MS)


def test_of_a_model_with_a_long_name_the_time_is_still_read(window: Any, find: Any, tmp_path: Path) -> None:
    window.predict.use(tmp_path / "m.safetensors", ModelLine("a very long name of a folder of pets", 1_764_000_000.0))
    line = find(window, "modelLine")

    assert "…" in line.text()
    assert line.text().endswith(line.accessibleName().rpartition(" · ")[2])
    assert line.toolTip() == line.accessibleName()
