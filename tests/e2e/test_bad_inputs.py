"""Every entry of CATDOG_BAD_INPUTS through whole commands: its required outcome, with its true reason."""

import dataclasses
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui import cli
from catdog_gui.engine.samples import SampleSet
from tests.engine.test_bad_inputs_data import PHOTO_CODES

pytestmark = pytest.mark.bad_inputs
QUICK = ("--device", "cpu", "--image-size", "64", "--epochs", "2", "--json")

# What a folder that trains has to be warned about, and nothing else; by id.
WARNINGS = {
    "DIR-01": {"empty_class"},
    "DIR-19": {"copies_across_split", "near_copies_across_split", "val_all_copies"},
    "DIR-20": {"same_photo_two_classes"},
    "DIR-21": {"imbalanced"},
}
ALWAYS_FINE = {"few_photos", "train_val_layout"}
REFUSALS = {
    "DIR-02": "too_few_classes",
    "DIR-03": "class_folder_picked",
    "DIR-05": "wrapper_folder",
    "DIR-22": "too_few_photos",
}


def entries(*kinds: str) -> list[dict[str, str]]:
    manifest = Path(os.environ.get("CATDOG_BAD_INPUTS", ""), "manifest.json")
    if not manifest.is_file():
        return []
    return [entry for entry in json.loads(manifest.read_text(encoding="utf-8")) if entry["kind"] in kinds]


def each(*kinds: str) -> list[Any]:
    found = [pytest.param(entry, id=entry["path"]) for entry in entries(*kinds)]
    return found or [pytest.param(None, id="not here")]


@dataclasses.dataclass(frozen=True)
class Ended:
    code: int
    lines: list[dict[str, Any]]
    said: str

    def codes(self, kind: str) -> set[str]:
        return {line["code"] for line in self.lines if line["type"] == kind}


Catdog = Callable[..., Ended]


@pytest.fixture
def catdog(capfd: pytest.CaptureFixture[str]) -> Iterator[Catdog]:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def run(*arguments: str | Path) -> Ended:
        capfd.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        out, said = capfd.readouterr()
        assert "Traceback" not in said
        return Ended(code, [json.loads(line) for line in out.splitlines()], said)

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


