"""`catdog` as people and scripts meet it: lines, sentences, exit codes, Ctrl-C."""

import csv
import dataclasses
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui import cli, output, predict_command, train_command
from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.models.model_file import CHECK_ANSWERS, read_model, save_model
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.photos import checked_photos
from catdog_gui.engine.samples import SampleSet
from catdog_gui.engine.training.run import fit

ROOT = Path(__file__).resolve().parent.parent
QUICK = ("--device", "cpu", "--image-size", "64", "--epochs", "2")
TYPES = {"start", "phase", "progress", "step", "epoch", "memory", "notice", "warning", "skipped", "prediction"}
TYPES |= {"bench_row", "estimate"}


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a command ended. lines: the JSON lines of stdout (with --json), else its lines as they are."""

    code: int
    lines: list[Any]
    said: str

    @property
    def last(self) -> dict[str, Any]:
        return dict(self.lines[-1])


Catdog = Callable[..., Ended]


@pytest.fixture
def catdog(capfd: pytest.CaptureFixture[str]) -> Iterator[Catdog]:
    """`catdog("train", folder, "--json")` in this process."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def run(*arguments: str | Path) -> Ended:
        capfd.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        out, said = capfd.readouterr()
        lines = checked_lines(out) if "--json" in arguments else out.splitlines()
        return Ended(code, lines, said)

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


def checked_lines(out: str) -> list[dict[str, Any]]:
    """The objects of JSON lines, held to the contract: version and type, one last result or error, no NaN."""
    lines = [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]
    assert all(line["v"] == 1 for line in lines)
    assert [line["type"] for line in lines if line["type"] in ("result", "error")] == [lines[-1]["type"]]
    assert {line["type"] for line in lines[:-1]} <= TYPES
    assert all("fields" in line for line in lines if line["type"] in ("notice", "warning", "skipped", "error"))
    return lines


def refused(ended: Ended, exit_code: int, code: str) -> None:
    """One sentence on stderr, one error line on stdout, no traceback."""
    assert (ended.code, ended.last["type"], ended.last["code"]) == (exit_code, "error", code)
    sentences = [line for line in ended.said.splitlines() if line.startswith("catdog")]
    assert sentences == [f"catdog: {ended.last['message']}"]
    assert "Traceback" not in ended.said


# --- scan ------------------------------------------------------------------------------------------------------------


def test_scan_says_what_is_in_a_folder(catdog: Catdog, tiny_dataset: Path) -> None:
    (tiny_dataset / "cats" / "notes.txt").touch()
    ended = catdog("scan", tiny_dataset, "--json")

    assert ended.code == 0
    assert {"trainable", "reason", "layout", "classes", "skipped", "warnings", "offers"} <= set(ended.last)
    assert (ended.last["trainable"], ended.last["layout"]) == (True, "class_folders")
    assert ended.last["classes"] == {"cats": 24, "dogs": 24}
    assert [(item["path"], item["code"]) for item in ended.last["skipped"]] == [("cats/notes.txt", "not_a_photo_name")]


def test_a_deep_scan_reads_every_file(catdog: Catdog, tiny_dataset: Path) -> None:
    (tiny_dataset / "cats" / "empty.jpg").touch()

    assert catdog("scan", tiny_dataset, "--json").last["classes"]["cats"] == 25
    found = catdog("scan", tiny_dataset, "--deep", "--json").last
    assert found["classes"]["cats"] == 24
    assert found["skipped"][0]["code"] == "empty"


