"""Memory over the samples of a run. Imports pyqtgraph."""

import numpy as np
from PySide6.QtCore import QCoreApplication

from catdog_gui.engine.events import MemorySample
from catdog_gui.session.state import RunState
from catdog_gui.ui import text, theme
from catdog_gui.ui.legend import Entry
from catdog_gui.ui.plot_data import Columns, nice_top
from catdog_gui.ui.plots import LivePlot, set_line, set_lonely

translate = QCoreApplication.translate
_THICK_PX = 4  # pixels a group of points gets: thick lines are slow to paint
_NEAR_LIMIT = 0.6  # of the memory: from here on its end is worth seeing
MiB_IN_GB = 1024.0


class MemoryPlot(LivePlot):
    """Memory in GB over its samples, as long as the run."""

    def __init__(self) -> None:
        self._digits = 1  # of all figures beside the axis
        super().__init__(
            translate("MemoryPlot", "Memory"),
            "memoryPlot",
            lambda value: text.decimal(value, self._digits),
            big=False,
        )
        self.bottom.fix([])
        self.bottom.setHeight(theme.S)  # no labels: a sample number says nothing
        self._used, self._reserved = Columns(), Columns()
        self._used_line = self.add_line("memory", 1.5, z=2)
        self._reserved_line = self.add_line("memory", 1, dashed=True, z=1)
        self._limit_line = self.add_line("limit", 1.5, dashed=True, z=1)
        self._lonely = self.add_dots("memory", 5, filled=True)
        self._limit_words = self.add_words("limit")
        self.view.sigXRangeChanged.connect(lambda *_: self._draw())

    def render_run(self, state: RunState) -> None:
        """Draw what is new."""
        new = self._used.follow(state.memory)
        new = self._reserved.follow(state.reserved) or new
        sample = state.last_memory
        if not new or sample is None:
            return
        limits = self._used.limits(), self._reserved.limits()
        most = max((high for _, high in filter(None, limits)), default=0.0)
        total = sample.total_mb if sample.total_mb and most >= _NEAR_LIMIT * sample.total_mb else None
        top = nice_top(max(1.1 * most, total or 0.0) / MiB_IN_GB)
        self._digits = max(_digits(top), _digits(top / 2))
        if not self.set_range(_right_end(len(self._used)), 0.0, top):  # a new range has drawn it already
            self._draw()
        self._show_limit(total)
        self._say(sample)

    def _draw(self) -> None:
        first, last, width = self.span()
        x, y = self._used.thinned(first, last, width // _THICK_PX)
        set_line(self._used_line, x, y / MiB_IN_GB)
        set_lonely(self._lonely, x, y / MiB_IN_GB)
        x, y = self._reserved.thinned(first, last, width // _THICK_PX)
        set_line(self._reserved_line, x, y / MiB_IN_GB)

    def _show_limit(self, total: float | None) -> None:
        self._limit_words.setVisible(total is not None)
        if total is None:
            set_line(self._limit_line, np.empty(0), np.empty(0))
            return
        gb = total / MiB_IN_GB
        set_line(self._limit_line, np.array([0.0, self._range.right()]), np.array([gb, gb]))
        self._limit_words.setText(translate("MemoryPlot", "limit"))
        self._limit_words.setAnchor((0.0, 1.0))
        self._limit_words.setPos(0.0, gb)

    def _say(self, sample: MemorySample) -> None:
        self.set_title(
            translate("MemoryPlot", "Memory of this program")
            if sample.kind == "ram"
            else translate("MemoryPlot", "Memory on the card")
        )
        self.set_figure(memory_words(sample))
        entries = [Entry(translate("MemoryPlot", "used"), "memory", "bold")]
        if self._reserved.limits() is not None:
            entries.append(Entry(translate("MemoryPlot", "reserved"), "memory", "dashed"))
        self.legend.show_entries(*(entries if len(entries) > 1 else ()))


def memory_words(sample: MemorySample) -> str:
    """ "used 1.84 · reserved 2.00 of 12.0 GB" or "1.2 of 24.0 GB RAM"."""
    used, total = sample.allocated_mb, sample.total_mb
    if used is None:
        return ""
    if sample.kind == "ram":
        said = translate("MemoryPlot", "{used} of {total} RAM") if total else translate("MemoryPlot", "{used} GB RAM")
        return said.format(used=_gb(used, 1), total=text.gigabytes(total or 0.0))
    parts = [translate("MemoryPlot", "used {used}").format(used=_gb(used, 2))]
    if sample.reserved_mb is not None:
        parts.append(translate("MemoryPlot", "reserved {reserved}").format(reserved=_gb(sample.reserved_mb, 2)))
    joined = " · ".join(parts)
    if not total:
        return translate("MemoryPlot", "{figures} GB").format(figures=joined)
    return translate("MemoryPlot", "{figures} of {total}").format(
        figures=joined, total=text.gigabytes(total, 0 if total >= 8192 else 1)
    )


def _right_end(samples: int) -> float:
    """Grows in steps of about 3 %: a new range at each sample would redraw the axes too."""
    step = 1 << max(0, samples.bit_length() - 6)
    return float(max(1, -(-samples // step) * step - 1))


def _digits(value: float) -> int:
    """One decimal where that is exact, else two: 1.5, 0.75."""
    return 1 if abs(10 * value - round(10 * value)) < 1e-6 else 2


def _gb(mb: float, digits: int) -> str:
    return text.decimal(mb / MiB_IN_GB, digits)
