"""Events and their JSON lines."""

import dataclasses
import json
import math
import typing
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catdog_gui.engine import events
from catdog_gui.engine.events import EVENTS, Event, from_dict, from_line, to_dict, to_line

RESULT = to_line(
    events.RunResult("completed", "r", None, ["a"], {}, {"accuracy": 0.5}, 1, "cpu", "fp32", {"total": 2.0})
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
FIELD_VALUES = st.one_of(TEXT, st.integers(-(2**53), 2**53), NUMBERS, st.booleans(), st.none())


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that the annotation allows and JSON can say."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is list:
        return st.lists(values_of(inner[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(TEXT, values_of(inner[1]), max_size=3)
    if inner:
        return st.one_of(*map(values_of, inner))
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXT,
        int: st.integers(-(2**53), 2**53),
        float: NUMBERS,
        bool: st.booleans(),
        type(None): st.none(),
    }
    return plain[hint]


def instances(cls: type[Event]) -> st.SearchStrategy[Event]:
    hints = typing.get_type_hints(cls)
    said = [item.name for item in dataclasses.fields(cls) if item.metadata.get("line", True)]
    return st.builds(cls, **{name: values_of(hints[name]) for name in said})


@pytest.mark.parametrize("cls", EVENTS.values(), ids=EVENTS.keys())
def test_every_event_survives_its_line(cls: type[Event]) -> None:
    @settings(max_examples=40, deadline=None)
    @given(instances(cls))
    def check(event: Event) -> None:
        line = to_line(event, time=1.5)
        assert "\n" not in line
        assert "\r" not in line
        assert from_line(line) == event
        assert from_dict(to_dict(event)) == event

    check()


def test_every_line_says_version_and_type() -> None:
    assert json.loads(to_line(events.PhaseStarted("train"))) == {"v": 1, "type": "phase", "phase": "train"}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_becomes_null_however_deep_it_lies(bad: float) -> None:
    step = events.StepDone(1, 1, bad, 1e-3, bad, None, None)
    result = events.RunResult("completed", "/r", None, ["a"], {}, {"accuracy": bad}, 1, "cpu", "fp32", {"total": 1.0})
    notice = events.Notice("batch_halved", {"part": bad, "batch_size": 4})

    assert json.loads(to_line(step))["loss"] is None
    assert json.loads(to_line(result))["val"] == {"accuracy": None}
    assert json.loads(to_line(notice))["fields"] == {"part": None, "batch_size": 4}
    again = from_line(to_line(step))
    assert isinstance(again, events.StepDone)
    assert again.loss is None


def test_coded_events_carry_their_sentence_beside_code_and_fields() -> None:
    skipped = to_dict(events.PhotoSkipped("cats/x.jpg", "truncated"))

    assert skipped["code"] == "truncated"
    assert skipped["message"] == skipped["reason"]
    assert len(skipped["message"]) > 10
    assert to_dict(events.DataWarning("few_photos", {}))["message"]
    assert to_dict(events.RunFailed("stopped_by_user"))["message"] == "Stopped."


def test_a_prediction_says_why_a_photo_is_unreadable_and_null_otherwise() -> None:
    good = events.Prediction("a.jpg", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1)
    bad = events.Prediction("b.jpg", "unreadable", None, None, {}, True, None, code="truncated")

    assert to_dict(good)["reason"] is None
    assert to_dict(bad)["reason"] == to_dict(events.PhotoSkipped("b.jpg", "truncated"))["reason"]


def test_pictures_and_tracebacks_stay_out_of_the_lines() -> None:
    failed = to_dict(events.RunFailed("unexpected", {"reason": "x"}, details="Traceback"))
    shown = to_dict(events.Prediction("a", "sure", "c", "c", {}, True, 0.1, seen=object(), box=(0, 0, 1, 1)))

    assert "details" not in failed
    assert not {"seen", "box"} & set(shown)


def test_keys_of_a_newer_program_are_passed_over() -> None:
    line = json.dumps({"v": 2, "type": "phase", "phase": "save", "weather": "fine", "details": 3})

    assert from_line(line) == events.PhaseStarted("save")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\x00\x00\x00",
        "null",
        "[]",
        "3",
        '{"type":"phase"',
        '{"v":1}',
        '{"type":"phase"}',
        '{"type":"applause","phase":"scan"}',
        '{"type":null}',
        '{"type":["phase"],"phase":"scan"}',
        '{"type":"phase","phase":"lunch"}',
        '{"type":"phase","phase":["scan"]}',
        '{"type":"progress","phase":"scan","done":"3","total":5}',
        '{"type":"progress","phase":"scan","done":true,"total":5}',
        '{"type":"epoch","epoch":1,"epochs":2,"train_loss":"low","train_accuracy":1,"val_loss":1,"val_accuracy":1}',
        '{"type":"notice","code":"x","fields":null}',
        '{"type":"notice","code":"x","fields":{"a":[1]}}',
        RESULT.replace("0.5", '"good"'),
        RESULT.replace('["a"]', "[1]"),
        RESULT.replace("0.5", "1" + "0" * 400),
        '{"type":"step","step":1,"epoch":1,"loss":1'
        + "0" * 400
        + ',"lr":1,"photos_per_s":3,"data_ms":0,"compute_ms":1}',
        "[" * 100_000,
    ],
    ids=lambda line: line[:40],
)
def test_a_damaged_or_unknown_line_is_no_event(line: str) -> None:
    assert from_line(line) is None


def test_the_line_that_is_damaged_above_is_an_event() -> None:
    assert isinstance(from_line(RESULT), events.RunResult)


def test_any_cut_of_a_line_is_no_event() -> None:
    line = to_line(events.EpochDone(1, 10, 0.5, 0.75, 0.25, 0.875, step=7, best=True))

    assert from_line(line) is not None
    assert all(from_line(line[:length]) is None for length in range(len(line)))


def test_whole_numbers_do_for_fractions() -> None:
    line = '{"type":"step","step":1,"epoch":1,"loss":1,"lr":1,"photos_per_s":3,"data_ms":0,"compute_ms":1}'

    assert from_line(line) == events.StepDone(1, 1, 1.0, 1.0, 3.0, 0.0, 1.0)


def test_a_file_name_that_is_not_valid_unicode_can_be_said() -> None:
    name = b"cats/\xff.jpg".decode("utf-8", "surrogateescape")

    line = to_line(events.PhotoSkipped(name, "truncated")).encode("utf-8", "backslashreplace")

    again = from_line(line.decode())
    assert isinstance(again, events.PhotoSkipped)
    assert again.path == name


def test_a_message_whose_fields_are_null_is_still_a_sentence() -> None:
    message = to_dict(events.RunFailed("disk_full", {"path": "x", "needed_mb": math.nan, "free_mb": None}))["message"]

    assert "The disk is full" in message
