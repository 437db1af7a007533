"""All spacings, colours, fonts and icons. The only reader of `resources/icons`."""

from functools import lru_cache

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from catdog_gui.engine.home import resources_dir
from catdog_gui.ui.schemes import DARK as DARK
from catdog_gui.ui.schemes import LIGHT as LIGHT
from catdog_gui.ui.schemes import Colours as Colours
from catdog_gui.ui.schemes import mix, system_accent, with_accent

# Pixels, device-independent.
XS, S, M, L, XL, XXL = 4, 8, 12, 16, 24, 32
RADIUS_CONTROL = 6
RADIUS_CARD = 10
CONTROL_HEIGHT = 32

# Pixels; the family is the platform's.
CAPTION, BODY, TITLE, FIGURE, VERDICT = 12, 13, 15, 22, 30

STYLE = "Fusion"  # the one style that takes every colour of the palette, on all three systems
STYLED = "catdogStyled"  # the application's property: it was made in that style
_CHOSEN = "catdogAppearance"  # the application's property with the user's choice
_ACCENT = "catdogAccent"  # the application's property with the system's accent, "" = none


def is_dark() -> bool:
    """Whether the user or else the system asks for a dark window."""
    app = QGuiApplication.instance()
    chosen = app.property(_CHOSEN) if app is not None else None
    if chosen in ("light", "dark"):
        return bool(chosen == "dark")
    scheme = QGuiApplication.styleHints().colorScheme()
    if scheme != Qt.ColorScheme.Unknown:
        return scheme == Qt.ColorScheme.Dark
    palette = QGuiApplication.palette()
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


def choose_scheme(app: QApplication, name: str) -> None:
    """ "light" or "dark" for this program alone, "system": as the system. Takes effect with the next `apply`."""
    app.setProperty(_CHOSEN, name)
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    # Title bars and the system's own dialogs follow; platforms without schemes of their own ignore it.
    QGuiApplication.styleHints().setColorScheme(schemes.get(name, Qt.ColorScheme.Unknown))


def colours() -> Colours:
    """The scheme that the system asks for now, with the system's accent where it has one."""
    app = QGuiApplication.instance()
    accent = app.property(_ACCENT) if app is not None else None
    return with_accent(DARK if is_dark() else LIGHT, str(accent)) if accent else (DARK if is_dark() else LIGHT)


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
    result = QIcon()
    for scale in (1, 2, 3):
        result.addPixmap(icon_pixmap(name, colour, 20, scale))
    return result


def app_icon() -> QIcon:
    """The program's own picture, for the task bar."""
    return QIcon(str(resources_dir() / "app.svg"))


def icon_pixmap(name: str, colour: str, side: int, scale: float = 1.0) -> QPixmap:
    """The icon as a square of `side` px on a screen of that scale."""
    from PySide6.QtCore import QByteArray
    from PySide6.QtSvg import QSvgRenderer

    svg = (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(svg.encode()))
    pixmap = QPixmap(QSize(side, side) * scale)
    pixmap.fill(QColor(Qt.GlobalColor.transparent))
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap


def apply(app: QApplication) -> None:
    """Dress the application in the scheme that the system asks for now; called again when that changes."""
    prepare(app)
    app.setStyleSheet(stylesheet(colours()))


def prepare(app: QApplication) -> None:
    """Style, font and palette without the style sheet: widgets put together under one are styled at every step."""
    if app.property(_ACCENT) is None:
        app.setProperty(_ACCENT, system_accent() or "")
    if not app.property(STYLED) and app.style().name() != STYLE.lower():  # asking costs 8 ms once: QStyle's enums
        app.setStyle(STYLE)
    base = QFont(app.font())
    base.setPixelSize(BODY)
    app.setFont(base)
    app.setPalette(_palette(colours()))


def _palette(c: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    colours_of = {
        role.Window: c.window,
        role.Base: c.card,
        role.AlternateBase: c.field,
        role.Button: c.field,
        role.Text: c.text,
        role.WindowText: c.text,
        role.ButtonText: c.text,
        role.ToolTipBase: c.card,
        role.ToolTipText: c.text,
        role.PlaceholderText: c.secondary,
        role.Highlight: c.accent,
        role.HighlightedText: c.accent_text,
        role.Link: c.accent,
        role.Accent: c.accent,
        role.Mid: c.border,
    }
    for which, colour in colours_of.items():
        palette.setColor(which, QColor(colour))
    for which in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(c.secondary))
    return palette


