"""The frozen stages: both engines say the same, whatever comes beside a photo."""

from collections.abc import Iterator

import numpy as np
import pytest

from catdog_gui.engine.networks import features
from catdog_gui.engine.networks.features import (
    FeatureEngine,
    OpenVinoEngine,
    TorchEngine,
    has_openvino,
    make_engine,
    one,
)
from catdog_gui.engine.networks.weights import bundled_lite0

LITE0 = features.LITE0
needs_openvino = pytest.mark.skipif(not has_openvino(), reason="OpenVINO has no wheel for this system")


def photos(count: int, side: int = 64, seed: int = 0) -> list[np.ndarray]:
    """Soft pictures: noise of single pixels would be unlike any photo."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 256, (count, side // 8, side // 8, 3), dtype=np.uint8)
    return list(coarse.repeat(8, axis=1).repeat(8, axis=2))


def outputs(engine: FeatureEngine, pictures: list[np.ndarray]) -> np.ndarray:
    found: dict[int, np.ndarray] = {}

    def take(number: int, output: np.ndarray) -> None:
        assert number not in found
        found[number] = output

    engine.run(enumerate(pictures), take)
    assert sorted(found) == list(range(len(pictures)))
    return np.stack([found[number] for number in range(len(pictures))])


def torch_engine(side: int, last: int | None = None) -> TorchEngine:
    return TorchEngine(LITE0, bundled_lite0(), side, "cpu", "fp32", last)


@pytest.fixture(scope="module", params=["openvino", "torch"])
def engine(request: pytest.FixtureRequest) -> Iterator[FeatureEngine]:
    """Both engines, over squares of 64 pixels."""
    if request.param == "openvino" and not has_openvino():
        pytest.skip("OpenVINO has no wheel for this system")
    made: FeatureEngine = (
        OpenVinoEngine(bundled_lite0(), 64, "fp32", 19) if request.param == "openvino" else torch_engine(64)
    )
    yield made
    made.close()


# --- equal -----------------------------------------------------------------------------------------------------------


@needs_openvino
@pytest.mark.parametrize(("side", "last"), [(64, 19), (224, 19), (72, 12), (64, 1), (64, 17), (64, 18)])
def test_both_engines_give_the_same_numbers(side: int, last: int) -> None:
    pictures = photos(3, side)
    fast = OpenVinoEngine(bundled_lite0(), side, "fp32", last)
    plain = torch_engine(side, last)

    found, expected = outputs(fast, pictures), outputs(plain, pictures)
    fast.close()
    plain.close()

    assert found.shape == expected.shape
    assert found.dtype == np.float32
    assert float(np.abs(expected).max()) > 0.5
    assert float(np.abs(found - expected).max()) < 1e-3


@needs_openvino
def test_the_fast_engine_is_chosen_where_it_has_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = make_engine(LITE0, bundled_lite0(), 64, "cpu", "fp32")
    assert chosen.name == "openvino"
    chosen.close()

    monkeypatch.setattr(features, "has_openvino", lambda: False)
    chosen = make_engine(LITE0, bundled_lite0(), 64, "cpu", "fp32")
    assert chosen.name == "torch"
    chosen.close()


def test_other_networks_run_in_torch() -> None:
    from catdog_gui.engine.networks.catalog import build

    network = build("small_cnn", 2, image_size=64)
    tensors = {name: value.numpy() for name, value in network.stages.state_dict().items()}
    made = make_engine("small_cnn", tensors, 64, "cpu", "fp32")

    assert outputs(made, photos(2)).shape == (2, 512)
    made.close()


# --- an answer depends on its photo only -----------------------------------------------------------------------------


def test_a_photo_has_the_same_features_alone_and_among_others_in_any_order(engine: FeatureEngine) -> None:
    pictures = photos(37)
    together = outputs(engine, pictures)
    order = np.random.default_rng(1).permutation(37)

    shuffled = outputs(engine, [pictures[number] for number in order])
    alone = [one(engine, pictures[number]) for number in (0, 20, 36)]

    tolerance = 0.0 if engine.name == "openvino" else 1e-4
    assert float(np.abs(shuffled - together[order]).max()) <= tolerance
    assert float(np.abs(np.stack(alone) - together[[0, 20, 36]]).max()) <= tolerance
    assert float(np.abs(together[0] - together[1]).max()) > 0.01


def test_pictures_in_any_memory_layout_are_read_right(engine: FeatureEngine) -> None:
    wide = photos(1, 128)[0]
    cut = wide[32:96, 32:96]
    mirrored = cut[:, ::-1]
    fixed = np.ascontiguousarray(cut)
    fixed.flags.writeable = False

    found = outputs(engine, [cut, mirrored, fixed])

    expected = outputs(engine, [np.ascontiguousarray(cut), np.ascontiguousarray(mirrored)])
    assert found[[0, 1]] == pytest.approx(expected, abs=1e-4)
    assert found[2] == pytest.approx(found[0], abs=1e-4)


def test_no_photos_give_nothing(engine: FeatureEngine) -> None:
    engine.run([], lambda *_: pytest.fail("nothing was given"))


def test_photos_live_until_they_are_computed(engine: FeatureEngine) -> None:
    def drawn() -> Iterator[tuple[int, np.ndarray]]:
        yield from enumerate(photos(20))  # each array is dropped at once

    found: dict[int, np.ndarray] = {}
    engine.run(drawn(), found.__setitem__)

    assert np.stack([found[k] for k in range(20)]) == pytest.approx(outputs(engine, photos(20)), abs=1e-4)


# --- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0, 1, 33])
def test_what_the_photos_raise_comes_through_and_the_engine_goes_on(engine: FeatureEngine, after: int) -> None:
    def failing() -> Iterator[tuple[int, np.ndarray]]:
        yield from enumerate(photos(after)) if after else []
        raise KeyError("the drive is gone")

    with pytest.raises(KeyError, match="the drive is gone"):
        engine.run(failing(), lambda *_: None)

    assert len(outputs(engine, photos(3))) == 3


def test_what_the_taker_raises_comes_through_and_the_engine_goes_on(engine: FeatureEngine) -> None:
    def full(_number: int, _output: np.ndarray) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        engine.run(enumerate(photos(40)), full)

    assert len(outputs(engine, photos(3))) == 3


@pytest.mark.parametrize("kind", ["openvino", "torch"])
def test_weights_that_are_not_the_networks_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "openvino" and not has_openvino():
        pytest.skip("OpenVINO has no wheel for this system")
    monkeypatch.setattr(features, "has_openvino", lambda: kind == "openvino")
    whole = bundled_lite0()
    missing = {name: value for name, value in whole.items() if name != "17.0.0.weight"}
    misshapen = {**whole, "17.0.0.weight": whole["17.0.0.weight"][:, :7]}

    for tensors in ({}, missing, misshapen):
        with pytest.raises((RuntimeError, KeyError, ValueError)):
            make_engine(LITE0, tensors, 64, "cpu", "fp32")


@needs_openvino
def test_engines_made_used_and_closed_again_and_again_never_wait_for_ever() -> None:
    pictures = photos(9, 32)
    for _ in range(50):
        made = OpenVinoEngine(bundled_lite0(), 32, "fp32", 3)
        assert len(outputs(made, pictures)) == 9
        made.close()
