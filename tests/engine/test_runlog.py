"""Run folders: made, locked, written, listed and read back."""

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.errors import CatDogError, InputError, UsageError
from catdog_gui.engine.runs import run_list, runlog

RESULT = events.RunResult(
    "completed", "run", "model", ["cats", "dogs"], {"train": 8}, {"accuracy": 0.75, "n": 4}, 3, "cpu", "fp32", {}
)
HOLDER = """
import sys
from pathlib import Path
from catdog_gui.engine.runs.runlog import RunFolder
with RunFolder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def make_run(path: Path, *said: events.Event, started: float = 1000.0, model: bytes | None = None) -> Path:
    with runlog.create(path) as run:
        run.write_config(dataclasses.replace(TrainConfig(), data=Path("/photos/pets")), {"started": started})
        for event in said:
            run.append(event)
        if model is not None:
            run.model_path.write_bytes(model)
    return path


def summary(path: Path) -> run_list.RunSummary:
    found = run_list.summarize(path)
    assert found is not None
    return found


@contextlib.contextmanager
def held_by_another_program(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        try:
            yield other
        finally:
            other.kill()


# --- making ----------------------------------------------------------------------------------------------------------


def test_runs_are_numbered_under_the_home(catdog_home: Path) -> None:
    paths = []
    for _ in range(3):
        with runlog.create() as run:
            paths.append(run.path)

    assert paths == [catdog_home / "runs" / f"run-000{number}" for number in (1, 2, 3)]


def test_a_number_is_never_used_again_while_later_runs_are_there(catdog_home: Path) -> None:
    runs = catdog_home / "runs"
    for name in ("run-0007", "run-12000", "run-x", "run-²", "run-", "other"):
        (runs / name).mkdir(parents=True)

    with runlog.create() as run:
        assert run.path == runs / "run-12001"


def test_programs_that_start_at_once_get_a_folder_each() -> None:
    made: list[runlog.RunFolder] = []
    threads = [threading.Thread(target=lambda: made.append(runlog.create())) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for run in made:
        run.close()

    assert len({run.path for run in made}) == 12


def test_a_named_folder_is_made_and_a_full_one_refused(tmp_path: Path) -> None:
    make_run(tmp_path / "deep" / "mine")

    with pytest.raises(UsageError, match="never overwritten") as caught:
        runlog.create(tmp_path / "deep" / "mine")
    assert caught.value.code == "run_not_empty"


def test_an_empty_folder_that_is_there_is_used(tmp_path: Path) -> None:
    with runlog.create(tmp_path) as run:
        assert run.path == tmp_path


def test_a_place_that_cannot_be_made_is_known_before_anything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file", tmp_path / "file" / "run", tmp_path / ("x" * 300)):
        with pytest.raises(CatDogError) as caught:
            runlog.create(place)
        assert caught.value.code == "cannot_write"


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("CATDOG_HOME", str(tmp_path / "file"))

    with pytest.raises(CatDogError, match="CATDOG_HOME names one"):
        runlog.create()


# --- one writer ------------------------------------------------------------------------------------------------------


def test_a_run_is_written_by_one_program_at_a_time(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with held_by_another_program(run):
        with pytest.raises(CatDogError, match="Another program") as caught:
            runlog.RunFolder(run)
        assert caught.value.code == "run_in_use"
        assert runlog.is_locked(run)
        assert summary(run).status == "running"
    assert not runlog.is_locked(run)
    runlog.RunFolder(run).close()


def test_the_lock_of_a_killed_program_is_free(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with held_by_another_program(run) as other:
        other.kill()
        other.wait()

        assert summary(run).status == "interrupted"
        runlog.RunFolder(run).close()


def test_looking_at_the_list_does_not_keep_a_run_from_being_opened(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            runlog.is_locked(run)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(50):
            runlog.RunFolder(run).close()
    finally:
        done.set()
        looking.join()


def test_the_own_program_sees_its_run_as_running(tmp_path: Path) -> None:
    with runlog.create(tmp_path / "run") as run:
        run.write_config(TrainConfig(), {})
        assert summary(run.path).status == "running"


def test_a_run_where_nothing_can_be_written_is_not_running(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("a read-only file system needs root on Linux")
    run = make_run(tmp_path / "run")
    if subprocess.run(["mount", "--bind", run, run], capture_output=True, check=False).returncode != 0:
        pytest.skip("cannot mount here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", run], check=True)
        assert summary(run).status == "interrupted"
        with pytest.raises(CatDogError) as caught:
            runlog.RunFolder(run)
        assert caught.value.code == "cannot_write"
    finally:
        subprocess.run(["umount", run], check=True)


def test_a_stop_file_is_seen(tmp_path: Path) -> None:
    with runlog.create(tmp_path / "run") as run:
        assert not run.stop_asked()
        (run.path / "STOP").write_bytes(b"")
        assert run.stop_asked()


# --- written and read back -------------------------------------------------------------------------------------------


def test_settings_are_read_back(tmp_path: Path) -> None:
    config = dataclasses.replace(preset("best"), data=Path("/photos"), seed=3)
    with runlog.create(tmp_path / "run") as run:
        run.write_config(config, {"threads": 2})

    assert runlog.read_config(tmp_path / "run") == config
    assert json.loads((tmp_path / "run" / "config.json").read_text())["facts"] == {"threads": 2}


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a run"):
        runlog.read_config(tmp_path)
    assert not runlog.is_run(tmp_path)
    assert run_list.summarize(tmp_path) is None
    assert list(runlog.read_events(tmp_path)) == []


def test_a_damaged_setting_is_named(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    (run / "config.json").write_text('{"epochs": "many"}')

    with pytest.raises(InputError, match="epochs"):
        runlog.read_config(run)


@pytest.mark.parametrize("data", ["", '{"epochs": 3', "[]", "\x00" * 300])
def test_a_run_whose_settings_are_damaged_says_so_and_stays_in_the_list(catdog_home: Path, data: str) -> None:
    run = make_run(catdog_home / "runs" / "run-0001", RESULT)
    (run / "config.json").write_text(data)

    with pytest.raises(InputError, match=r"settings .* are damaged.*config.json") as caught:
        runlog.read_config(run)
    assert caught.value.code == "run_settings_damaged"
    assert [row.name for row in run_list.list_runs()] == ["run-0001"]  # its model still answers, and it can be deleted
    run_list.delete(run)


def test_events_are_read_back_in_order_with_their_time_in_the_file(tmp_path: Path) -> None:
    said = [events.PhaseStarted("scan"), events.PhotoSkipped("a\u2028b/ü.jpg", "truncated"), RESULT]
    run = make_run(tmp_path / "run", *said)

    assert list(runlog.read_events(run)) == [runlog.placed(event, run) for event in said]
    lines = (run / "events.jsonl").read_text(encoding="utf-8").split("\n")
    assert all(json.loads(line)["time"] > 1e9 for line in lines[:-1])
    assert runlog.is_run(run)


def test_events_are_in_the_file_as_soon_as_they_are_said(tmp_path: Path) -> None:
    with runlog.create(tmp_path / "run") as run:
        run.append(events.PhaseStarted("scan"))
        assert list(runlog.read_events(run.path)) == [events.PhaseStarted("scan")]


def test_a_reopened_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", events.PhaseStarted("scan"))
    with runlog.RunFolder(run) as again:
        again.append(events.PhaseStarted("train"))

    assert list(runlog.read_events(run)) == [events.PhaseStarted("scan"), events.PhaseStarted("train")]


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", events.PhaseStarted("scan"))
    with (run / "events.jsonl").open("ab") as file:
        file.write(b'\x00\xff\xfe\n{"type":"notice","code":"x","fields":null}\n' + b"[" * 50_000 + b"\n")
        file.write(events.to_line(RESULT).encode() + b'\n{"type":"phase","pha')

    assert list(runlog.read_events(run)) == [events.PhaseStarted("scan"), runlog.placed(RESULT, run)]
    assert summary(run).status == "completed"


def test_photos_are_listed_one_a_line_after_the_schema(tmp_path: Path) -> None:
    odd = b"cats/\xff.jpg".decode("utf-8", "surrogateescape")
    with runlog.create(tmp_path / "run") as run:
        run.write_photos([{"path": "cats/ü.jpg", "label": "cats", "side": "train"}, {"path": odd, "skipped": "empty"}])

    head, first, second = (tmp_path / "run" / "photos.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(head) == {"schema": 1}
    assert json.loads(first)["side"] == "train"
    assert json.loads(second)["path"] == odd


# --- the list --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "status"),
    [
        (RESULT, "completed"),
        (dataclasses.replace(RESULT, status="stopped"), "stopped"),
        (events.RunFailed("unexpected", {"reason": "x"}), "failed"),
        (events.PhaseStarted("train"), "interrupted"),
    ],
    ids=["completed", "stopped", "failed", "interrupted"],
)
def test_a_runs_last_line_says_how_it_ended(tmp_path: Path, end: events.Event, status: str) -> None:
    assert summary(make_run(tmp_path / "run", events.PhaseStarted("scan"), end)).status == status


def test_a_run_without_any_line_was_interrupted(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    (run / "events.jsonl").unlink()

    assert summary(run).status == "interrupted"


def test_a_row_has_what_the_list_shows(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", RESULT, started=1234.5, model=b"m")

    row = summary(run)
    assert (row.name, row.started, row.preset, row.model) == ("pets", 1234.5, "fast", "efficientnet_lite0")
    assert (row.classes, row.accuracy, row.n_val, row.epochs) == (("cats", "dogs"), 0.75, 4, 3)
    assert row.has_model


def test_a_class_name_with_a_line_separator_does_not_hide_the_result(tmp_path: Path) -> None:
    result = dataclasses.replace(RESULT, classes=["a\u2028b", "c\x85d\x1c"])

    assert summary(make_run(tmp_path / "run", result)).classes == ("a\u2028b", "c\x85d\x1c")


def test_the_result_is_found_at_the_end_of_a_long_file(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    line = events.to_line(events.StepDone(1, 1, 0.5, 1e-3, None, None, None)) + "\n"
    with (run / "events.jsonl").open("a") as file:
        file.write(line * 100_000)
        file.write(events.to_line(RESULT) + "\n")

    assert summary(run).accuracy == 0.75


def test_a_result_line_of_megabytes_is_found(tmp_path: Path) -> None:
    table = [[1] * 1000 for _ in range(1000)]
    run = make_run(tmp_path / "run", events.PhaseStarted("scan"), dataclasses.replace(RESULT, confusion=table))

    assert (run / "events.jsonl").stat().st_size > 2 * 2**20
    assert summary(run).status == "completed"


def test_the_newest_run_comes_first_and_other_folders_are_left_out(catdog_home: Path) -> None:
    runs = catdog_home / "runs"
    for name, started in (("b", 2.0), ("c", 3.0), ("a", 1.0)):
        make_run(runs / name, started=started)
    (runs / "empty").mkdir()
    (runs / "file").write_bytes(b"")

    assert [run.path.name for run in run_list.list_runs()] == ["c", "b", "a"]


def test_there_is_an_empty_list_where_nothing_was_run() -> None:
    assert run_list.list_runs() == []


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("config.json", '{"facts": 3}'),
        ("config.json", '{"facts": {"started": "noon"}}'),
        ("config.json", '{"facts": {"started": NaN}}'),
        ("config.json", '{"facts": {"started": 1' + "0" * 400 + "}}"),
        ("config.json", '{"data": {"a": 1}, "preset": null, "model": []}'),
        ("name.json", '{"name": ["x"]}'),
        ("name.json", "]"),
        ("events.jsonl", '{"type":"result"}'),
        ("events.jsonl", events.to_line(RESULT).replace("0.75", '"good"')),
        ("events.jsonl", events.to_line(RESULT).replace('["cats", "dogs"]', "null")),
        ("events.jsonl", "\x00" * 5000),
    ],
)
def test_one_damaged_run_does_not_hide_the_others(catdog_home: Path, file: str, data: str) -> None:
    damaged = make_run(catdog_home / "runs" / "damaged", RESULT)
    make_run(catdog_home / "runs" / "good", RESULT)
    (damaged / file).write_text(data)

    assert {run.path.name for run in run_list.list_runs()} == {"damaged", "good"}


def test_a_run_can_be_given_a_name_and_lose_it_again(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")

    run_list.rename(run, "  Größe 224 ")
    assert summary(run).name == "Größe 224"
    assert run.is_dir()
    run_list.rename(run, "  ")
    assert summary(run).name == "pets"


# --- models ----------------------------------------------------------------------------------------------------------


def test_a_model_is_saved_elsewhere_and_replaces_what_was_there(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", model=b"weights")
    target = tmp_path / "mine.safetensors"
    target.write_bytes(b"old")

    runlog.save_model_as(run, target)

    assert target.read_bytes() == b"weights"
    assert (run / "model.safetensors").read_bytes() == b"weights"


def test_saving_without_a_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        runlog.save_model_as(make_run(tmp_path / "run"), tmp_path / "x")
    assert caught.value.code == "no_model_in_run"
    assert "{" not in str(caught.value)


def test_saving_into_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", model=b"weights")

    with pytest.raises(CatDogError) as caught:
        runlog.save_model_as(run, tmp_path / "nowhere" / "x.safetensors")
    assert caught.value.code == "cannot_write"


def test_saving_on_a_full_disk_says_how_much_is_free(tmp_path: Path, small_disk: Path) -> None:
    run = make_run(tmp_path / "run", model=bytes(2**20))
    (small_disk / "x").write_bytes(b"old")

    with pytest.raises(CatDogError) as caught:
        runlog.save_model_as(run, small_disk / "x")

    fields: dict[str, Any] = caught.value.fields
    assert caught.value.code == "disk_full"
    assert fields["free_mb"] > 0
    assert (small_disk / "x").read_bytes() == b"old"


def test_a_full_disk_while_writing_lines_is_said(small_disk: Path) -> None:
    def fill(run: runlog.RunFolder) -> None:
        for _ in range(100):
            run.append(events.Notice("x", {"text": "x" * 10_000}))

    with runlog.create(small_disk / "run") as run, pytest.raises(CatDogError) as caught:
        fill(run)
    assert caught.value.code == "disk_full"


# --- deleting --------------------------------------------------------------------------------------------------------


def test_a_run_under_the_home_is_deleted_whole(catdog_home: Path) -> None:
    run, other = (make_run(catdog_home / "runs" / name, RESULT) for name in ("run-0001", "run-0002"))
    run_list.delete(run)

    assert [path.name for path in (catdog_home / "runs").iterdir()] == [other.name]


def test_a_run_elsewhere_a_live_one_and_what_is_no_run_are_never_deleted(catdog_home: Path, tmp_path: Path) -> None:
    elsewhere = make_run(tmp_path / "elsewhere", RESULT)
    live = make_run(catdog_home / "runs" / "run-0001", RESULT)
    inside = make_run(live / "inner", RESULT)
    plain = catdog_home / "runs" / "mine"
    plain.mkdir()
    link = catdog_home / "runs" / "link"
    link.symlink_to(elsewhere, target_is_directory=True)
    with runlog.RunFolder(live):
        codes = []
        for place in (elsewhere, live, inside, plain, link, catdog_home / "runs"):
            with pytest.raises(CatDogError) as caught:
                run_list.delete(place)
            codes.append(caught.value.code)

    assert codes == ["run_not_ours", "run_in_use", "run_not_ours", "not_a_run", "not_a_run", "not_a_run"]
    assert all(place.exists() for place in (elsewhere, live, inside, plain, link))


def test_a_run_is_found_by_its_folder_or_its_name(catdog_home: Path) -> None:
    one, two = (make_run(catdog_home / "runs" / name, RESULT) for name in ("run-0001", "run-0002"))
    run_list.rename(one, "mine")

    assert run_list.find_run("run-0002") == two
    assert run_list.find_run("mine") == one
    run_list.rename(two, "mine")
    for name, code in (("mine", "runs_alike"), ("nobody", "no_such_run")):
        with pytest.raises(InputError) as caught:
            run_list.find_run(name)
        assert caught.value.code == code


def test_runs_of_one_dataset_have_names_of_their_own(catdog_home: Path) -> None:
    names = []
    for number in range(1, 4):
        run = make_run(catdog_home / "runs" / f"run-{number:04}")
        run_list.name_apart(run, Path("/photos/pets"))
        names.append(summary(run).name)

    assert names == ["pets", "pets 2", "pets 3"]
    assert run_list.find_run("pets 2").name == "run-0002"


def test_a_name_that_was_given_back_is_given_again(catdog_home: Path) -> None:
    first, second = (make_run(catdog_home / "runs" / f"run-{number:04}") for number in (1, 2))
    run_list.rename(first, "the best")

    run_list.name_apart(second, Path("/photos/pets"))

    assert summary(second).name == "pets"