def test_a_folder_that_cannot_be_trained_on_is_no_error_of_scan(
    catdog: Catdog, tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    make_dataset(tmp_path / "wrapper" / "photos", {"cats": 5, "dogs": 5})
    ended = catdog("scan", tmp_path / "wrapper", "--json")

    assert (ended.code, ended.last["trainable"], ended.last["layout"]) == (0, False, "wrapped")
    assert ended.last["reason"]
    assert ended.last["offers"] == [{"code": "use_inner_folder", "path": str(tmp_path / "wrapper" / "photos")}]


def test_without_json_people_read_the_result_on_stdout(catdog: Catdog, tiny_dataset: Path) -> None:
    ended = catdog("scan", tiny_dataset)

    assert ended.lines == ["cats: 24 photos", "dogs: 24 photos", "This folder can be trained on."]
    assert ended.said == ""


# --- train -----------------------------------------------------------------------------------------------------------


def test_train_prints_a_run_as_json_lines_and_its_epochs_for_people(
    catdog: Catdog, tiny_dataset: Path, tmp_path: Path
) -> None:
    (tiny_dataset / "dogs" / "empty.jpg").touch()
    ended = catdog("train", tiny_dataset, "--json", "--run", tmp_path / "run", *QUICK)
    result = ended.last

    assert ended.code == 0
    assert (result["status"], result["run"]) == ("completed", str(tmp_path / "run"))
    assert result["model"] == str(tmp_path / "run" / "model.safetensors")
    assert result["photos"] == {"train": 38, "val": 10, "skipped_count": 1}
    assert set(result["seconds"]) == {"imports", "scan", "prepare", "train", "validate", "save", "total"}
    assert {"accuracy", "log_loss", "n"} <= set(result["val"])
    phases = [line["phase"] for line in ended.lines if line["type"] == "phase"]
    assert phases == ["scan", "prepare", "train", "validate", "save"]
    (estimate,) = [line for line in ended.lines if line["type"] == "estimate"]
    assert 0 < estimate["total_s"] < 600
    assert "will take about" in ended.said
    assert [line["epoch"] for line in ended.lines if line["type"] == "epoch"] == [1, 2]
    skipped = next(line for line in ended.lines if line["type"] == "skipped")
    assert (skipped["path"], skipped["code"]) == ("dogs/empty.jpg", "empty")
    assert skipped["reason"] in ended.said
    memory = next(line for line in ended.lines if line["type"] == "memory")
    assert set(memory) >= {"device", "kind", "allocated_mb", "reserved_mb", "peak_mb", "total_mb", "process_mb"}
    for epoch in (1, 2):
        assert re.search(rf"^Epoch {epoch}/2 - Allocated: \d+\.\d\d MB", ended.said, re.MULTILINE)
        assert re.search(rf"^Epoch {epoch} \| Val Acc: \d+\.\d\d%$", ended.said, re.MULTILINE)


def test_the_lines_on_stdout_are_those_of_the_run_folder(catdog: Catdog, tiny_dataset: Path, tmp_path: Path) -> None:
    ended = catdog("train", tiny_dataset, "--json", "--run", tmp_path / "run", *QUICK)
    logged = [json.loads(line) for line in (tmp_path / "run" / "events.jsonl").read_text("utf-8").splitlines()]

    assert all(line.pop("time") for line in logged)
    assert logged == ended.lines


def test_every_setting_is_an_option(catdog: Catdog, tiny_dataset: Path, tmp_path: Path) -> None:
    options = ["--optimizer", "sgd", "--learning-rate", "0.02", "--val-fraction", "0.3", "--no-pretrained"]
    options += ["--batch-size", "8", "--seed", "7", "--fit", "squash", "--pin-memory", "off", "--precision", "fp32"]
    catdog("train", tiny_dataset, "--run", tmp_path / "run", *options, *QUICK)
    config = runlog.read_config(tmp_path / "run")

    assert (config.optimizer, config.learning_rate, config.val_fraction, config.pretrained) == ("sgd", 0.02, 0.3, False)
    assert (config.batch_size, config.seed, config.fit, config.pin_memory) == (8, 7, "squash", "off")
    assert config.precision == "fp32"


def test_the_help_names_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["train", "--help"])
    text = capsys.readouterr().out

    assert caught.value.code == 0
    names = {item.name.replace("_", "-") for item in dataclasses.fields(TrainConfig)} - {"data"}
    assert [name for name in names if f"--{name}" not in text] == []
    assert "DATA" in text


