"""Photos varied while learning: still the same photo, and the same variation for its numbers."""

import numpy as np
import pytest
import torch

from catdog_gui.engine.learning.augment import augment, draw

M, S = 74, 64


def squares(count: int = 6, seed: int = 0) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (count, 10, 10, 3), dtype=np.uint8)
    return torch.from_numpy(np.ascontiguousarray(coarse.repeat(8, axis=1).repeat(8, axis=2)[:, :M, :M]))


def varied(x: torch.Tensor, photos: list[int], seed: int = 0, epoch: int = 0) -> torch.Tensor:
    return augment(x, S, torch.from_numpy(draw(seed, epoch, np.array(photos))))


def difference(a: torch.Tensor, b: torch.Tensor) -> int:
    return int((a.int() - b.int()).abs().max())


def test_pictures_stay_pictures() -> None:
    found = varied(squares(), list(range(6)))

    assert found.shape == (6, S, S, 3)
    assert found.dtype == torch.uint8
    assert found.is_contiguous()


def test_black_and_white_stay_within_their_range() -> None:
    black = varied(torch.zeros((40, M, M, 3), dtype=torch.uint8), list(range(40)))
    white = varied(torch.full((40, M, M, 3), 255, dtype=torch.uint8), list(range(40)))

    assert int(black.max()) == 0  # no border of another colour comes in
    assert int(white.min()) >= 255 * 0.74
    assert int(white.max()) == 255


def test_a_photo_is_varied_alike_whatever_is_beside_it() -> None:
    x = squares()
    together = varied(x, [10, 11, 12, 13, 14, 15])

    alone = torch.cat([varied(x[k : k + 1], [10 + k]) for k in range(6)])
    backwards = varied(x.flip(0), [15, 14, 13, 12, 11, 10]).flip(0)

    assert torch.equal(alone, together)
    assert torch.equal(backwards, together)


@pytest.mark.parametrize(("seed", "epoch", "photo"), [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_seed_epoch_and_photo_each_change_the_variation(seed: int, epoch: int, photo: int) -> None:
    x = squares(1)

    assert difference(varied(x, [photo], seed, epoch), varied(x, [0])) > 20
    assert torch.equal(varied(x, [photo], seed, epoch), varied(x, [photo], seed, epoch))


def test_about_half_are_mirrored() -> None:
    ramp = torch.arange(M).mul(3).to(torch.uint8)[None, None, :, None].expand(200, M, M, 3).contiguous()

    found = varied(ramp, list(range(200))).float()
    falls = (found[:, :, -1].mean(dim=(1, 2)) < found[:, :, 0].mean(dim=(1, 2))).sum()

    assert 70 < int(falls) < 130
    top, bottom = found[:, 0].mean(dim=(1, 2)), found[:, -1].mean(dim=(1, 2))
    assert torch.allclose(top, bottom, atol=1)  # never turned nor upside down


def test_zoom_shows_between_six_tenths_and_all_of_the_picture() -> None:
    ramp = torch.arange(M).mul(3).to(torch.uint8)[None, None, :, None].expand(300, M, M, 3).contiguous()

    found = varied(ramp, list(range(300))).float().mean(dim=3)[:, 0]
    middle = found.mean(dim=1, keepdim=True)
    spans = ((found - middle).abs().amax(dim=1)) * 2 / (3 * M)  # light changes it by up to a quarter twice

    assert float(spans.min()) > 0.6 * 0.75 * 0.75 * 0.9
    assert float(spans.max()) < 1.0 * 1.25 * 1.25
    assert float(spans.std()) > 0.05


def test_the_given_squares_are_left_as_they_are() -> None:
    x = squares()
    before = x.clone()

    varied(x, list(range(6)))

    assert torch.equal(x, before)
