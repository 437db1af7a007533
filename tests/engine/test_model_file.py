"""Model files: read back as written, and refused for every kind of damage without running anything."""

import json
import pickle
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.models.model_file import KEY, Model, read_model, save_model
from catdog_gui.engine.models.verdicts import Limits
from catdog_gui.engine.photos.images import Recipe


def small_model(**changes: Any) -> Model:
    rng = np.random.default_rng(0)
    tensors = {
        "head.weight": rng.normal(size=(2, 5)).astype(np.float32),
        "head.bias": np.zeros(2, np.float32),
        "stages.0.weight": rng.normal(size=(3, 4)).astype(np.float32),
        "novelty.vectors": rng.normal(size=(7, 5)).astype(np.float16),
    }
    values = {"network": "resnet18", "classes": ("Katzen", "犬"), "recipe": Recipe(96, "squash"), "tensors": tensors}
    return Model(**{**values, **changes})


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and the rest."""
    length = struct.unpack("<Q", data[:8])[0]
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def joined(header: dict[str, Any], rest: bytes) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + rest


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("model") / "model.safetensors"
    save_model(small_model(), path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("model") / "m.safetensors"


def refusal(path: Path, data: bytes | None = None) -> str:
    """The code with which the file is refused."""
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_model(path)
    assert caught.value.exit_code == 3
    assert "{path}" not in str(caught.value)
    return caught.value.code


def described(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The same file with another description."""
    header, rest = parts(data)
    description = json.loads(header["__metadata__"][KEY])
    change(description)
    header["__metadata__"][KEY] = json.dumps(description)
    return joined(header, rest)


def damaged_words(path: Path) -> str:
    return (
        f"The model {path} is damaged or was not copied whole. Copy it again, train again, or open another run's model."
    )


def test_a_single_flipped_bit_in_the_weights_is_noticed(good: bytes, scratch: Path) -> None:
    damaged = bytearray(good)
    damaged[-3] ^= 1

    assert refusal(scratch, bytes(damaged)) == "model_damaged"