def test_a_settings_file_is_overruled_by_options(catdog: Catdog, tiny_dataset: Path, tmp_path: Path) -> None:
    first = catdog("train", tiny_dataset, "--json", "--preset", "article", "--seed", "4", *QUICK)
    config = Path(first.last["run"]) / "config.json"
    again = catdog("train", "--json", "--config", config, "--epochs", "1")
    found = runlog.read_config(Path(again.last["run"]))

    assert again.code == 0
    assert again.last["run"] != first.last["run"]
    assert (found.preset, found.seed, found.epochs, found.data) == ("article", 4, 1, tiny_dataset)


# --- stopping --------------------------------------------------------------------------------------------------------


def test_ctrl_c_once_stops_saves_and_says_so(tiny_dataset: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "catdog_gui.cli", "train", str(tiny_dataset), "--json"]
    command += ["--run", str(tmp_path / "run"), "--epochs", "100000", "--patience", "0", "--device", "cpu"]
    with subprocess.Popen(
        [*command, "--image-size", "64"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ) as process:
        assert process.stdout is not None
        out = ""
        while '"type": "epoch"' not in out:
            line = process.stdout.readline()
            assert line, process.communicate()
            out += line
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=60)
    lines = checked_lines(out + rest)

    assert process.returncode == 130
    assert (lines[-1]["type"], lines[-1]["status"]) == ("result", "stopped")
    assert read_model(tmp_path / "run").classes == ("cats", "dogs")
    assert "Stopping" in said
    assert f"To go on: catdog train --resume {tmp_path / 'run'}" in said
    assert "Traceback" not in said


