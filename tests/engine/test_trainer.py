"""One epoch and one validation: from Python as the article does it, and at their limits."""

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from catdog_gui.engine import Trainer
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.learning.figures import NotFiniteError, Step
from catdog_gui.engine.networks.catalog import build, set_learning

Data = tuple[torch.Tensor, torch.Tensor]


def blobs(count: int = 64, seed: int = 0) -> Data:
    """Two clouds of points in 8 dimensions."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % 2
    points = torch.randn(count, 8, generator=generator) + 2.5 * labels[:, None]
    return points, labels


def batches(data: Data, size: int, **options: Any) -> DataLoader[Any]:
    return DataLoader(TensorDataset(*data), batch_size=size, **options)


def plain(seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))


def trainer(model: nn.Module, size: int = 16, count: int = 64, **options: Any) -> Trainer:
    options.setdefault("precision", "fp32")  # "auto" is bf16 on processors that have it
    return Trainer(model, batches(blobs(count), size), batches(blobs(40, 1), 16), device="cpu", **options)


def sgd(model: nn.Module, lr: float = 0.1) -> torch.optim.Optimizer:
    return torch.optim.SGD(model.parameters(), lr=lr)


def weights(model: nn.Module) -> list[torch.Tensor]:
    return [value.detach().clone() for value in model.parameters()]


def same(some: list[torch.Tensor], others: list[torch.Tensor]) -> bool:
    return all(torch.equal(a, b) for a, b in zip(some, others, strict=True))


# --- as the article does it ------------------------------------------------------------------------------------------


def test_ten_lines_of_python_train_and_check_a_network_of_ones_own() -> None:
    model = plain()
    train_loader, val_loader = batches(blobs(), 16, shuffle=True), batches(blobs(40, 1), 16)
    torch.manual_seed(0)

    ours = Trainer(model, train_loader, val_loader)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    before = ours.validate()
    figures = [ours.train_epoch(optimizer) for _ in range(8)]
    after = ours.validate()

    assert after.accuracy > 0.9
    assert after.loss < before.loss
    assert figures[-1].loss < figures[0].loss
    assert figures[-1].photos == 64
    assert 0 <= figures[0].accuracy <= 1


def test_validation_gives_scores_in_the_loaders_order_and_their_figures() -> None:
    model = plain()
    points, labels = blobs(40, 1)

    found = trainer(model).validate()

    with torch.inference_mode():
        scores = model.eval()(points)
    assert torch.allclose(torch.from_numpy(found.scores), scores)
    assert found.labels.tolist() == labels.tolist()
    assert found.loss == pytest.approx(float(nn.functional.cross_entropy(scores, labels)), rel=1e-5)
    assert found.accuracy == pytest.approx(float((scores.argmax(1) == labels).float().mean()))


def test_figures_of_an_epoch_are_means_over_its_photos() -> None:
    model = plain()
    points, labels = blobs(41)  # batches of unequal size
    with torch.inference_mode():
        scores = model(points)

    found = trainer(model, count=41).train_epoch(sgd(model, 0.0))

    assert found.photos == 41
    assert found.loss == pytest.approx(float(nn.functional.cross_entropy(scores, labels)), rel=1e-4)
    assert found.accuracy == pytest.approx(float((scores.argmax(1) == labels).float().mean()))


def test_validating_changes_nothing() -> None:
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Dropout(0.5), nn.Linear(16, 2))
    before = copy.deepcopy(model.state_dict())
    ours = trainer(model)

    first, second = ours.validate(), ours.validate()

    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert (first.scores == second.scores).all()


def test_training_after_validating_is_in_training_mode_again() -> None:
    model = nn.Sequential(nn.Linear(8, 2), nn.Dropout(0.5))
    ours = trainer(model)

    ours.validate()
    ours.train_epoch(sgd(model))

    assert model.training


def test_without_photos_to_check_the_figures_are_no_numbers() -> None:
    found = Trainer(plain(), batches(blobs(), 16), [], device="cpu").validate()

    assert math.isnan(found.loss)
    assert math.isnan(found.accuracy)


def test_without_photos_to_learn_from_it_says_so() -> None:
    model = plain()

    with pytest.raises(CatDogError, match="No photo could be read"):
        Trainer(model, [], [], device="cpu").train_epoch(sgd(model))


def test_photos_as_bytes_train_the_programs_own_networks() -> None:
    torch.manual_seed(0)
    model = build("small_cnn", 2, image_size=32)
    photos = torch.zeros((16, 32, 32, 3), dtype=torch.uint8)
    photos[::2] = 200
    labels = torch.arange(16) % 2
    loader = batches((photos, labels), 8)
    ours = Trainer(model, loader, loader, device="cpu")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for _ in range(12):
        ours.train_epoch(optimizer)

    assert ours.validate().accuracy == 1.0


# --- batches of one --------------------------------------------------------------------------------------------------


def with_norm() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))


def test_a_lone_last_photo_of_a_loader_is_left_out_for_that_epoch() -> None:
    model = with_norm()
    ours = trainer(model, size=16, count=33)

    assert ours.train_epoch(sgd(model)).photos == 32
    assert ours.validate().scores.shape == (40, 2)


def test_a_lone_last_photo_is_learned_from_where_no_norm_minds() -> None:
    model = plain()

    assert trainer(model, size=16, count=33).train_epoch(sgd(model)).photos == 33


def test_a_loader_of_single_photos_trains_on_all_of_them() -> None:
    model = plain()
    steps: list[Step] = []

    figures = trainer(model, size=1, count=9, on_step=steps.append).train_epoch(sgd(model))

    assert figures.photos == 9
    assert len(steps) == 9


def test_a_loader_of_single_photos_trains_on_all_of_them_with_a_norm_over_pixels_too() -> None:
    model = nn.Sequential(nn.Unflatten(1, (2, 2, 2)), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(8, 2))

    assert trainer(model, size=1, count=9).train_epoch(sgd(model)).photos == 9


@pytest.mark.parametrize("count", [5, 7, 9, 16])
@pytest.mark.parametrize("accumulate", [2, 3, 4])
def test_parts_of_a_batch_are_never_too_small_for_a_norm(count: int, accumulate: int) -> None:
    model = with_norm()

    assert trainer(model, size=16, count=count, accumulate=accumulate).train_epoch(sgd(model)).photos == count


# --- parts of a step -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [16, 15, 13, 3])
@pytest.mark.parametrize("accumulate", [1, 2, 3, 8, 16, 100])
def test_a_batch_in_parts_has_the_gradients_of_the_whole(count: int, accumulate: int) -> None:
    model = plain()
    points, labels = blobs(count)
    loss = nn.functional.cross_entropy(model(points), labels, label_smoothing=0.1)
    loss.backward()  # type: ignore[no-untyped-call]
    expected = [value.grad.clone() for value in model.parameters() if value.grad is not None]
    losses: list[float] = []

    ours = trainer(
        model,
        count=count,
        accumulate=accumulate,
        label_smoothing=0.1,
        on_step=lambda step: losses.append(step.loss.item()),
    )
    ours.train_epoch(sgd(model, 0.0))

    found = [value.grad for value in model.parameters() if value.grad is not None]
    assert losses == [pytest.approx(loss.item(), abs=1e-5)]
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize(("accumulate", "most"), [(1, 16), (2, 8), (4, 4), (16, 1), (50, 1)])
def test_parts_are_as_small_as_asked(accumulate: int, most: int) -> None:
    seen: list[int] = []

    class Counting(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            seen.append(len(x))
            return super().forward(x)

    model = Counting(8, 2)
    trainer(model, count=16, accumulate=accumulate).train_epoch(sgd(model))

    assert max(seen) == most
    assert sum(seen) == 16


# --- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_loss_that_is_no_number_is_caught_before_the_weights_move(bad: float) -> None:
    model = plain()
    points, labels = blobs()
    points[20] = bad  # in the second batch
    after_first: list[list[torch.Tensor]] = []
    ours = Trainer(
        model, batches((points, labels), 16), [], device="cpu", on_step=lambda _: after_first.append(weights(model))
    )

    with pytest.raises(NotFiniteError):
        ours.train_epoch(sgd(model))

    assert len(after_first) == 1
    assert same(weights(model), after_first[0])


def test_what_a_person_reads_of_it_is_a_whole_sentence() -> None:
    model = plain()
    points, labels = blobs()
    points[0] = math.nan

    with pytest.raises(NotFiniteError) as caught:
        Trainer(model, batches((points, labels), 16), [], device="cpu").train_epoch(sgd(model))

    assert "{" not in str(caught.value)
    assert "not a number" in str(caught.value)


def test_a_stop_acts_within_an_epoch_and_in_validation() -> None:
    model = plain()
    steps: list[Step] = []
    ours = trainer(model, size=4, on_step=steps.append, should_stop=lambda: len(steps) >= 3)

    with pytest.raises(Stopped):
        ours.train_epoch(sgd(model))
    with pytest.raises(Stopped):
        ours.validate()

    assert len(steps) == 3


def test_what_a_loader_raises_comes_through() -> None:
    def broken() -> Iterator[Data]:
        yield blobs(8)
        raise FileNotFoundError("gone")

    model = plain()
    with pytest.raises(FileNotFoundError, match="gone"):
        Trainer(model, broken(), [], device="cpu").train_epoch(sgd(model))


def test_an_unknown_device_is_named() -> None:
    with pytest.raises(CatDogError, match="warp"):
        Trainer(plain(), [], [], device="warp")


# --- steps, modes, precisions ----------------------------------------------------------------------------------------


def test_each_step_is_announced_and_reported_in_order() -> None:
    model = plain()
    said: list[str] = []
    ours = trainer(
        model,
        before_step=lambda number: said.append(f"before {number}"),
        on_step=lambda step: said.append(f"done {step.number} of {step.photos}"),
    )

    ours.train_epoch(sgd(model))

    assert said == [line for n in (1, 2, 3, 4) for line in (f"before {n}", f"done {n} of 16")]


def test_times_of_a_step_are_seconds_and_its_figures_those_of_its_photos() -> None:
    model = plain()
    steps: list[Step] = []

    figures = trainer(model, on_step=steps.append).train_epoch(sgd(model))

    assert all(0 <= step.data_s < 5 and 0 < step.compute_s < 5 for step in steps)
    assert sum(step.loss.item() * step.photos for step in steps) / 64 == pytest.approx(figures.loss, rel=1e-5)
    assert sum(step.right.item() for step in steps) / 64 == pytest.approx(figures.accuracy)


def test_parts_that_are_to_stay_as_they_are_stay() -> None:
    model = build("resnet18", 2, image_size=32)
    photos = (torch.randint(0, 256, (8, 32, 32, 3), dtype=torch.uint8), torch.arange(8) % 2)

    def freeze() -> None:
        set_learning(model, 8, keep_statistics=True)

    ours = Trainer(model, batches(photos, 4), batches(photos, 4), device="cpu", set_mode=freeze)
    ours.validate()
    before = [value.clone() for value in model.state_dict().values() if value.is_floating_point()]
    moving = len([*model.stages[8:].parameters(), *model.head.parameters()])

    ours.train_epoch(torch.optim.SGD(model.parameters(), lr=0.1))

    after = [value for value in model.state_dict().values() if value.is_floating_point()]
    assert sum(not torch.equal(a, b) for a, b in zip(after, before, strict=True)) == moving


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_learning_works_in_each_precision_with_weights_kept_in_full(precision: str) -> None:
    model = plain()
    seen: list[torch.dtype] = []
    model[0].register_forward_hook(lambda _module, _inputs, output: seen.append(output.dtype))
    ours = trainer(model)
    ours.use_precision(precision)

    first = ours.train_epoch(sgd(model)).loss
    for _ in range(4):
        last = ours.train_epoch(sgd(model)).loss
    checked = ours.validate()

    assert set(seen) == {torch.bfloat16 if precision == "bf16" else torch.float32}
    assert last < first
    assert checked.scores.dtype == "float32"
    assert all(value.dtype == torch.float32 for value in model.parameters())


def test_the_same_seed_gives_the_same_weights() -> None:
    results = []
    for _ in range(2):
        model = plain(seed=3)
        ours = trainer(model)
        for _ in range(3):
            ours.train_epoch(sgd(model))
        results.append(weights(model))

    assert same(*results)


def test_gradients_do_not_pile_up_over_steps() -> None:
    model = nn.Linear(8, 2)
    norms: list[float] = []

    def note(_step: Step) -> None:
        norms.append(sum(float(value.grad.norm()) for value in model.parameters() if value.grad is not None))

    points, labels = blobs(16)
    same_batch: Callable[[], list[Data]] = lambda: [(points, labels)] * 5  # noqa: E731
    Trainer(model, same_batch(), [], device="cpu", on_step=note).train_epoch(sgd(model, 0.0))

    assert norms == pytest.approx([norms[0]] * 5)
