"""A message inside a panel: one sentence, and "Copy details" where there is more to tell."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from catdog_gui.engine.errors import Fields
from catdog_gui.ui import text, theme
from catdog_gui.ui.parts import link_to
from catdog_gui.ui.widgets import CopyButton, label, restyle


class MessageRow(QFrame):
    """Hidden while there is nothing to say. Signal taken: the link beside the sentence, where it has one."""

    taken = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageRow")
        self.setProperty("look", "message")
        self._text = label("", wrap=True)
        self._copy = CopyButton(self.tr("Copy details"))
        self._copy.setProperty("look", "link")
        self._copy.setObjectName("copyDetailsButton")
        self._offer = link_to("", self.taken.emit, "messageLink")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.M, theme.S, theme.M, theme.S)
        layout.setSpacing(theme.XS)
        layout.addWidget(self._text)
        layout.addWidget(self._offer)
        layout.addWidget(self._copy)
        self.say("")

    def say(self, sentence: str, details: str = "", offer: str = "", *, quiet: bool = False) -> None:
        """Show a sentence; "" hides the row. offer: the words of a link that does something about it; quiet: nothing is
        wrong, it only says what is shown.
        """
        restyle(self, "look", "note" if quiet else "message")
        self._offer.setText(offer)
        self._offer.setAccessibleName(offer or self.tr("What to do about it"))
        self._offer.setVisible(bool(offer))
        self._text.setText(sentence)
        self._text.setAccessibleName(sentence)
        self._copy.set_content(f"{sentence}\n\n{details}".rstrip() + "\n")
        self._copy.setVisible(bool(details))
        self.setVisible(bool(sentence))

    def say_code(self, code: str, fields: Fields, details: str = "") -> None:
        """Show the sentence of a code, and offer it with its details for copying."""
        self.say(text.say(code, fields), details)

    def text(self) -> str:
        return self._text.text()
