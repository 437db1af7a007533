"""A full disk, a disk that is read-only, a folder of somebody else: for all that is written outside a run's loop."""

import contextlib
import logging
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catdog_gui.answer_commands import write_heat_map
from catdog_gui.engine import home
from catdog_gui.engine.answers import journal
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.networks.cache import Computed, PhotoCache, Stored
from catdog_gui.engine.preparing import stores
from catdog_gui.engine.problems.problem_report import write_report
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.samples import draw_samples
from catdog_gui.session import settings
from tests.engine.conftest import fill

PICTURE = np.random.default_rng(0).integers(0, 256, (224, 224, 3), np.uint8)
COMPUTER = {"computer": {}, "padding": [os.urandom(30).hex() for _ in range(10)]}


def rename_run(place: Path) -> None:
    run_list.rename(place / "run", "another")


def save_settings(place: Path) -> None:
    settings.save(settings.Settings(preset="best", geometry="x" * 300_000), place / "settings.json")


def report(place: Path) -> None:
    write_report(place / "report.zip", COMPUTER)


def drawings(place: Path) -> None:
    draw_samples(place / "drawn", photos_per_class=60, held_out=2, size=96)


def heat_map(place: Path) -> None:
    write_heat_map(place / "heat.png", PICTURE, np.zeros((224, 224), np.float32))


@pytest.fixture
def places(small_disk: Path) -> Path:
    (small_disk / "run").mkdir()
    run_list.rename(small_disk / "run", "first")
    settings.save(settings.Settings(preset="article"), small_disk / "settings.json")
    return small_disk


@pytest.mark.parametrize("write", [save_settings, report, rename_run, drawings, heat_map])
def test_on_a_full_disk_the_old_file_stays_whole_and_the_place_is_named(
    write: Callable[[Path], None], places: Path, catdog_home: Path
) -> None:
    fill(places)
    before = {path.name for path in places.rglob("*")}
    with pytest.raises(CatDogError) as caught:
        write(places)

    assert caught.value.code == "disk_full"
    assert str(places) in str(caught.value)
    assert "free" in str(caught.value)
    assert {path.name for path in places.rglob("*")} == before
    assert settings.load(places / "settings.json").preset == "article"


@pytest.mark.parametrize("write", [save_settings, report, rename_run, drawings, heat_map])
def test_on_a_read_only_disk_the_place_and_the_reason_are_named(
    write: Callable[[Path], None], places: Path, catdog_home: Path
) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(places)], check=True)
    with pytest.raises(CatDogError) as caught:
        write(places)

    assert caught.value.code == "cannot_write"
    assert str(places) in str(caught.value)
    assert "Read-only" in str(caught.value)


def test_drawings_that_fill_the_disk_are_no_half_set_and_say_how_much_they_need(small_disk: Path) -> None:
    with pytest.raises(CatDogError, match=r"drawn needs 0\.\d MB") as caught:
        draw_samples(small_disk / "drawn", photos_per_class=200, held_out=2, size=96)

    assert caught.value.code == "disk_full"
    assert list(small_disk.iterdir()) == []


def computed(number: int) -> Computed:
    digest = str(number).encode().ljust(16, b".")
    return Computed(Path(f"/{number}"), "s", Stored(digest, np.zeros(64, np.uint8), np.zeros(4096, np.float32)))


def test_a_cache_that_fills_its_disk_is_switched_off_and_nothing_is_raised(small_disk: Path) -> None:
    cache = PhotoCache("kind", (4096,), np.float32, file=small_disk / "photos.sqlite")
    was_on = cache.is_on
    for number in range(60):
        cache.add([computed(number)])

    assert (was_on, cache.is_on) == (True, False)
    assert list(cache.rows([computed(1).stored.digest])) == []


