"""All spacings, colours, fonts and icons. The only reader of `resources/icons`."""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap

from catdog_gui.engine.home import resources_dir

# Pixels, device-independent.
XS, S, M, L, XL, XXL = 4, 8, 12, 16, 24, 32
RADIUS_CONTROL = 6
RADIUS_CARD = 10
CONTROL_HEIGHT = 32

# Pixels; the family is the platform's.
CAPTION, BODY, TITLE, FIGURE, VERDICT = 12, 13, 15, 22, 30


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


def is_dark() -> bool:
    """Whether the system asks for a dark window."""
    scheme = QGuiApplication.styleHints().colorScheme()
    if scheme != Qt.ColorScheme.Unknown:
        return scheme == Qt.ColorScheme.Dark
    palette = QGuiApplication.palette()
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


def colours() -> Colours:
    """The scheme that the system asks for now."""
    return DARK if is_dark() else LIGHT


def font(size_px: int, *, bold: bool = False, tabular: bool = False) -> QFont:
    """The platform's font at a size of the scale. tabular: digits of equal width, for figures that change."""
    result = QFont(QGuiApplication.font())
    result.setPixelSize(size_px)
    if bold:
        result.setWeight(QFont.Weight.DemiBold)
    if tabular and hasattr(QFont, "Tag"):
        result.setFeature(QFont.Tag("tnum"), 1)
    return result


@lru_cache(maxsize=128)
def icon(name: str, colour: str) -> QIcon:
    """The outline icon `resources/icons/NAME.svg` (drawn for 20 px, strokes in currentColor) in a colour."""
    from PySide6.QtCore import QByteArray
    from PySide6.QtSvg import QSvgRenderer

    svg = (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    result = QIcon()
    for scale in (1, 2, 3):
        pixmap = QPixmap(QSize(20, 20) * scale)
        pixmap.fill(QColor(Qt.GlobalColor.transparent))
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        pixmap.setDevicePixelRatio(scale)
        result.addPixmap(pixmap)
    return result
