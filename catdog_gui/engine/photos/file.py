"""A photo's bytes from disk: never waits on a pipe or a cloud download, survives a short outage of a drive."""

import errno
import os
import stat
import time
from pathlib import Path

from catdog_gui.engine.errors import PhotoError

LARGEST_FILE = 512 * 2**20  # bytes
_RETRY_AFTER = (0.1, 0.4)  # seconds before each further try

_MISSING = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG}
_FORBIDDEN = {errno.EACCES, errno.EPERM}
# Windows: the network path or name is gone for the moment; Python shows some of these as "not found".
_WINDOWS_OUTAGES = {53, 59, 64, 67, 121, 1231}
# Windows: FILE_ATTRIBUTE_OFFLINE and FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS. Reading would start a download.
_WINDOWS_NOT_HERE = 0x1000 | 0x400000
_MAC_NOT_HERE = 0x40000000  # SF_DATALESS of iCloud and other file providers


def read_bytes(path: Path) -> bytes:
    """All bytes of a file.

    Blocks up to half a second longer than the drive does. Any thread. Raises PhotoError: missing, no_permission,
    unreadable, empty, too_large_file, not_downloaded, not_regular_file.
    """
    for wait in (*_RETRY_AFTER, None):
        try:
            return _read(path)
        except OSError as error:
            reason = _reason(path, error)
            if wait is None or reason.code != "unreadable":
                raise reason from error
        time.sleep(wait)
    raise AssertionError  # the last turn returns or raises


def not_here(status: os.stat_result) -> bool:
    """True for a placeholder of a cloud drive whose content is not on this computer."""
    windows = getattr(status, "st_file_attributes", 0) & _WINDOWS_NOT_HERE
    mac = getattr(status, "st_flags", 0) & _MAC_NOT_HERE
    return bool(windows or mac)


def _read(path: Path) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):  # before opening: a pipe would block, a device may do anything
        raise PhotoError("not_regular_file")
    if not_here(status):
        raise PhotoError("not_downloaded")
    if status.st_size > LARGEST_FILE:
        raise PhotoError("too_large_file", megabytes=round(status.st_size / 2**20))
    with path.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if not data:
        raise PhotoError("empty")
    if len(data) > LARGEST_FILE:
        raise PhotoError("too_large_file", megabytes=LARGEST_FILE // 2**20)
    return data


def _reason(path: Path, error: OSError) -> PhotoError:
    if getattr(error, "winerror", None) in _WINDOWS_OUTAGES:
        return PhotoError("unreadable", detail=error.strerror or str(error))
    if error.errno in _MISSING:
        cloud = path.with_name(f".{path.name}.icloud")  # older macOS renames what it has moved to iCloud
        return PhotoError("not_downloaded" if cloud.exists() else "missing")
    if error.errno in _FORBIDDEN:
        return PhotoError("no_permission")
    return PhotoError("unreadable", detail=error.strerror or str(error))
