"""Archives of every kind, climbing ones among them: refused by every way in, nothing unpacked anywhere."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.datasets.search import find_photos
from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.photos import images


def climbing_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("../../outside.txt", "x")
        file.writestr("/tmp/outside.txt", "x")
        file.writestr("cats/a.jpg", "x")
    return packed.getvalue()


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("cats/a.jpg", bytes(64 * 2**20))
    return packed.getvalue()


def climbing_tar(mode: str) -> bytes:
    """../ and a link that leads out, then a file through it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as file:
        for name, link in (("../outside.txt", ""), ("out", "../.."), ("out/outside.txt", ""), ("cats/a.jpg", "")):
            entry = tarfile.TarInfo(name)
            if link:
                entry.type, entry.linkname = tarfile.SYMTYPE, link
            file.addfile(entry)
    return packed.getvalue()


ARCHIVES = {
    "a.zip": climbing_zip(),
    "bomb.zip": bomb(),
    "a.tar": climbing_tar("w"),
    "a.tar.gz": climbing_tar("w:gz"),
    "a.tgz": climbing_tar("w:gz"),
    "a.tar.bz2": climbing_tar("w:bz2"),
    "a.tar.xz": climbing_tar("w:xz"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_is_refused_by_every_way_in_and_nothing_is_unpacked(name: str, tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    place.mkdir(parents=True)
    file, as_photo = place / name, place / "photo.jpg"
    for target in (file, as_photo):
        target.write_bytes(ARCHIVES[name])
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InputError) as as_data:
        scan(file)
    with pytest.raises(InputError) as as_model:
        read_model(file)
    with pytest.raises(PhotoError) as decoded:
        images.decode(images.read_bytes(as_photo), images.Recipe())

    assert as_data.value.code == "archive_given"
    assert as_model.value.code in ("not_a_model", "model_is_pickle")
    assert decoded.value.code == "archive"
    assert name in str(as_data.value)
    assert list(find_photos([place])) == [as_photo]
    assert sorted(tmp_path.rglob("*")) == before
