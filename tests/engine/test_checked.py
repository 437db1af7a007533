"""Which photos a number of the confusion table stands for."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine.answers.checked import checked, mistakes
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.events import EpochDone, Event, RunResult
from catdog_gui.engine.models.model_file import CHECK_ANSWERS, CHECK_PHOTOS, read_model, save_model
from catdog_gui.engine.training.run import fit, resume


def settings(data: Path, run: Path, name: str = "fast") -> TrainConfig:
    base = replace(preset(name), data=data, run=run, image_size=32, epochs=3, device="cpu", workers=2)
    return base if name == "fast" else replace(base, model="mobilenet_v3_small", pretrained=False)


@pytest.fixture
def mixed_up(tiny_dataset: Path) -> Path:
    """A third of the photos of each class lies in the other's folder, so that no model can be right about all."""
    first, second = sorted(path for path in tiny_dataset.iterdir() if path.is_dir())
    for number, photo in enumerate(sorted(first.iterdir())):
        if number % 3 == 0:
            other = second / photo.name
            other.rename(second / f"from-{first.name}-{number}.jpg")
            photo.rename(other)
            (second / f"from-{first.name}-{number}.jpg").rename(photo)
    return tiny_dataset


def table(run: Path, classes: list[str]) -> list[list[int]]:
    counts = Counter((photo.label, photo.answer) for photo in checked(run))
    return [[counts[label, answer] for answer in classes] for label in classes]


@pytest.mark.parametrize("name", ["fast", "balanced"])
def test_each_number_of_the_table_has_its_photos(name: str, mixed_up: Path, tmp_path: Path) -> None:
    result = fit(settings(mixed_up, tmp_path / "run", name))

    assert table(tmp_path / "run", result.classes) == result.confusion
    assert all(photo.path.is_file() and photo.path.parent.name == photo.label for photo in checked(tmp_path / "run"))


def test_mistakes_are_the_wrong_answers_the_surest_first(mixed_up: Path, tmp_path: Path) -> None:
    result = fit(settings(mixed_up, tmp_path / "run"))
    found = mistakes(tmp_path / "run")

    wrong = sum(map(sum, result.confusion)) - sum(row[number] for number, row in enumerate(result.confusion))
    assert len(found) == wrong > 0
    assert all(photo.answer != photo.label for photo in found)
    assert [photo.probability for photo in found] == sorted((photo.probability for photo in found), reverse=True)


def test_photos_that_came_while_a_run_was_stopped_do_not_shift_its_own(mixed_up: Path, tmp_path: Path) -> None:
    run, seen = tmp_path / "run", list[Event]()
    config = replace(settings(mixed_up, run), epochs=6, patience=0)
    fit(config, seen.append, lambda: any(isinstance(event, EpochDone) for event in seen))
    photo = sorted(mixed_up.glob("*/*.jpg"))[3]
    for folder in (path for path in mixed_up.iterdir() if path.is_dir()):
        (folder / "-first.jpg").write_bytes(photo.read_bytes() + folder.name.encode())

    result = resume(run, policy="keep")

    assert isinstance(result, RunResult)
    assert table(run, result.classes) == result.confusion
    lines = [json.loads(line) for line in (run / "photos.jsonl").read_text("utf-8").splitlines()[1:]]
    model = read_model(run)
    known = zip(model.photos.tolist(), model.photo_labels.tolist(), strict=True)
    assert all(lines[line]["label"] == result.classes[label] for line, label in known)
    assert {lines[line]["side"] for line in model.photos.tolist()} == {"train"}


def test_a_model_that_does_not_tell_is_refused_in_words(drawn_run: Path, tmp_path: Path) -> None:
    model = read_model(drawn_run)
    older = {name: value for name, value in model.tensors.items() if name not in (CHECK_PHOTOS, CHECK_ANSWERS)}
    save_model(replace(model, tensors=older), tmp_path / "model.safetensors")

    with pytest.raises(InputError) as caught:
        list(checked(tmp_path / "model.safetensors"))

    assert caught.value.code == "checks_unknown"


@pytest.mark.parametrize("name", [CHECK_PHOTOS, CHECK_ANSWERS])
@pytest.mark.parametrize("bad", ["short", "float"])
def test_a_file_with_numbers_that_are_not_the_photos_is_refused(
    name: str, bad: str, drawn_run: Path, tmp_path: Path
) -> None:
    model = read_model(drawn_run)
    value = model.tensors[name]
    changed = value[:-1] if bad == "short" else value.astype(np.float32)
    save_model(replace(model, tensors=model.tensors | {name: changed}), tmp_path / "model.safetensors")

    with pytest.raises(InputError) as caught:
        read_model(tmp_path / "model.safetensors")

    assert caught.value.code == "model_damaged"
