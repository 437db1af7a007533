"""What the screens show of a comparison of devices: a reducer over its events, and its text. Neither torch nor Qt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from catdog_gui.engine import events
from catdog_gui.engine.errors import Fields
from catdog_gui.engine.messages import sentence

BAR = 24  # characters of the longest bar
COLUMNS = ("device", "photos_per_s", "speedup", "epoch", "article", "memory", "spread")


@dataclass(slots=True)
class ComparisonState:
    """Owner: the window's model of the comparison (or the command line); changed only by its methods."""

    running: bool = False
    stopping: bool = False
    ended: bool = False
    now: events.BenchProgress | None = None
    rows: list[events.BenchRow] = field(default_factory=list)
    failure: events.RunFailed | None = None
    waits: events.Notice | None = None  # for a photo that does not come, as long as nothing else does

    def begin(self) -> None:
        self.running, self.stopping, self.ended = True, False, False
        self.now, self.rows, self.failure, self.waits = None, [], None, None

    def ask_stop(self) -> None:
        """The user pressed Stop; shown at once, before the job has seen it."""
        self.stopping = self.running

    def apply(self, event: events.Event) -> None:
        match event:
            case events.BenchProgress():
                self.now, self.waits = event, None
            case events.Notice():
                self.waits = event
            case events.BenchRow():
                self.rows.append(event)
            case events.RunFailed():
                self.failure = event
                self.end()

    def end(self) -> None:
        self.running = self.stopping = False
        self.ended, self.now, self.waits = True, None, None

    @property
    def measured(self) -> list[events.BenchRow]:
        return [row for row in self.rows if row.photos_per_s]

    @property
    def missing(self) -> list[events.BenchRow]:
        """Rows without figures, each with its reason."""
        return [row for row in self.rows if not row.photos_per_s]

    @property
    def fraction_done(self) -> float | None:
        """0..1, None before anything is known. Rows count alike, and a row grows with its pieces."""
        if self.now is None or not self.now.total:
            return None
        return min(1.0, (self.now.done + self.now.pieces / (self.now.pieces + 2)) / self.now.total)


def row_name(row: events.BenchRow | events.BenchProgress) -> str:
    """ "Intel Xeon, fp32": the device as its maker calls it, and the number format."""
    return f"{row.name}, {row.precision}"


def seconds_text(seconds: float) -> str:
    """ "83 s", "17 min", "2.9 h"."""
    if seconds < 100:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def plain_cells(row: events.BenchRow) -> dict[str, str]:
    """The row's figures in English."""
    rate = row.photos_per_s or 0.0
    return {
        "device": row_name(row),
        "photos_per_s": f"{rate:,.1f}" if rate < 100 else f"{rate:,.0f}",
        "speedup": "–" if row.speedup is None else f"{row.speedup:.1f} x",
        "epoch": seconds_text(row.epoch_s or 0),
        "article": seconds_text(row.article_s or 0),
        "memory": "–" if row.peak_mb is None else f"{row.peak_mb / 1024:.1f} GB",
        "spread": "–" if row.spread is None else f"{100 * row.spread:.0f} %",
    }


HEADS: Mapping[str, str] = {
    "device": "Device",
    "photos_per_s": "photos/s",
    "speedup": "speed-up",
    "epoch": "this folder once",
    "article": "25,000 photos x 10",
    "memory": "peak memory",
    "spread": "spread",
}
assert set(HEADS) == set(COLUMNS)


def to_text(
    rows: Sequence[events.BenchRow],
    *,
    heads: Mapping[str, str] = HEADS,
    cells: Callable[[events.BenchRow], Mapping[str, str]] = plain_cells,
    say: Callable[[str, Fields], str] = sentence,
) -> str:
    """The comparison as aligned lines with bars, then why rows are missing. heads, cells, say: the words."""
    measured = [row for row in rows if row.photos_per_s]
    table = [dict(heads), *(dict(cells(row)) for row in measured)]
    widths = {name: max(len(line[name]) for line in table) for name in COLUMNS}
    fastest = max((row.photos_per_s or 0.0 for row in measured), default=1.0)
    lines = []
    for line, row in zip(table, (None, *measured), strict=True):
        words = [line["device"].ljust(widths["device"]), *(line[name].rjust(widths[name]) for name in COLUMNS[1:])]
        bar = "" if row is None else "█" * max(1, round(BAR * (row.photos_per_s or 0.0) / fastest))
        lines.append("  ".join([*words, bar]).rstrip())
    missing = [f"{row_name(row)}: {say(row.code or '', row.fields)}" for row in rows if not row.photos_per_s]
    return "\n".join([*(lines if measured else []), *missing])
