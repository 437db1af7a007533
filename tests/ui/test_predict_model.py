"""Which model answers, and drops that come while others are being answered."""

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject

from catdog_gui.engine.errors import InputError
from catdog_gui.engine.events import Prediction, Progress
from catdog_gui.session.prediction import JobOffer, ModelLine
from catdog_gui.ui import predict_model
from catdog_gui.ui.bridge import Background
from catdog_gui.ui.job_values import Noted, OpenedModel
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
    assert model.state.waiting == 1
    wait(qtbot, model)
    assert model.state.waiting == 0

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


def test_answers_that_come_together_are_shown_together(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    jobs.answers = [answer(f"{number}.jpg") for number in range(1000)]
    model.use(FILE, ModelLine("pets"))
    shown: list[int] = []
    model.changed.connect(lambda: shown.append(len(model.state.predictions)))

    model.classify([Path("photos")])
    wait(qtbot, model)

    qtbot.waitUntil(lambda: shown[-1] == 1000, timeout=LIMIT_MS)
    assert len(shown) < 50


def test_the_model_is_loaded_before_the_first_photo(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    after: list[int] = []
    model.use(FILE, ModelLine("pets"))
    assert jobs.loaded == []  # not while the window opens

    model.load_ahead(then=lambda: after.append(len(jobs.loaded)))
    wait(qtbot, model)
    model.use(Path("/other/model.safetensors"), ModelLine("other"))
    wait(qtbot, model)

    assert jobs.loaded == [FILE, Path("/other/model.safetensors")]
    assert after == [1]


def test_the_best_so_far_of_a_run_is_not_loaded_ahead(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    model.load_ahead()

    model.use(FILE, ModelLine("pets", best_epoch=2))
    wait(qtbot, model)

    assert jobs.loaded == []


def test_a_model_that_cannot_be_loaded_ahead_is_only_named_when_it_is_asked(
    qtbot: Any, model: PredictModel, jobs: Any
) -> None:
    def refuse(send: Any, should_stop: Any) -> None:
        raise InputError("model_damaged", path="x", reason="cut")

    jobs.load = lambda path: refuse
    after: list[bool] = []
    model.use(FILE, ModelLine("pets"))

    model.load_ahead(then=lambda: after.append(True))
    qtbot.waitUntil(lambda: after == [True], timeout=LIMIT_MS)

    assert model.state.message is None


def test_a_paused_job_holds_up_and_goes_on(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    jobs.answers = [answer(f"{number}.jpg") for number in range(3)]
    began = threading.Event()

    def job(send: Any, should_stop: Any) -> None:
        began.wait(10)
        for item in jobs.answers:
            send(item)

    jobs.predict = lambda file, sources: job
    model.use(FILE, ModelLine("pets"))
    model.classify([Path("a")])
    model.pause()
    began.set()
    qtbot.waitUntil(lambda: len(model.state.predictions) == 1, timeout=LIMIT_MS)
    assert model.state.paused

    model.resume()
    wait(qtbot, model)

    assert len(model.state.predictions) == 3
    assert not model.state.paused


def test_a_paused_job_can_be_stopped(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    jobs.answers = [answer("a.jpg"), answer("b.jpg")]
    model.use(FILE, ModelLine("pets"))
    model.classify([Path("a")])
    model.pause()

    model.stop()
    wait(qtbot, model)

    assert not model.state.running
    model.classify([Path("c")])
    wait(qtbot, model)
    assert jobs.predicted[-1] == [Path("c")]


def test_a_stopped_long_job_is_offered_and_goes_on(qtbot: Any, model: PredictModel, jobs: Any, tmp_path: Path) -> None:
    def begun(send: Any, should_stop: Any) -> None:
        send(Noted(tmp_path))
        send(Progress("validate", 0, 3))
        send(answer("a.jpg"))

    def rest(send: Any, should_stop: Any) -> None:
        for name in ("a.jpg", "b.jpg", "c.jpg"):
            send(answer(name))

    jobs.predict, jobs.go_on = (lambda file, sources: begun), (lambda job: rest)
    model.use(FILE, ModelLine("pets"))
    model.classify([Path("a")])
    wait(qtbot, model)
    assert model.state.offer is not None
    assert (model.state.offer.answered, model.state.offer.total) == (1, 3)

    model.go_on()
    wait(qtbot, model)

    assert [item.path for item in model.state.predictions] == ["a.jpg", "b.jpg", "c.jpg"]
    assert model.state.offer is None


def test_the_same_photos_are_asked_of_the_new_model(qtbot: Any, model: PredictModel, jobs: Any) -> None:
    jobs.answers = [answer("a.jpg")]
    model.use(FILE, ModelLine("pets"))
    model.classify([Path("a.jpg")])
    model.classify([Path("holiday")])
    wait(qtbot, model)
    model.use(FILE.with_name("other.safetensors"), ModelLine("more pets"))
    assert model.state.message is not None
    assert model.state.message.code == "answers_of_before"

    model.ask_again()
    wait(qtbot, model)

    assert jobs.predicted == [[Path("a.jpg")], [Path("holiday")], [Path("a.jpg"), Path("holiday")]]
    assert model.answered_by == FILE.with_name("other.safetensors")
    assert len(model.state.predictions) == 1
    assert model.state.message is None


def test_answers_of_an_earlier_start_can_only_be_dropped_again(
    qtbot: Any, model: PredictModel, jobs: Any, tmp_path: Path
) -> None:
    model.use(FILE, ModelLine("pets"))
    model.state.offer = JobOffer(tmp_path, "holiday", 1, 1, is_done=True, when=0.0)
    jobs.go_on = lambda _path: (
        lambda send, _should_stop: (
            send(OpenedModel(FILE, ModelLine("pets"))),
            send(answer("a.jpg")),
        )
    )
    model.go_on()
    wait(qtbot, model)

    model.use(FILE.with_name("other.safetensors"), ModelLine("more pets"))

    assert model.state.message is not None
    assert model.state.message.code == "answers_of_before_drop"


def test_the_time_left_of_a_job_that_goes_on_does_not_count_the_answers_of_before(
    qtbot: Any, model: PredictModel, jobs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, parts, over = [0.0], [threading.Event(), threading.Event()], threading.Event()
    monkeypatch.setattr(predict_model, "time", SimpleNamespace(monotonic=lambda: clock[0], time=time.time))

    def job(send: Any, should_stop: Any) -> None:
        send(Progress("validate", 0, 100))
        for number in range(80):
            send(answer(f"{number}.jpg"))
        send(OpenedModel(FILE, ModelLine("pets")))
        for first, part in zip((80, 85), parts, strict=True):
            part.wait(LIMIT_MS / 1000)
            for number in range(first, first + 5):
                send(answer(f"{number}.jpg"))
        over.wait(LIMIT_MS / 1000)

    def answered(count: int) -> None:
        qtbot.waitUntil(lambda: len(model.state.predictions) == count, timeout=LIMIT_MS)

    jobs.go_on = lambda path: job
    model.state.offer = JobOffer(Path("job"), "pets", 80, 100, is_done=False, when=0.0)
    model.go_on()
    answered(80)
    clock[0] = 2.0
    parts[0].set()
    answered(85)
    clock[0] = 12.0
    parts[1].set()
    answered(90)
    left = model.state.seconds_left
    over.set()
    wait(qtbot, model)

    assert left == pytest.approx(11, abs=2)  # a second for each photo, ten are left
