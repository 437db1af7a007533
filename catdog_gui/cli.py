"""`catdog`: the work without a window. JSON lines on stdout with --json, everything meant for people on stderr then.

The commands are made from the configuration's fields; what they do is in `commands` and its like.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import signal
import sys
import threading
import time
import traceback
import types
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from catdog_gui import __version__
from catdog_gui.engine.config import NETWORKS, PRESETS, TrainConfig
from catdog_gui.engine.distributed.ranks import RankLostError, is_ranked, tell_torchrun
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.events import VERSION, RunFailed, to_line
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.models.limits import STEPS
from catdog_gui.engine.packages import explained

STOPPED = 130
_ONCE_S = 2.0  # a signal that comes twice within this time was sent once


class _WrongUsage(Exception):
    """What argparse has to say against the command line."""

    def __init__(self, program: str, message: str) -> None:
        super().__init__(message)
        self.program = program


class Parser(argparse.ArgumentParser):
    """Wrong usage is an exception, so that it can be said as a JSON line too."""

    def error(self, message: str) -> NoReturn:
        raise _WrongUsage(self.prog, message)


class Interrupt:
    """Ctrl-C: the first asks to stop, as the Stop button does; the second aborts."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._number, self._asked_at = 0, 0.0

    def install(self) -> None:
        signal.signal(signal.SIGINT, self._on_signal)
        signal.signal(signal.SIGTERM, self._on_signal)

    def _on_signal(self, number: int, _frame: types.FrameType | None) -> None:
        now = time.monotonic()
        if is_ranked() and self._asked.is_set() and number == self._number and now - self._asked_at < _ONCE_S:
            return  # sent to all, and handed on by torchrun besides
        if self._asked.is_set():
            signal.signal(number, signal.SIG_DFL)
            raise KeyboardInterrupt
        self._number, self._asked_at = number, now
        self._asked.set()
        if is_ranked() and os.environ["RANK"] != "0":
            return
        with contextlib.suppress(RuntimeError, OSError):  # the signal may have come in the middle of another print
            print("Stopping… (once more to abort)", file=sys.stderr, flush=True)

    def __call__(self) -> bool:
        return self._asked.is_set()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code of the contract."""
    interrupt = Interrupt()
    if threading.current_thread() is threading.main_thread():
        interrupt.install()  # before anything slow is loaded
    _speak_utf8()
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        options = make_parser().parse_args(arguments)
    except _WrongUsage as error:
        return _usage(error, json_line="--json" in arguments)
    if not options.debug:
        warnings.simplefilter("ignore")  # libraries' remarks are for developers
    try:
        code = _run(options, interrupt)
    except OSError:  # the pipe was closed, or the disk behind it is full
        code = _nobody_reads()
    if is_ranked() or _waits_for_a_dead_drive():
        _end_at_once(code)
    return code


def _waits_for_a_dead_drive() -> bool:
    """Whether a thread still waits for a file of a drive that does not answer: Python would wait for it."""
    reading = sys.modules.get("catdog_gui.engine.photos.reading")
    return reading is not None and bool(reading.is_hanging())


def _end_at_once(code: int) -> NoReturn:
    """The others of several processes, and who pressed Stop, do not wait until torch is taken apart."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _run(options: argparse.Namespace, interrupt: Interrupt) -> int:
    """The command's exit code. Raises OSError where our lines cannot be written any more."""
    try:
        code: int = options.run_command(options, interrupt)
    except CatDogError as error:
        code = _fail(options, error, error.exit_code)
    except (Stopped, KeyboardInterrupt):
        code = _fail(options, CatDogError("stopped_by_user"), STOPPED)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 -- the border
        told = explained(error) or CatDogError("unexpected", reason=f"{type(error).__name__}: {error}")
        code = _fail(options, told, 1, error)
    return code


def _usage(error: _WrongUsage, *, json_line: bool) -> int:
    if json_line:
        line = {"v": VERSION, "type": "error", "code": "usage", "message": str(error), "fields": {}}
        print(json.dumps(line, ensure_ascii=False), flush=True)
    print(f"{error.program}: {error} (see {error.program} --help)", file=sys.stderr)
    return 2


def _nobody_reads() -> int:
    """The end where the other side of the pipe has gone (`catdog ... | head`)."""
    with contextlib.suppress(OSError, ValueError):  # what is still waiting to be written must not fail at the exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with contextlib.suppress(OSError):  # both streams may have been the same pipe
        print(f"catdog: {sentence('output_closed')}", file=sys.stderr, flush=True)
    return 1


