"""The troublesome files and folders of CATDOG_BAD_INPUTS: each has its required outcome and its true reason."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.datasets.dataset import TRAIN, VAL, Scan, check_deep, scan
from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.photos.images import Recipe, decode, heic_supported, read_bytes

pytestmark = pytest.mark.bad_inputs

# What the reason must be, by id; any other image that is to be skipped fails the test.
PHOTO_CODES = {
    "IMG-01": "empty",
    "IMG-02": "truncated",
    "IMG-03": "truncated",
    "IMG-03b": "damaged",
    "IMG-04": "web_page",
    "IMG-04c": "pdf",
    "IMG-06": "damaged" if heic_supported() else "heic_unsupported",
    "IMG-21": "too_many_pixels",
    "IMG-24": "too_narrow",
    "IMG-24c": "too_narrow",
}
WARNINGS = {
    "DIR-01": {"empty_class"},
    "DIR-19": {"copies_across_split", "near_copies_across_split"},
    "DIR-20": {"same_photo_two_classes"},
    "DIR-21": {"imbalanced"},
}
REFUSALS = {
    "DIR-02": ("one_class", "too_few_classes"),
    "DIR-03": ("flat", "class_folder_picked"),
    "DIR-05": ("wrapped", "wrapper_folder"),
    "DIR-22": ("class_folders", "too_few_photos"),
}
ALWAYS_FINE = {"few_photos", "train_val_layout"}


def entries(*kinds: str) -> list[Any]:
    manifest = Path(os.environ.get("CATDOG_BAD_INPUTS", ""), "manifest.json")
    if not manifest.is_file():
        return [pytest.param(None, id="not here")]
    found = json.loads(manifest.read_text(encoding="utf-8"))
    return [pytest.param(entry, id=entry["path"]) for entry in found if entry["kind"] in kinds]


def deep(folder: Path) -> Scan:
    return check_deep(scan(folder), workers=2, should_stop=lambda: False, on_progress=lambda *_: None)


@pytest.mark.parametrize("entry", entries("image", "predict"))
def test_an_image_is_usable_or_skipped_with_its_true_reason(entry: dict[str, str], bad_inputs_dir: Path) -> None:
    path = bad_inputs_dir / entry["path"]
    expected = entry["expected"]
    try:
        picture = decode(read_bytes(path), Recipe())
        outcome = "usable"
    except PhotoError as error:
        outcome = error.code
    if outcome == "usable":
        assert "usable" in expected
        assert picture.shape == (224, 224, 3)
    else:
        assert "skipped" in expected
        assert outcome == PHOTO_CODES[entry["id"]]


def test_sixteen_bit_and_turned_photos_keep_their_content(bad_inputs_dir: Path) -> None:
    images = bad_inputs_dir / "images"

    assert len(set(decode(read_bytes(images / "IMG-11_gray16.png"), Recipe()).ravel().tolist())) > 60
    turned = [decode(read_bytes(path), Recipe()).astype(int) for path in sorted(images.glob("IMG-18*.jpg"))]
    assert len(turned) >= 2
    assert all(abs(other - turned[0]).mean() < 4 for other in turned)


@pytest.mark.parametrize("entry", entries("folder"))
def test_a_folder_trains_or_is_refused_with_its_true_reason(entry: dict[str, str], bad_inputs_dir: Path) -> None:
    found = deep(bad_inputs_dir / entry["path"])
    warnings = {item.code for item in found.warnings}

    if entry["expected"].startswith("train"):
        assert found.trainable
        assert warnings - ALWAYS_FINE == WARNINGS.get(entry["id"], set())
    else:
        assert found.reason is not None
        assert (found.layout, found.reason.code) == REFUSALS[entry["id"]]
        assert bool(found.offers) == ("offer" in entry["expected"])
        if found.layout == "wrapped":
            assert scan(found.offers[0].path).trainable
    assert json.dumps(found.to_json(), ensure_ascii=False).encode()


def test_counts_are_the_photos_that_are_really_there(bad_inputs_dir: Path) -> None:
    folders = bad_inputs_dir / "folders"

    assert scan(folders / "DIR-01_empty_class").counts == {"cat": 12, "dog": 12}
    assert scan(folders / "DIR-09_jupyter_checkpoints").classes == ("cat", "dog")
    assert scan(folders / "DIR-11_mac_leftovers").counts == {"cat": 10, "dog": 10}
    split = scan(folders / "DIR-06_train_validation")
    assert set(split.sides) == {TRAIN, VAL}


def test_copies_across_the_split_are_counted(bad_inputs_dir: Path) -> None:
    found = deep(next((bad_inputs_dir / "folders").glob("DIR-19*")))
    counts = {item.code: item.fields.get("count") for item in found.warnings}

    assert counts["copies_across_split"] == 8
    assert counts["near_copies_across_split"] == 2


@pytest.mark.parametrize("entry", entries("archive"))
def test_an_archive_is_refused_and_nothing_is_written(entry: dict[str, str], bad_inputs_dir: Path) -> None:
    with pytest.raises(InputError) as caught:
        scan(bad_inputs_dir / entry["path"])

    assert (caught.value.code, caught.value.exit_code) == ("archive_given", 3)


def test_nothing_in_the_folders_is_changed(bad_inputs_dir: Path) -> None:
    def state() -> str:
        total = hashlib.sha256()
        for path in sorted(bad_inputs_dir.rglob("*")):
            total.update(f"{path} {path.lstat().st_mtime_ns}".encode("utf-8", "surrogateescape"))
            total.update(path.read_bytes() if path.is_file() else b"")
        return total.hexdigest()

    before = state()
    for folder in sorted((bad_inputs_dir / "folders").iterdir()):
        deep(folder)

    assert state() == before
