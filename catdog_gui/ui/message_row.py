"""A message inside a panel: one sentence, and "Copy details" where there is more to tell."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from catdog_gui.engine.errors import Fields
from catdog_gui.ui import text, theme
from catdog_gui.ui.parts import button, words


class MessageRow(QFrame):
    """Hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageRow")
        self.setProperty("look", "message")
        self._details = ""
        self._text = words("", wrap=True)
        self._copy = button(self.tr("Copy details"), self._copy_details, look="link")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.M, theme.S, theme.M, theme.S)
        layout.setSpacing(theme.XS)
        layout.addWidget(self._text)
        layout.addWidget(self._copy)
        self.say("")

    def say(self, sentence: str, details: str = "") -> None:
        """Show a sentence; "" hides the row."""
        self._details = details
        self._text.setText(sentence)
        self._text.setAccessibleName(sentence)
        self._copy.setText(self.tr("Copy details"))
        self._copy.setVisible(bool(details))
        self.setVisible(bool(sentence))

    def say_code(self, code: str, fields: Fields, details: str = "") -> None:
        """Show the sentence of a code, and offer it with its details for copying."""
        self.say(text.say(code, fields), details)

    def text(self) -> str:
        return self._text.text()

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._text.text()}\n\n{self._details}".rstrip() + "\n")
        self._copy.setText(self.tr("Copied"))
