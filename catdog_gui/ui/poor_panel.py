"""How the model takes poor photos: a table of its check photos turned, cropped, dark, blurred, ..."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from catdog_gui.session.results import FEW_CHECKED
from catdog_gui.session.trust import PoorRow
from catdog_gui.ui import text, theme
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.parts import link_to
from catdog_gui.ui.widgets import clear, column, focus_goes_to, label, row, show_text

translate = QCoreApplication.translate
_WIDEST = 560


class PoorPanel(QWidget):
    """Signals: asked: make the table; stop_requested: leave the rest."""

    asked = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaximumWidth(_WIDEST)
        self._intro = label(
            self.tr(
                "Its check photos turned, cropped, tiny, dark, blurred: does it stay careful, or is it surely wrong?"
            ),
            "secondary",
            wrap=True,
        )
        self._try = link_to(self.tr("Try poor photos"), self.asked.emit, "poorPhotosButton")
        self._stop = link_to(self.tr("Stop"), self.stop_requested.emit, "stopPoorPhotosButton")
        self._progress = label("", "secondary")
        self.message = MessageRow()
        self._table = QWidget()
        self._table.setObjectName("poorTable")
        self._table.setAccessibleName(self.tr("Answers to poor photos"))
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.L)
        self._grid.setVerticalSpacing(theme.XS)
        self._grid.setColumnStretch(0, 1)
        body = column(self, gap=theme.S)
        body.addWidget(label(self.tr("Poor photos"), "title"))
        body.addWidget(self._intro)
        body.addWidget(self._table)
        body.addLayout(row(self._try, self._progress, None, self._stop))
        body.addWidget(self.message)
        self.render((), running=False)

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, rows: Sequence[PoorRow], *, running: bool, done: int = 0, total: int = 0
    ) -> None:
        """Show the rows that are there, and how far it is."""
        with focus_goes_to(self._try, self._stop, leaving=(self._try, self._stop)):
            self._stop.setVisible(running)
            self._try.setVisible(not running)
        self._try.setText(self.tr("Try again") if rows else self.tr("Try poor photos"))
        self._try.setAccessibleName(self._try.text())
        words = self.tr("{done} of {total}").format(done=text.number(done), total=text.number(total)) if total else ""
        show_text(self._progress, words if running else "")
        if self._grid.property("rows") != len(rows) or not rows:
            self._grid.setProperty("rows", len(rows))
            self._fill(rows)
        self._table.setVisible(bool(rows))

    def _fill(self, rows: Sequence[PoorRow]) -> None:
        clear(self._grid)
        if not rows:
            return
        right = Qt.AlignmentFlag.AlignRight
        heads = ("", self.tr("right"), self.tr("sure"), self.tr("sure but wrong"))
        for place, head in enumerate(heads):
            self._grid.addWidget(label(head, "caption"), 0, place, right if place else Qt.AlignmentFlag.AlignLeft)
        for number, item in enumerate(rows, start=1):
            self._grid.addWidget(label(poor_words(item)), number, 0)
            for place, count in enumerate((item.right, item.sure, item.sure_wrong), start=1):
                shown = _share(count, item.photos, digits=1 if place == 3 else 0)
                self._grid.addWidget(label(shown, "strong" if place == 3 else ""), number, place, right)


def _share(count: int, photos: int, digits: int) -> str:
    """As a percentage; as counts of so few photos that it would promise too much."""
    if photos < FEW_CHECKED:
        return translate("PoorWords", "{n} of {photos}").format(n=text.number(count), photos=text.number(photos))
    return text.percent(count / photos, digits)


def poor_words(item: PoorRow) -> str:
    """What was done to the photos: "turned by 90°"."""
    template = {
        "none": translate("PoorWords", "as they are"),
        "turned": translate("PoorWords", "turned by {n}°"),
        "cropped": translate("PoorWords", "cropped to {n} %"),
        "tiny": translate("PoorWords", "tiny, {n} px"),
        "dark": translate("PoorWords", "dark, {n} % of the light"),
        "blurred": translate("PoorWords", "blurred by {n} %"),
        "noisy": translate("PoorWords", "noisy, {n} grey levels"),
        "jpeg": translate("PoorWords", "JPEG quality {n}"),
        "grey": translate("PoorWords", "without colour"),
    }.get(item.disturbance, item.disturbance)
    return template.format(n=text.number(round(item.strength)))
