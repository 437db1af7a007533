"""The dialogs: closing while a run lives, files left out, this computer, about, and a fault of the program."""

from collections.abc import Callable, Sequence
from enum import Enum, auto

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QLabel, QPlainTextEdit, QPushButton, QWidget

from catdog_gui import __version__
from catdog_gui.session.data import LeftOut
from catdog_gui.ui import text, theme
from catdog_gui.ui.widgets import CopyButton, column, label, link, row

TEXT_WIDTH = 400  # pixels


class ClosingAnswer(Enum):
    STOP = auto()
    KEEP = auto()
    CANCEL = auto()


class Dialog(QDialog):
    """A dialog with a title line and a body; Esc closes it."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.body = column(self, gap=theme.M, margins=(theme.XL, theme.XL))
        self.title = self.add_words("", "title")

    def add_words(self, words: str, role: str) -> QLabel:
        """A wrapping text as wide as a dialog's."""
        result = label(words, role)
        result.setWordWrap(True)
        result.setMinimumWidth(TEXT_WIDTH)
        self.body.addWidget(result)
        return result

    def set_title(self, title: str) -> None:
        self.setWindowTitle(title)
        self.title.setText(title)


class ClosingDialog(Dialog):
    """Asks what becomes of the run when the window is closed, then shows that it is being saved.

    Signal chosen(ClosingAnswer), also for Esc and the close button of the dialog (CANCEL).
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("closingDialog")
        self.set_title(self.tr("A run is going on. Close anyway?"))
        self.setModal(True)
        self._saving = False
        words = self.tr(
            "Stop and save keeps the best model so far, once there is one, and the run can go on later. Keep running"
            " minimises the window, and closes it when the run is done."
        )
        self._words = self.add_words(words, "secondary")
        stop = self._button(self.tr("Stop and save"), "stopAndSaveButton", ClosingAnswer.STOP)
        stop.setDefault(True)
        keep = self._button(self.tr("Keep running"), "keepRunningButton", ClosingAnswer.KEEP)
        cancel = self._button(self.tr("Cancel"), "cancelCloseButton", ClosingAnswer.CANCEL)
        self._buttons = (stop, keep, cancel)
        self.body.addLayout(row(None, cancel, keep, stop))

    def show_saving(self) -> None:
        """The choice was made; the buttons go, the dialog stays until the run has ended."""
        self._saving = True
        self.title.setText(self.tr("Saving the best model so far…"))
        self._words.setText(self.tr("The window closes in a moment."))
        for button in self._buttons:
            button.setEnabled(False)

    def _button(self, words: str, name: str, answer: ClosingAnswer) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.clicked.connect(lambda: self.chosen.emit(answer))
        return button

    def reject(self) -> None:
        """Esc: the same as Cancel, until it is being saved."""
        if not self._saving:
            self.chosen.emit(ClosingAnswer.CANCEL)


class QuestionDialog(Dialog):
    """A question with one way on; Cancel (or `no`) is the default. accepted: the way on was chosen."""

    def __init__(self, title: str, words: str, way_on: str, parent: QWidget | None = None, *, no: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.set_title(title)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.add_words(words, "secondary")
        cancel = self._button(no or self.tr("Cancel"), "cancelButton", self.reject)
        self.body.addLayout(row(None, cancel, self._button(way_on, "wayOnButton", self.accept)))

    def _button(self, words: str, name: str, clicked: Callable[[], None]) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setAutoDefault(name == "cancelButton")
        button.setDefault(name == "cancelButton")
        button.clicked.connect(clicked)
        return button


class TextDialog(Dialog):
    """A long text to read and copy."""

    def __init__(self, title: str, content: str, parent: QWidget | None = None, *, fixed: bool = False) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.set_title(title)
        self.setObjectName("textDialog")
        self._view = QPlainTextEdit(content)
        self._view.setReadOnly(True)
        self._view.setAccessibleName(title)
        self._view.document().setDocumentMargin(theme.S)
        if fixed:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
            font.setPixelSize(theme.CAPTION)
            self._view.setFont(font)
        self.copy = CopyButton(self.tr("Copy"))
        self.copy.setObjectName("copyTextButton")
        self.copy.set_content(content)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.body.addWidget(self._view, 1)
        self.body.addLayout(row(self.copy, None, close))
        self.resize(680, 480)

    def set_content(self, content: str) -> None:
        self._view.setPlainText(content)
        self.copy.set_content(content)

    def content(self) -> str:
        return self._view.toPlainText()


def left_out_text(left_out: Sequence[LeftOut]) -> str:
    """One line a file: its path, and why it is not used."""
    return "\n".join(f"{item.path}: {text.say(item.code, item.fields)}" for item in left_out)


class AboutDialog(Dialog):
    """What this program is, and on whose work it stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.set_title(self.tr("Cat & Dog Trainer"))
        version = self.tr("Version {version}. Free software under the MIT licence.").format(version=__version__)
        self.add_words(version, "")
        words = self.tr(
            "It teaches a network to tell your photos apart, on this computer. Nothing is sent anywhere. "
            "The bundled network is EfficientNet-Lite0 (Apache licence 2.0)."
        )
        self.add_words(words, "secondary")
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.accept)
        self.body.addLayout(row(None, close))


class FaultDialog(Dialog):
    """A fault of the program itself: a plain sentence, the log file, and the details to copy.

    Signals: log_requested; report_requested(str): a report with these details.
    """

    log_requested = Signal()
    report_requested = Signal(str)

    def __init__(self, details: str, log: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.set_title(self.tr("Something in this program went wrong that should not."))
        self.setObjectName("faultDialog")
        words = self.tr("The window goes on, but what you just did may be incomplete. The log file has more: {path}")
        self.add_words(words.format(path=log), "secondary")
        copy = CopyButton(self.tr("Copy details"))
        copy.set_content(details)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        log_file = link(self.tr("Open log file"), "openLogLink")
        log_file.clicked.connect(self.log_requested)
        report = link(self.tr("Report a problem…"), "reportProblemLink")
        report.clicked.connect(lambda: self.report_requested.emit(details))
        self.body.addLayout(row(copy, log_file, report, None, close))