def test_a_damaged_model_is_said_in_plain_words_and_the_librarys_own_are_kept_for_a_report(
    good: bytes, scratch: Path
) -> None:
    header, rest = parts(good)
    header["head.weight"]["data_offsets"][1] += 4
    for data in (good[: len(good) // 2], joined(header, rest)):
        scratch.write_bytes(data)
        with pytest.raises(InputError) as caught:
            read_model(scratch)

        assert str(caught.value) == damaged_words(scratch)
        assert caught.value.fields["reason"]


# --- round trip ------------------------------------------------------------------------------------------------------


def test_a_model_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    model = small_model(
        limits=Limits(0.9, 0.25),
        temperature=1.7,
        calibrated=True,
        precision="bf16",
        validation={"accuracy": 0.98, "n": 400},
        trained={"preset": "best", "epoch": 3},
    )
    save_model(model, tmp_path / "m.safetensors")

    again = read_model(tmp_path / "m.safetensors")

    assert {name: value.tolist() for name, value in again.tensors.items()} == {
        name: value.tolist() for name, value in model.tensors.items()
    }
    for name in (
        "network",
        "classes",
        "recipe",
        "limits",
        "temperature",
        "calibrated",
        "precision",
        "validation",
        "trained",
    ):
        assert getattr(again, name) == getattr(model, name), name
    assert again.vectors.dtype == np.float16


def test_a_run_folder_means_the_model_in_it(tmp_path: Path) -> None:
    save_model(small_model(), tmp_path / "model.safetensors")

    assert read_model(tmp_path).classes == ("Katzen", "犬")


@pytest.mark.parametrize("extra", range(48))
def test_a_header_of_any_length_opens(tmp_path: Path, extra: int) -> None:
    """The first byte of a safetensors file is a part of a length: it may be the one that pickles start with."""
    save_model(small_model(trained={"note": "x" * extra * 8}), tmp_path / "m")

    assert read_model(tmp_path / "m").network == "resnet18"


def test_a_tensor_laid_out_otherwise_is_stored_right(tmp_path: Path) -> None:
    model = small_model()
    model.tensors["stages.0.weight"] = np.asfortranarray(model.tensors["stages.0.weight"])[::-1]
    save_model(model, tmp_path / "m")

    assert (read_model(tmp_path / "m").tensors["stages.0.weight"] == model.tensors["stages.0.weight"]).all()


def test_a_model_without_novelty_vectors_has_none(tmp_path: Path) -> None:
    model = small_model()
    del model.tensors["novelty.vectors"]
    save_model(model, tmp_path / "m")

    assert read_model(tmp_path / "m").vectors.shape == (0, 0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_never_saved(tmp_path: Path, bad: float) -> None:
    save_model(small_model(), tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    model = small_model()
    model.tensors["head.weight"][1, 2] = bad

    with pytest.raises(CatDogError, match=r"head\.weight") as caught:
        save_model(model, tmp_path / "m")

    assert caught.value.code == "not_finite_weights"
    assert (tmp_path / "m").read_bytes() == before


# --- refusals --------------------------------------------------------------------------------------------------------


class Payload:
    """Makes a folder when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        import os

        return os.mkdir, (str(self._marker),)


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_refused_and_never_run(tmp_path: Path, protocol: int) -> None:
    marker = tmp_path / "marker"

    code = refusal(tmp_path / "m.pt", pickle.dumps(Payload(marker), protocol))

    assert code == ("model_is_pickle" if protocol >= 2 else "not_a_model")
    assert not marker.exists()


def test_a_checkpoint_of_torch_is_refused_and_never_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    with zipfile.ZipFile(tmp_path / "m.pt", "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(Payload(marker)))
        archive.writestr("archive/version", "3\n")

    assert refusal(tmp_path / "m.pt") == "model_is_pickle"
    assert not marker.exists()


def test_a_pickle_that_poses_as_safetensors_is_refused_and_never_run(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    code = pickle.dumps(Payload(marker), 2)
    disguised = b"\x80\x02\x00\x00\x00\x00\x00\x00{" + code + b" " * 1000

    assert refusal(tmp_path / "m", disguised) == "model_damaged"
    assert not marker.exists()


def test_a_foreign_safetensors_file_is_no_model_of_ours(tmp_path: Path) -> None:
    tensors = {"head.weight": np.zeros((2, 5), np.float32)}

    assert refusal(tmp_path / "a", save(tensors)) == "not_a_model"
    assert refusal(tmp_path / "b", save(tensors, metadata={"format": "pt"})) == "not_a_model"


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"\x00" * 8, b"\x00" * 100, b"hello, this is text", b"\xff\xd8\xff\xe0" * 50, b"\xff" * 100]
)
def test_what_is_something_else_is_no_model(tmp_path: Path, data: bytes) -> None:
    assert refusal(tmp_path / "m", data) == "not_a_model"


def test_a_file_cut_anywhere_is_refused(good: bytes, scratch: Path) -> None:
    cuts = sorted({*range(64), *range(64, len(good), 37), *range(len(good) - 40, len(good))})

    codes = {refusal(scratch, good[:length]) for length in cuts}

    assert codes == {"not_a_model", "model_damaged"}
    assert refusal(scratch, good[: len(good) // 2]) == "model_damaged"


@pytest.mark.parametrize("length", [0, 1, 2, 7, 100, 10**6, 2**40, 2**63, 2**64 - 1])
def test_a_header_that_lies_about_its_length_is_refused(good: bytes, tmp_path: Path, length: int) -> None:
    assert refusal(tmp_path / "m", struct.pack("<Q", length) + good[8:]) in ("not_a_model", "model_damaged")


def test_a_huge_header_is_not_even_parsed(tmp_path: Path) -> None:
    header = b"{" + b" " * (9 * 2**20) + b"}"

    assert refusal(tmp_path / "m", struct.pack("<Q", len(header)) + header) == "not_a_model"


def test_a_header_of_countless_brackets_is_refused(tmp_path: Path) -> None:
    header = b'{"a":' + b"[" * 500_000

    assert refusal(tmp_path / "m", struct.pack("<Q", len(header)) + header) == "model_damaged"


def test_bytes_after_the_tensors_are_refused(good: bytes, tmp_path: Path) -> None:
    assert refusal(tmp_path / "m", good + b"extra") == "model_damaged"


def test_a_sparse_file_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "m").open("wb") as file:
        file.truncate(3 * 2**30)

    assert refusal(tmp_path / "m") == "not_a_model"


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("head.weight", "shape", [3, 5]),
        ("head.weight", "shape", [10]),
        ("head.weight", "shape", [2**40, 2**40]),
        ("head.weight", "shape", [-2, -5]),
        ("head.weight", "shape", "2x5"),
        ("head.weight", "dtype", "F64"),
        ("head.weight", "dtype", "I32"),
        ("head.weight", "dtype", "BF16"),
        ("head.weight", "dtype", "Q7"),
        ("head.weight", "data_offsets", [0, 10**12]),
        ("head.weight", "data_offsets", [40, 0]),
        ("head.weight", "data_offsets", [0, 8]),
        ("stages.0.weight", "dtype", "BF16"),
        ("novelty.vectors", "shape", [5, 7]),
        ("novelty.vectors", "shape", [35]),
    ],
)
def test_a_tensor_that_is_not_as_declared_is_refused(
    good: bytes, tmp_path: Path, name: str, field: str, value: object
) -> None:
    header, rest = parts(good)
    assert header[name][field] != value
    header[name][field] = value

    assert refusal(tmp_path / "m", joined(header, rest)) == "model_damaged"


@pytest.mark.parametrize("name", ["head.weight", "head.bias"])
def test_a_model_without_a_head_is_refused(tmp_path: Path, name: str) -> None:
    model = small_model()
    del model.tensors[name]
    save_model(model, tmp_path / "m")

    assert refusal(tmp_path / "m") == "model_damaged"


@pytest.mark.parametrize("name", ["head.weight", "head.bias", "stages.0.weight", "novelty.vectors"])
def test_weights_that_are_no_numbers_are_refused(good: bytes, tmp_path: Path, name: str) -> None:
    header, rest = parts(good)
    start, end = header[name]["data_offsets"]
    bad = np.full(1, np.nan, np.float16 if header[name]["dtype"] == "F16" else np.float32).tobytes()
    rest = rest[:start] + bad + rest[start + len(bad) :]
    assert end - start > len(bad)

    assert refusal(tmp_path / "m", joined(header, rest)) == "model_damaged"


def a_class_list(value: object) -> Callable[[dict[str, Any]], object]:
    return lambda description: description.update(classes=value)


@pytest.mark.parametrize(
    "classes",
    [
        ["a", "a"],
        ["a", ""],
        ["a", 3],
        ["a", None],
        ["a", ["b"]],
        ["a"],
        [],
        "ab",
        {"a": 1, "b": 2},
        None,
        ["a", "b", "c"],
    ],
    ids=str,
)
def test_class_names_must_be_different_words_as_many_as_the_head_answers(
    good: bytes, tmp_path: Path, classes: object
) -> None:
    assert refusal(tmp_path / "m", described(good, a_class_list(classes))) == "model_damaged"


@pytest.mark.parametrize(
    "change",
    [
        {"calibration": {"temperature": 0, "calibrated": True}},
        {"calibration": {"temperature": -1.0, "calibrated": True}},
        {"calibration": {"temperature": float("nan"), "calibrated": True}},
        {"calibration": {"temperature": 10**400, "calibrated": True}},
        {"calibration": {"temperature": "hot", "calibrated": True}},
        {"calibration": None},
        {"thresholds": {"sure": float("nan"), "novelty": 1.0}},
        {"thresholds": {"sure": 0.8, "novelty": float("nan")}},
        {"thresholds": {"sure": 0.8, "novelty": float("inf")}},
        {"thresholds": {"sure": 10**400, "novelty": 1.0}},
        {"thresholds": {"sure": 0.8}},
        {"thresholds": []},
        {"validation": "good"},
        {"trained": 3},
        {"schema": "one"},
        {"schema": None},
    ],
    ids=str,
)
def test_a_description_that_makes_no_sense_is_refused(good: bytes, tmp_path: Path, change: dict[str, Any]) -> None:
    assert refusal(tmp_path / "m", described(good, lambda d: d.update(change))) == "model_damaged"


@pytest.mark.parametrize("key", ["schema", "classes", "preprocessing", "calibration", "thresholds"])
def test_a_description_that_lacks_something_is_refused(good: bytes, tmp_path: Path, key: str) -> None:
    assert refusal(tmp_path / "m", described(good, lambda d: d.pop(key))) == "model_damaged"


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000])
def test_a_description_that_is_no_object_is_refused(good: bytes, tmp_path: Path, text: str) -> None:
    header, rest = parts(good)
    header["__metadata__"][KEY] = text

    assert refusal(tmp_path / "m", joined(header, rest)) == "model_damaged"


def test_a_newer_model_asks_to_update(good: bytes, tmp_path: Path) -> None:
    newer = described(good, lambda d: d.update(schema=2, program="9.1"))

    (tmp_path / "m").write_bytes(newer)
    with pytest.raises(InputError, match=r"newer version of this program \(9\.1\)") as caught:
        read_model(tmp_path / "m")
    assert caught.value.code == "model_too_new"


def test_a_network_that_this_version_does_not_know_is_named(good: bytes, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(described(good, lambda d: d.update(network="vit_huge")))

    with pytest.raises(InputError, match=r"network “vit_huge”, which this version of the program \(.*\) does not know"):
        read_model(tmp_path / "m")


@pytest.mark.parametrize(
    "recipe", [{"size": 96, "fit": "squash", "version": 2}, {"size": 10**6, "fit": "crop", "version": 1}, {}]
)
def test_a_pixel_recipe_that_cannot_be_followed_is_refused(good: bytes, tmp_path: Path, recipe: dict[str, Any]) -> None:
    assert refusal(tmp_path / "m", described(good, lambda d: d.update(preprocessing=recipe))) == "recipe_unknown"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.safetensors") == "model_missing"
    assert refusal(tmp_path) == "not_a_run"
    (tmp_path / "config.json").write_text("{}")
    assert refusal(tmp_path) == "no_model_in_run"
    assert refusal(tmp_path / ("x" * 300)) == "cannot_read"


@pytest.mark.parametrize("fault", ["no stages", "a stage of another shape", "a head over other features"])
def test_a_model_whose_parts_do_not_fit_is_refused_before_it_answers(tmp_path: Path, fault: str) -> None:
    import torch

    from catdog_gui.engine import load_model
    from catdog_gui.engine.networks.catalog import build

    network = build("small_cnn", 2, image_size=32)
    tensors = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    path = tmp_path / "m"
    good = small_model(network="small_cnn", recipe=Recipe(32), tensors=tensors)
    save_model(good, path)
    opened = load_model(path, device="cpu")
    assert len(opened.predict(torch.zeros((40, 40, 3), dtype=torch.uint8).numpy()).probabilities) == 2
    opened.close()

    if fault == "no stages":
        tensors = {name: value for name, value in tensors.items() if not name.startswith("stages")}
    elif fault == "a stage of another shape":
        tensors["stages.1.0.weight"] = tensors["stages.1.0.weight"][:, :5]
    else:
        tensors["head.weight"] = tensors["head.weight"][:, :100]
    save_model(small_model(network="small_cnn", recipe=Recipe(32), tensors=tensors), path)

    with pytest.raises(InputError) as caught:
        load_model(path, device="cpu")
    assert caught.value.code == "model_damaged"
    assert str(caught.value) == damaged_words(path)


# --- thousands of damaged files --------------------------------------------------------------------------------------


def opened_or_refused(path: Path, data: bytes) -> bool:
    """Whether it opened. Anything but an InputError ends the test."""
    path.write_bytes(data)
    try:
        model = read_model(path)
    except InputError as error:
        return not str(error)
    assert all(isinstance(name, str) for name in model.classes)
    assert all(np.isfinite(value).all() for value in model.tensors.values())
    return True


def test_random_damage_is_refused_or_harmless(good: bytes, scratch: Path) -> None:
    rng = random.Random(0)
    header_end = 8 + struct.unpack("<Q", good[:8])[0]
    outcomes = []
    for _ in range(600):
        data = bytearray(good)
        for _ in range(rng.choice([1, 1, 2, 8])):  # most of it in the header, where it hurts
            data[rng.randrange(header_end if rng.random() < 0.8 else len(data))] = rng.randrange(256)
        outcomes.append(opened_or_refused(scratch, bytes(data)))

    assert 0 < sum(outcomes) < 60  # what opens was damaged in words that are only shown


def test_pieces_moved_about_are_refused_or_harmless(good: bytes, scratch: Path) -> None:
    rng = random.Random(1)
    for _ in range(200):
        start, end = sorted(rng.randrange(len(good)) for _ in range(2))
        place = rng.randrange(len(good))
        opened_or_refused(scratch, good[:place] + good[start:end] + good[place + rng.randrange(50) :])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = [
    "schema",
    "network",
    "classes",
    "preprocessing",
    "calibration",
    "thresholds",
    "precision",
    "validation",
    "trained",
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=2))
def test_any_description_is_refused_or_harmless(good: bytes, scratch: Path, change: dict[str, Any]) -> None:
    opened_or_refused(scratch, described(good, lambda d: d.update(change)))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["head.weight", "head.bias", "novelty.vectors", "__metadata__", "other"]), JSON)
def test_any_header_is_refused_or_harmless(good: bytes, scratch: Path, key: str, value: object) -> None:
    header, rest = parts(good)
    header[key] = value

    opened_or_refused(scratch, joined(header, rest))
