"""Small widgets that the middle and right panels share. Their looks are the style sheet's, asked for by property."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget


def scheme_changed(event: QEvent) -> bool:
    """Whether light and dark may have been swapped."""
    return event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange)


def words(text: str = "", role: str = "", *, wrap: bool = False, parent: QWidget | None = None) -> QLabel:
    """A label in a role of the style sheet. Never markup: file and class names are shown as they are."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    if wrap:
        policy = label.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
    if role:
        label.setProperty("role", role)
    return label


def button(text: str, clicked: Callable[[], object], *, name: str = "", look: str = "") -> QPushButton:
    """A push button; look: "link" for a choice beside the primary one. name: the object name."""
    result = QPushButton(text)
    result.setAccessibleName(text)
    result.setObjectName(name)
    result.clicked.connect(lambda: clicked())
    if look:
        result.setProperty("look", look)
    if look == "link":
        result.setCursor(QCursor(Qt.CursorShape.PointingHandCursor))
        result.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return result
