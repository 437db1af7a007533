"""How careful a model is: what each step does to the checked photos, and the model file that keeps the choice."""

from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine.errors import InputError
from catdog_gui.engine.models import carefulness
from catdog_gui.engine.models.carefulness import CheckFigures, figures_of, limits_at, made_careful, save_step, settings
from catdog_gui.engine.models.limits import STEPS, Limits, verdict
from catdog_gui.engine.models.model_file import Model, read_model, save_model
from catdog_gui.engine.photos.images import Recipe

RULE = Limits(sure=0.98, novelty=0.55, slope=15.0)


def checked(n: int = 400) -> CheckFigures:
    rng = np.random.default_rng(0)
    share = 1 - 0.5 * rng.random(n) ** 3
    return CheckFigures(share, rng.random(n) < share, rng.uniform(0.3, 0.57, n))


def model_of(figures: CheckFigures | None) -> Model:
    tensors = {"head.weight": np.ones((2, 5), np.float32), "head.bias": np.zeros(2, np.float32)}
    return Model(
        network="resnet18",
        classes=("a", "b"),
        recipe=Recipe(96, "crop"),
        tensors=tensors | (figures.to_tensors() if figures else {}),
        limits=RULE,
    )


def test_the_middle_step_is_the_written_rule() -> None:
    assert limits_at(0, checked(), RULE) == RULE


def test_more_careful_never_answers_more_photos_and_the_last_step_answers_all() -> None:
    found = settings(checked(), RULE)

    assert [item.step for item in found] == list(range(-STEPS, STEPS + 1))
    refused = [item.refused for item in found]
    assert refused == sorted(refused)
    assert refused[0] == 0
    assert refused[-1] > refused[STEPS] > 0


@pytest.mark.parametrize("least", [0.05, 0.3, 0.6, 0.9])
def test_so_it_is_where_poor_photos_need_more_than_the_others(least: float) -> None:
    plain = checked()
    poor = np.random.default_rng(1).normal(0, 0.5, len(plain.share)).astype(np.float32)
    rule = Limits(sure=least, novelty=0.55, slope=3.0, poor=4.0)

    refused = [item.refused for item in settings(CheckFigures(plain.share, plain.right, plain.novelty, poor), rule)]

    assert refused == sorted(refused)
    assert 0 == refused[0] < refused[1] < refused[STEPS] < refused[-1]


def test_the_figures_of_a_step_are_those_of_its_verdicts() -> None:
    figures = checked()

    for item in settings(figures, RULE):
        pairs = zip(figures.share, figures.novelty, strict=True)
        sure = np.array([verdict(float(p), float(d), item.limits) == "sure" for p, d in pairs])
        assert item.answered == sure.sum()
        assert item.checked == 400
        assert item.right == (sure & figures.right).sum()


def test_a_rule_that_is_never_sure_can_still_be_loosened_and_tightened() -> None:
    found = settings(checked(60), Limits(sure=1.01))

    assert found[-1].answered == 0
    assert found[0].answered == 60


def test_the_choice_is_kept_in_the_file_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_model(model_of(checked()), path)

    save_step(path, 3)
    chosen = read_model(path)
    save_step(path, -2)
    again = read_model(path)
    save_step(path, 0)

    assert (chosen.careful, chosen.rule_limits) == (3, RULE)
    assert chosen.limits == limits_at(3, figures_of(chosen) or checked(), RULE)
    assert (again.careful, again.rule_limits) == (-2, RULE)
    assert read_model(path).limits == RULE
    assert read_model(path).careful == 0


def test_a_model_without_checked_photos_cannot_be_made_careful(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_model(model_of(None), path)

    with pytest.raises(InputError) as caught:
        save_step(path, 2)

    assert caught.value.code == "model_without_checks"
    assert made_careful(read_model(path), 0).limits == RULE


def test_of_very_many_checked_photos_an_even_part_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carefulness, "MOST_CHECKED", 100)

    kept = checked(1001).to_tensors()

    assert {len(column) for column in kept.values()} == {91}
