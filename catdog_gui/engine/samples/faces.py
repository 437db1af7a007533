"""What tells a cat from a dog: head, ears, muzzle, eyes, whiskers, tongue, tail."""

from random import Random

from catdog_gui.engine.samples.pen import Color, Pen, Point, clear, mirrored, mix, shade
from catdog_gui.engine.samples.pets import (
    Look,
    Tail,
    body,
    closed_eye,
    collar,
    glow,
    look,
    markings,
    outlined,
    shadow_of_head,
)

_INK: Color = (44, 34, 36)
_SIZES = {"portrait": (1.42, 50, 50), "sit": (1.06, 50, 38), "stand": (0.98, 49, 35), "lie": (1.1, 50, 39)}


def pet(pen: Pen, rng: Random, kind: str) -> None:
    """Draw one animal, "cat" or "dog", into a picture of 100 x 100."""
    seen = look(rng)
    scale, x, y = _SIZES[seen.pose]
    near = rng.uniform(0.84, 1.1)
    place = pen.at(
        x + rng.uniform(-7, 7),
        y + rng.uniform(-3, 3),
        scale=scale * near,
        degrees=rng.gauss(0, 2.5),
        mirror=rng.random() < 0.5,
    )
    if seen.pose != "portrait":
        place.ellipse(2, 55, 30, 4.5, (30, 26, 40, 70))  # its shadow on the ground
    tail = _cat_tail(rng) if kind == "cat" else _dog_tail(rng)
    head_x, head_y = body(place, rng, seen, tail)
    shadow_of_head(place, head_x, head_y)
    collar(place, seen, head_x, head_y + (18.5 if kind == "cat" else 20.5), 11)
    head = place.at(head_x, head_y, degrees=seen.tilt, scale=1.0 if kind == "cat" else 0.98)
    (_cat_head if kind == "cat" else _dog_head)(head, rng, seen)


def _cat_tail(rng: Random) -> Tail:
    shape = rng.choice((
        [(0.0, 0.0), (13.0, 2.0), (18.0, -10.0), (13.0, -22.0), (17.0, -30.0)],
        [(0.0, 0.0), (12.0, 0.0), (17.0, -12.0), (17.0, -28.0), (9.0, -34.0)],
        [(0.0, 0.0), (10.0, 3.0), (20.0, 0.0), (25.0, -8.0)],
    ))  # fmt: skip
    return Tail(shape, 5.0)


def _dog_tail(rng: Random) -> Tail:
    shape = rng.choice((
        [(0.0, 0.0), (9.0, -3.0), (14.0, -11.0), (15.0, -19.0)],
        [(0.0, 0.0), (9.0, -5.0), (12.0, -14.0), (6.0, -18.0)],
        [(0.0, 0.0), (10.0, -1.0), (18.0, -6.0)],
    ))  # fmt: skip
    return Tail(shape, 6.4)


def _cat_head(pen: Pen, rng: Random, seen: Look) -> None:
    wide, turn = rng.uniform(0.94, 1.08), seen.turn
    tall = rng.uniform(8, 14)
    for side in (-1, 1):
        _cat_ear(pen, seen, side, wide * (1 - 0.12 * side * turn), tall, rng.uniform(-2, 2))
    cheek = 21.5 if seen.fluffy else 19.5
    half = [(0.0, -16.5), (8.5, -15.5), (16.0, -9.5), (19.0, 0.5), (cheek, 8.0), (13.0, 14.8), (6.0, 17.2), (0.0, 17.8)]
    outlined(pen, mirrored([(x * wide, y) for x, y in half]), seen.fur, seen.line)
    if seen.fluffy:
        for side in (-1, 1):
            for y in (5.0, 9.0):
                pen.polygon([(side * 17 * wide, y - 3), (side * 17 * wide, y + 3), (side * 24 * wide, y + 3)], seen.fur)
    markings(pen, rng, seen, -16, 18 * wide)
    glow(pen, seen, -16)
    for side in (-1, 1):
        _cat_eye(pen, seen, side * 8.2 * wide + turn * 2.6, -0.6, side)
    _cat_muzzle(pen, rng, seen, turn * 4)


