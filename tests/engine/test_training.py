"""Whole runs: from a folder of photos to a model, and what becomes of the run where something goes wrong."""

import dataclasses
import gc
import hashlib
import json
import shutil
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from catdog_gui.engine import events
from catdog_gui.engine.answers.predict import load_model
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.devices import DeviceInfo, cpu_device
from catdog_gui.engine.errors import CatDogError, ConfigError, InputError, UsageError
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.networks import catalog as networks
from catdog_gui.engine.preparing import stores
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.training import epochs as learning
from catdog_gui.engine.training import run as training
from catdog_gui.engine.training.run import fit

MakeDataset = Callable[..., Path]
SIDE = 64


def settings(data: Path, run: Path | None = None, name: str = "fast", /, **changes: Any) -> TrainConfig:
    """Settings small enough for a test: 64 px on the CPU."""
    base = dataclasses.replace(preset(name), data=data, run=run, image_size=SIDE, device="cpu", workers=2)
    return dataclasses.replace(base, **changes)


class Watcher:
    """Takes a run's events; asks it to stop once `when` holds for one of them."""

    def __init__(self, when: Callable[[events.Event], bool] = lambda _event: False) -> None:
        self.seen: list[events.Event] = []
        self._when = when
        self._stop = False

    def __call__(self, event: events.Event) -> None:
        self.seen.append(event)
        self._stop = self._stop or self._when(event)

    def should_stop(self) -> bool:
        return self._stop

    def run(self, config: TrainConfig) -> events.RunResult:
        return fit(config, self, self.should_stop)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.seen if isinstance(event, kind)]

    @property
    def phases(self) -> list[str]:
        return [event.phase for event in self.of(events.PhaseStarted)]

    @property
    def codes(self) -> list[str]:
        return [event.code for event in self.of(events.Notice)]


@pytest.fixture
def few_photos(tmp_path: Path, make_dataset: MakeDataset) -> Path:
    return make_dataset(tmp_path / "few photos", {"cats": 8, "dogs": 8})


def facts_of(result: events.RunResult) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(result.run) / "config.json").read_text("utf-8"))["facts"]
    return found


def loss_of(result: events.RunResult) -> object:
    return result.val["log_loss"]


def state_of(folder: Path) -> str:
    """A hash of every name, time and byte below a folder."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        total.update(f"{path} {path.lstat().st_mtime_ns}".encode())
        total.update(path.read_bytes() if path.is_file() else b"")
    return total.hexdigest()


def photo_rows(run: str | Path) -> list[dict[str, Any]]:
    head, *rows = [json.loads(line) for line in (Path(run) / "photos.jsonl").read_text("utf-8").splitlines()]
    assert head == {"schema": 1}
    return rows


def answers_right(result: events.RunResult, data: Path) -> bool:
    """Whether the run's model can be opened and names the class of the first photo of each class."""
    assert result.model is not None
    predictor = load_model(result.model, device="cpu")
    try:
        return all(predictor.predict(next((data / name).glob("*.jpg"))).top == name for name in result.classes)
    finally:
        predictor.close()


# --- a run that goes well --------------------------------------------------------------------------------------------


def test_a_fast_run_learns_two_classes_that_differ(tiny_dataset: Path, tmp_path: Path) -> None:
    result = Watcher().run(settings(tiny_dataset, tmp_path / "run"))

    assert result.status == "completed"
    assert result.classes == ["cats", "dogs"]
    assert result.val["accuracy"] is not None
    assert result.val["accuracy"] >= 0.95
    assert result.photos == {"train": 38, "val": 10, "skipped_count": 0}
    assert np.sum(result.confusion) == result.val["n"] == 10
    assert 1 <= result.best_epoch <= result.epochs
    assert answers_right(result, tiny_dataset)


def test_the_recipe_without_any_setting_is_the_fast_one(tiny_dataset: Path) -> None:
    assert TrainConfig(data=tiny_dataset) == dataclasses.replace(preset("fast"), data=tiny_dataset)


