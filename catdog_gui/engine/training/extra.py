"""Work that makes a model better and that it can do without."""

from collections.abc import Callable
from typing import TypeVar

from catdog_gui.engine import devices
from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.preparing.setup import Setup

T = TypeVar("T")


def where_possible(setup: Setup, work: Callable[[], T]) -> T | None:
    """What `work` gives; None where the user stopped it or memory ran out. The model is then as good as without it."""
    try:
        return work()
    except Stopped:
        return None
    except Exception as error:
        if not devices.is_out_of_memory(error):
            raise
        devices.free_memory(setup.device.id)
        return None
