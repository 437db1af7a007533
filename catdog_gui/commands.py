"""What each command of `catdog` does. Imported once a command is known."""

import argparse
import dataclasses
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, from_json, preset
from catdog_gui.engine.distributed.ranks import ALONE, Ranks
from catdog_gui.engine.errors import UsageError
from catdog_gui.engine.files import read_json
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.listing import Policy

ShouldStop = Callable[[], bool]
_STARTED = time.perf_counter()
_STOPPED = 130


class Output:
    """Where lines go: JSON to stdout with --json; people read stderr then, else results on stdout."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._json: bool = options.json
        self._line_open = False

    def event(self, event: events.Event) -> None:
        if self._json:
            print(events.to_line(event), flush=True)

    def result(self, values: dict[str, Any]) -> None:
        """The one last line."""
        if self._json:
            line = {"v": events.VERSION, "type": "result", **values}
            print(json.dumps(events.finite(line), ensure_ascii=False, allow_nan=False), flush=True)

    def say(self, text: str) -> None:
        """A line for people about the work."""
        self._end_line()
        print(_shown(text), file=sys.stderr, flush=True)

    def answer(self, text: str) -> None:
        """A line for people that is the result."""
        self._end_line()
        print(_shown(text), file=sys.stderr if self._json else sys.stdout, flush=True)

    def progress(self, text: str) -> None:
        """Overwrites itself on a terminal; nothing elsewhere."""
        if sys.stderr.isatty():
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)
            self._line_open = True

    def _end_line(self) -> None:
        if self._line_open:
            print(file=sys.stderr)
            self._line_open = False


def keep_what_is_there(path: Path | None, *, force: bool, endings: tuple[str, ...] = ()) -> None:
    """Said before the work: an output must not take the place of a photo or a model, and needs a folder to lie in.

    endings: of older outputs of its kind, which it may replace. Raises UsageError (export_no_folder,
    export_target_folder, export_target_exists).
    """
    if path is None:
        return
    folder = path.absolute().parent
    if not os.path.isdir(folder):  # noqa: PTH112 -- Path.is_dir raises where the folder above is forbidden
        raise UsageError("export_no_folder", path=str(folder))
    if path.is_dir():
        raise UsageError("export_target_folder", path=str(path), example=str(path / f"answers{(*endings, '')[0]}"))
    if force or not path.exists() or path.suffix.lower() in endings:
        return
    if not path.is_file() or path.stat().st_size:  # an empty file was made to be filled
        raise UsageError("export_target_exists", path=str(path))


def _shown(text: str) -> str:
    """The text on one line, as it is: a file's name can neither colour the terminal nor fake a line of its own."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


def seconds_since_start() -> float:
    """perf_counter's value at which this process started."""
    import psutil

    alive = time.time() - psutil.Process().create_time()
    return time.perf_counter() - max(alive, 0.0) if alive < 3600 else _STARTED


