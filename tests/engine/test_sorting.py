"""Photos copied into folders by their answers: never out of the folder, never over anything."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catdog_gui.engine.answers.sorting import folder_name, folder_names, sort_into
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Prediction


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "rex.jpg"
    path.parent.mkdir()
    path.write_bytes(b"pixels")
    os.utime(path, (1000, 1000))
    return path


def answer(label: str = "cats", verdict: Any = "sure", classes: tuple[str, ...] = ("cats", "dogs")) -> Prediction:
    sure = label if verdict == "sure" else None
    return Prediction("x", verdict, sure, label, dict.fromkeys(classes, 0.5), True, 0.1)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- where a photo goes ----------------------------------------------------------------------------------------------


def test_a_sure_photo_is_copied_into_its_class_with_its_date(photo: Path, tmp_path: Path) -> None:
    place = sort_into(tmp_path / "out", photo, answer("dogs"))

    assert place == tmp_path / "out" / "dogs" / "rex.jpg"
    assert place.read_bytes() == b"pixels"
    assert place.stat().st_mtime == 1000
    assert photo.read_bytes() == b"pixels"


@pytest.mark.parametrize("verdict", ["not_sure", "none_of_these"])
def test_other_photos_go_into_the_folder_of_their_verdict(photo: Path, tmp_path: Path, verdict: str) -> None:
    sort_into(tmp_path / "out", photo, answer(verdict=verdict))

    assert files(tmp_path / "out") == {f"{verdict}/rex.jpg": b"pixels"}


def test_an_unreadable_photo_stays_and_makes_no_folder(photo: Path, tmp_path: Path) -> None:
    assert sort_into(tmp_path / "out", photo, answer(verdict="unreadable")) is None
    assert not (tmp_path / "out").exists()


# --- nothing is overwritten ------------------------------------------------------------------------------------------


def test_photos_of_one_name_are_numbered(photo: Path, tmp_path: Path) -> None:
    for data in (b"1", b"2", b"3"):
        photo.write_bytes(data)
        sort_into(tmp_path / "out", photo, answer())

    assert files(tmp_path / "out" / "cats") == {"rex.jpg": b"1", "rex (2).jpg": b"2", "rex (3).jpg": b"3"}


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("noending", "noending (2)"),
        (".hidden", ".hidden (2)"),
        ("a.b.jpg", "a.b (2).jpg"),
        ("dot.", "dot (2)."),
        ("日本語.png", "日本語 (2).png"),
    ],
)
def test_the_number_comes_before_the_ending(tmp_path: Path, name: str, second: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    for _ in range(2):
        sort_into(tmp_path / "out", tmp_path / name, answer())

    assert set(files(tmp_path / "out" / "cats")) == {name, second}


def test_links_that_are_there_are_neither_followed_nor_replaced(photo: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "cats"
    folder.mkdir(parents=True)
    precious = tmp_path / "precious.txt"
    precious.write_bytes(b"mine")
    (folder / "rex.jpg").symlink_to(precious)
    (folder / "rex (2).jpg").symlink_to(tmp_path / "nowhere")

    place = sort_into(tmp_path / "out", photo, answer())

    assert place == folder / "rex (3).jpg"
    assert precious.read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_carries_the_photos_name_is_in_nobodys_way(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "cats" / "rex.jpg").mkdir(parents=True)

    assert sort_into(tmp_path / "out", photo, answer()) == tmp_path / "out" / "cats" / "rex (2).jpg"


def test_a_photo_that_is_a_link_is_copied_as_a_file(photo: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.jpg"
    link.symlink_to(photo)

    place = sort_into(tmp_path / "out", link, answer())

    assert place is not None
    assert not place.is_symlink()
    assert place.read_bytes() == b"pixels"


# --- names that a model file may bring -------------------------------------------------------------------------------

EVIL = [
    "../x",
    "..",
    ".",
    "",
    "   ",
    "a/b",
    "a\\b",
    "/etc",
    "C:\\x",
    "con",
    "CON.txt",
    "lpt1",
    "com¹",
    "nul .x",
    "x.",
    "x ",
    "a\x00b",
    "a\nb",
    "\ud800",
    "n" * 5000,
    "猫" * 500,
]


@pytest.mark.parametrize("name", EVIL, ids=lambda name: ascii(name[:20]))
def test_no_class_name_leads_out_of_the_folder(photo: Path, tmp_path: Path, name: str) -> None:
    place = sort_into(tmp_path / "out", photo, answer(name, classes=(name, "dogs")))

    assert place is not None
    assert place.parent.parent == tmp_path / "out"
    assert place.resolve() == place
    assert list(files(tmp_path / "out").values()) == [b"pixels"]
    assert set(tmp_path.iterdir()) == {tmp_path / "in", tmp_path / "out", *tmp_path.glob("catdog-home")}


@given(st.text(max_size=300))
def test_every_class_name_is_one_folder_name_on_every_system(name: str) -> None:
    folder = folder_name(name)

    assert folder not in ("", ".", "..")
    assert not set(folder) & set('<>:"/\\|?*\0')
    assert folder == folder.strip(" ").rstrip(".")
    assert len(folder.encode()) <= 201
    assert folder.partition(".")[0].strip().lower() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}


@pytest.mark.parametrize("name", ["cats", "Große Hunde", "犬", "a.b", "cat (2)", "_x"])
def test_usual_class_names_stay_as_they_are(name: str) -> None:
    assert folder_name(name) == name


@pytest.mark.parametrize(
    "classes",
    [
        ("a/b", "a_b", "a:b"),
        ("Cats", "cats", "CATS"),
        ("", "_", " "),
        ("not_sure", "none_of_these", "cats"),
        ("x", "x.", "x "),
        ("n" * 300, "n" * 301, "n" * 200),
        ("STRASSE", "straße"),
    ],
    ids=lambda classes: classes[0][:10],
)
def test_different_classes_never_share_a_folder(classes: tuple[str, ...]) -> None:
    names = folder_names(classes)

    taken = [name.casefold() for name in names.values()]
    assert set(names) == set(classes)
    assert len({*taken, "not_sure", "none_of_these"}) == len(classes) + 2
    assert folder_names(classes) == names


def test_a_class_whose_name_is_a_folder_name_keeps_it_beside_one_that_is_not() -> None:
    assert folder_names(("a/b", "a_b")) == {"a_b": "a_b", "a/b": "a_b (2)"}


def test_a_class_called_not_sure_is_not_mixed_with_the_unsure(photo: Path, tmp_path: Path) -> None:
    classes = ("not_sure", "dogs")
    sort_into(tmp_path / "out", photo, answer("not_sure", classes=classes))
    sort_into(tmp_path / "out", photo, answer("dogs", "not_sure", classes=classes))

    assert set(files(tmp_path / "out")) == {"not_sure (2)/rex.jpg", "not_sure/rex.jpg"}


# --- what goes wrong -------------------------------------------------------------------------------------------------


def test_a_target_that_cannot_be_made_is_named(photo: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"a file")

    with pytest.raises(CatDogError, match="out") as caught:
        sort_into(tmp_path / "out", photo, answer())
    assert caught.value.code == "cannot_write"


def test_a_photo_that_vanished_is_not_blamed_on_the_target(tmp_path: Path) -> None:
    with pytest.raises(CatDogError, match=r"gone\.jpg cannot be read") as caught:
        sort_into(tmp_path / "out", tmp_path / "gone.jpg", answer())
    assert caught.value.code == "cannot_read"


def test_a_full_disk_leaves_no_half_copy(tmp_path: Path, small_disk: Path) -> None:
    big = tmp_path / "big.jpg"
    big.write_bytes(bytes(2**20))

    with pytest.raises(CatDogError) as caught:
        sort_into(small_disk, big, answer())

    assert caught.value.code == "disk_full"
    assert files(small_disk) == {}


def test_many_photos_are_sorted_by_different_models_without_mixing(tmp_path: Path) -> None:
    def photos() -> Iterator[Path]:
        for number in range(6):
            path = tmp_path / f"{number}.jpg"
            path.write_bytes(bytes([number]))
            yield path

    for path, classes in zip(photos(), [("a/b", "c"), ("a_b", "a/b"), ("x", "y")] * 2, strict=True):
        sort_into(tmp_path / "out", path, answer(classes[0], classes=classes))

    assert {name.partition("/")[0] for name in files(tmp_path / "out")} == {"a_b", "x"}
