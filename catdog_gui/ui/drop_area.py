"""The dashed card that takes photos: drops, a choice, a paste."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from catdog_gui.ui import theme
from catdog_gui.ui.drops import can_take, is_own, parse
from catdog_gui.ui.parts import link_to
from catdog_gui.ui.widgets import label


class DropArea(QFrame):
    """Signals: dropped(Drop): something was let go here; choose_, folder_, paste_ and model_clicked: the links."""

    dropped = Signal(object)
    choose_clicked = Signal()
    folder_clicked = Signal()
    paste_clicked = Signal()
    model_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dropArea")
        self.setAcceptDrops(True)
        self._hot = False
        self._title = label("", "strong")
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        choose = link_to(self.tr("Photos…"), self.choose_clicked.emit, "choosePhotosButton")
        choose.setAccessibleName(self.tr("Choose photos to classify"))
        folder = link_to(self.tr("Folder…"), self.folder_clicked.emit, "chooseAnswerFolderButton")
        folder.setAccessibleName(self.tr("Choose a folder to classify"))
        paste = link_to(self.tr("Paste"), self.paste_clicked.emit, "pasteToClassifyButton")
        paste.setAccessibleName(self.tr("Classify what was copied"))
        for button in (choose, folder, paste):
            button.setToolTip(button.accessibleName())
        self._links = (choose, folder, paste)
        self._open = link_to(self.tr("open a model…"), self.model_clicked.emit, "openFirstModelButton")
        dots = (label("·", "secondary"), label("·", "secondary"))
        self._with_model = _centred(choose, dots[0], folder, dots[1], paste, gap=theme.S)
        self._without_model = _centred(label(self.tr("Train one, or"), "secondary"), self._open, gap=theme.XS)
        layout = self._body = QVBoxLayout(self)
        self.set_compact(False)
        layout.setSpacing(0)
        for part in (self._title, self._with_model, self._without_model):
            layout.addWidget(part)
        self.show_model(has_model=False)

    def show_model(self, *, has_model: bool) -> None:
        title = self.tr("Drop photos or a folder here") if has_model else self.tr("Your model appears here")
        self._title.setText(title)
        self.setAccessibleName(title)
        self._with_model.setVisible(has_model)
        self._without_model.setVisible(not has_model)
        for link in self._links:
            link.setEnabled(has_model)

    def set_compact(self, compact: bool) -> None:
        """Lower, where answers need the room."""
        space = theme.S if compact else theme.XL - theme.XS
        self._body.setContentsMargins(theme.S, space, theme.S, space)

    def set_hot(self, hot: bool) -> None:
        """Light up while something that can be dropped is over the column."""
        if hot != self._hot:
            self._hot = hot
            self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if can_take(event.mimeData()) and not is_own(event):
            self.set_hot(True)
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.set_hot(False)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(parse(event.mimeData()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colours.accent if self._hot else colours.secondary), 2 if self._hot else 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        if self._hot:
            painter.setBrush(QColor(colours.accent_soft))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), theme.RADIUS_CARD, theme.RADIUS_CARD)


def _centred(*parts: QWidget, gap: int) -> QWidget:
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(gap)
    layout.addStretch()
    for part in parts:
        layout.addWidget(part)
    layout.addStretch()
    return row
