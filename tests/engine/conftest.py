"""One thread for torch, and disks of their own for what happens when one is full or cannot be written."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Tiny networks gain nothing from more threads; on a busy computer their waiting costs 20 times as much."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def mounted(place: Path, options: str) -> Iterator[Path]:
    """A small file system of its own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("a file system of its own needs root on Linux")
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"cannot mount here: {done.stderr.decode(errors='replace').strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(disk: Path) -> None:
    """Leave not a byte free."""
    with (disk / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 KiB."""
    yield from mounted(tmp_path / "small", "size=256k")


@pytest.fixture
def read_only_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with a file `model` that cannot be written."""
    for place in mounted(tmp_path / "fixed", "size=256k"):
        (place / "model").write_bytes(b"old")
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        yield place
