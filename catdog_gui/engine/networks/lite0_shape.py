"""The shape of EfficientNet-Lite0: what its torch network and its OpenVINO graph are both built from."""

from typing import NamedTuple

BN_EPS = 1e-3
FEATURES = 1280


class Stage(NamedTuple):
    """Repeats of one inverted residual; only the first has the stride."""

    repeats: int
    kernel: int
    stride: int
    expand: int
    channels_in: int
    channels_out: int


STAGES = (
    Stage(1, 3, 1, 1, 32, 16),
    Stage(2, 3, 2, 6, 16, 24),
    Stage(2, 5, 2, 6, 24, 40),
    Stage(3, 3, 2, 6, 40, 80),
    Stage(3, 5, 1, 6, 80, 112),
    Stage(4, 5, 2, 6, 112, 192),
    Stage(1, 3, 1, 6, 192, 320),
)


class Block(NamedTuple):
    """One inverted residual as the graph builders need it."""

    kernel: int
    stride: int
    expand: int
    channels_in: int
    channels_out: int

    @property
    def has_residual(self) -> bool:
        return self.stride == 1 and self.channels_in == self.channels_out


def blocks() -> list[Block]:
    """The 16 blocks in order."""
    return [
        Block(
            stage.kernel,
            stage.stride if first else 1,
            stage.expand,
            stage.channels_in if first else stage.channels_out,
            stage.channels_out,
        )
        for stage in STAGES
        for first in [True] + [False] * (stage.repeats - 1)
    ]
