"""The card "Photos": which folder, what is in it, what was left out, and what to do about it."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton, QWidget

from catdog_gui.session.data import EXAMPLE_CLASSES, DataPhase, Dataset, DataState
from catdog_gui.ui import text, theme
from catdog_gui.ui.folder_edit import FolderEdit
from catdog_gui.ui.widgets import (
    Card,
    ElidedLabel,
    LinkLine,
    ThumbStrip,
    clear,
    column,
    label,
    row,
    set_icon,
    show_text,
)

if TYPE_CHECKING:
    from catdog_gui.ui.job_values import Thumbnail

SHOWN_CLASSES = 12


class DataPanel(Card):
    """Signals: folder_chosen(Path); choose_requested, cancel_requested, left_out_requested; split_chosen(bool)."""

    folder_chosen = Signal(object)
    choose_requested = Signal()
    cancel_requested = Signal()
    left_out_requested = Signal()
    split_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.heading.setText(self.tr("Photos"))
        self.body.addWidget(self.heading)
        self.edit = FolderEdit()
        self.edit.setObjectName("dataFolderEdit")
        self.edit.setAccessibleName(self.tr("Folder with the photos"))
        self.edit.entered.connect(self.folder_chosen)
        self.body.addLayout(row(self.edit, self._choose_button()))
        self._hint = label("", "secondary", wrap=True)
        self._hint.setTextFormat(Qt.TextFormat.RichText)
        self._scanning = LinkLine()
        self._problem = label("", "warning", wrap=True, name="dataProblem")
        self._offers = column(gap=theme.XS)
        self._classes = column()
        self._split = label("", "secondary", wrap=True, name="splitLabel")
        self._layout_note = LinkLine()
        self._left_out = LinkLine()
        self._left_out.setObjectName("leftOutLabel")
        self._warnings = column(gap=theme.S)
        self._add_parts()
        self._strips: dict[str, ThumbStrip] = {}
        self._shown: Dataset | None = None

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, state: DataState, *, enabled: bool, val_fraction: float | None
    ) -> None:
        """Show the state. enabled: a folder may be chosen now. val_fraction: None = another folder checks."""
        self.edit.show_folder(state.folder)
        for control in (self.edit, self._button):
            control.setEnabled(enabled)
        self._hint.setVisible(state.phase is DataPhase.NONE)
        self._show_scanning(state)
        if state.dataset is not self._shown:
            self._shown = state.dataset
            self._rebuild(state.dataset)
        self._show_problem(state)
        self._show_notes(state, val_fraction)

    def set_recent(self, folders: tuple[str, ...]) -> None:
        self.edit.set_recent(folders)

    def show_thumbnail(self, thumbnail: "Thumbnail") -> None:
        """Put one photo in its place; one of a folder chosen before has none."""
        strip = self._strips.get(thumbnail.label)
        if strip is not None:
            height, width = thumbnail.pixels.shape[:2]
            image = QImage(bytes(thumbnail.pixels), width, height, 3 * width, QImage.Format.Format_RGB888).copy()
            strip.set_image(thumbnail.index, image)

    def thumbnail_side(self) -> int:
        """Pixels of a thumbnail's side on this screen."""
        return round(72 * self.devicePixelRatioF())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_hint"):
            self._set_hint()

    def _choose_button(self) -> QPushButton:
        self._button = QPushButton()
        self._button.setObjectName("chooseFolderButton")
        self._button.setAccessibleName(self.tr("Choose a folder of photos"))
        self._button.setToolTip(self.tr("Choose a folder of photos"))
        self._button.setFixedWidth(36)
        self._button.setStyleSheet("padding: 0")
        self._button.setIconSize(QSize(18, 18))
        set_icon(self._button, "folder", "secondary")
        self._button.clicked.connect(self.choose_requested)
        return self._button

    def _add_parts(self) -> None:
        self._set_hint()
        self._scanning.clicked.connect(lambda _target: self.cancel_requested.emit())
        self._left_out.clicked.connect(lambda _target: self.left_out_requested.emit())
        self._layout_note.clicked.connect(lambda target: self.split_chosen.emit(target == "use"))
        for part in (self._hint, self._scanning, self._problem):
            self.body.addWidget(part)
        self.body.addLayout(self._offers)
        self.body.addLayout(self._classes)
        for part in (self._split, self._layout_note, self._left_out):
            self.body.addWidget(part)
        self.body.addLayout(self._warnings)

    def _set_hint(self) -> None:
        self._hint.setText(self.tr("One sub-folder for each class, for example <b>cats</b> and <b>dogs</b>."))

    def _show_scanning(self, state: DataState) -> None:
        if state.phase is not DataPhase.SCANNING:
            self._scanning.set_markup("")
            return
        found = self.tr("Looking through the folder: {count} photos").format(count=text.number(state.found))
        looking = found if state.found else self.tr("Looking through the folder…")
        cancel = self.tr("Cancel")  # lupdate finds no texts inside f-strings
        self._scanning.set_markup(f"{looking} · <a>{cancel}</a>", ["cancel"])

    def _show_problem(self, state: DataState) -> None:
        reason = state.failure
        if state.phase is DataPhase.READY and state.dataset is not None:
            reason = state.dataset.reason
        show_text(self._problem, text.say(reason.code, reason.fields) if reason else "")

    def _rebuild(self, dataset: Dataset | None) -> None:
        clear(self._classes)
        clear(self._offers)
        clear(self._warnings)
        self._strips = {}
        if dataset is None:
            return
        for offer in dataset.offers:
            link = LinkLine()
            words = self.tr("Use the folder “{name}”").format(name=offer.path.name)
            link.set_markup(f"<a>{escape(words)}</a>", ["offer"])
            link.setToolTip(str(offer.path))
            link.clicked.connect(lambda _target, path=offer.path: self.folder_chosen.emit(Path(path)))
            self._offers.addWidget(link)
        for warning in dataset.warnings:
            words = text.say(warning.code, warning.fields)
            self._warnings.addWidget(label(words, "warning", wrap=True, name="dataWarning"))
        for name, count in list(dataset.classes.items())[:SHOWN_CLASSES]:
            self._add_class(name, count, len(dataset.examples.get(name, ())))
        more = len(dataset.classes) - SHOWN_CLASSES
        if more > 0:
            words = self.tr("and {count} more classes").format(count=text.number(more))
            self._classes.addWidget(label(words, "secondary"))

    def _add_class(self, name: str, count: int, examples: int) -> None:
        title = ElidedLabel(name, "strong")
        figure = label(text.number(count), "figureSmall")
        figure.setFont(theme.font(theme.BODY, tabular=True))
        line = row(title, figure)
        line.setStretch(0, 1)
        self._classes.addLayout(line)
        if examples and len(self._strips) < EXAMPLE_CLASSES:
            strip = self._strips[name] = ThumbStrip()
            strip.set_count(examples)
            strip.setAccessibleName(self.tr("Photos of {name}").format(name=name))
            self._classes.addWidget(strip)

    def _show_notes(self, state: DataState, val_fraction: float | None) -> None:
        dataset = state.dataset
        known = dataset is not None and dataset.trainable
        show_text(self._split, self._sides_words(dataset, val_fraction) if dataset is not None and known else "")
        self._layout_note.set_markup(*self._layout_words(state))
        self._left_out.set_markup(*self._left_out_words(state))

    def _sides_words(self, dataset: Dataset, val_fraction: float | None) -> str:
        if val_fraction is None:
            total = sum(dataset.classes.values())
            return self.tr("{learn} to learn, checked with another folder").format(learn=text.number(total))
        learn, check = dataset.sides(val_fraction)
        return self.tr("{learn} to learn, {check} to check").format(learn=text.number(learn), check=text.number(check))

    def _layout_words(self, state: DataState) -> tuple[str, list[str]]:
        if state.dataset is None:
            return "", []
        if state.dataset.layout == "train_val" and state.use_split:
            words = self.tr("The folders for training and checking are used as they are. <a>Split anew instead</a>")
            return words, ["anew"]
        if not state.use_split:
            return self.tr("All photos are split anew. <a>Use the folders' own split</a>"), ["use"]
        return "", []

    def _left_out_words(self, state: DataState) -> tuple[str, list[str]]:
        count = len(state.left_out)
        if not count:
            return "", []
        one = self.tr("{count} left out, <a>why?</a>")
        colour = theme.colours().limit
        words = one.format(count=text.number(count))
        return f'<span style="color:{colour}">{words}</span>', ["why"]
