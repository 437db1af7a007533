"""A full or read-only disk while photos are put into folders and brought back: nothing half, nothing lost."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from catdog_gui.engine import home
from catdog_gui.engine.answers import moving
from catdog_gui.engine.answers.sorting import Sorter
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Prediction
from tests.engine.conftest import fill

SIZE = 60_000  # four of them do not fit on the small disk
CATS = Prediction("", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1)


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.jpg").write_bytes(bytes([number]) * SIZE)
    return folder


def sort_all(photos: Path, target: Path, *, move: bool) -> list[CatDogError]:
    """Sort every photo; what could not be."""
    failed = []
    sorter = Sorter(target, move=move)
    for photo in sorted(photos.glob("*.jpg")):
        try:
            sorter.sort(photo, CATS)
        except CatDogError as error:
            failed.append(error)
    sorter.close()
    return failed


@pytest.mark.parametrize("move", [True, False])
def test_on_a_full_disk_the_rest_stays_where_it_was_and_what_was_moved_comes_back(
    photos: Path, small_disk: Path, *, move: bool
) -> None:
    before = files(photos)
    failed = sort_all(photos, small_disk / "out", move=move)
    there = files(small_disk / "out")

    assert {error.code for error in failed} == {"disk_full"}
    assert "0.1 MB" in str(failed[0])
    assert str(small_disk / "out" / "cats") in str(failed[0])
    assert 0 < len(there) < len(before)
    assert all(len(data) == SIZE for data in there.values())
    assert files(photos) == (before if not move else {k: v for k, v in before.items() if f"cats/{k}" not in there})
    if move:
        summary = moving.newest()
        assert summary is not None
        assert moving.undo(summary.path).failed == []
        assert files(photos) == before


@pytest.mark.parametrize("move", [True, False])
def test_on_a_read_only_disk_the_folder_is_named_and_every_photo_stays(
    photos: Path, small_disk: Path, *, move: bool
) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    before = files(photos)
    failed = sort_all(photos, small_disk / "out", move=move)

    assert len(failed) == len(before)
    assert str(small_disk / "out") in str(failed[0])
    assert "Read-only" in str(failed[0])
    assert files(photos) == before
    assert moving.newest() is None


def test_photos_on_a_read_only_disk_are_copied_and_not_moved(photos: Path, small_disk: Path, tmp_path: Path) -> None:
    inside = small_disk / "in"
    inside.mkdir()
    shutil.copy(photos / "0.jpg", inside / "0.jpg")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    assert [error.code for error in sort_all(inside, tmp_path / "moved", move=True)] == ["cannot_move"]
    assert files(tmp_path / "moved") == {}
    assert sort_all(inside, tmp_path / "copied", move=False) == []
    assert list(files(tmp_path / "copied")) == ["cats/0.jpg"]


@pytest.fixture
def home_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's home on the small disk; photos and folders are elsewhere."""
    monkeypatch.setenv("CATDOG_HOME", str(small_disk / "home"))
    home.moves_dir().mkdir(parents=True)
    return small_disk


def test_a_home_that_is_full_moves_nothing_that_it_could_not_note(
    photos: Path, home_disk: Path, tmp_path: Path
) -> None:
    fill(home_disk)
    with pytest.raises(CatDogError) as caught:
        Sorter(tmp_path / "out", move=True)

    assert caught.value.code == "disk_full"
    assert list(home.moves_dir().iterdir()) == []
    assert len(files(photos)) == 6
    assert sort_all(photos, tmp_path / "out", move=False) == []


def test_a_home_that_fills_up_or_becomes_read_only_keeps_no_photo_from_coming_back(
    photos: Path, home_disk: Path, tmp_path: Path
) -> None:
    before = files(photos)
    for trouble in ("full from the second photo on", "full", "read-only"):
        sorter = Sorter(tmp_path / "out", move=True)
        sorter.sort(photos / "0.jpg", CATS)
        if trouble.endswith("on"):
            fill(home_disk)
            with (home_disk / "filler").open("r+b") as filler:  # room for one line more, not for two
                filler.truncate((home_disk / "filler").stat().st_size - 4096)
            for number in range(1, 6):
                with contextlib.suppress(CatDogError):
                    sorter.sort(photos / f"{number}.jpg", CATS)
        sorter.close()
        if trouble == "full":
            fill(home_disk)
        if trouble == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", str(home_disk)], check=True)
        summary = moving.newest()
        assert summary is not None

        assert moving.undo(summary.path).failed == []
        assert files(photos) == before
        if trouble != "read-only":
            (home_disk / "filler").unlink()


KILLED = """
import os, shutil, signal, sys
from pathlib import Path
from catdog_gui.engine.answers import moving
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.answers.sorting import Sorter
def copy_half(old, new, size):
    new.write(old.read(100)); new.flush()
    os.kill(os.getpid(), signal.SIGKILL)
def no_links(*_, **__):
    raise OSError(18, "Invalid cross-device link")
shutil.copyfileobj, os.link = copy_half, no_links
cats = Prediction("", "sure", "cats", "cats", {{"cats": 0.9, "dogs": 0.1}}, True, 0.1)
Sorter(Path({target!r}), move={move}).sort(Path({photo!r}), cats)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
@pytest.mark.parametrize("move", [True, False])
def test_a_kill_in_the_middle_of_a_copy_leaves_no_half_photo_under_its_name(
    photos: Path, tmp_path: Path, *, move: bool
) -> None:
    code = KILLED.format(target=str(tmp_path / "out"), photo=str(photos / "0.jpg"), move=move)
    done = subprocess.run([sys.executable, "-c", code], env=dict(os.environ), check=False, timeout=60)

    assert done.returncode == -9
    assert (photos / "0.jpg").read_bytes() == bytes(SIZE)
    assert not (tmp_path / "out" / "cats" / "0.jpg").exists()
    if move:
        summary = moving.newest()
        assert summary is not None
        moving.undo(summary.path)
        assert not (tmp_path / "out").exists()  # what was half copied went too
