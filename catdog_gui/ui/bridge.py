"""Between the worker threads and the widgets: mailboxes, and timers that empty them on the window's thread.

Nothing crosses by signal but `QThread.finished`: a flood of events can neither block the window nor reorder itself.
"""

import contextlib
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, QTimer, Signal, Slot

from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.events import Event, RunFailed
from catdog_gui.engine.packages import explained
from catdog_gui.session.phases import RunPhase
from catdog_gui.session.state import RunState

Stop = Callable[[], bool]
Job = Callable[[Callable[[Event], None], Stop], None]  # job(emit, should_stop)
T = TypeVar("T")

DRAIN_MS = 50
DRAIN_MOST = 5_000  # events a turn: about 20 ms of work on a slow core
STACK_BYTES = 16 * 2**20  # torch's backward pass recurses; macOS gives threads 512 KB


def failure(error: BaseException) -> RunFailed:
    """The error as the last event of a job. Made inside `except`: details hold the traceback as text only."""
    details = "".join(traceback.format_exception(error))
    told = error if isinstance(error, CatDogError) else explained(error)
    if told is not None:
        return RunFailed(told.code, dict(told.fields), details)
    if isinstance(error, MemoryError):
        return RunFailed("out_of_memory_ram", {}, details)
    return RunFailed("unexpected", {"reason": f"{type(error).__name__}: {error}"}, details)


