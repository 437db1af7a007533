"""Photos in, answers out: order, names, kinds of input, and what is never called a sure pet."""

import gc
import io
import threading
import weakref
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from catdog_gui.engine import events
from catdog_gui.engine.answers import predict
from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.datasets.search import find_photos
from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.networks.features import TorchEngine
from catdog_gui.engine.samples import SampleSet


@pytest.fixture
def predictor(drawn_run: Path) -> Iterator[Predictor]:
    found = load_model(drawn_run, device="cpu")
    yield found
    found.close()


@pytest.fixture
def pets(drawn_samples: SampleSet) -> list[Path]:
    """Six drawn cats, then six drawn dogs."""
    return [path for name in ("cats", "dogs") for path in sorted((drawn_samples.dataset / name).glob("*.jpg"))[:6]]


def same(one: events.Prediction, other: events.Prediction) -> bool:
    return (one.verdict, one.label, one.probabilities, one.novelty) == (
        other.verdict,
        other.label,
        other.probabilities,
        other.novelty,
    )


# --- what an answer is -----------------------------------------------------------------------------------------------


def test_drawn_pets_that_were_never_seen_are_recognised(predictor: Predictor, drawn_samples: SampleSet) -> None:
    answers = list(predictor.predict_many(drawn_samples.held_out))

    assert len(answers) == 8
    assert {answer.label for answer in answers} <= {"cats", "dogs", None}
    assert [answer.top for answer in answers].count("cats") in (3, 4, 5)  # four of the eight are cats


def test_an_answer_names_photo_class_probabilities_and_novelty(predictor: Predictor, pets: list[Path]) -> None:
    answer = predictor.predict(pets[0])

    assert answer.path == str(pets[0])
    assert answer.top == "cats"
    assert list(answer.probabilities) == ["cats", "dogs"]
    assert sum(answer.probabilities.values()) == pytest.approx(1, abs=1e-6)
    assert answer.probabilities["cats"] == max(answer.probabilities.values())
    assert answer.novelty is not None
    assert 0 <= answer.novelty <= 2
    assert answer.label == ("cats" if answer.verdict == "sure" else None)
    assert answer.seen.shape == (112, 112, 3)  # half of the network's square
    assert answer.code is None


def test_answers_come_in_the_order_of_the_photos_with_the_unreadable_one_in_its_place(
    predictor: Predictor, pets: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "page.jpg").write_text("<!DOCTYPE html><html></html>")
    photos = [*pets[:3], tmp_path / "page.jpg", tmp_path / "gone.jpg", *pets[3:]]

    answers = list(predictor.predict_many(photos))

    assert [answer.path for answer in answers] == [str(photo) for photo in photos]
    assert [answer.verdict == "unreadable" for answer in answers] == [photo not in pets for photo in photos]
    assert [(answer.code, answer.top, answer.label) for answer in answers[3:5]] == [
        ("web_page", None, None),
        ("missing", None, None),
    ]


def test_a_folder_is_searched_and_each_photo_comes_once(drawn_samples: SampleSet, predictor: Predictor) -> None:
    folder = drawn_samples.dataset
    first = min((folder / "dogs").glob("*.jpg"))

    answers = list(predictor.predict_many(find_photos([first, folder, folder / "cats"])))

    assert answers[0].path == str(first)
    assert sorted(answer.path for answer in answers) == sorted(str(path) for path in folder.rglob("*.jpg"))


def test_file_bytes_array_and_image_get_the_same_answer(predictor: Predictor, pets: list[Path]) -> None:
    for photo in (pets[0], pets[7]):
        data = photo.read_bytes()
        image = Image.open(io.BytesIO(data))
        wanted = predictor.predict(photo).probabilities["cats"]
        for other in (str(photo), data, bytearray(data), memoryview(data)):
            assert predictor.predict(other).probabilities["cats"] == wanted
        for other in (np.asarray(image), image, image.convert("RGBA")):
            assert predictor.predict(other).probabilities["cats"] == pytest.approx(wanted, abs=1e-3)


def test_what_is_no_picture_is_an_unreadable_answer(predictor: Predictor) -> None:
    for nothing in (np.zeros((4, 4), np.uint8), np.zeros((32, 32, 3), np.float32), b"", b"not a photo"):
        answer = predictor.predict(nothing)
        assert (answer.verdict, answer.path) == ("unreadable", "")


@pytest.mark.parametrize("workers", [1, 3])
def test_an_answer_depends_on_neither_the_batch_nor_the_order(
    workers: int, predictor: Predictor, pets: list[Path]
) -> None:
    alone = [predictor.predict(photo) for photo in pets]

    together = list(predictor.predict_many(pets, workers=workers))
    backwards = list(predictor.predict_many(pets[::-1], workers=workers))[::-1]

    assert all(map(same, alone, together))
    assert all(map(same, alone, backwards))


