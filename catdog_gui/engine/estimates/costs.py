"""What training costs on the computer that the estimates were made on; others are told as a multiple of it. No torch.

An Intel Xeon (Sapphire Rapids, AMX), 2 cores: `benchmarks/estimates.py --costs` prints them anew.
"""

from dataclasses import dataclass

from catdog_gui.engine.config import NETWORKS


@dataclass(frozen=True, slots=True)
class Step:
    """Milliseconds at 224 px: of each step, of each photo in it, of each photo when only checked."""

    step_ms: float
    photo_ms: float
    check_ms: float


@dataclass(frozen=True, slots=True)
class Part:
    """A part that learns. activations_mb: kept for the way back, a photo in fp32; learning_mb: its weights.

    row_mb: what the store holds of a photo; (for a whole network: a square). passing_mb: what a photo takes while it
    passes through the frozen stages below, fp32; torch computes these only for photos that are varied.
    """

    bf16: Step
    fp32: Step
    activations_mb: float
    learning_mb: float
    row_mb: float = 0.144
    passing_mb: float = 0.0


def _scaled(step: Step, factor: float) -> Step:
    return Step(step.step_ms * factor, step.photo_ms * factor, step.check_ms * factor)


def _part(
    step: Step, activations_mb: float, learning_mb: float, row_mb: float = 0.144, passing_mb: float = 0.0
) -> Part:
    """A part of which fp32 was not measured: as many times slower as the usual network's."""
    return Part(step, _scaled(step, 1.2), activations_mb, learning_mb, row_mb, passing_mb)


LITE0, SMALL_CNN = "efficientnet_lite0", "small_cnn"
UPPER: dict[str, Part] = {
    LITE0: Part(Step(25, 8.3, 2.0), Step(40, 9.0, 2.2), 8.3, 10, 0.042, 7.7),
    "resnet18": _part(Step(48, 7.7, 2.1), 1.1, 32, 0.096, 4.2),
    "resnet34": _part(Step(67, 16.1, 4.3), 1.5, 50, 0.096, 4.2),
    "resnet50": _part(Step(93, 15.7, 3.4), 5.2, 57, 0.383, 5.7),
    "mobilenet_v3_small": _part(Step(46, 5.0, 0.4), 2.8, 5, 0.018, 1.7),
    "mobilenet_v3_large": _part(Step(95, 7.9, 0.7), 5.2, 13, 0.042, 4.9),
    "efficientnet_v2_s": _part(Step(170, 30.4, 8.6), 33.4, 57, 0.06, 2.9),
    "convnext_tiny": _part(Step(203, 19.8, 3.9), 12.6, 68, 0.144, 6.4),
}
WHOLE: dict[str, Part] = {
    LITE0: Part(Step(30, 47, 9.8), Step(60, 60, 13.0), 75.9, 13),
    SMALL_CNN: Part(Step(40, 13, 5.0), Step(0, 40, 10.0), 20.0, 50),
    "resnet18": _part(Step(47, 30.0, 8.6), 21.2, 43),
    "resnet34": _part(Step(100, 58.0, 17.8), 30.8, 81),
    "resnet50": _part(Step(173, 81.0, 22.8), 82.0, 90),
    "mobilenet_v3_small": _part(Step(77, 14.9, 1.9), 15.4, 6),
    "mobilenet_v3_large": _part(Step(50, 45.0, 5.2), 42.1, 16),
    "efficientnet_v2_s": _part(Step(106, 104.0, 25.0), 147.2, 77),
    "convnext_tiny": _part(Step(41, 130.0, 15.4), 104.1, 106),
}
UPPER[SMALL_CNN] = WHOLE[SMALL_CNN]
assert set(UPPER) == set(WHOLE) == set(NETWORKS)

READING_MS = 1.2  # a photo of usual size, all threads together
FEATURES_MS = {"bf16": 1.75, "fp32": 4.2}  # the bundled network's frozen stages on OpenVINO
UPPER_SHARE = 0.85  # of them that lies below the stages that `balanced` trains
READY_S = 0.9  # for the engine to be compiled
HEAD_MS = 0.03  # a photo an epoch of a linear head over stored features
HEAD_CHECK_MS = 0.004
VARIED_MS = 4.0  # to vary a photo
VERSION_MS = 0.9  # to make a version of a photo that is stored, all threads together
VARIED_MB = 3.6  # what a photo takes meanwhile
POOR_COPIES = 160  # made of the training photos when the model is saved: `models.poorness`
REMEMBERED = 4096  # training photos at most that a model remembers: `models.verdicts`
CACHED_MS = 0.12  # to take a photo's row out of the cache
CACHED_MB_MS = 1.0  # more for each MiB of it
SAVE_S = 0.25  # to judge and save a model
BASE_MB = 65.0  # the process before it learns, without torch
TORCH_MB = 740.0  # more with it, once it has computed
TORCH_LOADED_MB = 470.0  # of it when it is only loaded
HEAD_MB = 125.0  # a run that learns only the last layer: the graph, the buffers
BF16_MEMORY = 0.9  # what a step keeps and passes through in half precision, share of fp32: much stays fp32
IMPORTS_S = {"head": 0.6, "network": 2.2}  # to load the libraries
