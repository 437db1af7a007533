"""A folder becomes classes, photos and plain words about what is wrong with it."""

import hashlib
import json
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from catdog_gui.engine.datasets import dataset
from catdog_gui.engine.datasets import deep as deep_check
from catdog_gui.engine.datasets.dataset import TO_SPLIT, TRAIN, VAL, Scan, check_deep, scan, without
from catdog_gui.engine.errors import InputError, PhotoError, Stopped
from catdog_gui.engine.photos import reading


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"not looked into")


def classes_in(folder: Path, counts: Mapping[str, int], ending: str = "jpg") -> Path:
    for name, count in counts.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        touch(folder / name, *(f"{number:03}.{ending}" for number in range(count)))
    return folder


def warnings_of(found: Scan) -> dict[str, str]:
    return {item["code"]: item["message"] for item in found.to_json()["warnings"]}


def skipped_of(found: Scan) -> dict[str, str]:
    return {item.path: item.code for item in found.skipped}


def deep(found: Scan) -> Scan:
    return check_deep(found, workers=2, should_stop=lambda: False, on_progress=lambda *_: None)


def why_not(folder: Path, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        scan(folder, **options)  # type: ignore[arg-type]
    assert "Unknown message" not in str(caught.value)
    assert "{" not in str(caught.value)
    return caught.value.code


# --- class folders ---------------------------------------------------------------------------------------------------


def test_sub_folders_are_classes_and_their_photos_are_counted(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"dogs": 30, "cats": 20}))

    assert found.trainable
    assert found.layout == "class_folders"
    assert found.classes == ("cats", "dogs")
    assert found.counts == {"cats": 20, "dogs": 30}
    assert found.paths[0] == "cats/000.jpg"
    assert list(found.labels) == [0] * 20 + [1] * 30
    assert set(found.sides) == {TO_SPLIT}
    assert not found.warnings
    assert found.path(49) == tmp_path / "dogs" / "029.jpg"


def test_sub_folders_of_a_class_belong_to_it(tmp_path: Path) -> None:
    touch(classes_in(tmp_path, {"cats": 20, "dogs": 20}), "cats/indoor/2021/a.jpg", "cats/indoor/b.jpg")

    assert scan(tmp_path).counts == {"cats": 22, "dogs": 20}


def test_all_photo_endings_count_in_any_case_and_others_are_listed(tmp_path: Path) -> None:
    endings = ["JPG", "jpeg", "Png", "gif", "bmp", "webp", "tif", "TIFF", "heic", "avif", "jfif", "ppm"]
    touch(classes_in(tmp_path, {"cats": 20, "dogs": 20}), *(f"cats/photo.{ending}" for ending in endings))
    touch(tmp_path, "cats/notes.txt", "dogs/film.mp4", "dogs/no_ending", "labels.csv")

    found = scan(tmp_path)

    assert found.counts["cats"] == 20 + len(endings)
    assert skipped_of(found) == dict.fromkeys(["cats/notes.txt", "dogs/film.mp4", "dogs/no_ending"], "not_a_photo_name")


def test_hidden_and_left_over_files_are_never_mentioned(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20})
    hidden = [".ipynb_checkpoints", "$RECYCLE.BIN", "System Volume Information", "__MACOSX", "@eaDir", ".git"]
    for name in hidden:
        touch(tmp_path, f"{name}/x.jpg", f"cats/{name}/y.jpg")
    touch(tmp_path, ".DS_Store", "cats/.DS_Store", "cats/._000.jpg", "cats/Thumbs.db", "dogs/desktop.ini")

    found = scan(tmp_path)

    assert found.counts == {"cats": 20, "dogs": 20}
    assert not found.skipped
    assert not found.warnings


def test_photos_beside_the_class_folders_are_listed(tmp_path: Path) -> None:
    touch(classes_in(tmp_path, {"cats": 20, "dogs": 20}), "odd.jpg")

    assert skipped_of(scan(tmp_path)) == {"odd.jpg": "loose_photo"}


