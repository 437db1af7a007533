"""Photos varied while learning: still the same photo, and the same variation for its numbers."""

import numpy as np
import pytest
import torch
from PIL import Image

from catdog_gui.engine.learning.augment import augment
from catdog_gui.engine.learning.variation import draw, version_of, versions
from catdog_gui.engine.learning.variation import varied as varied_by_pillow

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


def ramps(count: int) -> torch.Tensor:
    """Photos (N, M, M, 3) that are black on the left and light on the right."""
    return torch.arange(M).mul(3).to(torch.uint8)[None, None, :, None].expand(count, M, M, 3).contiguous()


def sides(found: torch.Tensor) -> torch.Tensor:
    """How light the middle of each photo's edges is, (N, 4): left, top, right, bottom."""
    light, half = found.float().mean(dim=3), S // 2
    return torch.stack([light[:, half, 0], light[:, 0, half], light[:, half, -1], light[:, -1, half]], dim=1)


def test_about_half_are_mirrored() -> None:
    left, top, right, bottom = sides(varied(ramps(400), list(range(400)))).T

    upright = (top - bottom).abs() < 1
    assert 80 < int((right < left)[upright].sum()) / int(upright.sum()) * 200 < 120


def test_a_quarter_of_the_photos_lie_on_a_side_or_on_the_head() -> None:
    left, top, right, bottom = sides(varied(ramps(1200), list(range(1200)))).T
    lying = ((left - right).abs() < 1) & ((top - bottom).abs() > 10)

    assert 0.12 < float(lying.float().mean()) < 0.21  # a sixth: by 90 or 270 degrees
    assert 0.3 < float((top < bottom)[lying].float().mean()) < 0.7  # as many to the one side as to the other


def test_a_turned_photo_is_the_same_photo_turned() -> None:
    x = squares(1)
    draws = torch.tensor([[1.0, 0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9]])
    plain = augment(x, S, draws)
    for number, place in enumerate((0.01, 0.1, 0.2), start=1):
        draws[0, 7] = place
        turned = augment(x, S, draws)

        assert difference(torch.rot90(plain, number, (1, 2)), turned) <= 1


def test_zoom_shows_between_six_tenths_and_all_of_the_picture() -> None:
    found = varied(ramps(400), list(range(400))).float().mean(dim=3)
    upright = (found[:, 0] - found[:, -1]).abs().amax(dim=1) < 1
    found = found[upright][:, 0]
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


# --- versions that are made once -------------------------------------------------------------------------------------


def test_a_version_made_once_is_what_the_device_would_have_made() -> None:
    square = squares(1)[0].numpy()
    draws = draw(0, 0, np.arange(200))
    ours = np.stack([varied_by_pillow(Image.fromarray(square), row, S) for row in draws])
    theirs = augment(torch.from_numpy(square)[None].expand(200, -1, -1, -1), S, torch.from_numpy(draws)).numpy()

    inner = np.abs(ours.astype(int) - theirs)[:, 1:-1, 1:-1]  # beyond the square's edge one mirrors, the other repeats
    assert inner.max() <= 2
    assert inner.mean() < 0.5


def test_the_first_version_is_the_photo_as_it_is_seen_later() -> None:
    square = squares(1)[0].numpy()
    found = versions(square, b"0123456789abcdef", S, 3)

    assert found.shape == (4, S, S, 3)
    assert np.array_equal(found[0], square[5:69, 5:69])
    assert all(np.abs(found[0].astype(int) - other).max() > 20 for other in found[1:])


def test_versions_depend_on_the_photo_alone() -> None:
    square = squares(1)[0].numpy()
    found = versions(square, b"0123456789abcdef", S, 3)

    assert np.array_equal(versions(square, b"0123456789abcdef", S, 3), found)
    assert np.array_equal(versions(square, b"0123456789abcdef", S, 2), found[:3])
    assert not np.array_equal(versions(square, b"1123456789abcdef", S, 3)[1], found[1])


def test_each_photo_is_learned_as_it_is_every_second_time_and_in_each_of_its_versions_in_between() -> None:
    photos = np.arange(200)
    seen = np.stack([version_of(3, epoch, photos, 5) for epoch in range(1, 9)])

    assert all(sorted(column) == [0, 0, 0, 0, 1, 2, 3, 4] for column in seen.T)
    assert all(0 in column[:2] for column in seen.T)
    assert set(seen[0]) == set(range(5))  # not the same one for all in an epoch
    assert 70 < int((seen[0] == 0).sum()) < 130
    assert not np.array_equal(version_of(4, 1, photos, 5), seen[0])
