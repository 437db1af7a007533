"""The answers on screen: order, progress, memory; and as CSV and text."""

import csv
import io

import numpy as np
import pytest

from catdog_gui.engine.events import Notice, Prediction, Progress, RunFailed
from catdog_gui.session.prediction import (
    SEEN_KEPT,
    ModelLine,
    PredictState,
    file_name,
    harmless,
    ranked,
    to_csv,
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


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


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


def test_csv_has_a_row_a_photo_and_a_column_a_class() -> None:
    text = to_csv([answer(), unreadable()])

    rows = rows_of(text)
    assert rows[0] == ["file", "verdict", "class", "best_guess", "p(cats)", "p(dogs)", "novelty", "reason"]
    assert rows[1][:6] == ["/p/rex.jpg", "sure", "dogs", "dogs", "0.010000", "0.990000"]
    assert rows[2][1] == "unreadable"
    assert rows[2][4:7] == ["", "", ""]
    assert rows[2][7]
    assert text.endswith("\r\n")


def test_csv_of_two_models_has_the_classes_of_both() -> None:
    other = answer("x.jpg", label="birds", top="birds", probabilities={"birds": 1.0})

    rows = rows_of(to_csv([answer(), other]))

    assert rows[0][4:7] == ["p(cats)", "p(dogs)", "p(birds)"]
    assert rows[2][4:7] == ["", "", "1.000000"]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", " =1", "\r=1", "|calc"])
def test_no_cell_can_start_a_formula(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


def test_a_photo_named_like_a_formula_is_only_text_in_the_csv() -> None:
    rows = rows_of(to_csv([answer("=cmd|x.jpg", label="@dogs", top="@dogs", probabilities={"@dogs": 1.0})]))

    assert rows[1][0] == "'=cmd|x.jpg"
    assert rows[1][2] == "'@dogs"


def test_a_name_with_comma_quote_and_line_end_survives_the_csv() -> None:
    name = 'a, "b"\nc.jpg'

    assert rows_of(to_csv([answer(name)]))[1][0] == name


def test_text_has_one_line_a_photo() -> None:
    text = to_text([answer("/p/a\nb.jpg"), answer("/p/t.png", verdict="none_of_these", label=None)])

    assert text == "a b.jpg: dogs, 99 %\nt.png: none of these"


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
