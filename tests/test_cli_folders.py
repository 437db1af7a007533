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
