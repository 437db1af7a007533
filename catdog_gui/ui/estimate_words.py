"""The words for what a run will take: beside each preset, and under them."""

from PySide6.QtCore import QCoreApplication

from catdog_gui.engine.errors import Fields
from catdog_gui.engine.estimates.estimate import Estimate
from catdog_gui.session.estimates import rounded
from catdog_gui.ui import text

translate = QCoreApplication.translate


def short_time(seconds: float) -> str:
    """ "10 s", "3 min", "2 h": as behind a preset's name."""
    count, unit = rounded(seconds)
    sources = {
        "s": translate("Estimate", "{n} s"),
        "min": translate("Estimate", "{n} min"),
        "h": translate("Estimate", "{n} h"),
    }
    return sources[unit].format(n=text.number(count))


def estimate_line(found: Estimate | None, *, measuring: bool) -> str:
    """ "About 10 s, 0.9 GB of memory"; "" where nothing is known."""
    if found is None:
        return translate("Estimate", "Seeing how fast this computer is…") if measuring else ""
    words = translate("Estimate", "About {time}, {memory} of memory.")
    if found.cached:
        words = translate("Estimate", "About {time}, {memory} of memory: these photos were read before.")
    return words.format(time=short_time(found.total_s), memory=text.gigabytes(found.peak_mb))


def memory_line(found: Estimate, free_mb: float, device_name: str, *, on_card: bool) -> str:
    """The warning of a run that does not fit."""
    fields: Fields = {"needed_gb": found.needed_mb / 1024, "free_gb": free_mb / 1024, "name": device_name}
    return text.say("memory_short_card" if on_card else "memory_short", fields)
