"""The words and figures of a comparison of devices, in the window's language."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from catdog_gui.engine.events import BenchProgress, BenchRow
from catdog_gui.session.comparison import COLUMNS, ComparisonState, to_text
from catdog_gui.ui import text
from catdog_gui.ui.text import QT_TRANSLATE_NOOP

_HEADS: dict[str, tuple[str, str]] = {  # column -> head, and what it means
    "device": (QT_TRANSLATE_NOOP("Compare", "Device"), ""),
    "photos_per_s": (
        QT_TRANSLATE_NOOP("Compare", "Photos/s"),
        QT_TRANSLATE_NOOP("Compare", "Photos learned from in a second; the middle of the repeats"),
    ),
    "speedup": (
        QT_TRANSLATE_NOOP("Compare", "Speed-up"),
        QT_TRANSLATE_NOOP("Compare", "Times as fast as the processor in full precision (fp32)"),
    ),
    "epoch": (
        QT_TRANSLATE_NOOP("Compare", "Your photos once"),
        QT_TRANSLATE_NOOP("Compare", "Learning once from every photo of the chosen folder"),
    ),
    "article": (
        QT_TRANSLATE_NOOP("Compare", "25,000 ten times"),
        QT_TRANSLATE_NOOP("Compare", "The article's training: 25,000 photos, ten times"),
    ),
    "memory": (
        QT_TRANSLATE_NOOP("Compare", "Memory"),
        QT_TRANSLATE_NOOP("Compare", "The most that was taken: by this program, or on the card"),
    ),
    "spread": (
        QT_TRANSLATE_NOOP("Compare", "Spread"),
        QT_TRANSLATE_NOOP("Compare", "How far the middle half of the repeats lies apart; large: the computer is busy"),
    ),
}
assert set(_HEADS) == set(COLUMNS)


def heads() -> dict[str, str]:
    """Column -> its head."""
    return {name: QCoreApplication.translate("Compare", _HEADS[name][0]) for name in COLUMNS}


def explanation(column: str) -> str:
    """What a column means, in one sentence; "" where its head says it."""
    words = _HEADS[column][1]
    return QCoreApplication.translate("Compare", words) if words else ""


def row_title(row: BenchRow | BenchProgress) -> str:
    """ "CPU Intel Xeon · bf16": short enough for a bar."""
    name = row.name
    for sign in ("(R)", "(TM)", "(r)", "(tm)", "®", "™", "Processor", "CPU", "NVIDIA ", "GeForce "):
        name = name.replace(sign, " ")
    name = " ".join(name.partition(" @")[0].split())
    name = f"CPU {name}" if row.device == "cpu" else name or row.name
    return f"{name.strip()} · {row.precision}"


def cells(row: BenchRow) -> dict[str, str]:
    """Column -> the row's figure by the locale."""
    rate = row.photos_per_s or 0.0
    return {
        "device": row_title(row),
        "photos_per_s": text.decimal(rate, 1 if rate < 100 else 0),
        "speedup": "–" if row.speedup is None else f"{text.decimal(row.speedup, 1)} ×",
        "epoch": _time(row.epoch_s),
        "article": _time(row.article_s),
        "memory": "–" if row.peak_mb is None else text.gigabytes(row.peak_mb),
        "spread": "–" if row.spread is None else text.percent(row.spread),
    }


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 100:
        return QCoreApplication.translate("Compare", "{n} s").format(n=text.decimal(seconds, 1 if seconds < 10 else 0))
    if seconds < 6000:
        return QCoreApplication.translate("Compare", "{n} min").format(n=text.decimal(seconds / 60, 0))
    return QCoreApplication.translate("Compare", "{n} h").format(n=text.decimal(seconds / 3600, 1))


def bar_words(row: BenchRow) -> str:
    """What stands behind a row's bar."""
    words = cells(row)
    rate = QCoreApplication.translate("Compare", "{n} photos/s").format(n=words["photos_per_s"])
    return rate if row.speedup in (None, 1.0) else f"{rate}   {words['speedup']}"


def missing_words(state: ComparisonState) -> str:
    """One line a row that was not measured: which, and why."""
    return "\n".join(f"{row_title(row)}: {text.say(row.code or '', row.fields)}" for row in state.missing)


def as_text(state: ComparisonState) -> str:
    """The whole comparison for the clipboard."""
    columns: Mapping[str, str] = heads()
    return to_text(state.rows, heads=columns, cells=cells, say=text.say)
