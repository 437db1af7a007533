"""The small pictures of the answers: of the newest as they came, then packed; others are read again when shown."""

from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Seen = NDArray[np.uint8]

THUMB_PX = 64  # as shown; kept at twice that for dense screens
_FRESH = 256  # thumbnails kept as pixels, 48 KB each; older ones are packed to about 6 KB
_KEPT = 2_000  # packed ones; what is older is read again from its photo
_DECODED = 256  # pixmaps ready to paint: some screens full
_ASK_MOST = 48  # photos read again at once: the last ones that were painted
_ASK_MS = 40  # after the last one was painted: rows that only fly past are not read


class Thumbs(QObject):
    """Pictures by position in the list of answers.

    Signal wanted(list[int]): these were painted without a picture; `put` what was read. Owner: the model.
    """

    wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fresh: OrderedDict[int, QImage] = OrderedDict()
        self._packed: OrderedDict[int, QByteArray] = OrderedDict()
        self._pixmaps: OrderedDict[int, QPixmap] = OrderedDict()
        self._missed: deque[int] = deque(maxlen=_ASK_MOST)
        self._asked: set[int] = set()  # asked for, or not to be had
        self._packing = QTimer(self)  # one at a time (0.5 ms), between everything else the window has to do
        self._packing.timeout.connect(self._pack_oldest)
        self._asking = QTimer(self, singleShot=True, interval=_ASK_MS)
        self._asking.timeout.connect(self._ask)

    def restart(self) -> None:
        for timer in (self._packing, self._asking):
            timer.stop()
        for kept in (self._fresh, self._packed, self._pixmaps, self._missed, self._asked):
            kept.clear()

    def put(self, position: int, seen: "Seen") -> None:
        """Keep a picture. seen: uint8 (S, S, 3)."""
        self._fresh[position] = _thumbnail(seen)
        self._asked.discard(position)
        if len(self._fresh) > _FRESH and not self._packing.isActive():
            self._packing.start(0)

    def get(self, position: int, *, can_ask: bool) -> QPixmap | None:
        """What the model saw; None where it is not here. can_ask: it may be read from its file."""
        if position in self._pixmaps:
            self._pixmaps.move_to_end(position)
            return self._pixmaps[position]
        if position in self._fresh:
            pixmap = QPixmap.fromImage(self._fresh[position])
        elif position in self._packed:
            pixmap = QPixmap()
            pixmap.loadFromData(self._packed[position], "JPG")
        else:
            if can_ask and position not in self._asked:
                self._missed.append(position)
                self._asking.start()
            return None
        self._pixmaps[position] = pixmap
        if len(self._pixmaps) > _DECODED:
            self._pixmaps.popitem(last=False)
        return pixmap

    def _ask(self) -> None:
        positions = list(dict.fromkeys(self._missed))
        self._missed.clear()
        self._asked.update(positions)
        self.wanted.emit(positions)

    def _pack_oldest(self) -> None:
        for _ in range(1 + (len(self._fresh) - _FRESH) // 64):  # more where they come in faster
            position, image = self._fresh.popitem(last=False)
            self._packed[position] = _jpeg(image)
            if len(self._packed) > _KEPT:
                self._packed.popitem(last=False)
        if len(self._fresh) <= _FRESH:
            self._packing.stop()


def _thumbnail(seen: "Seen") -> QImage:
    height, width = seen.shape[:2]
    pixels = seen.tobytes()  # a QImage does not own its pixels: `copy` does
    image = QImage(pixels, width, height, 3 * width, QImage.Format.Format_RGB888)
    side = 2 * THUMB_PX
    if max(width, height) <= side:
        return image.copy()
    return image.scaled(side, side, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _jpeg(image: QImage) -> QByteArray:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPG", 88)  # type: ignore[call-overload]  # the stubs want bytes, Qt takes str
    buffer.close()
    return data
