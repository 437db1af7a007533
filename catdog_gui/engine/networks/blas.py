"""Numpy's matrix products beside other work."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()  # two at once would restore each other's limit


@contextmanager
def one_thread() -> Iterator[None]:
    """Products in here are computed on the caller's thread alone. Any thread; short work only: others wait.

    While the processors are busy with photos, a product on all of them waits for each in turn, spinning: answering a
    folder was a sixth slower.
    """
    with _lock, _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Looks for the libraries once (1 ms): numpy's is loaded by then."""
    return ThreadpoolController()
