"""Moving photos into folders by class: never over anything, and back again."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine import home
from catdog_gui.engine.answers import moving
from catdog_gui.engine.answers.sorting import Sorter
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.events import Prediction


def answer(label: str = "cats", verdict: str = "sure") -> Prediction:
    shares = {"cats": 0.9, "dogs": 0.1}
    return Prediction("", verdict, label if verdict == "sure" else None, label, shares, True, 0.1)  # type: ignore[arg-type]


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Three photos, two of one name."""
    for name in ("in/rex.jpg", "in/more/rex.jpg", "in/tom.jpg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path / "in"


def move_all(photos: Path, target: Path) -> moving.MoveSummary | None:
    sorter = Sorter(target, move=True)
    for photo in sorted(photos.rglob("*.jpg")):
        sorter.sort(photo, answer())
    sorter.close()
    return moving.newest()


def no_links(*_: object, **__: object) -> None:
    raise OSError(18, "Invalid cross-device link")


@pytest.fixture(params=["one drive", "two drives"])
def _drives(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "two drives":
        monkeypatch.setattr(os, "link", no_links)
        monkeypatch.setattr(Path, "rename", no_links)


@pytest.mark.usefixtures("_drives")
def test_moved_photos_come_back_as_they_were(photos: Path, tmp_path: Path) -> None:
    before = files(photos)

    summary = move_all(photos, tmp_path / "out")

    assert files(photos) == {}
    assert set(files(tmp_path / "out")) == {"cats/rex.jpg", "cats/rex (2).jpg", "cats/tom.jpg"}
    assert summary is not None
    assert summary.count == 3
    undone = moving.undo(summary.path)
    assert len(undone.back) == 3
    assert undone.failed == []
    assert files(photos) == before
    assert not (tmp_path / "out").exists()
    assert moving.newest() is None


@pytest.mark.parametrize("text", [b"a photo, or anything else", b"", b'{"n": 1, "from": "/a", "to": "/b"}\n'])
def test_a_file_that_is_no_list_of_moves_stays_as_it_is(text: bytes, tmp_path: Path) -> None:
    file = tmp_path / "rex.jpg"
    file.write_bytes(text)

    with pytest.raises(InputError) as caught:
        moving.undo(file)

    assert caught.value.code == "not_a_move_list"
    assert str(file) in str(caught.value)
    assert files(tmp_path) == {"rex.jpg": text}


@pytest.mark.usefixtures("_drives")
def test_what_is_there_is_never_replaced(photos: Path, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "cats" / "rex.jpg"
    mine.parent.mkdir(parents=True)
    mine.write_bytes((photos / "rex.jpg").read_bytes())  # the same photo: still not ours

    summary = move_all(photos, tmp_path / "out")
    assert summary is not None
    assert len(files(tmp_path / "out")) == 4
    moving.undo(summary.path)

    assert files(tmp_path / "out") == {"cats/rex.jpg": b"in/rex.jpg"}
    assert len(files(photos)) == 3


def test_a_photo_whose_old_place_was_taken_stays_and_is_named(photos: Path, tmp_path: Path) -> None:
    summary = move_all(photos, tmp_path / "out")
    assert summary is not None
    (photos / "tom.jpg").write_bytes(b"another tom")

    undone = moving.undo(summary.path)

    assert [(Path(item.path).name, item.code) for item in undone.failed] == [("tom.jpg", "old_place_taken")]
    assert (photos / "tom.jpg").read_bytes() == b"another tom"
    assert (tmp_path / "out" / "cats" / "tom.jpg").read_bytes() == b"in/tom.jpg"
    (photos / "tom.jpg").unlink()
    assert moving.undo(summary.path).failed == []  # once it is free
    assert (photos / "tom.jpg").read_bytes() == b"in/tom.jpg"


def test_a_photo_that_was_changed_or_taken_away_since_is_named(photos: Path, tmp_path: Path) -> None:
    summary = move_all(photos, tmp_path / "out")
    assert summary is not None
    (tmp_path / "out/cats/tom.jpg").write_bytes(b"painted over")
    (tmp_path / "out/cats/rex.jpg").unlink()

    undone = moving.undo(summary.path)

    assert {item.code for item in undone.failed} == {"changed_since_move", "moved_photo_gone"}
    assert (tmp_path / "out/cats/tom.jpg").read_bytes() == b"painted over"


@pytest.mark.parametrize("where", ["before", "linked", "half copied", "over"])
def test_a_crash_in_the_middle_of_a_move_loses_nothing(photos: Path, tmp_path: Path, where: str) -> None:
    source, place = photos / "tom.jpg", tmp_path / "out" / "tom.jpg"
    place.parent.mkdir()
    journal = moving.MoveJournal(tmp_path / "out")
    journal._write({"n": 1, "from": str(source), "to": str(place)})
    journal._log.close()
    assert journal._lock is not None
    journal._lock.release()  # as the system does when a program dies
    if where == "linked":
        os.link(source, place)
    elif where == "half copied":
        place.write_bytes(source.read_bytes()[:4])
    elif where == "over":
        shutil.move(source, place)

    undone = moving.undo(journal.path)

    assert undone.failed == []
    assert source.read_bytes() == b"in/tom.jpg"
    assert not place.exists()


def test_half_a_line_in_the_journal_does_not_keep_the_others(photos: Path, tmp_path: Path) -> None:
    summary = move_all(photos, tmp_path / "out")
    assert summary is not None
    with summary.path.open("a") as log:
        log.write('{"n": 4, "from": "/x')

    assert len(moving.undo(summary.path).back) == 3


@pytest.mark.parametrize("broken", ["copy", "delete"])
def test_a_move_that_fails_leaves_the_photo_and_no_half_copy(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device") if broken == "copy" else OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(Path, "rename", no_links)
    if broken == "copy":
        monkeypatch.setattr(shutil, "copyfileobj", fail)
    else:
        unlink: Callable[..., None] = Path.unlink
        monkeypatch.setattr(
            Path, "unlink", lambda path, **how: fail() if path.parent.name == "in" else unlink(path, **how)
        )
    sorter = Sorter(tmp_path / "out", move=True)

    with pytest.raises(CatDogError) as caught:
        sorter.sort(photos / "tom.jpg", answer())
    sorter.close()

    assert caught.value.code == ("disk_full" if broken == "copy" else "cannot_move")
    assert files(tmp_path / "out") == {}
    assert (photos / "tom.jpg").exists()
    assert moving.newest() is None


def test_the_training_photos_are_neither_moved_nor_sorted_into(photos: Path, tmp_path: Path) -> None:
    sorter = Sorter(tmp_path / "out", move=True, learned_from=[photos / "more"])

    assert sorter.sort(photos / "tom.jpg", answer()) is not None
    with pytest.raises(CatDogError, match="learned from"):
        sorter.sort(photos / "more" / "rex.jpg", answer())
    sorter.close()

    for target in (photos / "more", photos / "more" / "sorted", photos / "more" / ".." / "more" / "x"):
        for move in (True, False):
            with pytest.raises(InputError, match="only read"):
                Sorter(target, move=move, learned_from=[photos / "more"])
    assert files(photos / "more") == {"rex.jpg": b"in/more/rex.jpg"}


def test_a_link_stays_and_says_why(photos: Path, tmp_path: Path) -> None:
    (photos / "link.jpg").symlink_to(photos / "tom.jpg")
    sorter = Sorter(tmp_path / "out", move=True)

    with pytest.raises(CatDogError, match="link to a photo elsewhere"):
        sorter.sort(photos / "link.jpg", answer())
    sorter.close()

    assert (photos / "link.jpg").is_symlink()


def test_nothing_is_moved_that_could_not_be_noted(photos: Path, tmp_path: Path) -> None:
    home.home().mkdir(parents=True)
    home.moves_dir().write_bytes(b"a file")

    with pytest.raises(CatDogError):
        Sorter(tmp_path / "out", move=True)

    assert len(files(photos)) == 3


def test_a_name_that_is_not_unicode_comes_back(tmp_path: Path) -> None:
    odd = tmp_path / "in" / b"\xff.jpg".decode("utf-8", "surrogateescape")
    odd.parent.mkdir()
    try:
        odd.write_bytes(b"x")
    except OSError:
        pytest.skip("this file system takes Unicode names only")

    summary = move_all(odd.parent, tmp_path / "out")
    assert summary is not None
    assert not odd.exists()
    moving.undo(summary.path)

    assert odd.read_bytes() == b"x"


def test_the_journal_names_the_folder_and_the_count(photos: Path, tmp_path: Path) -> None:
    summary = move_all(photos, tmp_path / "out")

    assert summary is not None
    assert (summary.target, summary.count) == (tmp_path / "out", 3)
    assert json.loads(summary.path.read_text().splitlines()[0])["schema"] == moving.SCHEMA