def test_an_icloud_placeholder_is_named(tmp_path: Path) -> None:
    touch(classes_in(tmp_path, {"cats": 20, "dogs": 20}), "cats/.fluffy.jpg.icloud")

    assert skipped_of(scan(tmp_path)) == {"cats/fluffy.jpg": "not_downloaded"}


def test_an_empty_class_is_left_out_with_a_warning(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"bird": 0, "cats": 20, "dogs": 20}))

    assert found.trainable
    assert found.classes == ("cats", "dogs")
    assert warnings_of(found) == {"empty_class": "“bird” has no photos and is left out."}


@pytest.mark.parametrize("name", ["кот 犬 🐕", "æøå", "a#b %20 100% & 'c' \"d\"", "name with {braces}", "  spaced"])
def test_any_name_is_a_class(tmp_path: Path, name: str) -> None:
    if sys.platform == "win32" and '"' in name:
        pytest.skip("not a file name there")
    found = scan(classes_in(tmp_path / name, {name: 8, "other": 2}))

    assert found.counts == {name: 8, "other": 2}
    assert name in str(found.to_json()["warnings"]) or name in found.to_json()["classes"]
    assert json.dumps(found.to_json(), ensure_ascii=False).encode()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are Unicode there")
def test_undecodable_names_are_used_and_shown_as_valid_unicode(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20})
    strange = tmp_path / os.fsdecode(b"caf\xe9")
    touch(strange, *(os.fsdecode(b"\xff%d.jpg" % number) for number in range(20)), os.fsdecode(b"\xfe.txt"))

    found = scan(tmp_path)

    assert found.counts == {"caf\\udce9": 20, "cats": 20}
    assert found.path(0).exists()
    assert json.dumps(deep(found).to_json(), ensure_ascii=False).encode()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="one folder there")
@pytest.mark.parametrize(("one", "other"), [("Cats", "cats"), ("caf\u00e9", "cafe\u0301")])
def test_names_that_differ_in_case_or_accents_stay_apart_with_a_warning(tmp_path: Path, one: str, other: str) -> None:
    found = scan(classes_in(tmp_path, {one: 20, other: 20}))

    assert len(found.classes) == 2
    assert "classes_alike" in warnings_of(found)


def test_the_order_of_classes_does_not_depend_on_case(tmp_path: Path) -> None:
    assert scan(classes_in(tmp_path, {"Zebra": 20, "ant": 20, "Bee": 20})).classes == ("ant", "Bee", "Zebra")


# --- counts ----------------------------------------------------------------------------------------------------------


def test_a_class_under_four_photos_refuses_the_dataset_and_is_named(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 3, "dogs": 50}))

    assert not found.trainable
    assert "“cats” has only 3 photos; at least 4" in found.to_json()["reason"]
    with pytest.raises(InputError, match="“cats” has only 3 photos"):
        found.refuse()


def test_a_class_under_twenty_photos_is_warned_about(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 19, "dogs": 20}))

    assert found.trainable
    assert "“cats” has only 19 photos" in warnings_of(found)["few_photos"]


def test_imbalance_is_warned_about_from_one_to_five(tmp_path: Path) -> None:
    assert "imbalanced" not in warnings_of(scan(classes_in(tmp_path / "a", {"cats": 99, "dogs": 20})))
    warning = warnings_of(scan(classes_in(tmp_path / "b", {"cats": 100, "dogs": 20})))["imbalanced"]
    assert "always answering “cats” would already be right 83 % of the time" in warning


def test_one_class_is_refused_by_name(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 20}))

    assert found.layout == "one_class"
    assert found.to_json()["reason"].startswith("At least two classes are needed; found only “cats”.")


def test_a_folder_without_photos_is_empty(tmp_path: Path) -> None:
    touch(tmp_path, "notes.txt", "more/notes.txt")
    found = scan(tmp_path)

    assert found.layout == "empty"
    assert not found.trainable