def _speak_utf8() -> None:
    """Any file name can be printed, whatever the terminal's encoding is."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _fail(options: argparse.Namespace, error: CatDogError, code: int, cause: Exception | None = None) -> int:
    if options.debug:
        traceback.print_exception(cause or error, file=sys.stderr)
    if is_ranked():
        tell_torchrun(sentence(error.code, error.fields))
    if is_ranked() and os.environ["RANK"] != "0":
        if isinstance(error, RankLostError):  # the first may be the one that is gone
            print(f"catdog: {sentence(error.code, error.fields)}", file=sys.stderr, flush=True)
        return code
    if options.json:
        print(to_line(RunFailed(error.code, dict(error.fields))), flush=True)
    print(f"catdog: {sentence(error.code, error.fields)}", file=sys.stderr, flush=True)
    for way_out in getattr(error, "__notes__", ()):
        print(way_out, file=sys.stderr, flush=True)
    return code


def make_parser() -> Parser:
    """The whole command line. Only commands that work are in it."""
    parser = Parser(prog="catdog", description="Turn a folder of photos into a classifier one can trust.")
    parser.add_argument("--version", action="version", version=f"catdog {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_scan(commands)
    _add_train(commands)
    _add_evaluate(commands)
    _add_predict(commands)
    _add_export(commands)
    _add_bench(commands)
    _add_explain(commands)
    _add_undo_move(commands)
    _add_runs(commands)
    _add_doctor(commands)
    return parser


_MODULES = {"train": "train_command", "predict": "predict_command", "undo-move": "predict_command"}


def _command(commands: Any, name: str, help: str) -> argparse.ArgumentParser:  # noqa: A002, ANN401 -- argparse's words
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help, description=help)
    parser.add_argument("--json", action="store_true", help="one JSON object a line on stdout")
    parser.add_argument("--debug", action="store_true", help="show tracebacks and the libraries' warnings")
    parser.set_defaults(run_command=_runner(name), runs=())
    return parser


def _runner(name: str) -> Callable[[argparse.Namespace, Interrupt], int]:
    def run(options: argparse.Namespace, interrupt: Interrupt) -> int:
        import importlib

        module = _MODULES.get(name, "commands")
        _name_runs(options)
        commands = importlib.import_module(f"catdog_gui.{module}")  # numpy and the decoders come with it
        result: int = getattr(commands, name.replace("-", "_"))(options, interrupt)
        return result

    return run


def _name_runs(options: argparse.Namespace) -> None:
    """Put the run in place of its name where a run or a model is asked for. Raises InputError runs_alike."""
    from catdog_gui.engine.runs import run_list

    for option in options.runs:
        if (given := getattr(options, option)) is not None:
            setattr(options, option, run_list.path_of(given))


def _path(text: str) -> Path:
    """A path as given; an empty one (an unset variable of a script) would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty")
    return Path(text)


def _add_scan(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "scan", "What is in a folder: classes, counts, files left out, warnings.")
    parser.add_argument("data", type=_path, metavar="DATA")
    parser.add_argument("--deep", action="store_true", help="read, hash and decode every file")


def _add_train(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "train", "Train on a folder with one sub-folder per class.")
    parser.add_argument("data", type=_path, metavar="DATA", nargs="?")
    parser.add_argument("--config", type=_path, metavar="FILE", help="settings as in a run's config.json")
    parser.add_argument("--preset", choices=PRESETS, help="how much work to put in (default: fast)")
    parser.add_argument("--resume", type=_path, metavar="RUN", help="go on with a stopped, killed or crashed run")
    parser.add_argument(
        "--changed",
        choices=("keep", "new"),
        help="with --resume, where the photos have changed: keep those of the run, or a new run with those of now",
    )
    parser.add_argument("--replay", action="store_true", help=argparse.SUPPRESS)  # what the run said before comes first
    parser.add_argument("--from", dest="source", type=_path, metavar="RUN", help="a new run from a run's checkpoint")
    parser.set_defaults(runs=("resume", "source"))
    for item in dataclasses.fields(TrainConfig):
        if item.name not in ("data", "preset"):
            _add_setting(parser, item)


