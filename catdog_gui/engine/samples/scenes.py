"""Backgrounds of the drawings: the same ones, as often, for cats and dogs."""

from collections.abc import Callable
from random import Random

from PIL import Image

from catdog_gui.engine.samples.pen import Color, Pen, clear, mix, shade

_WALLS: tuple[Color, ...] = (
    (236, 222, 200), (205, 219, 214), (226, 205, 201), (198, 210, 228), (222, 224, 196), (174, 190, 186),
    (216, 200, 222),
)  # fmt: skip
_CLOTH: tuple[Color, ...] = (
    (94, 120, 132), (176, 96, 84), (112, 128, 92), (196, 156, 96), (128, 100, 136), (88, 98, 150), (188, 128, 140),
)  # fmt: skip
_WOOD: tuple[Color, ...] = ((182, 140, 98), (150, 110, 76), (206, 172, 130), (122, 92, 72))
_GRASS: tuple[Color, ...] = ((122, 168, 82), (98, 148, 84), (150, 178, 88), (112, 158, 116))


def vary(rng: Random, color: Color, by: int = 12) -> Color:
    """The colour with each part changed a little."""
    return tuple(min(255, max(0, part + rng.randint(-by, by))) for part in color[:3])


def gradient(size: int, top: Color, bottom: Color) -> Image.Image:
    """A picture that changes from one colour at the top to another at the bottom."""
    strip = Image.new("RGB", (1, 2))
    strip.putdata([top[:3], bottom[:3]])
    column = strip.resize((1, size), Image.Resampling.BILINEAR, box=(0, 0.5, 1, 1.5))
    return column.resize((size, size), Image.Resampling.NEAREST)


def scene(rng: Random, size: int) -> Image.Image:
    """A background of size x size pixels."""
    kind = rng.choice(_SCENES)
    return kind(rng, size)


def _start(size: int, top: Color, bottom: Color) -> tuple[Image.Image, Pen]:
    image = gradient(size, top, bottom)
    return image, Pen.on(image)


def _meadow(rng: Random, size: int) -> Image.Image:
    sky = vary(rng, rng.choice(((120, 180, 230), (246, 190, 150), (150, 196, 214), (176, 186, 220))))
    image, pen = _start(size, sky, shade(sky, 1.6))
    pen.ellipse(rng.uniform(10, 90), rng.uniform(8, 30), 8, 8, clear((255, 244, 200), 210))
    for _ in range(rng.randint(1, 3)):
        _cloud(pen, rng)
    grass = vary(rng, rng.choice(_GRASS))
    horizon = rng.uniform(48, 66)
    far = mix(grass, sky, 0.45)
    bend = rng.uniform(-8, 8)
    pen.blob(
        [(-20, horizon), (25, horizon - 12 + bend), (70, horizon - 8 - bend), (120, horizon), (120, 120), (-20, 120)],
        far,
    )
    pen.blob([(-20, horizon + 8), (40, horizon + bend / 2), (120, horizon + 6), (130, 130), (-30, 130)], grass)
    for _ in range(rng.randint(14, 26)):
        x, y = rng.uniform(0, 100), rng.uniform(horizon + 12, 100)
        tall = rng.uniform(2, 5) * (y / 80)
        pen.polygon(
            [(x - 0.8, y), (x + rng.uniform(-1.5, 1.5), y - tall), (x + 0.8, y)], shade(grass, rng.uniform(0.75, 1.2))
        )
    petals = vary(rng, rng.choice(((250, 240, 240), (248, 208, 90), (232, 128, 140), (190, 160, 226))))
    for _ in range(rng.randint(0, 9)):
        x, y = rng.uniform(0, 100), rng.uniform(horizon + 12, 98)
        pen.ellipse(x, y, 1.5, 1.3, petals)
        pen.ellipse(x, y, 0.6, 0.6, (240, 190, 70))
    return image


