"""Photos to learn from and photos to check with: the same for the same seed, and never two sides for one picture."""

import io
import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from catdog_gui.engine.datasets.copies import fingerprint, near_pairs
from catdog_gui.engine.datasets.dataset import (
    TO_SPLIT,
    TRAIN,
    VAL,
    Scan,
    check_deep,
    findings_from_digests,
    scan,
    split,
)
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.photos.images import Recipe, decode, digest, from_pillow

MakeDataset = Callable[..., Path]


def table(rows: list[tuple[str, int, int]], classes: tuple[str, ...] = ("cats", "dogs")) -> Scan:
    """A scan of (path, label, side) rows."""
    labels = array("i", (row[1] for row in rows))
    sides = bytearray(row[2] for row in rows)
    return Scan(Path("/photos"), "class_folders", classes, [row[0] for row in rows], labels, sides)


def same(*keys: str | int) -> list[bytes | None]:
    return [str(key).encode() for key in keys]


@st.composite
def datasets(draw: st.DrawFn) -> tuple[Scan, list[bytes | None]]:
    """2 to 4 classes of 4 to 30 photos, some of them copies (also across classes), some without a digest."""
    rows, digests = [], []
    count = draw(st.integers(2, 4))
    for label in range(count):
        for number in range(draw(st.integers(4, 30))):
            rows.append((f"{label}/{number}.jpg", label, TO_SPLIT))
            copied = draw(st.sampled_from(["own", "own", "own", "class", "any", "none"]))
            shared = {"class": f"{label}-{number % 3}", "any": f"any-{number % 5}"}
            digests.append(None if copied == "none" else shared.get(copied, f"{label}.{number}").encode())
    return table(rows, tuple(f"class {label}" for label in range(count))), digests


def check(found: Scan, digests: list[bytes | None], train: set[int], val: set[int]) -> None:
    """What must hold for every split."""
    assert not train & val
    sides: dict[bytes, set[str]] = {}
    labels: dict[bytes, set[int]] = {}
    for at, key in enumerate(digests):
        if key is not None:
            labels.setdefault(key, set()).add(found.labels[at])
            side = "train" if at in train else "val" if at in val else "none"
            sides.setdefault(key, set()).add(side)
    for key, found_sides in sides.items():
        assert found_sides == {"none"} if len(labels[key]) > 1 else len(found_sides) == 1
    for label in range(len(found.classes)):
        assert any(found.labels[at] == label for at in train)
        assert any(found.labels[at] == label for at in val)


@settings(max_examples=200, deadline=None)
@given(datasets(), st.floats(0.05, 0.5), st.integers(0, 2**31 - 1), st.randoms())
def test_every_split_keeps_copies_together_and_every_class_on_both_sides(
    drawn: tuple[Scan, list[bytes | None]], fraction: float, seed: int, random: object
) -> None:
    found, digests = drawn
    labels: dict[bytes, set[int]] = {}
    for label, key in zip(found.labels, digests, strict=True):
        labels.setdefault(key or b"", set()).add(label)
    two_labels = {at for at, key in enumerate(digests) if key and len(labels[key]) > 1}
    different = [
        len({digests[at] or at for at, of in enumerate(found.labels) if of == label and at not in two_labels})
        for label in range(len(found.classes))
    ]
    if min(different) < 2:
        with pytest.raises(InputError, match="too few different photos"):
            split(found, digests, fraction=fraction, seed=seed)
        return

    halves = split(found, digests, fraction=fraction, seed=seed)

    check(found, digests, set(halves.train), set(halves.val))
    assert set(halves.train) | set(halves.val) | two_labels == set(range(len(digests)))

    order = list(range(len(digests)))
    random.shuffle(order)  # type: ignore[attr-defined]
    shuffled = table([(found.paths[at], found.labels[at], TO_SPLIT) for at in order], found.classes)
    again = split(shuffled, [digests[at] for at in order], fraction=fraction, seed=seed)
    assert {found.paths[order[at]] for at in again.val} == {found.paths[at] for at in halves.val}