# --- wrong folder ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("levels", ["PetImages", "a/b/PetImages"])
def test_a_wrapper_folder_offers_the_inner_one(tmp_path: Path, levels: str) -> None:
    classes_in(tmp_path / levels, {"Cat": 20, "Dog": 20})
    touch(tmp_path, "readme.txt", "docs/manual.txt")

    found = scan(tmp_path)

    assert (found.layout, found.trainable) == ("wrapped", False)
    assert [(offer.code, offer.path) for offer in found.offers] == [("use_inner_folder", tmp_path / levels)]
    assert scan(found.offers[0].path).counts == {"Cat": 20, "Dog": 20}
    assert found.to_json()["offers"][0]["path"] == str(tmp_path / levels)
    with pytest.raises(InputError) as caught:
        found.refuse()
    assert str(tmp_path / levels) in str(caught.value)


def test_a_picked_class_folder_offers_its_parent(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20})

    found = scan(tmp_path / "cats")

    assert (found.layout, found.trainable) == ("flat", False)
    assert found.reason is not None
    assert found.reason.code == "class_folder_picked"
    assert [(offer.code, offer.path) for offer in found.offers] == [("use_parent_folder", tmp_path)]


def test_loose_photos_with_no_neighbours_ask_for_class_folders(tmp_path: Path) -> None:
    touch(tmp_path / "all", "a.jpg", "b.jpg", "c.jpg")

    found = scan(tmp_path / "all")

    assert found.layout == "flat"
    assert "Make one sub-folder per class" in found.to_json()["reason"]
    assert found.offers == ()


def test_a_folder_above_that_could_not_be_learned_from_is_not_offered(tmp_path: Path) -> None:
    touch(tmp_path, *(f"loose{number}.jpg" for number in range(100)))
    classes_in(tmp_path, {"cats": 20, "dogs": 20})
    classes_in(tmp_path / "few", {"cats": 20, "dogs": 1})

    for picked in (tmp_path / "cats", tmp_path / "few" / "cats"):
        found = scan(picked)
        assert found.layout == "flat"
        assert found.offers == ()
        assert "Make one sub-folder per class" in found.to_json()["reason"]


def test_the_folder_above_is_offered_however_many_photos_are_in_it(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 7000})

    assert [offer.path for offer in scan(tmp_path / "cats").offers] == [tmp_path]


def test_what_is_no_folder_is_refused_in_words(tmp_path: Path) -> None:
    touch(tmp_path, "photos.zip", "photo.jpg", "photos.TAR", "photos.7z")
    (tmp_path / "renamed.bin").write_bytes(b"PK\x05\x06" + b"\x00" * 18)

    assert why_not(tmp_path / "nowhere") == "folder_missing"
    assert why_not(tmp_path / "photo.jpg") == "not_a_folder"
    for name in ("photos.zip", "photos.TAR", "photos.7z", "renamed.bin"):
        assert why_not(tmp_path / name) == "archive_given"


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_forbidden_folders_are_refused_or_listed(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20, "dogs/secret": 5})
    (tmp_path / "dogs/secret").chmod(0)
    try:
        assert skipped_of(scan(tmp_path)) == {"dogs/secret": "folder_forbidden"}
        assert why_not(tmp_path / "dogs/secret") == "data_forbidden"
    finally:
        (tmp_path / "dogs/secret").chmod(0o700)


# --- train and validation folders ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("train", "val"),
    [
        ("train", "val"),
        ("Training", "Validation"),
        ("TRAIN", "valid"),
        ("trn", "eval"),
        ("train", "test"),
        ("training_set", "test_set"),
        ("train_images", "val_images"),
    ],
)
def test_train_and_validation_folders_are_the_split(tmp_path: Path, train: str, val: str) -> None:
    classes_in(tmp_path / train, {"cats": 30, "dogs": 30})
    classes_in(tmp_path / val, {"cats": 5, "dogs": 6})

    found = scan(tmp_path)

    assert found.layout == "train_val"
    assert found.classes == ("cats", "dogs")
    assert (found.sides.count(TRAIN), found.sides.count(VAL)) == (60, 11)
    assert all(
        (path.split("/")[0] == val) == (side == VAL) for path, side in zip(found.paths, found.sides, strict=True)
    )
    assert warnings_of(found) == {
        "train_val_layout": f"The folders say how to split: “{train}” to learn from, “{val}” to check with."
    }


