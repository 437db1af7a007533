"""What the middle says between choosing photos and the first run, and the offer to try the drawings kept back."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from catdog_gui.session.data import DataState
from catdog_gui.ui import text, theme
from catdog_gui.ui.widgets import Page, column, label, link, row


class ReadyPage(Page):
    """In place of empty plots."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "heading", wrap=True)
        self._lead = label("", "lead", wrap=True)
        body = self.body
        body.addStretch(2)
        body.addWidget(self._title)
        body.addWidget(self._lead)
        body.addStretch(3)

    def render_data(self, data: DataState, val_fraction: float | None) -> None:
        dataset = data.dataset
        if dataset is None or not dataset.trainable:
            self._title.setText(self.tr("Not ready to learn yet"))
            self._lead.setText(self.tr("What is missing stands beside the folder, under “Photos”."))
            return
        learn, check = dataset.sides(val_fraction or 0.0)
        names = text.listed(list(dataset.classes), 4)
        self._title.setText(self.tr("Ready: press Train"))
        words = self.tr(
            "It learns to tell apart {classes} from {learn} photos. {check} others are kept back to check it."
        )
        self._lead.setText(words.format(classes=names, learn=text.number(learn), check=text.number(check)))


class HeldOutOffer(QFrame):
    """After a run on the sample pictures: drawings that it has not seen. Signal accepted."""

    accepted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "note")
        body = column(self, gap=theme.XS, margins=(theme.M, theme.S))
        words = self.tr(
            "This model has only seen drawings: it does not know photos. Try it on drawings it has not seen."
        )
        body.addWidget(label(words, "", wrap=True))
        self.button = link(self.tr("Classify the drawings kept back"), "heldOutButton")
        self.button.clicked.connect(self.accepted)
        body.addLayout(row(self.button, None))
        self.hide()