def scan(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.datasets import dataset
    from catdog_gui.engine.photos.reading import default_workers

    out = Output(options)
    found = dataset.scan(options.data, should_stop=should_stop)
    if options.deep:
        found = dataset.check_deep(
            found,
            workers=default_workers(),
            should_stop=should_stop,
            on_progress=lambda done, total: out.progress(f"{done} of {total} photos read"),
        )
    values = found.to_json()
    out.result(values)
    for name, count in values["classes"].items():
        out.answer(f"{name}: {count:,} {'photo' if count == 1 else 'photos'}")
    for item in values["skipped"]:
        out.answer(f"left out: {item['path']}: {item['reason']}")
    for item in values["warnings"]:
        out.answer(f"note: {item['message']}")
    for item in values["offers"]:
        out.answer(f"better: {item['path']}")
    out.answer("This folder can be trained on." if found.trainable else f"Not trainable: {values['reason']}")
    return 0


def train(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.distributed.ranks import exit_code_of, is_ranked

    if not is_ranked():
        return _train(options, should_stop, ALONE)
    from catdog_gui.engine.distributed.torch_ranks import Together

    ranks = Together()
    try:
        code = _train(options, should_stop, ranks)
    except BaseException as error:
        ranks.leave(error)
        raise
    ranks.leave()
    return exit_code_of(ranks, _STOPPED) if code == _STOPPED else code


def _train(options: argparse.Namespace, should_stop: ShouldStop, ranks: Ranks) -> int:
    from catdog_gui.engine.training.run import fit, resume

    out = Output(options)
    speaker, began = _TrainSpeaker(out), seconds_since_start()
    if options.resume is not None:
        _refuse_settings(options)
        if options.changed != "new":
            policy: Policy = "keep" if options.changed else "ask"
            result = resume(
                options.resume,
                speaker,
                should_stop,
                began=began,
                policy=policy,
                replay=options.replay,
                device=options.device,
                ranks=ranks,
            )
            return _STOPPED if result.status == "stopped" else 0
    elif options.changed:
        raise UsageError("only_with_resume")
    source = options.resume or options.source
    config = _train_config(options)
    if ranks.count == 1:
        _measure_first(config, out, should_stop)
    result = fit(config, speaker, should_stop, began=began, source=source, ranks=ranks)
    return _STOPPED if result.status == "stopped" else 0


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that stand on the command line."""
    return {
        item.name: value
        for item in dataclasses.fields(TrainConfig)
        if item.name != "preset" and (value := getattr(options, item.name, None)) is not None
    }


def _refuse_settings(options: argparse.Namespace) -> None:
    """A run goes on with its own settings, on any device. Raises UsageError."""
    others = [name for name in ("preset", "config", "source") if getattr(options, name) is not None]
    if others or _given(options).keys() - {"device"}:
        raise UsageError("resume_alone")


def _train_config(options: argparse.Namespace) -> TrainConfig:
    """Defaults < preset < the run it starts from < file < command line."""
    given = _given(options)
    source = options.resume or options.source
    if source is not None and options.config is None and options.preset is None:
        base = dataclasses.replace(runlog.read_config(source), run=None)
    elif options.config is None:
        base = preset(options.preset or "fast")
    else:
        values = read_json(options.config)
        if values is None:
            raise UsageError("config_unreadable", path=str(options.config))
        values.pop("run", None)  # a new run gets a folder of its own
        base = from_json({**values, "preset": options.preset} if options.preset else values)
    return dataclasses.replace(base, **given).validated()


_WORTH_MEASURING_S = 60.0  # a shorter run would not repay the seconds of a measurement
_COUNTED = 5_000  # photos: more make no difference to whether it is worth it


def _measure_first(config: TrainConfig, out: Output, should_stop: ShouldStop) -> None:
    """Before the first long run on a computer: see how fast it is, so that its time can be told. Once, some seconds."""
    from itertools import islice

    from catdog_gui.engine import devices
    from catdog_gui.engine.datasets.search import find_photos
    from catdog_gui.engine.estimates import machine
    from catdog_gui.engine.estimates.estimate import Machine, estimate

    if config.data is None or not config.data.is_dir():
        return
    photos = list(islice(find_photos([config.data], should_stop), _COUNTED))
    if not photos or estimate(config, len(photos), Machine()).total_s < _WORTH_MEASURING_S:
        return
    device = devices.resolve(config.device)
    precision = devices.choose_precision(config.precision, device)
    if not machine.known(device.id, precision, config.data, runs=()).measured:
        out.say("Seeing how fast this computer is, once…")
        machine.measure(device, precision, config.data, photos[:: max(1, len(photos) // 64)], should_stop)


class _TrainSpeaker:
    """Prints a run's events as the article does, and their JSON lines."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._memory: events.MemorySample | None = None

    def __call__(self, event: events.Event) -> None:
        self._out.event(event)
        match event:
            case events.RunStarted(photos=photos) if photos:
                self._out.say(
                    f"{photos['train']:,} photos to learn, {photos['val']:,} to check, on {event.device_name}"
                )
            case events.Estimated():
                self._out.say(_estimated(event))
            case events.Progress(phase="prepare"):
                rate = f", {event.photos_per_s:.0f} photos/s" if event.photos_per_s else ""
                self._out.progress(f"{event.done:,} of {event.total:,} photos read{rate}")
            case events.MemorySample():
                self._memory = event
            case events.EpochDone():
                self._epoch(event)
            case events.Notice() | events.DataWarning():
                self._out.say(f"note: {sentence(event.code, event.fields)}")
            case events.PhotoSkipped():
                self._out.say(f"left out: {event.path}: {sentence(event.code, event.fields)}")
            case events.RunResult():
                self._result(event)

    def _epoch(self, event: events.EpochDone) -> None:
        self._out.say(f"Epoch {event.epoch}/{event.epochs} - {self._memory_words()}")
        accuracy = "-" if event.val_accuracy is None else f"{100 * event.val_accuracy:.2f}%"
        self._out.say(f"Epoch {event.epoch} | Val Acc: {accuracy}")

    def _memory_words(self) -> str:
        memory = self._memory
        if memory is None or memory.allocated_mb is None:
            return "Allocated: unknown"
        if memory.reserved_mb is None:
            return f"Allocated: {memory.allocated_mb:.2f} MB (memory of this process)"
        return f"Allocated: {memory.allocated_mb:.2f} MB / Reserved: {memory.reserved_mb:.2f} MB"

    def _result(self, event: events.RunResult) -> None:
        accuracy = event.val.get("accuracy")
        if accuracy is not None:
            best = f"epoch {event.best_epoch}" if event.best_epoch else "the start, before fine-tuning"
            self._out.answer(f"{100 * accuracy:.2f}% of {event.val['n']} checked photos right (best: {best})")
        if event.status == "stopped":
            self._out.answer("Stopped." if event.model is None else "Stopped; the best model so far is kept.")
        self._out.answer(f"model: {event.model or 'none'}")


def _estimated(event: events.Estimated) -> str:
    from catdog_gui.session.estimates import minutes_text

    rough = "; this computer was not measured yet" if event.rough else ""
    cached = "; these photos were read before" if event.cached else ""
    return f"will take about {minutes_text(event.total_s)} and {event.peak_mb / 1024:.1f} GB of memory{rough}{cached}"


def evaluate(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.answer_commands import poor_photos, robustness_text
    from catdog_gui.engine.answers.evaluate import evaluate as measure
    from catdog_gui.engine.answers.predict import load_model

    out = Output(options)
    predictor = load_model(options.model, device=options.device, careful=options.careful)

    def emit(event: events.Event) -> None:
        if isinstance(event, events.Progress):
            out.progress(f"{event.done:,} of {event.total:,} photos")
        else:
            out.event(event)
            if isinstance(event, events.DataWarning | events.PhotoSkipped):
                where = f"{event.path}: " if isinstance(event, events.PhotoSkipped) else ""
                out.say(f"note: {where}{sentence(event.code, event.fields)}")

    try:
        found = measure(predictor, options.data, emit, should_stop)
        rows = poor_photos(predictor, options.data, out, should_stop) if options.robustness else []
    finally:
        predictor.close()
    out.result(found.to_json() | ({"robustness": [row.to_json() for row in rows]} if options.robustness else {}))
    out.answer(f"{100 * found.accuracy:.2f}% of {found.photos:,} photos right, log loss {found.log_loss:.4f}")
    out.answer(f"calibration error {100 * found.ece:.2f}%")
    out.answer(", ".join(f"{name.replace('_', ' ')}: {count:,}" for name, count in found.verdicts.items()))
    for name, row in zip(found.classes, found.confusion, strict=True):
        told = ", ".join(f"{count:,} {said}" for said, count in zip(found.classes, row, strict=True))
        out.answer(f"{name} were called: {told}")
    for line in robustness_text(rows):
        out.answer(line)
    return 0


def explain(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- over in a moment
    from catdog_gui.answer_commands import explain as run

    return run(options, Output(options))


def export(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.export.job import export_model

    out = Output(options)
    written = export_model(
        options.model,
        options.out,
        int8=options.int8,
        force=options.force,
        on_progress=lambda done, total: out.progress(f"{done} of {total} answers compared"),
        should_stop=should_stop,
    )
    out.result(written.to_json())
    about = {"run": "photos of the run", "drawn": "drawings", "mixed": "photos of the run and drawings"}[written.photos]
    out.answer(f"wrote {written.file} ({written.size_mb:.1f} MB) and {written.example}")
    out.answer(
        f"{written.agree} of {written.checked} answers about {about} are the program's, probabilities at most"
        f" {written.largest_difference:.2g} apart"
    )
    if written.own is not None:
        out.answer(
            f"note: here the program itself answers in {written.own.precision}: {written.own.same} of {written.checked}"
            f" the same, at most {written.own.largest_difference:.2g} apart"
        )
    return 0


def bench(options: argparse.Namespace, should_stop: ShouldStop) -> int:
    from catdog_gui.engine.comparison.bench import compare
    from catdog_gui.session.comparison import row_name, to_text

    out = Output(options)
    config = dataclasses.replace(preset("article"), model=options.model)

    def emit(event: events.Event) -> None:
        if isinstance(event, events.BenchProgress):
            out.progress(f"{row_name(event)}: {'warming up' if not event.pieces else f'{event.pieces} timed'}")
        else:
            out.event(event)

    found = compare(options.data, emit, should_stop, config=config)
    rows = [{k: v for k, v in events.to_dict(row).items() if k not in ("v", "type")} for row in found.rows]
    facts = {name: getattr(found, name) for name in ("photos", "model", "batch_size", "image_size")}
    out.result({"status": "stopped" if found.stopped else "completed", "rows": rows, **facts})
    step = f"{found.batch_size} photos of {found.image_size} px a step"
    out.answer(f"{found.model}, {step}; {found.photos:,} photos in this folder")
    for line in to_text(found.rows).splitlines():
        out.answer(line)
    if found.stopped:
        out.answer("Stopped.")
    return _STOPPED if found.stopped else 0


def runs(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- nothing to stop
    from catdog_gui.engine.runs import runlog

    out = Output(options)
    if options.delete is not None:
        run = runlog.find_run(options.delete)
        runlog.check_deletable(run)
        if not options.yes and not _confirmed(f"Delete the run {run} with its model for good?"):
            raise UsageError("not_confirmed", run=str(run))
        runlog.delete(run)
        out.result({"deleted": str(run)})
        out.answer(f"Deleted: {run}")
        return 0
    found = runlog.list_runs()
    rows = ("name", "status", "preset", "model", "accuracy", "epochs", "started")
    out.result({"runs": [{"run": str(run.path), **{key: getattr(run, key) for key in rows}} for run in found]})
    for item in found:
        accuracy = "" if item.accuracy is None else f", {100 * item.accuracy:.2f}% of {item.n_val}"
        out.answer(f"{item.path.name}: {item.name}, {item.preset}, {item.status}{accuracy}")
    if not found:
        out.answer("There are no runs yet.")
    return 0


def _confirmed(question: str) -> bool:
    """Ask on a terminal; no where nobody can answer."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def doctor(options: argparse.Namespace, should_stop: ShouldStop) -> int:  # noqa: ARG001 -- nothing to stop
    from catdog_gui.engine.devices import computer_report, report_text

    out = Output(options)
    keep_what_is_there(options.report, force=options.force)
    report = computer_report()
    if options.report is not None:
        from catdog_gui.engine.problems.problem_report import write_report

        write_report(options.report.absolute(), report)
    out.result(report)
    for line in report_text(report).splitlines():
        out.answer(line)
    if options.report is not None:
        out.say(f"The report is in {options.report}: no photos, and names replaced. Look into it before you send it.")
    return 0
