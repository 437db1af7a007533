"""The window in another language."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication, QPushButton

from catdog_gui.engine.events import Prediction, Progress
from catdog_gui.session.prediction import ModelLine
from catdog_gui.ui import text

LIMIT_MS = 10_000


@pytest.fixture
def german(qapp: QApplication, open_window: Any) -> Iterator[Any]:
    yield open_window("--lang", "de")
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


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


@pytest.mark.parametrize("running", [True, False], ids=["answering", "answered"])
def test_no_link_over_the_answers_is_cut_off_in_german(german: Any, qtbot: Any, tmp_path: Path, running: bool) -> None:
    german.resize(1024, 640)
    german.predict.use(tmp_path / "m.safetensors", ModelLine("m"))
    state = german.predict.state
    state.begin()
    state.apply(Progress("validate", 0, 9_000))
    for number in range(1_000):
        state.apply(Prediction(f"{number}.jpg", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1))
    if not running:
        state.end()
    german.render_answers()
    qtbot.waitUntil(lambda: german.width() == 1024, timeout=LIMIT_MS)
    QApplication.processEvents()

    links = [link for link in german.predict_panel.findChildren(QPushButton) if link.isVisible()]
    cut = [link.text() for link in links if link.width() < link.sizeHint().width()]
    assert len(links) >= 3
    assert cut == []
