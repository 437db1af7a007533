"""Work done ahead in threads, in order. No torch."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.events import Notice
from catdog_gui.engine.photos.names import printable

T = TypeVar("T")
R = TypeVar("R")
_NAME = "catdog-read"
_SLOW_S = 60.0  # a wait for one file that is worth a word
_LOOK_S = 0.1  # how often a wait for a file looks at the Stop button


def default_workers() -> int:
    """As many reading threads as there are processors for this process, 16 at most."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(16, count))


def read_ahead(
    items: Iterable[T],
    work: Callable[[T], R],
    *,
    workers: int,
    should_stop: Callable[[], bool],
    depth: int = 0,
    on_slow: Callable[[T], None] = lambda _item: None,
) -> Generator[R, None, None]:
    """work(item) of each item in order, computed ahead in threads. Raises Stopped, also while a file hangs.

    on_slow: told once, in the caller's thread, of an item that has been waited for a minute.
    """
    depth = depth or 4 * workers + 4
    pool = ThreadPoolExecutor(workers, thread_name_prefix=_NAME)
    pending: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            pending.append((item, pool.submit(work, item)))
            if len(pending) >= depth:
                yield _result(*pending.popleft(), should_stop, on_slow)
        while pending:
            yield _result(*pending.popleft(), should_stop, on_slow)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def tells_of_slow(say: Callable[[Notice], None]) -> Callable[[object], None]:
    """For `on_slow`, where the items are paths: says which photo the work waits for. Others are passed over."""

    def tell(photo: object) -> None:
        if isinstance(photo, str | os.PathLike):
            say(Notice("photo_waits", {"path": printable(os.fspath(photo))}))

    return tell


def _result(item: T, future: Future[R], should_stop: Callable[[], bool], on_slow: Callable[[T], None]) -> R:
    slow_at: float | None = None
    while True:
        if should_stop():
            raise Stopped
        try:
            return future.result(timeout=_LOOK_S)  # lighter than `wait`, which is felt at 300 photos a second
        except TimeoutError:
            if future.done():  # the work's own
                raise
        now = time.monotonic()
        if slow_at is None:
            slow_at = now + _SLOW_S - _LOOK_S
        elif now >= slow_at:
            slow_at = float("inf")
            on_slow(item)


def is_hanging(wait_s: float = 1.0) -> bool:
    """Whether a thread waits for a file that does not come (a dead drive), though nobody wants it any more.

    Python would wait for that thread at its end, for ever.
    """
    until = time.monotonic() + wait_s
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(_NAME)]
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return any(thread.is_alive() for thread in threads)
