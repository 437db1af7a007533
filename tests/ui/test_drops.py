"""What a drop or a paste holds."""

from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QMimeData, QUrl
from PySide6.QtGui import QImage

from catdog_gui.ui.drops import can_take, parse, without_nested


def urls(*addresses: str | Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(item)) if isinstance(item, Path) else QUrl(item) for item in addresses])
    return mime


def picture() -> QImage:
    image = QImage(8, 6, QImage.Format.Format_RGB32)
    image.fill(0xFF3060A0)
    return image


def test_files_and_folders_keep_their_order(tmp_path: Path) -> None:
    paths = [tmp_path / "b.jpg", tmp_path / "folder", tmp_path / "a.jpg"]

    assert parse(urls(*paths)).paths == tuple(paths)


def test_what_lies_in_a_dropped_folder_comes_once() -> None:
    root = Path("/photos").absolute()
    inside, other = root / "x" / "a.jpg", Path("/photos-2/a.jpg").absolute()

    assert without_nested([inside, root, other, root, root / "x"]) == (root, other)


def test_three_hundred_mixed_paths_all_come_through(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}{'' if number % 3 else '.jpg'}" for number in range(300)]

    assert parse(urls(*paths)).paths == tuple(paths)


@pytest.mark.parametrize("name", ["æble ø.jpg", "猫 100%.png", "#1?.jpg", "e\u0301.jpg"])
def test_names_in_any_script_come_through(tmp_path: Path, name: str) -> None:
    assert parse(urls(tmp_path / name)).paths == (tmp_path / name,)


def test_a_web_address_is_declined() -> None:
    drop = parse(urls("https://example.org/cat.jpg"))

    assert (drop.usable, drop.declined) == (False, "web_address")


def test_the_picture_of_a_browser_is_taken_although_an_address_comes_with_it() -> None:
    mime = urls("https://example.org/cat.jpg")
    mime.setImageData(picture())

    drop = parse(mime)

    assert drop.image is not None
    assert drop.image.size() == picture().size()
    assert drop.declined is None


def test_the_temporary_file_of_a_browser_is_preferred_while_it_exists(tmp_path: Path) -> None:
    file = tmp_path / "cat.jpg"
    mime = urls(file)
    mime.setImageData(picture())

    assert parse(mime).image is not None

    file.write_bytes(b"x")

    assert parse(mime).paths == (file,)


def test_files_are_used_and_the_addresses_among_them_declined(tmp_path: Path) -> None:
    drop = parse(urls(tmp_path / "a.jpg", "http://example.org/b.jpg"))

    assert (drop.paths, drop.declined) == ((tmp_path / "a.jpg",), "web_address")


def test_a_picture_in_a_data_address_is_taken() -> None:
    png = QByteArray()
    buffer = QBuffer(png)
    picture().save(buffer, "PNG")
    mime = urls(f"data:image/png;base64,{png.toBase64().toStdString()}")

    drop = parse(mime)

    assert drop.image is not None
    assert drop.image.pixelColor(0, 0).name() == "#3060a0"


def test_paths_pasted_as_text_are_files(tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setText(f"{tmp_path / 'a.jpg'}\n{QUrl.fromLocalFile(str(tmp_path / 'b c.jpg')).toString()}\n")

    assert parse(mime).paths == (tmp_path / "a.jpg", tmp_path / "b c.jpg")


@pytest.mark.parametrize("text", ["", "hello", "relative/a.jpg", "data:image/png;base64,AAAA"])
def test_other_text_is_nothing_usable(text: str) -> None:
    mime = QMimeData()
    mime.setText(text)

    drop = parse(mime)

    assert (drop.usable, drop.declined) == (False, "nothing_usable")


def test_a_web_address_may_be_dropped_so_that_the_reason_can_be_said() -> None:
    assert can_take(urls("https://example.org/cat.jpg"))
    assert not can_take(QMimeData())
