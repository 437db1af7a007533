"""A large folder dropped on the real window, the program closed in the middle (or killed) and started again.

usage: folder.py [PHOTOS] [--count 20000] [--kill] [--model RUN]     (a display, or QT_QPA_PLATFORM=offscreen)

PHOTOS: a folder whose photos are given new names until there are so many; without it drawn ones. Each start is a
process of its own. The first answers a third and is closed, the second goes on (the link in the window is clicked),
answers another third and is closed (--kill: by SIGKILL), the third comes to the end. Prints the rate, the memory, how
late the window's thread was, and how far the time left that was shown was from what it took. Exit 1 where a photo was
lost, answered twice or not in the journal.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # from a checkout, installed or not
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from window_driver import drop, quantile, wait_for

LIMIT_S = 3600.0
BEAT_MS = 10


def many(photos: Path, target: Path, count: int) -> None:
    """`count` photos under new names, in as many sub-folders as `photos` has; hard links where that is possible."""
    from catdog_gui.engine.datasets.search import find_photos

    found = list(find_photos([photos]))
    for number, photo in enumerate(islice(cycle(found), count)):
        place = target / photo.relative_to(photos).parent
        place.mkdir(parents=True, exist_ok=True)
        name = place / f"{number:06}-{photo.name}"
        try:
            os.link(photo, name)
        except OSError:
            shutil.copyfile(photo, name)


def one_start(folder: Path, until: int, *, last: bool, kill: bool) -> None:
    """In a process of its own: drop the folder, or go on with it; prints what was seen as one line of JSON."""
    import psutil
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QAbstractButton, QWidget

    from catdog_gui.engine.home import answers_dir
    from catdog_gui.ui.app import build, let_the_window_go_first

    _, window = build([])
    let_the_window_go_first()
    state = window.predict.state
    begun = any(answers_dir().glob("job-*"))
    wait_for(lambda: window.predict.file is not None and (state.offer is not None or not begun), 120)
    offered = state.offer
    if offered is not None:
        window.findChild(QAbstractButton, "goOnWithJobButton").click()
    else:
        drop(window.findChild(QWidget, "dropArea"), [folder])
    late: list[float] = []
    told: list[tuple[float, int, float]] = []  # when, answered, seconds left as shown
    beat = {"due": time.perf_counter() + BEAT_MS / 1000}

    def look() -> None:
        now = time.perf_counter()
        late.append(1000 * max(0.0, now - beat["due"]))
        beat["due"] = now + BEAT_MS / 1000
        if state.seconds_left is not None and (not told or now - told[-1][0] > 1.0):
            told.append((now, state.done, state.seconds_left))

    timer = QTimer(interval=BEAT_MS)
    timer.timeout.connect(look)
    wait_for(lambda: len(state.predictions) >= (offered.answered if offered else 1), LIMIT_S)
    beat["due"] = time.perf_counter() + BEAT_MS / 1000
    timer.start()
    began, first = time.perf_counter(), len(state.predictions)
    wait_for(lambda: not state.running or (not last and len(state.predictions) >= until), LIMIT_S)
    ended = time.perf_counter()
    timer.stop()
    figures = {
        "offered": offered.answered if offered else 0,
        "of": offered.total if offered else 0,
        "answers": len(state.predictions),
        "different": len({item.path for item in state.predictions}),
        "unreadable": sum(item.verdict == "unreadable" for item in state.predictions),
        "rows": window.predict_panel.answers.rowCount(),
        "score": state.score.photos if state.score else 0,
        "message": state.message.code if state.message else "",
        "rate": (len(state.predictions) - first) / (ended - began),
        "mb": psutil.Process().memory_info().rss / 2**20,
        "late_p99": quantile(late, 0.99) if late else 0.0,
        "late_most": max(late, default=0.0),
        "left": [[done, shown, ended - when] for when, done, shown in told] if last else [],
    }
    print(json.dumps(figures), flush=True)
    if kill and not last:
        os.kill(os.getpid(), signal.SIGKILL)
    window.close()


def started(folder: Path, until: int, *, last: bool, kill: bool) -> dict[str, Any]:
    command = [sys.executable, __file__, "--start", str(folder), str(until), str(int(last)), str(int(kill))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, -signal.SIGKILL if kill else 0):
        raise SystemExit(f"the program ended with {done.returncode}")
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(
        f"    offered {figures['offered']:,} of {figures['of']:,}; at its end {figures['answers']:,} answers in "
        f"{figures['rows']:,} rows, {figures['different']:,} photos, {figures['unreadable']} unreadable, "
        f"{figures['score']:,} in the score; {figures['rate']:.0f} photos/s, {figures['mb']:.0f} MB, 10 ms timer late "
        f"p99 {figures['late_p99']:.0f}, most {figures['late_most']:.0f} ms {figures['message']}",
        flush=True,
    )
    return figures


def journal_files(home: Path) -> Iterator[str]:
    for log in sorted(home.glob("answers/job-*/answers.jsonl")):
        with log.open(encoding="utf-8", errors="replace") as lines:
            yield from (json.loads(line)["file"] for line in lines)


def judged(figures: dict[str, Any], home: Path, count: int) -> bool:
    noted = list(journal_files(home))
    jobs = [json.loads(job.read_text()) for job in home.glob("answers/job-*/job.json")]
    wrong = [
        words
        for words, fine in (
            ("answers", figures["answers"] == figures["different"] == figures["rows"] == count),
            ("journal", len(noted) == len(set(noted)) == count),
            ("done", len(jobs) == 1 and jobs[0].get("done") is True and jobs[0]["total"] == count),
        )
        if not fine
    ]
    for share in (0.1, 0.5, 0.9):
        if figures["left"]:
            done, shown, true = figures["left"][int(share * len(figures["left"]))]
            print(f"    after {done:,}: {shown:.0f} s left were shown, it took {true:.0f} s")
    verdict = f"WRONG: {', '.join(wrong)}" if wrong else "good"
    print(f"    journal: {len(noted):,} lines, {len(set(noted)):,} photos -> {verdict}")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="?")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--kill", action="store_true", help="end the program by SIGKILL instead of closing it")
    parser.add_argument("--model", type=Path, help="the run that answers; without it one is trained on drawn pictures")
    parser.add_argument("--start", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.start:
        folder, until, last, kill = options.start
        one_start(Path(folder), int(until), last=last == "1", kill=kill == "1")
        return 0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        os.environ["CATDOG_HOME"] = str(place / "home")
        from prediction import _given

        photos, _run = _given(options, place / "home")
        many(photos, place / "folder", options.count)
        began = time.perf_counter()
        for share in (1 / 3, 2 / 3):
            started(place / "folder", int(share * options.count), last=False, kill=options.kill)
        figures = started(place / "folder", options.count, last=True, kill=False)
        print(f"{options.count:,} photos in three starts: {time.perf_counter() - began:.0f} s")
        return 0 if judged(figures, place / "home", options.count) else 1


if __name__ == "__main__":
    sys.exit(main())
