"""`catdog predict` with files and folders out: tables, JSON, photos sorted, moved and brought back."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.cli import main
from catdog_gui.engine.samples import SampleSet

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def photos(drawn_samples: SampleSet, tmp_path: Path) -> Path:
    """Copies of two drawings, and an empty file."""
    folder = tmp_path / "in"
    folder.mkdir()
    for photo in drawn_samples.held_out[:2]:
        shutil.copy(photo, folder)
    (folder / "empty.jpg").touch()
    return folder


def run(capsys: Capture, *arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    capsys.readouterr()
    code = main([str(argument) for argument in (*arguments, "--json")])
    out, said = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], said


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def test_photos_are_moved_into_folders_and_brought_back(
    drawn_run: Path, photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    before = names(photos)
    code, lines, said = run(capsys, "predict", drawn_run, photos, "--sort-into", tmp_path / "out", "--move")

    assert (code, lines[-1]["type"]) == (0, "result")
    assert said.count("moved to") == 2
    folders = sorted(path.name for path in (tmp_path / "out").iterdir())
    into = ", ".join(f"{len(names(tmp_path / 'out' / name))} into {name}" for name in folders)
    assert said.splitlines()[-1] == f"moved 2 photos to {tmp_path / 'out'}: {into}; 1 unreadable"
    assert lines[-1]["sorted"] == {name: len(names(tmp_path / "out" / name)) for name in folders}
    assert lines[-1]["left_count"] == 1
    assert names(photos) == {"empty.jpg"}
    assert names(tmp_path / "out") == before - {"empty.jpg"}

    code, lines, _said = run(capsys, "undo-move")
    assert (code, lines[-1]["back"], lines[-1]["failed_count"]) == (0, 2, 0)
    assert names(photos) == before
    assert run(capsys, "undo-move")[0] == 3


def moved(drawn_run: Path, photos: Path, target: Path, capsys: Capture) -> None:
    """Two photos, with a third that could not be read, in the folders of `target`."""
    assert run(capsys, "predict", drawn_run, photos, "--sort-into", target, "--move")[0] == 0


def plain(capsys: Capture, *arguments: str | Path) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main([str(argument) for argument in arguments])
    return (code, *capsys.readouterr())


def test_photos_that_came_back_are_counted_and_named_only_when_asked(
    drawn_run: Path, photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    moved(drawn_run, photos, tmp_path / "out", capsys)
    assert plain(capsys, "undo-move") == (0, f"2 photos back in {photos}\n", "")

    moved(drawn_run, photos, tmp_path / "out", capsys)
    code, out, _said = plain(capsys, "undo-move", "--verbose")
    assert code == 0
    assert out.splitlines()[-1] == f"2 photos back in {photos}"
    assert sorted(out.splitlines()[:-1]) == sorted(f"back at {photo}" for photo in photos.glob("drawing*"))


def test_a_photo_that_could_not_come_back_is_named_with_the_reason(
    drawn_run: Path, photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    first = min(photos.glob("drawing*"))
    moved(drawn_run, photos, tmp_path / "out", capsys)
    first.write_bytes(b"another photo has this name now")

    code, out, said = plain(capsys, "undo-move")
    assert (code, out) == (1, f"1 photo back in {photos}, 1 not\n")
    assert [line for line in said.splitlines() if first.name in line] == said.splitlines()


def test_the_answers_are_one_json_object(drawn_run: Path, photos: Path, tmp_path: Path, capsys: Capture) -> None:
    code, lines, _said = run(capsys, "predict", drawn_run, photos, "--json-file", tmp_path / "a.json")

    assert code == 0
    assert "sorted" not in lines[-1]
    assert json.loads((tmp_path / "a.json").read_text())["answers"] == lines[:-1]


def test_training_photos_are_never_moved_nor_sorted_into(
    drawn_run: Path, drawn_samples: SampleSet, photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    learned = sorted(drawn_samples.dataset.rglob("*.jpg"))[:2]
    before = names(drawn_samples.dataset)

    code, lines, _said = run(capsys, "predict", drawn_run, *learned, "--sort-into", tmp_path / "out", "--move")
    assert (code, lines[-1]["code"]) == (1, "not_all_sorted")
    assert [line["code"] for line in lines if line["type"] == "skipped"] == ["move_from_learned"] * 2

    code, lines, _said = run(capsys, "predict", drawn_run, photos, "--sort-into", drawn_samples.dataset / "cats")
    assert (code, lines[-1]["code"]) == (3, "sort_into_learned")
    assert names(drawn_samples.dataset) == before


def test_one_photo_that_cannot_be_sorted_does_not_keep_the_others(
    drawn_run: Path, photos: Path, tmp_path: Path, capsys: Capture
) -> None:
    (photos / "link.jpg").symlink_to(next(photos.glob("drawing*")))
    out, table = tmp_path / "out", tmp_path / "a.csv"

    code, lines, said = run(capsys, "predict", drawn_run, photos, "--sort-into", out, "--move", "--csv", table)

    assert (code, lines[-1]["type"]) == (1, "error")
    assert "link.jpg" in lines[-1]["message"]
    assert "; 1 unreadable, 1 not moved" in said.splitlines()[-2]  # the error follows
    assert len(names(out)) == 2
    assert len(table.read_text("utf-8-sig").splitlines()) == 5
    assert "Traceback" not in said


def test_moving_needs_a_folder_to_move_into(drawn_run: Path, photos: Path, capsys: Capture) -> None:
    code, lines, _said = run(capsys, "predict", drawn_run, photos, "--move")

    assert (code, lines[-1]["code"]) == (2, "move_without_folder")
