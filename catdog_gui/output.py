"""What `catdog` says, to programs and to people, and the files that its output goes into."""

import argparse
import contextlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from catdog_gui.engine import events
from catdog_gui.engine.errors import UsageError
from catdog_gui.engine.messages import sentence

ShouldStop = Callable[[], bool]
STOPPED = 130  # the exit code of what the user stopped
FIRST_PAUSE_S, _LONGEST_PAUSE_S = 10.0, 30.0  # between two lines about the work, where no terminal shows it


class Output:
    """Where lines go: JSON to stdout with --json; people read stderr then, else results on stdout.

    clock: seconds, monotonic.
    """

    def __init__(self, options: argparse.Namespace, clock: Callable[[], float] = time.monotonic) -> None:
        self._json: bool = options.json
        self._line_open = False
        self._clock = clock
        self._said_at, self._pause_s = clock(), FIRST_PAUSE_S

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
        self._said_at = self._clock()

    def answer(self, text: str) -> None:
        """A line for people that is the result."""
        self._end_line()
        print(_shown(text), file=sys.stderr if self._json else sys.stdout, flush=True)

    def progress(self, text: str) -> None:
        """Overwrites itself on a terminal; elsewhere a line now and then, but none beside JSON lines that tell it."""
        if sys.stderr.isatty():
            print(f"\r{text:<60}", end="", file=sys.stderr, flush=True)
            self._line_open = True
        elif not self._json and self._clock() - self._said_at >= self._pause_s:
            self.say(text)
            self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)

    def count_answers(self, count: int) -> None:
        """Progress of what says a line for each photo: only where those lines go into a file of their own."""
        with contextlib.suppress(OSError, ValueError):  # no file behind the stream
            answers, words = os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno())
            if stat.S_ISREG(answers.st_mode) and not os.path.samestat(answers, words):
                self.progress(f"{count:,} {'photo' if count == 1 else 'photos'} answered")

    def tell_of_slow(self) -> Callable[[object], None]:
        """For work that reads many photos: says which one has been waited for a minute."""
        from catdog_gui.engine.photos.reading import tells_of_slow

        def note(notice: events.Notice) -> None:
            self.event(notice)
            self.say(f"note: {sentence(notice.code, notice.fields)}")

        return tells_of_slow(note)

    def _end_line(self) -> None:
        if self._line_open:
            print(file=sys.stderr)
            self._line_open = False


def keep_what_is_there(
    path: Path | None, *, force: bool, ending: str = "", is_ours: Callable[[Path], bool] = lambda _path: False
) -> None:
    """Said before the work: an output must not take the place of anything, and needs a folder to lie in.

    ending: of such files, for an example; is_ours: whether a file is an older output of its kind, which it may replace.
    Raises UsageError (export_no_folder, export_target_folder, export_target_exists).
    """
    if path is None:
        return
    folder = path.absolute().parent
    if not os.path.isdir(folder):  # noqa: PTH112 -- Path.is_dir raises where the folder above is forbidden
        raise UsageError("export_no_folder", path=str(folder))
    if path.is_dir():
        raise UsageError("export_target_folder", path=str(path), example=str(path / f"answers{ending}"))
    if force or not path.exists():
        return
    if not path.is_file() or not _may_go(path, is_ours):
        raise UsageError("export_target_exists", path=str(path))


def _may_go(path: Path, is_ours: Callable[[Path], bool]) -> bool:
    try:
        return not path.stat().st_size or is_ours(path)  # an empty file was made to be filled
    except OSError:  # it cannot be read: nobody knows what it is
        return False


def say_step(out: Output, saved: int, asked: int | None) -> None:
    """Where a model's own place on the scale of carefulness counts, and it is not the advised one, that is said."""
    if asked is None and saved:
        out.say(
            f"note: this model was set to {saved:+d}, from -5 (answers everything) to +5 (only when very sure);"
            " --careful 0 asks it as advised"
        )


def _shown(text: str) -> str:
    """The text on one line, as it is: a file's name can neither colour the terminal nor fake a line of its own."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