def _cat_ear(pen: Pen, seen: Look, side: int, wide: float, tall: float, lean: float) -> None:
    tip = (side * (15.5 + lean) * wide, -16 - tall)
    outer, inner = (side * 18.6 * wide, -4.0), (side * 3.6 * wide, -14.5)
    color = seen.dark if seen.pattern == "mask" else seen.fur
    for grow, fill in ((1.0, seen.line), (0.0, color)):
        a, b, c = (outer[0] + side * grow, outer[1]), (tip[0], tip[1] - grow * 1.6), (inner[0] - side * grow, inner[1])
        bulge = (side * (18.4 * wide + 0.6) + side * grow, (outer[1] + tip[1]) / 2)
        pen.blob([a, bulge, b, ((b[0] + c[0]) / 2 + side * 0.4, (b[1] + c[1]) / 2 - 0.8), c, (side * 10, -4)], fill)
    middle = (side * 12.6 * wide, -11.0)
    shrunk = [(middle[0] + (x - middle[0]) * 0.62, middle[1] + (y - middle[1]) * 0.66) for x, y in (outer, tip, inner)]
    pen.polygon(shrunk, mix(seen.skin, seen.fur, 0.25))


def _cat_eye(pen: Pen, seen: Look, x: float, y: float, side: int) -> None:
    if not seen.open_eyes:
        closed_eye(pen, x, y, 3.8, _INK)
        return
    rx, ry = 4.5, 4.6 * seen.open_eyes
    almond = [(x - side * rx, y + 1.0), (x, y + ry * 0.86), (x + side * rx, y - 1.2), (x, y - ry * 0.9)]
    pen.blob(almond, _INK, grow=0.9)
    pen.blob(almond, seen.eyes)
    pen.ellipse(x, y + 1.2, rx * 0.6, ry * 0.5, shade(seen.eyes, 1.25))
    pupil = 1.0 + 1.5 * abs(seen.turn)
    pen.ellipse(x + seen.turn * 0.8, y, pupil, ry * 0.8, _INK)
    pen.ellipse(x - 1.3, y - 1.5, 1.15, 1.15, (255, 255, 255))


def _cat_muzzle(pen: Pen, rng: Random, seen: Look, x: float) -> None:
    pale = seen.dark if seen.pattern == "mask" else seen.pale
    for side in (-1, 1):
        pen.ellipse(x + side * 3.5, 10.2, 4.7, 3.8, pale)
    pen.ellipse(x, 13.6, 3.4, 2.6, pale)
    pen.blob([(x - 2.6, 5.6), (x, 5.0), (x + 2.6, 5.6), (x + 1.0, 7.9), (x, 8.4), (x - 1.0, 7.9)], seen.skin)
    mouth = mix(seen.line, _INK, 0.55)
    pen.stroke([(x, 8.2), (x, 9.8)], 0.8, mouth)
    for side in (-1, 1):
        pen.stroke([(x, 9.8), (x + side * 2.2, 11.6), (x + side * 4.6, 10.4)], 0.8, mouth)
    whisker = (250, 250, 250, 220) if sum(pale) < 640 else (110, 100, 100, 200)
    lift = rng.uniform(-2, 2)
    for side in (-1, 1):
        for y, end in ((8.6, 4.5), (10.2, 9.5), (11.8, 14.5)):
            start = (x + side * 5.4, y)
            pen.stroke([start, (x + side * 14, (y + end + lift) / 2 - 0.8), (x + side * 24, end + lift)], 0.4, whisker)


def _dog_head(pen: Pen, rng: Random, seen: Look) -> None:
    kind = rng.choice(("floppy", "floppy", "floppy", "long", "long", "folded", "folded", "upright"))
    wide, turn = rng.uniform(0.9, 1.06), seen.turn
    ear = seen.dark if seen.pattern in ("mask", "plain", "spots") else seen.fur
    if seen.pattern == "patch":
        ear = mix(seen.second, seen.dark, 0.35)
    if kind == "upright":
        for side in (-1, 1):
            _upright_ear(pen, seen, side, wide)
    half = [(0.0, -17.5), (8.5, -16.5), (14.5, -10.5), (16.0, -1.0), (14.5, 8.0), (10.0, 15.0), (0.0, 18.0)]
    outlined(pen, mirrored([(x * wide, y) for x, y in half]), seen.fur, seen.line)
    markings(pen, rng, seen, -17, 15 * wide)
    glow(pen, seen, -17)
    long, tongue = rng.uniform(0.9, 1.2), rng.random() < 0.5
    if kind == "upright":  # nobody shall take it for a cat
        long, tongue = 1.2, True
    if tongue:
        _tongue(pen, turn * 4.6, 8 + 9.5 * long, rng.uniform(4, 7))
    _dog_muzzle(pen, seen, turn * 4.6, long, wide)
    for side in (-1, 1):
        _dog_eye(pen, seen, side * 7.0 * wide + turn * 2.6, -3.8)
    if kind != "upright":
        lift = rng.uniform(-2, 2)
        for side in (-1, 1):
            _hanging_ear(pen, side, kind, ear, wide, lift + side * turn * 1.5)


