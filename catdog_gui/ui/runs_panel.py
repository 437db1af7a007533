"""The list of runs: open one again, rename it, find its folder, save its model."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QStackedLayout, QVBoxLayout, QWidget

from catdog_gui.engine.runs.run_list import RunSummary
from catdog_gui.ui import theme
from catdog_gui.ui.flow import FlowLayout
from catdog_gui.ui.parts import button
from catdog_gui.ui.run_list import RunDelegate, RunListModel
from catdog_gui.ui.widgets import label


class RunsPanel(QWidget):
    """Signals, each with the run's folder (Path): open_requested, go_on_requested (one that did not come to its end),
    more_requested (more epochs of one that did), folder_requested, save_model_requested, export_requested,
    delete_requested; rename_requested also has the new name.
    """

    open_requested = Signal(object)
    go_on_requested = Signal(object)
    more_requested = Signal(object)
    rename_requested = Signal(object, str)
    folder_requested = Signal(object)
    save_model_requested = Signal(object)
    export_requested = Signal(object)
    delete_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = RunListModel(self)
        self._list = _RunListView()
        self._list.setModel(self._runs)
        self._list.setItemDelegate(RunDelegate(self._runs, self._list))
        self._empty = label("", "lead", wrap=True, name="noRunsLabel")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setContentsMargins(2 * theme.XXL, 0, 2 * theme.XXL, 0)
        self._open = button(self.tr("Open"), self._ask_open, "openRunButton")
        self._further = button(self.tr("Go on"), self._ask_further, "goOnButton")
        self._export = button(self.tr("Export…"), self._ask_export, "exportModelButton")
        self._rename = self._action(self.tr("Rename"), self._edit, "renameRunAction")
        self._folder = self._action(self.tr("Show folder"), self._ask_folder, "showRunFolderAction")
        self._save = self._action(self.tr("Save model as…"), self._ask_save, "saveModelAction")
        self._delete = self._action(self.tr("Delete…"), self._ask_delete, "deleteRunAction")
        self._more = button(self.tr("More"), lambda: None, "moreAboutRunButton")
        self._more.setMenu(self._more_menu())
        self._lay_out()
        self._list.delete_pressed.connect(self._ask_delete)
        self._runs.renamed.connect(self.rename_requested)
        self._list.opened.connect(self._ask_open)
        self._list.doubleClicked.connect(self._ask_open)
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._list.selectionModel().currentChanged.connect(self._allow)
        self.tell_shown("", live=False)
        self.render(())

    def render(self, runs: Sequence[RunSummary]) -> None:  # type: ignore[override]  # QWidget.render paints; ours shows
        """Show the runs, newest first as given; the selected one stays selected, at first the newest is.

        Where the newest was selected and nobody looks, the one that comes is.
        """
        if tuple(runs) != self._runs.runs:
            chosen = self.selected()
            if chosen is not None and chosen == self._runs.runs[0] and not self.isVisible():
                chosen = runs[0] if runs else None
            self._runs.show_runs(runs)
            row = next((row for row, run in enumerate(runs) if chosen is not None and run.path == chosen.path), 0)
            self._list.setCurrentIndex(self._runs.index(row))
        self._pages.setCurrentIndex(1 if runs else 0)
        self._allow()

    def tell_shown(self, place: str, *, live: bool) -> None:
        """What to say while the list is empty. place: folder of the run on screen, "" where there is none."""
        if live:
            words = self.tr("The run that is under way is listed here once it has ended.")
        elif place:
            words = self.tr(
                "The run on screen lies in another place: {place}. Here are the runs of this program's own folder; it "
                "has none yet."
            ).format(place=place)
        else:
            words = self.tr(
                "Every training is kept here with its settings, curves and model. Press Train to make the first."
            )
        if words != self._empty.text():
            self._empty.setText(words)

    def selected(self) -> RunSummary | None:
        """The run that the actions are about."""
        row = self._list.currentIndex().row()
        return self._runs.runs[row] if 0 <= row < len(self._runs.runs) else None

    def _lay_out(self) -> None:
        actions = FlowLayout(gap=theme.S)  # two lines where the window is narrow
        for part in (self._open, self._further, self._export, self._more):
            actions.addWidget(part)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, theme.S, 0, 0)
        layout.setSpacing(theme.M)
        layout.addWidget(self._list, stretch=1)
        layout.addLayout(actions)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)

    def _allow(self) -> None:
        run = self.selected()
        for part in (self._open, self._rename, self._folder, self._more):
            part.setEnabled(run is not None)
        for part in (self._save, self._export):
            part.setEnabled(run is not None and run.has_model)
        self._further.setText(self.tr("10 more epochs") if run and run.status == "completed" else self.tr("Go on"))
        self._further.setAccessibleName(self._further.text())
        self._further.setEnabled(run is not None and run.can_go_on)
        self._delete.setEnabled(run is not None and run.status != "running")

    def _ask_open(self) -> None:
        if (run := self.selected()) is not None:
            self.open_requested.emit(run.path)

    def _ask_further(self) -> None:
        run = self.selected()
        if run is not None and run.can_go_on:
            (self.more_requested if run.status == "completed" else self.go_on_requested).emit(run.path)

    def _ask_folder(self) -> None:
        if (run := self.selected()) is not None:
            self.folder_requested.emit(run.path)

    def _ask_save(self) -> None:
        if (run := self.selected()) is not None and run.has_model:
            self.save_model_requested.emit(run.path)

    def _ask_export(self) -> None:
        if (run := self.selected()) is not None and run.has_model:
            self.export_requested.emit(run.path)

    def _ask_delete(self) -> None:
        if (run := self.selected()) is not None and run.status != "running":
            self.delete_requested.emit(run.path)

    def _edit(self) -> None:
        self._list.edit(self._list.currentIndex())

    def _show_menu(self, where: QPoint) -> None:
        if self.selected() is not None:
            self._menu().popup(self._list.viewport().mapToGlobal(where))

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for part in (self._open, self._further, self._export):
            menu.addAction(part.text(), part.click).setEnabled(part.isEnabled())
        menu.addSeparator()
        menu.addActions([self._rename, self._folder, self._save, self._delete])
        return menu

    def _more_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addActions([self._rename, self._folder, self._save])
        menu.addSeparator()
        menu.addAction(self._delete)
        return menu

    def _action(self, words: str, clicked: Callable[[], object], name: str) -> QAction:
        action = QAction(words, self)
        action.setObjectName(name)
        action.triggered.connect(lambda _checked: clicked())
        return action


class _RunListView(QListView):
    """Signals: opened: Return was pressed on a run; delete_pressed: Delete was."""

    opened = Signal()
    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("runsList")
        self.setAccessibleName(self.tr("Runs"))
        self.setUniformItemSizes(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)  # F2
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() == QAbstractItemView.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete and not editing:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)
