"""Memory figures of a device, in MiB, for the live curve; torch is only asked about cards."""

import contextlib
import gc
import sys
from pathlib import Path

from catdog_gui.engine import system
from catdog_gui.engine.events import MemorySample
from catdog_gui.engine.system import MIB

_OUT_OF_MEMORY = (
    "out of memory",
    "can't allocate memory",
    "could not create a primitive",  # oneDNN's way to say it
    "could not create a memory",
)


def memory_sample(device_id: str) -> MemorySample:
    """What is taken now on a device: "cuda:N", "mps" or "cpu" (there: the process's resident memory).

    peak_mb counts from the last `reset_peak`; where the system cannot reset it, from the start of the process.
    """
    kind = device_id.partition(":")[0]
    if kind == "cuda":
        return _cuda_sample(device_id)
    if kind == "mps":
        return _mps_sample(device_id)
    resident = process_mb()
    return MemorySample(device_id, "ram", resident, None, max(resident, _process_peak_mb()), system.ram_mb(), resident)


def _cuda_sample(device_id: str) -> MemorySample:
    import torch

    return MemorySample(
        device_id,
        "cuda",
        torch.cuda.memory_allocated(device_id) / MIB,
        torch.cuda.memory_reserved(device_id) / MIB,
        torch.cuda.max_memory_allocated(device_id) / MIB,
        torch.cuda.get_device_properties(device_id).total_memory / MIB,
        process_mb(),
    )


def _mps_sample(device_id: str) -> MemorySample:
    import torch

    return MemorySample(
        device_id,
        "mps",
        torch.mps.current_allocated_memory() / MIB,
        torch.mps.driver_allocated_memory() / MIB,
        None,  # torch keeps no peak for MPS
        torch.mps.recommended_max_memory() / MIB,
        process_mb(),
    )


def process_mb() -> float:
    """Resident memory of this process."""
    import psutil

    return float(psutil.Process().memory_info().rss) / MIB


def free_mb(device_id: str) -> float | None:
    """Memory that could be had now, on the device; None where the system does not say."""
    if device_id.startswith("cuda"):
        import torch

        try:
            return float(torch.cuda.mem_get_info(device_id)[0]) / MIB
        except (RuntimeError, AssertionError):  # a lost card, a torch without CUDA
            return None
    return system.free_ram_mb()


def _process_peak_mb() -> float:
    """The most resident memory this process had; 0 where the system does not say."""
    if sys.platform == "win32":
        import psutil

        return float(psutil.Process().memory_info().peak_wset) / MIB
    for line in (system.read("/proc/self/status") or "").splitlines():
        if line.startswith("VmHWM:"):
            return float(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (MIB if sys.platform == "darwin" else 1024)


def reset_peak(device_id: str) -> None:
    """Let the peak count from now on. Without effect where the system cannot (MPS; the CPU outside Linux)."""
    if device_id.startswith("cuda"):
        import torch

        torch.cuda.reset_peak_memory_stats(device_id)
    elif device_id == "cpu" and sys.platform == "linux":
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM


def free_memory(device_id: str) -> None:
    """Give back what nothing refers to any more: collect garbage, empty the card's cache, return free heap.

    Where automatic collection is off, the program collects by itself on the thread that may (the window's).
    Collecting holds the interpreter, and with it the window, for 0.2 s unless `freeze_imports` was called before.
    """
    if gc.isenabled():
        gc.collect()
    empty_cache(device_id)
    system.trim_heap()


def is_out_of_memory(error: BaseException) -> bool:
    """Whether torch or the system could not give memory, on a card or on the CPU."""
    torch = sys.modules.get("torch")
    if isinstance(error, MemoryError) or (torch is not None and isinstance(error, torch.OutOfMemoryError)):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and any(words in text for words in _OUT_OF_MEMORY)


def empty_cache(device_id: str) -> None:
    """Give the blocks that torch keeps for later back to the card; without effect on the CPU."""
    if device_id.startswith("cuda"):
        import torch

        if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            with contextlib.suppress(RuntimeError):  # a lost card keeps its memory
                torch.cuda.empty_cache()
    elif device_id == "mps":
        import torch

        torch.mps.empty_cache()


def freeze_imports() -> None:
    """Let the garbage collector pass over what exists now; to be called once the heavy modules are loaded.

    They are 400,000 objects that live as long as the program: a collection then takes under 1 ms instead of 170.
    What is frozen and later becomes a cycle of garbage is never collected: so this is done once, and before models are
    made.
    """
    if not gc.get_freeze_count():
        gc.freeze()
