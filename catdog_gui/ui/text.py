"""Words for the screen: codes translated, numbers, shares, durations and sizes by locale."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from catdog_gui.engine.errors import Fields
from catdog_gui.engine.messages import choose, sentence, spelt, templates

if TYPE_CHECKING:
    from datetime import datetime


def QT_TRANSLATE_NOOP(context: str, source: str) -> str:  # noqa: ARG001 -- lupdate looks for this name
    """Mark a text of a table for translation; returns it unchanged."""
    return source


def say(code: str, fields: Fields | None = None) -> str:
    """The sentence of a code in the window's language."""
    template = templates().get(code)
    if template is None:
        return sentence(code, fields)
    source = choose(template, fields or {})
    translated = QCoreApplication.translate("messages", source)
    try:
        return translated.format(**spelt(fields, say))
    except (KeyError, IndexError, ValueError):  # a bad translation must not break the window
        return sentence(code, fields)


def best_epoch() -> str:
    """By what the best epoch is chosen."""
    return QCoreApplication.translate(
        "text",
        "The best epoch is the one with the smallest log loss on the check photos, once calibrated: it counts how sure"
        " each answer is, not only whether it is right.",
    )


def number(value: int) -> str:
    """1,000 with the locale's separators."""
    return QLocale().toString(value)


def percent(share: float, digits: int = 0) -> str:
    """A share 0..1 as "98.3 %"."""
    return f"{QLocale().toString(100 * share, 'f', digits)} %"


def unbroken(words: str) -> str:
    """The sentence with its figures whole where it is wrapped: "98.3 %" never stands on two lines."""
    return words.replace(" %", "\u00a0%")


def decimal(value: float, digits: int) -> str:
    return QLocale().toString(value, "f", digits)


def gigabytes(mb: float, digits: int = 1) -> str:
    """MiB as "12.0 GB"."""
    return f"{QLocale().toString(mb / 1024, 'f', digits)} GB"


def clock(seconds: float) -> str:
    """A duration as 0:48 or 1:02:03."""
    whole = max(0, round(seconds))
    hours, minutes, rest = whole // 3600, whole % 3600 // 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def moment(seconds: float, now: "datetime | None" = None) -> str:
    """A time (seconds since 1970) as "today 10:12", "yesterday 18:40" or a short date with the time."""
    from datetime import UTC, datetime

    then, today = datetime.fromtimestamp(seconds, UTC).astimezone(), (now or datetime.now(UTC)).astimezone()
    time = QLocale().toString(QTime(then.hour, then.minute), QLocale.FormatType.ShortFormat)
    days = (today.date() - then.date()).days
    if days == 0:
        return QCoreApplication.translate("text", "today {time}").format(time=time)
    if days == 1:
        return QCoreApplication.translate("text", "yesterday {time}").format(time=time)
    date = QLocale().toString(QDate(then.year, then.month, then.day), QLocale.FormatType.ShortFormat)
    return f"{date} {time}"


def duration(seconds: float) -> str:
    """How long something took: "6.4 s", "2:05 min", "1:02:03 h"."""
    if seconds < 60:
        return QCoreApplication.translate("text", "{n} s").format(n=decimal(seconds, 1))
    if seconds < 3600:
        return QCoreApplication.translate("text", "{n} min").format(n=clock(seconds))
    return QCoreApplication.translate("text", "{n} h").format(n=clock(seconds))


def listed(names: Sequence[str], most: int) -> str:
    """ "cats and dogs", "a, b, c and 7 others" by the locale's habit. most: names that are spelt out."""
    if len(names) <= most:
        return QLocale().createSeparatedList(list(names))
    others = QCoreApplication.translate("text", "{count} others").format(count=number(len(names) - most + 1))
    return QLocale().createSeparatedList([*names[: most - 1], others])
