"""What the right column shows until `PredictPanel` takes its place, a moment after the first paint."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from catdog_gui.ui.drop_area import DropArea
from catdog_gui.ui.widgets import column, label


class RightPreview(QWidget):
    """The head of that panel, in the same places: its list of answers (60 ms) would hold the first paint up."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        body = column(self)
        body.addWidget(label(QCoreApplication.translate("PredictPanel", "Try it"), "title"))
        body.addWidget(DropArea())
        body.addStretch(1)
