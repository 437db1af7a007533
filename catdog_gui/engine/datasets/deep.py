"""`scan --deep`: read, hash and decode every photo, in threads."""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from catdog_gui.engine.datasets.copies import fingerprint
from catdog_gui.engine.datasets.scan_result import Scan, without
from catdog_gui.engine.datasets.split import findings_from_digests
from catdog_gui.engine.errors import PhotoError, Stopped
from catdog_gui.engine.photos.images import Recipe, decode, digest, read_bytes

_Facts = tuple[bytes, npt.NDArray[np.uint8]]  # digest, fingerprint
_AHEAD = 4  # photos a thread that wait their turn


def check_deep(
    found: Scan,
    *,
    workers: int,
    should_stop: Callable[[], bool],
    on_progress: Callable[[int, int], None],
    on_photo: Callable[[int, PhotoError | None], None] | None = None,
) -> Scan:
    """The scan less what cannot be read, with warnings about copies.

    on_progress(done, total) and on_photo(index, why it cannot be used) are called in this thread, as photos are done.
    workers: threads, at least 1. Raises Stopped within a photo's time.
    """
    total = len(found.paths)
    facts: list[_Facts | None] = [None] * total
    unusable: dict[int, PhotoError] = {}
    done = 0
    pool = ThreadPoolExecutor(max_workers=max(1, workers), thread_name_prefix="deep")
    try:
        waiting: dict[Future[_Facts], int] = {}
        indices = iter(range(total))
        while True:
            for index in indices:
                waiting[pool.submit(_facts, found.path(index))] = index
                if len(waiting) >= _AHEAD * max(1, workers):
                    break
            if not waiting:
                break
            if should_stop():
                raise Stopped
            for future in wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED).done:
                index = waiting.pop(future)
                reason = _outcome(future, index, facts)
                if reason is not None:
                    unusable[index] = reason
                if on_photo is not None:
                    on_photo(index, reason)
                done += 1
            on_progress(done, total)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    kept = [facts[index] for index in range(total) if index not in unusable]
    left = without(found, unusable)
    digests = [item[0] if item else None for item in kept]
    copies = findings_from_digests(left, digests, [item[1] if item else None for item in kept])
    return replace(left, warnings=(*left.warnings, *copies))


def _facts(path: Path) -> _Facts:
    data = read_bytes(path)
    return digest(data), fingerprint(decode(data, Recipe()))


def _outcome(future: "Future[_Facts]", index: int, facts: list[_Facts | None]) -> PhotoError | None:
    try:
        facts[index] = future.result()
    except PhotoError as error:
        return error
    return None