def stylesheet(c: Colours) -> str:
    """The application's style sheet. Widgets ask for a look by the properties `role`, `look` and `state`."""
    arrow = (resources_dir() / "icons" / "arrow-down.svg").as_posix()
    on_dark = QColor(c.accent_text).lightness() > 128
    white, black = resources_dir() / "icons" / "tick-white.svg", resources_dir() / "icons" / "tick-black.svg"
    tick = (white if on_dark else black).as_posix()
    return f"""
QMainWindow, QDialog {{ background: {c.window}; }}
QToolTip {{ background: {c.card}; color: {c.text}; border: 1px solid {c.border}; padding: {XS}px; }}
#header {{ background: {c.card}; border-bottom: 1px solid {c.border}; }}
QFrame[look="card"] {{ background: {c.card}; border: 1px solid {c.border}; border-radius: {RADIUS_CARD}px; }}
QFrame[look="card"][target="true"] {{ border: 2px solid {c.accent}; background: {c.accent_soft}; }}
QFrame[look="tile"] {{ background: {c.field}; border: 1px solid {c.border}; border-radius: {RADIUS_CARD}px; }}
QFrame[look="tile"]:hover, QFrame[look="tile"]:focus, QFrame[look="tile"][target="true"]
    {{ border: 1px solid {c.accent}; background: {c.accent_soft}; }}
QFrame[look="message"] {{ background: {c.field}; border: 1px solid {c.border}; border-left: 3px solid {c.limit};
    border-radius: {RADIUS_CONTROL}px; }}
QFrame[look="note"] {{ background: {c.accent_soft}; border: 0; border-radius: {RADIUS_CONTROL}px; }}
QFrame[look="line"] {{ background: {c.border}; border: 0; max-height: 1px; min-height: 1px; }}

QLabel[role="brand"] {{ font-weight: 600; }}
QLabel[role="title"] {{ font-size: {TITLE}px; font-weight: 600; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QLabel[role="heading"] {{ font-size: {FIGURE + 2}px; font-weight: 600; }}
QLabel[role="lead"] {{ font-size: {TITLE}px; color: {c.secondary}; }}
QLabel[role="figure"] {{ font-size: {FIGURE}px; font-weight: 600; }}
QLabel[role="verdict"] {{ font-size: {VERDICT}px; font-weight: 600; }}
QLabel[role="secondary"] {{ color: {c.secondary}; }}
QLabel[role="caption"] {{ font-size: {CAPTION}px; color: {c.secondary}; }}
QLabel[role="warning"] {{ color: {c.limit}; }}
QLabel[role="error"] {{ font-size: {CAPTION}px; color: {c.limit}; }}
QLabel[role="badge"] {{ background: {c.accent_soft}; color: {c.accent}; border-radius: 13px; font-weight: 600;
    padding: 0 {M}px; }}
QLabel[role="badge"][state="paused"] {{ background: {c.field}; color: {c.secondary}; }}
QLabel[role="chip"] {{ color: {c.secondary}; border-radius: 11px; padding: 3px {M}px; }}
QLabel[role="chip"][state="done"] {{ color: {c.good}; padding: 3px {XS}px; }}
QLabel[role="chip"][state="now"] {{ background: {c.accent_soft}; color: {c.accent}; font-weight: 600; }}
QLabel[role="chip"][state="paused"] {{ background: {c.field}; color: {c.secondary}; font-weight: 600; }}
QLabel[role="chip"][state="next"] {{ padding: 3px {XS}px; }}

QPushButton, QToolButton[look="button"] {{ background: {c.field}; color: {c.text}; border: 1px solid {c.border};
    border-radius: {RADIUS_CONTROL}px; min-height: {CONTROL_HEIGHT - 2}px; padding: 0 {M}px; }}
QPushButton:hover, QToolButton[look="button"]:hover {{ border-color: {c.accent}; }}
QPushButton:pressed {{ background: {c.accent_soft}; }}
QPushButton:focus, QToolButton[look="button"]:focus {{ border: 1px solid {c.accent}; }}
QPushButton:disabled {{ color: {c.secondary}; }}
QPushButton[look="primary"] {{ background: {c.accent}; color: {c.accent_text}; border: 1px solid {c.accent};
    font-size: 14px; font-weight: 600; min-height: 38px; }}
QPushButton[look="primary"]:hover {{ background: {mix(c.accent, c.text, 0.12)}; }}
QPushButton[look="primary"]:focus {{ border: 2px solid {c.text}; }}
QPushButton[look="primary"]:disabled {{ background: {c.accent_soft}; color: {c.secondary}; border-color: transparent; }}
QPushButton[look="stop"] {{ background: {c.card}; color: {c.limit}; border: 1px solid {c.limit}; font-size: 14px;
    font-weight: 600; min-height: 38px; }}
QPushButton[look="stop"]:hover {{ background: {c.field}; }}
QPushButton[look="stop"]:focus {{ border: 2px solid {c.limit}; }}
QPushButton[look="stop"]:disabled {{ color: {c.secondary}; border-color: {c.border}; }}
QPushButton[look="beside-stop"] {{ font-size: 14px; min-height: 38px; }}
QPushButton[look="link"] {{ background: transparent; border: 0; color: {c.accent}; padding: 0; min-height: 20px;
    text-align: left; }}
QPushButton[look="link"]:hover, QPushButton[look="link"]:focus {{ text-decoration: underline; border: 0; }}
QPushButton[look="link"]:disabled {{ color: {c.secondary}; }}

QPushButton[look="chip"] {{ background: {c.field}; border: 1px solid transparent; border-radius: 12px;
    color: {c.secondary}; font-size: {CAPTION}px; min-height: 22px; padding: 0 {S}px; }}
QPushButton[look="chip"]:hover, QPushButton[look="chip"]:focus {{ border-color: {c.accent}; }}
QPushButton[look="chip"]:checked {{ background: {c.accent_soft}; border-color: {c.accent}; color: {c.accent}; }}

QLineEdit, QComboBox, QPlainTextEdit {{ background: {c.field}; color: {c.text}; border: 1px solid {c.border};
    border-radius: {RADIUS_CONTROL}px; selection-background-color: {c.accent}; selection-color: {c.accent_text}; }}
QLineEdit, QComboBox {{ min-height: {CONTROL_HEIGHT - 2}px; padding: 0 {S}px; }}
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus {{ border: 1px solid {c.accent}; }}
QLineEdit[bad="true"] {{ border: 1px solid {c.limit}; }}
QLineEdit:disabled, QComboBox:disabled {{ color: {c.secondary}; }}
QComboBox::drop-down {{ border: 0; width: 24px; }}
QComboBox::down-arrow {{ image: url("{arrow}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {c.card}; border: 1px solid {c.border}; padding: {XS}px; outline: 0;
    selection-background-color: {c.accent_soft}; selection-color: {c.text}; }}
QComboBox QAbstractItemView::item {{ min-height: 28px; }}

QCheckBox::indicator {{ width: 14px; height: 14px; border: 1px solid {c.secondary}; border-radius: 3px;
    background: {c.field}; }}
QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {c.accent}; }}
QCheckBox::indicator:checked {{ image: url("{tick}"); background: {c.accent}; border-color: {c.accent}; }}
QCheckBox::indicator:checked:focus {{ border-color: {c.text}; }}
QCheckBox::indicator:disabled {{ border-color: {c.border}; }}
QCheckBox::indicator:checked:disabled {{ background: {c.secondary}; border-color: {c.secondary}; }}

QSlider:horizontal {{ min-height: 24px; }}
QSlider::groove:horizontal {{ background: {c.border}; height: 4px; border-radius: 2px; }}
QSlider::handle:horizontal {{ background: {c.accent}; width: 16px; height: 16px; margin: -6px 0; border-radius: 8px; }}
QSlider::handle:horizontal:focus {{ border: 2px solid {c.text}; width: 12px; height: 12px; }}
QSlider::handle:horizontal:disabled {{ background: {c.secondary}; }}

QProgressBar {{ background: {c.border}; border: 0; border-radius: 3px; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
QProgressBar[state="paused"]::chunk {{ background: {c.secondary}; }}

QTabWidget::pane {{ border: 0; border-top: 1px solid {c.border}; top: -1px; padding-top: {M}px; }}
QTabBar {{ background: transparent; }}
QTabBar::tab {{ background: transparent; color: {c.secondary}; padding: {S}px 0; margin-right: {XL}px;
    border: 0; border-bottom: 2px solid transparent; }}
QTabBar::tab:hover {{ color: {c.text}; }}
QTabBar::tab:selected {{ color: {c.text}; font-weight: 600; border-bottom: 2px solid {c.accent}; }}
QTabBar::tab:focus {{ color: {c.accent}; background: {c.accent_soft}; }}

QMenuBar {{ background: transparent; color: {c.secondary}; spacing: 0; }}
QMenuBar::item {{ background: transparent; padding: {XS}px {S}px; border-radius: {RADIUS_CONTROL}px; }}
QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {c.field}; color: {c.text}; }}
QMenu {{ background: {c.card}; color: {c.text}; border: 1px solid {c.border}; padding: {XS}px; }}
QMenu::item {{ padding: 6px {XL}px 6px {M}px; border-radius: {XS}px; }}
QMenu::item:selected {{ background: {c.accent_soft}; }}
QMenu::item:disabled {{ color: {c.secondary}; }}
QMenu::separator {{ height: 1px; background: {c.border}; margin: {XS}px {S}px; }}

QScrollArea, QScrollArea > QWidget > QWidget#scrolled {{ background: transparent; border: 0; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {mix(c.border, c.secondary, 0.35)}; border-radius: 4px; margin: 1px;
    min-height: 32px; min-width: 32px; }}
QScrollBar::handle:hover {{ background: {c.secondary}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
QAbstractItemView {{ outline: 0; }}
QTableView, QListView, QTreeView {{ background: {c.card}; color: {c.text}; border: 1px solid transparent;
    border-radius: {RADIUS_CONTROL}px; }}
QTableView:focus, QListView:focus, QTreeView:focus, QScrollArea:focus {{ border: 1px solid {c.accent}; }}
QHeaderView::section {{ background: {c.card}; color: {c.secondary}; border: 0; padding: {XS}px {S}px; }}
"""
