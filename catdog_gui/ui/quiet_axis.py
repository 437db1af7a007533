"""A plot's axis with few ticks and no line. Imports pyqtgraph."""

from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtCore import QRectF

from catdog_gui.ui.plot_data import nice_ticks

_LABEL_PX = 12  # that a label may stand out of its axis


class QuietAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Few ticks, no line; `words` makes the label of a value, `fixed` are ticks that are given."""

    def __init__(self, orientation: str, label: Callable[[float], str], most: int = 3) -> None:
        super().__init__(orientation)
        self._label, self._most = label, most
        self.fixed: list[tuple[float, str]] | None = None
        self.setStyle(tickLength=0, tickTextOffset=6, autoReduceTextSpace=False, autoExpandTextSpace=False)

    def boundingRect(self) -> QRectF:
        """A little more than the axis: labels that stand out of this rectangle are not drawn."""
        area: QRectF = super().boundingRect()
        return area.adjusted(-_LABEL_PX, -_LABEL_PX, _LABEL_PX, _LABEL_PX)

    def tickValues(self, low: float, high: float, _size: float) -> list[tuple[float, list[float]]]:
        if self.fixed is not None:
            return [(1.0, [value for value, _ in self.fixed if low <= value <= high])]
        ticks = nice_ticks(low, high, self._most)
        return [(ticks[1] - ticks[0] if len(ticks) > 1 else 1.0, ticks)]

    def fix(self, ticks: list[tuple[float, str]] | None) -> None:
        """Show these ticks (value, label); None: choose them."""
        if ticks != self.fixed:
            self.fixed = ticks
            self.picture = None  # or the old ticks are painted on
            self.update()

    def ticked(self, value: float) -> tuple[float, str]:
        return value, self._label(value)

    def tickStrings(self, values: Sequence[float], _scale: float, _spacing: float) -> list[str]:
        known = dict(self.fixed or ())
        return [known[value] if value in known else self._label(value) for value in values]