def _add_setting(parser: argparse.ArgumentParser, item: "dataclasses.Field[Any]") -> None:
    flag, metadata = "--" + item.name.replace("_", "-"), item.metadata
    unit = f" ({metadata['unit']})" if metadata["unit"] else ""
    common = {"default": None, "help": metadata["help"].rstrip(".") + unit, "dest": item.name}
    if isinstance(item.default, bool):
        parser.add_argument(flag, action=argparse.BooleanOptionalAction, **common)
    elif metadata["choices"]:
        parser.add_argument(flag, choices=metadata["choices"], **common)
    elif isinstance(item.default, int | float):
        parser.add_argument(flag, type=type(item.default), metavar="N", **common)
    else:
        kind = str if isinstance(item.default, str) else _path
        parser.add_argument(flag, type=kind, metavar=metadata["metavar"], **common)


def _add_evaluate(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "evaluate", "How well a model answers a labelled folder.")
    _add_model(parser)
    parser.add_argument("data", type=_path, metavar="DATA")
    parser.add_argument("--robustness", action="store_true", help="also poor photos: turned, cropped, dark, ...")
    _add_careful(parser)
    parser.add_argument("--device", default="auto", metavar="DEVICE")


def _add_predict(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "predict", "Classify photos and folders of photos.")
    _add_model(parser)
    parser.add_argument("paths", type=_path, metavar="PATH", nargs="+")
    parser.add_argument("--csv", type=_path, metavar="FILE", help="write the answers as a table")
    parser.add_argument("--json-file", type=_path, metavar="FILE", help="write the answers as one JSON object")
    parser.add_argument("--force", action="store_true", help="replace files that are there already")
    parser.add_argument("--sort-into", type=_path, metavar="DIR", help="copy the photos into one folder a class")
    parser.add_argument("--move", action="store_true", help="with --sort-into: move them; undo-move brings them back")
    _add_careful(parser)
    parser.add_argument("--device", default="auto", metavar="DEVICE")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=_path, metavar="MODEL", help="a model file, or a run: its folder or its name")
    parser.set_defaults(runs=("model",))


def _add_careful(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--careful",
        type=int,
        choices=range(-STEPS, STEPS + 1),
        metavar="N",
        help="-5 (answers everything) to 5 (only when very sure); 0: by the written rule (default: as saved)",
    )


def _add_explain(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "explain", "Why a photo is answered so: heat map and most similar photos.")
    _add_model(parser)
    parser.add_argument("photo", type=_path, metavar="PHOTO")
    parser.add_argument("--heat-map", type=_path, metavar="FILE", help="write what it saw, with the heat map (PNG)")
    parser.add_argument("--force", action="store_true", help="replace the file where it is there already")
    parser.add_argument("--device", default="auto", metavar="DEVICE")


def _add_export(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "export", "Write a model for other programs, and check its answers.")
    _add_model(parser)
    parser.add_argument("out", type=_path, metavar="OUT", help="the file to write, such as pets.onnx")
    parser.add_argument("--format", choices=["onnx"], default="onnx", help="the kind of file (default: onnx)")
    parser.add_argument("--int8", action="store_true", help="weights in 8 bits: smaller, a little less exact")
    parser.add_argument("--force", action="store_true", help="replace the file and its example where they exist")


def _add_bench(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "bench", "Train the same short piece on every device, and compare.")
    parser.add_argument("data", type=_path, metavar="DATA")
    parser.add_argument("--model", choices=NETWORKS, default="small_cnn", help="network (default: the article's)")


def _add_undo_move(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "undo-move", "Bring back the photos of the last predict --sort-into DIR --move.")
    parser.add_argument(
        "journal", type=_path, metavar="JOURNAL", nargs="?", help="an earlier move's (default: the last)"
    )
    parser.add_argument("--verbose", action="store_true", help="name each photo that came back")


def _add_runs(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "runs", "The runs that are kept, newest first.")
    parser.add_argument("--delete", metavar="RUN", help="delete this run (its name or folder) with its model, for good")
    parser.add_argument("--yes", action="store_true", help="delete without asking")
    parser.add_argument(
        "--mistakes",
        metavar="RUN",
        help="the photos that this run was checked with and got wrong, the surest first (the probability in --json is"
        " the check's, calibrated on the other photos; predict tells the finished model's)",
    )


def _add_doctor(commands: Any) -> None:  # noqa: ANN401
    parser = _command(commands, "doctor", "What this computer has, what works, what does not and why.")
    parser.add_argument("--report", type=_path, metavar="FILE", help="write a zip about a problem, without any names")
    parser.add_argument("--force", action="store_true", help="replace files that are there already")


if __name__ == "__main__":
    sys.exit(main())
