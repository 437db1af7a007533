"""The list of runs: what each row says, names, and deleting. Neither torch nor Qt."""

import itertools
import math
import os
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from catdog_gui.engine import events, home
from catdog_gui.engine.errors import CatDogError, InputError, UsageError
from catdog_gui.engine.files import read_json, write_error, write_json
from catdog_gui.engine.json_types import is_number
from catdog_gui.engine.runs.runlog import CHECKPOINTS, CONFIG, LOCK, MODEL, NAME, SCHEMA, is_locked, is_run, last_event

if TYPE_CHECKING:
    from filelock import BaseFileLock

Status = Literal["completed", "stopped", "failed", "running", "interrupted"]
_DELETED = ".deleted-"  # how the name of a run begins that is being deleted


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One row of the list of runs. started: seconds since 1970; accuracy: 0..1 on n_val photos."""

    path: Path
    name: str
    started: float
    status: Status
    preset: str
    model: str
    classes: tuple[str, ...]
    accuracy: float | None
    n_val: int | None
    epochs: int
    has_model: bool
    data: str = ""
    has_checkpoint: bool = False

    @property
    def can_go_on(self) -> bool:
        """Whether it can be taken up again, or be a start for more epochs."""
        return self.has_checkpoint if self.status == "completed" else self.status != "running"


def list_runs(parent: Path | None = None) -> list[RunSummary]:
    """The runs under the home (or another folder), newest first."""
    parent = parent or home.runs_dir()
    try:
        folders = [path for path in parent.iterdir() if path.is_dir() and not path.name.startswith(".")]
    except OSError:
        return []
    runs = [summary for path in folders if (summary := summarize(path)) is not None]
    return sorted(runs, key=lambda run: run.started, reverse=True)


def summarize(run: Path) -> RunSummary | None:
    """None where the folder is not a run. One whose settings are damaged is: its model still answers."""
    config = read_json(run / CONFIG)
    if config is None:
        if not is_run(run):
            return None
        config = {}
    end = last_event(run)
    result = end if isinstance(end, events.RunResult) else None
    data = str(config.get("data") or "")
    accuracy, count = (result.val.get("accuracy"), result.val.get("n")) if result else (None, None)
    return RunSummary(
        path=run,
        name=_name(run, config),
        started=_started(config.get("facts")) or _made(run),
        status=_status(run, end),
        preset=str(config.get("preset", "")),
        model=str(config.get("model", "")),
        classes=tuple(result.classes) if result else (),
        accuracy=float(accuracy) if accuracy is not None else None,
        n_val=int(count) if count is not None else None,
        epochs=result.epochs if result else 0,
        has_model=(run / MODEL).is_file(),
        data=data,
        has_checkpoint=any((run / name).is_file() for name in CHECKPOINTS),
    )


def _started(facts: object) -> float | None:
    started = facts.get("started") if isinstance(facts, dict) else None
    return float(started) if is_number(started) and math.isfinite(started) else None


def _made(run: Path) -> float:
    try:
        return (run / CONFIG).stat().st_mtime
    except OSError:
        return 0.0


def _status(run: Path, end: events.Event | None) -> Status:
    if isinstance(end, events.RunResult):
        return end.status
    if isinstance(end, events.RunFailed):
        return "failed"
    return "running" if is_locked(run) else "interrupted"


def learned_from(parent: Path | None = None, *runs: Path) -> list[Path]:
    """The photo folders of all runs under the home, and of `runs`: their training and their check photos."""
    parent = parent or home.runs_dir()
    folders: list[Path] = []
    for config in [*sorted(parent.glob(f"*/{CONFIG}")), *(run / CONFIG for run in runs)]:
        values = read_json(config) or {}
        folders += [Path(str(values[side])) for side in ("data", "val") if values.get(side)]
    return list(dict.fromkeys(folders))


def rename(run: Path, name: str) -> None:
    """Give the run a name of its own; the folder keeps its name. Raises CatDogError cannot_write."""
    write_json(run / NAME, {"schema": SCHEMA, "name": name.strip()})


def name_apart(run: Path, data: Path | None) -> None:
    """Name a fresh run after its dataset, apart from the runs beside it. Raises CatDogError cannot_write.

    Nothing is written for the first one: the dataset's name is its own.
    """
    base = data.name if data is not None else ""
    taken = {_name(path, read_json(path / CONFIG) or {}) for path in run.parent.glob("run-*") if path != run}
    if base in taken:
        rename(run, free_name(base, taken))


def free_name(base: str, taken: Container[str]) -> str:
    """The name itself, or where it is taken "pets 2", "pets 3", ..."""
    names = (base if number == 1 else f"{base} {number}" for number in itertools.count(1))
    return next(name for name in names if name not in taken)


def _name(run: Path, config: Mapping[str, Any]) -> str:
    named = read_json(run / NAME)
    return str(named["name"]) if named and named.get("name") else Path(str(config.get("data") or "")).name or run.name


def check_deletable(run: Path) -> None:
    """Raises InputError not_a_run, UsageError run_not_ours, CatDogError run_in_use.

    Only a run under the home is ever deleted: never a folder that the user named, and none that is being written.
    """
    run = run.absolute()
    if run.is_symlink() or not (run / CONFIG).is_file():
        raise InputError("not_a_run", path=str(run))
    if run.resolve().parent != home.runs_dir().resolve():
        raise UsageError("run_not_ours", run=str(run))
    if is_locked(run):
        raise CatDogError("run_in_use", run=str(run))


def delete(run: Path) -> None:
    """Delete a run for good; raises what `check_deletable` raises, and CatDogError cannot_write.

    Renamed first: nobody meets half a run, and what another program still holds open stays under its new name.
    """
    import shutil
    import uuid

    check_deletable(run)
    gone = run.absolute().with_name(f"{_DELETED}{uuid.uuid4().hex}")
    lock = _held(run)
    try:
        if lock is not None and os.name == "nt":  # there a folder with an open file cannot be renamed
            lock.release()
        run.replace(gone)
    except OSError as error:
        raise write_error(error, run) from error
    finally:
        if lock is not None:
            lock.release()
    for leftover in run.parent.glob(f"{_DELETED}*"):  # of a program that was killed meanwhile, too
        if leftover != gone:
            shutil.rmtree(leftover, ignore_errors=True)
    try:
        shutil.rmtree(gone)
    except OSError as error:
        raise write_error(error, run) from error


def _held(run: Path) -> "BaseFileLock | None":
    """The run's lock; None where nobody can write. Raises CatDogError run_in_use."""
    from filelock import FileLock, Timeout

    lock = FileLock(run / LOCK, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise CatDogError("run_in_use", run=str(run)) from error
    except OSError:
        return None
    return lock


def find_run(name: str) -> Path:
    """The run of this name or folder name under the home, or the folder itself. Raises InputError no_such_run."""
    runs = list_runs()
    found = [run.path for run in runs if name == run.path.name] or [run.path for run in runs if name == run.name]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise InputError("runs_alike", name=name, folders=", ".join(path.name for path in found))
    if (Path(name) / CONFIG).is_file():
        return Path(name).absolute()
    raise InputError("no_such_run", name=name)


def path_of(given: Path) -> Path:
    """Where a run or a model is asked for: the path itself where it exists, else the run of that name under the home.

    The path as it was given where there is no such run either. Raises InputError runs_alike.
    """
    if os.path.lexists(given):
        return given
    try:
        return find_run(str(given))
    except InputError as error:
        if error.code != "no_such_run":
            raise
        return given
