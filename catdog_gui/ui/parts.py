"""Small helpers of the middle and right panels, beside `widgets`."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from catdog_gui.ui.widgets import link


def scheme_changed(event: QEvent) -> bool:
    """Whether light and dark may have been swapped."""
    return event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange)


def button(text: str, clicked: Callable[[], object], name: str = "") -> QPushButton:
    """A push button that says its text to screen readers. name: the object name."""
    result = QPushButton(text)
    result.setAccessibleName(text)
    result.setObjectName(name)
    result.clicked.connect(lambda: clicked())
    return result


def link_to(text: str, clicked: Callable[[], object], name: str = "") -> QPushButton:
    """A button that looks like a link."""
    result = link(text, name)
    result.clicked.connect(lambda: clicked())
    return result


class ElidedLabel(QLabel):
    """One line of plain text, right-aligned, cut in the middle where it has no room; the tool tip has all of it."""

    def __init__(self, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._full = ""

    def show_text(self, full: str) -> None:
        if full != self._full:
            self._full = full
            self.setAccessibleName(full)
            self._cut()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideMiddle, self.width())
        self.setText(shown)
        self.setToolTip("" if shown == self._full else self._full.replace("<", "‹"))  # never markup
