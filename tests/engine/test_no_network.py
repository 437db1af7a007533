"""Training and predicting need no network, and do not even try one."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
_INTERNET = re.compile(r"(connect|sendto|sendmsg|sendmmsg)\(.*sa_family=AF_INET")


def _empty_network() -> list[str]:
    """The command that runs another one where there is no network at all; [] where that cannot be had."""
    command = ["unshare", "-n"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        return []
    return command


def _watched(log: Path) -> list[str]:
    """The command that notes whom another one talks to; [] where that cannot be had."""
    command = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(log)]
    if (
        shutil.which("strace") is None
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        return []
    return command


def _works(command: list[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0


@dataclass(frozen=True)
class Outcome:
    """Of a training and a prediction after it. lines: of both; log: the calls, None where nobody watched."""

    codes: list[int]
    lines: list[dict[str, Any]]
    errors: str
    without_network: bool
    log: str | None


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory, make_dataset: Callable[..., Path]) -> Outcome:
    folder = tmp_path_factory.mktemp("no-network")
    photos = make_dataset(folder / "photos", {"cats": 6, "dogs": 6})
    log = folder / "calls"
    network, watched = _empty_network(), _watched(log)
    environment = {**os.environ, "CATDOG_HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    codes, lines, errors, calls = [], [], "", ""
    for arguments in (
        ["train", photos, "--json", "--epochs", "2", "--run", folder / "run"],
        ["predict", folder / "run", photos / "cats", "--json"],
    ):
        command = [*network, *watched, sys.executable, "-m", "catdog_gui.cli", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        codes.append(done.returncode)
        lines += [json.loads(line) for line in done.stdout.splitlines()]
        errors += done.stderr
        calls += log.read_text(errors="replace") if watched else ""
    return Outcome(codes, lines, errors, bool(network), calls if watched else None)


def test_a_model_is_trained_and_answers(outcome: Outcome) -> None:
    results = [line for line in outcome.lines if line["type"] == "result"]

    assert outcome.codes == [0, 0], outcome.errors
    assert results[0]["status"] == "completed"
    assert results[1]["photos"] == 6


def test_it_works_where_there_is_no_network_at_all(outcome: Outcome) -> None:
    if not outcome.without_network:
        pytest.skip("an empty network namespace needs Linux's unshare, as root")

    assert outcome.codes == [0, 0], outcome.errors


def test_nobody_outside_is_even_called(outcome: Outcome) -> None:
    if outcome.log is None:
        pytest.skip("strace is not installed, or may not trace here")

    assert [line for line in outcome.log.splitlines() if _INTERNET.search(line)] == []


def test_the_watch_would_notice_a_call(tmp_path: Path) -> None:
    watched = _watched(tmp_path / "calls")
    if not watched:
        pytest.skip("strace is not installed, or may not trace here")
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('127.0.0.1', 9))"

    subprocess.run([*watched, sys.executable, "-W", "ignore", "-c", code], check=True)

    assert _INTERNET.search((tmp_path / "calls").read_text())
