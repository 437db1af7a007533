"""Troubles of which there is no sample file: made here, and met by the whole program."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.photos.images import heic_supported
from catdog_gui.session import settings

MakeDataset = Callable[..., Path]


def ended(command: list[str]) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, JSON lines, what was said, of a program of its own."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, lines, done.stderr


def catdog(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "catdog_gui.cli", *map(str, arguments)]


@pytest.mark.skipif(heic_supported(), reason="pillow-heif is here")
def test_a_folder_with_only_heic_photos_is_refused_with_that_reason_and_each_is_counted(tmp_path: Path) -> None:
    for name in ("cats", "dogs"):
        (tmp_path / "photos" / name).mkdir(parents=True)
        for number in range(6):
            data = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(500)
            (tmp_path / "photos" / name / f"IMG_{number}.HEIC").write_bytes(data)
    code, lines, said = ended(catdog("train", tmp_path / "photos", "--json"))

    assert code == 3
    assert lines[-1]["type"] == "error"
    assert "HEIC" in lines[-1]["message"]
    assert said.count("HEIC photo") >= 12
    code, lines, _ = ended(catdog("scan", tmp_path / "photos", "--deep", "--json"))
    assert (code, lines[-1]["trainable"], len(lines[-1]["skipped"])) == (0, False, 12)
    assert lines[-1]["reason"].startswith("12 photos are in HEIC format")


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("unshare") is None,
    reason="needs root and unshare",
)
def test_a_run_needs_no_shared_memory(tmp_path: Path, make_dataset: MakeDataset) -> None:
    """As in a container, where /dev/shm is small and workers die of a bus error."""
    data = make_dataset(tmp_path / "photos", {"cats": 8, "dogs": 8}, size=(40, 40))
    small = 'mount -t tmpfs -o size=4k tmpfs /dev/shm && exec "$@"'
    run = catdog(
        "train", data, "--run", tmp_path / "run", "--json", "--preset", "article", "--image-size", "32",
        "--epochs", "2", "--workers", "4", "--device", "cpu",
    )  # fmt: skip
    code, lines, said = ended(["unshare", "-m", "sh", "-c", small, "sh", *run])
    if "unshare" in said or "mount:" in said:
        pytest.skip(f"cannot mount here: {said.strip()}")

    assert code == 0, said
    assert (lines[-1]["status"], lines[-1]["epochs"]) == ("completed", 2)


DEAD_DRIVE = """
import os, signal, sys, threading
from catdog_gui import cli
from catdog_gui.engine.preparing import prepare
read = prepare.read_bytes
def hanging(path):
    if path.parts[-2:] == ("cats", "0003.jpg"):
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait()
    return read(path)
prepare.read_bytes = hanging
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C by signal")
def test_a_drive_that_never_answers_keeps_neither_stop_nor_the_programs_end_waiting(
    tiny_dataset: Path, tmp_path: Path
) -> None:
    code, lines, said = ended(
        [sys.executable, "-c", DEAD_DRIVE, "train", str(tiny_dataset), "--run", str(tmp_path / "run"), "--json"]
    )

    assert code == 130, said
    assert lines[-1]["status"] == "stopped"


CLOSED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton
from catdog_gui.engine.home import runs_dir
from catdog_gui.ui import app
build = app.build
def building(argv):
    application, window = build(argv)
    train = window.findChild(QPushButton, "trainButton")
    def look():
        phase = window.property("runPhase")
        if phase == "idle" and train.isEnabled():
            train.click()
        elif phase in ("preparing", "running") and any(runs_dir().glob("*/photos.jsonl")):
            window.close()
            stop = window.closing._dialog.findChild(QPushButton, "stopAndSaveButton")
            timer.stop()
            stop.click()
    timer = QTimer(window)
    timer.timeout.connect(look)
    timer.start(5)
    return application, window
app.build = building
sys.exit(app.main(sys.argv[1:]))
"""


def test_closing_the_window_while_a_run_lives_ends_the_program_with_code_0_and_not_a_word(
    tiny_dataset: Path, tmp_path: Path
) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    settings.save(settings.Settings(overrides={"fast": {"epochs": 1000, "patience": 0}}))  # it is not over too soon
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, str(tiny_dataset)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=environment,
    )

    said = [line for line in done.stderr.splitlines() if "propagateSizeHints" not in line]  # of Qt's invisible screen
    assert (done.returncode, done.stdout, said) == (0, "", [])
    run = next((Path(os.environ["CATDOG_HOME"]) / "runs").iterdir())
    last = (run / "events.jsonl").read_text("utf-8").splitlines()[-1]
    assert json.loads(last)["status"] == "stopped"
