"""Small widgets that several panels use. Their looks are in `theme.stylesheet`."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape, unescape

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from catdog_gui.ui import theme

COPIED_MS = 2000
_TAG = re.compile("<[^<>]*>")


def label(text: str = "", role: str = "", *, wrap: bool = False, name: str = "") -> QLabel:
    """A label of plain text: file and class names are never read as markup."""
    result = QLabel(text, textFormat=Qt.TextFormat.PlainText, wordWrap=wrap)
    if wrap:
        _narrow(result)
    if role:
        result.setProperty("role", role)
    if name:
        result.setObjectName(name)
    return result


def _narrow(wrapping: QLabel) -> None:
    """A wrapping label takes the width there is, and asks for none."""
    policy = wrapping.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    policy.setHeightForWidth(True)
    wrapping.setSizePolicy(policy)


def link(text: str, name: str = "") -> QPushButton:
    """A button that looks like a link: reachable with Tab, unlike a word in a label."""
    result = QPushButton(text)
    result.setFlat(True)
    result.setCursor(Qt.CursorShape.PointingHandCursor)
    result.setProperty("look", "link")
    result.setAccessibleName(text)
    if name:
        result.setObjectName(name)
    return result


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        if isinstance(widget, QLabel):
            # A new padding alone changes neither its frame nor its size.
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
            widget.setIndent(widget.indent())
        widget.updateGeometry()


def show_text(target: QLabel, text: str) -> None:
    """Set the text, and hide the label where there is none."""
    target.setText(text)
    target.setVisible(bool(text))


@contextmanager
def focus_goes_to(*heirs: QWidget, leaving: Sequence[QWidget]) -> Iterator[None]:
    """The keyboard focus goes to the first heir that can take it, where what had it is gone after the block.

    leaving: what may be hidden or greyed out in the block. Qt itself would go on to any control of the window.
    """
    had = next((part for part in leaving if part.hasFocus() or part.window().focusWidget() is part), None)
    yield
    if had is not None and (had.isHidden() or not had.isEnabled()):
        heir = next((part for part in heirs if not part.isHidden() and part.isEnabled()), None)
        if heir is not None:
            heir.setFocus(Qt.FocusReason.OtherFocusReason)


def line() -> QFrame:
    result = QFrame()
    result.setProperty("look", "line")
    return result


def row(*items: QWidget | None, gap: int = theme.S) -> QHBoxLayout:
    """The widgets side by side; None is a stretch."""
    result = QHBoxLayout()
    result.setSpacing(gap)
    result.setContentsMargins(0, 0, 0, 0)
    for item in items:
        if item is None:
            result.addStretch(1)
        else:
            result.addWidget(item)
    return result


def column(parent: QWidget | None = None, *, gap: int = theme.S, margins: tuple[int, int] = (0, 0)) -> QVBoxLayout:
    """An empty column. margins: left and right, top and bottom."""
    result = QVBoxLayout() if parent is None else QVBoxLayout(parent)
    result.setSpacing(gap)
    result.setContentsMargins(margins[0], margins[1], margins[0], margins[1])
    return result


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


class Card(QFrame):
    """A white box with padding; add to `body`."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.body = column(self, margins=(theme.L, theme.L))
        self.heading = label(title, "title")
        if title:
            self.body.addWidget(self.heading)


class IconLabel(QLabel):
    """An icon of `resources/icons` in a colour of the scheme, redrawn when the scheme changes."""

    def __init__(self, icon: str, colour: str, side: int = 20, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._colour, self._side = icon, colour, side
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colour = getattr(theme.colours(), self._colour)
        self.setPixmap(theme.icon_pixmap(self._icon, colour, self._side, self.devicePixelRatioF()))


def set_icon(button: QAbstractButton, icon: str, colour: str) -> None:
    """Give a button an icon in a colour of the scheme, redrawn when the scheme changes."""
    _ButtonIcon(button, icon, colour)


class _ButtonIcon(QWidget):
    """Invisible child of a button that hears of a new palette."""

    def __init__(self, button: QAbstractButton, icon: str, colour: str) -> None:
        super().__init__(button)
        self.hide()
        self._button, self._icon, self._colour = button, icon, colour
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        self._button.setIcon(theme.icon(self._icon, getattr(theme.colours(), self._colour)))


class CopyButton(QPushButton):
    """Copies a text and says so for a moment."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._text = text
        self._content = ""
        self.setAccessibleName(text)
        self._back = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._back.timeout.connect(lambda: self.setText(self._text))
        self.clicked.connect(self._copy)

    def set_content(self, content: str) -> None:
        self._content = content

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._content)
        self.setText(self.tr("Copied"))
        self._back.start()


class ThumbStrip(QWidget):
    """Up to five photos in a row, as squares with round corners; empty squares until they are loaded."""

    COUNT = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: list[QImage | None] = []
        self.setMinimumWidth(self.COUNT * 24)

    def set_count(self, count: int) -> None:
        self._images = [None] * min(count, self.COUNT)
        self.update()

    def set_image(self, index: int, image: QImage) -> None:
        if index < len(self._images):
            self._images[index] = image
            self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._side(width)

    def sizeHint(self) -> QSize:
        return QSize(242, self._side(242))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.COUNT * 24, 24)

    def _side(self, width: int) -> int:
        return min(72, (width - (self.COUNT - 1) * theme.XS) // self.COUNT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        side = self._side(self.width())
        for index, image in enumerate(self._images):
            square = QRectF(index * (side + theme.XS), 0, side, side)
            path = QPainterPath()
            path.addRoundedRect(square, theme.XS, theme.XS)
            painter.setClipPath(path)
            if image is None:
                painter.fillRect(square, QColor(theme.colours().field))
            else:
                painter.drawImage(square, image)
        painter.end()


class ElidedLabel(QLabel):
    """One line of plain text that ends in an ellipsis where it has no room; the tooltip has it whole."""

    def __init__(self, text: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.end()


class Page(QWidget):
    """Content in the middle of a column, no wider than can be read; add to `body`."""

    WIDEST = 720

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = column(self, margins=(theme.L, theme.L))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = max(theme.XXL if event.size().width() > self.WIDEST // 2 else theme.L, (self.width() - self.WIDEST) // 2)
        self.body.setContentsMargins(side, theme.L, side, theme.L)


class LinkLine(QLabel):
    """One sentence with links in it: "<a>Choose photos</a> to begin". The n-th link emits the n-th target.

    Signal clicked(target).
    """

    clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        _narrow(self)
        self.setProperty("role", "secondary")
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.linkActivated.connect(self.clicked)
        self._markup = ""
        self._targets: Sequence[str] = ()

    def set_markup(self, markup: str, targets: Sequence[str] = ()) -> None:
        """markup: HTML whose names of files and classes are escaped, with a bare <a> for each target."""
        self._markup, self._targets = markup, targets
        self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:  # the colour of links is part of the text
            self._draw()

    def _draw(self) -> None:
        """A sentence without links is no stop for Tab."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self._targets else Qt.FocusPolicy.NoFocus)
        text = self._markup
        for target in self._targets:
            style = f"color:{theme.colours().accent};text-decoration:none"
            text = text.replace("<a>", f'<a href="{escape(target, quote=True)}" style="{style}">', 1)
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(unescape(_TAG.sub("", text)))
        self.setVisible(bool(text))