def _cloud(pen: Pen, rng: Random) -> None:
    x, y, wide = rng.uniform(0, 100), rng.uniform(6, 34), rng.uniform(6, 12)
    for part in (-1.0, 0.0, 1.0):
        pen.ellipse(x + part * wide * 0.8, y + abs(part) * 1.6, wide * 0.8, wide * 0.42, (255, 255, 255, 150))


def _room(rng: Random, size: int) -> Image.Image:
    wall = vary(rng, rng.choice(_WALLS))
    image, pen = _start(size, shade(wall, 1.15), shade(wall, 0.9))
    if rng.random() < 0.5:
        step = rng.uniform(6, 12)
        for number in range(int(100 / step) + 1):
            x = number * step
            pen.polygon([(x, 0), (x + step / 2, 0), (x + step / 2, 100), (x, 100)], clear(shade(wall, 0.92), 130))
    if rng.random() < 0.5:
        _window(pen, rng)
    else:
        _frames(pen, rng)
    floor, line = vary(rng, rng.choice(_WOOD)), rng.uniform(64, 78)
    pen.polygon([(0, line), (100, line), (100, 100), (0, 100)], floor)
    pen.polygon([(0, line - 2.5), (100, line - 2.5), (100, line), (0, line)], shade(wall, 1.45))
    for number in range(6):
        y = line + (number + 1) ** 1.6
        pen.stroke([(0, y), (100, y)], 0.35, shade(floor, 0.82))
    if rng.random() < 0.6:
        rug = vary(rng, rng.choice(_CLOTH))
        pen.ellipse(50, 92, 48, 13, rug)
        pen.ellipse(50, 92, 42, 10.5, shade(rug, 1.25))
    return image


def _window(pen: Pen, rng: Random) -> None:
    x, y = rng.choice((8, 58, 66)), rng.uniform(4, 12)
    pen.polygon([(x, y), (x + 30, y), (x + 30, y + 38), (x, y + 38)], (250, 248, 242))
    sky = vary(rng, (166, 208, 236))
    for left, top in ((0, 0), (15, 0), (0, 19), (15, 19)):
        a, b = x + left + 1.5, y + top + 1.5
        pen.polygon([(a, b), (a + 12, b), (a + 12, b + 16), (a, b + 16)], sky)
    curtain = vary(rng, rng.choice(_CLOTH))
    pen.polygon([(x - 5, y - 3), (x + 3, y - 3), (x - 1, y + 42), (x - 6, y + 42)], curtain)
    pen.polygon([(x + 35, y - 3), (x + 27, y - 3), (x + 31, y + 42), (x + 36, y + 42)], shade(curtain, 0.92))


def _frames(pen: Pen, rng: Random) -> None:
    for _ in range(rng.randint(1, 3)):
        x, y, wide, high = rng.uniform(2, 82), rng.uniform(4, 30), rng.uniform(10, 18), rng.uniform(10, 18)
        wood, inner = vary(rng, rng.choice(_WOOD)), vary(rng, rng.choice(_CLOTH))
        pen.polygon([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], wood)
        a, b, c, d = x + 1.4, y + 1.4, x + wide - 1.4, y + high - 1.4
        pen.polygon([(a, b), (c, b), (c, d), (a, d)], shade(inner, 1.55))
        pen.polygon([(a, d), ((a + c) / 2, b + 3), (c, d)], shade(inner, 1.15))


