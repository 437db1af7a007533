"""What each preset will take here: owns the EstimateState, and the jobs that read what is known and measure."""

from PySide6.QtCore import QObject, QTimer, Signal

from catdog_gui.engine.events import RunFailed
from catdog_gui.session.estimates import EstimateState, Here
from catdog_gui.ui.bridge import Background, Task
from catdog_gui.ui.job_values import Known
from catdog_gui.ui.jobs import Jobs

PAUSE_MS = 1500  # after a folder was chosen: whoever presses Train at once is not held up


class EstimateModel(QObject):
    """Signal changed: the state is newer."""

    changed = Signal()

    def __init__(self, background: Background, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = EstimateState()
        self._background = background
        self._jobs = jobs
        self._here: Here | None = None  # what is asked about
        self._with_network = False  # whether steps of a network are to be measured too, for which torch is loaded
        self._tried: set[tuple[Here, bool]] = set()
        self._reading: Task | None = None
        self._measuring: Task | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._measure)

    def want(self, here: Here | None, *, with_network: bool) -> None:
        """Know about this device and these photos; None: nothing is chosen, or a run lives. Cheap where nothing is new.

        with_network: the chosen preset moves a network, so that its steps are worth measuring.
        """
        self._with_network = with_network
        if here == self._here:
            if here is not None and self._reading is None:
                self._measure_soon()
            return
        self.leave()
        self._here = here
        self.state.forget()
        self.changed.emit()
        if here is not None:
            self._read(here)

    def leave(self) -> None:
        """Compute nothing now: a run or a comparison begins."""
        self._pause.stop()
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None
            self.state.measuring = False
        self._here = None

    def _read(self, here: Here) -> None:
        def done(known: Known) -> None:
            self._reading = None
            if here == self._here:
                self.state.know(known.machine, known.runs, known.free_mb)
                self.changed.emit()
                self._measure_soon()

        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._background.start(self._jobs.known(here), done, self._on_failed)

    def _measure_soon(self) -> None:
        if self._measuring is None and not self._pause.isActive() and self._lacks():
            self._pause.start()

    def _lacks(self) -> bool:
        """Whether something is worth measuring, and was not tried yet."""
        here, with_network = self._here, self._with_network
        if here is None or self.state.machine is None or (here, with_network) in self._tried:
            return False
        return self.state.lacks(with_network=with_network)

    def _measure(self) -> None:
        here = self._here
        if here is None or not self._lacks():
            return
        self._tried.add((here, self._with_network))

        def done(_nothing: None) -> None:
            self._measuring = None
            self.state.measuring = False
            self._read(here)

        self.state.measuring = True
        self.changed.emit()
        job = self._jobs.measure(here, with_network=self._with_network)
        self._measuring = self._background.start(job, done, self._on_failed)

    def _on_failed(self, _failure: RunFailed) -> None:
        """Estimates are a convenience: without them everything works as before."""
        self._reading = self._measuring = None
        self.state.measuring = False
        self.changed.emit()
