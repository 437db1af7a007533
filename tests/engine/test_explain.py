"""Why an answer is what it is: heat maps that add up to the score, and the nearest known photos."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.models.model_file import Model, read_model
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.photos.images import Recipe
from catdog_gui.engine.runs import photos as run_photos
from catdog_gui.engine.samples import SampleSet
from catdog_gui.engine.trust.explain import Explainer
from catdog_gui.engine.trust.heat_map import contrast, enlarge, make_heat_mapper, overlay


@pytest.fixture
def predictor(drawn_run: Path) -> Iterator[Predictor]:
    found = load_model(drawn_run, device="cpu")
    yield found
    found.close()


@pytest.fixture
def explainer(predictor: Predictor, drawn_run: Path) -> Iterator[Explainer]:
    found = Explainer(predictor, drawn_run)
    yield found
    found.close()


def test_the_evidence_of_all_places_adds_up_to_the_difference_of_the_scores(
    explainer: Explainer, predictor: Predictor, drawn_samples: SampleSet
) -> None:
    found = explainer.explain(drawn_samples.held_out[0])

    assert found.square is not None
    assert found.cells is not None
    features = predictor.features([found.square])[0]
    weight = predictor.model.tensors["head.weight"]
    target = predictor.classes.index(str(found.target))
    assert found.cells.shape == (7, 7)
    assert found.cells.sum() == pytest.approx(features @ contrast(weight, target), rel=0.03, abs=0.05)  # bf16


def test_the_explained_answer_is_the_given_answer(
    explainer: Explainer, predictor: Predictor, drawn_samples: SampleSet
) -> None:
    photo = drawn_samples.held_out[0]

    explained, answered = explainer.explain(photo).prediction, predictor.predict(photo)

    assert replace(explained, seen=None) == replace(answered, seen=None)


def test_a_photo_it_learned_from_is_the_nearest_to_itself(
    explainer: Explainer, drawn_run: Path, drawn_samples: SampleSet
) -> None:
    lines = [json.loads(line) for line in (drawn_run / "photos.jsonl").read_text().splitlines()[1:]]
    learned = next(line for line in lines if line["side"] == "train")

    found = explainer.explain(drawn_samples.dataset / learned["path"])

    assert found.missing is None
    assert len(found.neighbours) == 5
    assert found.neighbours[0].path == drawn_samples.dataset / learned["path"]
    assert found.neighbours[0].label == learned["label"]
    assert found.neighbours[0].similarity == pytest.approx(1, abs=5e-3)
    assert all(item.found and item.side == "train" for item in found.neighbours)
    similar = [item.similarity for item in found.neighbours]
    assert similar == sorted(similar, reverse=True)


def test_an_unreadable_photo_has_no_heat_map(explainer: Explainer, tmp_path: Path) -> None:
    (tmp_path / "page.jpg").write_text("<html></html>")

    found = explainer.explain(tmp_path / "page.jpg")

    assert found.prediction.verdict == "unreadable"
    assert (found.square, found.heat, found.neighbours) == (None, None, ())


def test_without_the_run_the_neighbours_are_classes_without_photos(
    predictor: Predictor, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "home"))
    shutil.copy(drawn_run / "model.safetensors", tmp_path / "m.safetensors")
    explainer = Explainer(predictor, tmp_path / "m.safetensors")

    found = explainer.explain(drawn_samples.held_out[0])

    assert found.missing == "run_of_model_gone"
    assert {item.label for item in found.neighbours} <= {"cats", "dogs"}
    assert all(item.path is None and not item.found for item in found.neighbours)


def test_a_model_saved_elsewhere_finds_its_run_in_the_home(
    drawn_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "home"))
    shutil.copytree(drawn_run, tmp_path / "home" / "runs" / "run-0007")
    shutil.copy(drawn_run / "model.safetensors", tmp_path / "m.safetensors")
    started = read_model(drawn_run).trained["started"]

    assert run_photos.run_of(tmp_path / "m.safetensors", started) == tmp_path / "home" / "runs" / "run-0007"
    assert run_photos.run_of(tmp_path / "m.safetensors", started + 1) is None


def test_photos_that_are_gone_are_named_and_told_to_be_gone(
    predictor: Predictor, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    run = shutil.copytree(drawn_run, tmp_path / "run")
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(
        json.dumps(config | {"facts": config["facts"] | {"root": str(tmp_path / "nowhere")}})
    )

    found = Explainer(predictor, run).explain(drawn_samples.held_out[0])

    assert found.missing == "photos_moved"
    assert all(item.path is not None and not item.found and item.label for item in found.neighbours)


def test_a_run_with_a_relative_folder_finds_its_photos_from_anywhere(
    drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    run = shutil.copytree(drawn_run, tmp_path / "run")
    config = json.loads((run / "config.json").read_text())
    (run / "config.json").write_text(json.dumps(config | {"data": "set/dataset"}))

    assert run_photos.photo_root(run) == drawn_samples.dataset


def test_a_model_of_an_older_version_says_that_it_does_not_know_its_photos(
    drawn_run: Path, drawn_samples: SampleSet
) -> None:
    model = read_model(drawn_run)
    kept = {name: value for name, value in model.tensors.items() if name not in ("novelty.photos", "novelty.labels")}
    predictor = Predictor(replace(model, tensors=kept), device="cpu")

    found = Explainer(predictor, drawn_run).explain(drawn_samples.held_out[0])
    predictor.close()

    assert found.missing == "model_without_photos"
    assert found.neighbours == ()
    assert found.heat is not None


@pytest.mark.parametrize("name", ["efficientnet_lite0", "resnet18", "mobilenet_v3_small", "small_cnn"])
def test_every_kind_of_network_has_a_map_and_over_a_mean_it_adds_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr("catdog_gui.engine.networks.features.has_openvino", lambda: False)
    torch.manual_seed(0)
    network = networks.build(name, 3, image_size=64).eval()
    state = {k: v.numpy() for k, v in network.state_dict().items() if not k.endswith("num_batches_tracked")}
    model = Model(network=name, classes=("a", "b", "c"), recipe=Recipe(64, "crop"), tensors=state)
    square = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    mapper = make_heat_mapper(model, "cpu", "fp32")

    cells = mapper.evidence(square, 1)

    mapper.close()
    assert cells.ndim == 2
    assert np.isfinite(cells).all()
    assert np.abs(cells).max() > 0
    if name in ("efficientnet_lite0", "resnet18"):
        with torch.no_grad():
            features = network.features(torch.from_numpy(square[None]))[0].numpy()
        assert cells.sum() == pytest.approx(features @ contrast(state["head.weight"], 1), rel=1e-3, abs=1e-5)


def test_an_enlarged_map_has_its_strongest_place_at_one() -> None:
    heat = enlarge(np.array([[0, 2], [0, -4]], np.float32), 64)

    assert heat.shape == (64, 64)
    assert heat.min() == pytest.approx(-1, abs=0.02)
    assert heat[0, 63] == pytest.approx(0.5, abs=0.02)
    assert (enlarge(np.zeros((3, 3), np.float32), 8) == 0).all()
    assert np.isfinite(enlarge(np.array([[np.nan, 1.0]]), 8)).all()


def test_an_overlay_is_orange_where_it_speaks_for_the_class_and_blue_where_against() -> None:
    square = np.full((8, 8, 3), 128, np.uint8)
    heat = np.zeros((8, 8), np.float32)
    heat[0], heat[7] = 1, -1

    shown = overlay(square, heat).astype(int)

    assert shown[0, 0, 0] > shown[0, 0, 2] + 60
    assert shown[7, 0, 2] > shown[7, 0, 0] + 60
    assert Image.fromarray(overlay(square, heat)).size == (8, 8)
    assert (shown[4] == 128).all()
