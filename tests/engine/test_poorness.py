"""Photos that look poor: which copies teach that, what is found in them, and what it does to a verdict."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.config import preset
from catdog_gui.engine.export.job import export_model
from catdog_gui.engine.models import poorness, verdicts
from catdog_gui.engine.models.carefulness import figures_of, settings
from catdog_gui.engine.models.limits import Limits, is_held_back, verdict
from catdog_gui.engine.models.model_file import Model, read_model, save_model
from catdog_gui.engine.photos.images import Recipe
from catdog_gui.engine.training import poor_copies
from catdog_gui.engine.training.run import fit

RNG = np.random.default_rng(0)
CONTENTS = {number: RNG.bytes(16) for number in range(3000)}


def some(count: int) -> dict[int, bytes]:
    return {number: CONTENTS[number] for number in range(count)}


# --- which copies ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [20, 32, 100, 160, 400, 3000])
def test_about_160_copies_are_made_of_any_number_of_photos_in_all_ways(count: int) -> None:
    pairs = list(poorness.chosen(some(count)))

    assert 110 <= len(pairs) <= 330
    assert len(set(pairs)) == len(pairs)
    assert {way for _, way in pairs} == set(range(len(poorness.WAYS)))


def test_a_few_more_photos_leave_nearly_all_copies_as_they_were() -> None:
    before, after = set(poorness.chosen(some(2000))), set(poorness.chosen(some(2020)))

    assert len(before - after) <= 0.05 * len(before)


def test_of_no_photos_no_copies_are_made() -> None:
    assert list(poorness.chosen({})) == []


# --- what is found in them -------------------------------------------------------------------------------------------


def pairs_of_rows(count: int = 100, features: int = 60, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and the same with a shift along one axis among much larger differences."""
    rng = np.random.default_rng(seed)
    clean = rng.normal(size=(count, features)) * np.linspace(3, 0.2, features)
    poor = clean + rng.normal(size=(count, features)) * 0.1
    poor[:, 7] += 2.0
    return clean.astype(np.float16), poor.astype(np.float16)


def test_photos_made_poor_in_the_same_way_are_told_from_others_by_the_direction() -> None:
    found = poorness.direction(*pairs_of_rows())
    assert found is not None
    clean, poor = pairs_of_rows(400, seed=2)
    measure = poorness.scaled(found, clean)
    assert measure is not None

    assert np.median(measure(clean)) == pytest.approx(0, abs=1e-3)
    assert (measure(clean) > 1).mean() == pytest.approx(0.01, abs=0.006)
    assert np.median(measure(poor)) > 0.3
    assert (measure(poor) > measure(clean)).mean() > 0.95


def test_a_photos_poorness_is_the_same_alone_and_among_others_and_at_any_length() -> None:
    clean, poor = pairs_of_rows()
    measure = poorness.scaled(poorness.direction(clean, poor), clean)  # type: ignore[arg-type]
    assert measure is not None

    assert [float(measure(row[None])[0]) for row in poor] == measure(poor).tolist()
    assert measure(poor * np.float32(0.5)) == pytest.approx(measure(poor), abs=1e-3)


@pytest.mark.parametrize(
    "change",
    [lambda a: a[: poorness.FEWEST - 1], np.zeros_like, lambda a: np.full_like(a, np.nan)],
    ids=["few", "zeros", "nan"],
)
def test_where_there_is_nothing_to_learn_from_there_is_no_direction(change: Callable[[Any], Any]) -> None:
    clean, poor = pairs_of_rows()

    assert poorness.direction(change(clean), change(poor)) is None


