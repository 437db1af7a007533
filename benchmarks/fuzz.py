"""Mutated photos, model files, run folders, settings and archives through the program, in child processes.

usage: fuzz.py [--count N] [--seed S] [--kinds jpeg,tiff,...] [--keep DIR]    any fault: exit 1
       fuzz.py --kinds tiff --seed S --show 123 > mutant     the mutant of a fault, to look at

Seeded: the same arguments give the same mutants. A fault is: a child that dies, a case over 10 s or 1 GB more than
before, an exception that is none of the program's own, code executed, a connection opened, a file written outside the
case's folder.
"""

import argparse
import contextlib
import faulthandler
import importlib.util
import os
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from fuzzing.kinds import HEIC, KINDS

Case = Callable[[random.Random], str]  # one mutant through the program; its outcome in a word

LIMIT_S = 10.0
HANG_S = 9.0
LIMIT_MB = 1024
_STARTING_S = 120.0  # libraries are loaded before the first case
_FORBIDDEN = (
    "subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "pty.spawn", "socket.connect",
    "pickle.find_class", "ctypes.dlopen", "os.startfile", "webbrowser.open",
)  # fmt: skip
_WRITES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.truncate", "shutil.rmtree")


# --- the child --------------------------------------------------------------------------------------------------------


class Guard:
    """An audit hook: while a case runs nothing is executed, and nothing written outside `place`."""

    def __init__(self, place: Path) -> None:
        self._place = os.path.realpath(place)
        maps = Path("/proc/self/maps")
        lines = maps.read_text().splitlines() if maps.exists() else []
        self._loaded = {os.path.realpath(line.split()[-1]) for line in lines if "/" in line}
        self.on = False
        self.seen = ""

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.on:
            return
        if event == "ctypes.dlopen" and self._is_loaded(arguments[0]):
            return  # threadpoolctl asks libraries that are here for their number of threads
        if event in _FORBIDDEN:
            self.seen = event
        elif (event == "open" and _is_writing(arguments)) or event in _WRITES:
            target, beside = arguments[0], arguments[-1]
            if event != "open" and isinstance(beside, int) and beside >= 0:
                return  # a name in a folder that was opened before: rmtree's way
            if isinstance(target, str | bytes | os.PathLike) and not self._is_inside(os.fsdecode(target)):
                self.seen = f"{event} {os.fsdecode(target)!a}"

    def _is_loaded(self, library: object) -> bool:
        """Whether the library was in this process when the hook was made."""
        return library is None or (isinstance(library, str) and os.path.realpath(library) in self._loaded)

    def _is_inside(self, path: str) -> bool:
        return os.path.realpath(path).startswith((self._place, os.devnull))


def _is_writing(arguments: tuple[object, ...]) -> bool:
    _path, mode, flags = (*arguments, None, None, None)[:3]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def child(kind: str, seed: int, first: int, count: int) -> int:
    """Run the cases, a line before and a line after each."""
    faulthandler.enable()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        os.environ["CATDOG_HOME"] = name
        test = _test_case(kind)
        case = test or _prepared(kind, place)
        if test is None:
            _outcome(case, random.Random(0))  # what is loaded late is loaded now
        guard = Guard(place)
        sys.addaudithook(guard)
        for number in range(first, first + count):
            print(f"begin {number}", flush=True)
            before, began = _reset_peak(), time.perf_counter()
            faulthandler.dump_traceback_later(HANG_S)  # where it hangs, before the parent ends it
            guard.seen, guard.on = "", True
            outcome = _outcome(case, random.Random(f"{kind} {seed} {number}"))
            guard.on = False
            more, took = _peak() - before, time.perf_counter() - began
            print(f"end {number} {took:.3f} {more} {'!' + guard.seen if guard.seen else outcome!s}", flush=True)
    return 0


def _prepared(kind: str, place: Path) -> Case:
    from fuzzing.targets import prepare

    return prepare(kind, place)[0]


def _outcome(case: Case, rng: random.Random) -> str:
    try:
        return case(rng)
    except Exception as error:
        import traceback

        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"!{type(error).__name__}: {str(error)[:200]!r} at {Path(frame.filename).name}:{frame.lineno}"


def _test_case(kind: str) -> Case | None:
    """Faults made on purpose, by which a test sees that they are noticed."""

    def faulty(rng: random.Random) -> str:
        if rng.random() < 0.5:
            return "read"
        if kind == "test-dies":
            os.abort()
        if kind == "test-hangs":
            time.sleep(3600)
        if kind == "test-eats":
            return str(len(bytearray(LIMIT_MB * 2**20 + 2**26)))
        if kind == "test-writes":
            with contextlib.suppress(OSError), (Path(tempfile.gettempdir()) / "no" / "x").open("w"):
                pass
            return "read"
        if kind == "test-runs":
            os.system("true")
            return "read"
        raise ZeroDivisionError(kind)

    return faulty if kind.startswith("test-") else None


