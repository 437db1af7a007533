"""Qt objects must only ever be deleted on the window's thread."""

import gc
import sys
import threading
import weakref
from typing import Any

from PySide6.QtCore import QObject, QThread

from catdog_gui.engine.devices import free_memory
from catdog_gui.ui.garbage import GarbageCollector


class Cycle:
    """Garbage that only the collector can find; notes the thread on which it is deleted."""

    def __init__(self, deleted_on: list[threading.Thread]) -> None:
        self.itself = self
        self._deleted_on = deleted_on

    def __del__(self) -> None:
        self._deleted_on.append(threading.current_thread())


def test_a_worker_neither_collects_by_itself_nor_when_the_engine_frees_memory(qapp: Any) -> None:
    owner = QObject()
    collector = GarbageCollector(owner)
    deleted_on: list[threading.Thread] = []
    Cycle(deleted_on)

    def work() -> None:
        kept = [[number] for number in range(20_000)]  # enough to trigger every generation
        free_memory("cpu")
        del kept

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert deleted_on == []

    gc.collect()  # what the timer does when a generation is due, here at once
    assert deleted_on == [threading.main_thread()]
    del collector
    owner.deleteLater()


def test_garbage_is_collected_while_the_window_lives(qapp: Any) -> None:
    owner = QObject()
    collector = GarbageCollector(owner)
    deleted_on: list[threading.Thread] = []
    reference = weakref.ref(Cycle(deleted_on))
    kept = [[number] for number in range(20_000)]

    for _ in range(3):
        collector.collect()

    assert reference() is None
    assert QThread.currentThread() is qapp.thread()
    del kept
    owner.deleteLater()


def test_what_a_library_made_while_it_was_imported_is_not_looked_at_again(qapp: Any) -> None:
    owner = QObject()
    collector = GarbageCollector(owner)
    library = [[number] for number in range(20_000)]
    names = [f"a_large_library.part_{number}" for number in range(50)]
    sys.modules.update(dict.fromkeys(names, sys))
    try:
        collector.collect()
    finally:
        for name in names:
            del sys.modules[name]

    watched = {id(item) for item in gc.get_objects()}
    assert not any(id(item) in watched for item in library)
    owner.deleteLater()
    gc.unfreeze()
