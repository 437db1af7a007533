"""Two programs at once on one home: nothing is lost, nothing is half, and the second is told."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine import home
from catdog_gui.engine.answers import moving
from catdog_gui.engine.answers.sorting import Sorter
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.networks.cache import PhotoCache
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.training.run import resume
from catdog_gui.session import settings

ROUNDS = 60
CATS = Prediction("", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1)

SETTINGS = """
import dataclasses, sys
from pathlib import Path
from catdog_gui.session import settings
print("ready", flush=True); sys.stdin.readline()
for number in range({rounds}):
    now = settings.load()
    assert now.device in ("", "one", "two"), now
    settings.save(dataclasses.replace(now, device={who!r}, recent=tuple("/x" * n for n in range(1, 9))))
"""
CACHE = """
import sys
from pathlib import Path
import numpy as np
from catdog_gui.engine.networks.cache import Computed, PhotoCache, Stored
cache = PhotoCache("kind", (4,), np.float32)
print("ready", flush=True); sys.stdin.readline()
for number in range({rounds}):
    name = f"{who}-{{number}}"
    digest = name.encode().ljust(16, b".")
    row = np.full(4, number, np.float32)
    cache.add([Computed(Path("/" + name), "stamp", Stored(digest, np.zeros(64, np.uint8), row))])
    assert cache.is_on
cache.close()
"""
RUN = """
import sys
from pathlib import Path
from catdog_gui.engine import events
from catdog_gui.engine.runs import run_list, runlog
with runlog.RunFolder(Path({run!r})) as run:
    run.append(events.PhaseStarted("train"))
    print("ready", flush=True)
    sys.stdin.readline()
"""


def start(code: str, **values: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", code.format(rounds=ROUNDS, **values)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def end(*processes: "subprocess.Popen[str]") -> list[int]:
    """Let all of them begin, then wait for all; their exit codes."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    codes = [process.wait(120) for process in processes]
    for process in processes:
        process.communicate()
    return codes


def test_settings_written_by_two_windows_at_once_are_always_whole(catdog_home: Path) -> None:
    codes = end(start(SETTINGS, who="one"), start(SETTINGS, who="two"))

    assert codes == [0, 0]
    assert settings.load().device in ("one", "two")
    assert [path.name for path in catdog_home.iterdir()] == ["settings.json"]  # none kept aside, no half file left


def test_two_programs_fill_one_cache_and_neither_loses_a_photo(catdog_home: Path) -> None:
    codes = end(start(CACHE, who="one"), start(CACHE, who="two"))
    cache = PhotoCache("kind", (4,), np.float32)
    names = [f"{who}-{number}" for who in ("one", "two") for number in range(ROUNDS)]
    digests = [name.encode().ljust(16, b".") for name in names]
    rows = {row.digest: row.row for row in cache.rows(digests)}
    known = cache.digests({Path("/" + name): "stamp" for name in names})
    cache.close()

    assert codes == [0, 0]
    assert len(rows) == len(known) == 2 * ROUNDS
    assert all((rows[digest] == int(name.split("-")[1])).all() for name, digest in zip(names, digests, strict=True))


def test_the_second_opener_of_a_run_is_told_and_changes_nothing(catdog_home: Path) -> None:
    with runlog.create() as run:
        run.write_config(TrainConfig(data=Path("/pets")), {})
    first = start(RUN, run=str(run.path))
    before = (run.path / runlog.EVENTS).read_bytes()
    told = []
    for attempt in (runlog.RunFolder, run_list.delete):
        with pytest.raises(CatDogError) as caught:
            attempt(run.path)
        told.append((caught.value.code, str(run.path) in str(caught.value)))

    assert told == [("run_in_use", True)] * 2
    assert [item.status for item in run_list.list_runs()] == ["running"]
    assert (run.path / runlog.EVENTS).read_bytes() == before
    assert end(first) == [0]
    with runlog.RunFolder(run.path) as again:
        assert again.path == run.path


def test_two_programs_that_begin_at_once_get_a_run_each(catdog_home: Path) -> None:
    code = "from catdog_gui.engine.runs import runlog; r = runlog.create(); r.close(); print(r.path.name)"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, encoding="utf-8")
        for _ in range(2)
    ]
    names = [process.communicate(timeout=120)[0].strip() for process in both]

    assert sorted(names) == ["run-0001", "run-0002"]
    assert sorted(path.name for path in home.runs_dir().iterdir()) == ["run-0001", "run-0002"]


