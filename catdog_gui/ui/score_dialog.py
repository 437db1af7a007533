"""How the answers for a folder stand beside the names of its sub-folders: the table, and the figures in words."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from catdog_gui.session.prediction import Score
from catdog_gui.session.results import Recall
from catdog_gui.ui import text, theme
from catdog_gui.ui.confusion_table import ConfusionTable
from catdog_gui.ui.widgets import column, label


class ScoreDialog(QDialog):
    """Closes with Escape or its button."""

    def __init__(self, score: Score, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Answers beside the names of the sub-folders"))
        body = column(self, gap=theme.M, margins=(theme.XL, theme.XL))
        accuracy = self.tr("{accuracy} of {photos} photos right").format(
            accuracy=text.percent(score.accuracy, 1), photos=text.number(score.photos)
        )
        body.addWidget(label(accuracy, "heading"))
        sure = self.tr("{count} of them were sure answers, and {right} of those are right.").format(
            count=text.number(score.sure), right=text.number(score.sure_right)
        )
        body.addWidget(label(sure, "lead"))
        table = ConfusionTable()
        table.setObjectName("scoreTable")
        recalls = [
            Recall(name, row[number], sum(row))
            for number, (name, row) in enumerate(zip(score.classes, score.confusion, strict=True))
        ]
        table.show_confusion(score.classes, score.confusion, recalls)
        table.setMinimumSize(table.sizeHint().boundedTo(self.maximumSize()))
        body.addWidget(table, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        body.addWidget(buttons)
