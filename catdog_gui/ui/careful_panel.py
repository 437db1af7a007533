"""How careful the model is: one slider, and what each place of it does to the photos the model was checked with."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QSlider, QWidget

from catdog_gui.engine.models.limits import FEW, STEPS, Setting
from catdog_gui.session.results import FEW_CHECKED, digits_for
from catdog_gui.session.trust import Careful
from catdog_gui.ui import text, theme
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.parts import SteadyLabel, link_to
from catdog_gui.ui.widgets import column, focus_goes_to, label, row, show_text

SETTLE_MS = 400  # a moved slider rests this long before it is taken as chosen
_WIDEST = 560


class CarefulPanel(QWidget):
    """Signal chosen(int): the step, -5 to 5, that the user settled on."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaximumWidth(_WIDEST)
        self._careful = Careful(0)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(-STEPS, STEPS)
        self._slider.setPageStep(1)
        self._slider.setObjectName("carefulSlider")
        self._slider.setAccessibleName(self.tr("How careful"))
        self._words = SteadyLabel(name="carefulWords")  # what follows must not jump with every step
        self._advice = SteadyLabel("caption")
        self._back = link_to(self.tr("Back to advised"), self._go_back, "carefulBackButton")
        policy = self._back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._back.setSizePolicy(policy)
        self.message = MessageRow()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._slider.valueChanged.connect(self._on_moved)
        self._slider.sliderReleased.connect(self.settle)
        self._lay_out()
        self.render(self._careful)

    def _lay_out(self) -> None:
        body = column(self, gap=theme.S)
        body.addLayout(row(label(self.tr("How careful"), "title"), None, self._back))
        ends = QGridLayout()
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        said = (self.tr("Answers everything"), self.tr("Advised"), self.tr("Only when very sure"))
        for place, (words, side) in enumerate(zip(said, sides, strict=True)):
            ends.addWidget(label(words, "caption"), 0, place, side)
            ends.setColumnStretch(place, 1)
            ends.setColumnMinimumWidth(place, 1)
        body.addLayout(ends)
        body.addWidget(self._slider)
        body.addWidget(self._words)
        body.addWidget(self._advice)
        body.addWidget(self.message)

    def render(self, careful: Careful) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        """Show what is saved with the model; hidden where the model does not know its checked photos.

        A place that the user has moved the slider to since stays: it is about to be chosen.
        """
        self._careful = careful
        self._words.set_all([self._said(setting) for setting in careful.settings])
        self._advice.set_all([self._advised(setting) for setting in careful.settings])
        if self._settle.isActive():
            return
        self._slider.blockSignals(True)
        self._slider.setValue(careful.step)
        self._slider.blockSignals(False)
        self._show(careful.step)
        self.setVisible(bool(careful.settings))

    def forget(self) -> None:
        """Another model comes: a place chosen for the last one is not for it."""
        self._settle.stop()
        self.hide()

    def settle(self) -> None:
        """Take the place that the slider is at as chosen, without waiting for a further move."""
        if self._settle.isActive():
            self._settle.stop()
            self._choose()

    def _on_moved(self, step: int) -> None:
        self._show(step)
        self._settle.start()

    def _on_settled(self) -> None:
        if self._slider.isSliderDown():
            self._settle.start()
        else:
            self._choose()

    def _choose(self) -> None:
        if self._slider.value() != self._careful.step:
            self.chosen.emit(self._slider.value())

    def _go_back(self) -> None:
        self._slider.setValue(0)

    def _show(self, step: int) -> None:
        setting = self._careful.at(step)
        show_text(self._words, self._said(setting) if setting is not None else "")
        self._slider.setAccessibleDescription(self._words.text())
        with focus_goes_to(self._slider, leaving=(self._back,)):
            self._back.setVisible(step != 0)
        self._advice.setText(self._advised(setting))

    def _advised(self, setting: Setting | None) -> str:
        if setting is not None and setting.step != 0:
            return self.tr("The answers on the right follow this, and it is kept with the model.")
        if setting is not None and setting.checked < FEW:
            return self.tr(
                "Too few photos were checked to fit this to them: the middle is a cautious setting, for any photos. "
                "Add photos and train again."
            )
        return self.tr("The middle is what the program advises for your photos.")

    def _said(self, setting: Setting) -> str:
        return text.unbroken(self._figures_of(setting))

    def _figures_of(self, setting: Setting) -> str:
        if setting.checked < FEW_CHECKED:
            return self._said_of_few(setting)
        digits = digits_for(setting.checked)
        share = text.percent(setting.refused / max(setting.checked, 1), digits)
        refused = self.tr("Of your {n} checked photos it would refuse {count} ({share}).").format(
            n=text.number(setting.checked), count=text.number(setting.refused), share=share
        )
        if setting.answered == 0:
            none = self.tr("It would answer none.")
            return f"{refused} {none}"
        right = text.percent(setting.right / setting.answered, digits)
        answered = self.tr("Of the {count} it answers, {right} are right ({share}).").format(
            count=text.number(setting.answered), right=text.number(setting.right), share=right
        )
        return f"{refused} {answered}"

    def _said_of_few(self, setting: Setting) -> str:
        """Without percentages, which would say more than is known."""
        words = self.tr("Only {n} photos were checked: of these it would answer {answered}, {right} of them right.")
        return words.format(
            n=text.number(setting.checked), answered=text.number(setting.answered), right=text.number(setting.right)
        )
