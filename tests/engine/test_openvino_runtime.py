"""OpenVINO computes here and tells nobody."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = """
import sys, threading
from catdog_gui.engine.networks.features import LITE0, make_engine, one
from catdog_gui.engine.networks.weights import bundled_lite0
import numpy as np
engine = make_engine(LITE0, bundled_lite0(), 64, "cpu", "fp32")
assert engine.name == "openvino"
assert one(engine, np.zeros((64, 64, 3), np.uint8)).shape == (1280,)
print("openvino_telemetry" in sys.modules, [thread.name for thread in threading.enumerate()])
"""


@pytest.mark.skipif(importlib.util.find_spec("openvino") is None, reason="no OpenVINO on this system")
def test_computing_features_reports_nothing_and_writes_nothing_into_the_home(tmp_path: Path) -> None:
    """Importing openvino as it comes starts a thread that tells Intel, and makes a folder `intel` in the home."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"}  # it is silent there
    environment |= {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-P", "-c", CODE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "False ['MainThread']"
    assert list(tmp_path.iterdir()) == []