def _sofa(rng: Random, size: int) -> Image.Image:
    wall, cloth = vary(rng, rng.choice(_WALLS)), vary(rng, rng.choice(_CLOTH))
    image, pen = _start(size, shade(wall, 1.1), wall)
    _frames(pen, rng)
    top = rng.uniform(34, 46)
    pen.blob(
        [(-12, top + 4), (2, top - 2), (50, top - 3), (98, top - 2), (112, top + 4), (112, 120), (-12, 120)], cloth
    )
    for x in (17.0, 50.0, 83.0):
        pen.blob(
            [(x - 15, top + 5), (x, top + 3), (x + 15, top + 5), (x + 15, 80), (x, 82), (x - 15, 80)],
            shade(cloth, 1.08),
        )
        pen.ellipse(x, top + 20, 0.9, 0.9, shade(cloth, 0.75))
    pen.blob([(-10, 80), (50, 77), (110, 80), (114, 125), (-14, 125)], shade(cloth, 1.18))
    pen.stroke([(-5, 80), (50, 78.5), (105, 80)], 0.8, shade(cloth, 0.8))
    for _ in range(rng.randint(0, 2)):
        color = vary(rng, rng.choice(_CLOTH))
        cushion = pen.at(rng.choice((10, 88, 22, 78)), rng.uniform(60, 70), degrees=rng.uniform(-25, 25))
        cushion.blob([(-13, -13), (0, -11), (13, -13), (11, 0), (13, 13), (0, 11), (-13, 13), (-11, 0)], color)
        cushion.ellipse(0, 0, 4, 4, shade(color, 1.3))
    return image


def _beach(rng: Random, size: int) -> Image.Image:
    sky = vary(rng, rng.choice(((132, 196, 234), (250, 206, 160), (170, 196, 226))))
    image, pen = _start(size, sky, shade(sky, 1.65))
    _cloud(pen, rng)
    pen.ellipse(rng.uniform(10, 90), rng.uniform(8, 26), 7, 7, clear((255, 240, 190), 220))
    sea, sand, line = vary(rng, (74, 150, 178)), vary(rng, (232, 208, 160)), rng.uniform(44, 56)
    pen.polygon([(0, line), (100, line), (100, 100), (0, 100)], sea)
    for number in range(5):
        y = line + 2 + number * 2.4
        x = rng.uniform(-10, 70)
        pen.stroke([(x, y), (x + 10, y - 0.6), (x + 24, y)], 0.5, clear((255, 255, 255), 120))
    shore = line + 15
    pen.blob([(-20, shore), (30, shore - 3), (70, shore + 3), (120, shore), (120, 130), (-20, 130)], shade(sand, 1.5))
    pen.blob([(-20, shore + 2), (30, shore - 1), (70, shore + 5), (120, shore + 2), (120, 130), (-20, 130)], sand)
    for _ in range(rng.randint(3, 8)):
        pen.ellipse(rng.uniform(0, 100), rng.uniform(shore + 8, 98), 1.1, 0.7, shade(sand, rng.choice((0.8, 1.4))))
    return image


def _snow(rng: Random, size: int) -> Image.Image:
    sky = vary(rng, rng.choice(((160, 186, 212), (120, 134, 172), (214, 196, 210))))
    image, pen = _start(size, sky, shade(sky, 1.5))
    green, horizon = vary(rng, (70, 104, 92)), rng.uniform(52, 64)
    for _ in range(rng.randint(4, 8)):
        x, tall = rng.uniform(0, 100), rng.uniform(16, 36)
        for level in range(3):
            y, half = horizon + 2 - level * tall / 4, tall / 4 * (1 - level / 4)
            pen.polygon([(x - half, y), (x, y - tall / 2), (x + half, y)], mix(green, sky, 0.25))
    pen.blob(
        [(-20, horizon + 3), (30, horizon - 3), (75, horizon + 4), (120, horizon), (120, 130), (-20, 130)],
        (244, 246, 250),
    )
    for _ in range(rng.randint(12, 30)):
        pen.ellipse(rng.uniform(0, 100), rng.uniform(0, 100), 0.7, 0.7, (255, 255, 255, 220))
    return image


def _studio(rng: Random, size: int) -> Image.Image:
    color = vary(rng, rng.choice(_CLOTH + _WALLS))
    image, pen = _start(size, shade(color, 1.25), shade(color, 0.82))
    for _ in range(rng.randint(6, 16)):
        radius = rng.uniform(2, 10)
        pen.ellipse(
            rng.uniform(0, 100), rng.uniform(0, 90), radius, radius, clear(shade(color, 1.5), rng.randint(25, 80))
        )
    return image


_SCENES: tuple[Callable[[Random, int], Image.Image], ...] = (_meadow, _room, _sofa, _beach, _snow, _studio)