@settings(max_examples=100, deadline=None)
@given(st.integers(4, 300), st.floats(0.01, 0.9), st.integers(0, 1000))
def test_without_copies_the_share_is_exact(count: int, fraction: float, seed: int) -> None:
    found = table([(f"{label}/{at}", label, TO_SPLIT) for label in (0, 1) for at in range(count)])

    halves = split(found, [None] * (2 * count), fraction=fraction, seed=seed)

    wanted = min(max(1, round(fraction * count)), count - 1)
    assert Counter(found.labels[at] for at in halves.val) == {0: wanted, 1: wanted}


def test_the_seed_decides_and_the_same_seed_decides_the_same() -> None:
    found = table([(f"{at}", at % 2, TO_SPLIT) for at in range(200)])
    digests = same(*range(200))

    first = split(found, digests, fraction=0.2, seed=1)

    assert split(found, digests, fraction=0.2, seed=1) == first
    assert split(found, digests, fraction=0.2, seed=2).val != first.val
    assert list(first.train) == sorted(first.train)


def test_renaming_photos_changes_nothing() -> None:
    digests = same(*range(100))
    one = split(table([(f"a{at}", at % 2, TO_SPLIT) for at in range(100)]), digests, fraction=0.2, seed=0)
    other = split(table([(f"b{-at}", at % 2, TO_SPLIT) for at in range(100)]), digests, fraction=0.2, seed=0)

    assert one == other


