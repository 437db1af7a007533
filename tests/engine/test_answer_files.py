"""Answers as a table for spreadsheets, and as JSON."""

import csv
import io
import json
from pathlib import Path

import pytest

from catdog_gui.engine.answers.files import harmless, to_csv, write_csv, write_json
from catdog_gui.engine.events import Prediction


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
    assert harmless(cell).startswith("'")
    assert harmless(cell).replace("'", "") == cell


def test_a_photo_named_like_a_formula_is_only_text_in_the_csv() -> None:
    rows = rows_of(to_csv([answer("=cmd|x.jpg", label="@dogs", top="@dogs", probabilities={"@dogs": 1.0})]))

    assert rows[1][0] == "'=cmd|x.jpg"
    assert rows[1][2] == "'@dogs"


def test_a_name_with_comma_quote_and_line_end_survives_the_csv() -> None:
    name = 'a, "b"\nc.jpg'

    assert rows_of(to_csv([answer(name)]))[1][0] == name


@pytest.mark.parametrize("cell", ["\u00a0=1", "\n\n@x", "\uff1d1+1", "\v=1"])
def test_neither_can_one_behind_other_kinds_of_space_nor_a_wide_one(cell: str) -> None:
    assert harmless(cell).startswith("'")


@pytest.mark.parametrize("cell", ["a;=1+1.jpg", 'a; "=cmd', "a\t@x", "b\n+1"])
def test_a_formula_behind_a_separator_of_other_languages_is_text_too(cell: str) -> None:
    parts = [part.strip(' "') for part in harmless(cell).replace("\t", ";").replace("\n", ";").split(";")]

    assert not [part for part in parts if part.startswith(("=", "+", "-", "@"))]


def test_the_table_begins_with_the_mark_that_spreadsheets_look_for(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", [answer("/p/Größe 猫.jpg")])

    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbffile,verdict")
    assert "Größe 猫.jpg" in (tmp_path / "a.csv").read_text("utf-8-sig")


def test_json_has_every_answer_as_its_line(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", [answer(), unreadable("/p/\udcff.jpg")])

    values = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert (values["type"], values["v"]) == ("answers", 1)
    assert values["answers"][0]["probabilities"] == {"cats": 0.01, "dogs": 0.99}
    assert values["answers"][1]["path"] == "/p/\udcff.jpg"
    assert values["answers"][1]["reason"]


def test_no_answers_are_an_empty_list(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", [])

    assert json.loads((tmp_path / "a.json").read_text())["answers"] == []
