"""Several processes compute one run: do they learn the same, and what happens when one dies, hangs or lacks memory?

    python benchmarks/ranks.py [--ranks 2 4] [--only equal kill hang stop signals memory]

Draws its own photos; runs `catdog train` under torchrun with gloo on the processor. Some minutes.
"""

import argparse
import contextlib
import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # from a checkout, installed or not

import psutil  # noqa: E402

NEAR = 1e-4
PHOTOS = 96
SMALL = ["--image-size", "64", "--batch-size", "16", "--epochs", "5"]
FAMILIES = {  # without BatchNorm; with its statistics frozen
    "article": ["--preset", "article", *SMALL],
    "balanced": ["--preset", "balanced", *SMALL],
    "balanced, sgd": ["--preset", "balanced", *SMALL, "--optimizer", "sgd", "--learning-rate", "3e-4"],
}
LONG = ["--preset", "article", "--image-size", "64", "--batch-size", "16", "--epochs", "100000"]
_WAIT_S = 400.0


def main() -> int:
    options = _options()
    if options.worker:
        return _worker(options.worker)
    checks: dict[str, Callable[[Path, Path, int], bool]] = {
        "equal": functools.partial(equal, families=options.families),
        "kill": kill,
        "hang": hang,
        "stop": stop,
        "signals": signals,
        "memory": memory,
    }
    good = True
    with tempfile.TemporaryDirectory() as folder:
        data = _draw(Path(folder) / "samples")
        for name, ranks in itertools.product(options.only or checks, options.ranks):
            place = Path(folder) / f"{name}-{ranks}"
            place.mkdir()
            good &= checks[name](data, place, ranks)
    return 0 if good else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--only", nargs="+", choices=("equal", "kill", "hang", "stop", "signals", "memory"))
    parser.add_argument("--families", nargs="+", default=list(FAMILIES), choices=list(FAMILIES), help="of `equal`")
    parser.add_argument("--worker", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser.parse_args()


def _draw(folder: Path) -> Path:
    """A dataset of drawn cats and dogs: they take some epochs to learn, as photos do."""
    from catdog_gui.engine.samples import draw_samples

    return draw_samples(folder, photos_per_class=PHOTOS // 2, size=96).dataset


# --- processes -------------------------------------------------------------------------------------------------------


class Job:
    """One torchrun, or one plain process where ranks is 1."""

    def __init__(self, place: Path, ranks: int, arguments: list[str], *, worker: bool = False, **env: str) -> None:
        self.log = place / "stderr.txt"
        settings = {"CATDOG_HOME": str(place / "home"), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **env}
        program = ["--standalone", "--nproc-per-node", str(ranks), "--"]
        launch = ["-m", "catdog_gui.torchrun", *program]
        if worker:
            launch = ["-m", "torch.distributed.run", *program, str(Path(__file__)), "--worker"]
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, *(launch if ranks > 1 else ["-m", "catdog_gui.cli"]), "train", *arguments],
            env={**os.environ, **settings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.log.open("a"),
            cwd=ROOT,
        )

    def end(self) -> int:
        """Its exit code, once it has ended."""
        try:
            return self.process.wait(_WAIT_S)
        finally:
            self.process.kill()

    def rank(self, number: int) -> psutil.Process:
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if child.environ().get("RANK") == str(number):
                    return child
        raise ProcessLookupError(number)

    def until_learning(self, run: Path, steps: int = 3) -> None:
        until(lambda: len(losses(run)) >= steps and (run / "checkpoint.safetensors").exists(), self)

    def said(self, words: str) -> bool:
        return words in self.log.read_text(errors="replace")


def until(is_so: Callable[[], bool], job: Job) -> float:
    """Wait; the seconds it took."""
    began = time.monotonic()
    while not is_so():
        if job.process.poll() is not None or time.monotonic() - began > _WAIT_S:
            raise TimeoutError(job.log.read_text(errors="replace")[-2000:])
        time.sleep(0.05)
    return time.monotonic() - began


def lines(run: Path, kind: str) -> list[dict[str, object]]:
    with contextlib.suppress(OSError):
        found = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines() if line.endswith("}")]
        return [line for line in found if line.get("type") == kind]
    return []