def state_of(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        total.update(f"{path} {path.lstat().st_mtime_ns}".encode("utf-8", "surrogateescape"))
        total.update(path.read_bytes() if path.is_file() else b"")
    return total.hexdigest()


# --- images ----------------------------------------------------------------------------------------------------------


def test_bad_images_among_good_ones_are_left_out_with_their_reason_and_the_rest_is_used(
    catdog: Catdog, bad_inputs_dir: Path, tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    data = make_dataset(tmp_path / "photos", {"drawn": 30, "given": 4})
    images = {Path(entry["path"]).name: entry for entry in entries("image")}
    for name in images:
        shutil.copy(bad_inputs_dir / "images" / name, data / "given" / name)
    before = state_of(data)
    ended = catdog("train", data, "--run", tmp_path / "run", *QUICK)
    left_out = {Path(line["path"]).name: line for line in ended.lines if line["type"] == "skipped"}

    assert ended.code == 0
    assert ended.lines[-1]["epochs"] == 2
    for name, entry in images.items():
        if "usable" not in entry["expected"]:
            assert name in left_out, entry["why"]
        if name in left_out:
            assert "skipped" in entry["expected"], left_out[name]["message"]
            assert left_out[name]["code"] == PHOTO_CODES[entry["id"]]
            assert left_out[name]["message"] in ended.said
    assert set(left_out) <= set(images)
    photos = ended.lines[-1]["photos"]
    # an image that two manifest entries hold in copies still counts: nothing but the listed ones is lost
    assert photos["skipped_count"] == len(left_out)
    listed = [json.loads(line) for line in (tmp_path / "run" / "photos.jsonl").read_text("utf-8").splitlines()[1:]]
    used = {Path(row["path"]).name for row in listed if row.get("label") == "given"}
    assert used >= set(images) - set(left_out)
    assert state_of(data) == before


def test_each_image_gets_an_answer_or_its_reason(catdog: Catdog, bad_inputs_dir: Path, drawn_run: Path) -> None:
    images = entries("image")
    photos = [bad_inputs_dir / entry["path"] for entry in images]
    ended = catdog("predict", drawn_run, *photos, "--json", "--device", "cpu")

    assert ended.code == 0
    assert [line["path"] for line in ended.lines[:-1]] == [str(photo) for photo in photos]
    for entry, answer in zip(images, ended.lines[:-1], strict=True):
        if answer["verdict"] == "unreadable":
            assert "skipped" in entry["expected"], answer["reason"]
            assert answer["code"] == PHOTO_CODES[entry["id"]]
        else:
            assert "usable" in entry["expected"], entry["why"]
            assert answer["top"] in ("cats", "dogs")


def test_turned_photos_get_the_same_answer(catdog: Catdog, bad_inputs_dir: Path, drawn_run: Path) -> None:
    turned = sorted((bad_inputs_dir / "images").glob("IMG-18*"))
    ended = catdog("predict", drawn_run, *turned, "--json", "--device", "cpu")
    shares = [line["probabilities"]["cats"] for line in ended.lines[:-1]]

    assert len(shares) >= 2
    assert shares == pytest.approx([shares[0]] * len(shares), abs=0.05)
    assert len({line["verdict"] for line in ended.lines[:-1]}) == 1


# --- folders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", each("folder"))
def test_each_folder_trains_or_is_refused_as_it_must(
    entry: dict[str, str], catdog: Catdog, bad_inputs_dir: Path, tmp_path: Path
) -> None:
    folder = bad_inputs_dir / entry["path"]
    before = state_of(folder)
    ended = catdog("train", folder, "--run", tmp_path / "run", *QUICK)
    last = ended.lines[-1]

    assert state_of(folder) == before
    if entry["expected"].startswith("train"):
        assert (ended.code, last.get("status")) == (0, "completed"), ended.said
        assert ended.codes("warning") - ALWAYS_FINE == WARNINGS.get(entry["id"], set())
        assert last["val"]["n"] == last["photos"]["val"] > 0
    else:
        assert (ended.code, last["code"]) == (3, REFUSALS[entry["id"]])
        assert not (tmp_path / "run").exists()
        if "offer" in entry["expected"]:
            offer = last["fields"]["offer"]
            assert offer in last["message"]
            assert Path(offer) in (folder.parent, *folder.iterdir())


@pytest.mark.parametrize("batch_size", [5, 25])
def test_no_batch_size_ends_a_run_over_33_photos(
    batch_size: int, catdog: Catdog, bad_inputs_dir: Path, tmp_path: Path
) -> None:
    folder = next((bad_inputs_dir / "folders").glob("TRN-01*"))
    ended = catdog(
        "train", folder, "--run", tmp_path / "run", "--preset", "article", "--batch-size", str(batch_size), *QUICK
    )

    assert ended.code == 0


def test_copies_of_training_photos_are_not_checked_with(catdog: Catdog, bad_inputs_dir: Path, tmp_path: Path) -> None:
    """All ten check photos are copies, so that others have to be kept back."""
    folder = next((bad_inputs_dir / "folders").glob("DIR-19*"))
    ended = catdog("train", folder, "--run", tmp_path / "run", *QUICK)
    rows = [json.loads(line) for line in (tmp_path / "run" / "photos.jsonl").read_text("utf-8").splitlines()[1:]]
    content = {
        side: {(folder / row["path"]).read_bytes() for row in rows if row.get("side") == side}
        for side in ("train", "val")
    }

    assert ended.lines[-1]["val"]["n"] > 0
    assert content["val"]
    assert content["train"] & content["val"] == set()


# --- answers ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(
    drawn_run: Path, bad_inputs_dir: Path, train: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Models of our drawings, of the drawings given, and of 200 real photos where there are some."""
    place = tmp_path_factory.mktemp("models")
    given = train(bad_inputs_dir / "folders" / "DIR-00_control", place / "given")
    found = {"drawn": drawn_run, "given": Path(given.run)}
    photos = os.environ.get("CATDOG_PHOTOS")
    if photos and Path(photos, "train").is_dir():
        for name in ("cats", "dogs"):
            (place / "photos" / name).mkdir(parents=True)
            for photo in sorted(Path(photos, "train", name).iterdir())[:100]:
                shutil.copy(photo, place / "photos" / name)
        found["real"] = Path(train(place / "photos", place / "real").run)
    return found


@pytest.mark.parametrize("model", ["drawn", "given", "real"])
def test_what_is_no_pet_is_never_a_sure_pet_and_a_turned_dog_keeps_its_answer(
    model: str, catdog: Catdog, bad_inputs_dir: Path, runs: dict[str, Path]
) -> None:
    if model not in runs:
        pytest.skip("CATDOG_PHOTOS is not set")
    photos = [bad_inputs_dir / entry["path"] for entry in entries("predict")]
    ended = catdog("predict", runs[model], *photos, "--json", "--device", "cpu")
    answers = {Path(line["path"]).name: line for line in ended.lines[:-1]}

    assert ended.code == 0
    assert len(answers) == len(photos)
    nothing = {name: answer["label"] for name, answer in answers.items() if "not_a_pet" in name}
    assert nothing == dict.fromkeys(nothing)
    turned = [answer for name, answer in answers.items() if "dog_turned" in name]
    assert len({answer["label"] for answer in turned} - {None}) <= 1
    if model == "given":
        assert {answer["label"] for answer in turned} <= {"dog", None}
        assert next(answer["top"] for name, answer in answers.items() if "turned_000" in name) == "dog"


# --- models and archives ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", each("model"))
def test_a_checkpoint_of_another_program_is_refused(
    entry: dict[str, str], catdog: Catdog, bad_inputs_dir: Path, drawn_samples: SampleSet
) -> None:
    for arguments in (("predict", drawn_samples.held_out[0]), ("evaluate", drawn_samples.dataset)):
        ended = catdog(arguments[0], bad_inputs_dir / entry["path"], arguments[1], "--json")

        assert ended.code == 3
        assert ended.lines[-1]["code"] in ("model_is_pickle", "not_a_model", "model_damaged")
        assert Path(entry["path"]).name in ended.said


@pytest.mark.parametrize("entry", each("archive"))
def test_an_archive_is_refused_and_nothing_is_written(
    entry: dict[str, str], catdog: Catdog, bad_inputs_dir: Path, tmp_path: Path, drawn_run: Path
) -> None:
    place = tmp_path / "inside"
    place.mkdir()
    archive = shutil.copy(bad_inputs_dir / entry["path"], place)
    before = state_of(tmp_path)
    trained = catdog("train", archive, *QUICK)
    scanned = catdog("scan", archive, "--json")

    assert (trained.code, trained.lines[-1]["code"]) == (3, "archive_given")
    assert (scanned.code, scanned.lines[-1]["code"]) == (3, "archive_given")
    answered = catdog("predict", drawn_run, archive, "--json", "--device", "cpu")
    assert (answered.code, answered.lines[0]["verdict"]) == (3, "unreadable")
    assert state_of(tmp_path) == before