def test_a_cache_on_a_read_only_disk_is_off(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    assert not PhotoCache("kind", (4,), np.float32, file=small_disk / "photos.sqlite").is_on


def test_a_log_on_a_full_disk_loses_lines_and_says_nothing(
    small_disk: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from catdog_gui.ui.app import LOG_BYTES

    monkeypatch.setattr(logging, "raiseExceptions", False)  # as the window does
    handler = RotatingFileHandler(small_disk / "catdog.log", maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")
    log = logging.getLogger("test_no_room")
    log.addHandler(handler)
    fill(small_disk)
    for _ in range(100):
        log.error("x" * 1000)
    log.removeHandler(handler)
    with contextlib.suppress(OSError):
        handler.close()

    assert capfd.readouterr() == ("", "")


AS_ANOTHER = """
from pathlib import Path
from typing import Any
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.errors import CatDogError
from catdog_gui.session import settings
from catdog_gui.engine.networks.cache import PhotoCache
import numpy as np
said = []
for write in (lambda: settings.save(settings.Settings(preset="best")), runlog.create,
              lambda: run_list.rename(Path({run!r}), "other"), lambda: run_list.delete(Path({run!r}))):
    try:
        write()
    except CatDogError as error:
        said.append(error.code)
print(",".join(said), PhotoCache("k", (1,), np.float32).is_on, len(run_list.list_runs()), settings.load().preset)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
def test_in_a_home_of_somebody_else_everything_is_read_and_nothing_written(catdog_home: Path) -> None:
    with runlog.create() as run:
        run.write_config(TrainConfig(data=Path("/pets")), {})
    settings.save(settings.Settings(preset="article"))
    for path in (*catdog_home.parents, catdog_home, *catdog_home.rglob("*")):
        if path.is_relative_to("/tmp") and path != Path("/tmp"):
            path.chmod(0o755 if path.is_dir() else 0o644)
    if not all(path.stat().st_mode & 0o005 == 0o005 for path in catdog_home.parents):
        pytest.skip("another user cannot come here")
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, "-c"]
    done = subprocess.run(
        [*command, AS_ANOTHER.format(run=str(run.path))], capture_output=True, text=True, check=False, timeout=120
    )
    if "Permission denied" in done.stderr and "catdog_gui" not in done.stderr:
        pytest.skip("this Python cannot be run by another user")

    assert done.stdout == "cannot_write,cannot_write,cannot_write,cannot_write False 1 article\n", done.stderr


def test_a_report_holds_what_it_says_where_there_is_room(tmp_path: Path) -> None:
    report(tmp_path)

    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert packed.testzip() is None


def test_photos_on_a_read_only_disk_are_learned_from_and_nothing_is_written_there(
    small_disk: Path, make_dataset: Callable[..., Path], train: Callable[..., Any], tmp_path: Path
) -> None:
    data = make_dataset(small_disk / "photos", {"cats": 8, "dogs": 8}, size=(40, 40))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    before = sorted(small_disk.rglob("*"))
    result = train(data, tmp_path / "run", "article", image_size=32, epochs=1)

    assert result.status == "completed"
    assert sorted(small_disk.rglob("*")) == before


def test_the_place_of_a_store_is_taken_at_once_so_that_a_full_disk_never_kills_the_program(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(small_disk / "home"))
    monkeypatch.setattr(stores, "_DISK_LEFT", 0)
    size = 150_000
    first = stores.new_file(size)

    assert first is not None
    assert first.stat().st_blocks * 512 >= size
    assert stores.new_file(size) is None
    monkeypatch.setattr(stores, "_DISK_LEFT", -(10**9))  # another program was quicker after the look
    assert stores.new_file(size) is None
    assert list(first.parent.iterdir()) == [first]


def test_what_a_killed_program_left_of_its_store_goes_with_the_next(
    catdog_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "_DISK_LEFT", 0)
    code = "from catdog_gui.engine.preparing import stores; stores._DISK_LEFT = 0; print(stores.new_file(1000))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    left = Path(done.stdout.strip())
    was_there = left.is_file()
    mine = stores.new_file(1000)
    again = stores.new_file(1000)

    assert was_there
    assert not left.exists()
    assert mine is not None
    assert again is not None
    assert mine.is_file()


def test_a_journal_of_answers_that_has_no_room_leaves_nothing(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATDOG_HOME", str(small_disk / "home"))
    home.answers_dir().mkdir(parents=True)
    fill(small_disk)
    with pytest.raises(CatDogError) as caught:
        journal.begin(small_disk / "model", [small_disk], 200)

    assert caught.value.code == "disk_full"
    assert list(home.answers_dir().iterdir()) == []
