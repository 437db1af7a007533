"""The first screen: three ways in, and the recent folders."""

from html import escape
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QSpacerItem, QWidget

from catdog_gui.ui import drops, theme
from catdog_gui.ui.widgets import IconLabel, LinkLine, Page, column, label, restyle, row

SHOWN_RECENT = 3
NARROW = 480  # pixels


class Tile(QFrame):
    """A large button with an icon, a title and a sentence. Signal clicked."""

    clicked = Signal()

    def __init__(self, icon: str, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "tile")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        body = self._body = column(self, margins=(theme.L, theme.L))
        body.addWidget(IconLabel(icon, "accent", 28), 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        texts = column(gap=theme.XS)
        texts.addWidget(label(title, "title", wrap=True))
        self.words = label(words, "secondary", wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        texts.addWidget(self.words, 1)
        body.addLayout(texts, 1)

    def set_flat(self, flat: bool) -> None:
        """The icon beside the words, not above them."""
        self._body.setDirection(QBoxLayout.Direction.LeftToRight if flat else QBoxLayout.Direction.TopToBottom)
        self._body.setSpacing(theme.M if flat else theme.S)
        space = theme.M if flat else theme.L
        self._body.setContentsMargins(space, space, space, space)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class DropTile(Tile):
    """What is dropped on it is the dataset. Signal dropped(Drop)."""

    dropped = Signal(object)

    def __init__(self, icon: str, title: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(icon, title, words, parent)
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.can_take(event.mimeData()):
            event.acceptProposedAction()
            restyle(self, "target", "true")

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        restyle(self, "target", "false")

    def dropEvent(self, event: QDropEvent) -> None:
        restyle(self, "target", "false")
        event.acceptProposedAction()
        self.dropped.emit(drops.parse(event.mimeData()))


class Welcome(Page):
    """Signals: choose_requested, samples_requested; folder_chosen(Path); dropped(Drop); run_chosen(Path)."""

    choose_requested = Signal()
    samples_requested = Signal()
    folder_chosen = Signal(object)
    run_chosen = Signal(object)
    dropped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scrolled")
        self._is_narrow = False
        body = self.body
        body.addStretch(2)
        self._heading = label(self.tr("Teach your computer to tell photos apart"), "heading", wrap=True)
        body.addWidget(self._heading)
        lead = self.tr("Give it examples of each class. It learns here; nothing leaves this computer.")
        body.addWidget(label(lead, "lead", wrap=True))
        self._above_tiles = QSpacerItem(0, theme.L)
        body.addSpacerItem(self._above_tiles)
        self._tiles = self._build_tiles()
        body.addLayout(self._tiles)
        self.message = label("", "warning", wrap=True, name="welcomeMessage")
        self.message.hide()
        body.addWidget(self.message)
        self._recent = LinkLine()
        self._recent.clicked.connect(self._on_recent)
        self._recent.hide()
        body.addWidget(self._recent)
        body.addStretch(3)
        self._targets: list[str] = []

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tiles side by side where there is room, else one under the other and all of it closer together."""
        super().resizeEvent(event)
        width = event.size().width()
        narrow = width < NARROW
        side, above = (theme.S, 0) if narrow else (max(theme.L, (width - self.WIDEST) // 2), theme.L)
        self.body.setContentsMargins(side, above, side, above)
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        restyle(self._heading, "role", "figure" if narrow else "heading")
        self._above_tiles.changeSize(0, theme.S if narrow else theme.L)
        self._tiles.setSpacing(theme.S if narrow else theme.L)
        self._tiles.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        for tile in self.findChildren(Tile):
            tile.set_flat(narrow)
        self.body.invalidate()

    def _build_tiles(self) -> QHBoxLayout:
        tiles = row(gap=theme.L)
        choose = Tile("folder", self.tr("Choose a folder"), self.tr("One sub-folder per class, such as cats and dogs"))
        choose.setObjectName("chooseTile")
        choose.clicked.connect(self.choose_requested)
        drop = DropTile("drop", self.tr("Drop it here"), self.tr("Or anywhere on the left side of the window"))
        drop.setObjectName("dropTile")
        drop.clicked.connect(self.choose_requested)
        drop.dropped.connect(self.dropped)
        self._samples_words = self.tr("Drawn cats and dogs: a first model in seconds, without photos")
        self._samples = Tile("pencil", self.tr("Sample pictures"), self._samples_words)
        self._samples.setObjectName("samplesTile")
        self._samples.clicked.connect(self.samples_requested)
        for tile in (choose, drop, self._samples):
            tiles.addWidget(tile, 1)
        return tiles

    def render_recent(self, folders: tuple[str, ...], run: tuple[str, Path] | None = None) -> None:
        """folders: newest first. run: words and folder of the newest run."""
        names = [(escape(Path(path).name or path), f"folder:{path}") for path in folders[:SHOWN_RECENT]]
        if run is not None:
            names.append((escape(run[0]), f"run:{run[1]}"))
        self._targets = [target for _name, target in names]
        links = " · ".join(f"<a>{name}</a>" for name, _target in names)
        numbers = [str(index) for index in range(len(names))]
        recent = self.tr("Recent:")
        self._recent.set_markup(f"{recent} {links}" if names else "", numbers)

    def render_drawing(self, done: int, total: int) -> None:
        """Progress of the sample pictures; total 0: not drawing."""
        words = self.tr("Drawing {done} of {total}…").format(done=done, total=total) if total else self._samples_words
        self._samples.words.setText(words)
        self._samples.setEnabled(not total)

    def say(self, words: str) -> None:
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def _on_recent(self, number: str) -> None:
        kind, _, path = self._targets[int(number)].partition(":")
        (self.folder_chosen if kind == "folder" else self.run_chosen).emit(Path(path))
