"""Models for other programs: the graph answers as the program does, and nothing half-done is left behind."""

import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catdog_gui.engine.answers.predict import Predictor
from catdog_gui.engine.errors import CatDogError, InputError, Stopped
from catdog_gui.engine.export import build, int8, runtime
from catdog_gui.engine.export.answer import _verdict
from catdog_gui.engine.export.graph import FLOAT, INT64, UINT8, Graph
from catdog_gui.engine.export.job import export_model
from catdog_gui.engine.export.pixels import add_square
from catdog_gui.engine.export.runtime import VERDICTS, Answers
from catdog_gui.engine.models.limits import Limits, verdict
from catdog_gui.engine.models.model_file import Model, read_model, save_model
from catdog_gui.engine.models.verdicts import stored
from catdog_gui.engine.photos import images, reading
from catdog_gui.engine.photos.recipe import Picture, Recipe, from_array

SIDE = 64
SIZES = [(64, 64), (90, 70), (70, 90), (200, 61), (61, 200), (3, 300), (300, 3), (1, 1), (1, 40), (333, 500), (74, 75)]


def noise(height: int, width: int) -> Picture:
    """Not too wild: blocks of 4 pixels, so that a network sees more than grey."""
    rng = np.random.default_rng([height, width])
    small = rng.integers(0, 256, (-(-height // 4), -(-width // 4), 3), dtype=np.uint8)
    return np.ascontiguousarray(small.repeat(4, axis=0).repeat(4, axis=1)[:height, :width])


PICTURES = [noise(*size) for size in SIZES]


def make_model(
    network: str = "small_cnn",
    classes: Sequence[str] = ("cats", "dogs"),
    side: int = SIDE,
    *,
    vectors: int = 30,
    **changes: Any,
) -> Model:
    """A network with weights drawn by lot, norms that have seen pictures, and a head that is neither sure nor even."""
    import torch

    from catdog_gui.engine.networks import catalog as networks

    torch.manual_seed(0)
    made = networks.build(network, len(classes), image_size=side).eval()
    squares = np.stack([from_array(picture, Recipe(side)) for picture in [*PICTURES, noise(64, 80)]])
    for layer in made.modules():
        if isinstance(layer, networks.BATCH_NORMS):
            layer.momentum = 1.0  # what it has seen last
    with torch.inference_mode():
        made.train().features(torch.from_numpy(squares))
        features = made.eval().features(torch.from_numpy(squares)).float().numpy()
    rng = np.random.default_rng(1)
    state = {name: value.numpy() for name, value in made.state_dict().items() if not name.endswith("tracked")}
    weight = rng.normal(size=(len(classes), features.shape[1])).astype(np.float32)
    scores = features @ weight.T
    spread = (scores - scores.mean(axis=0)).std()
    state["head.weight"], state["head.bias"] = weight / spread, -scores.mean(axis=0) / spread
    others = np.repeat(features, 4, axis=0)[:vectors]
    if vectors:
        others = others * rng.uniform(0.9, 1.1, others.shape)
        state["novelty.vectors"] = stored(others.astype(np.float32))
    values: dict[str, Any] = {"recipe": Recipe(side), "limits": Limits(0.7, 0.004), "temperature": 0.8} | changes
    return Model(network=network, classes=tuple(classes), tensors=state, calibrated=True, **values)


def assert_equal_answers(model: Model, pictures: Sequence[Picture] = PICTURES, within: float = 1e-4) -> list[str]:
    """Graph and program say the same; returns the verdicts."""
    predictor = Predictor(model, device="cpu", precision="fp32")
    file = Answers(build.build(model).SerializeToString(), threads=1)
    verdicts = []
    for picture, wanted in zip(pictures, predictor.predict_many(pictures), strict=True):
        shares, distance, top, said = file.ask(picture)
        assert shares == pytest.approx(list(wanted.probabilities.values()), abs=within)
        assert distance == pytest.approx(wanted.novelty, abs=within)
        assert model.classes[top] == wanted.top
        assert said == wanted.verdict
        verdicts.append(said)
    predictor.close()
    return verdicts


def make_judge(limits: Limits) -> Any:
    """A session over the graph's last part: share and distance (1,) in, verdict out."""
    graph = Graph()
    share, distance = (graph.input(name, FLOAT, [1]) for name in ("share", "distance"))
    graph.output(_verdict(graph, share, distance, limits), "verdict", INT64, [1], "")
    model = graph.model({}, "test", "0").SerializeToString()
    return runtime.onnxruntime().InferenceSession(model, providers=["CPUExecutionProvider"])


# --- the graph -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", [Recipe(SIDE), Recipe(SIDE, "squash"), Recipe(41)], ids=["crop", "squash", "odd"])
def test_the_graph_sees_the_programs_pixels_to_the_last_grey_level(recipe: Recipe) -> None:
    graph = Graph()
    square = add_square(graph, graph.input("photo", UINT8, ["height", "width", 3]), recipe)
    graph.output(square, "square", UINT8, [recipe.size, recipe.size, 3], "")
    model = graph.model({}, "test", "0").SerializeToString()
    session = runtime.onnxruntime().InferenceSession(model, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(0)

    for height, width in SIZES:
        picture = rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
        assert np.array_equal(session.run(None, {"photo": picture})[0], from_array(picture, recipe)), (height, width)


@pytest.mark.parametrize(
    "network",
    ["efficientnet_lite0", "resnet18", "mobilenet_v3_small", "efficientnet_v2_s", "convnext_tiny", "small_cnn"],
)
def test_every_kind_of_network_answers_alike(network: str) -> None:
    assert_equal_answers(make_model(network), PICTURES[:3])


@pytest.mark.parametrize("count", [2, 3, 20])
def test_any_number_of_classes_and_any_alphabet(count: int) -> None:
    model = make_model(classes=[f"猫 Kätzchen 🐈 {number}" for number in range(count)])

    assert_equal_answers(model)
    about = Answers(build.build(model).SerializeToString()).metadata
    assert json.loads(about["classes"]) == list(model.classes)


def test_all_three_verdicts_come_out() -> None:
    model = make_model()
    predictor = Predictor(model, device="cpu", precision="fp32")
    distances = sorted(answer.novelty or 0.0 for answer in predictor.predict_many(PICTURES))
    predictor.close()
    model = dataclasses.replace(model, limits=Limits(0.7, (distances[-3] + distances[-4]) / 2))

    assert set(assert_equal_answers(model)) == {"sure", "not_sure", "none_of_these"}


@pytest.mark.parametrize("limits", [Limits(0.7, 2.0, 0.0, 3.0), Limits(0.9, 0.01, 400.0, 1.5), Limits(0.0, 2.0)])
@pytest.mark.parametrize("vectors", [0, 30])
def test_photos_that_look_poor_must_be_surer_as_in_the_program(limits: Limits, vectors: int) -> None:
    model = make_model(vectors=vectors, limits=limits)
    features = model.tensors["head.weight"].shape[1]
    direction = np.random.default_rng(5).normal(size=features).astype(np.float32) * 20
    poor = {"poor.weight": direction, "poor.bias": np.array([0.1], np.float32)}
    without = assert_equal_answers(model)
    verdicts = assert_equal_answers(dataclasses.replace(model, tensors=model.tensors | poor))

    assert verdicts.count("sure") <= without.count("sure")
    assert limits.slope or limits.poor == 0 or verdicts != without


@pytest.mark.parametrize("vectors", [0, 1, 9, 10, 11])
def test_few_and_no_remembered_photos(vectors: int) -> None:
    assert_equal_answers(make_model(vectors=vectors))


def test_a_squashed_uncalibrated_model_and_one_that_is_never_sure() -> None:
    model = dataclasses.replace(make_model(recipe=Recipe(SIDE, "squash"), temperature=1.0), calibrated=False)
    never = dataclasses.replace(model, limits=Limits(1.01, 2.0))

    assert_equal_answers(model)
    assert set(assert_equal_answers(never)) == {"not_sure"}


@pytest.mark.filterwarnings("ignore:overflow")
def test_features_that_are_no_numbers_are_none_of_these() -> None:
    model = make_model()
    model.tensors["head.weight"] = np.full_like(model.tensors["head.weight"], 3e38)
    bias = "stages.4.1.bias"
    model.tensors[bias] = np.full_like(model.tensors[bias], 3e38)

    assert set(assert_equal_answers(model, PICTURES[:2])) == {"none_of_these"}


@pytest.mark.parametrize(("sure", "slope"), [(0.9, 400.0), (0.9, 1e5), (1.0, 50.0), (0.75, 0.0)])
def test_the_least_probability_falls_with_nearness_as_in_the_program(sure: float, slope: float) -> None:
    limits = Limits(sure, 0.5, slope)
    session = make_judge(limits)

    for p in np.linspace(0.5, 1, 41, dtype=np.float32):
        for d in np.linspace(0.48, 0.502, 23, dtype=np.float32):
            found = session.run(None, {"share": np.array([p]), "distance": np.array([d])})[0][0]
            assert VERDICTS[found] == verdict(float(p), float(d), limits)


@pytest.mark.parametrize("limit", [0.1, 0.7, 1 / 3, 0.9999999, 0.25])
def test_a_figure_at_a_limit_is_on_the_programs_side_of_it(limit: float) -> None:
    for side in (2, 1, -1, -2):
        near = np.nextafter(np.float32(limit), np.float32(side)) if abs(side) == 2 else np.float32(limit)
        found = make_judge(Limits(limit, limit)).run(None, {"share": np.array([near]), "distance": np.array([near])})[
            0
        ][0]
        assert VERDICTS[found] == verdict(float(near), float(near), Limits(limit, limit))


def test_the_file_says_what_one_should_know() -> None:
    model = make_model("efficientnet_lite0", precision="bf16")
    graph = build.build(model)
    about = {entry.key: entry.value for entry in graph.metadata_props}

    assert json.loads(about["thresholds"]) == {"sure": 0.7, "novelty": 0.004, "slope": 0.0, "poor": 0.0}
    assert json.loads(about["recipe"]) == {"size": SIDE, "fit": "crop", "version": 1}
    assert json.loads(about["calibration"]) == {"temperature": 0.8, "calibrated": True}
    assert json.loads(about["verdicts"]) == ["sure", "not_sure", "none_of_these"]
    assert (about["precision"], about["model_precision"]) == ("fp32", "bf16")
    assert "Apache License 2.0" in about["licence"]
    assert about["program"].startswith("catdog_gui ")
    assert [item.name for item in graph.graph.output] == ["probabilities", "novelty", "top", "verdict"]


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    model = make_model()
    del model.tensors["stages.1.0.weight"]
    save_model(model, tmp_path / "model.safetensors")

    with pytest.raises(InputError) as caught:
        export_model(tmp_path / "model.safetensors", tmp_path / "out.onnx")
    assert caught.value.code == "export_impossible"
    assert not list(tmp_path.glob("*out*"))


# --- the file --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model file without a run."""
    file = tmp_path_factory.mktemp("model") / "pets.safetensors"
    save_model(make_model(), file)
    return file


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_file_and_example_are_written_and_checked(saved: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    written = export_model(saved, tmp_path / "pets.onnx", on_progress=lambda *done: seen.append(done))

    assert (written.checked, written.agree, written.photos) == (50, 50, "drawn")
    assert written.largest_difference < 1e-3
    assert seen[-1] == (50, 50)
    assert left_in(tmp_path) == ["pets.onnx", "pets_example.py"]
    assert 'MODEL = "pets.onnx"' in (tmp_path / "pets_example.py").read_text()


def test_photos_of_the_run_are_asked_about_first(drawn_run: Path, tmp_path: Path) -> None:
    written = export_model(drawn_run, tmp_path / "pets.onnx")

    assert written.photos == "mixed"  # 16 were kept back
    assert written.agree == written.checked == 50
    precision = read_model(drawn_run).precision
    assert (written.own.precision if written.own else "fp32") == precision


def test_a_file_that_is_there_is_left_as_it_is(saved: Path, tmp_path: Path) -> None:
    for name in ("pets.onnx", "pets_example.py"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(CatDogError) as caught:
            export_model(saved, tmp_path / "pets.onnx")
        assert (caught.value.code, caught.value.exit_code) == ("export_target_exists", 2)
        assert (tmp_path / name).read_text() == "mine"
        (tmp_path / name).unlink()

    (tmp_path / "pets.onnx").write_text("mine")
    export_model(saved, tmp_path / "pets.onnx", force=True)
    assert (tmp_path / "pets.onnx").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("name", "code"), [("", "export_target_folder"), ("gone/pets.onnx", "export_no_folder")], ids=["folder", "gone"]
)
def test_a_place_that_cannot_be_is_said_first(saved: Path, tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(CatDogError) as caught:
        export_model(saved, tmp_path / name)
    assert caught.value.code == code


@pytest.mark.parametrize("looks", [1, 3, 60])
def test_a_stop_leaves_nothing_behind(saved: Path, tmp_path: Path, looks: int) -> None:
    left = iter(range(looks))

    with pytest.raises(Stopped):
        export_model(saved, tmp_path / "pets.onnx", should_stop=lambda: next(left, None) is None)
    assert left_in(tmp_path) == []


def test_a_file_that_answers_otherwise_is_removed(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right: Callable[[Model], Any] = build.build
    monkeypatch.setattr(build, "build", lambda model: right(dataclasses.replace(model, temperature=0.9)))

    with pytest.raises(CatDogError) as caught:
        export_model(saved, tmp_path / "pets.onnx")
    assert caught.value.code == "export_differs"
    assert "removed" in str(caught.value)
    assert left_in(tmp_path) == []


def test_a_file_that_the_runtime_cannot_load_is_removed(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Nonsense:
        def SerializeToString(self) -> bytes:  # noqa: N802 -- protobuf's name
            return b"nonsense"

    monkeypatch.setattr(build, "build", lambda _model: Nonsense())

    with pytest.raises(CatDogError) as caught:
        export_model(saved, tmp_path / "pets.onnx")
    assert caught.value.code == "export_unreadable"
    assert left_in(tmp_path) == []


def test_a_full_disk_is_said_and_left_clean(saved: Path, small_disk: Path) -> None:
    with pytest.raises(CatDogError) as caught:
        export_model(saved, small_disk / "pets.onnx")
    assert caught.value.code == "disk_full"
    assert left_in(small_disk) == []


def test_a_disk_that_cannot_be_written_is_said(saved: Path, read_only_disk: Path) -> None:
    with pytest.raises(CatDogError) as caught:
        export_model(saved, read_only_disk / "pets.onnx")
    assert caught.value.code == "cannot_write"


def test_what_is_missing_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules |= dict.fromkeys(('onnx', 'onnxruntime')); from catdog_gui import cli; "
    code = f"{hidden}sys.exit(cli.main(['export', 'model', {str(tmp_path / 'pets.onnx')!r}]))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 1
    assert "Exporting needs onnx and onnxruntime" in done.stderr
    assert f'"{sys.executable}" -m pip install onnx onnxruntime' in done.stderr
    assert len(done.stderr.splitlines()) == 1


# --- eight bits ------------------------------------------------------------------------------------------------------


def test_eight_bits_make_it_smaller_and_what_they_cost_stands_in_the_file(saved: Path, tmp_path: Path) -> None:
    full = export_model(saved, tmp_path / "full.onnx")
    small = export_model(saved, tmp_path / "small.onnx", int8=True)
    about = Answers(str(tmp_path / "small.onnx")).metadata
    loss = json.loads(about["int8_loss"])

    assert small.size_mb < 0.5 * full.size_mb
    assert small.precision == "int8"
    assert 0 < small.largest_difference < 0.3
    assert about["precision"] == "int8 weights"
    assert (loss["same_class_and_verdict"], loss["checked"]) == (small.agree, 50)
    assert loss["largest_difference"] == pytest.approx(small.largest_difference, abs=1e-4)


def test_a_model_that_eight_bits_spoil_is_not_kept(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(int8, "_STEPS", 1)  # as good as one bit

    with pytest.raises(CatDogError) as caught:
        export_model(saved, tmp_path / "pets.onnx", int8=True)
    assert caught.value.code == "export_int8_poor"
    assert left_in(tmp_path) == []


def test_a_stop_does_not_wait_for_a_photo_to_check_with(
    drawn_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, came, told = threading.Event(), threading.Event(), []

    def read(path: Path) -> bytes:
        hangs.set()
        came.wait(60)
        return path.read_bytes()

    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(images, "read_bytes", read)
    try:
        with pytest.raises(Stopped):
            export_model(drawn_run, tmp_path / "pets.onnx", should_stop=lambda: bool(told), on_slow=told.append)
    finally:
        came.set()
    assert hangs.is_set()
    assert told[0].suffix == ".jpg"
    assert list(tmp_path.iterdir()) == []
