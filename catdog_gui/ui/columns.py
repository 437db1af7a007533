"""The three columns of the window: what lies where, and where a drop goes."""

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from catdog_gui.ui import drops, theme
from catdog_gui.ui.widgets import Card, column, restyle

LEFT_WIDTH, MIDDLE_WIDTH, RIGHT_WIDTH = 276, 640, 300
SIDE_MOST = 440


class DropColumn(QWidget):
    """Takes drops anywhere on it. Signals: dropped(Drop); hovered(bool): a drag came or went."""

    dropped = Signal(object)
    hovered = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if accepts(event.mimeData()) and not drops.is_own(event):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.hovered.emit(True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self.hovered.emit(False)

    def dropEvent(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.hovered.emit(False)
        self.dropped.emit(drops.parse(event.mimeData()))


class LeftColumn(DropColumn):
    """Cards that scroll where the window is low, and the train bar pinned under them."""

    def __init__(self, cards: list[Card], bar: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QWidget()
        inner.setObjectName("scrolled")
        stack = column(inner, gap=theme.L)
        for card in cards:
            stack.addWidget(card)
        stack.addStretch(1)
        self.cards = scrolling(inner)
        body = column(self, gap=theme.L)
        body.addWidget(self.cards, 1)
        body.addWidget(bar)
        self.setMinimumWidth(264)
        self.setMaximumWidth(SIDE_MOST)


def scrolling(inner: QWidget) -> QScrollArea:
    """The widget, to be scrolled where the window is too low for it. Its object name is "scrolled"."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the control that has the focus
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
    return area


def card_of(*parts: QWidget) -> Card:
    """The widgets one under the other on a card that fills its column."""
    card = Card()
    for part in parts:
        card.body.addWidget(part)
    card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    return card


def side_by_side(left: QWidget, middle: QWidget, right: QWidget) -> QWidget:
    """The columns in their proportions; the sides stop growing on wide screens."""
    middle.setMinimumWidth(368)  # with the other two the least width of the window
    right.setMinimumWidth(264)
    right.setMaximumWidth(SIDE_MOST)
    whole = QWidget()
    body = QHBoxLayout(whole)
    body.setSpacing(theme.L)
    body.setContentsMargins(theme.L, theme.L, theme.L, theme.L)
    for part, width in ((left, LEFT_WIDTH), (middle, MIDDLE_WIDTH), (right, RIGHT_WIDTH)):
        body.addWidget(part, width)
    return whole


def accepts(mime: QMimeData) -> bool:
    return drops.can_take(mime)


def light_up(card: QWidget, on: bool) -> None:
    """Show a card as the target of a drag."""
    restyle(card, "target", "true" if on else "false")
