"""What an error of torch says about the card itself: gone, or in a state that only a new process gets out of."""

from catdog_gui.engine.errors import CatDogError

# CUDA's own words for errors after which every further call of the process fails ("sticky").
_BROKEN = (
    "device-side assert",
    "illegal memory access",
    "illegal instruction",
    "illegal address",
    "misaligned address",
    "invalid program counter",
    "unspecified launch failure",
    "launch timed out",
    "hardware stack error",
    "uncorrectable",
    "contained",
    "cudnn_status_internal_error",
    "cudnn_status_mapping_error",
    "cublas_status_execution_failed",
)
_GONE = (
    "no cuda-capable device",
    "gpu is lost",
    "device is lost",
    "device lost",
    "fallen off the bus",
    "devices unavailable",
    "device(s) is/are busy or unavailable",
    "driver shutting down",
    "invalid device ordinal",
    "device not ready",
    "no nvidia driver",
)


def lost(error: BaseException, device: str) -> CatDogError | None:
    """device_gone or device_broken where the error means that; None for any other error, out of memory among them.

    device: the id or the name to say. Causes and contexts are looked at too.
    """
    link: BaseException | None = error
    seen: set[int] = set()
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        code = _code(link)
        if code is not None:
            return CatDogError(code, device=device, reason=_first_line(link))
        link = link.__cause__ or link.__context__
    return None


def _code(error: BaseException) -> str | None:
    if not isinstance(error, RuntimeError):  # torch's AcceleratorError and OutOfMemoryError are such
        return None
    text = str(error).lower()
    if "out of memory" in text or not any(word in text for word in ("cuda", "hip", "cudnn", "cublas", "mps", "nvidia")):
        return None
    if any(words in text for words in _GONE):
        return "device_gone"
    return "device_broken" if any(words in text for words in _BROKEN) else None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