def test_a_run_says_what_it_does_in_order(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher()
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", epochs=3, batch_size=16, patience=0))

    assert watcher.phases == ["scan", "prepare", "train", "validate", "save"]
    assert isinstance(watcher.seen[0], events.PhaseStarted)
    assert watcher.seen[-1] == result
    first, second = watcher.of(events.RunStarted)
    assert (first.photos, second.photos) == ({}, {"train": 38, "val": 10})
    steps = watcher.of(events.StepDone)
    assert [step.step for step in steps] == list(range(1, 10))
    assert [step.epoch for step in steps] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert {step.steps for step in steps} == {9}
    assert [(epoch.epoch, epoch.epochs, epoch.step) for epoch in watcher.of(events.EpochDone)] == [
        (1, 3, 3),
        (2, 3, 6),
        (3, 3, 9),
    ]
    read = [event for event in watcher.of(events.Progress) if event.phase == "prepare"]
    assert (read[-1].done, read[-1].total) == (48, 48)
    memory = watcher.of(events.MemorySample)
    assert {sample.kind for sample in memory} == {"ram"}
    assert all(sample.allocated_mb > 0 and sample.reserved_mb is None for sample in memory)


def test_the_seconds_of_the_phases_make_up_the_whole(tiny_dataset: Path, tmp_path: Path) -> None:
    result = Watcher().run(settings(tiny_dataset, tmp_path / "run", epochs=2))

    assert set(result.seconds) == {"imports", "scan", "prepare", "train", "validate", "save", "total"}
    parts = sum(value for name, value in result.seconds.items() if name != "total")
    assert parts == pytest.approx(result.seconds["total"], abs=0.1)


def test_the_run_folder_holds_everything_and_can_be_read_back(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher()
    config = settings(tiny_dataset, tmp_path / "run", epochs=2, seed=3)
    result = watcher.run(config)
    run = Path(result.run)

    assert {path.name for path in run.iterdir()} - {"lock"} == {
        "config.json",
        "events.jsonl",
        "photos.jsonl",
        "checkpoint.safetensors",
        "checkpoint-before.safetensors",
        "model.safetensors",
    }
    assert runlog.read_config(run) == config
    values = json.loads((run / "config.json").read_text("utf-8"))
    assert values["schema"] == 1
    assert {"threads", "engine", "torch", "program", "python", "device", "precision"} <= set(values["facts"])
    assert list(runlog.read_events(run)) == watcher.seen
    lines = [json.loads(line) for line in (run / "events.jsonl").read_text("utf-8").splitlines()]
    assert all(line["v"] == 1 and line["time"] > 0 for line in lines)
    model = read_model(run)
    assert model.classes == ("cats", "dogs")
    assert model.recipe.size == SIDE
    assert model.validation == result.val
    summary = run_list.summarize(run)
    assert summary is not None
    assert (summary.status, summary.accuracy, summary.has_model) == ("completed", result.val["accuracy"], True)


def test_every_photo_is_in_the_list_with_its_side_or_the_reason(tiny_dataset: Path, tmp_path: Path) -> None:
    (tiny_dataset / "cats" / "empty.jpg").touch()
    (tiny_dataset / "cats" / "notes.txt").write_text("not a photo")
    result = Watcher().run(settings(tiny_dataset, tmp_path / "run", epochs=1))
    rows = {row["path"]: row for row in photo_rows(result.run)}

    assert set(rows) == {str(path.relative_to(tiny_dataset)) for path in tiny_dataset.glob("*/*")}
    used = [row for row in rows.values() if "side" in row]
    assert sorted(row["side"] for row in used) == ["train"] * 38 + ["val"] * 10
    assert all(row["path"].startswith(row["label"] + "/") for row in used)
    assert rows["cats/empty.jpg"]["skipped"] == "empty"
    assert rows["cats/notes.txt"]["skipped"] == "not_a_photo_name"
    assert result.photos["skipped_count"] == 2


def test_the_same_seed_gives_the_same_run_and_another_seed_another(few_photos: Path, tmp_path: Path) -> None:
    def run(name: str, seed: int, recipe: str) -> tuple[list[float], dict[str, Any]]:
        watcher = Watcher()
        result = watcher.run(
            settings(few_photos, tmp_path / name, recipe, seed=seed, epochs=2, batch_size=5, image_size=32)
        )
        return [step.loss for step in watcher.of(events.StepDone)], read_model(Path(result.run)).tensors

    for recipe in ("fast", "best"):
        losses, weights = run(f"{recipe}-a", 1, recipe)
        again, same = run(f"{recipe}-b", 1, recipe)
        other, _ = run(f"{recipe}-c", 2, recipe)

        assert losses == again
        assert all(np.array_equal(value, same[name]) for name, value in weights.items())
        assert losses != other


def test_nothing_better_for_a_while_ends_the_run_early(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher()
    result = watcher.run(
        settings(tiny_dataset, tmp_path / "run", optimizer="sgd", learning_rate=1e-7, epochs=50, patience=2, seed=1)
    )

    # at such a rate each epoch is better by a hair or not at all; either way the figures are those of the best
    best = min(watcher.of(events.EpochDone), key=lambda epoch: epoch.val_loss)
    assert result.best_epoch == best.epoch
    assert ("stopped_early" in watcher.codes) == (result.epochs < 50)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("balanced", {}),
        ("best", {"checkpointing": True, "accumulate": 2, "fit": "squash"}),
        ("best", {"batch_size": 7}),
        ("article", {}),
        ("fast", {"optimizer": "sgd", "learning_rate": 0.01, "schedule": "constant"}),
        ("fast", {"model": "resnet18", "pretrained": False}),
        ("article", {"model": "resnet18"}),
        ("article", {"model": "mobilenet_v3_small", "fit": "crop", "augment": True}),
        ("balanced", {"model": "mobilenet_v3_small", "pretrained": False}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(str(item) for item in value.values()),
)
def test_every_preset_and_kind_of_network_trains_and_answers(
    name: str, changes: dict[str, Any], few_photos: Path, tmp_path: Path
) -> None:
    watcher = Watcher()
    result = watcher.run(settings(few_photos, tmp_path / "run", name, epochs=1, **changes))

    assert result.status == "completed"
    assert [np.isfinite(epoch.train_loss) for epoch in watcher.of(events.EpochDone)] == [True]
    assert result.model is not None
    predictor = load_model(result.model, device="cpu")
    answer = predictor.predict(few_photos / "cats" / "0000.jpg")
    predictor.close()
    assert answer.top in ("cats", "dogs")
    assert sum(answer.probabilities.values()) == pytest.approx(1, abs=1e-5)


def test_the_shipped_model_gives_the_figures_that_are_shown(tiny_dataset: Path, tmp_path: Path) -> None:
    result = Watcher().run(settings(tiny_dataset, tmp_path / "run", "balanced", epochs=1, batch_size=16))
    checked = [row for row in photo_rows(result.run) if row.get("side") == "val"]
    assert result.model is not None
    predictor = load_model(result.model, device="cpu")
    losses = [-np.log(predictor.predict(tiny_dataset / row["path"]).probabilities[row["label"]]) for row in checked]
    predictor.close()

    assert np.mean(losses) == pytest.approx(result.val["log_loss"], abs=2e-3)


def test_variations_are_computed_once_and_known_in_the_next_run(few_photos: Path, tmp_path: Path) -> None:
    class Counting(Watcher):
        @property
        def rates(self) -> list[float | None]:
            return [event.photos_per_s for event in self.of(events.Progress) if event.phase == "prepare"]

    bundled = dataclasses.replace(settings(few_photos, None, "balanced", epochs=1), image_size=32)
    runs = [Counting(), Counting(), Counting()]
    results = [
        watcher.run(dataclasses.replace(bundled, run=tmp_path / str(number), seed=seed))
        for number, (watcher, seed) in enumerate(zip(runs, (0, 0, 1), strict=True))
    ]

    assert [facts_of(result)["variations"] for result in results] == [4, 4, 4]
    assert runs[0].rates[-1] is not None
    assert runs[1].rates[-1] is None  # nothing was computed
    assert runs[2].rates[-1] is None  # nor for another seed
    assert [loss_of(result) for result in results[:2]] == [loss_of(results[0])] * 2


def test_a_disk_without_room_for_variations_leaves_the_photos_as_they_are(
    few_photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "IN_MEMORY", 0)
    monkeypatch.setattr(stores, "_DISK_LEFT", 2**60)
    watcher = Watcher()
    result = watcher.run(settings(few_photos, tmp_path / "run", "balanced", epochs=1))

    assert result.status == "completed"
    assert watcher.codes.count("variations_left_out") == 1
    assert facts_of(result)["variations"] == 0


# --- stopping --------------------------------------------------------------------------------------------------------


def is_phase(name: str) -> Callable[[events.Event], bool]:
    return lambda event: isinstance(event, events.PhaseStarted) and event.phase == name


def test_a_stop_while_scanning_leaves_no_run(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(is_phase("scan"))
    result = watcher.run(settings(tiny_dataset, tmp_path / "run"))

    assert (result.status, result.run, result.model) == ("stopped", "", None)
    assert watcher.seen[-1] == result
    assert not (tmp_path / "run").exists()


def test_a_stop_while_preparing_keeps_the_settings_and_says_stopped(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(is_phase("prepare"))
    result = watcher.run(settings(tiny_dataset, tmp_path / "run"))

    assert (result.status, result.model, result.val) == ("stopped", None, {})
    summary = run_list.summarize(Path(result.run))
    assert summary is not None
    assert summary.status == "stopped"
    assert "train" not in watcher.phases


@pytest.mark.parametrize("last", [1, 3], ids=["in the epoch", "while checking it"])
def test_a_stop_in_the_first_epoch_keeps_a_model_without_figures(last: int, tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(lambda event: isinstance(event, events.StepDone) and event.step == last)
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", batch_size=16))

    assert (result.status, result.val, result.epochs) == ("stopped", {}, 0)
    assert len(watcher.of(events.StepDone)) == last
    assert result.model is not None
    predictor = load_model(result.model, device="cpu")
    answer = predictor.predict(tiny_dataset / "cats" / "0000.jpg")
    predictor.close()
    assert answer.top in ("cats", "dogs")
    assert not answer.calibrated
    assert answer.verdict == "not_sure"  # nothing is known of how right it is


@pytest.mark.parametrize("name", ["fast", "balanced"])
def test_a_stop_while_saving_keeps_the_model_with_its_figures(name: str, tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(is_phase("save"))
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", name, epochs=2, batch_size=16))

    assert "save" in watcher.phases
    assert result.epochs == 2
    assert result.val["n"] == 10
    assert answers_right(result, tiny_dataset)


def test_a_stop_before_the_first_step_leaves_no_model_that_answers_at_random(
    tiny_dataset: Path, tmp_path: Path
) -> None:
    watcher = Watcher(lambda event: isinstance(event, events.Progress) and event.phase == "train")
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", "balanced", batch_size=16))

    assert (result.status, result.model, result.epochs) == ("stopped", None, 0)
    assert not (tmp_path / "run" / "model.safetensors").exists()


def test_fine_tuning_stopped_in_its_first_epoch_is_as_good_as_the_frozen_network(
    tiny_dataset: Path, tmp_path: Path
) -> None:
    watcher = Watcher(lambda event: isinstance(event, events.StepDone))
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", "balanced", batch_size=16))

    assert (result.status, result.epochs, result.best_epoch) == ("stopped", 0, 0)
    assert result.val["n"] == 10
    assert answers_right(result, tiny_dataset)


def test_a_stop_in_a_later_epoch_keeps_the_best_model(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(lambda event: isinstance(event, events.StepDone) and event.epoch == 3)
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", learning_rate=0.003, batch_size=16))

    assert (result.status, result.epochs, result.best_epoch) == ("stopped", 2, 2)
    assert read_model(Path(result.run)).trained["epoch"] == 2
    assert result.val["n"] == 10
    assert answers_right(result, tiny_dataset)


def test_a_file_named_stop_in_the_run_folder_stops_the_run(tiny_dataset: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"

    def put_stop(event: events.Event) -> bool:
        if isinstance(event, events.EpochDone):
            (run / "STOP").touch()
        return False

    watcher = Watcher(put_stop)
    result = watcher.run(settings(tiny_dataset, run))

    assert (result.status, result.epochs) == ("stopped", 1)
    assert result.model is not None


# --- photos that cannot be used --------------------------------------------------------------------------------------


def test_bad_photos_are_left_out_with_their_reason_and_the_run_goes_on(tiny_dataset: Path, tmp_path: Path) -> None:
    whole = (tiny_dataset / "dogs" / "0001.jpg").read_bytes()
    (tiny_dataset / "cats" / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    (tiny_dataset / "cats" / "page.jpg").write_text("<!DOCTYPE html><html><body>Access denied</body></html>")
    (tiny_dataset / "dogs" / "empty.png").touch()
    watcher = Watcher()
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", epochs=2))

    assert result.status == "completed"
    assert {event.path: event.code for event in watcher.of(events.PhotoSkipped)} == {
        "cats/cut.jpg": "truncated",
        "cats/page.jpg": "web_page",
        "dogs/empty.png": "empty",
    }
    assert result.photos == {"train": 38, "val": 10, "skipped_count": 3}


def test_a_class_without_a_readable_photo_is_not_in_the_model(tiny_dataset: Path, tmp_path: Path) -> None:
    (tiny_dataset / "birds").mkdir()
    for number in range(6):
        (tiny_dataset / "birds" / f"{number}.jpg").write_bytes(b"\xff\xd8\xff\xe0 nothing more")
    for recipe in ("fast", "balanced", "article"):
        watcher = Watcher()
        result = watcher.run(settings(tiny_dataset, tmp_path / recipe, recipe, epochs=1))

        assert result.classes == ["cats", "dogs"]
        assert read_model(Path(result.run)).classes == ("cats", "dogs")
        assert "class_unreadable" in [event.code for event in watcher.of(events.DataWarning)]
        assert result.photos["skipped_count"] == 6


def test_photos_that_vanish_after_the_scan_are_left_out(tiny_dataset: Path, tmp_path: Path) -> None:
    def delete(event: events.Event) -> bool:
        if is_phase("prepare")(event):
            for number in (0, 5, 23):
                (tiny_dataset / "dogs" / f"{number:04}.jpg").unlink()
        return False

    watcher = Watcher(delete)
    result = watcher.run(settings(tiny_dataset, tmp_path / "run", epochs=1))

    assert result.status == "completed"
    assert [event.code for event in watcher.of(events.PhotoSkipped)] == ["missing"] * 3


def test_a_folder_that_vanishes_after_the_scan_ends_the_run_with_the_reason(tiny_dataset: Path, tmp_path: Path) -> None:
    watcher = Watcher(lambda event: is_phase("prepare")(event) and bool(shutil.rmtree(tiny_dataset)))

    with pytest.raises(InputError) as caught:
        watcher.run(settings(tiny_dataset, tmp_path / "run"))

    assert caught.value.code == "no_readable_photos"
    assert run_list.summarize(tmp_path / "run").status == "failed"  # type: ignore[union-attr]


def test_too_few_readable_photos_are_refused_by_name(tiny_dataset: Path, tmp_path: Path) -> None:
    for path in sorted((tiny_dataset / "dogs").iterdir())[3:]:
        path.write_bytes(b"")

    with pytest.raises(InputError) as caught:
        Watcher().run(settings(tiny_dataset, tmp_path / "run"))

    assert (caught.value.code, caught.value.fields["name"]) == ("too_few_photos", "dogs")


# --- the split -------------------------------------------------------------------------------------------------------


def test_train_and_validation_folders_are_the_split(tmp_path: Path, make_dataset: MakeDataset) -> None:
    data = tmp_path / "photos"
    make_dataset(data / "train", {"cats": 12, "dogs": 12})
    make_dataset(data / "validation", {"cats": 5, "dogs": 7}, seed=1)
    result = Watcher().run(settings(data, tmp_path / "run", epochs=2))

    assert result.photos == {"train": 24, "val": 12, "skipped_count": 0}
    sides = {(row["side"], row["path"].split("/")[0]) for row in photo_rows(result.run)}
    assert sides == {("train", "train"), ("val", "validation")}


def test_labels_go_by_name_where_the_check_side_lacks_a_class(tmp_path: Path, make_dataset: MakeDataset) -> None:
    data = tmp_path / "photos"
    make_dataset(data / "train", {"ants": 16, "bees": 16, "cats": 16})
    make_dataset(data / "val", {"ants": 6, "bees": 1, "cats": 6}, seed=1)
    shutil.rmtree(data / "val" / "bees")
    watcher = Watcher()
    result = watcher.run(settings(data, tmp_path / "run"))

    assert result.val["accuracy"] is not None
    assert result.val["accuracy"] >= 0.75  # numbered by folder, cats would be scored as bees: at most 0.5
    assert [sum(row) for row in result.confusion] == [6, 0, 6]
    assert "val_class_missing" in [event.code for event in watcher.of(events.DataWarning)]
    assert all(row["label"] == row["path"].split("/")[1] for row in photo_rows(result.run))


# --- trouble while learning ------------------------------------------------------------------------------------------


def break_forward(monkeypatch: pytest.MonkeyPatch, broken: Callable[[int, torch.Tensor], torch.Tensor]) -> list[int]:
    """Let broken(number, scores) come between a learning network and its loss; returns the sizes of the batches."""
    forward = networks.Network.forward
    sizes: list[int] = []

    def between(self: networks.Network, photos: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return forward(self, photos)
        sizes.append(len(photos))
        return broken(len(sizes), forward(self, photos))

    monkeypatch.setattr(networks.Network, "forward", between)
    return sizes


def small_run(data: Path, run: Path, **changes: Any) -> TrainConfig:
    """38 photos to learn from in steps of 16, 16 and 6."""
    base = settings(data, run, "article", epochs=3, batch_size=16, image_size=32)
    return dataclasses.replace(base, **changes)


def test_a_loss_that_is_no_number_goes_on_in_full_precision(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The processor here computes bf16 by emulation only; a stand-in says that it has it."""
    device = dataclasses.replace(cpu_device(), precisions=("fp32", "bf16"))
    monkeypatch.setattr(training.devices, "resolve", lambda _name: device)

    def spoil(_number: int, scores: torch.Tensor) -> torch.Tensor:
        return scores * float("nan") if torch.is_autocast_enabled("cpu") else scores

    break_forward(monkeypatch, spoil)
    watcher = Watcher()
    result = watcher.run(small_run(tiny_dataset, tmp_path / "run", precision="bf16"))

    assert watcher.codes == ["precision_fallback"]
    assert result.status == "completed"
    assert all(np.isfinite(epoch.train_loss) for epoch in watcher.of(events.EpochDone))
    assert answers_right(result, tiny_dataset)


def test_a_loss_that_stays_no_number_ends_the_run_and_keeps_the_best(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_forward(monkeypatch, lambda number, scores: scores * (float("nan") if number > 7 else 1))
    watcher = Watcher()

    with pytest.raises(CatDogError) as caught:
        watcher.run(small_run(tiny_dataset, tmp_path / "run", learning_rate=3e-4))

    assert (caught.value.code, caught.value.fields["epoch"]) == ("loss_not_finite", 3)
    best = [epoch.epoch for epoch in watcher.of(events.EpochDone) if epoch.best]
    model = read_model(tmp_path / "run")
    assert model.trained["epoch"] == best[-1] == 2
    assert all(np.isfinite(value).all() for value in model.tensors.values())


def test_a_card_that_fails_ends_the_run_with_the_best_model_kept_and_says_to_start_again(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int, scores: torch.Tensor) -> torch.Tensor:
        if number > 7:
            raise RuntimeError("CUDA error: an illegal memory access was encountered\nmore about it")
        return scores

    break_forward(monkeypatch, fail)
    watcher = Watcher()

    with pytest.raises(CatDogError) as caught:
        watcher.run(small_run(tiny_dataset, tmp_path / "run", learning_rate=3e-4))

    assert caught.value.code == "device_broken"
    assert "Start this program again" in str(caught.value)
    assert read_model(tmp_path / "run").trained["epoch"] == 2
    *_, last = runlog.read_events(tmp_path / "run")
    assert isinstance(last, events.RunFailed)
    assert last.code == "device_broken"


def test_check_figures_that_are_no_numbers_are_never_the_best(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = networks.Network.forward

    def spoil(self: networks.Network, photos: torch.Tensor) -> torch.Tensor:
        return forward(self, photos) * (1 if self.training else float("nan"))

    monkeypatch.setattr(networks.Network, "forward", spoil)
    watcher = Watcher()

    with pytest.raises(CatDogError) as caught:
        watcher.run(small_run(tiny_dataset, tmp_path / "run", epochs=2))

    assert caught.value.code == "loss_not_finite"
    assert not any(epoch.best for epoch in watcher.of(events.EpochDone))
    assert not (tmp_path / "run" / "model.safetensors").exists()


def test_out_of_memory_twice_halves_the_parts_and_the_run_ends_well(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_twice(number: int, scores: torch.Tensor) -> torch.Tensor:
        if number in (1, 2):
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return scores

    sizes = break_forward(monkeypatch, fail_twice)
    watcher = Watcher()
    result = watcher.run(small_run(tiny_dataset, tmp_path / "run"))

    assert watcher.codes == ["memory_freed", "batch_halved"]
    assert watcher.of(events.Notice)[1].fields == {"part": 8, "batch_size": 16}
    assert sizes[2:8] == [8, 8, 8, 8, 3, 3]
    assert result.status == "completed"
    assert [step.step for step in watcher.of(events.StepDone)] == list(range(1, 10))
    assert answers_right(result, tiny_dataset)


def test_parts_give_the_gradients_of_the_whole_step(tiny_dataset: Path, tmp_path: Path) -> None:
    def losses(name: str, parts: int) -> list[float]:
        watcher = Watcher()
        watcher.run(small_run(tiny_dataset, tmp_path / name, accumulate=parts))
        return [epoch.val_loss for epoch in watcher.of(events.EpochDone)]

    assert losses("whole", 1) == pytest.approx(losses("parts", 4), abs=1e-3)


def test_out_of_memory_while_checking_halves_the_parts_too(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forward = networks.Network.forward

    def fail_over_five(self: networks.Network, photos: torch.Tensor) -> torch.Tensor:
        if not self.training and len(photos) > 5:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return forward(self, photos)

    monkeypatch.setattr(networks.Network, "forward", fail_over_five)
    watcher = Watcher()
    result = watcher.run(small_run(tiny_dataset, tmp_path / "run", epochs=1))

    assert result.status == "completed"
    assert result.val["n"] == 10


def test_memory_that_never_suffices_is_said_and_the_next_run_works(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = remember_networks(monkeypatch)
    with monkeypatch.context() as patch:

        def fail(_number: int, _scores: torch.Tensor) -> torch.Tensor:
            raise torch.OutOfMemoryError("CUDA out of memory.")

        break_forward(patch, fail)
        with pytest.raises(CatDogError) as caught:
            Watcher().run(small_run(tiny_dataset, tmp_path / "run"))

    assert caught.value.code == "out_of_memory"
    assert caught.value.fields["batch_size"] == 16
    gc.collect()
    assert built[0]() is None, "the error that is still held keeps the network's memory"
    assert Watcher().run(small_run(tiny_dataset, tmp_path / "next", epochs=1)).status == "completed"


def test_an_error_that_is_not_ours_is_noted_in_the_run_and_passed_on(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_number: int, _scores: torch.Tensor) -> torch.Tensor:
        raise ZeroDivisionError("a fault")

    break_forward(monkeypatch, fail)
    with pytest.raises(ZeroDivisionError):
        Watcher().run(small_run(tiny_dataset, tmp_path / "run"))

    summary = run_list.summarize(tmp_path / "run")
    assert summary is not None
    assert summary.status == "failed"
    assert not runlog.is_locked(tmp_path / "run")


# --- memory ----------------------------------------------------------------------------------------------------------


def remember_networks(monkeypatch: pytest.MonkeyPatch) -> "list[weakref.ref[networks.Network]]":
    built: list[weakref.ref[networks.Network]] = []
    build = networks.build

    def remembered(*args: Any, **kwargs: Any) -> networks.Network:
        network = build(*args, **kwargs)
        built.append(weakref.ref(network))
        return network

    monkeypatch.setattr(networks, "build", remembered)
    return built


@pytest.mark.parametrize("recipe", ["balanced", "article"])
def test_the_network_is_freed_when_the_run_is_over(
    recipe: str, tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = remember_networks(monkeypatch)
    for name in ("first", "second"):
        Watcher().run(settings(tiny_dataset, tmp_path / name, recipe, epochs=1))

    assert len(built) >= 2
    assert all(network() is None for network in built)


# --- odd counts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "batch_size"),
    [((4, 4), 1), ((4, 4), 16), ((5, 4), 2), ((5, 6), 3), ((10, 7), 4), ((11, 10), 8), ((20, 20), 31)],
)
@pytest.mark.parametrize("recipe", ["fast", "article"])
def test_no_count_of_photos_and_no_batch_size_ends_a_run(
    counts: tuple[int, int], batch_size: int, recipe: str, tmp_path: Path, make_dataset: MakeDataset
) -> None:
    data = make_dataset(tmp_path / "photos", dict(zip(("cats", "dogs"), counts, strict=True)), size=(40, 40))
    watcher = Watcher()
    result = watcher.run(
        settings(data, tmp_path / "run", recipe, epochs=2, batch_size=batch_size, image_size=32, pretrained=False)
    )

    assert result.status == "completed"
    assert result.photos["train"] + result.photos["val"] == sum(counts)
    assert all(np.isfinite(step.loss) for step in watcher.of(events.StepDone))
    assert all(np.isfinite(epoch.train_loss) for epoch in watcher.of(events.EpochDone))


@pytest.mark.parametrize("recipe", ["fast", "article"])
def test_a_batch_larger_than_the_photos_is_lowered_with_a_word(
    recipe: str, tmp_path: Path, make_dataset: MakeDataset
) -> None:
    data = make_dataset(tmp_path / "photos", {"cats": 7, "dogs": 7}, size=(40, 40))
    watcher = Watcher()
    config = settings(data, tmp_path / "run", recipe, epochs=2, image_size=32, batch_size=500)
    result = watcher.run(config)

    notice = next(item for item in watcher.of(events.Notice) if item.code == "batch_lowered")
    assert notice.fields["batch_size"] == notice.fields["photos"] == result.photos["train"]
    steps = watcher.of(events.StepDone)
    assert [step.step for step in steps] == [1, 2]
    assert all(np.isfinite(step.loss) for step in steps)


@pytest.mark.parametrize("changes", [{"batch_size": 1}, {"batch_size": 5}, {"batch_size": 9, "accumulate": 9}])
def test_batch_norm_never_meets_a_photo_alone(
    changes: dict[str, Any], tmp_path: Path, make_dataset: MakeDataset
) -> None:
    """At 32 px the last layers see one pixel: a lone photo has no variance there."""
    data = make_dataset(tmp_path / "photos", {"cats": 7, "dogs": 7}, size=(40, 40))
    watcher = Watcher()
    config = settings(data, tmp_path / "run", "article", epochs=1, image_size=32, model="mobilenet_v3_small", **changes)

    assert watcher.run(config).status == "completed"
    assert watcher.codes == (["batch_raised"] if changes["batch_size"] == 1 else [])


# --- places ----------------------------------------------------------------------------------------------------------


def test_the_photo_folder_is_never_written_to(tiny_dataset: Path, tmp_path: Path) -> None:
    before = state_of(tiny_dataset)
    result = Watcher().run(settings(tiny_dataset, tmp_path / "run", epochs=1))
    assert result.model is not None
    predictor = load_model(result.model, device="cpu")
    list(predictor.predict_many(sorted(tiny_dataset.rglob("*.jpg"))))
    predictor.close()

    assert state_of(tiny_dataset) == before


def test_a_place_that_cannot_be_written_is_said_before_anything_is_computed(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "file" / "home"))
    for run in (None, tmp_path / "file" / "run"):
        watcher = Watcher()
        with pytest.raises(CatDogError) as caught:
            watcher.run(settings(tiny_dataset, run))

        assert caught.value.code == "cannot_write"
        assert watcher.phases == ["scan"]


def test_a_disk_that_cannot_be_written_is_said_before_anything_is_computed(
    tiny_dataset: Path, read_only_disk: Path
) -> None:
    watcher = Watcher()
    with pytest.raises(CatDogError) as caught:
        watcher.run(settings(tiny_dataset, read_only_disk / "run"))

    assert caught.value.code == "cannot_write"
    assert watcher.phases == ["scan"]


def test_a_disk_that_fills_up_ends_the_run_and_keeps_the_model(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = learning.model_file.save_model
    saved: list[Path] = []

    def full(model: Any, path: Path) -> None:
        if saved:
            raise CatDogError("disk_full", path=str(path), needed_mb=16.0, free_mb=0.0)
        saved.append(path)
        save(model, path)

    monkeypatch.setattr(learning.model_file, "save_model", full)
    with pytest.raises(CatDogError) as caught:
        Watcher().run(settings(tiny_dataset, tmp_path / "run"))

    assert caught.value.code == "disk_full"
    assert read_model(tmp_path / "run").trained["epoch"] == 1


def test_a_run_folder_that_is_not_empty_is_never_overwritten(tiny_dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError) as caught:
        Watcher().run(settings(tiny_dataset, tmp_path / "run"))

    assert caught.value.code == "run_not_empty"
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["thesis.txt"]


def test_runs_without_a_name_are_numbered(tiny_dataset: Path, catdog_home: Path) -> None:
    names = [Path(Watcher().run(settings(tiny_dataset, epochs=1)).run).name for _ in range(2)]

    assert names == ["run-0001", "run-0002"]
    assert [run.path.name for run in run_list.list_runs()] == names[::-1]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"epochs": 0}, "setting_range"),
        ({"model": "resnet9000"}, "setting_choice"),
        ({"model": "small_cnn"}, "no_pretrained"),
        ({"device": "abacus"}, "unknown_device"),
        ({"data": None}, "data_missing"),
        ({"batch_size": True}, "setting_type"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    changes: dict[str, Any], code: str, tiny_dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        Watcher().run(settings(tiny_dataset, tmp_path / "run", **changes))

    assert caught.value.code == code
    if isinstance(caught.value, ConfigError):
        assert caught.value.field in changes or code == "no_pretrained"


def test_a_precision_that_the_device_lacks_is_refused(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_full(_name: str) -> DeviceInfo:
        return dataclasses.replace(cpu_device(), precisions=("fp32",))

    monkeypatch.setattr(training.devices, "resolve", only_full)
    with pytest.raises(UsageError) as caught:
        Watcher().run(settings(tiny_dataset, tmp_path / "run", precision="fp16"))

    assert caught.value.code == "precision_unsupported"


def test_a_folder_that_cannot_be_trained_on_is_refused_before_a_run_is_made(
    tmp_path: Path, make_dataset: MakeDataset
) -> None:
    data = make_dataset(tmp_path / "photos", {"cats": 6})
    watcher = Watcher()
    with pytest.raises(InputError) as caught:
        watcher.run(settings(data, tmp_path / "run"))

    assert (caught.value.code, caught.value.exit_code) == ("too_few_classes", 3)
    assert not (tmp_path / "run").exists()
