"""Everything the window asks of the engine. The heavy modules are imported inside the jobs, on the worker's thread.

A job is job(send, should_stop) -> value; see `bridge.Background`. Tests replace `Jobs` with a small class of their own.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.events import Event, RunFailed
from catdog_gui.session.data import EXAMPLE_CLASSES, EXAMPLES, Dataset, LeftOut, Offer, Said
from catdog_gui.session.estimates import Here
from catdog_gui.session.hardware import Device
from catdog_gui.session.state import RunState
from catdog_gui.ui import estimate_jobs
from catdog_gui.ui.bridge import Job, Stop
from catdog_gui.ui.job_values import Count, ExportEnd, Known, Opening, Samples, Thumbnail
from catdog_gui.ui.trust_jobs import TrustJobs

Send = Callable[[object], None]


class Jobs(TrustJobs):
    """The real engine. Every method returns the job and does nothing yet. Owner: the window; jobs: any thread."""

    def train(self, config: TrainConfig) -> Job:
        def job(emit: Callable[[Event], None], should_stop: Stop) -> None:
            from catdog_gui.engine.training.run import fit

            fit(config, emit, should_stop)

        return job

    def resume_run(self, run: Path, policy: str) -> Job:
        """Take up a run; what it said before comes first, so that its curves are whole. policy: ask, keep."""

        def job(emit: Callable[[Event], None], should_stop: Stop) -> None:
            from catdog_gui.engine.training.run import resume

            resume(run, emit, should_stop, policy="keep" if policy == "keep" else "ask", replay=True)

        return job

    def train_from(self, run: Path, epochs: int | None) -> Job:
        """A new run from the end of another, with its settings; epochs: how many, None: as many as that one had."""

        def job(emit: Callable[[Event], None], should_stop: Stop) -> None:
            from dataclasses import replace

            from catdog_gui.engine.runs import runlog
            from catdog_gui.engine.training.run import fit

            config = runlog.read_config(run)
            fit(replace(config, run=None, epochs=epochs or config.epochs), emit, should_stop, source=run)

        return job

    def watch_run(self, run: Path) -> Job:
        """A run that another program computes, as if it were this one's; Stop is passed on."""

        def job(emit: Callable[[Event], None], should_stop: Stop) -> None:
            from catdog_gui.engine.runs.following import follow

            follow(run, emit, should_stop)

        return job

    def scan(self, folder: Path, *, use_split: bool) -> Callable[[Send, Stop], Dataset]:
        def job(send: Send, should_stop: Stop) -> Dataset:
            from catdog_gui.engine.datasets import dataset

            def progress(found: int) -> None:
                send(Count(found))

            scan = dataset.scan(folder, use_split=use_split, should_stop=should_stop, progress=progress)
            return _dataset(scan)

        return job

    def thumbnails(self, examples: Mapping[str, Sequence[Path]], side: int) -> Callable[[Send, Stop], None]:
        def job(send: Send, should_stop: Stop) -> None:
            from catdog_gui.engine.photos import images

            for label, paths in examples.items():
                shown = 0
                for path in paths:
                    if should_stop():
                        return
                    try:
                        pixels = images.thumbnail(images.read_bytes(path), side)
                    except (PhotoError, OSError):  # it is named while preparing; here the next one takes its place
                        continue
                    send(Thumbnail(label, shown, pixels))
                    shown += 1
                    if shown == EXAMPLES:
                        break

        return job

    def devices(self, *, thorough: bool = False) -> Callable[[Send, Stop], tuple[Device, ...]]:
        """The devices, each tested. Without `thorough` a computer with nothing but a CPU loads no torch for that."""

        def job(_send: Send, _should_stop: Stop) -> tuple[Device, ...]:
            from catdog_gui.engine.devices import cpu_device, list_devices, may_have_accelerator, nvidia

            if not (thorough or may_have_accelerator() or nvidia.cards()):
                return (_device(cpu_device(), tested=False),)
            return tuple(_device(info) for info in list_devices())

        return job

    def compare(self, folder: Path) -> Callable[[Send, Stop], None]:
        """Train a short piece on each device; sends the comparison's events."""

        def job(send: Send, should_stop: Stop) -> None:
            from catdog_gui.engine.comparison.bench import compare
            from catdog_gui.engine.errors import Stopped

            with contextlib.suppress(Stopped):  # before the first row
                compare(folder, send, should_stop)

        return job

    def known(self, here: Here) -> Callable[[Send, Stop], Known]:
        return estimate_jobs.known(here)

    def measure(self, here: Here, *, with_network: bool) -> Callable[[Send, Stop], None]:
        return estimate_jobs.measure(here, with_network=with_network)

    def report(self) -> Callable[[Send, Stop], str]:
        def job(_send: Send, _should_stop: Stop) -> str:
            from catdog_gui.engine.devices import computer_report, report_text

            return report_text(computer_report())

        return job

    def samples(self, folder: Path) -> Callable[[Send, Stop], Samples]:
        def job(send: Send, should_stop: Stop) -> Samples:
            from catdog_gui.engine.samples import draw_samples

            def progress(done: int, total: int) -> None:
                send(Count(done, total))

            drawn = draw_samples(folder, on_progress=progress, should_stop=should_stop)
            return Samples(drawn.dataset, tuple(drawn.held_out))

        return job

    def sort_paths(self, paths: Sequence[Path]) -> Callable[[Send, Stop], Opening]:
        def job(_send: Send, _should_stop: Stop) -> Opening:
            return _opening(paths)

        return job

    def plotting(self) -> Callable[[Send, Stop], None]:
        """Load what the plots need, so that making them does not hold the window."""

        def job(_send: Send, _should_stop: Stop) -> None:
            import pyqtgraph  # noqa: F401

        return job

    def runs(self) -> Callable[[Send, Stop], Any]:
        def job(_send: Send, _should_stop: Stop) -> Any:  # noqa: ANN401 -- list[RunSummary]
            from catdog_gui.engine.runs import run_list

            return run_list.list_runs()

        return job

    def read_run(self, run: Path) -> Callable[[Send, Stop], RunState]:
        def job(_send: Send, _should_stop: Stop) -> RunState:
            from catdog_gui.engine.runs import runlog

            state = RunState()
            state.begin()
            for event in runlog.read_events(run):
                state.apply(event)
            if state.is_live:
                state.apply(RunFailed("run_elsewhere" if runlog.is_locked(run) else "run_interrupted"))
            return state

        return job

    def rename_run(self, run: Path, name: str) -> Callable[[Send, Stop], None]:
        def job(_send: Send, _should_stop: Stop) -> None:
            from catdog_gui.engine.runs import run_list

            run_list.rename(run, name)

        return job

    def delete_run(self, run: Path, *, for_good: bool) -> Callable[[Send, Stop], bool]:
        """Move a run to the system's trash, or delete it for good; False where there is no trash for it."""

        def job(_send: Send, _should_stop: Stop) -> bool:
            from PySide6.QtCore import QFile

            from catdog_gui.engine.runs import run_list

            if for_good:
                run_list.delete(run)
                return True
            run_list.check_deletable(run)
            moved = QFile.moveToTrash(str(run))
            return bool(moved[0] if isinstance(moved, tuple) else moved)

        return job

    def problem_report(self, target: Path, run: Path | None, details: str) -> Callable[[Send, Stop], Path]:
        def job(_send: Send, _should_stop: Stop) -> Path:
            from catdog_gui.engine.devices import computer_report
            from catdog_gui.engine.problems.problem_report import write_report

            write_report(target, computer_report(), run=run, details=details)
            return target

        return job

    def save_model(self, run: Path, target: Path) -> Callable[[Send, Stop], None]:
        def job(_send: Send, _should_stop: Stop) -> None:
            from catdog_gui.engine.runs import runlog

            runlog.save_model_as(run, target)

        return job

    def export(self, model: Path, target: Path, *, int8: bool) -> Callable[[Send, Stop], ExportEnd]:
        """Write the model for other programs. model: a run folder or model file; what is at the target is replaced.

        Sends Count, and a Notice for a photo to check with that does not come.
        """

        def job(send: Send, should_stop: Stop) -> ExportEnd:
            from catdog_gui.engine.export.job import export_model
            from catdog_gui.engine.photos.reading import tells_of_slow

            def progress(done: int, total: int) -> None:
                send(Count(done, total))

            done = export_model(
                model,
                target,
                int8=int8,
                force=True,
                on_progress=progress,
                should_stop=should_stop,
                on_slow=tells_of_slow(send),
            )
            own = done.own
            return ExportEnd(
                Path(done.file),
                Path(done.example),
                done.size_mb,
                done.precision,
                done.photos,
                done.checked,
                done.agree,
                done.largest_difference,
                own.precision if own is not None else None,
                own.same if own is not None else 0,
                own.largest_difference if own is not None else 0.0,
            )

        return job

    def write_text(self, target: Path, content: str) -> Callable[[Send, Stop], None]:
        """Write a table for spreadsheets: UTF-8 with the mark that they look for."""

        def job(_send: Send, _should_stop: Stop) -> None:
            from catdog_gui.engine.files import write_atomic

            write_atomic(target, content.encode("utf-8-sig", "replace"))

        return job


