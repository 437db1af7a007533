"""The field with the dataset's folder: type or paste a path, or drop down the recent ones."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget

from catdog_gui.ui import theme


class FolderEdit(QLineEdit):
    """Without the keyboard's focus it shows the end of the path, where the folder's name is.

    Signals: entered(Path): Return was pressed or a recent folder was picked.
    """

    entered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Choose a folder…"))
        self.setAcceptDrops(False)  # a dropped folder is for the column, not a text for the field
        self._recent: tuple[str, ...] = ()
        self._drop_down = QAction(self.tr("Recent folders"), self)
        self._drop_down.triggered.connect(self.show_recent)
        self.addAction(self._drop_down, QLineEdit.ActionPosition.TrailingPosition)
        self.returnPressed.connect(self._on_return)
        self._draw_icon()

    def set_recent(self, folders: Sequence[str]) -> None:
        self._recent = tuple(folders)
        self._drop_down.setEnabled(bool(folders))

    def show_folder(self, folder: Path | None) -> None:
        """Show the chosen folder, unless the user is typing another one."""
        text = "" if folder is None else str(folder)
        if self.text() != text and not (self.hasFocus() and self.isModified()):
            self.setText(text)
        self.setToolTip(text)

    def recent_menu(self) -> QMenu:
        """The recent folders as a menu; the caller shows it."""
        menu = QMenu(self)
        for path in self._recent:
            shown = self.fontMetrics().elidedText(path, Qt.TextElideMode.ElideMiddle, 480)
            action = menu.addAction(shown.replace("&", "&&"))
            action.triggered.connect(lambda _checked=False, path=path: self.entered.emit(Path(path)))
        return menu

    def show_recent(self) -> None:
        if self._recent:
            menu = self.recent_menu()
            menu.setMinimumWidth(self.width())
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.mapToGlobal(QPoint(0, self.height() + theme.XS)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.show_recent()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icon()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus() or not self.text():
            super().paintEvent(event)
            return
        from PySide6.QtWidgets import QStyle, QStyleOptionFrame  # their enums take 10 ms: not before the first paint

        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        inside = QRect(theme.S + 3, 0, self.width() - theme.S - 36, self.height())
        shown = end_of_path(self.text(), lambda text: self.fontMetrics().horizontalAdvance(text) <= inside.width())
        shown = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideLeft, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.end()

    def _draw_icon(self) -> None:
        self._drop_down.setIcon(theme.icon("chevron-down", theme.colours().secondary))

    def _on_return(self) -> None:
        text = self.text().strip().strip('"')
        if text:
            self.setModified(False)
            self.entered.emit(Path(text).expanduser())


def end_of_path(path: str, fits: Callable[[str], bool]) -> str:
    """The path, or as many of its last parts as fit behind "…/"; at least the last one."""
    if fits(path):
        return path
    parts = Path(path).parts
    for first in range(1, len(parts) - 1):
        shown = "…/" + "/".join(parts[first:])
        if fits(shown):
            return shown
    return parts[-1] if parts else path
