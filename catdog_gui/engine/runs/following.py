"""A run that another program computes, watched through its folder: the same events, as they are written. No torch."""

import time
from collections.abc import Callable
from pathlib import Path

from catdog_gui.engine import events
from catdog_gui.engine.files import write_error
from catdog_gui.engine.runs import runlog

_LOOK_S = 0.2  # between two looks at the file


def follow(
    run: Path,
    emit: Callable[[events.Event], None],
    should_stop: Callable[[], bool],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Emit what the run has said and says, until it ends or nobody writes it any more (RunFailed run_interrupted then).

    A stop is passed on as the file STOP in the run folder; the run is followed to its end. Raises CatDogError.
    """
    asked, place, ended = False, 0, False
    while not ended:
        alive = runlog.is_locked(run)  # looked at first: what was written before it ended is read below
        place, ended = _tell_new(run, place, emit)
        if ended:
            return
        if not alive:
            emit(events.RunFailed("run_interrupted"))
            return
        if should_stop() and not asked:
            asked = True
            _ask_to_stop(run)
        wait(_LOOK_S)


def _tell_new(run: Path, place: int, emit: Callable[[events.Event], None]) -> tuple[int, bool]:
    """Emit the whole lines from that byte on; the byte behind them, and whether the run's end was among them."""
    try:
        with (run / runlog.EVENTS).open("rb") as file:
            file.seek(place)
            data = file.read()
    except OSError:  # a drive that is away for a moment
        return place, False
    whole = data[: data.rfind(b"\n") + 1]
    for line in whole.decode("utf-8", "replace").splitlines():
        event = events.from_line(line)
        if event is not None:
            emit(runlog.placed(event, run))
        if isinstance(event, events.RunResult | events.RunFailed):
            return place + len(whole), True
    return place + len(whole), False


def _ask_to_stop(run: Path) -> None:
    try:
        (run / runlog.STOP).touch()
    except OSError as error:
        raise write_error(error, run / runlog.STOP) from error
