"""`fit(config, emit, should_stop)`: from a folder of photos to a model. The recipe, top to bottom.

scan -> prepare (every photo read, hashed, decoded; frozen stages run over it) -> train -> check -> save.
"""

import contextlib
import dataclasses
import time
from collections.abc import Callable
from pathlib import Path

from catdog_gui.engine import devices, events, home
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.datasets.scan_result import Scan
from catdog_gui.engine.distributed.ranks import ALONE, Ranks, by_first
from catdog_gui.engine.errors import CatDogError, ConfigError, Stopped, UsageError
from catdog_gui.engine.preparing.report import Emit, Report
from catdog_gui.engine.preparing.setup import NowAndThen, Setup, ShouldStop, started_event, write_config
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.runs.listing import Policy
from catdog_gui.engine.training import going_on, on_cards
from catdog_gui.engine.training.ending import ended, failures_noted, stopped_at_once
from catdog_gui.engine.training.estimating import say_estimate


def _silent(_event: events.Event) -> None:
    pass


def _never() -> bool:
    return False


def fit(
    config: TrainConfig,
    emit: Emit = _silent,
    should_stop: ShouldStop = _never,
    *,
    began: float | None = None,
    source: Path | None = None,
    ranks: Ranks = ALONE,
) -> events.RunResult:
    """Train as `config` says; the run folder gets everything. Any thread, one run a thread.

    emit: gets every event, the RunResult last; should_stop: looked at between photos and steps. began: when the
    program started, in time.perf_counter()'s seconds, for `seconds.total`. source: the run whose end to start from.
    ranks: the processes that compute the run; each calls this, the first one's settings count, only the first writes.
    Raises CatDogError: InputError for photos that cannot be used, UsageError for settings, others while working.
    """
    start = time.perf_counter() if began is None else began
    config = by_first(ranks, config.validated)
    beginning = by_first(ranks, lambda: going_on.end_of(source, config)) if source is not None else None
    cards = on_cards.cards_for(config, ranks)
    if cards > 1:
        return on_cards.begin(_made(config), config, cards, emit, should_stop, source)
    report = Report(emit if ranks.is_first else _silent, "cpu", tolerant=config.disk_full == "go_on")
    report.phase("scan")
    try:
        found = _scanned(config, report, should_stop, ranks)
    except Stopped:
        return stopped_at_once(report, start)
    device = _device(config.device, ranks)
    report.use_device(device.id)
    with _folder(lambda: _made(config), ranks) as folder:
        setup = _set_up(config, device, found, folder, report, should_stop, ranks, source=source)
        setup.source = beginning
        if ranks.is_first:
            say_estimate(setup)
        with failures_noted(setup):
            return _run(setup, start)


def _made(config: TrainConfig) -> runlog.RunFolder:
    _keep_out_of_photos(config)
    folder = runlog.create(config.run)
    if config.run is None:
        try:
            run_list.name_apart(folder.path, config.data)
        except CatDogError:
            folder.close()
            raise
    return folder


def _folder(make: Callable[[], runlog.RunFolder], ranks: Ranks) -> runlog.RunFolder:
    """The run's folder: the first rank's own, to write; the others only know where it is."""
    own = ranks.attempt(lambda: make() if ranks.is_first else None, unequal=True)
    path = ranks.share(own.path if own is not None else None)
    assert path is not None
    return own or runlog.WatchedFolder(path)


def _device(wanted: str, ranks: Ranks) -> devices.DeviceInfo:
    """This rank's device: of several ranks each has a card of its own, where there are cards."""

    def resolved() -> devices.DeviceInfo:
        found = devices.resolve(wanted)
        return devices.resolve(f"cuda:{ranks.local}") if ranks.count > 1 and found.kind == "cuda" else found

    device = ranks.attempt(resolved, unequal=True)
    ranks.compute_on(device.id)
    return device