def losses(run: Path) -> list[float]:
    return [float(str(line["loss"])) for line in lines(run, "step")]


def _said(name: str, ranks: int, good: bool, what: str) -> bool:
    print(f"{name:<8} {ranks} ranks: {'ok  ' if good else 'BAD '} {what}", flush=True)
    return good


def _settings(data: Path, run: Path, more: list[str]) -> list[str]:
    return [str(data), "--device", "cpu", "--precision", "fp32", *more, "--run", str(run)]


# --- checks ----------------------------------------------------------------------------------------------------------


def equal(data: Path, place: Path, ranks: int, families: Sequence[str]) -> bool:
    """20 steps in fp32: the losses of one process, and of several on the same batches.

    One process that computes each batch in as many parts shows how much of the difference is the order of the sums.
    """
    good = True
    for name in families:
        found = {}
        for what, count, parts in (("one", 1, 1), ("in parts", 1, ranks), ("several", ranks, 1)):
            run = place / f"{name}-{what}"
            job = Job(place, count, _settings(data, run, [*FAMILIES[name], "--accumulate", str(parts)]))
            if job.end() != 0:
                return _said("equal", ranks, False, job.log.read_text()[-1500:])
            found[what] = losses(run)[:20]
        apart = _apart(found["one"], found["several"])
        good &= _said(
            "equal",
            ranks,
            apart <= NEAR and len(found["one"]) == 20,
            f"{name}: losses {found['one'][0]:.3f} to {found['one'][-1]:.3f}, at most {apart:.1e} apart; one process in"
            f" {ranks} parts: {_apart(found['one'], found['in parts']):.1e}, and"
            f" {_apart(found['in parts'], found['several']):.1e} from the {ranks}",
        )
    return good


def _apart(some: list[float], others: list[float]) -> float:
    return max((abs(a - b) for a, b in zip(some, others, strict=True)), default=9.0)


def kill(data: Path, place: Path, ranks: int) -> bool:
    """SIGKILL to each rank in turn: how soon the job ends, what it says; then the run goes on with fewer processes."""
    good = True
    for number in (0, ranks - 1):
        run = place / f"killed-{number}"
        job = Job(place, ranks, _settings(data, run, LONG))
        job.until_learning(run)
        began = time.monotonic()
        job.rank(number).kill()
        code, took = job.end(), time.monotonic() - began
        told = job.said("One of the processes that compute this run together")
        good &= _said(
            "kill", ranks, code != 0 and told and took < 30, f"rank {number} killed: ended after {took:.1f} s"
        )
        before = len(lines(run, "epoch"))
        again = Job(place, ranks - 1, ["--resume", str(run)])
        until(lambda run=run, before=before: len(lines(run, "epoch")) > before + 1, again)  # type: ignore[misc]
        (run / "STOP").touch()
        again.end()
        ended = [line["status"] for line in lines(run, "result")]
        good &= _said(
            "kill", ranks, ended[-1:] == ["stopped"], f"went on with {ranks - 1} after epoch {before}: {ended}"
        )
    return good


def hang(data: Path, place: Path, ranks: int) -> bool:
    """A rank that stands still: after 10 s (120 s unless set) the others say so; torchrun needs 30 s more to end it."""
    run = place / "run"
    job = Job(place, ranks, _settings(data, run, LONG), CATDOG_RANK_TIMEOUT="10")
    job.until_learning(run)
    job.rank(ranks - 1).send_signal(signal.SIGSTOP)
    noticed = until(lambda: job.said("One of the processes that compute this run together"), job)
    began = time.monotonic()
    code = job.end()
    ended = time.monotonic() - began
    return _said("hang", ranks, code != 0 and noticed < 30, f"noticed after {noticed:.1f} s, ended {ended:.1f} s later")


