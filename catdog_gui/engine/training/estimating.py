"""A run's estimate, said before it prepares: the time, the memory against what is free, and a warning."""

import sys
from typing import TYPE_CHECKING

from catdog_gui.engine import devices, events
from catdog_gui.engine.estimates import machine
from catdog_gui.engine.estimates.estimate import Estimate, estimate

if TYPE_CHECKING:
    from catdog_gui.engine.preparing.setup import Setup


def say_estimate(setup: "Setup") -> None:
    """Say what the run will take here, and warn where its memory is not to be had. Never ends a run."""
    config, device = setup.config, setup.device
    runs = machine.past_runs()
    here = machine.known(device.id, setup.precision, config.data, runs=runs)
    if not here.knows_something:
        return
    cached = machine.probably_cached(config, config.data, here, runs)
    found = estimate(config, len(setup.scan.paths), here, cached=cached, loaded="torch" in sys.modules)
    free = devices.free_mb(device.id)
    setup.report.say(
        events.Estimated(
            seconds={name: round(value, 2) for name, value in found.seconds.items()},
            total_s=round(found.total_s, 2),
            peak_mb=round(found.peak_mb),
            free_mb=None if free is None else round(free),
            rough=found.rough,
            cached=cached,
        )
    )
    warning = memory_warning(found, device.id, device.name, free)
    if warning is not None:
        setup.report.say(warning)


def memory_warning(found: Estimate, device_id: str, name: str, free_mb: float | None) -> events.Notice | None:
    """What to say where a run needs more memory than is free. On the CPU this process's own memory counts as free."""
    if free_mb is None:
        return None
    if device_id == "cpu":
        free_mb += devices.process_mb()
    if found.needed_mb <= free_mb:
        return None
    code = "memory_short" if device_id == "cpu" else "memory_short_card"
    return events.Notice(code, {"needed_gb": found.needed_mb / 1024, "free_gb": free_mb / 1024, "name": name})
