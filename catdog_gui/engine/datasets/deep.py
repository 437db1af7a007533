"""`scan --deep`: read, hash and decode every photo, in threads."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from catdog_gui.engine.datasets.copies import fingerprint
from catdog_gui.engine.datasets.scan_result import Scan, without
from catdog_gui.engine.datasets.split import findings_from_digests
from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.photos.images import Recipe, decode, digest, read_bytes
from catdog_gui.engine.photos.reading import read_ahead

_Facts = tuple[bytes, npt.NDArray[np.uint8]]  # digest, fingerprint


def check_deep(
    found: Scan,
    *,
    workers: int,
    should_stop: Callable[[], bool],
    on_progress: Callable[[int, int], None],
    on_photo: Callable[[int, PhotoError | None], None] | None = None,
    on_slow: Callable[[Path], None] = lambda _photo: None,
) -> Scan:
    """The scan less what cannot be read, with warnings about copies.

    on_progress(done, total), on_photo(index, why it cannot be used) and on_slow(a photo that has been waited for a
    minute) are called in this thread, photo by photo in their order. workers: threads, at least 1. Raises Stopped,
    also while a photo does not come.
    """
    total = len(found.paths)
    facts: list[_Facts | None] = [None] * total
    unusable: dict[int, PhotoError] = {}

    def read(index: int) -> _Facts | PhotoError:
        try:
            return _facts(found.path(index))
        except PhotoError as error:
            return error

    photos = read_ahead(
        range(total),
        read,
        workers=max(1, workers),
        should_stop=should_stop,
        on_slow=lambda index: on_slow(found.path(index)),
    )
    for index, known in enumerate(photos):
        reason = known if isinstance(known, PhotoError) else None
        if isinstance(known, PhotoError):
            unusable[index] = known
        else:
            facts[index] = known
        if on_photo is not None:
            on_photo(index, reason)
        on_progress(index + 1, total)
    kept = [facts[index] for index in range(total) if index not in unusable]
    left = without(found, unusable)
    digests = [item[0] if item else None for item in kept]
    copies = findings_from_digests(left, digests, [item[1] if item else None for item in kept])
    return replace(left, warnings=(*left.warnings, *copies))


def _facts(path: Path) -> _Facts:
    data = read_bytes(path)
    return digest(data), fingerprint(decode(data, Recipe()))
