"""Words for the screen: codes translated, numbers, shares, durations and sizes by locale."""

from PySide6.QtCore import QCoreApplication, QLocale

from catdog_gui.engine.errors import Fields
from catdog_gui.engine.messages import choose, sentence, templates


def say(code: str, fields: Fields | None = None) -> str:
    """The sentence of a code in the window's language."""
    template = templates().get(code)
    if template is None:
        return sentence(code, fields)
    source = choose(template, fields or {})
    translated = QCoreApplication.translate("messages", source)
    try:
        return translated.format(**dict(fields or {}))
    except (KeyError, IndexError, ValueError):  # a bad translation must not break the window
        return sentence(code, fields)


def number(value: int) -> str:
    """1,000 with the locale's separators."""
    return QLocale().toString(value)


def percent(share: float, digits: int = 0) -> str:
    """A share 0..1 as "98.3 %"."""
    return f"{QLocale().toString(100 * share, 'f', digits)} %"


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
