"""How a run ends: the result it leaves, or the failure, noted in its own record before it is raised."""

import contextlib
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from catdog_gui.engine import devices, events
from catdog_gui.engine.config import SMALLER
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.packages import explained
from catdog_gui.engine.preparing.report import Report
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.runs import runlog

if TYPE_CHECKING:
    from catdog_gui.engine.training.epochs import Outcome


@contextlib.contextmanager
def failures_noted(setup: Setup) -> Iterator[None]:
    """What is raised inside is noted in the run's own record, and raised in our words where these are known."""
    folder = setup.folder
    try:
        yield
    except CatDogError as error:
        _note_failure(folder, error)
        _forget_locals(error)
        raise
    except Exception as error:
        told = _in_words(setup, error) or devices.lost(error, setup.device.name)
        _note_failure(folder, told or CatDogError("unexpected", reason=f"{type(error).__name__}: {error}"))
        _forget_locals(error)
        if told is not None:
            raise told from error
        raise
    finally:
        devices.free_memory(setup.device.id)


def _in_words(setup: Setup, error: Exception) -> CatDogError | None:
    """What a library's error means to a person, where that is known."""
    if not devices.is_out_of_memory(error):
        return explained(error)
    config = setup.config
    return CatDogError(
        "out_of_memory",
        device=setup.device.name,
        batch_size=config.batch_size,
        model=config.model,
        smaller=SMALLER.get(config.model),
    )


def _note_failure(folder: runlog.RunFolder, error: CatDogError) -> None:
    """The run's own record of how it ended; the caller tells the user."""
    with contextlib.suppress(CatDogError):  # the disk may be what failed
        folder.append(events.RunFailed(error.code, dict(error.fields)))


def _forget_locals(error: BaseException) -> None:
    """Let go of the networks and batches that the frames behind an error hold: the window keeps errors to show them."""
    link: BaseException | None = error
    while link is not None:
        traceback.clear_frames(link.__traceback__)
        link = link.__cause__ or link.__context__


def ended(
    setup: Setup, outcome: "Outcome | None", start: float, before: events.RunResult | None = None
) -> events.RunResult:
    """Tell the result of a run that came to an end, or was stopped; outcome: None where nothing was learned.

    before: the result that the run had, which then is its result still.
    """
    report = setup.report
    if outcome is None and before is not None:
        report.say(before)
        return before
    stopped = outcome is None or outcome.stopped
    val: dict[str, float | int | None] = dict(outcome.figures) if outcome else {}
    report.count_as("save")
    report.memory(always=True)
    report.count_as("done")
    seconds = {name: round(value, 3) for name, value in report.seconds.items() if name != "done"}
    result = events.RunResult(
        status="stopped" if stopped else "completed",
        run=str(setup.folder.path),
        model=str(setup.folder.model_path) if _has_model(setup, outcome) else None,
        classes=list(outcome.classes if outcome else setup.scan.classes),
        photos=outcome.photos if outcome else {"train": 0, "val": 0, "skipped_count": len(setup.scan.skipped)},
        val=val,
        epochs=outcome.epochs if outcome else 0,
        device=setup.device.id,
        precision=setup.precision,
        seconds={**seconds, "total": round(time.perf_counter() - start, 3)},
        best_epoch=outcome.best_epoch if outcome else 0,
        confusion=outcome.confusion if outcome else [],
    )
    report.say(result)
    return result


def _has_model(setup: Setup, outcome: "Outcome | None") -> bool:
    """Whether there is one; that of before, where a run that goes on was stopped before it learned."""
    return outcome.saved if outcome is not None else setup.folder.model_path.is_file()


def stopped_at_once(
    report: Report,
    start: float,
    run: Path | None = None,
    epochs: int = 0,
    before: events.RunResult | None = None,
) -> events.RunResult:
    """Stopped while the photo folder was read: a new run has no run folder yet. epochs: learned before.

    before: the result that a run that goes on had, which then is its result still.
    """
    if before is not None:
        report.say(before)
        return before
    model = run / runlog.MODEL if run is not None else None
    result = events.RunResult(
        status="stopped",
        run="" if run is None else str(run),
        model=str(model) if model is not None and model.is_file() else None,
        classes=[],
        photos={"train": 0, "val": 0, "skipped_count": 0},
        val={},
        epochs=epochs,
        device="",
        precision="",
        seconds={**report.seconds, "total": round(time.perf_counter() - start, 3)},
    )
    report.say(result)
    return result
