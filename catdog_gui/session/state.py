"""What the screens show of a run: a reducer over the engine's events. Neither torch nor Qt.

Facts are stored, everything else is derived. A finished run never changes again; a new run gets a new RunState.
"""

from array import array
from dataclasses import dataclass, field

from catdog_gui.engine import events
from catdog_gui.session.phases import Action as Action
from catdog_gui.session.phases import RunPhase as RunPhase

LIVE = frozenset({RunPhase.PREPARING, RunPhase.RUNNING, RunPhase.STOPPING})
_NAN = float("nan")


@dataclass(slots=True)
class Curve:
    """Columns of one curve. x: step number; y: NaN where the value was not a number. Only ever appended to."""

    x: "array[float]" = field(default_factory=lambda: array("d"))  # quoted: not subscriptable before 3.12
    y: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, x: float, y: float | None) -> None:
        self.x.append(x)
        self.y.append(_NAN if y is None else y)

    def __len__(self) -> int:
        return len(self.x)

    @property
    def last(self) -> float | None:
        """The newest value, None where there is none or it is not a number."""
        return self.y[-1] if self.y and self.y[-1] == self.y[-1] else None


@dataclass(slots=True)
class RunState:
    """One run as the screens see it. Owner: the RunModel (or the command line); changed only by its methods.

    accuracies are 0..1, memory in MiB, times in seconds.
    """

    phase: RunPhase = RunPhase.IDLE
    started: events.RunStarted | None = None
    step_phase: events.Phase | None = None  # the chip that is lit
    progress: events.Progress | None = None
    step: int = 0
    steps: int = 0
    epoch: int = 0
    photos_per_s: float | None = None
    train_loss: Curve = field(default_factory=Curve)
    train_accuracy: Curve = field(default_factory=Curve)
    val_loss: Curve = field(default_factory=Curve)
    val_accuracy: Curve = field(default_factory=Curve)
    memory: Curve = field(default_factory=Curve)  # x: sample number
    reserved: Curve = field(default_factory=Curve)
    last_memory: events.MemorySample | None = None
    epochs: list[events.EpochDone] = field(default_factory=list)
    best: events.EpochDone | None = None
    notices: list[events.Notice] = field(default_factory=list)
    waits: events.Notice | None = None  # for a photo that does not come, as long as nothing else does
    warnings: list[events.DataWarning] = field(default_factory=list)
    skipped: list[events.PhotoSkipped] = field(default_factory=list)
    result: events.RunResult | None = None
    failure: events.RunFailed | None = None
    paused: bool = False

    @property
    def is_live(self) -> bool:
        return self.phase in LIVE

    @property
    def fraction_done(self) -> float | None:
        """0..1 of the current phase; None while it cannot be known."""
        if self.step_phase == "train" and self.steps:
            return min(1.0, self.step / self.steps)
        if self.progress is not None and self.progress.phase == self.step_phase and self.progress.total:
            return min(1.0, self.progress.done / self.progress.total)
        return None

    @property
    def stage(self) -> str | None:
        """What is timed as one: the phase, or the first look at the photos that some presets begin `train` with."""
        return "first_look" if self.step_phase == "train" and not self.step else self.step_phase

    def begin(self) -> None:
        """The job was started."""
        self.phase = RunPhase.PREPARING

    def ask_stop(self) -> None:
        """The user pressed Stop; shown at once, before the job has seen it."""
        if self.phase in (RunPhase.PREPARING, RunPhase.RUNNING):
            self.phase = RunPhase.STOPPING
            self.paused = False

    def apply(self, event: events.Event) -> None:  # noqa: C901 -- one line an event
        """Take one event in. Events after the end are ignored."""
        if self.phase in (RunPhase.COMPLETED, RunPhase.STOPPED, RunPhase.FAILED):
            return
        match event:
            case events.RunStarted():
                self.started = event
            case events.PhaseStarted():
                self._enter(event.phase)
            case events.Progress():
                self.progress, self.waits = event, None
                if event.photos_per_s is not None:
                    self.photos_per_s = event.photos_per_s
            case events.StepDone():
                self._step(event)
            case events.EpochDone():
                self._epoch(event)
            case events.MemorySample():
                self._memory(event)
            case events.Notice():
                self.notices.append(event)
                self.waits = event if event.code == "photo_waits" else self.waits
            case events.DataWarning():
                self.warnings.append(event)
            case events.PhotoSkipped():
                self.skipped.append(event)
            case events.RunResult():
                self.result = event
                self.phase = RunPhase.COMPLETED if event.status == "completed" else RunPhase.STOPPED
            case events.RunFailed():
                self.failure = event
                self.phase = RunPhase.FAILED

    def _enter(self, phase: events.Phase) -> None:
        self.step_phase = phase
        self.progress = self.waits = None
        if phase == "train" and not self.step:
            self.photos_per_s = None  # how fast photos are read says nothing about learning
        if self.phase != RunPhase.STOPPING:  # a late phase must not undo "Stopping..."
            self.phase = RunPhase.PREPARING if phase in ("scan", "prepare") else RunPhase.RUNNING

    def _step(self, event: events.StepDone) -> None:
        self.step, self.epoch, self.waits = event.step, event.epoch, None
        self.steps = event.steps or self.steps
        if event.photos_per_s is not None:
            self.photos_per_s = event.photos_per_s
        self.train_loss.add(event.step, event.loss)
        self.train_accuracy.add(event.step, event.accuracy)

    def _epoch(self, event: events.EpochDone) -> None:
        self.epochs.append(event)
        self.epoch = event.epoch
        if event.best:
            self.best = event
        x = float(event.step or self.step)
        self.val_loss.add(x, event.val_loss)
        self.val_accuracy.add(x, event.val_accuracy)

    def _memory(self, event: events.MemorySample) -> None:
        self.last_memory = event
        self.memory.add(len(self.memory), event.allocated_mb)
        self.reserved.add(len(self.reserved), event.reserved_mb)


def allowed(state: RunState, *, data_ready: bool) -> frozenset[Action]:
    """The actions that make sense now. data_ready: a folder that can be trained on has been chosen."""
    if state.is_live:
        return frozenset() if state.phase == RunPhase.STOPPING else frozenset({Action.STOP})
    always = {Action.EDIT_SETTINGS, Action.CHOOSE_DATA}
    return frozenset(always | {Action.TRAIN}) if data_ready else frozenset(always)