def test_the_folders_split_can_be_undone(tmp_path: Path) -> None:
    classes_in(tmp_path / "train", {"cats": 30, "dogs": 30})
    classes_in(tmp_path / "val", {"cats": 5, "dogs": 6})

    found = scan(tmp_path, use_split=False)

    assert found.counts == {"cats": 35, "dogs": 36}
    assert set(found.sides) == {TO_SPLIT}
    assert not found.warnings


def test_doubled_train_and_test_folders_are_seen_through(tmp_path: Path) -> None:
    classes_in(tmp_path / "training_set/training_set", {"cats": 30, "dogs": 30})
    classes_in(tmp_path / "test_set/test_set", {"cats": 5, "dogs": 6})

    found = scan(tmp_path)

    assert found.layout == "train_val"
    assert found.counts == {"cats": 35, "dogs": 36}


def test_wrapped_train_and_validation_folders_are_offered(tmp_path: Path) -> None:
    classes_in(tmp_path / "data/train", {"cats": 30, "dogs": 30})
    classes_in(tmp_path / "data/val", {"cats": 5, "dogs": 6})

    assert [offer.path for offer in scan(tmp_path).offers] == [tmp_path / "data"]


def test_beside_a_validation_folder_the_test_folder_is_not_used(tmp_path: Path) -> None:
    for name in ("train", "val", "test"):
        classes_in(tmp_path / name, {"cats": 20, "dogs": 20})

    found = scan(tmp_path)

    assert len(found.paths) == 80
    assert skipped_of(found) == {"test": "folder_not_used"}


def test_a_train_folder_with_an_unlabelled_test_folder_is_offered(tmp_path: Path) -> None:
    classes_in(tmp_path / "train", {"cats": 20, "dogs": 20})
    touch(tmp_path / "test", "1.jpg", "2.jpg")

    assert [offer.path for offer in scan(tmp_path).offers] == [tmp_path / "train"]


def test_classes_go_by_name_from_the_training_side(tmp_path: Path) -> None:
    classes_in(tmp_path / "train", {"ants": 20, "cats": 20, "dogs": 20})
    classes_in(tmp_path / "val", {"Bees": 5, "cats": 5, "Dogs": 5})

    found = scan(tmp_path)

    assert found.classes == ("ants", "cats", "dogs")
    in_val = {
        (found.paths[at].split("/")[1], found.classes[found.labels[at]]) for at in range(75) if at < len(found.paths)
    }
    assert ("Dogs", "dogs") in in_val
    assert skipped_of(found) == {"val/Bees": "class_only_in_val"}
    assert "“ants” has no photos to check with" in warnings_of(found)["val_class_missing"]
    assert "“Bees” is only in the check folder" in warnings_of(found)["val_class_extra"]


def test_classes_called_train_and_car_are_classes(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"train": 20, "car": 20}))

    assert found.layout == "class_folders"
    assert found.classes == ("car", "train")


def test_a_separate_folder_to_check_with(tmp_path: Path) -> None:
    data = classes_in(tmp_path / "data", {"cats": 20, "dogs": 20})
    check = classes_in(tmp_path / "check", {"cats": 4, "dogs": 4})

    found = scan(data, val=check)

    assert found.sides.count(VAL) == 8
    assert all(found.path(at).is_file() for at in range(len(found.paths)))
    assert found.trainable


def test_a_check_folder_inside_the_dataset_is_no_class(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20})
    check = classes_in(tmp_path / "mine", {"cats": 4, "dogs": 4})

    found = scan(tmp_path, val=check)

    assert found.classes == ("cats", "dogs")
    assert (found.sides.count(TRAIN), found.sides.count(VAL)) == (40, 8)


