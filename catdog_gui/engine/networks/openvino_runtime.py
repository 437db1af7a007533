"""OpenVINO's runtime alone. Importing `openvino` as it is reports the use to Intel and writes into the user's home:
its model converter does both while it is imported. The package itself does without a converter that cannot be imported.
"""

import sys
import threading
from typing import Any

_CONVERTER = "openvino.tools.ovc"
_lock = threading.Lock()


def openvino() -> Any:  # noqa: ANN401 -- a module without type information
    """The module `openvino`; nothing is reported or written. Any thread. Raises ImportError where it is missing."""
    with _lock:
        if "openvino" not in sys.modules:
            sys.modules[_CONVERTER] = None  # type: ignore[assignment]  # Python: importing it raises ImportError
            try:
                import openvino
            finally:
                del sys.modules[_CONVERTER]  # other code in this process may want it
        import openvino
    return openvino
