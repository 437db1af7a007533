"""The answers as a Qt list model: rows of `PredictState.predictions`, thumbnails kept small."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QBuffer,
    QByteArray,
    QIODevice,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)
from PySide6.QtGui import QImage, QPixmap

from catdog_gui.engine.events import Prediction
from catdog_gui.session.prediction import PredictState
from catdog_gui.ui import answer_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Seen = NDArray[np.uint8]

THUMB_PX = 64  # as shown; kept at twice that for dense screens
_FRESH = 256  # thumbnails kept as pixels, 48 KB each; older ones are packed to about 6 KB
_KEPT = 20_000  # packed ones
_DECODED = 256  # pixmaps ready to paint: some screens full
_ESCAPE = {ord("<"): "&lt;", ord(">"): "&gt;", ord("&"): "&amp;"}
Index = QModelIndex | QPersistentModelIndex


class AnswerModel(QAbstractListModel):
    """One row a photo, in drop order. DisplayRole: "rex.jpg: dogs, 99 %"; DecorationRole: QPixmap or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Prediction] = ()
        self._count = 0
        self._fresh: OrderedDict[int, QImage] = OrderedDict()
        self._packed: OrderedDict[int, QByteArray] = OrderedDict()
        self._packing = QTimer(self)  # one at a time (0.5 ms), between everything else the window has to do
        self._packing.timeout.connect(self._pack_oldest)
        self._pixmaps: OrderedDict[int, QPixmap] = OrderedDict()

    def follow(self, state: PredictState) -> int:
        """Show the state's answers; returns how many rows are new."""
        if state.predictions is not self._rows:  # `clear` and a new state make a new list
            self._restart(state)
        new = len(state.predictions) - self._count
        if new <= 0:
            return 0
        for row in range(self._count, self._count + new):
            self._keep_thumb(row, state.predictions[row].seen)
        self.beginInsertRows(QModelIndex(), self._count, self._count + new - 1)
        self._count += new
        self.endInsertRows()
        return new

    def prediction(self, row: int) -> Prediction:
        return self._rows[row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 -- Qt's signature
        return 0 if parent.isValid() else self._count

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= self._count:
            return None
        prediction = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return answer_words.row_text(prediction)
            case Qt.ItemDataRole.DecorationRole:
                return self.thumbnail(index.row())
            case Qt.ItemDataRole.ToolTipRole:
                return answer_words.tooltip(prediction, _ESCAPE)
        return None

    def _restart(self, state: PredictState) -> None:
        self.beginResetModel()
        self._rows, self._count = state.predictions, 0
        self._packing.stop()
        self._fresh.clear()
        self._packed.clear()
        self._pixmaps.clear()
        self.endResetModel()

    def _keep_thumb(self, row: int, seen: "Seen | None") -> None:
        if seen is None:
            return
        self._fresh[row] = _thumbnail(seen)
        if len(self._fresh) > _FRESH and not self._packing.isActive():
            self._packing.start(0)

    def _pack_oldest(self) -> None:
        for _ in range(1 + (len(self._fresh) - _FRESH) // 64):  # more where they come in faster
            row, image = self._fresh.popitem(last=False)
            self._packed[row] = _jpeg(image)
            if len(self._packed) > _KEPT:
                self._packed.popitem(last=False)
        if len(self._fresh) <= _FRESH:
            self._packing.stop()

    def thumbnail(self, row: int) -> QPixmap | None:
        """What the model saw; None where it could not be read or is long past."""
        if row in self._pixmaps:
            self._pixmaps.move_to_end(row)
            return self._pixmaps[row]
        if row in self._fresh:
            pixmap = QPixmap.fromImage(self._fresh[row])
        elif row in self._packed:
            pixmap = QPixmap()
            pixmap.loadFromData(self._packed[row], "JPG")
        else:
            return None
        self._pixmaps[row] = pixmap
        if len(self._pixmaps) > _DECODED:
            self._pixmaps.popitem(last=False)
        return pixmap


def _thumbnail(seen: "Seen") -> QImage:
    """The picture that the model saw, small. seen: uint8 (S, S, 3)."""
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
