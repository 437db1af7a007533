"""What a drop or a paste holds: paths, a picture, or a reason why it cannot be used. Nothing is read or fetched."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QByteArray, QMimeData, QUrl
from PySide6.QtGui import QDropEvent, QImage, QPixmap

Declined = Literal["web_address", "nothing_usable"]
_DATA_URL_LIMIT = 64 * 2**20  # characters; a picture this long in an address is not one


@dataclass(frozen=True, slots=True)
class Drop:
    """paths: files and folders in the order given, none inside another; image: a picture without a file.

    declined: why (a part of) the drop is not used; with paths or an image it only concerns the rest.
    """

    paths: tuple[Path, ...] = ()
    image: QImage | None = None
    declined: Declined | None = None

    @property
    def usable(self) -> bool:
        return bool(self.paths) or self.image is not None


def can_take(mime: QMimeData) -> bool:
    """Whether a drag is worth a highlight: web addresses too, so that the drop can say why not."""
    return mime.hasUrls() or mime.hasImage() or mime.hasText()


def is_own(event: QDropEvent) -> bool:
    """Whether an answer of this window's list is dragged: it is meant for other programs."""
    source = event.source()
    return source is not None and source.objectName() == "predictionList"


def parse(mime: QMimeData) -> Drop:
    """What was dropped or pasted. A local file comes before picture data, picture data before a web address."""
    urls = mime.urls() if mime.hasUrls() else _urls_in_text(mime)
    paths = without_nested(Path(url.toLocalFile()) for url in urls if url.isLocalFile() and url.toLocalFile())
    others = [url for url in urls if not url.isLocalFile()]
    image = _image(mime, others)
    if image is not None and not any(_exists(path) for path in paths):
        return Drop(image=image)  # a browser's temporary file may be gone already
    if paths:
        return Drop(paths=paths, declined="web_address" if any(_is_web(url) for url in others) else None)
    return Drop(declined="web_address" if any(_is_web(url) for url in others) else "nothing_usable")


def without_nested(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The paths in their order, each once, and none that lies inside another one of them."""
    keyed: dict[str, Path] = {}
    for path in paths:
        keyed.setdefault(_key(path), path)
    return tuple(path for key, path in keyed.items() if not any(str(parent) in keyed for parent in Path(key).parents))


def _key(path: Path) -> str:
    # Lexical on purpose: `resolve` would wait for a network drive that is gone.
    return os.path.normcase(os.path.abspath(path))  # noqa: PTH100


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _is_web(url: QUrl) -> bool:
    return url.scheme().lower() in ("http", "https", "ftp")


def _urls_in_text(mime: QMimeData) -> list[QUrl]:
    """Addresses and absolute paths, one a line, as terminals and some file managers give them."""
    lines = (line.strip().strip("\"'") for line in mime.text().splitlines()[:10_000]) if mime.hasText() else ()
    found = []
    for line in lines:
        if Path(line).is_absolute():
            found.append(QUrl.fromLocalFile(line))
        elif line.lower().startswith(("file:", "http:", "https:", "ftp:", "data:image/")):
            found.append(QUrl(line))
    return found


def _image(mime: QMimeData, urls: list[QUrl]) -> QImage | None:
    data = mime.imageData() if mime.hasImage() else None
    if isinstance(data, QPixmap):
        data = data.toImage()
    if isinstance(data, QImage) and not data.isNull():
        return data
    for url in urls:
        if url.scheme().lower() == "data" and (image := _image_of_data_url(url)) is not None:
            return image
    return None


def _image_of_data_url(url: QUrl) -> QImage | None:
    head, _, body = url.path(QUrl.ComponentFormattingOption.FullyDecoded).partition(",")
    if not head.startswith("image/") or not head.endswith(";base64") or len(body) > _DATA_URL_LIMIT:
        return None
    image = QImage.fromData(QByteArray.fromBase64(QByteArray(body.encode("ascii", "ignore"))))
    return None if image.isNull() else image
