"""Drawn cats and dogs: everything that both have. Fur, pattern, pose and light come from the same draws for both."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from catdog_gui.engine.samples.pen import Color, Pen, Point, clear, mirrored, mix, shade
from catdog_gui.engine.samples.scenes import vary

_FURS: tuple[Color, ...] = (
    (226, 150, 76), (236, 212, 170), (150, 154, 160), (74, 68, 72), (138, 98, 68), (242, 238, 230),
    (104, 74, 58), (206, 168, 118), (112, 122, 138), (186, 112, 66),
)  # fmt: skip
_EYES: tuple[Color, ...] = ((196, 140, 48), (112, 74, 44), (134, 158, 72), (98, 150, 190))
_COLLARS: tuple[Color, ...] = ((200, 60, 60), (60, 110, 180), (70, 140, 90), (230, 170, 50), (130, 80, 160))
_PATTERNS = ("plain", "stripes", "patch", "blaze", "mask", "spots", "socks")
_POSES = ("portrait", "portrait", "sit", "sit", "stand", "lie")


class Tail(NamedTuple):
    """shape: the line along its middle, from (0, 0) on."""

    shape: list[Point]
    width: float


@dataclass(frozen=True, slots=True)
class Look:
    """How one animal looks. turn: -1 (to the left) to 1; tilt: degrees; open_eyes: 0 (asleep) to 1."""

    fur: Color
    pale: Color
    dark: Color
    line: Color
    pattern: str
    second: Color
    eyes: Color
    skin: Color
    collar: Color | None
    pose: str
    turn: float
    tilt: float
    open_eyes: float
    fluffy: bool


def _fur(rng: Random) -> Color:
    return vary(rng, shade(rng.choice(_FURS), rng.uniform(0.86, 1.06)), 4)


def look(rng: Random) -> Look:
    """A random look; nothing in it tells cats from dogs."""
    fur = _fur(rng)
    bright = sum(fur) / 3
    return Look(
        fur=fur,
        pale=mix(fur, (252, 246, 236), rng.uniform(0.45, 0.85)),
        dark=shade(fur, 0.62 if bright > 110 else 0.55),
        line=shade(fur, 0.7) if bright > 90 else shade(fur, 0.62),
        pattern=rng.choice(_PATTERNS),
        second=_fur(rng),
        eyes=vary(rng, rng.choice(_EYES)),
        skin=vary(rng, (226, 150, 150), 10) if bright > 100 or rng.random() < 0.4 else (70, 52, 54),
        collar=rng.choice(_COLLARS) if rng.random() < 0.4 else None,
        pose=rng.choice(_POSES),
        turn=rng.uniform(-1, 1),
        tilt=rng.gauss(0, 7),
        open_eyes=0.0 if rng.random() < 0.06 else rng.uniform(0.8, 1.0),
        fluffy=rng.random() < 0.35,
    )


def outlined(pen: Pen, points: list[Point], fill: Color, line: Color) -> None:
    """A smooth shape with a fine darker edge."""
    pen.blob(points, line, grow=0.8)
    pen.blob(points, fill)


def limb(pen: Pen, points: list[Point], width: float, look: Look, end: Color | None = None) -> None:
    """A leg or tail with its edge; end: colour of its tip."""
    pen.stroke(points, width + 1.6, look.line)
    pen.stroke(points, width, look.fur)
    if end is not None:
        pen.stroke(points[-2:], width, end)


def body(pen: Pen, rng: Random, look: Look, tail: Tail) -> Point:
    """The body in the look's pose, below and behind a head; returns where the head goes."""
    return _BODIES[look.pose](pen, rng, look, tail)


def _paw(pen: Pen, x: float, y: float, look: Look, wide: float = 5.2) -> None:
    color = look.pale if look.pattern in ("socks", "blaze") else look.fur
    pen.ellipse(x, y, wide + 0.8, 4.2, look.line)
    pen.ellipse(x, y, wide, 3.5, color)
    for toe in (-1.6, 1.6):
        pen.stroke([(x + toe, y + 0.6), (x + toe, y + 3)], 0.6, look.line)


def _tail(pen: Pen, x: float, y: float, tail: Tail, look: Look) -> None:
    tip = (
        look.pale if look.pattern in ("socks", "blaze") else look.dark if look.pattern in ("mask", "stripes") else None
    )
    limb(pen, [(x + dx, y + dy) for dx, dy in tail.shape], tail.width, look, tip)


