"""The right column: drop photos, read the answers."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from catdog_gui.session.prediction import Message, ModelLine, PredictState, to_text
from catdog_gui.ui import text, theme
from catdog_gui.ui.answer_list import AnswerModel
from catdog_gui.ui.answer_view import AnswerView
from catdog_gui.ui.answer_words import line_of
from catdog_gui.ui.drop_area import DropArea
from catdog_gui.ui.drops import Drop, can_take, parse
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.parts import ElidedLabel, link_to
from catdog_gui.ui.widgets import label

_MODEL_FILE = "model.safetensors"


class PredictPanel(QWidget):
    """Signals: photos_dropped(list[Path]): files and folders to classify, in order; image_dropped(QImage): a picture
    without a file; model_dropped(Path): a model file or run folder was dropped; model_requested, stop_requested,
    clear_requested, csv_requested: the user asks for it.
    """

    photos_dropped = Signal(object)
    image_dropped = Signal(object)
    model_dropped = Signal(object)
    model_requested = Signal()
    stop_requested = Signal()
    clear_requested = Signal()
    csv_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self._state = PredictState()
        self._was_running = self._had_model = False
        self._shown_message: Message | None = None
        self._model_line = ElidedLabel("secondary")
        self._model_line.setObjectName("modelLine")
        self._area = DropArea()
        self._message = MessageRow()
        self._count = label("", "secondary")
        self._stop = link_to(self.tr("Stop"), self.stop_requested.emit, "stopPredictionButton")
        self._csv = link_to(self.tr("Save as CSV…"), self.csv_requested.emit, "saveCsvButton")
        self._clear = link_to(self.tr("Clear"), self.clear_requested.emit, "clearAnswersButton")
        self._open = link_to(self.tr("Open a model…"), self.model_requested.emit, "openModelButton")
        self._hint = label("", "secondary", wrap=True)
        self._answers = AnswerModel(self)
        self._list = AnswerView(self._answers)
        self._pages = QStackedLayout()
        self._lay_out()
        self._connect()
        self.render(self._state)

    def render(self, state: PredictState) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        """Show the state. Cheap when nothing is new."""
        if not self._had_model and state.model is not None:
            self._message.say("")  # that there is no model yet; the state is one object, so it cannot tell
        self._had_model = state.model is not None
        self._state = state
        self._show_model(state.model)
        new = self._answers.follow(state)
        if new and not self._was_running:
            first = self._answers.index(self._answers.rowCount() - new)
            self._list.scrollTo(first, QAbstractItemView.ScrollHint.PositionAtTop)
        self._show_message(state)
        self._was_running = state.running
        self._show_progress(state)

    def add_offer(self, offer: QWidget) -> None:
        """Put something to try under the place for drops."""
        self._body.insertWidget(self._body.indexOf(self._area) + 1, offer)

    def paste(self) -> None:
        """Classify what the clipboard holds: files or a picture."""
        self._take(parse(QGuiApplication.clipboard().mimeData()))

    def copy(self) -> None:
        """The selected answers as text, all of them where none is selected."""
        rows = sorted(index.row() for index in self._list.selectedIndexes()) or range(self._answers.rowCount())
        chosen = [self._answers.prediction(row) for row in rows]
        if chosen:
            QGuiApplication.clipboard().setText(to_text(chosen, line_of))

    def choose_photos(self) -> None:
        """Ask for photos with the system's dialog."""
        kinds = self.tr("Photos ({patterns});;All files (*)").format(
            patterns="*.jpg *.jpeg *.png *.webp *.bmp *.gif *.tif *.tiff *.heic *.heif *.avif"
        )
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose photos"), "", kinds)
        if names:
            self._take(Drop(paths=tuple(Path(name) for name in names)))

    def choose_folder(self) -> None:
        """Ask for a folder of photos with the system's dialog."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of photos"))
        if name:
            self._take(Drop(paths=(Path(name),)))

    # --- what Qt calls ------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if can_take(event.mimeData()):
            self._area.set_hot(True)
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self._area.set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._area.dropEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu().popup(event.globalPos())

    # --- the parts ----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        header, status = QHBoxLayout(), QHBoxLayout()
        header.addWidget(label(self.tr("Try it"), "title"))
        header.addWidget(self._model_line, stretch=1)
        status.setSpacing(theme.M)
        status.addWidget(self._count)
        status.addStretch()
        for link in (self._stop, self._csv, self._clear):
            status.addWidget(link)
        layout = self._body = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.S)
        layout.addLayout(header)
        layout.addWidget(self._area)
        layout.addWidget(self._message)
        layout.addLayout(status)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addLayout(self._pages, stretch=1)  # first: without a parent it shows its page as a window of its own
        self._pages.addWidget(self._hint)
        self._pages.addWidget(self._list)
        layout.addWidget(self._open)

    def _connect(self) -> None:
        self._area.dropped.connect(self._take)
        self._area.choose_clicked.connect(self.choose_photos)
        self._area.model_clicked.connect(self.model_requested)
        self._list.customContextMenuRequested.connect(self._list_menu)
        self._list.doubleClicked.connect(self._open_photo)
        for keys, action in ((QKeySequence.StandardKey.Paste, self.paste), (QKeySequence.StandardKey.Copy, self.copy)):
            shortcut = QAction(self, shortcutContext=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setShortcuts(keys)
            shortcut.triggered.connect(action)
            self.addAction(shortcut)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        has_rows, has_model = self._answers.rowCount() > 0, self._state.model is not None
        menu.addAction(self.tr("Paste"), self.paste).setEnabled(has_model)
        menu.addAction(self.tr("Choose photos…"), self.choose_photos).setEnabled(has_model)
        menu.addAction(self.tr("Choose a folder…"), self.choose_folder).setEnabled(has_model)
        menu.addSeparator()
        selected = bool(self._list.selectedIndexes())
        copy = self.tr("Copy the selected answers") if selected else self.tr("Copy all answers")
        menu.addAction(copy, self.copy).setEnabled(has_rows)
        menu.addAction(self.tr("Save as CSV…"), self.csv_requested.emit).setEnabled(has_rows)
        menu.addAction(self.tr("Clear"), self.clear_requested.emit).setEnabled(has_rows)
        menu.addSeparator()
        menu.addAction(self.tr("Open a model…"), self.model_requested.emit)
        return menu

    def _list_menu(self, where: QPoint) -> None:
        self._menu().popup(self._list.viewport().mapToGlobal(where))

    def _open_photo(self, index: QModelIndex) -> None:
        path = Path(self._answers.prediction(index.row()).path)
        if path.is_file():
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    # --- what was given -----------------------------------------------------------------------------------------------

    def _take(self, drop: Drop) -> None:
        if len(drop.paths) == 1 and _is_model(drop.paths[0]):
            self.model_dropped.emit(drop.paths[0])
            return
        if drop.usable and self._state.model is None:
            self._message.say(self.tr("There is no model to ask yet. Train one, or open a model."))
            return
        self._message.say(self._declined(drop))
        if drop.image is not None:
            self.image_dropped.emit(drop.image)
        elif drop.paths:
            self.photos_dropped.emit(list(drop.paths))

    def _declined(self, drop: Drop) -> str:
        match drop.declined:
            case "web_address" if drop.paths:
                return self.tr("Web addresses were left out: this program fetches nothing. Save those pictures first.")
            case "web_address":
                return self.tr(
                    "That is a web address, and this program fetches nothing. Save the picture, then drop the file, "
                    "or copy the picture itself and paste it here."
                )
            case "nothing_usable":
                return self.tr("There is no photo in that. Drop photo files, folders or a copied picture.")
        return ""

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _show_model(self, model: ModelLine | None) -> None:
        self._area.show_model(has_model=model is not None)
        self._model_line.show_text(self._words_of(model) if model is not None else "")
        self._open.setVisible(model is not None)

    def _words_of(self, model: ModelLine) -> str:
        if model.best_epoch is not None:
            return self.tr("best so far · epoch {epoch}").format(epoch=text.number(model.best_epoch))
        if model.when is None:
            return model.name
        return self.tr("{name} · {when}").format(name=model.name, when=text.moment(model.when))

    def _show_message(self, state: PredictState) -> None:
        if state.message is not self._shown_message or (state.running and not self._was_running):
            message = self._shown_message = state.message
            if message is None:
                self._message.say("")
            else:
                self._message.say_code(message.code, message.fields, message.details)

    def _show_progress(self, state: PredictState) -> None:
        rows = self._answers.rowCount()
        self._count.setText(self._progress_words(state, rows))
        self._stop.setVisible(state.running)
        self._stop.setEnabled(not state.stopping)
        for link in (self._csv, self._clear):
            link.setVisible(rows > 0 and not state.running)
        self._pages.setCurrentIndex(1 if rows else 0)
        self._hint.setText(self._hint_words(state))

    def _progress_words(self, state: PredictState, rows: int) -> str:
        if state.stopping:
            return self.tr("Stopping…")
        if state.running and state.total:
            return self.tr("{done} of {total}").format(done=text.number(state.done), total=text.number(state.total))
        if state.running:
            return self.tr("Looking for photos…")
        if rows:
            one, more = self.tr("1 photo"), self.tr("{count} photos")
            return one if rows == 1 else more.format(count=text.number(rows))
        return ""

    def _hint_words(self, state: PredictState) -> str:
        if state.model is None or state.running:
            return ""
        if state.model.classes:
            return self.tr("It tells apart: {classes}").format(classes=", ".join(state.model.classes[:8]))
        return self.tr("The answers appear here.")


def _is_model(path: Path) -> bool:
    try:
        return (path.suffix == ".safetensors" and path.is_file()) or (path / _MODEL_FILE).is_file()
    except OSError:
        return False