def _upright_ear(pen: Pen, seen: Look, side: int, wide: float) -> None:
    points = [(side * 15.6, -4.0), (side * 17.2, -16.0), (side * 14.4, -29.0), (side * 7.2, -22.0), (side * 3.6, -14.0)]
    shape = [(x * wide, y) for x, y in points]
    outlined(pen, shape, seen.fur, seen.line)
    middle = (side * 11.8 * wide, -14.5)
    inner = [(middle[0] + (x - middle[0]) * 0.6, middle[1] + (y - middle[1]) * 0.66) for x, y in shape]
    pen.blob(inner, mix(seen.skin, seen.dark, 0.45))


def _hanging_ear(pen: Pen, side: int, kind: str, color: Color, wide: float, lift: float) -> None:
    shapes: dict[str, list[Point]] = {
        "floppy": [(7, -16.4), (14, -16), (20.5, -7), (22.5, 4), (18.5, 9.5), (14.6, 4), (12.6, -6)],
        "long": [(8, -15.4), (14, -15), (20, -5), (22.6, 8), (21.4, 19), (16.4, 20.5), (13.4, 12), (12.4, -2)],
        "folded": [(5, -16.2), (10, -21.6), (17, -22), (22.5, -13), (22, -5.4), (18.6, -8), (14, -12)],
    }
    # the tip swings more than the root
    points = [(side * x * wide, y + lift * max(0.0, (y + 16) / 24)) for x, y in shapes[kind]]
    outlined(pen, points, color, shade(color, 0.72))
    top, low = points[1], points[len(points) // 2 + 1]
    fold = [(top[0], top[1] + 3), ((top[0] + low[0]) / 2 + side, (top[1] + low[1]) / 2), (low[0], low[1] - 3)]
    pen.stroke(fold, 1.4, clear(shade(color, 0.8), 150))


def _dog_eye(pen: Pen, seen: Look, x: float, y: float) -> None:
    brow = seen.pale if sum(seen.fur) < 420 else shade(seen.fur, 0.84)
    pen.ellipse(x, y - 5.2, 2.4, 1.3, brow)
    if not seen.open_eyes:
        closed_eye(pen, x, y, 3.0, _INK)
        return
    pen.ellipse(x, y, 3.5, 3.7 * seen.open_eyes, _INK)
    pen.ellipse(x, y + 0.3, 2.8, 2.9 * seen.open_eyes, mix(seen.eyes, _INK, 0.25))
    pen.ellipse(x + seen.turn * 0.6, y, 1.9, 2.0, _INK)
    pen.ellipse(x - 1.0, y - 1.2, 1.05, 1.05, (255, 255, 255))


def _tongue(pen: Pen, x: float, chin: float, drop: float) -> None:
    pink = (232, 122, 132)
    half = [(0.0, chin - 6), (3.6, chin - 5), (3.9, chin + drop - 2), (0.0, chin + drop)]
    shape = [(x + dx, y) for dx, y in mirrored(half)]
    pen.blob(shape, shade(pink, 0.78), grow=0.7)
    pen.blob(shape, pink)
    pen.stroke([(x, chin - 4), (x, chin + drop - 3)], 0.7, shade(pink, 0.8))


def _dog_muzzle(pen: Pen, seen: Look, x: float, long: float, wide: float) -> None:
    pale = seen.dark if seen.pattern == "mask" else seen.pale
    chin = 8 + 9.5 * long
    edge = shade(pale, 0.86)
    half = [(0.0, 0.0), (5.6, 1.6), (9.4, 7.5), (10.2, 8 + 3.4 * long), (6.2, chin - 2.4), (0.0, chin - 3.2)]
    shape = [(x + dx * wide, y) for dx, y in mirrored(half)]
    pen.blob(shape, edge, grow=0.7)
    pen.blob(shape, pale)
    mouth = mix(shade(pale, 0.5), _INK, 0.5)
    low = 7.5 + 4.6 * long
    pen.stroke([(x, 7), (x, low)], 0.9, mouth)
    for side in (-1, 1):
        pen.stroke([(x, low), (x + side * 3.8, low + 1.9), (x + side * 7.2, low - 0.6)], 0.9, mouth)
        for dx, dy in ((4.4, -2.4), (6.2, -3.4), (6.4, -1.4)):
            pen.ellipse(x + side * dx, low + dy, 0.42, 0.42, mouth)
    pen.blob([(x - 4.7, 3.0), (x, 1.7), (x + 4.7, 3.0), (x + 3.2, 6.6), (x, 8.2), (x - 3.2, 6.6)], _INK)
    pen.ellipse(x - 1.2, 3.4, 1.9, 0.8, (150, 140, 144))
