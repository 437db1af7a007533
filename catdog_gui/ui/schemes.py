"""The two colour schemes, and the system's accent made readable in them."""

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtGui import QColor, QGuiApplication, QPalette

READABLE = 4.5  # contrast of text, WCAG AA
QT_DEFAULT = "#308cc6"  # what Qt answers where the system names none
NATIVE = ("windows", "cocoa")


@dataclass(frozen=True, slots=True)
class Colours:
    """One scheme, as #RRGGBB. Curve colours keep 4.5 : 1 on `card` and stay apart for colour-blind eyes."""

    window: str
    card: str
    field: str
    border: str
    text: str
    secondary: str
    accent: str
    accent_text: str
    accent_soft: str
    train: str
    validation: str
    memory: str
    limit: str
    good: str


LIGHT = Colours(
    window="#F3F4F6",
    card="#FFFFFF",
    field="#F3F4F6",
    border="#DFE3E8",
    text="#1B1E23",
    secondary="#5B6470",
    accent="#0B62B1",
    accent_text="#FFFFFF",
    accent_soft="#E3EEFA",
    train="#0072B2",
    validation="#A65E00",
    memory="#007A59",
    limit="#C24E00",
    good="#007A59",
)
DARK = Colours(
    window="#14171B",
    card="#1B1E23",
    field="#22262C",
    border="#30353D",
    text="#F1F3F5",
    secondary="#A7B0BC",
    accent="#58A6F0",
    accent_text="#0F1216",
    accent_soft="#1D2F42",
    train="#56B4E9",
    validation="#F0B429",
    memory="#2FC79A",
    limit="#FF8A4C",
    good="#2FC79A",
)


@lru_cache(maxsize=8)
def with_accent(scheme: Colours, accent: str) -> Colours:
    """The scheme in another accent: as given where it can be read, else lighter or darker."""
    dark = scheme is DARK
    colour = QColor(accent)
    for _ in range(3):  # its soft ground depends on it, and it has to be read on that
        soft = mix(scheme.card, colour.name(), 0.18 if dark else 0.1)
        grounds = (scheme.card, scheme.field, scheme.window, soft)
        colour = QColor(readable(colour.name(), grounds, lighter=dark))
    on_accent = max(("#FFFFFF", "#0F1216"), key=lambda text: contrast(QColor(text), colour))
    return replace(scheme, accent=colour.name(), accent_text=on_accent, accent_soft=soft)


def mix(one: str, other: str, share: float) -> str:
    """The colour `share` of the way from one to the other."""
    a, b = QColor(one), QColor(other)
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    red, green, blue = (round(x + (y - x) * share) for x, y in pairs)
    return QColor(red, green, blue).name()


def contrast(one: QColor, other: QColor) -> float:
    """WCAG contrast of two colours, 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def system_accent() -> str | None:
    """The accent that the system's palette names, #rrggbb; None where it names none. Before the palette is replaced."""
    colour = QGuiApplication.palette().color(QPalette.ColorRole.Accent)
    if not colour.isValid() or (colour.name() == QT_DEFAULT and QGuiApplication.platformName() not in NATIVE):
        return None
    return colour.name()


def readable(accent: str, grounds: tuple[str, ...], *, lighter: bool) -> str:
    """The accent, made lighter or darker until text in it can be read on all grounds."""
    colour = QColor(accent)
    for _ in range(40):
        if all(contrast(colour, QColor(ground)) >= READABLE for ground in grounds):
            break
        colour = _towards(colour, lighter=lighter)
    return colour.name()


def _towards(colour: QColor, *, lighter: bool) -> QColor:
    """One step towards white or black."""
    end = 255 if lighter else 0
    red, green, blue = (round(part + (end - part) * 0.06) for part in (colour.red(), colour.green(), colour.blue()))
    return QColor(red, green, blue)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())
