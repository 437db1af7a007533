"""The window in another language."""

from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.runs.listing import Changes
from catdog_gui.ui import text

LIMIT_MS = 10_000


@pytest.fixture
def german(window_in: Any) -> Any:
    return window_in("de")


def test_the_window_speaks_german(german: Any, find: Any) -> None:
    assert find(german, "trainButton").text() == "Trainieren"
    assert [action.text() for action in german.header.menus.actions()][:2] == ["&Datei", "&Bearbeiten"]
    assert find(german, "chooseTile").accessibleName() == "Ordner wählen"
    assert find(german, "setting_epochs").toolTip() == "Durchgänge durch die Lernfotos."


def test_messages_of_the_engine_and_numbers_are_german(qtbot: Any, german: Any, find: Any, tmp_path: Path) -> None:
    german.wishes.choose_folder(tmp_path / "fort")

    qtbot.waitUntil(lambda: find(german, "dataProblem").text().startswith("Es gibt keinen Ordner „"), timeout=LIMIT_MS)
    assert text.number(1000) == "1.000"
    assert text.percent(0.983, 1) == "98,3 %"
    assert text.duration(125.0) == "2:05 min"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("code", ["photos_changed", "photos_kept", "classes_changed"])
def test_how_the_photos_changed_is_said_in_german(code: str) -> None:
    changes = Changes(new=["a", "b"], gone=["c"], renamed=[("d", "e")], moved=["f"], other=["g"])

    assert "2 neu, 1 fehlt, 1 umbenannt, 1 in einer anderen Klasse, 1 verändert" in text.say(code, changes.fields())
