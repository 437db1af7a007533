"""Work done ahead in threads, in order. No torch."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from catdog_gui.engine.errors import Stopped

T = TypeVar("T")
R = TypeVar("R")
_LOOK_S = 0.1  # how often a wait for a file looks at the Stop button


def default_workers() -> int:
    """As many reading threads as there are processors for this process, 16 at most."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(16, count))


def read_ahead(
    items: Iterable[T], work: Callable[[T], R], *, workers: int, should_stop: Callable[[], bool], depth: int = 0
) -> Iterator[R]:
    """work(item) of each item in order, computed ahead in threads. Raises Stopped, also while a file hangs."""
    depth = depth or 4 * workers + 4
    pool = ThreadPoolExecutor(workers, thread_name_prefix="catdog-read")
    pending: deque[Future[R]] = deque()
    try:
        for item in items:
            pending.append(pool.submit(work, item))
            if len(pending) >= depth:
                yield _result(pending.popleft(), should_stop)
        while pending:
            yield _result(pending.popleft(), should_stop)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _result(future: Future[R], should_stop: Callable[[], bool]) -> R:
    while True:
        if should_stop():
            raise Stopped
        try:
            return future.result(timeout=_LOOK_S)  # lighter than `wait`, which is felt at 300 photos a second
        except TimeoutError:
            if future.done():  # the work's own
                raise
