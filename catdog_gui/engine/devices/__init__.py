"""What this computer can compute on and really works, the choice among it, and moving values there.

Everything here may load torch and CUDA (inside the functions; importing this is cheap): call it on a worker, never on
the window's thread. Nothing is remembered: `list_devices` looks again each time it is called.
"""

from catdog_gui.engine.devices.choice import choose_precision, get_optimal_device, resolve
from catdog_gui.engine.devices.doctor import computer_report, report_text
from catdog_gui.engine.devices.listing import DeviceInfo, cpu_device, list_devices, may_have_accelerator
from catdog_gui.engine.devices.lost import lost
from catdog_gui.engine.devices.memory import (
    free_mb,
    free_memory,
    freeze_imports,
    is_out_of_memory,
    memory_sample,
    process_mb,
    reset_peak,
)
from catdog_gui.engine.devices.placement import auto_device, to_device

__all__ = [
    "DeviceInfo",
    "auto_device",
    "choose_precision",
    "computer_report",
    "cpu_device",
    "free_mb",
    "free_memory",
    "freeze_imports",
    "get_optimal_device",
    "is_out_of_memory",
    "list_devices",
    "lost",
    "may_have_accelerator",
    "memory_sample",
    "process_mb",
    "report_text",
    "reset_peak",
    "resolve",
    "to_device",
]
