"""Which model answers, and drops that come while others are being answered."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject

from catdog_gui.engine.errors import InputError
from catdog_gui.engine.events import Prediction
from catdog_gui.session.prediction import ModelLine
from catdog_gui.ui.bridge import Background
from catdog_gui.ui.predict_model import PredictModel

LIMIT_MS = 10_000
FILE = Path("/run/model.safetensors")


def answer(path: str) -> Prediction:
    return Prediction(path, "sure", "cats", "cats", {"cats": 0.99, "dogs": 0.01}, True, 0.1)


@pytest.fixture
def model(qtbot: Any, jobs: Any, owner: QObject) -> PredictModel:
    return PredictModel(Background(owner), jobs, owner)


def wait(qtbot: Any, model: PredictModel) -> None:
    qtbot.waitUntil(lambda: not model.state.running and model._background.is_idle, timeout=LIMIT_MS)


def test_answers_come_in_the_order_of_the_drops(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    jobs.answers = [answer("a.jpg")]
    model.use(FILE, ModelLine("pets"))

    model.classify([Path("a.jpg")])
    model.classify([Path("b.jpg")])
    wait(qtbot, model)

    assert jobs.predicted == [[Path("a.jpg")], [Path("b.jpg")]]
    assert len(model.state.predictions) == 2


def test_without_a_model_it_says_so(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    model.classify([Path("a.jpg")])

    assert model.state.message is not None
    assert model.state.message.code == "no_model_yet"
    assert jobs.predicted == []


def test_a_foreign_model_is_refused_and_the_old_one_stays(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    def refuse(send: Any, should_stop: Any) -> None:
        raise InputError("not_a_model", path="x.pt")

    jobs.open_model = lambda path: refuse
    model.use(FILE, ModelLine("pets"))

    model.open_model(Path("x.pt"))
    qtbot.waitUntil(lambda: model.state.message is not None, timeout=LIMIT_MS)

    assert model.state.message is not None
    assert model.state.message.code == "not_a_model"
    assert model.file == FILE


def test_stopping_leaves_what_waits(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    def hold(send: Any, should_stop: Any) -> None:
        while not should_stop():
            pass

    jobs.predict = lambda file, sources: hold
    model.use(FILE, ModelLine("pets"))
    model.classify([Path("a.jpg")])
    model.classify([Path("b.jpg")])

    model.stop()
    assert model.state.stopping
    wait(qtbot, model)

    assert not model.state.running