def _portrait(pen: Pen, rng: Random, look: Look, _: Tail) -> Point:
    slope = rng.uniform(-3, 3)
    outlined(
        pen,
        [(0, 8), (13, 12), (25 + slope, 30), (29, 70), (-29, 70), (-25 + slope, 30), (-13, 12)],
        look.fur,
        look.line,
    )
    _coat(pen, rng, look, (0, 44), 22, 14)
    pen.blob(mirrored([(0, 14), (8, 18), (10, 34), (5, 52), (0, 60)]), look.pale)
    _tufts(pen, look, 24, 0, 7)
    return 0.0, 0.0


def _sit(pen: Pen, rng: Random, look: Look, tail: Tail) -> Point:
    side = rng.choice((-1, 1))
    _tail(pen.at(0, 0, mirror=side < 0), 13, 47, tail, look)
    for x in (-13.5, 13.5):
        outlined(pen, [(x, 33), (x + 8, 40), (x + 6, 51), (x - 6, 51), (x - 8, 40)], look.fur, look.line)
        _paw(pen, x * 1.05, 51, look, 6)
    outlined(pen, mirrored([(0, 6), (10, 10), (13.5, 24), (15, 42), (10, 50), (0, 51)]), look.fur, look.line)
    _coat(pen, rng, look, (0, 34), 13, 14)
    for x in (-5.6, 5.6):
        limb(pen, [(x, 27), (x * 1.05, 40), (x, 50)], 7.4, look)
        _paw(pen, x, 52, look)
    pen.blob(mirrored([(0, 12), (7.6, 16), (8.4, 25), (4.4, 32), (0, 34.5)]), look.pale)
    _tufts(pen, look, 31, 0, 5)
    return 0.0, 0.0


def _stand(pen: Pen, rng: Random, look: Look, tail: Tail) -> Point:
    far = replace(look, fur=shade(look.fur, 0.85))
    _tail(pen.at(0, 0, mirror=True), 29, 23, tail, look)
    for x in (-18.0, 13.0):
        limb(pen, [(x, 32), (x + 1, 44), (x, 53)], 7, far)
        _paw(pen, x + 1, 54, far, 4.6)
    outlined(
        pen,
        [(-31, 24), (-20, 17), (0, 17), (14, 12), (24, 20), (21, 36), (6, 40), (-12, 38), (-28, 40)],
        look.fur,
        look.line,
    )
    _coat(pen, rng, look, (-8, 27), 18, 9)
    for x in (-26.0, 7.0):
        limb(pen, [(x, 32), (x - 1, 44), (x, 54)], 7.6, look)
        _paw(pen, x + 1, 55.5, look)
    pen.blob([(12, 18), (22, 20), (21, 30), (14, 33)], look.pale)
    return 16.0, 2.0


def _lie(pen: Pen, rng: Random, look: Look, tail: Tail) -> Point:
    side = rng.choice((-1, 1))
    turned = pen.at(0, 0, mirror=side < 0)
    turned.stroke([(24, 38), (34, 46), (18, 52)], tail.width + 1.6, look.line)
    turned.stroke([(24, 38), (34, 46), (18, 52)], tail.width, look.fur)
    outlined(
        turned,
        [(-22, 24), (-6, 14), (12, 16), (27, 24), (32, 38), (24, 47), (0, 48), (-22, 47), (-28, 36)],
        look.fur,
        look.line,
    )
    _coat(turned, rng, look, (10, 32), 17, 10)
    turned.blob([(-12, 20), (4, 20), (8, 36), (-2, 42), (-14, 38)], look.pale)
    for x in (-12.0, 2.0):
        limb(turned, [(x, 40), (x, 48)], 7, look)
        _paw(turned, x, 50, look, 5.6)
    return -4.0 * side, 4.0


_BODIES: dict[str, Callable[[Pen, Random, Look, Tail], Point]] = {
    "portrait": _portrait,
    "sit": _sit,
    "stand": _stand,
    "lie": _lie,
}


def _tufts(pen: Pen, look: Look, y: float, x: float, half: float) -> None:
    """Fluff on the chest of long-haired ones."""
    if look.fluffy:
        for step in range(-2, 3):
            at = x + step * half / 2
            pen.polygon([(at - half / 2, y - 4), (at + half / 2, y - 4), (at, y + 5 - abs(step))], look.pale)