def _reset_peak() -> int:
    """Start counting the largest memory anew (Linux); returns what is in use, in MiB."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _peak() -> int:
    return _status("VmHWM")


def _status(key: str) -> int:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:  # another system: memory is not watched
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith(key)), 0)


# --- the parent -------------------------------------------------------------------------------------------------------


@dataclass
class Found:
    """What became of one kind's cases. faults: (number, what)."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)
    slowest_s: float = 0.0
    most_mb: int = 0

    @property
    def count(self) -> int:
        return sum(self.outcomes.values()) + len(self.faults)


def run_kind(kind: str, seed: int, count: int, limit_s: float) -> Found:
    """All cases of a kind; a child that dies or hangs is replaced by one that begins with the next case."""
    found, first = Found(), 0
    while first < count:
        first = _run_child(kind, seed, first, count - first, limit_s, found)
    return found


def _run_child(kind: str, seed: int, first: int, count: int, limit_s: float, found: Found) -> int:
    """Returns the number of the case after the last one that was begun."""
    command = [sys.executable, __file__, "--child", kind, str(seed), str(first), str(count)]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=said, text=True, encoding="utf-8", errors="replace"
        )
        current, done = None, first
        for line in _lines(process, limit_s):
            word, _, rest = line.partition(" ")
            if word == "begin":
                current = int(rest)
            elif word == "end":
                _note(rest, found)
                done, current = int(rest.split()[0]) + 1, None
        hung = process.poll() is None
        process.kill()
        code = process.wait()
        if current is None and done == first + count and code in (0, -9):
            return done
        said.seek(0)
        tail = said.read()[-2000:].decode("utf-8", "replace")
    if current is None and done == first and not hung:
        raise SystemExit(f"the child for {kind} did not start:\n{tail}")
    number = done if current is None else current
    found.faults.append((number, f"{f'over {limit_s:.0f} s' if hung else f'died with {code}'}: {_where(tail)}"))
    return number + 1


def _lines(process: "subprocess.Popen[str]", limit_s: float) -> Iterator[str]:
    """Lines until the end, or until none has come for the time limit."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    wait = _STARTING_S
    while True:
        try:
            line = lines.get(timeout=wait)
        except queue.Empty:
            return
        if line is None:
            process.wait(10)
            return
        wait = limit_s
        yield line


def _note(rest: str, found: Found) -> None:
    number, took, more, outcome = rest.split(" ", 3)
    found.slowest_s, found.most_mb = max(found.slowest_s, float(took)), max(found.most_mb, int(more))
    if int(more) > LIMIT_MB:
        found.faults.append((int(number), f"{more} MB"))
    elif outcome.startswith("!"):
        found.faults.append((int(number), outcome[1:]))
    else:
        found.outcomes[outcome] += 1


def _where(tail: str) -> str:
    return " | ".join(line.strip() for line in tail.splitlines()[:8])


def show(kind: str, seed: int, number: int) -> NoReturn:
    from fuzzing.targets import prepare

    with tempfile.TemporaryDirectory() as name:
        mutant = prepare(kind, Path(name))[1](random.Random(f"{kind} {seed} {number}"))
    sys.stdout.buffer.write(mutant if isinstance(mutant, bytes) else repr(mutant).encode("utf-8", "surrogateescape"))
    raise SystemExit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="mutants of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--limit-s", type=float, default=LIMIT_S)
    parser.add_argument("--show", type=int, metavar="NUMBER", help="write this mutant to stdout")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        kind, *numbers = options.child
        return child(kind, *map(int, numbers))
    if options.show is not None:
        show(options.kinds, options.seed, options.show)
    faults = 0
    for kind in options.kinds.split(","):
        if kind == HEIC and importlib.util.find_spec("pillow_heif") is None:
            print(f"{kind:<17} skipped: pillow-heif is not installed", flush=True)
            continue
        began = time.perf_counter()
        found = run_kind(kind, options.seed, options.count, options.limit_s)
        faults += len(found.faults)
        told = ", ".join(f"{name} {count}" for name, count in found.outcomes.most_common(6))
        print(f"{kind:<17} {found.count:>6} mutants  {len(found.faults)} faults  slowest {found.slowest_s:.2f} s  "
              f"most {found.most_mb} MB  ({time.perf_counter() - began:.0f} s: {told})", flush=True)  # fmt: skip
        for number, what in found.faults[:5]:
            print(f"    {kind} {options.seed} {number}: {what}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
