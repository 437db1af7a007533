"""Batches: every photo once, never a lone last one, the same again for a seed."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from catdog_gui.engine.errors import Stopped
from catdog_gui.engine.learning.loading import BatchLoader
from catdog_gui.engine.learning.randomness import plan_batches
from catdog_gui.engine.photos import reading
from catdog_gui.engine.photos.images import Recipe, decode
from catdog_gui.engine.preparing import stores
from catdog_gui.engine.preparing.stores import ArrayStore, LiveStore

CPU = torch.device("cpu")


def loader(count: int = 20, **options: Any) -> BatchLoader:
    """Features that say which photo they are of."""
    rows = np.arange(count, dtype=np.float32)[:, None].repeat(3, axis=1)
    values = {"batch_size": 4, "device": CPU, "learning": True, "members": np.arange(count)}
    return BatchLoader(**{"store": ArrayStore(rows), "labels": np.arange(count) % 2, **values, **options})


def order(made: BatchLoader) -> list[list[int]]:
    return [batch.inputs[:, 0].int().tolist() for batch in made]


@pytest.fixture
def photos(tiny_dataset: Path) -> list[Path]:
    return sorted(tiny_dataset.rglob("*.jpg"))[:10]


def live(paths: list[Path], *, margin: bool = False) -> LiveStore:
    return LiveStore(paths, Recipe(64), margin, 2)


# --- plans -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(1, 65))
def test_no_count_of_photos_leaves_a_lone_last_one(size: int) -> None:
    for count in range(8, 71):
        batches = plan_batches(np.arange(count), size)

        assert np.concatenate(batches).tolist() == list(range(count))
        assert len(batches) >= 1
        assert max(map(len, batches)) <= size + 1
        assert size == 1 or min(map(len, batches)) > 1


def test_a_single_photo_is_a_batch_of_its_own() -> None:
    assert [batch.tolist() for batch in plan_batches(np.array([7]), 4)] == [[7]]
    assert plan_batches(np.array([], int), 4) == []


# --- orders ----------------------------------------------------------------------------------------------------------


def test_the_order_is_a_function_of_seed_and_epoch() -> None:
    assert order(loader(seed=1, epoch=2)) == order(loader(seed=1, epoch=2))
    assert order(loader(seed=1, epoch=2)) != order(loader(seed=1, epoch=3))
    assert order(loader(seed=1, epoch=2)) != order(loader(seed=2, epoch=2))


def test_an_epoch_does_not_depend_on_those_before_it() -> None:
    straight = loader(seed=5)
    orders = []
    for epoch in range(4):
        straight.epoch = epoch
        orders.append(order(straight))

    assert order(loader(seed=5, epoch=3)) == orders[3]


def test_global_random_states_neither_matter_nor_change() -> None:
    states = (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist())  # type: ignore[index]
    first = order(loader())
    assert states == (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state().tolist())  # type: ignore[index]
    random.seed(3)
    np.random.seed(3)
    torch.manual_seed(3)

    assert order(loader()) == first


def test_every_member_comes_once_an_epoch_with_its_own_label() -> None:
    made = loader(members=np.array([3, 1, 8, 9, 15, 16, 2]))

    seen = [pair for batch in made for pair in zip(batch.inputs[:, 0].tolist(), batch.labels.tolist(), strict=True)]

    assert sorted(seen) == [(n, n % 2) for n in (1, 2, 3, 8, 9, 15, 16)]
    assert len(made) == 2


def test_checking_keeps_the_given_order() -> None:
    assert order(loader(learning=False, members=np.array([5, 3, 9, 1, 0]))) == [[5, 3, 9, 1, 0]]


def with_versions(**options: Any) -> BatchLoader:
    """Rows of three versions; each says photo and version: 7.2 is the third of photo 7."""
    rows = np.arange(20, dtype=np.float32)[:, None, None] + np.array([0.0, 0.1, 0.2], np.float32)[None, :, None]
    return loader(store=ArrayStore(rows), versions=3, **options)


def seen_versions(made: BatchLoader) -> dict[int, int]:
    values = [value for batch in made for value in batch.inputs[:, 0].tolist()]
    return {int(value + 0.01): round(10 * (value % 1)) % 10 for value in values}


def test_an_epoch_learns_one_version_of_each_photo_and_four_epochs_all_three() -> None:
    epochs = [seen_versions(with_versions(epoch=epoch)) for epoch in (1, 2, 3, 4)]

    assert [sorted(seen) for seen in epochs] == [list(range(20))] * 4
    assert all(sorted(seen[photo] for seen in epochs) == [0, 0, 1, 2] for photo in range(20))


def test_photos_are_checked_as_they_are() -> None:
    made = with_versions(learning=False, epoch=2)

    assert set(seen_versions(made).values()) == {0}
    assert next(iter(made)).inputs.shape == (4, 1)


def test_a_loader_stops_when_asked() -> None:
    asked = iter([False, False, *[True] * 100])

    with pytest.raises(Stopped):
        order(loader(1000, should_stop=lambda: next(asked)))


def test_a_loader_that_is_left_half_way_leaves_no_thread() -> None:
    for _ in loader(1000):
        break


# --- stores ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("margin", [False, True])
def test_photos_decoded_anew_are_those_that_were_stored(photos: list[Path], margin: bool) -> None:
    rows = np.stack([decode(path.read_bytes(), Recipe(64), margin=margin) for path in photos])
    numbers = np.array([7, 2, 2, 9])

    found, kept = live(photos, margin=margin).take(numbers)
    expected, _ = ArrayStore(rows).take(numbers)

    assert (found == expected).all()
    assert kept.tolist() == numbers.tolist()


def test_photos_that_vanished_are_left_out_and_counted(photos: list[Path]) -> None:
    store = live(photos)
    photos[3].unlink()
    photos[5].write_bytes(b"\xff\xd8\xff damaged")

    found, kept = store.take(np.arange(10))

    assert kept.tolist() == [0, 1, 2, 4, 6, 7, 8, 9]
    assert found.shape == (8, 64, 64, 3)
    assert {number: error.code for number, error in store.lost.items()}.keys() == {3, 5}


def test_labels_stay_with_their_photos_when_others_vanish(photos: list[Path]) -> None:
    store = live(photos)
    photos[0].unlink()
    made = BatchLoader(store, np.arange(10), np.arange(10), 4, CPU, size=64)

    assert [batch.labels.tolist() for batch in made] == [[1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_a_batch_whose_photos_all_vanished_is_passed_over(photos: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_MOST_LOST", 0.5)
    store = live(photos)
    for path in photos[:4]:
        path.unlink()
    made = BatchLoader(store, np.arange(10), np.arange(10), 4, CPU, size=64)

    assert [batch.labels.tolist() for batch in made] == [[4, 5, 6, 7], [8, 9]]


def test_a_closed_store_gives_its_file_back(tmp_path: Path) -> None:
    file = tmp_path / "rows.npy"
    rows = np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=(4, 8))
    store = ArrayStore(rows, file)
    del rows

    store.close()

    assert not file.exists()
    assert len(store.rows) == 0


# --- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fit", ["crop", "squash"])
def test_the_centre_of_a_margin_square_is_the_plain_picture(photos: list[Path], fit: Any) -> None:
    recipe = Recipe(64, fit)
    plain = np.stack([decode(path.read_bytes(), recipe) for path in photos])
    margin = np.stack([decode(path.read_bytes(), recipe, margin=True) for path in photos])
    made = BatchLoader(ArrayStore(margin), np.zeros(10, np.int64), np.arange(10), 16, CPU, size=64)

    (batch,) = made

    assert batch.inputs.dtype == torch.uint8
    assert (np.abs(batch.inputs.numpy().astype(int) - plain) <= 1).all()


def test_varied_pictures_differ_from_epoch_to_epoch_and_repeat_for_a_seed(photos: list[Path]) -> None:
    margin = np.stack([decode(path.read_bytes(), Recipe(64), margin=True) for path in photos])

    def batches(epoch: int) -> Iterator[torch.Tensor]:
        made = BatchLoader(
            ArrayStore(margin), np.zeros(10, np.int64), np.arange(10), 16, CPU, varied=True, size=64, epoch=epoch
        )
        yield from (batch.inputs for batch in made)

    first, again, other = next(batches(0)), next(batches(0)), next(batches(1))
    assert first.shape == (10, 64, 64, 3)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_photo_that_a_batch_waits_for_long_is_named(photos: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    slow, came, told = photos[7], threading.Event(), []

    def read(path: Path) -> bytes:
        if path == slow:
            came.wait(60)
        return path.read_bytes()

    def on_slow(photo: Path | None) -> None:
        told.append(photo)
        came.set()

    monkeypatch.setattr(reading, "_SLOW_S", 0.3)
    monkeypatch.setattr(stores, "read_bytes", read)
    made = BatchLoader(live(photos), np.zeros(10, np.int64), np.arange(10), 4, CPU, size=64, on_slow=on_slow)

    assert sum(len(batch.labels) for batch in made) == 10
    assert told == [slow]
