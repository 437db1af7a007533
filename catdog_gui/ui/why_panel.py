"""Why this answer: what the model saw under its heat map, and the known photos that are most like it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeySequence, QPixmap, QShortcut
from PySide6.QtWidgets import QCheckBox, QFrame, QGraphicsDropShadowEffect, QGridLayout, QLabel, QWidget

from catdog_gui.session.prediction import file_name
from catdog_gui.session.trust import Alike, Why
from catdog_gui.ui import text, theme
from catdog_gui.ui.answer_words import line_of
from catdog_gui.ui.parts import link_to
from catdog_gui.ui.widgets import ElidedLabel, clear, column, label, row, show_text

if TYPE_CHECKING:
    from catdog_gui.engine.events import Prediction, RunFailed

SQUARE_PX, ALIKE_PX, ALIKE_COUNT = 248, 56, 5
WIDTH = ALIKE_COUNT * ALIKE_PX + (ALIKE_COUNT - 1) * theme.S + 2 * theme.L


class WhyPanel(QFrame):
    """A calm sheet over the window, beside the answer. Escape and Close put it away.

    Signal closed: it was put away by the user.
    """

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("whyPanel")
        self.setAccessibleName(self.tr("Why this answer"))
        self.setProperty("look", "card")
        self.setFixedWidth(WIDTH)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(theme.XL)
        shadow.setOffset(0, theme.XS)
        shadow.setColor(QColor(0, 0, 0, 90))
        self.setGraphicsEffect(shadow)
        self._why: Why | None = None
        self._file = ElidedLabel("", "secondary")
        self._answer = label("", "strong", wrap=True, name="whyAnswer")
        self._square = QLabel()
        self._square.setFixedSize(SQUARE_PX, SQUARE_PX)
        self._heat = QCheckBox(self.tr("Show where it looked"))
        self._heat.setChecked(True)
        self._heat.setObjectName("heatMapCheck")
        self._heat.setAccessibleName(self._heat.text())
        self._heat.toggled.connect(self._show_square)
        self._legend = label("", "caption", wrap=True, name="heatLegend")
        self._alike_title = label("", "secondary", wrap=True)
        self._alike = QGridLayout()
        self._note = label("", "caption", wrap=True, name="whyNote")
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), parent, self._close)
        self._escape.setEnabled(False)
        self._lay_out()
        self._show_square()
        self.hide()

    def _lay_out(self) -> None:
        body = column(self, gap=theme.S, margins=(theme.L, theme.M))
        close = link_to(self.tr("Close"), self._close, "closeWhyButton")
        body.addLayout(row(label(self.tr("Why this answer"), "title"), None, close))
        body.addWidget(self._answer)
        body.addWidget(self._file)
        body.addWidget(self._square, alignment=Qt.AlignmentFlag.AlignHCenter)
        body.addWidget(self._heat)
        body.addWidget(self._legend)
        body.addSpacing(theme.XS)
        body.addWidget(self._alike_title)
        self._alike.setHorizontalSpacing(theme.S)
        self._alike.setVerticalSpacing(2)
        body.addLayout(self._alike)
        body.addWidget(self._note)

    def wait_for(self, answer: "Prediction") -> None:
        """Show which answer it is; the reasons come in a moment. What was shown before stays until then."""
        self._file.setText(file_name(answer.path) if answer.path else self.tr("A picture without a file"))
        self._answer.setText(line_of(answer))
        if self._why is None:
            show_text(self._note, self.tr("The model looks at the photo again…"))
        self._open()

    def show_why(self, why: Why) -> None:
        """Show the reasons."""
        self._why = why
        self._answer.setText(line_of(why.answer))
        self._show_square()
        self._show_alike(why.alike, learned=why.learned)
        show_text(self._note, text.say(why.missing) if why.missing else "")
        self._open()

    def show_failure(self, failure: "RunFailed") -> None:
        """It could not be asked."""
        self.show_reason_missing(text.say(failure.code, failure.fields))

    def show_reason_missing(self, words: str) -> None:
        """Nothing can be explained, and why."""
        self._why = None
        self._show_square()
        self._show_alike((), learned=True)
        show_text(self._note, words)
        self._open()

    def _open(self) -> None:
        self._escape.setEnabled(True)
        self.show()
        self.raise_()
        self.fit()

    def fit(self) -> None:
        """As high as its content at its width."""
        layout = self.layout()
        if layout is not None:
            layout.invalidate()
            layout.activate()
            # The totals count the sheet's border, too: words that just fit without it take a line more.
            self.resize(WIDTH, max(layout.totalHeightForWidth(WIDTH), layout.totalMinimumSize().height()))

    def put_away(self) -> None:
        self._escape.setEnabled(False)
        self.hide()

    def _close(self) -> None:
        self.put_away()
        self.closed.emit()

    def _show_square(self) -> None:
        why = self._why
        seen = why is not None and why.square is not None
        for part in (self._square, self._heat, self._legend):
            part.setVisible(seen)
        if why is None or why.square is None:
            return
        heat = self._heat.isChecked()
        self._square.setPixmap(pixmap_of(why.heat if heat else why.square, SQUARE_PX, self.devicePixelRatioF()))
        said = self.tr("Orange: what speaks for “{name}”. Blue: what speaks against it.").format(name=why.target)
        self._square.setAccessibleName(self.tr("What the model saw"))
        self._legend.setText(said if heat else self.tr("This square is all that the model saw of the photo."))

    def _show_alike(self, alike: tuple[Alike, ...], *, learned: bool) -> None:
        clear(self._alike)
        checked = self.tr("Most alike of the photos it was checked with")
        title = self.tr("Most alike of the photos it learned from") if learned else checked
        show_text(self._alike_title, title if alike else "")
        for place, item in enumerate(alike):
            picture = _picture_of(item, self.devicePixelRatioF())
            self._alike.addWidget(picture, 0, place)
            words = ElidedLabel(item.label or "?", "caption")
            words.setFixedWidth(ALIKE_PX)
            words.setToolTip(self._tip(item))
            self._alike.addWidget(words, 1, place)
            for part in (picture, words):
                part.show()  # Qt would do it later, and the height that is taken now would be without them
        self._alike.setColumnStretch(ALIKE_COUNT, 1)

    def _tip(self, item: Alike) -> str:
        said = self.tr("{name}, {share} alike").format(name=item.label, share=text.percent(item.similarity))
        return f"{said}\n{item.path}".rstrip()


def _picture_of(item: Alike, ratio: float) -> QLabel:
    result = QLabel()
    result.setObjectName("alikePhoto")
    result.setFixedSize(ALIKE_PX, ALIKE_PX)
    result.setAccessibleName(f"{item.label} {file_name(item.path) if item.path else ''}".strip())
    result.setToolTip(item.path)
    if item.picture is not None:
        result.setPixmap(pixmap_of(item.picture, ALIKE_PX, ratio))
    else:
        result.setText("–")
        result.setAlignment(Qt.AlignmentFlag.AlignCenter)
        result.setProperty("role", "secondary")
        result.setStyleSheet(f"background: {theme.colours().field}; border-radius: {theme.XS}px;")
    return result


def pixmap_of(pixels: object, side: int, ratio: float) -> QPixmap:
    """pixels: uint8 (S, S, 3), shown `side` device-independent pixels large."""
    height, width = pixels.shape[:2]  # type: ignore[attr-defined]  # a numpy array, which is not imported here
    data = pixels.tobytes()  # type: ignore[attr-defined]
    image = QImage(data, width, height, 3 * width, QImage.Format.Format_RGB888)
    large = round(side * ratio)
    scaled = image.scaled(
        large, large, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )  # a copy: the bytes may go
    found = QPixmap.fromImage(scaled if large != width else image.copy())
    found.setDevicePixelRatio(ratio)
    return found