def test_a_class_of_copies_only_is_refused_by_name() -> None:
    found = table([(f"{at}", at // 10, TO_SPLIT) for at in range(20)])

    with pytest.raises(InputError, match="“dogs” has too few different photos"):
        split(found, same(*range(10), *["copy"] * 10), fraction=0.2, seed=0)


def test_a_photo_with_two_labels_is_on_neither_side_and_reported() -> None:
    found = table([(f"{at}", at // 10, TO_SPLIT) for at in range(20)])
    digests = same(*range(10), 0, 1, *range(12, 20))

    halves = split(found, digests, fraction=0.2, seed=0)

    assert not {0, 1, 10, 11} & {*halves.train, *halves.val}
    findings = {item.code: item.fields for item in findings_from_digests(found, digests)}
    assert findings == {"same_photo_two_classes": {"count": 2, "path": "0", "other": "10"}}


def test_given_sides_are_kept_less_the_copies() -> None:
    rows = [(f"train/{at}", at % 2, TRAIN) for at in range(20)] + [(f"val/{at}", at % 2, VAL) for at in range(10)]
    digests = same(*range(20), 0, 1, *range(102, 110))
    found = table(rows)

    halves = split(found, digests, fraction=0.5, seed=3)

    assert list(halves.train) == list(range(20))
    assert list(halves.val) == list(range(22, 30))
    findings = {item.code: item.fields for item in findings_from_digests(found, digests)}
    assert findings == {"copies_across_split": {"count": 2, "path": "val/0"}}


def test_when_all_check_photos_are_copies_others_are_kept_back() -> None:
    rows = [(f"train/{at}", at % 2, TRAIN) for at in range(20)] + [(f"val/{at}", at % 2, VAL) for at in range(10)]
    digests = same(*range(20), *range(10))

    halves = split(table(rows), digests, fraction=0.2, seed=0)

    check(table(rows), digests, set(halves.train), set(halves.val))
    assert [item.code for item in halves.findings] == ["val_all_copies"]


def test_a_class_that_loses_all_its_check_photos_is_named() -> None:
    rows = [(f"train/{at}", at % 2, TRAIN) for at in range(20)] + [("val/a", 0, VAL), ("val/b", 1, VAL)]

    halves = split(table(rows), same(*range(20), 0, "new"), fraction=0.2, seed=0)

    assert [(item.code, item.fields["names"]) for item in halves.findings] == [("val_class_missing", "“cats”")]


# --- re-saved copies -------------------------------------------------------------------------------------------------


def resaved(path: Path, to: Path, *, quality: int = 60, scale: float = 1.0) -> None:
    with Image.open(path) as image:
        size = (round(image.width * scale), round(image.height * scale))
        image.resize(size).save(to, "JPEG", quality=quality)


def codes(found: Scan) -> Mapping[str, object]:
    left = check_deep(found, workers=2, should_stop=lambda: False, on_progress=lambda *_: None)
    return {item.code: item.fields.get("count") for item in left.warnings}


def test_exact_and_resaved_copies_across_the_split_are_told(tmp_path: Path, make_dataset: MakeDataset) -> None:
    make_dataset(tmp_path / "train", size=(300, 240))
    make_dataset(tmp_path / "val", {"cats": 8, "dogs": 8}, size=(300, 240), seed=1)
    for number in range(3):
        shutil.copy(tmp_path / f"train/cats/000{number}.jpg", tmp_path / f"val/cats/copy{number}.jpg")
    resaved(tmp_path / "train/dogs/0000.jpg", tmp_path / "val/dogs/resaved.jpg")
    resaved(tmp_path / "train/dogs/0001.jpg", tmp_path / "val/dogs/smaller.jpg", quality=85, scale=0.7)

    found = codes(scan(tmp_path))

    assert found["copies_across_split"] == 3
    assert found["near_copies_across_split"] == 2


def test_drawn_photos_give_no_false_alarm(tmp_path: Path, make_dataset: MakeDataset) -> None:
    assert codes(scan(make_dataset(tmp_path / "a", {"cats": 60, "dogs": 60}))) == {}


@pytest.mark.photos
def test_real_photos_give_no_false_alarm_and_their_copies_are_found(photos_dir: Path) -> None:
    paths = sorted((photos_dir / "train").rglob("*.jpg"))[::10]
    originals, again = [], []
    for path in paths:
        originals.append(fingerprint(decode(path.read_bytes(), Recipe())))
        with Image.open(path) as image:
            file = io.BytesIO()
            image.resize((image.width * 3 // 4, image.height * 3 // 4)).save(file, "JPEG", quality=70)
        again.append(fingerprint(decode(file.getvalue(), Recipe())))

    assert near_pairs(np.stack([*originals, *again])) == [(at, at + len(paths)) for at in range(len(paths))]


def test_resaved_copies_stay_on_one_side(tmp_path: Path, make_dataset: MakeDataset) -> None:
    folder = make_dataset(tmp_path / "photos", {"cats": 20, "dogs": 20}, size=(300, 240))
    for number in range(8):
        resaved(folder / f"cats/{number:04}.jpg", folder / f"cats/{number:04}-again.jpg")
    found = scan(folder)
    data = [found.path(at).read_bytes() for at in range(len(found.paths))]
    prints = [fingerprint(decode(item, Recipe())) for item in data]
    number_of = {path: at for at, path in enumerate(found.paths)}

    for seed in range(10):
        halves = split(found, [digest(item) for item in data], fraction=0.3, seed=seed, prints=prints)
        for number in range(8):
            pair = {number_of[f"cats/{number:04}.jpg"], number_of[f"cats/{number:04}-again.jpg"]}
            assert pair <= set(halves.train) or pair <= set(halves.val)


def test_a_class_of_look_alikes_is_split_all_the_same() -> None:
    """Frames of one film: were they kept together, nothing could be checked."""
    found = table([(f"{at}", at // 10, TO_SPLIT) for at in range(20)])
    picture = from_pillow(Image.linear_gradient("L"), Recipe())
    prints = [fingerprint(picture)] * 20

    halves = split(found, same(*range(20)), fraction=0.2, seed=0, prints=prints)

    assert Counter(found.labels[at] for at in halves.val) == {0: 2, 1: 2}


def test_plain_pictures_of_different_colours_are_not_copies() -> None:
    colours = [(30 * at, 255 - 30 * at, 128) for at in range(8)]
    prints = np.stack([fingerprint(np.full((224, 224, 3), colour, np.uint8)) for colour in colours])

    assert near_pairs(prints) == []
    assert near_pairs(np.concatenate([prints, prints[:1]])) == [(0, 8)]
