"""Mixed precision by name: fp32, bf16, fp16. Import this before the first tensor is made: it asks for large pages."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch

# Each step asks the system for its activations anew: in pages of 2 MiB that is 500 times fewer than of 4 KiB. A
# step of the article's network took 1.12 s instead of 2.07 (one thread, bf16, batch 64). Only Linux has such pages.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

_TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def autocast(device: torch.device, precision: str) -> AbstractContextManager[object]:
    """The context in which a forward pass runs. Autocast is a thread's own: enter it on the thread that computes."""
    if precision not in _TYPES:
        return nullcontext()
    return torch.autocast(device.type, dtype=_TYPES[precision])


def tune(device: torch.device) -> None:
    """Let a card use its fast paths: TensorFloat-32 products, and convolutions chosen by trial for fixed sizes."""
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
        torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True


@contextmanager
def one_thread(*, when: bool = True) -> Iterator[None]:
    """Compute on one processor, where the work is too small to share.

    Threads that wait for each other over a tiny product made a head's epoch up to 20 times slower on busy processors.
    """
    before = torch.get_num_threads()
    if when:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def make_scaler(device: torch.device, precision: str) -> torch.amp.GradScaler:
    """Keeps small gradients from vanishing in fp16 on CUDA; passes everything through elsewhere."""
    return torch.amp.GradScaler("cuda", enabled=precision == "fp16" and device.type == "cuda")
