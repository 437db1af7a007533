"""The top row: the program's name, the menus, and what the computer is doing."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QSizePolicy, QWidget

from catdog_gui.session.hardware import HardwareState
from catdog_gui.ui import theme
from catdog_gui.ui.train_panel import short_name
from catdog_gui.ui.widgets import label, restyle

if TYPE_CHECKING:
    from catdog_gui.session.state import RunState

HEIGHT = 44
BADGE_HEIGHT = 26


class Header(QWidget):
    """render(run, hardware) shows the badge; the menus are filled by `menus.fill`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.menus = QMenuBar()
        self.menus.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        self._badge = label("", "badge", name="deviceBadge")
        self._badge.setFixedHeight(BADGE_HEIGHT)
        self._badge.setAccessibleName(self.tr("Device"))
        self._badge.setTextFormat(Qt.TextFormat.RichText)
        self._words = ""
        self._paused = False
        body = QHBoxLayout(self)
        body.setSpacing(theme.S)
        body.setContentsMargins(theme.L, 0, theme.L, 0)
        body.addWidget(label(self.tr("Cat & Dog Trainer"), "brand"))
        body.addWidget(self.menus, 1)
        body.addWidget(self._badge)

    def render_badge(self, run: "RunState | None", hardware: HardwareState) -> None:
        """run: None before there can be one."""
        name = short_name(hardware.current)
        paused = run is not None and run.is_live and run.paused
        if run is not None and run.is_live:
            used = next((d for d in hardware.devices if run.started and d.id == run.started.device), hardware.current)
            words = self.tr("Paused") if run.paused else self.tr("Training on {device}").format(device=short_name(used))
        elif hardware.testing:
            words = self.tr("{device} ready, looking for more…").format(device=name)
        else:
            words = self.tr("{device} ready").format(device=name)
        if (words, paused) != (self._words, self._paused):
            self._words, self._paused = words, paused
            restyle(self._badge, "state", "paused" if paused else "")
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_words"):
            self._draw()

    def _draw(self) -> None:
        """A full dot; an empty grey one while nothing is computed."""
        sign, colour = ("○", theme.colours().secondary) if self._paused else ("●", theme.colours().good)
        dot = f'<span style="color:{colour}">{sign}</span>'
        self._badge.setText(f"{dot}&nbsp; {escape(self._words)}")
