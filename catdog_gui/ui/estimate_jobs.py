"""The jobs behind estimates: read what is known of this computer, and measure it."""

from collections.abc import Callable
from itertools import islice

from catdog_gui.session.estimates import Here
from catdog_gui.ui.bridge import Stop
from catdog_gui.ui.job_values import Known

Send = Callable[[object], None]
_LISTED, _TAKEN = 2_000, 64  # photos of the folder that are listed, and how many of them are taken


def known(here: Here) -> Callable[[Send, Stop], Known]:
    """What is known of a device; nothing heavy is loaded."""

    def job(_send: Send, _should_stop: Stop) -> Known:
        from catdog_gui.engine.devices.memory import free_mb, process_mb
        from catdog_gui.engine.estimates import machine

        runs = machine.past_runs()
        found = machine.known(here.device, here.precision, here.folder, runs=runs)
        free = free_mb(here.device) if here.device == "cpu" else here.memory_mb
        if free is not None and here.device == "cpu":
            free += process_mb()
        return Known(found, tuple(runs), free)

    return job


def measure(here: Here, *, with_network: bool) -> Callable[[Send, Stop], None]:
    """Measure the device with a few of the folder's photos, and keep it."""

    def job(_send: Send, should_stop: Stop) -> None:
        from catdog_gui.engine.datasets.search import find_photos
        from catdog_gui.engine.devices import resolve
        from catdog_gui.engine.estimates import machine

        photos = list(islice(find_photos([here.folder], should_stop), _LISTED))
        taken = photos[:: max(1, len(photos) // _TAKEN)]
        if taken:
            device = resolve(here.device)
            machine.measure(device, here.precision, here.folder, taken, should_stop, with_network=with_network)

    return job
