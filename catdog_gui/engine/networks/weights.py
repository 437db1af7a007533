"""Pretrained weights: bundled with the program, or downloaded once into the home. No torch."""

import contextlib
import errno
import hashlib
import os
import re
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import lru_cache
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np

from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.files import write_error
from catdog_gui.engine.home import cache_dir, resources_dir

_CHUNK = 256 * 1024
_TIMEOUT_S = 20.0
_LOOK_S = 0.1  # how often a wait for the server looks at the Stop button
T = TypeVar("T")


@lru_cache(maxsize=1)
def bundled_lite0() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    """EfficientNet-Lite0's stages by name (`lite0.stages`), float32. Not to be changed in place."""
    from safetensors.numpy import load_file

    return load_file(resources_dir() / "weights" / "efficientnet_lite0.safetensors")


def fetch_weights(
    name: str, url: str, on_progress: Callable[[int, int], None], should_stop: Callable[[], bool]
) -> Path:
    """The file behind `url`, downloaded once; its name must end in -XXXXXXXX.pth with the head of its SHA-256.

    A partial or damaged download is thrown away. Raises CatDogError weights_unavailable, Stopped.
    """
    target = cache_dir() / "weights" / url.rsplit("/", 1)[-1]
    if target.is_file():
        return target
    found = re.search(r"-([0-9a-f]{8,})\.", target.name)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".part")
    except OSError as error:
        raise CatDogError("cannot_write", path=str(target.parent), reason=str(error)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            digest = _download(url, file.write, on_progress, should_stop)
        if found and not digest.startswith(found.group(1)):
            raise CatDogError("weights_damaged", model=name, url=url)
        os.replace(temporary, target)  # noqa: PTH105
    except (OSError, HTTPException) as error:  # URLError is an OSError
        if getattr(error, "errno", None) == errno.ENOSPC:
            raise write_error(OSError(errno.ENOSPC, ""), target) from error
        raise CatDogError("weights_unavailable", model=name, url=url, reason=str(error)) from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def _download(
    url: str,
    write: Callable[[bytes], object],
    on_progress: Callable[[int, int], None],
    should_stop: Callable[[], bool],
) -> str:
    """The SHA-256 of what came. Raises OSError, HTTPException, Stopped."""
    hasher, done, total = hashlib.sha256(), 0, 0
    for chunk, total in _chunks(url, should_stop):
        write(chunk)
        hasher.update(chunk)
        done += len(chunk)
        on_progress(done, total)
    if done < total:
        raise ConnectionError(f"{done} of {total} bytes")
    return hasher.hexdigest()


def _chunks(url: str, should_stop: Callable[[], bool]) -> Iterator[tuple[bytes, int]]:
    """Pieces as they come and the bytes in all, 0 = unknown; from a thread: a silent server must not delay a stop."""
    came: SimpleQueue[tuple[bytes, int] | Exception | None] = SimpleQueue()
    left = threading.Event()

    def read() -> None:
        try:
            with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as response:  # noqa: S310 -- torchvision's own addresses
                total = int(response.headers.get("Content-Length") or 0)
                while not left.is_set() and (chunk := response.read(_CHUNK)):
                    came.put((chunk, total))
            came.put(None)
        except Exception as error:  # noqa: BLE001 -- raised again by the reader
            if isinstance(error, urllib.error.HTTPError):
                error.close()  # it holds the connection
            came.put(error)

    threading.Thread(target=read, name="catdog-download", daemon=True).start()
    try:
        while (item := _next(came, should_stop)) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        left.set()


def _next(came: "SimpleQueue[T]", should_stop: Callable[[], bool]) -> T:
    while True:
        if should_stop():
            raise Stopped
        with contextlib.suppress(Empty):
            return came.get(timeout=_LOOK_S)