def test_ctrl_c_twice_aborts_and_keeps_the_last_good_state(
    catdog: Catdog, tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak = train_command.TrainSpeaker.__call__

    def press_twice(self: train_command.TrainSpeaker, event: events.Event) -> None:
        speak(self, event)
        if isinstance(event, events.EpochDone) and event.epoch == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(train_command.TrainSpeaker, "__call__", press_twice)
    ended = catdog("train", tiny_dataset, "--json", "--run", tmp_path / "run", *QUICK, "--epochs", "50")

    refused(ended, 130, "stopped_by_user")
    assert read_model(tmp_path / "run").trained["epoch"] == 2
    assert not runlog.is_locked(tmp_path / "run")


def test_a_stop_while_answering_ends_with_what_was_answered(
    catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(answer: events.Prediction) -> str:
        signal.raise_signal(signal.SIGINT)
        return answer.path

    monkeypatch.setattr(predict_command, "_told", press)
    ended = catdog("predict", drawn_run, drawn_samples.dataset, "--json", "--device", "cpu")
    monkeypatch.undo()

    assert (ended.code, ended.last["type"], ended.last["status"]) == (130, "result", "stopped")
    assert 1 <= ended.last["photos"] < 80


def test_a_run_that_is_stopped_while_it_prepares_says_what_there_is_of_it(
    catdog: Catdog, tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak = train_command.TrainSpeaker.__call__

    def press(self: train_command.TrainSpeaker, event: events.Event) -> None:
        speak(self, event)
        if isinstance(event, events.PhaseStarted) and event.phase == "prepare":
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(train_command.TrainSpeaker, "__call__", press)
    ended = catdog("train", tiny_dataset, "--run", tmp_path / "run", *QUICK)

    assert ended.code == 130
    assert "Stopped; nothing was learned yet." in ended.lines
    assert f"catdog train --resume {tmp_path / 'run'}" in ended.said


def test_several_answers_end_with_their_totals(catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet) -> None:
    ended = catdog("predict", drawn_run, drawn_samples.dataset, "--device", "cpu")

    assert ended.code == 0
    assert "80 photos: " in ended.said.splitlines()[-1]
    assert " cats" in ended.said.splitlines()[-1]


# --- evaluate --------------------------------------------------------------------------------------------------------


def test_evaluate_gives_the_figures_of_the_contract(catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet) -> None:
    ended = catdog("evaluate", drawn_run, drawn_samples.dataset, "--json", "--device", "cpu")

    assert ended.code == 0
    assert (ended.last["photos"], ended.last["skipped_count"], ended.last["classes"]) == (80, 0, ["cats", "dogs"])
    assert ended.last["accuracy"] >= 0.95
    assert set(ended.last["verdicts"]) == {"sure", "not_sure", "none_of_these"}
    assert {"log_loss", "ece", "confusion"} <= set(ended.last)
    assert "photos right" in ended.said


# --- predict ---------------------------------------------------------------------------------------------------------


def test_predict_answers_each_photo_in_order(
    catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    (tmp_path / "page.jpg").write_text("<!DOCTYPE html><html></html>")
    photos = [drawn_samples.held_out[0], tmp_path / "page.jpg", drawn_samples.held_out[1]]
    ended = catdog("predict", drawn_run, *photos, "--json", "--device", "cpu")
    answers = ended.lines[:-1]

    assert ended.code == 0
    assert [line["path"] for line in answers] == [str(photo) for photo in photos]
    assert set(answers[0]) >= {"verdict", "label", "top", "probabilities", "calibrated", "novelty", "reason"}
    assert (answers[1]["verdict"], answers[1]["label"], answers[1]["top"]) == ("unreadable", None, None)
    assert "web page" in answers[1]["reason"]
    assert (ended.last["photos"], ended.last["unreadable_count"]) == (3, 1)
    assert isinstance(ended.last["seconds"], float)


def test_predict_writes_a_table_and_sorts_copies_into_folders(
    catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    photos = [*drawn_samples.held_out, tmp_path / "empty.jpg"]
    photos[-1].touch()
    table, sorted_into = tmp_path / "answers.csv", tmp_path / "sorted"
    arguments = ["--csv", table, "--sort-into", sorted_into, "--device", "cpu", "--json"]
    answers = catdog("predict", drawn_run, *photos, *arguments).lines[:-1]
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))

    assert [(row["file"], row["verdict"]) for row in rows] == [(line["path"], line["verdict"]) for line in answers]
    folders = {Path(line["path"]).name: line["label"] or line["verdict"] for line in answers[:-1]}
    assert {path.name: path.parent.name for path in sorted_into.rglob("*.jpg")} == folders
    assert photos[-1].exists()


def test_predict_searches_folders(catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet) -> None:
    ended = catdog("predict", drawn_run / "model.safetensors", drawn_samples.held_out[0].parent, "--device", "cpu")

    assert ended.code == 0
    assert len(ended.lines) == 8


# --- export ----------------------------------------------------------------------------------------------------------


def test_export_writes_a_checked_file_and_never_over_another(catdog: Catdog, drawn_run: Path, tmp_path: Path) -> None:
    target = tmp_path / "pets.onnx"

    done = catdog("export", drawn_run, target, "--format", "onnx", "--json")
    again = catdog("export", drawn_run, target, "--json")

    assert done.code == 0
    assert {"file", "format", "checked", "agree", "largest_difference"} <= set(done.last)
    assert (done.last["file"], done.last["format"]) == (str(target), "onnx")
    assert done.last["agree"] == done.last["checked"] == 50
    assert done.last["largest_difference"] < 1e-3
    assert "50 of 50 answers about photos of the run and drawings are the program's" in done.said
    refused(again, 2, "export_target_exists")


# --- bench -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def quick_bench(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A comparison whose devices are not really measured: the CPU does 20 photos/s, with bf16 50, and has no card."""
    from catdog_gui.engine.comparison import bench
    from catdog_gui.engine.comparison.plan import Facts, plan
    from catdog_gui.engine.devices import DeviceInfo

    steps: list[Any] = [3.2, 1.28]
    cpu = DeviceInfo("cpu", "cpu", "Some CPU", precisions=("fp32", "bf16"))
    facts = Facts(cuda_built=False, has_driver=False, apple=False)
    monkeypatch.setattr(bench, "planned_rows", lambda: plan([cpu], facts))

    def measure(*_: object) -> bench.Timing:
        step = steps.pop(0)
        if isinstance(step, BaseException):
            raise step
        return bench.Timing([step] * 5, 2048.0)

    monkeypatch.setattr(bench, "train", measure)
    return steps


def test_bench_compares_what_is_here_and_says_why_the_rest_is_missing(
    catdog: Catdog, tiny_dataset: Path, quick_bench: list[Any]
) -> None:
    ended = catdog("bench", tiny_dataset, "--json")

    assert ended.code == 0
    first, second, cuda, mps = ended.last["rows"]
    assert {"device", "name", "precision", "photos_per_s", "speedup", "epoch_s", "seconds_25000"} <= set(first)
    assert (first["photos_per_s"], first["speedup"], first["reason"]) == (20.0, 1.0, None)
    assert (first["epoch_s"], first["seconds_25000"], first["article_s"]) == (2.4, 1250.0, 12500.0)
    assert (first["peak_mb"], first["spread"]) == (2048.0, 0.0)
    assert (second["precision"], second["speedup"]) == ("bf16", 2.5)
    assert (cuda["photos_per_s"], cuda["reason"][:26]) == (None, "No NVIDIA card was found i")
    assert mps["reason"]
    assert [line["precision"] for line in ended.lines if line["type"] == "bench_row"] == ["fp32", "bf16"] + ["fp32"] * 2
    assert "2.5 x" in ended.said


def test_bench_that_is_stopped_gives_the_rows_so_far(
    catdog: Catdog, tiny_dataset: Path, quick_bench: list[Any]
) -> None:
    quick_bench[1] = Stopped()
    ended = catdog("bench", tiny_dataset, "--json")

    assert (ended.code, ended.last["status"], len(ended.last["rows"])) == (130, "stopped", 1)


def test_bench_draws_the_comparison_for_people(catdog: Catdog, tiny_dataset: Path, quick_bench: list[Any]) -> None:
    ended = catdog("bench", tiny_dataset)

    bars = [line.count("█") for line in ended.lines if "Some CPU" in line]
    assert bars == [10, 24]
    assert "3.5 h" in ended.lines[2]


def test_bench_refuses_a_folder_that_cannot_be_trained_on(catdog: Catdog, tmp_path: Path) -> None:
    refused(catdog("bench", tmp_path, "--json"), 3, "no_photos")


# --- doctor ----------------------------------------------------------------------------------------------------------


def test_doctor_says_what_works_here(catdog: Catdog) -> None:
    ended = catdog("doctor", "--json")
    devices = {item["id"]: item for item in ended.last["devices"]}

    assert ended.code == 0
    assert {"torch", "torch_cuda", "cudnn", "driver"} <= set(ended.last)
    assert devices["cpu"]["works"] is True
    assert "fp32" in devices["cpu"]["precisions"]
    assert "cpu" in ended.said.lower()


def test_a_report_is_written_beside_the_figures(catdog: Catdog, tmp_path: Path) -> None:
    ended = catdog("doctor", "--json", "--report", tmp_path / "report.zip")

    assert ended.code == 0
    with zipfile.ZipFile(tmp_path / "report.zip") as report:
        assert "computer.json" in report.namelist()


# --- runs ------------------------------------------------------------------------------------------------------------


def test_runs_are_listed_and_deleted_by_name_once_confirmed(catdog: Catdog) -> None:
    with runlog.create() as run:
        run.write_config(TrainConfig(data=Path("pets")), {})
    listed = catdog("runs", "--json")
    unsure = catdog("runs", "--delete", "pets", "--json")

    assert [row["name"] for row in listed.last["runs"]] == ["pets"]
    assert (unsure.code, unsure.last["code"], run.path.exists()) == (2, "not_confirmed", True)
    gone = catdog("runs", "--delete", "pets", "--yes", "--json")
    assert (gone.code, gone.last["deleted"], run.path.exists()) == (0, str(run.path), False)
    refused(catdog("runs", "--delete", "pets", "--yes", "--json"), 3, "no_such_run")


def test_runs_tells_which_checked_photos_a_run_got_wrong(catdog: Catdog, drawn_run: Path, tmp_path: Path) -> None:
    run, model = Path(shutil.copytree(drawn_run, tmp_path / "mistaken")), read_model(drawn_run)
    answers, labels = model.tensors[CHECK_ANSWERS].copy(), [photo.label for photo in checked_photos(drawn_run)]
    answers[:] = [model.classes.index(label) for label in labels]
    all_right = model.tensors | {CHECK_ANSWERS: answers.copy()}
    answers[1] = 1 - answers[1]

    save_model(dataclasses.replace(model, tensors=model.tensors | {CHECK_ANSWERS: answers}), run / runlog.MODEL)
    found = catdog("runs", "--mistakes", run, "--json").last["mistakes"]
    said = catdog("runs", "--mistakes", run).lines
    save_model(dataclasses.replace(model, tensors=all_right), run / runlog.MODEL)
    none = catdog("runs", "--mistakes", run).lines

    assert [(row["label"], row["answer"]) for row in found] == [(labels[1], model.classes[answers[1]])]
    assert Path(found[0]["path"]).is_file()
    assert 0 < found[0]["probability"] < 1
    assert said == [f"{found[0]['path']}: {labels[1]}, answered {model.classes[answers[1]]}"]
    assert none == ["Every photo it was checked with was answered rightly."]


def test_the_help_says_whose_probability_a_mistake_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["runs", "--help"])

    assert "calibrated on the other photos" in " ".join(capsys.readouterr().out.split())


def test_photos_that_changed_are_refused_with_the_option_that_goes_on(
    catdog: Catdog, tiny_dataset: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    config = TrainConfig(data=tiny_dataset, run=run, device="cpu", epochs=3, image_size=64)
    learned = threading.Event()
    fit(config, lambda event: learned.set() if isinstance(event, events.EpochDone) else None, learned.is_set)
    min((tiny_dataset / "cats").iterdir()).unlink()
    ended = catdog("train", "--resume", run)

    assert (ended.code, ended.lines) == (3, [])
    told, *ways = ended.said.splitlines()[-3:]
    assert "The photos are not those the run began with" in told
    assert ways == [
        f"with the photos of the run: catdog train --resume {run} --changed keep",
        f"a new run with those of now: catdog train --resume {run} --changed new",
    ]


# --- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["export", "model", "out", "--format", "pickle"],
        ["train", "data", "--epochs", "many"],
        ["train", "data", "--preset", "perfect"],
        ["train", "data", "--frob"],
        ["predict", "model"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_sentence_and_an_error_line(catdog: Catdog, arguments: list[str]) -> None:
    ended = catdog(*arguments, "--json")

    assert (ended.code, ended.last["type"], ended.last["code"], len(ended.lines)) == (2, "error", "usage", 1)
    assert len(ended.said.splitlines()) == 1
    assert ended.last["message"] in ended.said


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--epochs", "0"], "setting_range"),
        (["--learning-rate", "nan"], "setting_type"),
        (["--device", "abacus"], "unknown_device"),
        (["--model", "small_cnn"], "no_pretrained"),
        (["--run", "RUN"], "run_not_empty"),
        (["--config", "TEXT"], "config_unreadable"),
        (["--config", "BAD"], "setting_type"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_settings_that_cannot_be_used_end_with_2(
    catdog: Catdog, options: list[str], code: str, tiny_dataset: Path, tmp_path: Path
) -> None:
    (tmp_path / "TEXT").write_text("hello")
    (tmp_path / "BAD").write_text('{"schema": 1, "preset": "fast", "epochs": "ten"}')
    (tmp_path / "RUN").mkdir()
    (tmp_path / "RUN" / "mine").touch()
    named = [str(tmp_path / option) if option.isupper() else option for option in options]
    ended = catdog("train", tiny_dataset, "--json", "--device", "cpu", "--image-size", "64", *named)

    refused(ended, 2, code)


def test_train_without_a_folder_ends_with_2(catdog: Catdog) -> None:
    refused(catdog("train", "--json"), 2, "data_missing")


def test_folders_that_cannot_be_used_end_with_3(
    catdog: Catdog, tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    make_dataset(tmp_path / "one", {"cats": 5})
    make_dataset(tmp_path / "few", {"cats": 5, "dogs": 2})
    make_dataset(tmp_path / "outer" / "inner", {"cats": 5, "dogs": 5})
    (tmp_path / "empty").mkdir()
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("../outside.txt", "escaped")
    (tmp_path / "bad" / "cats").mkdir(parents=True)
    (tmp_path / "bad" / "dogs").mkdir()
    for number in range(5):
        for name in ("cats", "dogs"):
            (tmp_path / "bad" / name / f"{number}.jpg").touch()
    before = sorted(tmp_path.rglob("*"))
    for name, code in (
        ("one", "too_few_classes"),
        ("few", "too_few_photos"),
        ("outer", "wrapper_folder"),
        ("empty", "no_photos"),
        ("photos.zip", "archive_given"),
        ("gone", "folder_missing"),
        ("bad", "no_readable_photos"),
    ):
        ended = catdog("train", tmp_path / name, "--json", *QUICK)
        refused(ended, 3, code)
        if name == "outer":
            assert str(tmp_path / "outer" / "inner") in ended.said
    written = {path for path in set(tmp_path.rglob("*")) - set(before) if "catdog-home" not in str(path)}
    assert written == set()


class _Trap:
    """Unpickled, it makes a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.place),)


def test_what_is_no_model_of_ours_ends_with_3_and_is_never_executed(
    catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    data = (drawn_run / "model.safetensors").read_bytes()
    trap = pickle.dumps(_Trap(tmp_path / "executed"))
    (tmp_path / "plain.pkl").write_bytes(trap)
    (tmp_path / "named.safetensors").write_bytes(trap)
    with zipfile.ZipFile(tmp_path / "checkpoint.pt", "w") as archive:
        archive.writestr("archive/data.pkl", trap)
    (tmp_path / "cut.safetensors").write_bytes(data[: len(data) * 2 // 3])
    (tmp_path / "cut.pt").write_bytes((tmp_path / "checkpoint.pt").read_bytes()[:40])
    (tmp_path / "run").mkdir()
    for name, code in (
        ("plain.pkl", "model_is_pickle"),
        ("named.safetensors", "model_is_pickle"),
        ("checkpoint.pt", "model_is_pickle"),
        ("cut.pt", "model_is_pickle"),
        ("cut.safetensors", "model_damaged"),
        ("run", "not_a_run"),
        ("gone", "model_missing"),
    ):
        refused(catdog("predict", tmp_path / name, drawn_samples.held_out[0], "--json"), 3, code)
        refused(catdog("evaluate", tmp_path / name, drawn_samples.dataset, "--json"), 3, code)
    assert not (tmp_path / "executed").exists()


def test_photos_of_which_none_can_be_read_end_with_3(catdog: Catdog, drawn_run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "nothing").mkdir()
    unread = catdog("predict", drawn_run, tmp_path / "empty.jpg", "--json", "--device", "cpu")

    assert [line["type"] for line in unread.lines] == ["prediction", "error"]
    assert (unread.code, unread.last["code"]) == (3, "no_readable_photos")
    refused(catdog("predict", drawn_run, tmp_path / "nothing", "--json", "--device", "cpu"), 3, "no_photos_given")


def test_a_folder_with_other_classes_ends_with_3(
    catdog: Catdog, drawn_run: Path, tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    data = make_dataset(tmp_path / "photos", {"ants": 4, "bees": 4})

    refused(catdog("evaluate", drawn_run, data, "--json", "--device", "cpu"), 3, "no_class_in_common")


def test_failing_while_working_ends_with_1(
    catdog: Catdog,
    drawn_run: Path,
    drawn_samples: SampleSet,
    tiny_dataset: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").touch()
    unwritable = tmp_path / "file" / "below"
    photo, full = drawn_samples.held_out[0], tmp_path / "sorted"
    full.mkdir()
    for name in ("cats", "dogs", "not_sure", "none_of_these"):  # no folder can have these names
        (full / name).touch()
    folder = catdog("predict", drawn_run, photo, "--sort-into", full, "--json", "--device", "cpu")
    assert (folder.code, folder.last["code"]) == (1, "not_all_sorted")
    monkeypatch.setenv("CATDOG_HOME", str(unwritable))
    run = catdog("train", tiny_dataset, "--json", *QUICK)
    assert (run.code, run.last["code"]) == (1, "cannot_write")
    assert str(unwritable) in run.said


def test_only_debug_shows_a_traceback(
    catdog: Catdog, tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("catdog_gui.engine.datasets.dataset.scan", fail)
    quiet = catdog("scan", tiny_dataset, "--json")
    refused(quiet, 1, "unexpected")
    assert "ZeroDivisionError: a fault" in quiet.said
    assert "Traceback" in catdog("scan", tiny_dataset, "--debug").said
    monkeypatch.undo()
    shown = catdog("train", tmp_path / "gone", "--debug")
    assert (shown.code, "Traceback" in shown.said) == (3, True)


def test_not_a_number_becomes_null(capfd: pytest.CaptureFixture[str]) -> None:
    options = cli.make_parser().parse_args(["doctor", "--json"])
    output.Output(options).result({"loss": float("nan"), "rows": [{"ece": float("inf")}]})

    line = checked_lines(capfd.readouterr().out)[-1]
    assert (line["loss"], line["rows"]) == (None, [{"ece": None}])


# --- as a program ----------------------------------------------------------------------------------------------------


def child(*arguments: str | bytes | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "catdog_gui.cli", *(os.fsdecode(argument) for argument in arguments)]
    return subprocess.run(
        command,
        cwd=ROOT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


def test_the_program_names_its_version_and_its_commands() -> None:
    done = child("--help")

    assert done.returncode == 0
    listed = re.findall(r"^    (\w+)  ", done.stdout, re.MULTILINE)
    assert listed == ["scan", "train", "evaluate", "predict", "export", "bench", "explain", "runs", "doctor"]
    assert re.fullmatch(r"catdog \d+\.\d+\S*\n", child("--version").stdout)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode on this system")
def test_any_file_name_is_printed_on_any_terminal(tiny_dataset: Path) -> None:
    bad = os.fsencode(tiny_dataset) + b"/cats/\xff\xfe.txt"
    Path(os.fsdecode(bad)).touch()
    (tiny_dataset / "犬 🐕").mkdir()
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = child("scan", tiny_dataset, "--json", env=environment)
    plain = child("scan", tiny_dataset, env=environment)

    assert (done.returncode, plain.returncode) == (0, 0)
    found = checked_lines(done.stdout)[-1]
    assert found["skipped"][0]["path"] == "cats/\\udcff\\udcfe.txt"
    assert "犬 🐕" in found["warnings"][0]["message"]
    assert "\\udcff\\udcfe.txt" in plain.stdout


def test_a_reader_that_has_gone_ends_the_command_with_one_sentence(tiny_dataset: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    for options in (["--json"], []):
        done = child("scan", tiny_dataset, *options, stdout=writing)

        assert done.returncode == 1
        assert done.stderr == "catdog: Nobody reads the output any more, so the work was ended.\n"
    os.close(writing)


def test_an_empty_path_is_wrong_usage_and_not_the_current_folder(catdog: Catdog) -> None:
    ended = catdog("scan", "", "--json")

    assert (ended.code, ended.last["code"]) == (2, "usage")


def test_a_table_that_has_no_folder_is_refused_before_any_photo_is_asked(
    catdog: Catdog, drawn_run: Path, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    done = catdog("predict", drawn_run, drawn_samples.held_out[0], "--csv", tmp_path / "gone" / "a.csv", "--json")

    assert [line["type"] for line in done.lines] == ["error"]
    refused(done, 2, "export_no_folder")


def test_the_folder_to_check_with_is_another_one(catdog: Catdog, tiny_dataset: Path) -> None:
    refused(catdog("train", tiny_dataset, "--val", tiny_dataset, "--json"), 2, "val_is_data")


def test_names_of_files_cannot_colour_the_terminal_nor_fake_a_line(
    catdog: Catdog, tmp_path: Path, make_dataset: Callable[..., Path]
) -> None:
    data = make_dataset(tmp_path / "photos", {"cats": 4, "dogs": 4})
    (data / "cats" / "a\x1b[31mred\nline.txt").touch()

    done = catdog("scan", data)

    shown = "\n".join(str(line) for line in done.lines)
    assert "\x1b" not in shown + done.said
    assert "a\\x1b[31mred" in shown
