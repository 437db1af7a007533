"""Random numbers as a pure function of seed, epoch and photo."""

import numpy as np
import pytest

from catdog_gui.engine.learning.randomness import shuffled, uniform


def test_a_photos_numbers_do_not_depend_on_the_photos_beside_it() -> None:
    together = uniform(3, 5, np.arange(100), 7)

    assert (uniform(3, 5, np.array([42]), 7)[0] == together[42]).all()
    assert (uniform(3, 5, np.array([99, 0, 7]), 7) == together[[99, 0, 7]]).all()


def test_more_numbers_begin_with_the_same_ones() -> None:
    assert (uniform(0, 0, np.arange(5), 9)[:, :4] == uniform(0, 0, np.arange(5), 4)).all()


@pytest.mark.parametrize("other", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_seed_epoch_and_photo_each_change_the_numbers(other: tuple[int, int, int]) -> None:
    seed, epoch, photo = other

    assert (uniform(seed, epoch, np.array([photo]), 7) != uniform(0, 0, np.array([0]), 7)).all()


def test_the_next_seed_is_not_the_next_epoch() -> None:
    draws = {
        uniform(seed, epoch, np.array([photo]), 1).item()
        for seed in range(20)
        for epoch in range(20)
        for photo in range(20)
    }

    assert len(draws) > 7990  # of 8,000; 24 bits leave room for a few equal ones


def test_numbers_are_even_and_independent() -> None:
    draws = uniform(0, 3, np.arange(20_000), 4)

    assert draws.dtype == np.float32
    assert draws.min() >= 0
    assert draws.max() < 1
    counts = np.stack([np.histogram(column, 20, (0, 1))[0] for column in draws.T])
    assert (np.abs(counts - 1000) < 160).all()  # 5 deviations
    assert np.abs(np.corrcoef(draws.T) - np.eye(4)).max() < 0.04
    assert abs(np.corrcoef(draws[:-1, 0], draws[1:, 0])[0, 1]) < 0.04


def test_the_largest_seed_works() -> None:
    assert np.isfinite(uniform(2**31 - 1, 100_000, np.array([10**7]), 7)).all()
    assert sorted(shuffled(2**31 - 1, 100_000, np.arange(9))) == list(range(9))


def test_the_numbers_are_the_same_on_every_computer_and_in_every_version() -> None:
    assert uniform(0, 0, np.array([0]), 3).tolist() == [[0.8833107948303223, 0.4315279722213745, 0.02643376588821411]]
    assert shuffled(0, 0, np.arange(8)).tolist() == [2, 4, 3, 6, 5, 0, 1, 7]
