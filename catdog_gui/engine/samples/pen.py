"""A pen for drawings: smooth shapes in a turned, scaled, mirrored coordinate system, and colours."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Color = tuple[int, ...]  # RGB or RGBA, 0..255
Point = tuple[float, float]
Matrix = npt.NDArray[np.float64]

_TURN = np.linspace(0.0, 2 * math.pi, 40, endpoint=False)
_CIRCLE: Matrix = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)
_CAP_COS = np.cos(np.linspace(0.0, math.pi, 9))[:, None]  # half a circle at the end of a line
_CAP_SIN = np.sin(np.linspace(0.0, math.pi, 9))[:, None]
_T = np.linspace(0.0, 1.0, 7, endpoint=False)[:, None]
_SPLINE = np.hstack(
    [  # Catmull-Rom weights of the points before, at, after and two after
        0.5 * (-_T + 2 * _T**2 - _T**3),
        0.5 * (2 - 5 * _T**2 + 3 * _T**3),
        0.5 * (_T + 4 * _T**2 - 3 * _T**3),
        0.5 * (-(_T**2) + _T**3),
    ]
)


def mix(a: Color, b: Color, share: float) -> Color:
    """The colour `share` of the way from a to b (RGB)."""
    return tuple(round(x + (y - x) * share) for x, y in zip(a[:3], b[:3], strict=True))


def shade(color: Color, factor: float) -> Color:
    """Darker below 1, lighter above (towards white)."""
    return mix((0, 0, 0), color, factor) if factor <= 1 else mix(color, (255, 255, 255), factor - 1)


def clear(color: Color, alpha: int) -> Color:
    """The colour, see-through: alpha 0..255."""
    return (*color[:3], alpha)


@cache
def _closed(count: int) -> Matrix:
    """What turns the corners of a closed shape into the points of its smooth outline."""
    weights = np.zeros((count, len(_T), count))
    for corner in range(count):
        for step in range(4):
            weights[corner, :, (corner + step - 1) % count] += _SPLINE[:, step]
    return weights.reshape(-1, count)


@cache
def _open(count: int) -> tuple[Matrix, Matrix]:
    """What turns the corners of an open line into the points of the smooth line, and into its directions there."""
    extended = np.eye(count + 2, count, -1)  # goes on straight before the first corner and after the last
    extended[0, :2] = (2, -1)
    extended[-1, -2:] = (-1, 2)
    curve = np.vstack([*(_SPLINE @ extended[start : start + 4] for start in range(count - 1)), extended[-2]])
    return curve, np.gradient(curve, axis=0)


class Pen:
    """Draws in its own coordinates (the whole picture is 100 x 100, y down) through a matrix to pixels."""

    def __init__(self, solid: ImageDraw.ImageDraw, glaze: ImageDraw.ImageDraw, linear: Matrix, origin: Matrix) -> None:
        self._solid = solid
        self._glaze = glaze  # mixes see-through colours with what is there; slower
        self._linear = linear
        self._origin = origin

    @classmethod
    def on(cls, image: Image.Image) -> "Pen":
        """A pen for a whole square RGB picture."""
        linear = np.eye(2) * (image.width / 100)
        return cls(ImageDraw.Draw(image), ImageDraw.Draw(image, "RGBA"), linear, np.zeros(2))

    def at(self, x: float, y: float, *, scale: float = 1.0, degrees: float = 0.0, mirror: bool = False) -> "Pen":
        """A pen whose origin is at (x, y) of this one, turned clockwise, scaled, mirrored left to right."""
        angle = math.radians(degrees)
        cos, sin, flip = math.cos(angle) * scale, math.sin(angle) * scale, -1.0 if mirror else 1.0
        turn = np.array([[cos * flip, sin * flip], [-sin, cos]])  # rows: images of the axes
        return Pen(self._solid, self._glaze, turn @ self._linear, self._origin + np.array([x, y]) @ self._linear)

    def _fill(self, points: Matrix, color: Color) -> None:
        draw = self._solid if len(color) == 3 else self._glaze
        draw.polygon((points @ self._linear + self._origin).ravel().tolist(), fill=color)

    def polygon(self, points: Sequence[Point], color: Color) -> None:
        self._fill(np.asarray(points, dtype=np.float64), color)

    def ellipse(self, x: float, y: float, rx: float, ry: float, color: Color, degrees: float = 0.0) -> None:
        shape = _CIRCLE * (rx, ry)
        if degrees:
            angle = math.radians(degrees)
            shape = shape @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        self._fill(shape + np.array([x, y]), color)

    def blob(self, points: Sequence[Point], color: Color, grow: float = 0.0) -> None:
        """A closed smooth shape through the points; grow: how far it is widened from its middle."""
        corners = np.asarray(points, dtype=np.float64)
        if grow:
            away = corners - corners.mean(axis=0)
            corners = corners + away * (grow / np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-6))[:, None]
        self._fill(_closed(len(corners)) @ corners, color)

    def stroke(self, points: Sequence[Point], width: float, color: Color) -> None:
        """A smooth open line through the points, with round ends."""
        corners = np.asarray(points, dtype=np.float64)
        line, direction = _open(len(corners))
        curve, along = line @ corners, direction @ corners
        along *= (width / 2) / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-6)[:, None]
        across = along[:, ::-1] * (1, -1)
        ends = [_CAP_COS * across[k] + sign * _CAP_SIN * along[k] for k, sign in ((-1, 1), (0, -1))]
        outline = [curve + across, curve[-1] + ends[0], curve[::-1] - across[::-1], curve[0] - ends[1]]
        self._fill(np.concatenate(outline), color)


def mirrored(right: Sequence[Point]) -> list[Point]:
    """A shape that is the same left and right, from the points of its right half, top to bottom."""
    return [*right, *((-x, y) for x, y in reversed(right) if x)]
