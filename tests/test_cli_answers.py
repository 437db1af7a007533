"""`catdog explain`, `evaluate --robustness` and `--careful`."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from catdog_gui.cli import main
from catdog_gui.engine.models.carefulness import save_step
from catdog_gui.engine.samples import SampleSet


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_explain_names_the_class_the_places_and_the_most_similar_photos(
    drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, heat = drawn_samples.held_out[0], tmp_path / "heat.png"

    assert main(["explain", str(drawn_run), str(photo), "--heat-map", str(heat), "--json"]) == 0

    (line,) = lines(capsys)
    assert line["type"] == "result"
    assert line["path"] == str(photo)
    assert line["speaks_for"] == line["top"]
    assert len(line["cells"]) == len(line["cells"][0]) == 7
    assert len(line["neighbours"]) == 5
    assert all(Path(item["path"]).is_file() and item["found"] for item in line["neighbours"])
    assert line["missing"] is None
    with Image.open(heat) as picture:
        assert picture.size == (224, 224)


def test_explain_says_it_in_words_and_why_photos_are_missing(
    drawn_run: Path,
    drawn_samples: SampleSet,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "home"))
    shutil.copy(drawn_run / "model.safetensors", tmp_path / "m.safetensors")

    assert main(["explain", str(tmp_path / "m.safetensors"), str(drawn_samples.held_out[0])]) == 0

    said = capsys.readouterr()
    assert "what speaks most for" in said.out
    assert said.out.count("% alike") == 5
    assert "The run that made this model is not on this computer" in said.err


def test_explain_refuses_what_is_no_photo(drawn_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.jpg").write_text("<html></html>")

    assert main(["explain", str(drawn_run), str(tmp_path / "page.jpg")]) == 3
    assert main(["explain", str(drawn_run), str(tmp_path / "gone.jpg")]) == 3

    assert "Traceback" not in capsys.readouterr().err


def test_robustness_is_a_table_after_the_figures(
    drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("cats", "dogs"):
        (tmp_path / "few" / name).mkdir(parents=True)
        shutil.copy(min((drawn_samples.dataset / name).iterdir()), tmp_path / "few" / name)

    assert main(["evaluate", str(drawn_run), str(tmp_path / "few"), "--robustness"]) == 0

    said = capsys.readouterr().out
    assert "2 photos made poor" in said
    assert "turned by 90°" in said
    assert "JPEG quality 5" in said


def test_how_careful_the_model_is_can_be_chosen_for_one_call(
    drawn_run: Path, drawn_samples: SampleSet, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [str(path) for path in drawn_samples.held_out]

    assert main(["predict", str(drawn_run), *photos, "--careful", "-5", "--json"]) == 0
    answered = [line["verdict"] for line in lines(capsys)[:-1]]
    assert main(["predict", str(drawn_run), *photos, "--careful", "5", "--json"]) == 0
    careful = [line["verdict"] for line in lines(capsys)[:-1]]

    assert set(answered) == {"sure"}
    assert careful.count("sure") < len(photos)
    assert main(["predict", str(drawn_run), photos[0], "--careful", "9"]) == 2


def test_a_model_that_is_not_as_advised_says_so(
    drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Path(shutil.copy(drawn_run / "model.safetensors", tmp_path))
    photo = drawn_samples.held_out[0]
    save_step(model, -5)

    assert main(["predict", str(model), str(photo)]) == 0
    assert "this model was set to -5" in capsys.readouterr().err
    assert main(["predict", str(model), str(photo), "--careful", "0"]) == 0
    assert "was set to" not in capsys.readouterr().err


def test_explain_of_a_folder_says_that_it_needs_one_photo(
    drawn_run: Path, drawn_samples: SampleSet, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(drawn_run), str(drawn_samples.dataset)]) == 3

    said = capsys.readouterr().err
    assert said == f"catdog: {drawn_samples.dataset} is a folder. `catdog explain` needs the file of one photo.\n"


@pytest.mark.parametrize("command", ["explain", "predict"])
def test_that_the_only_photo_cannot_be_read_is_said_once(
    command: str, drawn_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.jpg").touch()

    assert main([command, str(drawn_run), str(tmp_path / "page.jpg")]) == 3

    said = capsys.readouterr()
    assert (said.out + said.err).count("page.jpg") == 1
    assert len((said.out + said.err).splitlines()) == 1


def test_evaluate_says_how_many_of_the_sure_answers_are_right(
    drawn_run: Path, drawn_samples: SampleSet, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(drawn_run), str(drawn_samples.dataset), "--json"]) == 0
    found = lines(capsys)[-1]
    assert main(["evaluate", str(drawn_run), str(drawn_samples.dataset)]) == 0

    sure = f"{found['verdicts']['sure']} of {found['photos']}, {found['sure_right']} of those right"
    assert f"sure: {sure}" in capsys.readouterr().out.splitlines()
