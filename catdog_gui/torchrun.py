"""torchrun, ended as a command ends: with the sentence and the exit code of `catdog`, as soon as its processes have.

    python -m catdog_gui.torchrun [torchrun's options] -- train DATA [options of catdog]

torchrun itself ends every failure, and Ctrl-C, with 1 and a traceback, and takes a second or more to end.
"""

import contextlib
import logging
import os
import sys
import tempfile
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

from catdog_gui.engine import events
from catdog_gui.engine.distributed.ranks import LAUNCHED, OWNED
from catdog_gui.engine.errors import FieldValue
from catdog_gui.engine.messages import sentence

_STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """The exit code of the process that failed first; 1 where a signal ended it, which is then said."""
    if OWNED in os.environ:
        threading.Thread(target=_end_with_starter, name="catdog-starter", daemon=True).start()
    middle = arguments.index("--") if "--" in arguments else len(arguments)
    own, of_catdog = arguments[:middle], arguments[middle + 1 :]
    if not of_catdog:
        sys.stderr.write(f"{(__doc__ or '').split(chr(10) * 2)[1].strip()}\n")
        return 2
    os.environ[LAUNCHED] = "1"
    logging.disable(logging.CRITICAL)  # torchrun's own report of what the processes say themselves
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as logs:
        options = run.parse_args(["--log-dir", logs, *own, "-m", "--", "catdog_gui.cli", *of_catdog])  # type: ignore[no-untyped-call]
        _share_out_cores(options.nproc_per_node)
        try:
            run.run(options)  # type: ignore[no-untyped-call]
        except ChildFailedError as error:
            return _told(*error.get_first_failure(), as_json="--json" in of_catdog)
        except SignalException:  # the processes got it too, and have stopped
            return _STOPPED
    return 0


def _share_out_cores(processes: str) -> None:
    """torchrun's own choice is one core for each process, with a warning."""
    if str(processes).isdecimal():
        os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // int(processes))))


def _told(number: int, failure: Any, *, as_json: bool) -> int:  # noqa: ANN401 -- torch's ProcessFailure
    """Say what nobody else could: that a signal ended a process."""
    code: int = failure.exitcode
    if code >= 0:
        return code
    said: dict[str, FieldValue] = {"reason": f"process {number} was ended by {failure.signal_name()}"}
    if as_json and (number == 0 or OWNED in os.environ):  # else the first process has said that this one is gone
        sys.stdout.write(events.to_line(events.RunFailed("rank_lost", said)) + "\n")
    if number == 0:
        sys.stderr.write(f"catdog: {sentence('rank_lost', said)}\n")
    return 1


def _end_with_starter() -> None:
    """Wait until nobody holds the other end of stdin any more; then no process is left behind."""
    sys.stdin.buffer.read()
    import psutil

    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            process.kill()
    _end(_STOPPED)


def _end(code: int) -> NoReturn:
    """At once: taking torch apart in good order would last up to some seconds."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _end(main(sys.argv[1:]))