def resume(
    run: Path,
    emit: Emit = _silent,
    should_stop: ShouldStop = _never,
    *,
    began: float | None = None,
    policy: Policy = "ask",
    replay: bool = False,
    device: str | None = None,
    ranks: Ranks = ALONE,
) -> events.RunResult:
    """Go on with a run that was stopped, killed or failed, exactly at its checkpoint; of a finished one the result.

    policy: where its photos have changed "ask" refuses and lists them, "keep" goes on with those of the run.
    replay: emit first what was said before. device: where to, if not where it was. Otherwise as `fit`. Raises
    InputError photos_changed, classes_changed, not_a_run besides.
    """
    start = time.perf_counter() if began is None else began
    emit = emit if ranks.is_first else _silent
    config = by_first(ranks, lambda: _config_of(run, device))
    result = by_first(ranks, lambda: going_on.result_of(run))
    if result is not None:
        emit(result)
        return result
    cards = on_cards.cards_for(config, ranks)
    if cards > 1:
        return on_cards.go_on(run, cards, emit, should_stop, policy=policy, replay=replay, device=device)
    report = Report(emit, "cpu", tolerant=config.disk_full == "go_on")
    with _folder(lambda: going_on.open_again(run), ranks) as folder:
        record = going_on.Record(run, folder)
        with record.kept_by_refusals():
            left = by_first(ranks, lambda: going_on.where_left(run, folder, policy))
            source = left.source
            beginning = by_first(ranks, lambda: going_on.end_of(source, config)) if source is not None else None
            for event in runlog.read_events(run) if replay and ranks.is_first else ():
                emit(event)
            report.phase("scan")
            try:
                found = _scanned(config, report, should_stop, ranks)
            except Stopped:
                before = record.stopped()
                if before is not None:
                    record.put_back()
                else:
                    report.attach(folder)
                return stopped_at_once(report, start, run, left.start.done if left.start else 0, before)
            used = _device(device or left.device or config.device, ranks)
            report.use_device(used.id)
            setup = _set_up(config, used, found, folder, report, should_stop, ranks, before=left, source=source)
            setup.source = beginning
            with failures_noted(setup):
                return _run(setup, start, record)


def _config_of(run: Path, device: str | None) -> TrainConfig:
    config = dataclasses.replace(runlog.read_config(run), run=run)
    return config if device is None else dataclasses.replace(config, device=device).validated()


def _keep_out_of_photos(config: TrainConfig) -> None:
    """The user's photo folder is never written to. Raises UsageError run_in_photos."""
    place = (config.run or home.runs_dir()).expanduser().resolve()
    for photos in (config.data, config.val):
        if photos is not None and place.is_relative_to(photos.resolve()):
            raise UsageError("run_in_photos", run=str(place), photos=str(photos))


def _scanned(config: TrainConfig, report: Report, should_stop: ShouldStop, ranks: Ranks) -> Scan:
    """The first rank's scan, for all; the others wait for as long as it moves."""
    return by_first(ranks, lambda: _scan(config, report, lambda: ranks.wants_stop(should_stop)))


def _scan(config: TrainConfig, report: Report, should_stop: ShouldStop) -> Scan:
    if config.data is None:
        raise ConfigError("data_missing", "data")
    if config.val is not None and config.val.resolve() == config.data.resolve():
        raise ConfigError("val_is_data", "val")
    found = scan(
        config.data,
        val=config.val,
        use_split=config.use_split,
        should_stop=should_stop,
        progress=lambda done: report.progress("scan", done, 0),
    )
    found.refuse()
    for finding in found.warnings:
        report.say(events.DataWarning(finding.code, dict(finding.fields)))
    for file in found.skipped:
        report.say(events.PhotoSkipped(file.path, file.code, dict(file.fields)))
    return found


def _set_up(
    config: TrainConfig,
    device: devices.DeviceInfo,
    found: Scan,
    folder: runlog.RunFolder,
    report: Report,
    should_stop: ShouldStop,
    ranks: Ranks,
    *,
    before: going_on.Left | None = None,
    source: Path | None = None,
) -> Setup:
    """before: where a run that goes on was left; source: the run that this one starts from."""
    wanted = before.precision if before and before.precision in device.precisions else config.precision
    precision = devices.choose_precision(wanted, device)
    started = time.time()

    stop_file, pause_file = NowAndThen(folder.stop_asked), NowAndThen(folder.pause_asked, for_good=False)

    def stop() -> bool:
        return ranks.wants_stop(lambda: should_stop() or stop_file(), pause_file)

    setup = Setup(config, device, precision, found, folder, report, stop, started, ranks=ranks)
    setup.facts = {
        "started": started,
        **going_on.versions(),
        "device": device.id,
        "device_name": device.name,
        "precision": precision,
        "processes": ranks.count,
        **({going_on.FROM: str(source.absolute())} if source is not None else {}),
    }
    if before is not None:
        setup.start, setup.listing, setup.before = before.start, before.listing, before.facts
    write_config(setup)
    report.attach(folder)
    if before is None:
        report.say(started_event(setup, found.classes, {}))
    else:
        going_on.tell(setup, before)
    return setup


def _run(setup: Setup, start: float, record: going_on.Record | None = None) -> events.RunResult:
    """From the run folder on: prepare, learn, save. A stop leads to the same end with what there is by then.

    record: of a run that goes on; it stays where the run is stopped before it learns.
    """
    report = setup.report
    report.phase("prepare")
    report.count_as("imports")
    from catdog_gui.engine.training.epochs import Outcome, learn

    report.count_as("prepare")
    outcome: Outcome | None = None
    with contextlib.suppress(Stopped):
        outcome = learn(setup)
    before = record.stopped() if record is not None and outcome is None else None
    result = ended(setup, outcome, start, before)
    if record is not None and before is not None:
        record.put_back()
    return result