def test_a_check_folder_without_the_classes_is_refused(tmp_path: Path) -> None:
    data = classes_in(tmp_path / "data", {"cats": 20, "dogs": 20})

    assert why_not(data, val=classes_in(tmp_path / "check", {"birds": 4})) == "val_without_classes"
    assert why_not(data, val=tmp_path / "nowhere") == "folder_missing"


# --- links -----------------------------------------------------------------------------------------------------------

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@needs_links
def test_a_link_loop_does_not_multiply_photos(tmp_path: Path) -> None:
    classes_in(tmp_path / "photos", {"cats": 20, "dogs": 20})
    for name, target in (("up", ".."), ("me", "."), ("root", "/"), ("dogs", "../dogs"), ("above", tmp_path)):
        (tmp_path / "photos/cats" / name).symlink_to(target, target_is_directory=True)

    found = scan(tmp_path / "photos")

    assert found.counts == {"cats": 20, "dogs": 20}
    assert set(skipped_of(found).values()) == {"linked_again"}
    assert len(found.skipped) == 5


@needs_links
def test_links_to_photos_and_folders_elsewhere_are_followed_once(tmp_path: Path) -> None:
    classes_in(tmp_path / "elsewhere", {"dogs": 20, "one": 1})
    classes_in(tmp_path / "photos", {"cats": 20})
    (tmp_path / "photos/dogs").symlink_to(tmp_path / "elsewhere/dogs", target_is_directory=True)
    (tmp_path / "photos/dogs_again").symlink_to(tmp_path / "elsewhere/dogs", target_is_directory=True)
    (tmp_path / "photos/cats/linked.jpg").symlink_to(tmp_path / "elsewhere/one/000.jpg")

    found = scan(tmp_path / "photos")

    assert found.counts == {"cats": 21, "dogs": 20}


@needs_links
def test_broken_links_and_pipes_are_listed(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20})
    (tmp_path / "cats/gone.jpg").symlink_to("nowhere.jpg")
    os.mkfifo(tmp_path / "cats/pipe.jpg")

    assert skipped_of(scan(tmp_path)) == {"cats/gone.jpg": "broken_link", "cats/pipe.jpg": "not_regular_file"}


# --- stopping and size -----------------------------------------------------------------------------------------------


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    classes_in(tmp_path, {"cats": 5, "dogs": 5})

    with pytest.raises(Stopped):
        scan(tmp_path, should_stop=lambda: True)


def test_a_scan_says_how_far_it_is(tmp_path: Path) -> None:
    seen: list[int] = []
    scan(classes_in(tmp_path, {"cats": 5, "dogs": 7}), progress=seen.append)

    assert seen == sorted(seen)
    assert seen[-1] == 12


def test_a_scan_does_not_look_into_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    classes_in(tmp_path, {"cats": 20, "dogs": 20})

    def no_reading(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Path, "open", no_reading)
    monkeypatch.setattr(Path, "read_bytes", no_reading)

    assert scan(tmp_path).trainable


# --- without ---------------------------------------------------------------------------------------------------------


def test_unusable_photos_are_taken_out_and_listed(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 21, "dogs": 20}))

    left = without(found, {0: PhotoError("empty"), 40: PhotoError("truncated", format="JPEG")})

    assert left.counts == {"cats": 20, "dogs": 19}
    assert left.paths == [path for at, path in enumerate(found.paths) if at not in (0, 40)]
    assert len(left.labels) == len(left.sides) == 39
    assert skipped_of(left) == {"cats/000.jpg": "empty", "dogs/019.jpg": "truncated"}
    assert set(warnings_of(left)) == {"few_photos"}


def test_a_class_without_a_readable_photo_is_left_out_by_name(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"ants": 20, "cats": 20, "dogs": 20}))

    left = without(found, {at: PhotoError("empty") for at in range(20, 40)})

    assert left.trainable
    assert left.classes == ("ants", "dogs")
    assert list(left.labels) == [0] * 20 + [1] * 20
    assert warnings_of(left) == {"class_unreadable": "No photo of “cats” could be read: the class is left out."}


