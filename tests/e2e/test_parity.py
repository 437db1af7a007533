"""One answer everywhere: the window's job, `catdog predict`, the exported model and the example written beside it."""

import dataclasses
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from catdog_gui import cli
from catdog_gui.engine.answers.predict import Predictor
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.export.job import export_model
from catdog_gui.engine.export.runtime import Answers
from catdog_gui.engine.models.model_file import Model, read_model, save_model
from catdog_gui.engine.networks.features import TorchEngine
from catdog_gui.engine.photos import images
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.samples import SampleSet
from catdog_gui.ui.jobs import Jobs

EQUAL_PIXELS, FILES = 1e-3, 1e-2
CARDS = [
    pytest.param("cuda:0", marks=pytest.mark.gpu),
    pytest.param("mps", marks=pytest.mark.skipif(sys.platform != "darwin", reason="an Apple processor is needed")),
]


@pytest.fixture(scope="module")
def model_file(drawn_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model of drawn pets, asked in 32 bits everywhere."""
    file = tmp_path_factory.mktemp("parity") / "pets.safetensors"
    save_model(dataclasses.replace(read_model(drawn_run), precision="fp32"), file)
    return file


@pytest.fixture(scope="module")
def model(model_file: Path) -> Model:
    return read_model(model_file)


@pytest.fixture(scope="module")
def exported(model_file: Path) -> Path:
    return Path(export_model(model_file, model_file.with_name("pets.onnx")).file)


@pytest.fixture(scope="module")
def photos(drawn_samples: SampleSet, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A drawn cat and dog in odd sizes, every mode and every orientation; the last one is too narrow for all."""
    folder = tmp_path_factory.mktemp("odd")
    cat, dog = (Image.open(next(iter(sorted((drawn_samples.dataset / n).glob("*.jpg"))))) for n in ("cats", "dogs"))
    clear = np.linspace(0, 255, cat.width * cat.height).reshape(cat.height, cat.width).astype(np.uint8)
    glass = cat.copy()
    glass.putalpha(Image.fromarray(clear))
    grey = np.asarray(cat.convert("L")).astype(np.uint16) * 257
    made: dict[str, Image.Image] = {
        f"{w}x{h}.png": dog.resize((w, h)) for w, h in ((1, 1), (1, 100), (300, 3), (3, 300))
    }
    made |= {f"{w}x{h}.jpg": cat.resize((w, h)) for w, h in ((4000, 3000), (900, 2000), (449, 900), (257, 255))}
    made |= {
        "L.png": cat.convert("L"),
        "LA.png": glass.convert("LA"),
        "P.gif": dog.quantize(64),
        "P-clear.png": glass.quantize(32),
        "RGBA.png": glass,
        "CMYK.jpg": cat.convert("CMYK"),
        "L.jpg": dog.convert("L"),
        "16.png": Image.fromarray(grey),
        "16.tif": Image.fromarray(grey),
    }
    paths = []
    for name, image in made.items():
        image.save(folder / name)
        paths.append(folder / name)
    turned = cat.resize((333, 222))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        paths.append(folder / f"turned-{orientation}.jpg")
        turned.save(paths[-1], exif=exif, quality=95)
    paths.append(folder / "narrow.png")
    dog.resize((1, 101)).save(paths[-1])
    return paths


@pytest.fixture(scope="module")
def window(model_file: Path, photos: list[Path]) -> list[Prediction]:
    """What the window shows: the answers of its job."""
    said: list[object] = []
    jobs = Jobs()
    jobs.predict(model_file, photos)(said.append, lambda: False)
    return [item for item in said if isinstance(item, Prediction)]


def near_a_limit(answer: Prediction, model: Model, within: float) -> bool:
    share, distance = max(answer.probabilities.values()), answer.novelty or 0.0
    least = model.limits.least_sure(distance)
    return abs(share - least) <= within or abs(distance - model.limits.novelty) <= within


def assert_same(
    answer: Prediction, verdict: str, shares: Any, distance: float | None, model: Model, within: float
) -> None:
    wanted = list(answer.probabilities.values())
    assert list(shares) == pytest.approx(wanted, abs=within), answer.path
    assert distance == pytest.approx(answer.novelty, abs=within), answer.path
    assert verdict == answer.verdict or near_a_limit(answer, model, within), answer.path


# --- from files ------------------------------------------------------------------------------------------------------


def test_the_photos_get_different_answers(window: list[Prediction], photos: list[Path]) -> None:
    assert [answer.path for answer in window] == [printable(str(photo)) for photo in photos]
    assert [answer.verdict for answer in window].count("unreadable") == 1
    assert len({round(answer.probabilities["cats"], 3) for answer in window[:-1]}) > 8


def test_the_command_line_says_what_the_window_says(
    window: list[Prediction], model_file: Path, photos: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["predict", str(model_file), *map(str, photos), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()][:-1]

    assert code == 0
    for answer, line in zip(window, lines, strict=True):
        assert (line["verdict"], line["probabilities"]) == (answer.verdict, answer.probabilities)


def test_the_exported_model_says_what_the_window_says(
    window: list[Prediction], model: Model, exported: Path, photos: list[Path]
) -> None:
    for threads in (1, 2):
        file = Answers(str(exported), threads=threads)
        for answer, photo in zip(window[:-1], photos, strict=False):
            picture = images.decode_upright(images.read_bytes(photo), 2 * model.recipe.size)
            shares, distance, _, verdict = file.ask(picture)
            assert_same(answer, verdict, shares, distance, model, EQUAL_PIXELS)


def test_the_example_beside_it_says_what_the_window_says(
    window: list[Prediction], model: Model, exported: Path, photos: list[Path]
) -> None:
    """In a fresh Python that cannot import this program."""
    example = exported.with_name("pets_example.py")
    block = "import runpy, sys; sys.modules['catdog_gui'] = None; runpy.run_path(sys.argv.pop(1), run_name='__main__')"
    command = [sys.executable, "-I", "-c", block, str(example), *map(str, photos)]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    lines = [json.loads(line) for line in done.stdout.decode().splitlines()]

    assert lines[-1]["verdict"] == "unreadable"
    for answer, line in zip(window[:-1], lines[:-1], strict=True):
        assert_same(answer, line["verdict"], line["probabilities"].values(), line["novelty"], model, FILES)
        assert line["label"] == (line["top"] if line["verdict"] == "sure" else None)


def test_the_example_without_a_photo_says_how_it_is_used(exported: Path) -> None:
    example = exported.with_name("pets_example.py")
    done = subprocess.run(
        [sys.executable, "-I", str(example)], capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "usage: python pets_example.py photo.jpg more_photos.png ...\n"


# --- whatever the batch, the order and the threads -------------------------------------------------------------------


@pytest.fixture(params=["openvino", "torch"])
def predictor(request: pytest.FixtureRequest, model: Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[Predictor]:
    if request.param == "torch":

        def engine(network: str, tensors: Any, size: int, device: str, precision: str) -> TorchEngine:
            return TorchEngine(network, tensors, size, device, precision, None)

        monkeypatch.setattr("catdog_gui.engine.answers.predict.make_engine", engine)
    else:
        pytest.importorskip("openvino")
    found = Predictor(model, device="cpu", precision="fp32")
    yield found
    found.close()


def test_batch_order_and_threads_do_not_matter(predictor: Predictor, model: Model, photos: list[Path]) -> None:
    asked = photos[5:-1]  # without the giant
    alone = [predictor.predict(photo) for photo in asked]

    ways = {
        "together": list(predictor.predict_many(asked, workers=3)),
        "backwards": list(predictor.predict_many(asked[::-1], workers=1))[::-1],
        "among others": list(predictor.predict_many([photos[0], *asked, photos[1]]))[1:-1],
    }
    for answers in ways.values():
        for answer, other in zip(alone, answers, strict=True):
            assert_same(answer, other.verdict, other.probabilities.values(), other.novelty, model, EQUAL_PIXELS)


def test_file_picture_and_array_are_one_photo_to_the_program(predictor: Predictor, photos: list[Path]) -> None:
    tall = next(photo for photo in photos if photo.name == "449x900.jpg")
    picture = images.decode_upright(tall.read_bytes(), 0)  # not reduced: as large as the file
    lossless = io.BytesIO()
    Image.fromarray(picture).save(lossless, "PNG")

    answers = [predictor.predict(source) for source in (picture, Image.fromarray(picture), lossless.getvalue())]
    assert len({answer.probabilities["cats"] for answer in answers}) == 1


@pytest.mark.parametrize("device", CARDS)
def test_a_card_answers_as_the_processor_does(device: str, model: Model, photos: list[Path]) -> None:
    """TensorFloat-32 keeps 10 bits of a number, so the answers are as far apart as those of two decoders."""
    answers = []
    for where in ("cpu", device):
        asked = Predictor(model, device=where, precision="fp32")
        answers.append(list(asked.predict_many(photos[:-1])))
        asked.close()
    for answer, other in zip(*answers, strict=True):
        assert_same(answer, other.verdict, other.probabilities.values(), other.novelty, model, FILES)


# --- precision -------------------------------------------------------------------------------------------------------


@pytest.mark.photos
def test_bf16_stays_near_fp32_on_real_photos(photos_dir: Path, train: Any, tmp_path: Path) -> None:
    import shutil

    from catdog_gui.engine import devices

    if "bf16" not in devices.resolve("cpu").precisions:
        pytest.skip("this processor does not compute in bf16")
    asked = []
    for name in ("cats", "dogs"):
        (tmp_path / "some" / name).mkdir(parents=True)
        every = sorted((photos_dir / "train" / name).iterdir())
        asked += every[1::12]
        for photo in every[::10]:
            shutil.copy(photo, tmp_path / "some" / name)
    model = read_model(Path(train(tmp_path / "some", tmp_path / "run").run))
    assert model.precision == "bf16"  # the file says what it was checked in

    answers = []
    for precision in ("fp32", "bf16"):
        predictor = Predictor(model, device="cpu", precision=precision)
        answers.append(list(predictor.predict_many([*asked, *sorted((photos_dir / "other").iterdir())])))
        predictor.close()
    apart = [abs(a.probabilities["cats"] - b.probabilities["cats"]) for a, b in zip(*answers, strict=True)]
    assert np.quantile(apart, 0.99) <= 0.04
    assert max(apart) <= 0.12
    for exact, short in zip(*answers, strict=True):
        assert exact.verdict == short.verdict or near_a_limit(exact, model, 0.12)
