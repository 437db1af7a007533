"""What to do when memory runs out."""

from collections.abc import Callable
from typing import TypeVar

import torch

from catdog_gui.engine import devices
from catdog_gui.engine.loading import BatchLoader

T = TypeVar("T")


def is_out_of_memory(error: BaseException) -> bool:
    """Whether torch or the system could not give memory, on a card or on the CPU."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text)


def in_smaller_batches(loader: BatchLoader, work: Callable[[], T]) -> T:
    """work() without learning; begun again with half of `loader`'s batch where memory runs out, down to one photo."""
    while True:
        try:
            return work()
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            if not loader.leave_card():
                if loader.batch_size == 1:
                    raise
                loader.batch_size = max(1, loader.batch_size // 2)
        devices.free_memory(str(loader.device))
