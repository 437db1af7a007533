"""The right column: drop photos, read the answers."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QMenu,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from catdog_gui.session.answer_table import Order
from catdog_gui.session.prediction import SHOWN_PHOTOS, Message, ModelLine, PredictState, gives_scores, to_text
from catdog_gui.ui import text, theme
from catdog_gui.ui.answer_filters import AnswerFilters
from catdog_gui.ui.answer_list import AnswerModel
from catdog_gui.ui.answer_notes import LeftOutNote, OfferNote, ScoreNote
from catdog_gui.ui.answer_status import LEAST_FILTERED, AnswerStatus
from catdog_gui.ui.answer_view import AnswerView
from catdog_gui.ui.answer_words import line_of
from catdog_gui.ui.dialogs import TextDialog
from catdog_gui.ui.drop_area import DropArea
from catdog_gui.ui.drops import Drop, can_take, is_own, parse
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.panel_words import declined_words, hint_words, may_be_model, model_words
from catdog_gui.ui.parts import ElidedLabel, OneOrTwoLines, link_to
from catdog_gui.ui.places import FOLDER, PHOTOS, Places
from catdog_gui.ui.score_dialog import ScoreDialog
from catdog_gui.ui.widgets import label

MANY = 50  # answers from which on the unsure ones come first


class PredictPanel(QWidget):
    """Signals: photos_dropped(list[Path]): files and folders to classify, in order; image_dropped(QImage): a picture
    without a file; model_dropped(Path): a model file or a folder, perhaps of a run, was dropped; answerActivated(Path):
    a double click or Return on an answer; folder_requested(Path): the folder of an answer's photo is to be opened;
    why_requested(Prediction, QPoint): why is it answered so, and where the answer begins on the screen;
    current_changed(the same): another answer was reached; answer_left: there is none any more;
    thumbnails_wanted(list[int]): answers on screen without a picture; model_requested, pause_, go_on_, stop_, clear_
    and save_requested: the user asks for it; again_requested: the same photos, of this model;
    job_accepted, job_declined: what he says to a job that is offered.
    """

    photos_dropped = Signal(object)
    image_dropped = Signal(object)
    model_dropped = Signal(object)
    answerActivated = Signal(object)  # noqa: N815 -- Qt's spelling
    folder_requested = Signal(object)
    why_requested = Signal(object, QPoint)
    current_changed = Signal(object, QPoint)
    answer_left = Signal()
    thumbnails_wanted = Signal(object)
    model_requested = Signal()
    pause_requested = Signal()
    go_on_requested = Signal()
    stop_requested = Signal()
    clear_requested = Signal()
    again_requested = Signal()
    job_accepted = Signal()
    job_declined = Signal()
    save_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.places = Places()
        self.setAcceptDrops(True)
        self._state = PredictState()
        self._was_running = self._had_model = self._scrolls = False
        self._shown_message: Message | None = None
        self._model_line = ElidedLabel("secondary")
        self._model_line.setObjectName("modelLine")
        self._area = DropArea()
        self._message = MessageRow()
        self._offer, self._left_out, self._score = OfferNote(), LeftOutNote(), ScoreNote()
        self._status = AnswerStatus()
        few = self.tr("A score is no percentage: too few photos were checked for one. Add photos and train again.")
        self._scores = label(few, "caption", wrap=True, name="scoresLabel")
        self._filters = AnswerFilters()
        self._order: Order | None = None  # the one that the user chose
        self._open = link_to(self.tr("Open a model…"), self.model_requested.emit, "openModelButton")
        self._hint = label("", "secondary", wrap=True)
        self.answers = AnswerModel(self)
        self._list = AnswerView(self.answers)
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
        self._show_order(state)
        if state.running != self._was_running:
            self._scrolls = state.running  # to the first answer of a drop, and to nothing that is only judged anew
        new = self._list.follow(state)
        if new and self._scrolls:
            self._scrolls = False
            self._list.scroll_to_row(self.answers.row_of(new[0]))
        if not state.predictions:
            self.answer_left.emit()
        self._show_message(state)
        self._was_running = state.running
        self._show_progress(state)

    def add_offer(self, offer: QWidget) -> None:
        """Put something to try under the place for drops."""
        self._body.insertWidget(self._body.indexOf(self._area) + 1, offer)

    def say(self, sentence: str, details: str = "") -> None:
        """A sentence under the place for drops; "" takes it away. details: for "Copy details"."""
        self._message.say(sentence, details)

    def paste(self) -> None:
        """Classify what the clipboard holds: files or a picture."""
        self.take(parse(QGuiApplication.clipboard().mimeData()))

    def copy(self) -> None:
        """The selected answers as text, all that are shown where none is selected."""
        chosen = [self.answers.prediction(row) for row in self._list.selected_rows()] or self.answers.shown()
        if chosen:
            QGuiApplication.clipboard().setText(to_text(chosen, line_of))

    def choose_order(self, order: Order) -> None:
        """The user's own order, from now on."""
        self._order = order
        self.answers.set_order(order)
        self._list.scrollToTop()

    def search_now(self) -> None:
        """Show what the filters and the search field ask for."""
        wrong = self._state.score.wrong if self._state.score is not None else frozenset[str]()
        self.answers.select(self._filters.chosen, self._filters.search, wrong)
        self._list.scrollToTop()
        self._show_progress(self._state)

    def choose_photos(self) -> None:
        """Ask for photos with the system's dialog."""
        kinds = self.tr("Photos ({patterns});;All files (*)").format(
            patterns="*.jpg *.jpeg *.png *.webp *.bmp *.gif *.tif *.tiff *.heic *.heif *.avif"
        )
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose photos"), self.places.start(PHOTOS), kinds)
        if names:
            self.places.used(PHOTOS, Path(names[0]).parent)
            self.take(Drop(paths=tuple(Path(name) for name in names)))

    def choose_folder(self) -> None:
        """Ask for a folder of photos with the system's dialog."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of photos"), self.places.start(FOLDER))
        if name:
            self.places.used(FOLDER, Path(name).parent)
            self.take(Drop(paths=(Path(name),)))

    # --- what Qt calls ------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if can_take(event.mimeData()) and not is_own(event):
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
        header = OneOrTwoLines(label(self.tr("Try it"), "title"), self._model_line)
        layout = self._body = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.S)
        layout.addWidget(header)
        layout.addWidget(self._area)
        layout.addWidget(self._message)
        layout.addWidget(self._offer)
        layout.addWidget(self._left_out)
        layout.addWidget(self._status)
        layout.addWidget(self._scores)
        layout.addWidget(self._score)
        layout.addWidget(self._filters)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addLayout(self._pages, stretch=1)  # first: without a parent it shows its page as a window of its own
        self._pages.addWidget(self._hint)
        self._pages.addWidget(self._list)
        layout.addWidget(self._open)

    def _connect(self) -> None:
        self._area.dropped.connect(self.take)
        self._area.choose_clicked.connect(self.choose_photos)
        self._area.folder_clicked.connect(self.choose_folder)
        self._area.paste_clicked.connect(self.paste)
        self._area.model_clicked.connect(self.model_requested)
        self._list.customContextMenuRequested.connect(self._list_menu)
        self._list.activated.connect(self._activate)
        self._list.clicked.connect(self._on_clicked)
        self._list.selectionModel().currentRowChanged.connect(self._on_current)
        self.answers.thumbs.wanted.connect(self.thumbnails_wanted)
        self._filters.changed.connect(self.search_now)
        self._filters.order_chosen.connect(self.choose_order)
        self._left_out.list_requested.connect(self._show_left_out)
        self._score.table_requested.connect(self._show_table)
        for link, wish in (
            (self._message.taken, self.again_requested),
            (self._offer.accepted, self.job_accepted),
            (self._offer.declined, self.job_declined),
            (self._status.pause_requested, self.pause_requested),
            (self._status.go_on_requested, self.go_on_requested),
            (self._status.stop_requested, self.stop_requested),
            (self._status.save_requested, self.save_requested),
            (self._status.clear_requested, self.clear_requested),
        ):
            link.connect(wish)
        for keys, action in ((QKeySequence.StandardKey.Paste, self.paste), (QKeySequence.StandardKey.Copy, self.copy)):
            shortcut = QAction(self, shortcutContext=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setShortcuts(keys)
            shortcut.triggered.connect(action)
            self.addAction(shortcut)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        has_rows, has_model = self.answers.rowCount() > 0, self._state.model is not None
        selected = self._list.selectionModel().hasSelection()
        current = self._list.currentIndex()
        if selected and current.isValid():
            menu.addAction(self.tr("Why this answer?"), lambda: self.ask_why(current)).setEnabled(
                self._can_ask(current)
            )
            path = self.answers.prediction(current.row()).path
            open_photo = menu.addAction(self.tr("Open the photo"), lambda: self.answerActivated.emit(Path(path)))
            open_folder = menu.addAction(self.tr("Open its folder"), lambda: self.folder_requested.emit(Path(path)))
            for action in (open_photo, open_folder):  # whether it is still there would be asked of a drive: not here
                action.setEnabled(bool(path))
            menu.addSeparator()
        menu.addAction(self.tr("Paste"), self.paste).setEnabled(has_model)
        menu.addAction(self.tr("Choose photos…"), self.choose_photos).setEnabled(has_model)
        menu.addAction(self.tr("Choose a folder…"), self.choose_folder).setEnabled(has_model)
        menu.addSeparator()
        copy = self.tr("Copy the selected answers") if selected else self.tr("Copy all answers")
        menu.addAction(copy, self.copy).setEnabled(has_rows)
        save = menu.addAction(self.tr("Save or sort…"), self.save_requested.emit)
        save.setEnabled(has_rows and not self._state.running)
        menu.addAction(self.tr("Clear"), self.clear_requested.emit).setEnabled(has_rows)
        menu.addSeparator()
        menu.addAction(self.tr("Open a model…"), self.model_requested.emit)
        return menu

    def _list_menu(self, where: QPoint) -> None:
        index = self._list.indexAt(where)
        if index.isValid():
            self._list.select_only(index.row())
        self._menu().popup(self._list.viewport().mapToGlobal(where))

    def _activate(self, index: QModelIndex) -> None:
        path = self.answers.prediction(index.row()).path
        if path:
            self.answerActivated.emit(Path(path))

    def _can_ask(self, index: QModelIndex) -> bool:
        return index.isValid() and self.answers.prediction(index.row()).verdict != "unreadable"

    def _on_clicked(self, index: QModelIndex) -> None:
        """A click on one answer asks why; with Shift or Ctrl it chooses several."""
        if self._can_ask(index) and len(self._list.selected_rows()) == 1:
            self.ask_why(index)
        else:
            self.answer_left.emit()

    def _on_current(self, index: QModelIndex) -> None:
        if self._can_ask(index):
            self.current_changed.emit(self.answers.prediction(index.row()), self._edge_of(index))

    def ask_why(self, index: QModelIndex) -> None:
        """Ask why the answer in this row is what it is."""
        self.why_requested.emit(self.answers.prediction(index.row()), self._edge_of(index))

    def _edge_of(self, index: QModelIndex) -> QPoint:
        return self._list.viewport().mapToGlobal(self._list.visualRect(index).topLeft())

    def _show_left_out(self) -> None:
        lines = [f"{item.path}\n    {text.say(item.code, item.fields)}" for item in self._state.left_out]
        TextDialog(self.tr("Folders and photos that could not be opened"), "\n".join(lines), self).open()

    def _show_table(self) -> None:
        if self._state.score is not None:
            ScoreDialog(self._state.score, self).open()

    # --- what was given -----------------------------------------------------------------------------------------------

    def take(self, drop: Drop) -> None:
        """What was dropped, pasted or chosen for the model to answer."""
        if len(drop.paths) == 1 and may_be_model(drop.paths[0]):
            self._message.say(declined_words(drop))
            self.model_dropped.emit(drop.paths[0])
        elif self._can_answer(drop):
            self._message.say(declined_words(drop))
            if drop.image is not None:
                self.image_dropped.emit(drop.image)
            elif drop.paths:
                self.photos_dropped.emit(list(drop.paths))

    def _can_answer(self, drop: Drop) -> bool:
        if drop.usable and self._state.model is None:
            self._message.say(self.tr("There is no model to ask yet. Train one, or open a model."))
            return False
        return True

    def take_photos(self, paths: Sequence[Path]) -> None:
        """What was dropped turned out to be no model."""
        if self._can_answer(Drop(paths=tuple(paths))):
            self.photos_dropped.emit(list(paths))

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _show_model(self, model: ModelLine | None) -> None:
        self._area.show_model(has_model=model is not None)
        self._model_line.show_text(*(model_words(model) if model is not None else ("",)))
        self._open.setVisible(model is not None)

    def _show_message(self, state: PredictState) -> None:
        if state.message is not self._shown_message or (state.running and not self._was_running):
            message = self._shown_message = state.message
            if message is None:
                self._message.say("")
            elif message.code == "answers_of_before":
                self._message.say(text.say(message.code, message.fields), offer=self.tr("Ask this one"))
            elif message.code in SHOWN_PHOTOS:
                self._message.say(text.say(message.code, message.fields), quiet=True)
            else:
                self._message.say_code(message.code, message.fields, message.details)

    def _show_progress(self, state: PredictState) -> None:
        table = self.answers.table
        self._offer.render(state.offer if not state.running else None)
        self._left_out.render(state)
        self._score.render(state.score)
        self._status.render(state, len(table.shown), table.taken)
        self._scores.setVisible(gives_scores(state.predictions))
        self._area.set_compact(table.taken >= LEAST_FILTERED)
        self._filters.setVisible(table.taken >= LEAST_FILTERED or table.narrowed)
        if self._filters.isVisibleTo(self):
            classes = state.model.classes if state.model is not None else ()
            wrong = len(state.score.wrong) if state.score is not None else None
            self._filters.render(table.counts, classes, wrong)
        self._pages.setCurrentIndex(1 if table.taken else 0)
        self._hint.setText(hint_words(state))

    def _show_order(self, state: PredictState) -> None:
        """A few photos in the order they were dropped; of many the unsure ones first. Until the user chooses."""
        many = max(len(state.predictions), state.total) >= MANY
        order = self._order or ("doubt" if many else "dropped")
        self.answers.set_order(order)
        self._filters.show_order(order)