def _coat(pen: Pen, rng: Random, look: Look, middle: Point, wide: float, high: float) -> None:
    """The pattern of the body, within an ellipse around the middle."""
    x, y = middle
    if look.pattern == "stripes":
        for step in (-0.7, -0.25, 0.2, 0.65):
            for side in (-1, 1):
                at = y + step * high
                reach = wide * (1 - step * step) ** 0.5
                pen.stroke([(x + side * reach, at - 1), (x + side * reach * 0.5, at + 1.4)], 1.9, clear(look.dark, 200))
    elif look.pattern in ("patch", "spots"):
        small = look.pattern == "spots"
        for _ in range(8 if small else 2):
            dx, dy = rng.uniform(-0.75, 0.75) * wide, rng.uniform(-0.7, 0.7) * high
            radius = rng.uniform(1.2, 2.4) if small else rng.uniform(4, 7)
            pen.ellipse(x + dx, y + dy, radius, radius * 0.85, mix(look.second, look.dark, 0.35), rng.uniform(0, 90))


def markings(pen: Pen, rng: Random, look: Look, top: float, half: float) -> None:
    """The pattern of the face. top: y of the forehead's upper edge; half: half the width of the head."""
    pattern, side = look.pattern, rng.choice((-1, 1))
    if pattern == "stripes":
        for x in (-4.2, 0.0, 4.2):
            pen.stroke([(x, top + 1.5), (x * 0.8, top + 5), (x * 0.6, top + 8)], 1.5, look.dark)
        for y in (3.0, 7.0):
            for edge in (-1, 1):
                pen.stroke([(edge * half * 0.95, y), (edge * half * 0.68, y + 1)], 1.4, look.dark)
    elif pattern == "patch":
        color = mix(look.second, look.dark, 0.35)
        pen.ellipse(side * half * 0.45, top + 13, half * 0.38, half * 0.44, color, side * 20)
    elif pattern == "blaze":
        pen.blob(mirrored([(0, top + 1), (2.4, top + 6), (2.8, top + 14), (6, top + 22), (0, top + 26)]), look.pale)
    elif pattern == "mask":
        pen.blob(
            mirrored([(0, top + 9), (half * 0.55, top + 10), (half * 0.62, top + 18), (half * 0.4, 13), (0, 16)]),
            look.dark,
        )
    elif pattern == "spots":
        for _ in range(5):
            x, y = rng.uniform(-0.7, 0.7) * half, top + rng.uniform(3, 9)
            pen.ellipse(x, y, 1.2, 1.0, mix(look.second, look.dark, 0.35))


def collar(pen: Pen, look: Look, x: float, y: float, half: float) -> None:
    """A collar with its tag, below the chin."""
    if look.collar is None:
        return
    pen.stroke([(x - half, y - 2.6), (x, y + 1), (x + half, y - 2.6)], 3.2, look.collar)
    pen.ellipse(x, y + 3.6, 2.1, 2.1, (236, 196, 84))
    pen.ellipse(x, y + 3.2, 0.9, 0.9, (250, 228, 150))


def shadow_of_head(pen: Pen, x: float, y: float) -> None:
    """What the head takes of the light from the body below it."""
    pen.ellipse(x, y + 16, 10.8, 6.2, (30, 24, 40, 46))


def glow(pen: Pen, look: Look, top: float) -> None:
    """Light on the forehead, warmth on the cheeks, a tuft on long-haired ones. top: y of the forehead's upper edge."""
    if look.fluffy:
        tuft = [(-5, 4), (-4.2, -1.8), (-1.6, 0.6), (0.4, -3.6), (2.4, 0.2), (4.6, -2.4), (5, 4)]
        outlined(pen, [(x, top + y) for x, y in tuft], look.fur, look.line)
        pen.blob([(-7, top + 4), (0, top + 2.4), (7, top + 4), (0, top + 8)], look.fur)  # grown from the forehead
    for size in (1.0, 0.75, 0.5):
        pen.ellipse(-5.0, top + 6.5, 8 * size, 4.6 * size, (255, 255, 255, 11), -18)
    for side in (-1, 1):
        pen.ellipse(side * 11.6 + look.turn * 2, 7.6, 3.4, 2.4, clear((240, 120, 120), 44))


def closed_eye(pen: Pen, x: float, y: float, wide: float, color: Color) -> None:
    pen.stroke([(x - wide, y), (x, y + 1.8), (x + wide, y)], 1.1, color)
