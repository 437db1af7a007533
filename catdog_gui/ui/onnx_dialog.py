"""The dialog of an export: what it is, how far it is, how it ended."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QProgressBar, QWidget

from catdog_gui.engine.events import Notice, RunFailed
from catdog_gui.ui import text, theme
from catdog_gui.ui.job_values import Count, ExportEnd
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.parts import button
from catdog_gui.ui.widgets import column, label, row, show_text

_WIDTH = 440  # pixels
_TINY = 0.0001  # as far apart as is worth telling


class ExportDialog(QDialog):
    """One export from the question to its end; closing it while it works cancels.

    Signals: place_requested(int8: bool); cancelled: the work is to end; folder_requested(Path).
    """

    place_requested = Signal(bool)
    cancelled = Signal()
    folder_requested = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("exportDialog")
        self.setMinimumWidth(_WIDTH)
        self._working = False
        self._file: Path | None = None
        self._title = label("", "title", wrap=True)
        self._words = label("", "secondary", wrap=True, name="exportWords")
        self._more = label("", "secondary", wrap=True)
        self._failure = MessageRow()
        self._int8 = QCheckBox(self.tr("Much smaller, a little less exact (8-bit weights)"))
        self._int8.setObjectName("exportInt8Check")
        self._int8.setAccessibleName(self._int8.text())
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(self.tr("Comparing answers"))
        self._folder = button(self.tr("Show folder"), self._ask_folder, "exportFolderButton")
        self._close = button(self.tr("Cancel"), self.reject, "exportCloseButton")
        self._go = button(self.tr("Choose a place…"), self._ask_place, "exportPlaceButton")
        self._go.setDefault(True)
        body = column(self, gap=theme.M, margins=(theme.XL, theme.XL))
        for part in (self._title, self._words, self._more, self._failure, self._int8, self._bar):
            body.addWidget(part)
        body.addStretch()
        body.addLayout(row(None, self._folder, self._close, self._go))
        self._show(self.tr("Export “{name}” for other programs").format(name=name))
        self._words.setText(
            self.tr(
                "One ONNX file holds everything, from the photo to the verdict, and needs neither this program nor "
                "PyTorch. It gets its name only after it has answered 50 pictures as this program does."
            )
        )
        for unseen in (self._more, self._folder, self._bar):
            unseen.hide()

    def begin(self) -> None:
        """The place is chosen, the work begins."""
        self._working = True
        for part in (self._int8, self._go):
            part.hide()
        self._bar.setRange(0, 0)
        self._bar.show()
        show_text(self._words, self.tr("Building the file…"))
        self._close.setFocus()
        self._fit()

    def show_progress(self, message: object) -> None:
        """A Count: so many answers are compared. A Notice: a photo to check with does not come."""
        if not self._working:
            return
        waits = text.say(message.code, message.fields) if isinstance(message, Notice) else ""
        if waits != self._more.text():
            show_text(self._more, waits)
            self._fit()
        if isinstance(message, Count):
            self._bar.setRange(0, message.total)
            self._bar.setValue(message.done)
            words = self.tr("Comparing its answers with the program's: {done} of {total}")
            show_text(self._words, words.format(done=text.number(message.done), total=text.number(message.total)))

    def show_end(self, end: ExportEnd) -> None:
        """It is written: where, and how well it agrees."""
        self._end()
        self._file = end.file
        whole = end.precision == "fp32"
        self._show(self.tr("Exported, and it answers as this program does") if whole else self.tr("Exported in 8 bits"))
        words = self.tr("{file} ({size} MB) and {example}, which shows how to ask it, are in the folder.")
        place = words.format(file=end.file.name, size=text.decimal(end.size_mb, 1), example=end.example.name)
        agreed = self.tr("{agree} of {checked} answers are the same; probabilities are at most {difference} apart.")
        figures = agreed.format(
            agree=text.number(end.agree), checked=text.number(end.checked), difference=_small(end.largest_difference)
        )
        show_text(self._words, f"{place}\n\n{figures}")
        show_text(self._more, "\n\n".join(self._remarks(end)))
        self._folder.show()
        self._folder.setFocus()
        self._fit()

    def show_failure(self, failure: RunFailed) -> None:
        self._end()
        self._show(self.tr("The model was not exported"))
        for part in (self._words, self._more):
            show_text(part, "")
        self._failure.say_code(failure.code, failure.fields, failure.details or failure.code)
        self._close.setFocus()
        self._fit()

    def reject(self) -> None:
        """Cancel, Esc and the cross: what works is stopped, and leaves nothing behind."""
        if self._working:
            self._working = False
            self.cancelled.emit()
        super().reject()

    def _remarks(self, end: ExportEnd) -> list[str]:
        said = []
        if end.photos == "drawn":
            said.append(self.tr("The run's photos are gone, so drawings were asked about."))
        if end.own_precision is not None:
            words = self.tr(
                "On this computer the window itself answers in {precision}, quicker and rounder: {same} of {checked} "
                "answers are the same, at most {difference} apart."
            )
            said.append(
                words.format(
                    precision=end.own_precision,
                    same=text.number(end.own_same),
                    checked=text.number(end.checked),
                    difference=_small(end.own_difference),
                )
            )
        return said

    def _show(self, title: str) -> None:
        self.setWindowTitle(title)
        self._title.setText(title)

    def _fit(self) -> None:
        """As high as the words need now."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _end(self) -> None:
        self._working = False
        self._bar.hide()
        self._close.setText(self.tr("Close"))
        self._close.setAccessibleName(self._close.text())

    def _ask_place(self) -> None:
        self.place_requested.emit(self._int8.isChecked())

    def _ask_folder(self) -> None:
        if self._file is not None:
            self.folder_requested.emit(self._file.parent)


def _small(difference: float) -> str:
    """0.086; 0.0001 for whatever is smaller."""
    return text.decimal(_TINY, 4) if difference < _TINY else text.decimal(difference, 3)