class JobThread(QThread):
    """Runs one function; whatever it says or raises ends up in `mailbox`. `stop` is what its should_stop looks at.

    niceness: how much lower the priority of jobs and of all their threads is (Linux only); set once, by the program.
    """

    niceness = 0

    def __init__(self, job: Callable[[Callable[[object], None], Stop], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job = job
        self.mailbox: deque[object] = deque()
        self.stop = threading.Event()
        self._go = threading.Event()
        self._go.set()
        self.setStackSize(STACK_BYTES)

    def pause(self, on: bool) -> None:
        """Hold the job where it next looks whether to stop, or let it go on."""
        (self._go.clear if on else self._go.set)()

    def _should_stop(self) -> bool:
        self._go.wait()
        return self.stop.is_set()

    def run(self) -> None:
        if self.niceness:
            _be_nice(self.niceness)
        try:
            self._job(self.mailbox.append, self._should_stop)
        except Stopped:
            return
        except BaseException as error:  # noqa: BLE001 -- the boundary: nothing may escape into Qt
            self.mailbox.append(failure(error))
        finally:
            self._go.set()  # a run of several processes asks on a thread of its own, which may be held


def _be_nice(niceness: int) -> None:
    """Lower this thread's priority, and so that of the threads that it starts: Linux has one for each."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own + niceness)


class RunModel(QObject):
    """The run on screen, live or reopened.

    Signals (window's thread): changed: the state is newer than at the last emission, at most 20 times a second;
    ended: once, when a live run is over and its thread is gone.
    """

    changed = Signal()
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = RunState()
        self._thread: JobThread | None = None
        self._timer = QTimer(self, interval=DRAIN_MS)
        self._timer.timeout.connect(self._drain)

    @property
    def is_live(self) -> bool:
        return self._thread is not None

    def start(self, job: Job) -> None:
        """Run the job on a thread of its own, with a new state. Does nothing while another one lives."""
        if self._thread is not None:
            return
        self.state = RunState()
        self.state.begin()
        self._thread = JobThread(job, self)
        self._thread.finished.connect(self._on_finished)
        self._timer.start()
        self._thread.start()
        self.changed.emit()

    def stop(self) -> None:
        """Ask the job to end; shown at once, before the job has seen it."""
        if self._thread is None:
            return
        self._thread.stop.set()
        self._thread.pause(False)
        self.state.ask_stop()
        self.changed.emit()

    def pause(self, on: bool) -> None:
        """Hold the run between two steps or photos, or let it go on."""
        if self._thread is not None and self.state.phase is not RunPhase.STOPPING:
            self._thread.pause(on)
            self.state.paused = on
            self.changed.emit()

    def show(self, state: RunState) -> None:
        """Put a reopened run on screen. Does nothing while a run lives."""
        if self._thread is None:
            self.state = state
            self.changed.emit()

    @Slot()
    def _drain(self) -> None:
        """Take in what has arrived until now, so that a fast job cannot hold the window here."""
        if self._thread is not None:
            self._take(min(len(self._thread.mailbox), DRAIN_MOST))

    def _take(self, count: int) -> None:
        assert self._thread is not None
        for _ in range(count):
            event = self._thread.mailbox.popleft()
            if isinstance(event, Event):
                self.state.apply(event)
        if count:
            self.changed.emit()

    @Slot()
    def _on_finished(self) -> None:
        thread = self._thread
        if thread is None:
            return
        self._timer.stop()
        thread.wait()
        self._take(len(thread.mailbox))
        self._thread = None
        thread.deleteLater()
        if self.state.is_live:
            last = f"last phase: {self.state.step_phase}, step {self.state.step}"
            self.state.apply(RunFailed("ended_silently", {}, f"the worker ended without a result or an error; {last}"))
            self.changed.emit()
        self.ended.emit()


class Task:
    """One background job as its owner sees it. After `cancel` none of its callbacks is called any more."""

    def __init__(
        self,
        thread: JobThread,
        done: Callable[[object], None],
        failed: Callable[[RunFailed], None],
        progress: Callable[[object], None] | None,
    ) -> None:
        self.thread = thread
        self._done = done
        self._failed = failed
        self._progress = progress
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True
        self.thread.stop.set()

    def ask_stop(self) -> None:
        """Ask it to end early; what it has by then still arrives."""
        self.thread.stop.set()

    def take(self, count: int) -> None:
        """Hand over `count` messages on the window's thread."""
        for _ in range(count):
            message = self.thread.mailbox.popleft()
            if self._cancelled:
                continue
            if isinstance(message, _Done):
                self._done(message.value)
            elif isinstance(message, RunFailed):
                self._failed(message)
            elif self._progress is not None:
                self._progress(message)


class _Done:
    def __init__(self, value: object) -> None:
        self.value = value


class Background(QObject):
    """Jobs beside the run: scan, devices, thumbnails, predictions, lists. Each has a thread of its own.

    Signal idle: the last job has ended.
    """

    idle = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: list[Task] = []
        self._timer = QTimer(self, interval=DRAIN_MS)
        self._timer.timeout.connect(self._drain)

    @property
    def is_idle(self) -> bool:
        return not self._tasks

    def start(
        self,
        job: Callable[[Callable[[object], None], Stop], T],
        done: Callable[[T], None],
        failed: Callable[[RunFailed], None],
        progress: Callable[[object], None] | None = None,
    ) -> Task:
        """Run job(send, should_stop) on a thread; its value goes to `done`, what it sends to `progress`.

        All callbacks come on the window's thread. A job that raises Stopped calls neither done nor failed.
        """

        def run(send: Callable[[object], None], should_stop: Stop) -> None:
            send(_Done(job(send, should_stop)))

        thread = JobThread(run, self)
        task = Task(thread, done, failed, progress)  # type: ignore[arg-type]  # the value is this job's own
        self._tasks.append(task)
        thread.finished.connect(self._on_finished)
        self._timer.start()
        thread.start()
        return task

    def shut_down(self, timeout_ms: int) -> bool:
        """Cancel everything and wait; False where a job did not end in time."""
        deadline = QDeadlineTimer(timeout_ms)
        for task in self._tasks:
            task.cancel()
        return all([task.thread.wait(deadline) for task in self._tasks])  # noqa: C419 -- wait for each of them

    @Slot()
    def _drain(self) -> None:
        for task in list(self._tasks):
            task.take(min(len(task.thread.mailbox), DRAIN_MOST))

    @Slot()
    def _on_finished(self) -> None:
        over = [task for task in self._tasks if task.thread.isFinished()]
        for task in over:
            self._tasks.remove(task)
            task.thread.wait()
        for task in over:
            task.take(len(task.thread.mailbox))
            task.thread.deleteLater()
        if not self._tasks:
            self._timer.stop()
            self.idle.emit()