def test_checked_photos_that_are_all_alike_give_no_scale() -> None:
    found = poorness.direction(*pairs_of_rows())
    assert found is not None

    assert poorness.scaled(found, np.ones((50, 60), np.float16)) is None


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_the_poorer_a_photo_looks_the_surer_the_network_must_be() -> None:
    limits = Limits(sure=0.8, novelty=0.5, slope=10.0, poor=2.75)

    needed = [limits.least_sure(0.4, poor) for poor in (-3.0, 0.0, 0.5, 1.0, 2.0)]

    assert needed == sorted(needed)
    assert needed[0] == needed[1] == Limits(0.8, 0.5, 10.0).least_sure(0.4)
    assert needed[3] > 0.95
    assert [verdict(0.9, 0.4, limits, poor) for poor in (0.0, 1.0)] == ["sure", "not_sure"]
    assert verdict(0.9, 0.6, limits, 0.0) == verdict(0.9, 0.6, limits, 5.0) == "none_of_these"


@pytest.mark.parametrize(
    ("share", "distance", "poor", "held_back"),
    [(0.9, 0.4, 1.0, True), (0.9, 0.4, 0.0, False), (0.6, 0.4, 1.0, False), (0.9, 0.6, 1.0, False)],
    ids=["poor", "well", "doubtful anyway", "novel"],
)
def test_poorness_is_the_reason_only_where_nothing_else_is(
    share: float, distance: float, poor: float, held_back: bool
) -> None:
    assert is_held_back(share, distance, Limits(0.8, 0.5, 10.0, 2.75), poor) is held_back


def test_the_rule_keeps_93_of_100_checked_photos_sure_and_poor_ones_not() -> None:
    rng = np.random.default_rng(1)
    sure, distances = 1 - rng.uniform(0, 0.2, 400) ** 3, rng.uniform(0.2, 0.6, 400)
    poor = rng.normal(0, 0.43, 400).astype(np.float32)
    limits = verdicts.fit_limits(np.stack([sure, 1 - sure], axis=1), np.zeros(400, int), distances, poor)

    def share_sure(more: float) -> float:
        said = [verdict(p, d, limits, z + more) for p, d, z in zip(sure, distances, poor, strict=True)]
        return said.count("sure") / 400

    assert 0.93 <= share_sure(0.0) <= 0.95
    assert share_sure(2.0) < 0.5 * share_sure(0.0)


# --- files and runs --------------------------------------------------------------------------------------------------


def small_model(**tensors: np.ndarray) -> Model:
    head = {"head.weight": np.ones((2, 5), np.float32), "head.bias": np.zeros(2, np.float32)}
    return Model("resnet18", ("a", "b"), Recipe(96, "crop"), {**head, **tensors}, Limits(0.9, 0.5, 10.0, 2.75))


def test_so_it_does_where_many_look_poor_and_few_are_very_probable() -> None:
    rng = np.random.default_rng(3)
    probable = 1 - 0.28 * rng.random(1000) ** 2
    poor = np.abs(rng.normal(0, 0.5, 1000)).astype(np.float32)
    shares, labels = np.stack([probable, 1 - probable], axis=1), np.zeros(1000, int)
    distances = rng.uniform(0.2, 0.6, 1000)

    limits = verdicts.fit_limits(shares, labels, distances, poor)

    said = [verdict(p, d, limits, z) for p, d, z in zip(probable, distances, poor, strict=True)]
    assert 0.93 <= said.count("sure") / 1000 <= 0.95
    assert min(limits.least_sure(distance) for distance in distances) == pytest.approx(0.70)


def test_a_model_file_keeps_it(tmp_path: Path) -> None:
    measure = poorness.Poorness(np.arange(5, dtype=np.float32), -0.25)
    save_model(small_model(**measure.to_tensors()), tmp_path / "m")

    read = read_model(tmp_path / "m")
    again = poorness.poorness_of(read.tensors)

    assert read.limits.poor == 2.75
    assert again is not None
    assert again.weight.tolist() == [0, 1, 2, 3, 4]
    assert again.bias == -0.25
    assert poorness.poorness_of(small_model().tensors) is None


