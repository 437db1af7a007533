"""Small helpers of the middle and right panels, beside `widgets`."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from catdog_gui.ui import theme
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
    """One line of plain text that is cut in the middle where it has no room; the tool tip has all of it."""

    def __init__(self, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._name = self._rest = ""

    def show_text(self, name: str, rest: str = "") -> None:
        """name: what is cut; rest: what follows it and stays whole."""
        if (name, rest) != (self._name, self._rest):
            self._name, self._rest = name, rest
            self.setAccessibleName(name + rest)
            self._cut()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for all of it."""
        whole = self.fontMetrics().horizontalAdvance(self._name + self._rest) + 1
        return QSize(whole, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "_name"):
            self._cut()

    def _cut(self) -> None:
        metrics = self.fontMetrics()
        room = self.width() - metrics.horizontalAdvance(self._rest)
        shown = metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, max(0, room)) + self._rest
        full = self._name + self._rest
        self.setText(shown)
        self.setToolTip("" if shown == full else full.replace("<", "‹"))  # never markup


class SteadyLabel(QLabel):
    """Wrapping words of which there are several: as high as the longest of them, whichever is shown."""

    def __init__(self, role: str = "", name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.setProperty("role", role)
        self.setObjectName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._all: tuple[str, ...] = ()

    def set_all(self, words: Sequence[str]) -> None:
        """All that may be shown."""
        if tuple(words) != self._all:
            self._all = tuple(words)
            self.updateGeometry()

    def heightForWidth(self, width: int) -> int:
        """For the longest."""
        room, wrap = QRect(0, 0, max(1, width), 10_000), int(Qt.TextFlag.TextWordWrap)
        heights = [self.fontMetrics().boundingRect(room, wrap, words).height() for words in self._all]
        return max([super().heightForWidth(width), *heights])


class OneOrTwoLines(QWidget):
    """Two widgets on one line, the second at its right end; on two lines where there is no room for both."""

    def __init__(self, first: QWidget, second: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first, self._second = first, second
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(theme.S)
        self._body.addWidget(first)
        self._body.addWidget(second, 1)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # the words of one of them are other ones
            self._arrange()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """As narrow as on two lines."""
        least = (self._first.minimumSizeHint().width(), self._second.minimumSizeHint().width())
        return QSize(max(least), super().minimumSizeHint().height())

    def _arrange(self) -> None:
        needed = self._first.sizeHint().width() + theme.S + self._second.sizeHint().width()
        fits = needed <= self.width() or self._first.isHidden() or self._second.isHidden()
        way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if way != self._body.direction():
            self._body.setDirection(way)
            self._body.setSpacing(theme.S if fits else 0)
        if isinstance(self._second, QLabel):
            side = Qt.AlignmentFlag.AlignRight if fits else Qt.AlignmentFlag.AlignLeft
            self._second.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
