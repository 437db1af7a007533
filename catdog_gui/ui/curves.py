"""Accuracy, loss and memory while a run goes on, and of old runs. pyqtgraph comes in with `build_plots`."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from catdog_gui.session.state import RunPhase, RunState
from catdog_gui.ui import theme
from catdog_gui.ui.widgets import label

if TYPE_CHECKING:
    from catdog_gui.ui.memory_plot import MemoryPlot
    from catdog_gui.ui.run_plots import StepPlot


class CurvesView(QWidget):
    """Three plots, or a word on when they come."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placeholder = label("", "lead", wrap=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(2 * theme.XXL, 0, 2 * theme.XXL, 0)
        self._plots: tuple[StepPlot, StepPlot, MemoryPlot] | None = None
        self._page = QWidget()
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._page)
        self._state = RunState()
        self._told: RunPhase | None = None
        self.render(self._state)

    def build_plots(self) -> None:
        """Make the plots (imports pyqtgraph and NumPy, about 0.3 s): called once, after the first paint."""
        if self._plots is not None:
            return
        from catdog_gui.ui.memory_plot import MemoryPlot
        from catdog_gui.ui.run_plots import accuracy_plot, loss_plot

        accuracy, loss, memory = accuracy_plot(), loss_plot(), MemoryPlot()
        self._plots = (accuracy, loss, memory)
        accuracy.hovered_x.connect(loss.show_at)
        loss.hovered_x.connect(accuracy.show_at)
        layout = QVBoxLayout(self._page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.S)
        for plot, share in zip(self._plots, (5, 5, 4), strict=True):
            layout.addWidget(plot, stretch=share)
        self.render(self._state)

    def render(self, state: RunState) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        """Show the state. Draws only what has new points."""
        self._state = state
        has_points = any(map(len, (state.train_loss, state.val_loss, state.val_accuracy)))
        if not has_points:
            self._show_placeholder(state.phase)
            return
        self._pages.setCurrentIndex(1 if self._plots else 0)
        if self._plots is not None:
            for plot in self._plots:
                plot.render_run(state)

    def _show_placeholder(self, phase: RunPhase) -> None:
        self._pages.setCurrentIndex(0)
        if phase is not self._told:
            self._told = phase
            self._placeholder.setText(self._placeholder_words(phase))

    def _placeholder_words(self, phase: RunPhase) -> str:
        match phase:
            case RunPhase.IDLE:
                return self.tr("The curves of a run are drawn here.")
            case RunPhase.FAILED:
                return self.tr("The run ended before it learned anything. Results says why.")
            case RunPhase.STOPPED | RunPhase.COMPLETED:
                return self.tr("This run was stopped before its first step: there are no curves.")
            case RunPhase.STOPPING:
                return self.tr("Stopping…")
        return self.tr("The curves begin with the first step, once all photos are prepared.")