def _opening(paths: Sequence[Path]) -> Opening:
    from catdog_gui.engine.runs import runlog

    runs = [path for path in paths if path.is_dir() and runlog.is_run(path)]
    models = [path for path in paths if path.suffix == ".safetensors"]
    folders = [path for path in paths if path.is_dir() and path not in runs]
    taken = (*runs[:1], *models[:1], *folders[:1])
    return Opening(
        dataset=folders[0] if folders else None,
        run=runs[0] if runs else None,
        model=models[0] if models else None,
        photos=tuple(path for path in paths if path not in taken),
    )


def _dataset(scan: Any) -> Dataset:  # noqa: ANN401 -- engine.datasets.dataset.Scan, not imported here
    return Dataset(
        root=Path(scan.root),
        layout=scan.layout,
        classes=dict(scan.counts),
        own_check=_own_check(scan),
        examples=_examples(scan),
        left_out=tuple(LeftOut(item.path, item.code, item.fields) for item in scan.skipped),
        warnings=tuple(Said(item.code, item.fields) for item in scan.warnings),
        offers=tuple(Offer(item.code, Path(item.path)) for item in scan.offers),
        reason=None if scan.reason is None else Said(scan.reason.code, scan.reason.fields),
    )


def _own_check(scan: Any) -> int | None:  # noqa: ANN401
    """Photos in the folder's own validation part."""
    from catdog_gui.engine.datasets.layout import VAL

    count = scan.sides.count(VAL)
    return count or None


