"""Which answers are shown, and in which order: filter, search and order over their positions. Neither torch nor Qt."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from catdog_gui.engine.events import Prediction, Verdict
from catdog_gui.engine.photos.names import folded
from catdog_gui.session.prediction import file_name, probability

Order = Literal["dropped", "doubt", "name"]
ORDERS: tuple[Order, ...] = ("dropped", "doubt", "name")


@dataclass(frozen=True, slots=True)
class Filter:
    """What is shown: all, one verdict, the sure answers of one class, or the wrong ones of a labelled folder."""

    verdict: Verdict | None = None
    label: str | None = None
    wrong: bool = False


def doubt(prediction: Prediction) -> float:
    """Sort key: unsure answers first, the least probable of them first; then what is none of these, from the nearest to
    the strangest; then what could not be read; then the sure ones, the least sure first. 0..7.
    """
    share = probability(prediction) or 0.0
    match prediction.verdict:
        case "not_sure":
            return share
        case "none_of_these":
            return 2.0 + (prediction.novelty or 0.0) / 2
        case "unreadable":
            return 4.0
        case "sure":
            return 6.0 + share


class AnswerTable:
    """The rows of the list of answers. Owner: the list's model; changed only by its methods.

    shown: positions in the answers, one a row. counts: how many answers there are of each (verdict, sure class).
    """

    def __init__(self) -> None:
        self._answers: Sequence[Prediction] = ()
        self._doubts: list[float] = []
        self._names: list[str] = []  # filled when somebody searches or orders by them
        self._filter = Filter()
        self._search = ""
        self._wrong: Collection[str] = frozenset()
        self.order: Order = "dropped"
        self.shown: list[int] = []
        self.counts: Counter[tuple[Verdict, str | None]] = Counter()

    @property
    def taken(self) -> int:
        """How many of the answers are known here."""
        return len(self._doubts)

    @property
    def narrowed(self) -> bool:
        """Whether a filter or a search hides answers."""
        return self._filter != Filter() or bool(self._search)

    def restart(self, answers: Sequence[Prediction]) -> None:
        """Another list of answers; filter, search and order stay."""
        self._answers = answers
        self._doubts, self._names, self.shown = [], [], []
        self.counts = Counter()
        self._wrong = frozenset()

    def take(self) -> list[int]:
        """Take in the answers that are new; returns the positions of those that are to be shown."""
        first = self.taken
        for prediction in self._answers[first:]:
            self._doubts.append(doubt(prediction))
            self.counts[(prediction.verdict, prediction.label)] += 1
        return [position for position in range(first, self.taken) if self._matches(position)]

    def place(self, position: int) -> int:
        """The row where a new answer belongs: after those that are as doubtful (or of the same name)."""
        if self.order == "dropped":
            return len(self.shown)
        key = self._key()
        return bisect_right(self.shown, key(position), key=key)

    def row_of(self, position: int) -> int:
        """The row of an answer that is shown."""
        if self.order == "dropped":
            return bisect_left(self.shown, position)
        key = self._key()
        return bisect_left(self.shown, (key(position), position), key=lambda other: (key(other), other))

    def select(self, chosen: Filter, search: str, wrong: Collection[str] = frozenset()) -> None:
        """Show other answers. search: a part of the file's name, in any case; wrong: paths, for `Filter.wrong`."""
        self._filter, self._search, self._wrong = chosen, folded(search.strip()), wrong
        self.shown = [position for position in range(self.taken) if self._matches(position)]
        self.sort()

    def set_order(self, order: Order) -> None:
        self.order = order
        self.shown.sort()
        self.sort()

    def sort(self) -> None:
        """Bring new rows at the end to their places; equal ones stay as they came."""
        if self.order != "dropped":
            self.shown.sort(key=self._key())  # quick where only the end is not in order yet

    def forget_names(self) -> None:
        """Files were moved: their names are looked up anew."""
        self._names = []

    def _key(self) -> Callable[[int], float] | Callable[[int], str]:
        return self._name if self.order == "name" else self._doubts.__getitem__

    def _matches(self, position: int) -> bool:
        wanted = self._filter
        if wanted != _ALL:
            prediction = self._answers[position]
            if wanted.verdict is not None and prediction.verdict != wanted.verdict:
                return False
            if wanted.label is not None and prediction.label != wanted.label:
                return False
            if wanted.wrong and prediction.path not in self._wrong:
                return False
        return not self._search or self._search in self._name(position)

    def _name(self, position: int) -> str:
        names = self._names
        if position >= len(names):
            names.extend(folded(file_name(item.path)) for item in self._answers[len(names) : self.taken])
        return names[position]


_ALL = Filter()