MOVE = """
import sys
from pathlib import Path
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.answers.sorting import Sorter
cats = Prediction("", "sure", "cats", "cats", {{"cats": 0.9, "dogs": 0.1}}, True, 0.1)
print("ready", flush=True); sys.stdin.readline()
sorter = Sorter(Path({target!r}), move=True)
for photo in sorted(Path({photos!r}).glob("*.jpg")):
    sorter.sort(photo, cats)
sorter.close()
"""
UNDO = """
import sys
from pathlib import Path
from catdog_gui.engine.answers import moving
from catdog_gui.engine.errors import CatDogError
print("ready", flush=True); sys.stdin.readline()
try:
    undone = moving.undo(Path({journal!r}))
except CatDogError as error:
    print(error.code)
else:
    print(len(undone.back), len(undone.failed))
"""


def photos_in(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:03}.jpg").write_bytes(f"{folder.name} {number}".encode())
    return folder


def test_two_programs_that_move_at_once_note_their_moves_apart(catdog_home: Path, tmp_path: Path) -> None:
    folders = [photos_in(tmp_path / name, ROUNDS) for name in ("one", "two")]
    before = [sorted(path.read_bytes() for path in folder.iterdir()) for folder in folders]
    codes = end(*(start(MOVE, target=str(tmp_path / "out"), photos=str(folder)) for folder in folders))

    assert codes == [0, 0]
    assert len(list((tmp_path / "out" / "cats").iterdir())) == 2 * ROUNDS
    journals = sorted(home.moves_dir().glob("*.jsonl"))
    assert [len(moving.undo(journal).back) for journal in journals] == [ROUNDS, ROUNDS]
    assert [sorted(path.read_bytes() for path in folder.iterdir()) for folder in folders] == before


def test_of_two_programs_that_undo_one_move_the_second_is_told(catdog_home: Path, tmp_path: Path) -> None:
    folder = photos_in(tmp_path / "in", 10 * ROUNDS)
    assert end(start(MOVE, target=str(tmp_path / "out"), photos=str(folder))) == [0]
    summary = moving.newest()
    assert summary is not None
    both = [start(UNDO, journal=str(summary.path)) for _ in range(2)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60)[0].strip() for process in both]

    assert f"{10 * ROUNDS} 0" in said
    assert set(said) - {f"{10 * ROUNDS} 0"} <= {"moves_in_use", "nothing_to_undo"}
    assert len(list(folder.iterdir())) == 10 * ROUNDS
    assert list(home.moves_dir().iterdir()) == []


def test_moves_that_go_on_elsewhere_are_not_undone_meanwhile(catdog_home: Path, tmp_path: Path) -> None:
    folder = photos_in(tmp_path / "in", 2)
    sorter = Sorter(tmp_path / "out", move=True)
    sorter.sort(folder / "000.jpg", CATS)
    assert sorter.journal is not None
    other = start(UNDO, journal=str(sorter.journal))
    said = other.communicate("\n", timeout=60)[0].strip()
    sorter.sort(folder / "001.jpg", CATS)
    sorter.close()

    assert said == "moves_in_use"
    assert len(moving.undo(sorter.journal).back) == 2


def test_a_run_that_another_program_has_just_deleted_is_told_and_not_made_again(catdog_home: Path) -> None:
    with runlog.create() as run:
        run.write_config(TrainConfig(data=Path("/pets")), {})
    shown = run_list.list_runs()[0]
    code = f"from catdog_gui.engine.runs import run_list; run_list.delete(run_list.find_run({run.path.name!r}))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    told = []
    for attempt in (
        lambda: resume(shown.path),
        lambda: runlog.RunFolder(shown.path),
        lambda: run_list.rename(shown.path, "mine"),
        lambda: run_list.delete(shown.path),
        lambda: runlog.save_model_as(shown.path, catdog_home / "model"),
    ):
        with pytest.raises(CatDogError) as caught:
            attempt()
        told.append(caught.value.code)

    assert told == ["not_a_run", "not_a_run", "cannot_write", "not_a_run", "no_model_in_run"]
    assert list(runlog.read_events(shown.path)) == []
    assert list(home.runs_dir().iterdir()) == []


def test_a_run_whose_deletion_was_cut_off_is_in_no_list_and_goes_with_the_next(catdog_home: Path) -> None:
    runs = []
    for _ in range(2):
        with runlog.create() as run:
            run.write_config(TrainConfig(data=Path("/pets")), {})
        runs.append(run.path)
    runs[0].rename(home.runs_dir() / ".deleted-0123")  # killed here

    assert [item.path for item in run_list.list_runs()] == [runs[1]]
    run_list.delete(runs[1])
    assert list(home.runs_dir().iterdir()) == []


def test_of_two_programs_with_one_run_folder_the_second_is_told(tmp_path: Path, catdog_home: Path) -> None:
    first = runlog.create(tmp_path / "run")
    told = []
    for _ in range(2):
        with pytest.raises(CatDogError) as caught:
            runlog.create(tmp_path / "run")
        told.append(caught.value.code)
        first.write_config(TrainConfig(data=Path("/pets")), {})
        first.close()

    assert told == ["run_not_empty", "run_not_empty"]
