"""How good the run is: the verdict in words first, then the table, then the figures."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from catdog_gui.engine.events import DataWarning, Notice, RunFailed, RunResult
from catdog_gui.session.results import Results, results
from catdog_gui.session.state import RunPhase, RunState
from catdog_gui.ui import text, theme, verdict_words
from catdog_gui.ui.confusion_table import ConfusionTable
from catdog_gui.ui.message_row import MessageRow
from catdog_gui.ui.widgets import label, link, restyle, show_text

_FIGURES_PX = 290
_NARROW_PX, _WIDEST_PX = 480, 720
_LONG_FIGURE = 18  # characters, such as a card's full name
_SAID_MOST = 30  # warnings and notices; more would be a log


class ResultsPanel(QWidget):
    """Shows the end of a run: result, stop or failure; a word on when it comes before that.

    Signal photos_asked(str, str): the user wants to see the check photos of a class that got an answer; "", "": those
    that were answered wrongly.
    """

    photos_asked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: object = None
        self._told: object = None  # what the placeholder's words are about
        self._placeholder = label("", "lead", wrap=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(2 * theme.XXL, 0, 2 * theme.XXL, 0)
        self._verdict = label("", "verdict", wrap=True)
        self._verdict.setObjectName("verdictLabel")
        self._basis = label("", "secondary", wrap=True)
        self._trust = label("", "secondary", wrap=True, name="trustLabel")
        self._trust.setToolTip(verdict_words.trust_term())
        self._trust.setAccessibleDescription(verdict_words.trust_term())
        self._caution = label("", "", wrap=True)
        self._failure = MessageRow()
        self._table = ConfusionTable()
        self._table.chosen.connect(self.photos_asked)
        self._wrong = link("", "showMistakes")
        self._wrong.setAccessibleName(self.tr("Show the wrong ones"))
        self._wrong.clicked.connect(lambda: self.photos_asked.emit("", ""))
        self._hint = label(self.tr("Click a number to see its photos."), "secondary", wrap=True)
        self._block = QWidget()
        self._middle = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._block)
        self._figures = QGridLayout()
        self._said_title = label(self.tr("What happened on the way"), "title")
        self._said = label("", "secondary", wrap=True)
        self._sections = QVBoxLayout()
        self._sections.setSpacing(theme.XL)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._scrolling(self._build_page()))
        self.render(RunState())

    def render(self, state: RunState) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        """Show the state; does nothing while the end that is shown is still the same."""
        ended = state.result or state.failure
        if ended is None:
            told = (state.phase is RunPhase.IDLE, state.best)
            if self._shown is not None or told != self._told:
                self._told = told
                self._pages.setCurrentIndex(0)
                self._placeholder.setText(self._placeholder_words(state))
            self._shown = None
        elif ended is not self._shown:
            self._shown = ended
            self._pages.setCurrentIndex(1)
            if isinstance(ended, RunResult):
                self._show_result(state, ended)
            else:
                self._show_failure(ended)
            self._show_said(state)

    def add_section(self, section: QWidget) -> None:
        """Put something more about the run under its figures."""
        self._sections.addWidget(section)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # --- the parts ----------------------------------------------------------------------------------------------------

    def _build_page(self) -> QWidget:
        page = QWidget()
        page.setObjectName("scrolled")
        self._figures.setHorizontalSpacing(theme.L)
        self._figures.setVerticalSpacing(theme.M)
        self._figures.setContentsMargins(0, theme.S, 0, 0)  # level with the heads of the table
        figures = QWidget()
        figures.setLayout(self._figures)
        figures.setMaximumWidth(_FIGURES_PX)
        self._table.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        middle = self._middle
        middle.setSpacing(theme.XL)
        middle.addLayout(self._build_table(), stretch=1)
        middle.addWidget(figures, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        middle.setContentsMargins(0, 0, 0, 0)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, theme.S, theme.M, 0)
        layout.setSpacing(theme.S)
        for part in (self._verdict, self._basis, self._trust, self._caution, self._failure):
            layout.addWidget(part)
        layout.addSpacing(theme.S)
        layout.addWidget(self._block)
        layout.addSpacing(theme.S)
        layout.addLayout(self._sections)
        layout.addSpacing(theme.S)
        layout.addWidget(self._said_title)
        layout.addWidget(self._said)
        layout.addStretch()
        return page

    def _build_table(self) -> QVBoxLayout:
        """The table, and the ways to the photos behind it."""
        layout = QVBoxLayout()
        layout.setSpacing(theme.S)
        layout.addWidget(self._table, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._wrong, alignment=Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._hint)
        layout.addStretch()
        return layout

    def _scrolling(self, page: QWidget) -> QScrollArea:
        area = QScrollArea()
        area.setAccessibleName(self.tr("How good the run is"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setAutoFillBackground(False)
        area.setWidget(page)
        page.setAutoFillBackground(False)
        return area

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _placeholder_words(self, state: RunState) -> str:
        if state.phase == RunPhase.IDLE:
            return self.tr("Train a model, and this page says how good it is. Or open an old one from Runs.")
        if state.best is not None and state.best.val_accuracy is not None:
            return self.tr("The verdict comes when the run ends. Best so far: {accuracy}, epoch {epoch}.").format(
                accuracy=text.percent(state.best.val_accuracy, 1), epoch=text.number(state.best.epoch)
            )
        return self.tr("The verdict comes when the run ends.")

    def _show_result(self, state: RunState, result: RunResult) -> None:
        figures = results(result)
        self._failure.say("")
        if figures is None:
            self._say(
                self.tr("Stopped before the first check"),
                self.tr("There are no figures yet. Train again and let it reach the end of the first epoch.")
                if result.model is None
                else self.tr("A model was kept, but nothing is known about how good it is."),
            )
        else:
            self._say(
                verdict_words.verdict(figures),
                verdict_words.basis(figures),
                verdict_words.trust(figures),
                verdict_words.caution(figures),
            )
        recalls = figures.recalls if figures is not None else ()
        self._table.setVisible(bool(recalls))
        self._table.opens = result.model is not None
        if recalls:
            self._table.show_confusion(result.classes, result.confusion, recalls)
        wrong = figures.n - figures.right if figures is not None else 0
        words = self.tr("Show the one that is wrong") if wrong == 1 else self.tr("Show the {count} that are wrong")
        self._wrong.setText(words.format(count=text.number(wrong)))
        self._wrong.setAccessibleName(self._wrong.text())
        self._wrong.setVisible(self._table.opens and bool(recalls) and wrong > 0)
        self._hint.setVisible(self._table.opens and bool(recalls))
        self._show_figures(self._figure_rows(state, result, figures))

    def _arrange(self) -> None:
        """The figures beside the table where both have room, else below it; never far away from each other."""
        needed = self._table.sizeHint().width() + self._figures.sizeHint().width() + 2 * theme.XL
        beside = self._table.isHidden() or needed <= self.width()
        self._block.setMaximumWidth(max(needed, _WIDEST_PX))
        restyle(self._verdict, "role", "verdict" if self.width() >= _NARROW_PX else "heading")
        self._middle.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def _show_failure(self, failure: RunFailed) -> None:
        self._say(self.tr("The run failed"), "")
        self._failure.say_code(failure.code, failure.fields, failure.details or failure.code)
        for part in (self._table, self._wrong, self._hint):
            part.hide()
        self._show_figures([])

    def _say(self, headline: str, line: str, trust: str = "", caution: str = "") -> None:
        parts = (self._verdict, self._basis, self._trust, self._caution)
        for part, said in zip(parts, (headline, line, trust, caution), strict=True):
            show_text(part, text.unbroken(said))

    def _figure_rows(self, state: RunState, result: RunResult, figures: Results | None) -> list[tuple[str, str]]:
        rows = []
        if figures is not None and figures.log_loss is not None:
            rows.append((self.tr("Log loss"), text.decimal(figures.log_loss, 3)))
        if figures is not None and figures.uneven and figures.balanced is not None:
            rows.append((self.tr("Every class alike"), text.percent(figures.balanced, 1)))
        total = result.seconds.get("total")
        if total is not None:
            rows.append((self.tr("Time"), self._time_words(total)))
        if result.photos.get("train"):
            rows.append((self.tr("Learned from"), self.tr("{n} photos").format(n=text.number(result.photos["train"]))))
        if result.epochs and figures is not None:
            best = self.tr("{best} of {epochs}") if result.best_epoch else self.tr("none of {epochs}: the start")
            words = best.format(best=text.number(result.best_epoch), epochs=text.number(result.epochs))
            rows.append((self.tr("Best epoch"), words))
        if state.started is not None:
            rows.append((self.tr("Trained on"), state.started.device_name or state.started.device))
        return rows

    def _time_words(self, seconds: float) -> str:
        if seconds < 60:
            return self.tr("{seconds} s").format(seconds=text.decimal(seconds, 1))
        return text.clock(seconds)

    def _show_figures(self, rows: list[tuple[str, str]]) -> None:
        while (item := self._figures.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        terms = {self.tr("Best epoch"): text.best_epoch(), self.tr("Log loss"): verdict_words.log_loss_term()}
        for row, (name, figure) in enumerate(rows):
            self._figures.addWidget(label(name, "secondary"), row, 0, Qt.AlignmentFlag.AlignTop)
            value: QLabel = label(figure, "strong")
            value.setWordWrap(len(figure) > _LONG_FIGURE)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            if name in terms:
                value.setToolTip(terms[name])
                value.setAccessibleDescription(terms[name])
            self._figures.addWidget(value, row, 1)
        self._figures.setColumnStretch(1, 1)
        self._arrange()

    def _show_said(self, state: RunState) -> None:
        events: list[DataWarning | Notice] = [*state.warnings, *state.notices]
        said = [text.say(event.code, event.fields) for event in events]
        if state.result is not None and state.result.status == "stopped":
            said.insert(0, self.tr("You stopped the run. The best model so far was kept.") if state.result.model
                        else self.tr("You stopped the run before there was a model."))  # fmt: skip
        lines = list(dict.fromkeys(said))
        if len(lines) > _SAID_MOST:
            more = self.tr("… and {count} more").format(count=text.number(len(lines) - _SAID_MOST))
            lines = [*lines[:_SAID_MOST], more]
        self._said.setText("\n".join(f"•  {line}" for line in lines))
        for part in (self._said_title, self._said):
            part.setVisible(bool(lines))
