"""Facts about this computer that need no torch: processor, memory, short questions to other programs."""

import contextlib
import functools
import os
import platform
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

MIB = 1024 * 1024
_BF16_FLAGS = frozenset({"avx512_bf16", "amx_bf16", "bf16", "svebf16"})  # x86, then ARM


def ask(command: list[str], timeout_s: float = 5.0) -> str | None:
    """What a program prints, None where it is missing, fails or does not answer in time.

    A program that cannot even be killed (nvidia-smi on a dead card) is left to a thread that waits for it.
    """
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # no console flashing up on Windows
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
        )
    except (OSError, ValueError):
        return None
    try:
        output, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        threading.Thread(target=_bury, args=(process,), name="waits-for-killed-program", daemon=True).start()
        return None
    return output.decode("utf-8", "replace") if process.returncode == 0 else None


def _bury(process: "subprocess.Popen[bytes]") -> None:
    process.wait()
    if process.stdout:
        process.stdout.close()


def read(path: str) -> str | None:
    """The text of a small system file, None where it is missing or may not be read."""
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return None


def cpu_name() -> str:
    """The processor as its maker calls it; the architecture where nothing better is known."""
    if sys.platform == "win32":
        found = _cpu_name_of_registry()
    elif sys.platform == "darwin":
        found = ask(["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"])
    else:
        found = _cpuinfo("model name") or _cpuinfo("Model")
    return " ".join((found or "").split()) or platform.processor() or platform.machine() or "CPU"


def _cpu_name_of_registry() -> str | None:
    if sys.platform == "win32":
        import winreg

        with contextlib.suppress(OSError):
            path = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path) as key:
                return str(winreg.QueryValueEx(key, "ProcessorNameString")[0])
    return None


def _cpuinfo(field: str) -> str | None:
    """The first value of a field of /proc/cpuinfo."""
    for line in (read("/proc/cpuinfo") or "").splitlines():
        name, _, value = line.partition(":")
        if name.strip() == field:
            return value.strip()
    return None


def cpu_computes_bf16() -> bool:
    """Whether the processor has instructions that compute in bfloat16 and this system's torch uses them.

    Linux answers from the kernel's flags (which also say whether the system enables AMX), Windows from torch.
    macOS: no; torch has no bf16 kernels for Apple's processors.
    """
    if sys.platform == "darwin":
        return False
    if sys.platform == "win32":
        return _torch_says_bf16()
    flags = _cpuinfo("flags") or _cpuinfo("Features") or ""
    return not _BF16_FLAGS.isdisjoint(flags.split())


def _torch_says_bf16() -> bool:
    import torch

    try:
        known = torch.cpu.get_capabilities()
        return bool(known.get("amx_bf16") or known.get("avx512_bf16") or known.get("bf16"))
    except (AttributeError, RuntimeError):  # torch before 2.11
        asks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
        return any(bool(getattr(torch.cpu, name, bool)()) for name in asks)


def cores() -> int:
    """Cores this process may use (a container or `taskset` may give fewer than there are)."""
    if sys.platform == "linux":
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    return count


def ram_mb() -> float:
    """Memory of the computer, or of the container where that is less, in MiB."""
    import psutil

    total = float(psutil.virtual_memory().total)
    limit = (read("/sys/fs/cgroup/memory.max") or "").strip()
    return min(total, float(limit)) / MIB if limit.isdigit() else total / MIB


def free_ram_mb() -> float:
    """Memory that programs could take now without swapping, in the computer or in the container, in MiB."""
    import psutil

    free = float(psutil.virtual_memory().available)
    limit, used = (read(f"/sys/fs/cgroup/memory.{name}") or "" for name in ("max", "current"))
    if limit.strip().isdigit() and used.strip().isdigit():
        free = min(free, max(0.0, float(limit) - float(used)))
    return free / MIB


def trim_heap() -> None:
    """Hand memory that was freed back to the system. Some 10 ms with a network's worth of it; other threads go on.

    glibc keeps what threads freed in a heap for each of them: 60 to 140 MB after a run. Other systems hand it back by
    themselves, or have no such call.
    """
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@functools.cache
def _malloc_trim() -> Callable[[int], int] | None:
    if sys.platform != "linux":
        return None
    import ctypes  # 5 ms that the window's first paint would wait for

    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # musl has none
        return None
    return found
