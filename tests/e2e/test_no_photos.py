"""Pictures of nothing: a model of real photos is never sure of one. Where CATDOG_PHOTOS is set."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.samples.scenes import scene

pytestmark = pytest.mark.photos
SIDE = 256
WORDS = ("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "cats", "and", "dogs", "in", "the", "sun")
Picture = np.ndarray[Any, np.dtype[np.uint8]]


def noises() -> Iterator[Picture]:
    rng = np.random.default_rng(1)
    for number in range(60):
        small = rng.normal(128, 20 + number, (4 << number % 7, 4 << number % 7, 3 if number % 2 else 1))
        grains = np.clip(np.broadcast_to(small, (*small.shape[:2], 3)), 0, 255).astype(np.uint8)
        how = Image.Resampling.NEAREST if number % 3 else Image.Resampling.BICUBIC
        yield np.asarray(Image.fromarray(grains).resize((SIDE, SIDE), how))


def flats() -> Iterator[Picture]:
    """Black, white, greys and colours."""
    rng = np.random.default_rng(2)
    colours = [(level, level, level) for level in (0, 1, 64, 128, 200, 254, 255)]
    for colour in [*colours, *rng.integers(0, 256, (33, 3)).tolist()]:
        yield np.full((SIDE, SIDE, 3), colour, np.uint8)


def gradients() -> Iterator[Picture]:
    rng = np.random.default_rng(3)
    for number in range(50):
        first, last = rng.integers(0, 256, (2, 1, 1, 3)).astype(np.float64)
        down, across = np.mgrid[0:1:256j, 0:1:256j]
        share = (down, across, (down + across) / 2, np.hypot(down - 0.5, across - 0.5))[number % 4]
        yield np.clip(first + (last - first) * share[..., None], 0, 255).astype(np.uint8)


def patterns() -> Iterator[Picture]:
    """Stripes, squares and waves."""
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    for period, kind in itertools.product((4, 8, 16, 32, 64), range(8)):
        angle = kind * np.pi / 8
        wave = np.sin(2 * np.pi * (down * np.sin(angle) + across * np.cos(angle)) / period)
        grid = (down // period + across // period) % 2 * 2.0 - 1
        value = (wave, np.sign(wave), grid)[kind % 3]
        tint = np.array([1.0, 0.4 + kind / 14, 1.2 - kind / 10])
        yield np.clip(128 + 100 * value[..., None] * tint, 0, 255).astype(np.uint8)


def texts() -> Iterator[Picture]:
    """Pages, signs and screens, some of them about cats and dogs."""
    rng = Random(4)
    for number in range(60):
        paper, ink = ((255, 255, 255), (0, 0, 0)) if number % 3 else ((10, 10, 40), (200, 220, 200))
        page = Image.new("RGB", (SIDE, SIDE), paper)
        size = (8, 12, 18, 40)[number % 4]
        for top in range(6, SIDE, size + 4):
            line = " ".join(rng.choices(WORDS, k=max(1, 60 // size)))
            ImageDraw.Draw(page).text((6, top), line, ink, ImageFont.load_default(size))
        yield np.asarray(page)


def drawings() -> Iterator[Picture]:
    """Rooms and meadows without an animal; houses, cars, flowers and plain shapes."""
    for number in range(60):
        yield np.asarray(scene(Random(number), SIDE).convert("RGB"))
    rng = Random(5)
    for number in range(90):
        sheet = Image.new("RGB", (SIDE, SIDE), tuple(rng.randrange(120, 256) for _ in range(3)))
        (house, car, flower, shapes)[number % 4](ImageDraw.Draw(sheet), rng)
        yield np.asarray(sheet)


def colour(rng: Random) -> tuple[int, int, int]:
    return rng.randrange(256), rng.randrange(256), rng.randrange(256)


def house(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    left, width = rng.randrange(20, 80), rng.randrange(90, 150)
    draw.rectangle((left, 120, left + width, 230), colour(rng))
    draw.polygon([(left - 12, 120), (left + width // 2, rng.randrange(30, 90)), (left + width + 12, 120)], colour(rng))
    draw.rectangle((left + 15, 145, left + 40, 170), colour(rng))
    draw.rectangle((left + width - 40, 160, left + width - 15, 230), colour(rng))


def car(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    paint, top = colour(rng), rng.randrange(80, 120)
    draw.rectangle((60, top, 180, 160), paint)
    draw.rectangle((25, 140, 230, 185), paint)
    for middle in (75, 180):
        draw.ellipse((middle - 24, 160, middle + 24, 208), (20, 20, 20))


def flower(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    draw.line((128, 130, 128, 250), (40, 120, 40), 8)
    petal, count = colour(rng), rng.randrange(5, 10)
    for angle in np.linspace(0, 2 * np.pi, count, endpoint=False):
        x, y = 128 + 45 * np.cos(angle), 110 + 45 * np.sin(angle)
        draw.ellipse((x - 24, y - 24, x + 24, y + 24), petal)
    draw.ellipse((104, 86, 152, 134), colour(rng))


def shapes(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    for _ in range(rng.randrange(1, 12)):
        x, y, side = (rng.randrange(20, 230) for _ in range(3))
        rng.choice((draw.ellipse, draw.rectangle))((x, y, x + side, y + side // 2 + 5), colour(rng))


KINDS = (noises, flats, gradients, patterns, texts, drawings)


@pytest.fixture(scope="module")
def predictor(
    photos_dir: Path, train: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Predictor]:
    result = train(photos_dir / "train", tmp_path_factory.mktemp("runs") / "run")
    found = load_model(result.model, device="cpu")
    yield found
    found.close()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_picture_of_nothing_is_never_a_sure_pet(predictor: Predictor, kind: Callable[[], Iterator[Picture]]) -> None:
    pictures = list(kind())

    answers = list(predictor.predict_many(pictures))

    assert len(answers) >= 40
    assert [number for number, answer in enumerate(answers) if answer.verdict == "sure"] == []
