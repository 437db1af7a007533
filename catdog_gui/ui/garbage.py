"""Python's garbage collector on the window's thread only.

Left alone it runs on whichever thread happens to allocate, a worker among them, and may there delete a widget that was
part of a cycle: Qt crashes then. So it is switched off and run here, by the interpreter's own counts.

What libraries make while they are imported stays for good (torch: half a million objects): it is taken out of the
collector's sight, or each look at the oldest generation would hold the window for 80 ms.
"""

import gc
import sys

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 1000
_MODULES = 20  # new modules since the last time that mean a library


class GarbageCollector(QObject):
    """Collects while it lives; automatic collection stays off for the rest of the process.

    Engine code looks at `gc.isenabled()` and leaves collecting to this when it is off.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._modules = len(sys.modules)
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> None:
        """The oldest generation that is due, and with it the younger ones. After an import none: see above."""
        if len(sys.modules) - self._modules > _MODULES:
            self._modules = len(sys.modules)
            gc.freeze()
            return
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return
