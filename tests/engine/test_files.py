"""Writing files: the old one stays until the new one is whole."""

import errno
import os
from pathlib import Path

import pytest

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.files import read_json, write_atomic, write_error, write_json


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_replaced_whole(tmp_path: Path) -> None:
    write_atomic(tmp_path / "model", b"one")
    write_atomic(tmp_path / "model", b"two")

    assert (tmp_path / "model").read_bytes() == b"two"
    assert names(tmp_path) == ["model"]


def test_a_full_disk_keeps_the_old_file_and_leaves_no_other(small_disk: Path) -> None:
    write_atomic(small_disk / "model", b"old")

    with pytest.raises(CatDogError) as caught:
        write_atomic(small_disk / "model", bytes(3 * 2**20))

    assert caught.value.code == "disk_full"
    assert caught.value.fields["needed_mb"] == 3
    assert 0 < float(caught.value.fields["free_mb"] or 0) < 0.25
    assert "needs 3.0 MB, 0.2 MB are free" in str(caught.value)
    assert (small_disk / "model").read_bytes() == b"old"
    assert names(small_disk) == ["model"]


def test_a_read_only_disk_keeps_the_old_file_and_says_why(read_only_disk: Path) -> None:
    with pytest.raises(CatDogError, match="Read-only file system") as caught:
        write_atomic(read_only_disk / "model", b"new")

    assert caught.value.code == "cannot_write"
    assert (read_only_disk / "model").read_bytes() == b"old"


def test_a_failure_before_the_rename_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_bytes(b"old")

    def fail(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CatDogError, match="Input/output error"):
        write_atomic(tmp_path / "model", b"new")

    assert (tmp_path / "model").read_bytes() == b"old"
    assert names(tmp_path) == ["model"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatDogError, match="nowhere") as caught:
        write_atomic(tmp_path / "nowhere" / "model", b"x")
    assert caught.value.code == "cannot_write"


def test_a_full_disk_is_told_apart_from_every_other_failure(tmp_path: Path) -> None:
    assert write_error(OSError(errno.ENOSPC, "No space"), tmp_path / "x", 2**20).code == "disk_full"
    assert write_error(OSError(errno.EDQUOT, "Quota"), tmp_path / "x").code == "disk_full"
    assert write_error(OSError(errno.EACCES, "Denied"), tmp_path / "x").code == "cannot_write"
    assert write_error(OSError(errno.ENOSPC, "No space"), tmp_path / "a" / "b" / "x").fields["free_mb"] == 0


@pytest.mark.parametrize("text", ["Katzen & Hunde", "日本語", "\u2028", b"\xff".decode("utf-8", "surrogateescape")])
def test_an_object_survives_its_file_whatever_its_text(tmp_path: Path, text: str) -> None:
    write_json(tmp_path / "a.json", {"text": text, "list": [1, None, 0.5]})

    assert read_json(tmp_path / "a.json") == {"text": text, "list": [1, None, 0.5]}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"null",
        b'{"a":\xff}',
        b"\x00" * 50,
        b'{"a":' + b"[" * 100_000,
        b'{"a":"' + b"x" * 200 + b'"}',
    ],
    ids=lambda data: repr(data[:12]),
)
def test_a_damaged_or_huge_file_is_no_object(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)

    assert read_json(tmp_path / "a.json", limit=100 if b"x" in data else 2**20) is None


def test_no_file_and_a_folder_are_no_object(tmp_path: Path) -> None:
    assert read_json(tmp_path / "none.json") is None
    assert read_json(tmp_path) is None
