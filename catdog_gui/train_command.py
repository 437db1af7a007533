"""`catdog train`: a new run, one that goes on, and what is said meanwhile."""

import argparse
import contextlib
import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, from_json, preset
from catdog_gui.engine.distributed.ranks import ALONE, Ranks
from catdog_gui.engine.errors import InputError, UsageError
from catdog_gui.engine.files import read_json
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.listing import Policy
from catdog_gui.output import STOPPED, Output, ShouldStop

_STARTED = time.perf_counter()


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
    return exit_code_of(ranks, STOPPED) if code == STOPPED else code


def _train(options: argparse.Namespace, should_stop: ShouldStop, ranks: Ranks) -> int:
    from catdog_gui.engine.training.run import fit, resume

    out = Output(options)
    speaker, began = TrainSpeaker(out), seconds_since_start()
    if options.resume is not None:
        _refuse_settings(options)
        if options.changed != "new":
            policy: Policy = "keep" if options.changed else "ask"
            with _naming_ways(options.resume):
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
            return STOPPED if result.status == "stopped" else 0
    elif options.changed:
        raise UsageError("only_with_resume")
    source = options.resume or options.source
    config = _train_config(options)
    if ranks.count == 1:
        _measure_first(config, out, should_stop)
    result = fit(config, speaker, should_stop, began=began, source=source, ranks=ranks)
    return STOPPED if result.status == "stopped" else 0


@contextlib.contextmanager
def _naming_ways(run: Path) -> Iterator[None]:
    """Where the photos have changed, the refusal names the commands that go on all the same."""
    try:
        yield
    except InputError as error:
        command = f"catdog train --resume {printable(str(run))} --changed"
        if error.code in ("photos_changed", "classes_added"):
            error.add_note(f"with the photos of the run: {command} keep")
        if error.code in ("photos_changed", "classes_added", "classes_changed"):
            error.add_note(f"a new run with those of now: {command} new")
        raise


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


class TrainSpeaker:
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
            case events.Progress() | events.StepDone():
                self._out.progress(_how_far(event))
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
            self._out.say("(best: the smallest log loss on the checked photos, once calibrated)")
        if event.status == "stopped":
            kept = "nothing was learned yet" if event.model is None else "the best model so far is kept"
            self._out.answer(f"Stopped; {kept}.")
            if event.run:
                self._out.say(f"To go on: catdog train --resume {printable(event.run)}")
        self._out.answer(f"model: {event.model or 'none'}")


def _how_far(event: events.Progress | events.StepDone) -> str:
    rate = f", {event.photos_per_s:.0f} photos/s" if event.photos_per_s else ""
    if isinstance(event, events.StepDone):
        whole = f" of {event.steps:,}" if event.steps else ""  # older runs do not say
        return f"step {event.step:,}{whole}{rate}"
    if event.unit == "MB":
        return f"{event.done:,} of {event.total:,} MB of the network's weights fetched"
    if not event.total:
        return f"{event.done:,} files found"
    done = {"prepare": "read", "validate": "checked"}.get(event.phase, "looked at")
    return f"{event.done:,} of {event.total:,} photos {done}{rate}"


def _estimated(event: events.Estimated) -> str:
    from catdog_gui.session.estimates import minutes_text

    rough = "; this computer was not measured yet" if event.rough else ""
    cached = "; these photos were read before" if event.cached else ""
    return f"will take about {minutes_text(event.total_s)} and {event.peak_mb / 1024:.1f} GB of memory{rough}{cached}"


def seconds_since_start() -> float:
    """perf_counter's value at which this process started."""
    import psutil

    alive = time.time() - psutil.Process().create_time()
    return time.perf_counter() - max(alive, 0.0) if alive < 3600 else _STARTED
