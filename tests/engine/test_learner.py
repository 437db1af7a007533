"""What learns in a run, and what the model file gets of it."""

import dataclasses

import numpy as np
import pytest
import torch

from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.learner import Learner, StandardizedHead, learning_stage
from catdog_gui.engine.networks import Network, Upper, build, set_learning


def learner(**settings: object) -> Learner:
    config = dataclasses.replace(TrainConfig(), model="resnet18", **settings)  # type: ignore[arg-type]
    torch.manual_seed(0)
    return Learner(build("resnet18", 3, image_size=32), config)


def features(count: int = 200, size: int = 512) -> np.ndarray:
    rng = np.random.default_rng(0)
    rows = rng.normal(5, 3, (count, size)).astype(np.float32)
    rows[:, 7] = 2.0  # a feature that never changes
    return rows


@pytest.mark.parametrize(
    ("trainable", "kind"), [("head", StandardizedHead), ("upper", Upper), ("all", Network)], ids=lambda v: str(v)
)
def test_the_settings_say_which_part_learns(trainable: str, kind: type) -> None:
    assert isinstance(learner(trainable=trainable).module, kind)


def test_the_presets_learn_what_they_say() -> None:
    stages = {name: learning_stage(preset(name), 19) for name in ("fast", "balanced", "best")}

    assert stages == {"fast": 19, "balanced": 12, "best": 0}


def test_standardized_features_have_mean_0_and_deviation_1() -> None:
    head = learner().module
    assert isinstance(head, StandardizedHead)
    rows = features(5000)

    head.standardize(rows)

    standard = (torch.from_numpy(rows) - head.mean) / head.scale
    assert standard.mean(dim=0).abs().max() < 2e-3
    assert standard.std(dim=0)[torch.arange(512) != 7] == pytest.approx(np.ones(511), abs=2e-3)
    assert torch.isfinite(standard).all()


def test_the_stored_head_answers_as_the_one_that_learned() -> None:
    made = learner()
    head = made.module
    assert isinstance(head, StandardizedHead)
    rows = features()
    head.standardize(rows)
    with torch.no_grad():
        head.head.weight.normal_()
        head.head.bias.normal_()

    tensors = made.tensors()

    answers = rows @ tensors["head.weight"].T + tensors["head.bias"]
    with torch.inference_mode():
        expected = head(torch.from_numpy(rows)).numpy()
    assert answers == pytest.approx(expected, abs=2e-2)  # float32, over 512 features of size 5


def test_the_model_file_gets_all_that_the_network_computes_with() -> None:
    made = learner(trainable="all")

    again = build("resnet18", 3, image_size=32)
    missing = again.load_state_dict({name: torch.from_numpy(value) for name, value in made.tensors().items()}, False)

    assert [name for name in missing.missing_keys if not name.endswith("num_batches_tracked")] == []
    x = torch.randint(0, 256, (2, 32, 32, 3), dtype=torch.uint8)
    made.network.eval()
    with torch.inference_mode():
        assert torch.equal(again.eval()(x), made.network(x))


def test_a_state_is_a_copy_that_brings_back_what_was_learned() -> None:
    made = learner(trainable="all")
    state = made.state()
    before = {name: value.clone() for name, value in made.module.state_dict().items()}
    with torch.no_grad():
        for value in made.module.parameters():
            value.add_(1.0)

    made.restore(state)

    assert all(torch.equal(value, before[name]) for name, value in made.module.state_dict().items())


@pytest.mark.parametrize("trainable", ["head", "upper", "all"])
def test_a_class_that_was_left_out_leaves_the_head(trainable: str) -> None:
    made = learner(trainable=trainable)

    made.use_classes(2)

    assert made.tensors()["head.weight"].shape == (2, 512)
    assert all(value.requires_grad for value in made.network.head.parameters())


def test_a_head_over_pretrained_stages_starts_without_an_opinion() -> None:
    assert not learner().network.head.weight.any()
    assert learner(pretrained=False).network.head.weight.any()


def test_pretrained_statistics_stay_and_those_from_scratch_move() -> None:
    for pretrained in (True, False):
        made = learner(trainable="all", pretrained=pretrained)
        before = made.network.stages[0][1].running_mean.clone()
        made.network.eval()
        made.set_mode()
        made.module(torch.randint(0, 256, (2, 32, 32, 3), dtype=torch.uint8))
        assert torch.equal(made.network.stages[0][1].running_mean, before) == pretrained


def test_learning_mode_can_be_set_again_and_again() -> None:
    made = learner(trainable="upper")
    set_learning(made.network, made.first, keep_statistics=True)
    made.set_mode()

    assert not made.network.stages[0].training