def test_noise_black_and_white_are_never_a_sure_pet(predictor: Predictor) -> None:
    noise = np.random.default_rng(0)
    pictures: dict[str, Any] = {f"grey {level}": np.full((300, 200, 3), level, np.uint8) for level in (0, 128, 255)}
    pictures |= {f"noise {n}": noise.integers(0, 256, (256, 256, 3), dtype=np.uint8) for n in range(5)}
    pictures["stripes"] = np.tile(np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8), (200, 100, 1))
    pictures["red"] = np.full((224, 224, 3), (220, 20, 20), np.uint8)

    assert {name: predictor.predict(picture).label for name, picture in pictures.items()} == dict.fromkeys(pictures)


# --- the model -------------------------------------------------------------------------------------------------------


def test_class_names_come_from_the_model_whatever_became_of_the_folders(
    predictor: Predictor, drawn_run: Path, tmp_path: Path, pets: list[Path]
) -> None:
    for name in ("aardvarks", "cats"):
        (tmp_path / name).mkdir()
    (tmp_path / "aardvarks" / "x.jpg").write_bytes(pets[-1].read_bytes())

    assert predictor.classes == ("cats", "dogs")
    assert predictor.predict(tmp_path / "aardvarks" / "x.jpg").top == "dogs"


def test_a_run_folder_and_its_model_file_answer_alike(drawn_run: Path, predictor: Predictor, pets: list[Path]) -> None:
    (copy := drawn_run.parent / "copied.safetensors").write_bytes((drawn_run / "model.safetensors").read_bytes())
    other = load_model(copy, device="cpu")
    try:
        assert same(predictor.predict(pets[0]), other.predict(pets[0]))
    finally:
        other.close()


def test_torch_and_the_quick_engine_give_the_same_answer(
    predictor: Predictor, drawn_run: Path, pets: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def torch_engine(network: str, tensors: Any, size: int, device: str, precision: str) -> TorchEngine:
        return TorchEngine(network, tensors, size, device, precision, None)

    monkeypatch.setattr(predict, "make_engine", torch_engine)
    other = load_model(drawn_run, device="cpu")
    for photo in pets[::3]:
        expected = predictor.predict(photo)
        found = other.predict(photo)
        assert found.probabilities == pytest.approx(expected.probabilities, abs=1e-3)
        assert found.novelty == pytest.approx(expected.novelty, abs=1e-3)
    other.close()


def test_what_is_no_model_is_refused(tmp_path: Path, drawn_run: Path) -> None:
    (tmp_path / "model.pt").write_bytes(b"PK\x03\x04 archive/data.pkl and so on")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("photos/cat.jpg", "a cat")
    (tmp_path / "text.safetensors").write_text("hello")
    data = (drawn_run / "model.safetensors").read_bytes()
    (tmp_path / "cut.safetensors").write_bytes(data[: len(data) // 2])
    (tmp_path / "empty").mkdir()
    for name, code in (
        ("model.pt", "model_is_pickle"),
        ("photos.zip", "not_a_model"),
        ("text.safetensors", "not_a_model"),
        ("cut.safetensors", "model_damaged"),
        ("empty", "not_a_run"),
        ("gone", "model_missing"),
    ):
        with pytest.raises(InputError) as caught:
            load_model(tmp_path / name)
        assert (name, caught.value.code, caught.value.exit_code) == (name, code, 3)


# --- jobs ------------------------------------------------------------------------------------------------------------


def test_the_first_answer_comes_before_the_last_photo_is_read(predictor: Predictor, pets: list[Path]) -> None:
    asked: list[Path] = []

    def noted() -> Iterator[Path]:
        for photo in pets * 40:
            asked.append(photo)
            yield photo

    answers = predictor.predict_many(noted(), workers=1)
    next(answers)

    assert len(asked) < len(pets) * 10
    answers.close()  # type: ignore[attr-defined]


def test_a_stop_ends_the_answers(predictor: Predictor, pets: list[Path]) -> None:
    stop = threading.Event()
    answers = predictor.predict_many(pets * 50, stop.is_set)
    next(answers)
    stop.set()

    with pytest.raises(Stopped):
        list(answers)
    assert predictor.predict(pets[0]).top == "cats"


def test_answers_come_while_another_thread_trains(
    predictor: Predictor, pets: list[Path], tmp_path: Path, tiny_dataset: Path, train: Callable[..., events.RunResult]
) -> None:
    results: list[events.RunResult] = []
    alone = [predictor.predict(photo) for photo in pets]
    run = threading.Thread(target=lambda: results.append(train(tiny_dataset, tmp_path / "run")))
    run.start()
    answers = list(predictor.predict_many(pets))
    run.join(120)

    assert all(map(same, alone, answers))
    assert results[0].status == "completed"


def test_a_closed_predictor_gives_its_network_back(
    drawn_run: Path, pets: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    engines: list[weakref.ref[Any]] = []
    make = predict.make_engine

    def remembered(*args: Any) -> Any:
        engine = make(*args)
        engines.append(weakref.ref(engine))
        return engine

    monkeypatch.setattr(predict, "make_engine", remembered)
    opened = load_model(drawn_run, device="cpu")
    opened.predict(pets[0])
    opened.close()
    del opened
    gc.collect()

    assert engines[0]() is None
