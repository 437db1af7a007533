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
