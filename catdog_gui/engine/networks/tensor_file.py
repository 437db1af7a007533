"""Arrays by name, as the bytes of a safetensors file."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def to_bytes(tensors: Mapping[str, np.ndarray[Any, np.dtype[Any]]], metadata: dict[str, str]) -> bytes:
    """The file's bytes; the arrays must be contiguous. Raises MemoryError."""
    from safetensors.numpy import save

    try:
        return save(dict(tensors), metadata=metadata)
    except BaseException as error:  # WORKAROUND: out of memory is a panic of the library, which is no Exception
        if type(error).__name__ == "PanicException":
            raise MemoryError(str(error)) from error
        raise


def from_bytes(data: bytes) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    """The arrays of a file, in memory. Raises ValueError for what is no such file, MemoryError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(data)
    except (SafetensorError, TypeError, KeyError) as error:
        raise ValueError(str(error)) from error
    except BaseException as error:  # WORKAROUND: as in to_bytes
        if type(error).__name__ == "PanicException":
            raise MemoryError(str(error)) from error
        raise
