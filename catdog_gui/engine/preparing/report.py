"""What `fit` says, to whom: the caller's `emit` and the run folder; and how long each phase took."""

import time
from collections.abc import Callable

from catdog_gui.engine import events
from catdog_gui.engine.devices import memory_sample
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.runs.runlog import RunFolder

Emit = Callable[[events.Event], None]
_MEMORY_S = 0.5  # between two samples of the memory curve
_PROGRESS_S = 0.1
_STEP_S = 0.1  # between two step events once there are many
_EVERY_STEP = 2000  # so many first steps are said one by one
_WAITING_SHARE = 0.3  # of the time; a card that waits more for its photos is worth a word
_WAITING_STEPS, _WAITING_S, _FORGET_STEPS = 40, 5.0, 400  # least that must have been seen; most that is remembered


class _Starving:
    """Notices a card that waits for its photos; says so once a run."""

    def __init__(self) -> None:
        self._steps, self._data_ms, self._all_ms, self._epoch = 0, 0.0, 0.0, 0

    def notice(self, step: events.StepDone) -> events.Notice | None:
        begins, self._epoch = step.epoch != self._epoch, step.epoch
        if begins or step.data_ms is None or step.compute_ms is None or self._steps < 0:
            return None  # an epoch's first batch is always waited for
        self._steps += 1
        self._data_ms += step.data_ms
        self._all_ms += step.data_ms + step.compute_ms
        share = self._data_ms / self._all_ms if self._all_ms else 0.0
        if self._steps < _WAITING_STEPS or self._all_ms < 1000 * _WAITING_S or share <= _WAITING_SHARE:
            if self._steps >= _FORGET_STEPS:  # what was long ago counts less
                self._steps, self._data_ms, self._all_ms = self._steps // 2, self._data_ms / 2, self._all_ms / 2
            return None
        self._steps = -1
        return events.Notice("card_waits", {"percent": round(100 * share)})


class Report:
    """Owned by the thread that runs `fit`. clock: seconds, monotonic.

    tolerant: a folder that takes no line at the moment (a full disk) does not end the run.
    """

    def __init__(
        self, emit: Emit, device: str, clock: Callable[[], float] = time.perf_counter, *, tolerant: bool = False
    ) -> None:
        self._emit = emit
        self._device = device
        self._clock = clock
        self._tolerant = tolerant
        self._folder: RunFolder | None = None
        self._waiting: list[events.Event] = []  # said before the run folder existed
        self._phase: str = "scan"
        self._since = clock()
        self._last: dict[str, float] = {}
        self._step = 0
        self._starving = _Starving()
        self.seconds: dict[str, float] = dict.fromkeys(("imports", "scan", "prepare", "train", "validate", "save"), 0.0)

    def attach(self, folder: RunFolder) -> None:
        """From now on everything is written into the folder too, what was said before first."""
        self._folder = folder
        for event in self._waiting:
            folder.append(event)
        self._waiting.clear()

    def use_device(self, device: str) -> None:
        self._device = device

    def say(self, event: events.Event, *, then: Callable[[], None] = lambda: None) -> None:
        """Write the event down, do `then`, tell the caller: who is told can count on what `then` did."""
        if self._folder is None:
            self._waiting.append(event)
        else:
            try:
                self._folder.append(event)
            except CatDogError:
                if not self._tolerant:
                    raise
        then()
        self._emit(event)

    def phase(self, phase: events.Phase) -> None:
        """A new phase begins."""
        self.count_as(phase)
        self.say(events.PhaseStarted(phase))

    def count_as(self, phase: str) -> str:
        """Count the time from now on under another phase's name; returns the one before. Says nothing."""
        now, before = self._clock(), self._phase
        self.seconds[before] += now - self._since
        self._phase, self._since = phase, now
        return before

    def progress(self, phase: events.Phase, done: int, total: int, rate: float | None = None) -> None:
        """At most 10 a second, and always the last one."""
        self._progress(events.Progress(phase, done, total, rate))

    def fetched(self, done: int, total: int) -> None:
        """Bytes of a network's weights, as `progress`."""
        self._progress(events.Progress("prepare", done // 2**20, total // 2**20, unit="MB"))

    def _progress(self, far: events.Progress) -> None:
        if 0 < far.total <= far.done or self._due("progress", _PROGRESS_S):
            self.say(far)
        self.memory()

    def step(self, make: Callable[[], events.StepDone], step: int) -> None:
        """Say a step unless it was said before (an epoch that is begun again) or too many are said already."""
        if step <= self._step or (step > _EVERY_STEP and not self._due("step", _STEP_S)):
            return
        self._step = step
        done = make()
        self.say(done)
        waits = self._starving.notice(done) if self._device.startswith("cuda") else None
        if waits is not None:
            self.say(waits)
        self.memory()

    def memory(self, *, always: bool = False) -> None:
        if always or self._due("memory", _MEMORY_S):
            self.say(memory_sample(self._device))

    def _due(self, what: str, interval_s: float) -> bool:
        now = self._clock()
        if now - self._last.get(what, float("-inf")) < interval_s:
            return False
        self._last[what] = now
        return True
