"""A zip about a problem that can be sent to strangers: this computer, the settings, the log's end, the last run.

No photos, no names, no paths outside the program: `anonymous.Anonymizer` says what stays.
"""

import dataclasses
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catdog_gui import __version__
from catdog_gui.engine import events, home
from catdog_gui.engine.files import read_json, write_atomic
from catdog_gui.engine.problems.anonymous import Anonymizer
from catdog_gui.engine.runs import run_list, runlog

LOG_BYTES = 200_000  # of the end of the log
MOST_STEPS = 2_000  # lines about steps and memory; the newest
_MOST_NAMES = 200_000
_ABOUT = """A report about a problem with catdog_gui {version}.

computer.json    what the computer has, as `catdog doctor` says it
settings.json    what the window remembers
log.txt          the end of the log file
details.txt      what "Copy details" gives, where a failure was on screen
run/             settings and events of the run, without its model

It holds no photos. Names of people, classes, files and folders are replaced: class-1, name-2.jpg, <path>.
"""


def write_report(target: Path, computer: dict[str, Any], *, run: Path | None = None, details: str = "") -> None:
    """Write the zip. computer: `devices.computer_report()`; run: the run it is about, None = the newest.

    Raises CatDogError (disk_full, cannot_write); what was at `target` stays then.
    """
    run = run or next((summary.path for summary in run_list.list_runs()), None)
    write_atomic(target, build_report(computer, run, details))


def build_report(computer: dict[str, Any], run: Path | None, details: str) -> bytes:
    """The zip's bytes."""
    names = Anonymizer()
    for folder in _runs(run):
        _learn_run(folder, names)
    settings = read_json(home.settings_file()) or {}
    for recent in _texts(settings.get("recent")):
        _learn_path(recent, names)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as report:

        def add(name: str, text: str) -> None:
            report.writestr(name, text.encode("utf-8", "backslashreplace"))

        add("README.txt", _ABOUT.format(version=__version__))
        add("computer.json", _json(names.prose(_without_places(computer))))
        add("settings.json", _json(names.value({key: settings[key] for key in settings if key != "geometry"})))
        add("log.txt", names.text(_log_end()))
        if details:
            add("details.txt", names.text(details))
        if run is not None:
            add("run/config.json", _json(names.value(read_json(run / runlog.CONFIG) or {})))
            add("run/events.jsonl", "\n".join(_events(run, names)))
    return packed.getvalue()


def _runs(run: Path | None) -> list[Path]:
    """Every run here, since the log may speak of any of them."""
    runs = [summary.path for summary in run_list.list_runs()]
    return runs if run is None or run in runs else [*runs, run]


def _learn_run(run: Path, names: Anonymizer) -> None:
    config = read_json(run / runlog.CONFIG) or {}
    for key in ("data", "val", "run"):
        _learn_path(str(config.get(key) or ""), names)
    names.learn_names(_texts([(read_json(run / runlog.NAME) or {}).get("name")]))
    for event in runlog.read_events(run):
        if isinstance(event, events.RunStarted | events.RunResult):
            names.learn_classes(event.classes)
            _learn_path(event.run, names)
        elif isinstance(event, events.PhotoSkipped):
            _learn_path(event.path, names)
    try:
        with (run / runlog.PHOTOS).open(encoding="utf-8", errors="replace") as lines:
            for _number, line in zip(range(_MOST_NAMES), lines, strict=False):
                _learn_photo(line, names)
    except OSError:
        return


def _learn_photo(line: str, names: Anonymizer) -> None:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(values, dict):
        names.learn_classes(_texts([values.get("label")]))
        for path in _texts([values.get("path")]):
            _learn_path(path, names)


def _learn_path(path: str, names: Anonymizer) -> None:
    """The whole path, each of its parts, and the file's name without its ending."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if parts:
        names.learn_names([path, *parts, parts[-1].rpartition(".")[0]])


def _texts(values: object) -> list[str]:
    return [item for item in values if isinstance(item, str)] if isinstance(values, list) else []


def _without_places(computer: dict[str, Any]) -> dict[str, Any]:
    inner = computer.get("computer")
    kept = {key: value for key, value in inner.items() if key != "executable"} if isinstance(inner, dict) else inner
    return {**computer, "computer": kept}


def _log_end() -> str:
    """The log's newest lines, those of the file before included where the newest is short."""
    data = b""
    for file in (home.log_file(), home.log_file().with_name(home.log_file().name + ".1")):
        try:
            data = file.read_bytes()[-LOG_BYTES:] + data if len(data) < LOG_BYTES else data
        except OSError:
            break
    return data[-LOG_BYTES:].decode("utf-8", "replace")


def _events(run: Path, names: Anonymizer) -> Iterator[str]:
    """The run's lines, worded anew from what is left of their fields."""
    all_events = list(runlog.read_events(run))
    frequent = [number for number, event in enumerate(all_events) if isinstance(event, _FREQUENT)]
    dropped = set(frequent[:-MOST_STEPS])
    for number, event in enumerate(all_events):
        if number not in dropped:
            values = {item.name: getattr(event, item.name) for item in dataclasses.fields(event)}
            clean = names.value(values)
            made = events.from_dict({**clean, "type": event.type}) if isinstance(clean, dict) else None
            if made is not None:
                yield events.to_line(made)


_FREQUENT = (events.StepDone, events.MemorySample, events.Progress)


def _json(values: object) -> str:
    return json.dumps(events.finite(values), ensure_ascii=False, indent=1)