def _examples(scan: Any) -> dict[str, tuple[Path, ...]]:  # noqa: ANN401
    """A few photos of each of the first classes, spread over the class."""
    root, names = Path(scan.root), list(scan.classes)[:EXAMPLE_CLASSES]
    found: dict[str, list[Path]] = {name: [] for name in names}
    for path, number in zip(scan.paths, scan.labels, strict=True):
        if number < len(names):
            found[names[number]].append(root / path)
    return {name: tuple(_spread(paths, 2 * EXAMPLES)) for name, paths in found.items()}


def _spread(paths: Sequence[Path], count: int) -> Iterable[Path]:
    """The first half of the chosen ones is spread over all: a folder may hold a subject a hundred times in a row."""
    step = max(1, len(paths) // count)
    chosen = paths[::step][:count]
    return [*chosen[::2], *chosen[1::2]]


def _device(info: Any, *, tested: bool = True) -> Device:  # noqa: ANN401 -- engine.devices.DeviceInfo
    return Device(
        tested=tested,
        id=info.id,
        kind=info.kind,
        name=info.name,
        works=info.works,
        memory_mb=info.memory_mb,
        precisions=tuple(info.precisions or ()),
        reason=Said(info.code, info.fields or {}) if info.code else None,
        next_step=Said(info.next_code, info.next_fields or {}) if info.next_code else None,
    )
