"""The drawn pictures: whole sets or none, the same for the same seed, and not to be told apart by colour."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.samples import draw_samples
from catdog_gui.engine.samples.sets import draw_picture


def _small(folder: Path, **changes: int) -> dict[str, bytes]:
    drawn = draw_samples(folder, **{"photos_per_class": 3, "held_out": 2, "size": 32} | changes)
    files = [*drawn.dataset.rglob("*.jpg"), *drawn.held_out]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_set_has_two_classes_and_pictures_held_out_beside_them(tmp_path: Path) -> None:
    drawn = draw_samples(tmp_path / "samples", photos_per_class=4, held_out=3, size=48)

    assert sorted(path.name for path in drawn.dataset.iterdir()) == ["cats", "dogs"]
    assert [len(list((drawn.dataset / name).iterdir())) for name in ("cats", "dogs")] == [4, 4]
    assert len(drawn.held_out) == 3
    assert all(drawn.dataset not in path.parents for path in drawn.held_out)
    with Image.open(next((drawn.dataset / "cats").iterdir())) as picture:
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (48, 48))


def test_the_same_seed_draws_the_same_files_and_another_seed_others(tmp_path: Path) -> None:
    first, again, other = (_small(tmp_path / name, seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2)))

    assert first == again
    assert len(set(first.values())) == 8  # no picture twice, the held-out ones included
    assert first.keys() == other.keys()
    assert all(first[name] != other[name] for name in first)


def test_a_complete_set_is_returned_without_drawing(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    _small(folder)
    stamps = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    def nothing_to_draw() -> bool:
        raise AssertionError("asked while nothing was to be drawn")

    drawn = draw_samples(folder, photos_per_class=3, held_out=2, size=32, should_stop=nothing_to_draw)

    assert len(drawn.held_out) == 2
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == stamps


def test_a_set_that_lost_a_picture_is_drawn_anew(tmp_path: Path) -> None:
    before = _small(tmp_path / "samples")
    (tmp_path / "samples" / "dataset" / "cats" / "cat-002.jpg").unlink()

    assert _small(tmp_path / "samples") == before
    assert [path.name for path in tmp_path.iterdir()] == ["samples"]


def test_stopping_leaves_nothing_behind(tmp_path: Path) -> None:
    asked: list[None] = []

    def stop_soon() -> bool:
        asked.append(None)
        return len(asked) > 3

    with pytest.raises(Stopped):
        draw_samples(tmp_path / "samples", photos_per_class=50, size=32, should_stop=stop_soon)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")

    with pytest.raises(FileExistsError):
        _small(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_what_a_killed_program_left_is_cleared_but_not_what_another_draws_now(tmp_path: Path) -> None:
    old, fresh = tmp_path / ".samples-drawing-old", tmp_path / ".samples-drawing-new"
    old.mkdir()
    fresh.mkdir()
    os.utime(old, (1, 1))

    _small(tmp_path / "samples")

    assert not old.exists()
    assert fresh.exists()


def test_progress_rises_to_the_number_of_pictures(tmp_path: Path) -> None:
    said: list[tuple[int, int]] = []

    draw_samples(
        tmp_path / "s",
        photos_per_class=9,
        held_out=2,
        size=32,
        on_progress=lambda done, total: said.append((done, total)),
    )

    assert said == sorted(said)
    assert said[-1] == (20, 20)
    assert len(said) > 1


def test_colour_and_brightness_do_not_tell_cats_from_dogs() -> None:
    means = {
        kind: np.array([np.asarray(draw_picture(kind, n, size=48)).mean(axis=(0, 1)) for n in range(150)])
        for kind in ("cat", "dog")
    }

    gap = np.abs(means["cat"].mean(axis=0) - means["dog"].mean(axis=0))
    assert (gap < 0.35 * np.concatenate(list(means.values())).std(axis=0)).all()
