"""Above the answers: chips with counts, a field to search in names, and the order."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from catdog_gui.engine.events import Verdict
from catdog_gui.session.answer_table import ORDERS, Filter, Order
from catdog_gui.ui import text, theme
from catdog_gui.ui.flow import FlowLayout
from catdog_gui.ui.text import QT_TRANSLATE_NOOP
from catdog_gui.ui.widgets import column, row

_CLASS_CHIPS = 6  # more classes stand in a list that drops down
_SEARCH_MS = 150
_LEAST_SEARCH_PX = 64
_OTHERS: tuple[Verdict, ...] = ("not_sure", "none_of_these", "unreadable")
_ALL = Filter()
_ORDER_WORDS = {
    "dropped": QT_TRANSLATE_NOOP("AnswerFilters", "As dropped"),
    "doubt": QT_TRANSLATE_NOOP("AnswerFilters", "Unsure first"),
    "name": QT_TRANSLATE_NOOP("AnswerFilters", "By name"),
}
assert set(_ORDER_WORDS) == set(ORDERS)

Counts = Mapping[tuple[Verdict, str | None], int]


class AnswerFilters(QWidget):
    """Signals: changed: filter or search are other ones; order_chosen(Order): by the user."""

    changed = Signal()
    order_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: dict[Filter, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._chip_row = QWidget()
        self._chip_row.setObjectName("answerChips")
        self._flow = FlowLayout(self._chip_row, gap=theme.XS)
        self._classes = QComboBox()
        self._classes.setObjectName("answerClassCombo")
        self._classes.setAccessibleName(self.tr("Show one class"))
        self._classes.activated.connect(self._on_class)
        self._search = QLineEdit(placeholderText=self.tr("Search"), clearButtonEnabled=True)
        self._search.setObjectName("answerSearchEdit")
        self._search.setAccessibleName(self.tr("Search the answers by file name"))
        for inner in self._search.findChildren(QToolButton):
            inner.setAccessibleName(self.tr("Empty the search"))
        self._order = QComboBox()
        self._order.setObjectName("answerOrderCombo")
        self._order.setAccessibleName(self.tr("Order of the answers"))
        for order in ORDERS:
            self._order.addItem(QCoreApplication.translate("AnswerFilters", _ORDER_WORDS[order]), order)
        self._order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._order.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._order.activated.connect(lambda _index: self.order_chosen.emit(self._order.currentData()))
        self._typing = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._typing.timeout.connect(self.changed)
        self._search.textChanged.connect(lambda _text: self._typing.start())
        below = row(self._search, self._order)
        below.setStretch(0, 1)
        self._search.setMinimumWidth(_LEAST_SEARCH_PX)
        body = column(self)
        body.addWidget(self._chip_row)
        body.addWidget(self._classes)
        body.addLayout(below)
        self._classes.hide()
        self._add_chip(_ALL)
        self._chips[_ALL].setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    @property
    def chosen(self) -> Filter:
        label = self._classes.currentData() if self._classes.isVisibleTo(self) else None
        if label is not None:
            return Filter("sure", label)
        return next((wanted for wanted, chip in self._chips.items() if chip.isChecked()), _ALL)

    @property
    def search(self) -> str:
        return self._search.text()

    def reset(self) -> None:
        """All answers, as after `Clear`."""
        with QSignalBlocker(self._search):
            self._search.clear()
        self._chips[_ALL].setChecked(True)
        self._classes.setCurrentIndex(0)
        self.changed.emit()

    def show_order(self, order: Order) -> None:
        self._order.setCurrentIndex(self._order.findData(order))

    def render(  # type: ignore[override]  # QWidget.render paints; ours shows
        self, counts: Counts, classes: Sequence[str], wrong: int | None
    ) -> None:
        """Show the counts. classes: in the order of their chips; wrong: in a labelled folder, None: no labels."""
        of_class = {name: counts.get(("sure", name), 0) for name in dict.fromkeys([*classes, *_named(counts)])}
        many = len(of_class) > _CLASS_CHIPS
        self._show_classes(of_class if many else {})
        wanted = {_ALL: sum(counts.values())}
        if not many:
            wanted |= {Filter("sure", name): count for name, count in of_class.items()}
        else:
            wanted[Filter("sure")] = sum(of_class.values())
        wanted |= {Filter(verdict): counts.get((verdict, None), 0) for verdict in _OTHERS}
        if wrong is not None:
            wanted[Filter(wrong=True)] = wrong
        for filter_, count in wanted.items():
            self._show_chip(filter_, count)
        for filter_ in [known for known in self._chips if known not in wanted]:
            self._remove(filter_)
        order = [self._chips[filter_] for filter_ in wanted if filter_ in self._chips]
        if order != list(self._chips.values()):  # a class that comes late still stands before "Not sure"
            self._chips = {filter_: self._chips[filter_] for filter_ in wanted if filter_ in self._chips}
            self._flow.sort_by(order)

    def _show_chip(self, filter_: Filter, count: int) -> None:
        if filter_ not in self._chips:
            if not count:
                return
            self._add_chip(filter_)
        chip = self._chips[filter_]
        words = f"{_words(filter_)} {text.number(count)}"
        if chip.text() != words:
            chip.setText(words.replace("&", "&&"))
            chip.setAccessibleName(words)
        chip.setVisible(bool(count) or chip.isChecked())

    def _add_chip(self, filter_: Filter) -> None:
        chip = QPushButton(_words(filter_))
        chip.setAccessibleName(chip.text())
        chip.setCheckable(True)
        chip.setProperty("look", "chip")
        chip.clicked.connect(self._on_chip)
        self._group.addButton(chip)
        self._chips[filter_] = chip
        self._flow.addWidget(chip)

    def _remove(self, filter_: Filter) -> None:
        chip = self._chips.pop(filter_)
        was_chosen = chip.isChecked()
        self._group.removeButton(chip)
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        if was_chosen:
            self._chips[_ALL].setChecked(True)
            self.changed.emit()

    def _show_classes(self, of_class: dict[str, int]) -> None:
        self._classes.setVisible(bool(of_class))
        lines = [(self.tr("All classes"), None), *((f"{name} {text.number(n)}", name) for name, n in of_class.items())]
        if not of_class or [self._classes.itemText(number) for number in range(self._classes.count())] == [
            words for words, _name in lines
        ]:
            return
        chosen = self._classes.currentData()
        self._classes.clear()
        for words, name in lines:
            self._classes.addItem(words, name)
        self._classes.setCurrentIndex(max(0, self._classes.findData(chosen)))

    def _on_chip(self) -> None:
        self._classes.setCurrentIndex(0)
        self.changed.emit()

    def _on_class(self, index: int) -> None:
        self._chips[_ALL if index == 0 else Filter("sure")].setChecked(True)
        self.changed.emit()


def _named(counts: Counts) -> list[str]:
    """Classes that were answered, of whatever model."""
    return sorted(name for verdict, name in counts if verdict == "sure" and name is not None)


def _words(filter_: Filter) -> str:
    translate = QCoreApplication.translate
    if filter_.wrong:
        return translate("AnswerFilters", "Wrong")
    match filter_.verdict:
        case None:
            return translate("AnswerFilters", "All")
        case "sure":
            return translate("AnswerFilters", "Sure") if filter_.label is None else filter_.label
        case "not_sure":
            return translate("AnswerFilters", "Not sure")
        case "none_of_these":
            return translate("AnswerFilters", "None of these")
        case "unreadable":
            return translate("AnswerFilters", "Not readable")
