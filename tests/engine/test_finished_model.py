"""What a finished run leaves in the model file: the weights of its best epoch, and the photos to remember."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catdog_gui.engine.answers.predict import Predictor
from catdog_gui.engine.config import preset
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.figures import Validation
from catdog_gui.engine.learning.network_learner import NetworkLearner
from catdog_gui.engine.models import verdicts
from catdog_gui.engine.models.model_file import Model, read_model
from catdog_gui.engine.runs.photos import checked_photos, photos_at
from catdog_gui.engine.training.run import fit


@pytest.fixture
def data(tmp_path: Path, make_dataset: Callable[..., Path]) -> Path:
    return make_dataset(tmp_path / "photos", {"cats": 30, "dogs": 30})


def learned(data: Path, run: Path, **changes: Any) -> Model:
    settings = {"image_size": 32, "device": "cpu", "val_fraction": 0.5, "epochs": 2, "batch_size": 10, **changes}
    fit(dataclasses.replace(preset("article"), data=data, run=run, **settings))
    return read_model(run / "model.safetensors")


def remembered(model: Model, run: Path) -> tuple[set[str], list[Path]]:
    """The sides of the split that the remembered photos are on, and the photos."""
    found = photos_at(run, model.photos.tolist())
    photos = [found[number] for number in model.photos.tolist()]
    return {photo.side for photo in photos}, [photo.path for photo in photos]


def test_the_training_photos_are_looked_at_again_once_the_network_stands_still(data: Path, tmp_path: Path) -> None:
    model = learned(data, tmp_path / "run", precision="fp32")

    sides, paths = remembered(model, tmp_path / "run")

    assert sides == {"train"}
    assert len(paths) == 30
    predictor = Predictor(model, device="cpu")
    seen = predictor.features([predictor.see(path)[0] for path in paths])
    predictor.close()
    cosines = (verdicts.unit(seen) * model.vectors.astype(np.float32)).sum(axis=1)
    assert cosines == pytest.approx(np.ones(30), abs=1e-3)


def gone(_learner: NetworkLearner, _photos: Any) -> Any:
    return None


def full(_learner: NetworkLearner, _photos: Any) -> Any:
    raise MemoryError


def stopped(_learner: NetworkLearner, _photos: Any) -> Any:
    raise Stopped


@pytest.mark.parametrize("look", [gone, full, stopped])
def test_where_they_cannot_be_the_checked_photos_are_remembered(
    look: Callable[..., Any], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NetworkLearner, "features", look)

    model = learned(data, tmp_path / "run", epochs=1)

    assert remembered(model, tmp_path / "run")[0] == {"val"}
    assert len(model.vectors) == 30


@pytest.mark.parametrize(("name", "rate"), [("article", 0.003), ("best", 0.01), ("balanced", 0.01), ("fast", 0.0005)])
def test_the_model_file_answers_the_checked_photos_as_its_figures_say(
    name: str, rate: float, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was learned after the best check: here the first one is, and all later ones only change the weights."""
    checks: list[Validation] = []
    make = Validation.__init__

    def noted(check: Validation, *values: Any, **named: Any) -> None:
        make(check, *values, **named)
        checks.append(check)

    def place(check: Validation) -> int:
        return next(number for number, known in enumerate(checks) if known is check)

    monkeypatch.setattr(Validation, "__init__", noted)
    monkeypatch.setattr(Validation, "calibrated_loss", property(place))
    run = tmp_path / "run"
    settings = {"image_size": 64, "val_fraction": 0.5, "epochs": 3, "batch_size": 10, "learning_rate": rate}
    config = dataclasses.replace(preset(name), data=data, run=run, device="cpu", precision="fp32", **settings)

    fit(config)

    assert abs(checks[-1].loss - checks[0].loss) > 0.02  # the weights of the end would answer otherwise
    model = read_model(run / "model.safetensors")
    photos = list(checked_photos(run))
    predictor = Predictor(model, device="cpu")
    answers = list(predictor.predict_many([photo.path for photo in photos]))
    predictor.close()
    loss = [-np.log(answer.probabilities[photo.label]) for photo, answer in zip(photos, answers, strict=True)]
    assert np.mean(loss) == pytest.approx(model.validation["log_loss"], abs=2e-3)