def test_when_too_little_is_left_the_dataset_is_refused(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 20, "dogs": 20}))

    assert "found only “dogs”" in without(found, {at: PhotoError("empty") for at in range(20)}).to_json()["reason"]
    assert "“cats” has only 2" in without(found, {at: PhotoError("empty") for at in range(18)}).to_json()["reason"]
    assert "None of the photos" in without(found, {at: PhotoError("empty") for at in range(40)}).to_json()["reason"]


def test_a_folder_with_only_heic_says_so(tmp_path: Path) -> None:
    found = scan(classes_in(tmp_path, {"cats": 20, "dogs": 20}, "HEIC"))

    left = without(found, {at: PhotoError("heic_unsupported") for at in range(40)})

    assert left.to_json()["reason"].startswith("40 photos are in HEIC format")


# --- deep ------------------------------------------------------------------------------------------------------------


def test_the_deep_check_lists_what_cannot_be_read_with_its_reason(tiny_dataset: Path) -> None:
    (tiny_dataset / "cats/0000.jpg").write_bytes(b"")
    cut = tiny_dataset / "cats/0001.jpg"
    cut.write_bytes(cut.read_bytes()[:900])
    (tiny_dataset / "dogs/0000.jpg").write_bytes(b"<!doctype html><p>Denied")
    seen: list[tuple[int, int]] = []
    photos: dict[int, PhotoError | None] = {}

    found = check_deep(
        scan(tiny_dataset),
        workers=2,
        should_stop=lambda: False,
        on_progress=lambda done, total: seen.append((done, total)),
        on_photo=photos.__setitem__,
    )

    assert found.counts == {"cats": 22, "dogs": 23}
    assert skipped_of(found) == {"cats/0000.jpg": "empty", "cats/0001.jpg": "truncated", "dogs/0000.jpg": "web_page"}
    assert seen[-1] == (48, 48)
    assert sorted(photos) == list(range(48))
    assert sum(reason is not None for reason in photos.values()) == 3


def test_the_deep_check_can_be_stopped(tiny_dataset: Path) -> None:
    done: list[int] = []

    with pytest.raises(Stopped):
        check_deep(
            scan(tiny_dataset),
            workers=2,
            should_stop=lambda: bool(done),
            on_progress=lambda count, _: done.append(count),
        )

    assert done[-1] < 48


def test_the_deep_check_names_a_photo_that_does_not_come_and_can_be_stopped_meanwhile(
    tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    came, told = threading.Event(), list[Path]()

    def read(path: Path) -> bytes:
        if path.name == "0003.jpg":
            came.wait(60)
        return path.read_bytes()

    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(deep_check, "read_bytes", read)
    try:
        with pytest.raises(Stopped):
            check_deep(
                scan(tiny_dataset),
                workers=2,
                should_stop=lambda: bool(told),
                on_progress=lambda *_: None,
                on_slow=told.append,
            )
    finally:
        came.set()

    assert told == [tiny_dataset / "cats" / "0003.jpg"]


def test_the_deep_check_of_nothing_ends(tmp_path: Path) -> None:
    assert not deep(scan(tmp_path)).trainable


def tree_hash(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        total.update(f"{path} {status.st_mode} {status.st_size} {status.st_mtime_ns}".encode())
        if path.is_file():
            total.update(path.read_bytes())
    return total.hexdigest()


def test_the_photo_folder_is_never_written_to(tiny_dataset: Path) -> None:
    (tiny_dataset / "cats/0000.jpg").write_bytes(b"broken")
    before = tree_hash(tiny_dataset)

    found = scan(tiny_dataset)
    deep(found)
    deep(scan(tiny_dataset / "cats"))

    assert tree_hash(tiny_dataset) == before


def test_dataset_is_the_one_door(tiny_dataset: Path) -> None:
    """Other modules import from `dataset`; every promised name is there."""
    for name in dataset.__all__:
        assert hasattr(dataset, name)
