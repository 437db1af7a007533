"""The answers on screen: order, progress, memory; and as CSV and text."""

import numpy as np
import pytest

from catdog_gui.engine.events import Notice, Prediction, Progress, RunFailed
from catdog_gui.session.prediction import (
    SEEN_KEPT,
    ModelLine,
    PredictState,
    file_name,
    gives_scores,
    ranked,
    to_text,
)


def answer(path: str = "/p/rex.jpg", **changes: object) -> Prediction:
    values: dict[str, object] = {
        "path": path,
        "verdict": "sure",
        "label": "dogs",
        "top": "dogs",
        "probabilities": {"cats": 0.01, "dogs": 0.99},
        "calibrated": True,
        "novelty": 0.1,
    }
    return Prediction(**{**values, **changes})  # type: ignore[arg-type]


def unreadable(path: str = "/p/broken.jpg") -> Prediction:
    return answer(path, verdict="unreadable", label=None, top=None, probabilities={}, novelty=None, code="truncated")


def test_answers_stay_in_the_order_they_came() -> None:
    state = PredictState()
    state.begin(3)

    for name in ("b.jpg", "a.jpg", "c.jpg"):
        state.apply(answer(name))

    assert [item.path for item in state.predictions] == ["b.jpg", "a.jpg", "c.jpg"]
    assert (state.done, state.total, state.running) == (3, 3, True)


def test_a_second_drop_adds_to_the_count() -> None:
    state = PredictState()
    state.begin(2)
    state.apply(answer())

    state.begin(3)

    assert (state.done, state.total) == (1, 5)


def test_after_the_end_a_new_drop_counts_from_zero() -> None:
    state = PredictState()
    state.begin(1)
    state.apply(answer())
    state.end()

    state.begin(4)

    assert (state.done, state.total) == (0, 4)
    assert len(state.predictions) == 1


def test_the_total_of_a_folder_is_known_once_it_was_searched() -> None:
    state = PredictState()
    state.begin()

    assert state.total == 0

    state.apply(Progress("prepare", 0, 300))

    assert state.total == 300


def test_the_photos_of_a_second_folder_are_counted_on_top() -> None:
    state = PredictState()
    state.begin()
    state.apply(Progress("validate", 0, 2))
    state.apply(answer())
    state.apply(answer())

    state.begin()
    state.apply(Progress("validate", 0, 3))

    assert (state.done, state.total) == (2, 5)


def test_stop_is_shown_at_once_and_only_while_something_runs() -> None:
    state = PredictState()
    state.ask_stop()
    assert not state.stopping

    state.begin(1)
    state.ask_stop()
    assert state.stopping

    state.end()
    assert not state.stopping


def test_a_failure_ends_the_job_and_keeps_the_answers() -> None:
    state = PredictState()
    state.begin(2)
    state.apply(answer())

    state.apply(RunFailed("unexpected", {"error": "x"}, "Traceback"))

    assert not state.running
    assert len(state.predictions) == 1
    assert state.message is not None
    assert (state.message.code, state.message.details) == ("unexpected", "Traceback")


def test_a_message_goes_with_the_next_drop() -> None:
    state = PredictState()
    state.apply(Notice("no_photos_given"))

    state.begin(1)

    assert state.message is None


def test_clear_forgets_the_answers_but_not_the_model() -> None:
    state = PredictState()
    state.use_model(ModelLine("run 3"))
    state.apply(answer())
    before = state.predictions

    state.clear()

    assert state.predictions == []
    assert state.predictions is not before
    assert state.model == ModelLine("run 3")


def test_pictures_are_kept_of_the_newest_answers_only() -> None:
    state = PredictState()
    seen = np.zeros((4, 4, 3), np.uint8)

    for number in range(SEEN_KEPT + 10):
        state.apply(answer(f"{number}.jpg", seen=seen))

    kept = [item.seen is not None for item in state.predictions]
    assert kept == [False] * 10 + [True] * SEEN_KEPT


def test_text_has_one_line_a_photo() -> None:
    text = to_text([answer("/p/a\nb.jpg"), answer("/p/t.png", verdict="none_of_these", label=None)])

    assert text == "a b.jpg: dogs, 99 %\nt.png: none of these"


def test_what_is_not_calibrated_is_a_score_and_no_percentage() -> None:
    scored = [answer("a.jpg", calibrated=False), answer("b.jpg", verdict="not_sure", label=None, calibrated=False)]

    assert to_text(scored) == "a.jpg: dogs, score 0.99\nb.jpg: not sure: dogs score 0.99, cats score 0.01"
    assert gives_scores([answer("c.jpg", verdict="unreadable", label=None, calibrated=True), *scored])
    assert not gives_scores([answer("d.jpg")])
    assert not gives_scores([])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/b.jpg", "b.jpg"),
        (r"C:\photos\b.jpg", "b.jpg"),
        ("b.jpg", "b.jpg"),
        ("/a/naïve\u2028猫.jpg", "naïve 猫.jpg"),
    ],
)
def test_a_file_is_named_by_its_last_part_on_one_line(path: str, name: str) -> None:
    assert file_name(path) == name


def test_classes_are_ranked_by_probability() -> None:
    assert ranked(answer(probabilities={"a": 0.2, "b": 0.5, "c": 0.3})) == [("b", 0.5), ("c", 0.3), ("a", 0.2)]


def test_a_photo_that_is_waited_for_is_named_until_it_comes() -> None:
    state = PredictState()
    state.begin(1)
    state.apply(Notice("photo_waits", {"path": "/drive/a.jpg"}))
    assert state.message is not None
    assert state.message.fields == {"path": "/drive/a.jpg"}

    state.apply(answer())

    assert state.message is None


def test_a_share_in_words_rounds_halves_up() -> None:
    assert to_text([answer(probabilities={"cats": 0.075, "dogs": 0.925})]) == "rex.jpg: dogs, 93 %"
