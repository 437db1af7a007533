"""A damaged checkpoint is noticed wherever the damage is, and the one before is taken."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.learning.learner import EpochSoFar, Snapshot
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training.checkpoint import Checkpoint


def made(done: int) -> Checkpoint:
    tensors = {"head.weight": np.arange(12, dtype=np.float32).reshape(3, 4)}
    return Checkpoint(("cats", "dogs"), Snapshot(tensors, {"step": 7}), done=done, events=12345)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    checkpoint.save(made(3), tmp_path)
    checkpoint.save(made(4), tmp_path)
    return tmp_path


IMPOSSIBLE = (
    replace(made(4), done=2**60),
    replace(made(4), done=-1),
    replace(made(4), events=2**60),  # bytes of events.jsonl
    replace(made(4), so_far=EpochSoFar(steps=2**60)),
    replace(made(4), so_far=EpochSoFar(photos=-3)),
)


@pytest.mark.parametrize("wrong", IMPOSSIBLE)
def test_a_whole_checkpoint_with_numbers_that_no_run_reaches_is_damaged(tmp_path: Path, wrong: Checkpoint) -> None:
    checkpoint.save(made(3), tmp_path)
    checkpoint.save(wrong, tmp_path)  # its sums are right: only the numbers tell

    found, damaged = checkpoint.load(tmp_path)

    assert found is not None
    assert (found.done, damaged) == (3, True)


def test_a_single_flipped_bit_anywhere_falls_back_to_the_one_before(two: Path) -> None:
    whole = (two / checkpoint.FILE).read_bytes()
    rng = random.Random(0)
    for at in (*range(8), *(rng.randrange(len(whole)) for _ in range(300))):
        data = bytearray(whole)
        data[at] ^= 1 << rng.randrange(8)
        (two / checkpoint.FILE).write_bytes(data)
        found, damaged = checkpoint.load(two)

        assert found is not None
        assert (found.done, damaged) == (3, True), at


def test_a_checkpoint_cut_anywhere_falls_back_and_two_damaged_ones_are_said(two: Path) -> None:
    whole = (two / checkpoint.FILE).read_bytes()
    for length in (0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        (two / checkpoint.FILE).write_bytes(whole[:length])
        found, damaged = checkpoint.load(two)
        assert found is not None
        assert (found.done, damaged) == (3, True)

    (two / checkpoint.BEFORE).write_bytes(b"")
    with pytest.raises(CatDogError) as caught:
        checkpoint.load(two)
    assert caught.value.code == "checkpoint_damaged"
