"""Poor photos: how they are made poor, and the table of what a model answers to them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.photos.disturbances import NONE, Disturbance, all_disturbances
from catdog_gui.engine.samples import SampleSet
from catdog_gui.engine.trust.robustness import robustness


@pytest.fixture
def predictor(drawn_run: Path) -> Iterator[Predictor]:
    found = load_model(drawn_run, device="cpu")
    yield found
    found.close()


def photo(width: int = 120, height: int = 90) -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.integers(0, 255, (height, width, 3)).astype(np.uint8)


@pytest.mark.parametrize("disturbance", list(all_disturbances()), ids=lambda d: f"{d.name}-{d.strength:g}")
def test_a_photo_is_made_poor_in_the_same_way_each_time_and_left_as_it_is(disturbance: Disturbance) -> None:
    before = photo()

    one, two = disturbance.spoil(before), disturbance.spoil(before)

    assert one.dtype == np.uint8
    assert one.shape[2] == 3
    assert (one == two).all()
    assert (before == photo()).all()
    assert disturbance is NONE or one.shape != before.shape or (one != before).any()


def test_each_way_does_what_it_is_called() -> None:
    before = photo()

    assert (Disturbance("turned", 180, "°").spoil(before) == before[::-1, ::-1]).all()
    assert Disturbance("turned", 90, "°").spoil(before).shape == (120, 90, 3)
    assert (Disturbance("cropped", 50, "%").spoil(before) == before[22:67, 30:90]).all()
    assert min(Disturbance("tiny", 32, "px").spoil(before).shape[:2]) == 32
    assert Disturbance("tiny", 32, "px").spoil(photo(20, 16)).shape == (16, 20, 3)
    assert Disturbance("dark", 10, "%").spoil(before).max() <= 26
    assert Disturbance("blurred", 3, "%").spoil(before).std() < before.std() / 3
    grey = Disturbance("grey", 0, "").spoil(before)
    assert (grey[..., 0] == grey[..., 1]).all()


@pytest.mark.parametrize("size", [(1, 1), (1, 60), (300, 3)])
def test_odd_photos_can_be_made_poor_too(size: tuple[int, int]) -> None:
    for disturbance in all_disturbances():
        assert disturbance.spoil(photo(*size)).size > 0


def test_the_table_has_a_row_for_each_way_and_counts_every_photo(
    predictor: Predictor, drawn_samples: SampleSet, tmp_path: Path
) -> None:
    (tmp_path / "page.jpg").write_text("<html></html>")
    names = ("cats", "dogs")
    labelled = [(path, name) for name in names for path in sorted((drawn_samples.dataset / name).iterdir())[:2]]
    seen: list[tuple[int, int]] = []

    rows = list(
        robustness(predictor, [*labelled, (tmp_path / "page.jpg", "cats")], on_progress=lambda *n: seen.append(n))
    )

    assert [(row.disturbance, row.strength) for row in rows] == [(d.name, d.strength) for d in all_disturbances()]
    assert {row.photos for row in rows} == {4}
    assert rows[0].right == 4
    assert all(0 <= row.sure_wrong <= row.sure <= row.photos and row.right <= row.photos for row in rows)
    assert rows[0].to_json()["accuracy"] == 1.0
    assert seen[-1] == (5 * len(rows), 5 * len(rows))


def test_a_wrong_label_counts_as_a_sure_error_only_where_the_model_is_sure(
    predictor: Predictor, drawn_samples: SampleSet
) -> None:
    path = min((drawn_samples.dataset / "cats").iterdir())

    (as_it_is, *_) = robustness(predictor, [(path, "dogs")])

    assert as_it_is.right == 0
    assert as_it_is.sure_wrong == as_it_is.sure == (predictor.predict(path).verdict == "sure")


def test_only_an_even_part_of_many_photos_is_asked(predictor: Predictor, drawn_samples: SampleSet) -> None:
    paths = sorted((drawn_samples.dataset / "cats").iterdir())[:9]

    rows = robustness(predictor, [(path, "cats") for path in paths], most=3)

    assert next(rows).photos == 3


def test_the_table_stops_when_asked(predictor: Predictor, drawn_samples: SampleSet) -> None:
    path = min((drawn_samples.dataset / "cats").iterdir())

    with pytest.raises(Stopped):
        list(robustness(predictor, [(path, "cats")], lambda: True))


def test_photos_that_cannot_be_read_make_no_table(predictor: Predictor, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(robustness(predictor, [(tmp_path / "gone.jpg", "cats")]))

    assert caught.value.code == "no_readable_photos"


# --- what is no pet --------------------------------------------------------------------------------------------------


def drawn_things() -> Iterator[tuple[str, np.ndarray]]:
    """Pictures of nothing a model of pets knows."""
    rng = np.random.default_rng(0)
    across = np.linspace(0, 255, 256)
    yield "noise", rng.integers(0, 256, (256, 256, 3)).astype(np.uint8)
    yield "grey noise", np.repeat(rng.integers(0, 256, (256, 256, 1)), 3, axis=2).astype(np.uint8)
    for name, level in (("black", 0), ("white", 255), ("grey", 128)):
        yield name, np.full((256, 256, 3), level, np.uint8)
    yield "gradient", np.repeat(np.tile(across, (256, 1))[..., None], 3, axis=2).astype(np.uint8)
    yield "stripes", np.repeat(np.tile(np.arange(256) // 16 % 2 * 255, (256, 1))[..., None], 3, axis=2).astype(np.uint8)
    for name, marks in (("text", "lines"), ("house", "house"), ("chart", "bars"), ("rings", "rings")):
        yield name, np.asarray(_drawing(marks))


def _drawing(kind: str) -> Image.Image:
    image = Image.new("RGB", (256, 256), "white")
    draw = ImageDraw.Draw(image)
    match kind:
        case "lines":
            for line in range(15):
                draw.text((12, 8 + 16 * line), "The quick brown fox jumps over the lazy dog 0123456789", fill="black")
        case "house":
            draw.rectangle((60, 120, 200, 230), fill=(200, 120, 80))
            draw.polygon([(40, 120), (130, 40), (220, 120)], fill=(120, 40, 40))
            draw.rectangle((110, 170, 150, 230), fill=(80, 50, 30))
        case "bars":
            for bar, height in enumerate((60, 120, 90, 180, 150)):
                draw.rectangle((20 + 45 * bar, 240 - height, 50 + 45 * bar, 240), fill=(0, 90, 180))
        case "rings":
            for radius in range(20, 120, 20):
                draw.ellipse((128 - radius, 128 - radius, 128 + radius, 128 + radius), outline=(0, 120, 60), width=5)
    return image


@pytest.mark.parametrize(
    ("name", "picture"), list(drawn_things()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_no_pet_is_never_called_a_sure_one(predictor: Predictor, name: str, picture: np.ndarray) -> None:
    assert predictor.predict(picture).verdict != "sure", name
