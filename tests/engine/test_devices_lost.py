"""Which errors mean that the card is gone or broken, and which do not."""

import pytest

from catdog_gui.engine.devices.lost import lost
from catdog_gui.session.hardware import LOST


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be ...", "device_broken"),
        ("CUDA error: device-side assert triggered", "device_broken"),
        ("CUDA error: unspecified launch failure", "device_broken"),
        ("CUDA error: the launch timed out and was terminated", "device_broken"),
        ("CUDA error: uncorrectable ECC error encountered", "device_broken"),
        ("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR", "device_broken"),
        ("No CUDA GPUs are available: no CUDA-capable device is detected", "device_gone"),
        ("CUDA error: CUDA-capable device(s) is/are busy or unavailable", "device_gone"),
        ("CUDA driver error: GPU is lost", "device_gone"),
        ("Found no NVIDIA driver on your system", "device_gone"),
    ],
)
def test_an_error_that_a_new_process_only_gets_out_of_says_to_restart(text: str, code: str) -> None:
    found = lost(RuntimeError(text), "NVIDIA Example")

    assert found is not None
    assert (found.code, found.code in LOST) == (code, True)
    assert "NVIDIA Example" in str(found)
    assert "start" in str(found).lower()
    assert "\n" not in str(found)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("mat1 and mat2 shapes cannot be multiplied"),
        RuntimeError("an illegal memory access"),
        ValueError("CUDA error: device-side assert triggered"),
        MemoryError(),
    ],
    ids=str,
)
def test_any_other_error_is_none_of_the_card(error: Exception) -> None:
    assert lost(error, "cuda:0") is None


def test_the_error_behind_the_error_counts() -> None:
    try:
        try:
            raise RuntimeError("CUDA error: device-side assert triggered")
        except RuntimeError as inner:
            raise KeyError("while closing") from inner
    except KeyError as outer:
        found = lost(outer, "cuda:0")

    assert found is not None
    assert found.code == "device_broken"
