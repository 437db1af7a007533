"""From what was dropped to photos: in order, each once."""

import threading
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine.datasets.search import find_photos
from catdog_gui.engine.errors import Stopped


def touch(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return paths


def found(*sources: object) -> list[str]:
    return [str(item) for item in find_photos(sources)]


def test_files_come_in_the_order_they_were_given_whatever_they_are_called(tmp_path: Path) -> None:
    paths = touch(tmp_path, "b.jpg", "a.jpg", "notes.txt", "noending")

    assert list(find_photos(paths)) == paths


def test_a_folder_is_searched_with_all_below_in_a_fixed_order(tmp_path: Path) -> None:
    touch(tmp_path, "z.jpg", "a.JPG", "b/2.png", "b/1.webp", "a/c/deep.heic", "notes.txt", "b/film.mp4")

    names = [Path(name).relative_to(tmp_path).as_posix() for name in found(tmp_path)]

    assert names == ["a.JPG", "z.jpg", "a/c/deep.heic", "b/1.webp", "b/2.png"]
    assert found(tmp_path) == found(tmp_path)


def test_hidden_files_and_what_systems_leave_behind_are_not_found(tmp_path: Path) -> None:
    touch(tmp_path, "a.jpg", "._a.jpg", ".hidden.jpg", ".cache/x.jpg", "__MACOSX/a.jpg", "@eaDir/a.jpg")

    assert found(tmp_path) == [str(tmp_path / "a.jpg")]


def test_a_hidden_file_given_by_hand_is_tried(tmp_path: Path) -> None:
    (hidden,) = touch(tmp_path, ".hidden.jpg")

    assert found(hidden) == [str(hidden)]


def test_each_photo_comes_once_where_it_was_met_first(tmp_path: Path) -> None:
    touch(tmp_path, "in/a.jpg", "in/b.jpg", "in/sub/c.jpg")
    inner = tmp_path / "in"

    assert found(inner / "b.jpg", inner, inner / "sub", inner, str(inner / "a.jpg")) == [
        str(inner / name) for name in ("b.jpg", "a.jpg", "sub/c.jpg")
    ]


def test_a_relative_and_an_absolute_path_are_one_photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "a.jpg")
    monkeypatch.chdir(tmp_path)

    assert found("a.jpg", tmp_path / "a.jpg", "./a.jpg") == ["a.jpg"]


def test_links_in_circles_end(tmp_path: Path) -> None:
    touch(tmp_path, "in/a.jpg")
    (tmp_path / "in" / "again").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "up").symlink_to(tmp_path)

    assert found(tmp_path / "in") == [str(tmp_path / "in" / "a.jpg")]


def test_a_linked_folder_is_searched_and_a_broken_link_passed_over(tmp_path: Path) -> None:
    touch(tmp_path, "elsewhere/a.jpg")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "more").symlink_to(tmp_path / "elsewhere")
    (folder / "broken.jpg").symlink_to(tmp_path / "nowhere.jpg")

    assert found(folder) == [str(folder / "more" / "a.jpg")]


def test_any_unicode_name_is_found(tmp_path: Path) -> None:
    paths = touch(tmp_path, "Größe/ærøskøbing.jpg", "日本/猫 🐈.png")

    assert found(tmp_path) == [str(path) for path in paths]


def test_a_name_that_is_not_unicode_is_found(tmp_path: Path) -> None:
    odd = b"\xff.jpg".decode("utf-8", "surrogateescape")
    try:
        touch(tmp_path, odd)
    except OSError:
        pytest.skip("this file system takes Unicode names only")

    assert list(find_photos([tmp_path])) == [tmp_path / odd]


def test_what_is_no_path_passes_through_in_its_place(tmp_path: Path) -> None:
    (photo,) = touch(tmp_path, "a.jpg")
    picture = np.zeros((2, 2, 3), np.uint8)

    assert list(find_photos([b"data", photo, picture, b"data"])) == [b"data", photo, picture, b"data"]


@pytest.mark.parametrize("name", ["none.jpg", "x" * 5000 + ".jpg"], ids=["missing", "name too long"])
def test_what_is_not_there_is_left_to_its_answer(tmp_path: Path, name: str) -> None:
    touch(tmp_path, "a.jpg")

    assert found(tmp_path / name, tmp_path / "a.jpg") == [str(tmp_path / name), str(tmp_path / "a.jpg")]


def test_a_link_to_itself_is_left_to_its_answer(tmp_path: Path) -> None:
    loop = tmp_path / "loop.jpg"
    loop.symlink_to(loop)

    assert found(loop) == [str(loop)]


def test_an_empty_folder_and_nothing_give_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    assert found(tmp_path / "empty") == []
    assert found() == []


def test_searching_can_be_stopped(tmp_path: Path) -> None:
    for number in range(30):
        touch(tmp_path, f"{number}/a.jpg")
    asked = threading.Event()
    asked.set()

    with pytest.raises(Stopped):
        list(find_photos([tmp_path], asked.is_set))


def test_the_first_photo_comes_before_later_folders_are_searched(tmp_path: Path) -> None:
    touch(tmp_path, "a/1.jpg", "b/2.jpg")
    photos = find_photos([tmp_path / "a", tmp_path / "b"])
    next(photos)
    touch(tmp_path, "b/3.jpg")

    assert [path.name for path in photos] == ["2.jpg", "3.jpg"]
