"""Answers out of the window: tables, JSON, photos into folders and back."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from catdog_gui.engine.answers import moving
from catdog_gui.engine.events import Prediction
from catdog_gui.session.prediction import ModelLine

LIMIT_MS = 10_000


@pytest.fixture
def answered(window: Any, tmp_path: Path) -> Any:
    """A window with answers for two cats and a photo that could not be read."""
    (tmp_path / "in").mkdir()
    window.predict.use(tmp_path / "run" / "model.safetensors", ModelLine("pets", classes=("cats", "dogs")))
    for name in ("a", "b", "bad"):
        path = tmp_path / "in" / f"{name}.jpg"
        path.write_bytes(name.encode())
        sure = name != "bad"
        window.predict.state.apply(
            Prediction(str(path), "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1)
            if sure
            else Prediction(str(path), "unreadable", None, None, {}, True, None, "truncated")
        )
    window.render_answers()
    return window


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`choose(path)`: what the user picks in the next dialogs."""

    def pick(path: Path | str) -> None:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(path))

    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Ok)
    return pick


def press(qtbot: Any, window: Any, words: str) -> None:
    """Choose an entry of the menu, and wait for what it does."""
    menu = QMenu()
    window.answers.exports.fill(menu)
    (action,) = [item for item in menu.actions() if item.text().startswith(words)]
    assert isinstance(action, QAction)
    action.trigger()
    qtbot.waitUntil(lambda: window.background.is_idle, timeout=LIMIT_MS)
    menu.deleteLater()


def said(window: Any) -> str:
    return str(window.predict_panel._message.text())


def test_a_table_and_json_are_written(qtbot: Any, answered: Any, choose: Any, tmp_path: Path) -> None:
    choose(tmp_path / "a.csv")
    press(qtbot, answered, "Save as CSV")
    choose(tmp_path / "a.json")
    press(qtbot, answered, "Save as JSON")

    rows = list(csv.DictReader((tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))
    assert [row["verdict"] for row in rows] == ["sure", "sure", "unreadable"]
    assert len(json.loads((tmp_path / "a.json").read_text())["answers"]) == 3


def test_a_dialog_that_is_cancelled_changes_nothing(
    qtbot: Any, answered: Any, choose: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose("")
    for words in ("Save as CSV", "Save as JSON", "Copy photos", "Move photos"):
        press(qtbot, answered, words)
    choose(tmp_path / "out")
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Cancel)
    press(qtbot, answered, "Move photos")

    assert {path.name for path in (tmp_path / "in").iterdir()} == {"a.jpg", "b.jpg", "bad.jpg"}
    assert not (tmp_path / "out").exists()


def test_moved_photos_are_found_by_their_rows_and_brought_back(
    qtbot: Any, answered: Any, choose: Any, tmp_path: Path
) -> None:
    choose(tmp_path / "out")
    press(qtbot, answered, "Move photos")

    assert "Photos moved: 2." in said(answered)
    assert {path.name for path in (tmp_path / "in").iterdir()} == {"bad.jpg"}
    assert answered.predict.state.predictions[0].path == str(tmp_path / "out" / "cats" / "a.jpg")

    press(qtbot, answered, "Undo: bring moved photos back (2)")

    assert "Photos back in their old places: 2." in said(answered)
    assert len(list((tmp_path / "in").iterdir())) == 3
    assert answered.predict.state.predictions[0].path == str(tmp_path / "in" / "a.jpg")
    assert answered.answers.exports.movable is None


def test_what_could_not_be_copied_is_named(qtbot: Any, answered: Any, choose: Any, tmp_path: Path) -> None:
    (tmp_path / "in" / "a.jpg").unlink()
    choose(tmp_path / "out")

    press(qtbot, answered, "Copy photos")

    assert "Photos copied: 1." in said(answered)
    assert "a.jpg cannot be read" in said(answered)
    assert moving.newest() is None


def test_moves_of_an_earlier_start_can_be_undone(qtbot: Any, open_window: Any, tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_bytes(b"x")
    journal = moving.MoveJournal(tmp_path)
    journal.move(tmp_path / "x.jpg", tmp_path / "y.jpg")
    journal.close()

    window = open_window()
    qtbot.waitUntil(lambda: window.answers.exports.movable is not None, timeout=LIMIT_MS)
    press(qtbot, window, "Undo: bring moved photos back (1)")

    assert (tmp_path / "x.jpg").exists()


def test_only_what_the_filters_show_is_saved(qtbot: Any, answered: Any, choose: Any, tmp_path: Path) -> None:
    from catdog_gui.session.answer_table import Filter

    answered.predict_panel.answers.select(Filter("unreadable"), "")
    choose(tmp_path / "a.csv")

    press(qtbot, answered, "Save as CSV")

    assert len((tmp_path / "a.csv").read_text().splitlines()) == 2