@pytest.mark.parametrize(
    "tensors",
    [
        {"poor.weight": np.zeros(4, np.float32), "poor.bias": np.zeros(1, np.float32)},
        {"poor.weight": np.zeros(5, np.float32), "poor.bias": np.zeros(2, np.float32)},
        {"poor.weight": np.zeros(5, np.float32)},
        {"poor.bias": np.zeros(1, np.float32)},
        {"check.poorness": np.zeros(3, np.float32)},
    ],
    ids=["features", "bias", "no bias", "no weight", "no checks"],
)
def test_a_file_whose_parts_do_not_fit_is_refused(tmp_path: Path, tensors: dict[str, np.ndarray]) -> None:
    save_model(small_model(**tensors), tmp_path / "m")

    with pytest.raises(Exception, match="damaged"):
        read_model(tmp_path / "m")


@pytest.fixture
def hundred(tmp_path: Path, make_dataset: Callable[..., Path]) -> Path:
    return make_dataset(tmp_path / "photos", {"cats": 50, "dogs": 50})


def run(data: Path, target: Path, name: str = "fast", **changes: Any) -> Model:
    config = dataclasses.replace(preset(name), data=data, run=target, image_size=64, device="cpu", val_fraction=0.5)
    result = fit(dataclasses.replace(config, **changes), lambda _event: None)
    assert result.model is not None
    return read_model(Path(result.model))


def test_a_run_learns_what_poor_photos_look_like_and_the_next_one_knows_it(
    hundred: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = run(hundred, tmp_path / "one")
    monkeypatch.setattr(poor_copies._Copies, "_engine", lambda _self: pytest.fail("copies were computed again"))
    again = run(hundred, tmp_path / "two")

    assert model.limits.poor == verdicts.POOR_RISE
    assert (again.tensors["poor.weight"] == model.tensors["poor.weight"]).all()
    figures = figures_of(model)
    assert figures is not None
    assert np.median(figures.poor) == pytest.approx(0, abs=1e-3)
    assert [item.step for item in settings(figures, model.limits)] == list(range(-5, 6))
    predictor = Predictor(model, device="cpu")
    photos = sorted((hundred / "cats").iterdir())[:20]
    squares = [np.asarray(predictor.see(photo)[0]) for photo in photos]
    well, turned = (predictor.judge(predictor.features(s)) for s in (squares, [q[::-1, ::-1] for q in squares]))
    predictor.close()
    assert np.mean([answer.poorness or 0 for answer in turned]) > np.mean([answer.poorness or 0 for answer in well])


def test_a_network_that_learned_as_a_whole_has_it_too(hundred: Path, tmp_path: Path) -> None:
    model = run(hundred, tmp_path / "run", "article", epochs=1, augment=True)

    assert model.tensors["poor.weight"].shape == model.tensors["head.weight"].shape[1:]


def test_photos_that_are_gone_by_then_leave_the_rule_without_it(
    hundred: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poor_copies, "digest", lambda _data: b"another photo by now")

    model = run(hundred, tmp_path / "run")

    assert "poor.weight" not in model.tensors
    assert model.limits.poor == 0
    predictor = load_model(tmp_path / "run", device="cpu")
    assert predictor.predict(hundred / "cats" / "0000.jpg").poorness is None
    predictor.close()


def test_three_kinds_of_unequal_size_get_limits_verdicts_and_a_file_that_agrees(
    tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    data = make_dataset(tmp_path / "photos", {"cats": 60, "dogs": 40, "birds": 20})
    model = run(data, tmp_path / "run")
    predictor = Predictor(model, device="cpu")
    answers = {name: list(predictor.predict_many(sorted((data / name).iterdir())[:10])) for name in model.classes}
    predictor.close()
    exported = export_model(tmp_path / "run", tmp_path / "model.onnx")

    assert sorted(model.classes) == ["birds", "cats", "dogs"]
    assert model.calibrated
    assert model.limits.poor == verdicts.POOR_RISE
    for name, said in answers.items():
        assert all(len(answer.probabilities) == 3 for answer in said)
        assert [answer.label for answer in said].count(name) >= 7
        assert {answer.label for answer in said} <= {name, None}
    assert exported.agree == exported.checked
