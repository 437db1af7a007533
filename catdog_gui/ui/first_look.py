"""What is seen when the window opens: all that is made and imported before its first paint.

Every module imported here costs each start its time; `python -X importtime` tells how much.
"""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from catdog_gui.session.data import DataState
from catdog_gui.session.hardware import HardwareState
from catdog_gui.session.settings import Settings
from catdog_gui.ui.columns import LeftColumn, card_of, scrolling, side_by_side
from catdog_gui.ui.data_panel import DataPanel
from catdog_gui.ui.header import Header
from catdog_gui.ui.menus import Menus
from catdog_gui.ui.preferences import Preferences
from catdog_gui.ui.right_preview import RightPreview
from catdog_gui.ui.train_bar import TrainBar
from catdog_gui.ui.train_panel import TrainPanel
from catdog_gui.ui.welcome import Welcome

DEFAULT_SIZE = (1280, 800)
LEAST_SIZE = (960, 600)


class FirstLook(QMainWindow):
    """Header, left column, welcome and the head of the right column, as the models will have them in a moment.

    Signal painted: the first paint is over.
    """

    painted = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Cat & Dog Trainer"))
        self.setMinimumSize(*LEAST_SIZE)
        self.resize(*DEFAULT_SIZE)
        self.preferences = Preferences(settings, self)
        self._is_painted = False
        self._build_first_panels()
        self._lay_out_first()
        self.preferences.restore_geometry(self)
        self._show_first(settings)

    def nothing_chosen(self) -> tuple[str, list[str]]:
        return self.tr("<a>Choose photos</a> to begin"), ["photos"]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_painted:
            self._is_painted = True
            QTimer.singleShot(0, self.painted.emit)  # its children are painted after it

    def _build_first_panels(self) -> None:
        self.header = Header()
        self.menus = Menus(self.header.menus)
        self.data_panel = DataPanel()
        self.train_panel = TrainPanel()
        self.train_bar = TrainBar()
        self.welcome = Welcome()

    def _lay_out_first(self) -> None:
        self._middle = QStackedWidget()
        self._middle.addWidget(scrolling(self.welcome))
        self.left = LeftColumn([self.data_panel, self.train_panel], self.train_bar)
        self.middle_card = card_of(self._middle)
        self._preview = RightPreview()
        self.right_card = card_of(self._preview)
        self.setMenuWidget(self.header)
        self.setCentralWidget(side_by_side(self.left, self.middle_card, self.right_card))
        self.setAcceptDrops(True)

    def _show_first(self, settings: Settings) -> None:
        hardware = HardwareState(chosen=settings.device)
        self.train_panel.show_settings(settings.preset, settings.overrides.get(settings.preset, {}))
        if settings.advanced_open:
            self.train_panel.open_advanced(True)
        self.train_panel.render(hardware, enabled=True)
        self.header.render_badge(None, hardware)
        self.data_panel.render(DataState(), enabled=True, val_fraction=None)
        self.data_panel.set_recent(settings.recent)
        self.train_bar.show_note(*self.nothing_chosen())
        self.welcome.render_recent(settings.recent)
