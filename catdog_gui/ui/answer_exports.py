"""Answers out of the window: as a table, as JSON, and as photos in folders by class. One method a wish."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from catdog_gui.engine.events import PhotoSkipped, Prediction
from catdog_gui.ui import text
from catdog_gui.ui.job_values import Count, Movable, Sorted
from catdog_gui.ui.jobs import Jobs

if TYPE_CHECKING:
    from catdog_gui.ui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class _What:
    """The answers that are meant: those that the filters show, or the selected ones."""

    answers: Sequence[Prediction]
    is_part: bool


class AnswerExports(QObject):
    """Owner: the window. `movable`: the last moves, where they can be undone."""

    def __init__(self, window: "MainWindow", jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self.movable: Movable | None = None
        window.predict_panel.save_requested.connect(self.show_menu)

    def look_for_moves(self) -> None:
        """Whether there are moves that can be undone, of this or of an earlier start of the program."""
        self._window.background.start(self._jobs.last_moves(), self._on_moves, lambda _failure: None)

    def show_menu(self) -> None:
        """The ways out, under the pointer."""
        menu = QMenu(self._window)
        menu.aboutToHide.connect(menu.deleteLater)
        self.fill(menu)
        menu.popup(QCursor.pos())

    def fill(self, menu: QMenu) -> None:
        """Add the ways out to a menu."""
        what, state = self._what(), self._window.predict.state
        words = self.tr("{count} shown answers").format(count=text.number(len(what.answers)))
        if not what.is_part:
            words = self.tr("All answers")
        menu.addAction(words).setEnabled(False)  # a heading; a section's words are not shown in our look
        ways: list[tuple[str, Callable[[], None]]] = [
            (self.tr("Save as CSV table…"), self.save_csv),
            (self.tr("Save as JSON…"), self.save_json),
            (self.tr("Copy photos into folders by class…"), self.ask_copy),
            (self.tr("Move photos into folders by class…"), self.ask_move),
        ]
        for name, way in ways:
            menu.addAction(name, way).setEnabled(bool(what.answers) and not state.running)
        if self.movable is not None:
            words = self.tr("Undo: bring moved photos back ({count})").format(count=text.number(self.movable.count))
            menu.addSeparator()
            menu.addAction(words, self.undo_moves)

    # --- files --------------------------------------------------------------------------------------------------------

    def save_csv(self) -> None:
        self._save(self.tr("Save answers as CSV"), "answers.csv", self.tr("CSV tables (*.csv)"))

    def save_json(self) -> None:
        self._save(self.tr("Save answers as JSON"), "answers.json", self.tr("JSON (*.json)"))

    def _save(self, title: str, start: str, kinds: str) -> None:
        answers = self._what().answers
        if answers:
            name, _ = QFileDialog.getSaveFileName(self._window, title, start, kinds)
            if name:
                job = self._jobs.save_answers(Path(name), answers, as_json=start.endswith(".json"))
                self._window.background.start(job, lambda _none: None, self._window.show_failure)

    # --- photos in folders --------------------------------------------------------------------------------------------

    def ask_copy(self) -> None:
        self._sort(move=False)

    def ask_move(self) -> None:
        self._sort(move=True)

    def _sort(self, *, move: bool) -> None:
        answers = [item for item in self._what().answers if item.path]
        title = self.tr("Choose where the folders by class are to be")
        name = QFileDialog.getExistingDirectory(self._window, title) if answers else ""
        if name and (not move or self._may_move(answers, Path(name))):
            file = self._window.predict.file
            job = self._jobs.sort_photos(Path(name), answers, move=move, model=file)
            self._window.predict_panel.say(self.tr("Sorting the photos into folders…"))
            self._window.background.start(job, self._on_sorted, self._on_failed, self._on_count)

    def _may_move(self, answers: Sequence[Prediction], target: Path) -> bool:
        count = sum(item.verdict != "unreadable" for item in answers)
        words = self.tr(
            "{count} photos will be taken out of their present folders and put into folders by class in “{name}”. "
            "You can undo that, also after a restart."
        ).format(count=text.number(count), name=target.name)
        buttons = QMessageBox.StandardButton.Ok | QMessageBox.StandardButton.Cancel
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Move the photos?"), words, buttons, self._window)
        box.button(QMessageBox.StandardButton.Ok).setText(self.tr("Move"))
        return box.exec() == QMessageBox.StandardButton.Ok

    def undo_moves(self) -> None:
        if self.movable is not None:
            job = self._jobs.undo_moves(self.movable.path)
            self._window.predict_panel.say(self.tr("Bringing the photos back…"))
            self._window.background.start(job, self._on_undone, self._on_failed)

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _on_count(self, message: object) -> None:
        if isinstance(message, Count):
            words = self.tr("Sorting the photos into folders: {done} of {total}")
            done, total = text.number(message.done), text.number(message.total)
            self._window.predict_panel.say(words.format(done=done, total=total))

    def _on_sorted(self, done: Sorted) -> None:
        words = self.tr("Photos moved: {count}.") if done.moved else self.tr("Photos copied: {count}.")
        self._tell(words.format(count=text.number(done.count)), done)

    def _on_undone(self, done: Sorted) -> None:
        self._tell(self.tr("Photos back in their old places: {count}.").format(count=text.number(done.count)), done)

    def _tell(self, words: str, done: Sorted) -> None:
        window = self._window
        if done.moved:
            window.predict.state.relocate(done.moved)
            window.predict_panel.answers.relocated()
        lines = [_line(item) for item in done.failed]
        if lines:
            left = self.tr("Left out: {count}. {first}").format(count=text.number(len(lines)), first=lines[0])
            words = f"{words} {left}"
        window.predict_panel.say(words, "\n".join(lines) if len(lines) > 1 else "")
        self.look_for_moves()

    def _on_failed(self, failure: object) -> None:
        self._window.predict_panel.say("")
        self._window.show_failure(failure)  # type: ignore[arg-type]  # a RunFailed
        self.look_for_moves()

    def _on_moves(self, movable: Movable | None) -> None:
        self.movable = movable
        self._window.menus.undo_moves.setEnabled(movable is not None)

    def _what(self) -> _What:
        shown = self._window.predict_panel.answers.shown()
        known = len(self._window.predict.state.predictions)
        return _What(shown, len(shown) < known)


def _line(item: PhotoSkipped) -> str:
    """Why a photo was left out, with its path once."""
    words = text.say(item.code, item.fields)
    return words if item.path in words else f"{item.path}: {words}"
