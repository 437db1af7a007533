"""Notes above the answers: a job that can be gone on with, and how the answers stand beside a folder's labels."""

from html import escape

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QWidget

from catdog_gui.session.prediction import JobOffer, PredictState, Score
from catdog_gui.ui import text, theme
from catdog_gui.ui.parts import link_to
from catdog_gui.ui.widgets import LinkLine, column, label, row

translate = QCoreApplication.translate


class OfferNote(QFrame):
    """Signals: accepted, declined: the two links."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("jobOffer")
        self.setProperty("look", "note")
        self._words = label("", wrap=True)
        self._accept = link_to(self.tr("Go on"), self.accepted.emit, "goOnWithJobButton")
        self._decline = link_to(self.tr("Discard"), self.declined.emit, "dropJobButton")
        body = column(self, gap=theme.XS, margins=(theme.M, theme.S))
        body.addWidget(self._words)
        body.addLayout(row(self._accept, self._decline, None, gap=theme.L))
        self.hide()

    def render(self, offer: JobOffer | None) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        self.setVisible(offer is not None)
        if offer is None:
            return
        self._words.setText(_offer_words(offer))
        accept = self.tr("Show them") if offer.is_done else self.tr("Go on")
        self._accept.setText(accept)
        self._accept.setAccessibleName(accept)


def _offer_words(offer: JobOffer) -> str:
    """With the name of the folder where there is one; photos of several folders are only counted."""
    match (offer.is_done, bool(offer.name)):
        case (True, True):
            words = translate("OfferNote", "The answers for {answered} photos of “{name}” ({when}) are still here.")
        case (True, False):
            words = translate("OfferNote", "The answers for {answered} photos ({when}) are still here.")
        case (False, True):
            words = translate("OfferNote", "“{name}” is not done: {answered} of {total} photos are answered ({when}).")
        case _:
            words = translate("OfferNote", "Not done: {answered} of {total} photos are answered ({when}).")
    answered, total, when = text.number(offer.answered), text.number(offer.total), text.moment(offer.when)
    return words.format(name=offer.name, answered=answered, total=total, when=when)


class ScoreNote(QFrame):
    """Signal table_requested: show the confusion table."""

    table_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoreNote")
        self.setProperty("look", "note")
        self._words = LinkLine()
        self._words.clicked.connect(lambda _target: self.table_requested.emit())
        body = column(self, margins=(theme.M, theme.S))
        body.addWidget(self._words)
        self.hide()

    def render(self, score: Score | None) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        self.setVisible(score is not None)
        if score is not None:
            digits = 1 if score.photos >= 100 else 0
            words = self.tr("{accuracy} right, judged by the names of the sub-folders.")
            if score.learned:
                words = self.tr("{accuracy} right by the sub-folders, but the model learned from these photos.")
            said = words.format(accuracy=text.percent(score.accuracy, digits))
            link = self.tr("Table")
            self._words.set_markup(f"{escape(said)} <a>{escape(link)}</a>", ["table"])


class LeftOutNote(QFrame):
    """Folders and photos that could not be opened. Signal list_requested."""

    list_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "message")
        self._words = LinkLine()
        self._words.setObjectName("answersLeftOutLine")
        self._words.clicked.connect(lambda _target: self.list_requested.emit())
        body = column(self, margins=(theme.M, theme.S))
        body.addWidget(self._words)
        self.hide()

    def render(self, state: PredictState) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        left_out = state.left_out
        self.setVisible(bool(left_out))
        if left_out:
            words = self.tr("Could not be opened: {count}.").format(count=text.number(len(left_out)))
            link = self.tr("Which?")
            self._words.set_markup(f"{escape(words)} <a>{escape(link)}</a>", ["list"])