def stop(data: Path, place: Path, ranks: int) -> bool:
    """A file STOP in the run folder; then the same run with twice as many processes, and with one."""
    run = place / "run"
    job = Job(place, ranks, _settings(data, run, LONG))
    job.until_learning(run)
    good = True
    for count in (2 * ranks, 1, 0):
        began = time.monotonic()
        (run / "STOP").touch()
        code, took = job.end(), time.monotonic() - began
        last = lines(run, "result")[-1]
        right = code in (0, 130) and last["status"] == "stopped" and (run / "model.safetensors").exists()
        good &= _said("stop", ranks, right and took < 5, f"stopped after {took:.1f} s at epoch {last['epochs']}")
        if count:
            before = len(lines(run, "epoch"))
            job = Job(place, count, ["--resume", str(run)])
            until(lambda before=before: len(lines(run, "epoch")) > before + 1, job)  # type: ignore[misc]
    return good


def signals(data: Path, place: Path, ranks: int) -> bool:
    """SIGTERM to the launcher, SIGINT twice, SIGKILL: how soon all ends, what is left behind; then the run goes on."""
    good = True
    for name, sent, code in (
        ("SIGTERM", [signal.SIGTERM], 130),
        ("SIGINT, SIGINT", [signal.SIGINT, signal.SIGINT], 130),
        ("SIGKILL", [signal.SIGKILL], -signal.SIGKILL),
    ):
        run = place / name.partition(",")[0]
        job = Job(place, ranks, _settings(data, run, LONG))
        job.until_learning(run)
        children = psutil.Process(job.process.pid).children(recursive=True)
        began = time.monotonic()
        for number in sent:
            job.process.send_signal(number)
        ended = job.end()
        while [child for child in children if child.is_running()] and time.monotonic() - began < 60:
            time.sleep(0.05)
        took, left = time.monotonic() - began, [child for child in children if child.is_running()]
        before = len(lines(run, "epoch"))
        again = Job(place, 1, ["--resume", str(run)])
        until(lambda run=run, before=before: len(lines(run, "epoch")) > before, again)  # type: ignore[misc]
        (run / "STOP").touch()
        again.end()
        right = ended == code and not left and took < 30 and not job.said("Traceback")
        good &= _said("signals", ranks, right, f"{name}: all gone after {took:.1f} s, exit {ended}; the run went on")
    return good


def memory(data: Path, place: Path, ranks: int) -> bool:
    """Memory that runs out in the last rank only: all climb the same rungs, with the losses of one process."""
    run, plain = place / "run", place / "plain"
    more = [*FAMILIES["article"], "--optimizer", "sgd", "--learning-rate", "0.01"]  # Adam makes much of roundings
    code = Job(place, ranks, _settings(data, run, more), worker=True, CATDOG_FAIL_RANK=str(ranks - 1)).end()
    Job(place, 1, _settings(data, plain, more)).end()
    codes = [str(line["code"]) for line in lines(run, "notice")]
    pairs = list(zip(losses(run)[:20], losses(plain)[:20], strict=False))
    apart = max((abs(a - b) for a, b in pairs), default=9.0)
    climbed = [name for name in codes if name in ("memory_freed", "batch_halved")]
    right = code == 0 and climbed == ["memory_freed", "batch_halved"] and apart <= NEAR and len(pairs) == 20
    return _said("memory", ranks, right, f"{', '.join(climbed)}; losses at most {apart:.1e} apart")


def _worker(arguments: list[str]) -> int:
    """One process of `memory`: the card of one rank has no memory left, twice."""
    import torch

    from catdog_gui import cli
    from catdog_gui.engine.networks import catalog as networks

    plain, calls = networks.Network.forward, itertools.count(1)

    def forward(self: networks.Network, photos: torch.Tensor) -> torch.Tensor:
        if self.training and os.environ["RANK"] == os.environ["CATDOG_FAIL_RANK"] and next(calls) in (3, 6):
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return plain(self, photos)

    networks.Network.forward = forward  # type: ignore[method-assign]
    return cli.main(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
