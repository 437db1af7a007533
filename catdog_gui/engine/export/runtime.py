"""ONNX Runtime as this program uses it: quiet, reporting nothing; and whether what export needs is installed."""

import importlib.util
import sys
from typing import Any

import numpy as np

from catdog_gui.engine.errors import CatDogError

Array = np.ndarray[Any, np.dtype[Any]]
PACKAGES = ("onnx", "onnxruntime")  # so neither is imported here before `check_installed` was asked
VERDICTS = ("sure", "not_sure", "none_of_these")
_ERRORS_ONLY = 3


def check_installed() -> None:
    """Raises CatDogError export_packages_missing, whose command installs what is missing."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        command = f'"{sys.executable}" -m pip install {" ".join(missing)}'
        raise CatDogError("export_packages_missing", names=" and ".join(missing), command=command)


def onnxruntime() -> Any:  # noqa: ANN401 -- a module without type information
    """The module `onnxruntime`. Its Windows build would report its use to Microsoft: that is switched off first."""
    import onnxruntime as runtime

    if hasattr(runtime, "disable_telemetry_events"):
        runtime.disable_telemetry_events()
    runtime.set_default_logger_severity(_ERRORS_ONLY)
    return runtime


class Answers:
    """A written model, asked. threads: 0 = as many as the runtime thinks good."""

    def __init__(self, model: str | bytes, *, threads: int = 0) -> None:
        runtime = onnxruntime()
        options = runtime.SessionOptions()
        options.log_severity_level = _ERRORS_ONLY
        options.intra_op_num_threads = threads
        self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def ask(self, photo: Array) -> tuple[Array, float, int, str]:
        """photo: uint8 RGB (H, W, 3). Probabilities (C,), novelty, number of the best class, verdict."""
        shares, distance, top, verdict = self._session.run(None, {"photo": np.ascontiguousarray(photo)})
        return shares, float(distance[0]), int(top[0]), VERDICTS[int(verdict[0])]
