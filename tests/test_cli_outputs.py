"""An output never takes the place of a photo, a model or anything else that is not an older output of its kind."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from catdog_gui import cli
from catdog_gui.engine.samples import SampleSet


@pytest.fixture
def photo(drawn_samples: SampleSet, tmp_path: Path) -> Path:
    return Path(shutil.copy(drawn_samples.held_out[0], tmp_path / "rex.jpg"))


def run(*words: Any) -> int:
    return cli.main([str(word) for word in words])


@pytest.mark.parametrize("option", ["--csv", "--json-file"])
def test_answers_do_not_overwrite_the_photo(
    option: str, drawn_run: Path, photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = photo.read_bytes()

    assert run("predict", drawn_run, photo, option, photo, "--device", "cpu") == 2
    assert "already there" in capsys.readouterr().err
    assert photo.read_bytes() == before


def test_a_heat_map_does_not_overwrite_the_photo(drawn_run: Path, photo: Path) -> None:
    before = photo.read_bytes()

    assert run("explain", drawn_run, photo, "--heat-map", photo, "--device", "cpu") == 2
    assert photo.read_bytes() == before


def test_a_report_does_not_overwrite_anything(photo: Path) -> None:
    before = photo.read_bytes()

    assert run("doctor", "--report", photo) == 2
    assert photo.read_bytes() == before


@pytest.mark.parametrize("option", ["--csv", "--json-file"])
def test_an_older_output_is_replaced_and_force_replaces_anything(
    option: str, drawn_run: Path, photo: Path, tmp_path: Path
) -> None:
    older, other = tmp_path / "answers.txt", tmp_path / "answers.xyz"
    other.write_text("something else")
    another = shutil.copy(photo, tmp_path / "fido.jpg")

    assert run("predict", drawn_run, photo, option, older, "--device", "cpu") == 0
    assert run("predict", drawn_run, another, option, older, "--device", "cpu") == 0
    assert run("predict", drawn_run, photo, option, other, "--force", "--device", "cpu") == 0
    assert "fido.jpg" in older.read_text("utf-8-sig")
    assert "rex.jpg" not in older.read_text("utf-8-sig")
    assert "rex.jpg" in other.read_text("utf-8-sig")


@pytest.mark.parametrize(
    ("option", "name", "content"),
    [
        ("--csv", "notes.txt", "secret"),
        ("--csv", "pay.csv", "name,salary\nAnn,1\n"),
        ("--csv", "pay.csv", "file;verdict;class;best_guess;\n"),
        ("--json-file", "package.json", "{}"),
        ("--json-file", "package.json", '{"v": 1, "name": "answers"}'),
    ],
)
def test_a_file_of_the_same_ending_that_is_no_older_output_is_left_as_it_is(
    option: str, name: str, content: str, drawn_run: Path, photo: Path, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(content)

    assert run("predict", drawn_run, photo, option, file, "--device", "cpu") == 2
    assert file.read_text() == content


def test_two_outputs_never_share_a_file(
    drawn_run: Path, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers"
    same = tmp_path / "." / "answers"

    assert run("predict", drawn_run, photo, "--csv", file, "--json-file", same, "--device", "cpu") == 2
    assert capsys.readouterr().err.startswith(f"catdog: Two outputs would be written to {file}.")
    assert not file.exists()


@pytest.mark.parametrize(
    "command",
    [
        ["predict", "RUN", "PHOTO", "--csv", "OUT"],
        ["predict", "RUN", "PHOTO", "--json-file", "OUT"],
        ["explain", "RUN", "PHOTO", "--heat-map", "OUT"],
        ["doctor", "--report", "OUT"],
        ["export", "RUN", "OUT"],
    ],
)
def test_a_missing_folder_is_named_as_wrong_usage_before_the_work(
    command: list[str], drawn_run: Path, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {"RUN": drawn_run, "PHOTO": photo, "OUT": tmp_path / "gone" / "file.csv"}

    assert run(*(words.get(word, word) for word in command)) == 2
    said = capsys.readouterr()
    assert said.err == f"catdog: There is no folder {tmp_path / 'gone'}. Make it, or choose another place.\n"
    assert said.out == ""


@pytest.mark.parametrize("below", [".", "sorted/pets"])
def test_a_file_to_sort_into_is_wrong_usage_before_the_work(
    below: str, drawn_run: Path, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")

    assert run("predict", drawn_run, photo, "--sort-into", file / below) == 2
    said = capsys.readouterr()
    assert said.err == f"catdog: {file} is a file. Name a folder to sort into; it is made where it is missing.\n"
    assert said.out == ""


def test_a_photo_that_could_not_be_moved_is_named_once_in_each_line(
    drawn_run: Path, photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link.jpg"
    link.symlink_to(photo)

    assert run("predict", drawn_run, link, "--sort-into", tmp_path / "out", "--move", "--device", "cpu") == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if str(link) in line]
    assert len(lines) == 2
    assert all(line.count(str(link)) == 1 for line in lines)
