"""How well a model answers a labelled folder."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.answers import predict
from catdog_gui.engine.answers.evaluate import Evaluation, evaluate
from catdog_gui.engine.answers.predict import Predictor, load_model
from catdog_gui.engine.errors import InputError, Stopped
from catdog_gui.engine.photos import reading
from catdog_gui.engine.samples import SampleSet


@pytest.fixture
def predictor(drawn_run: Path) -> Iterator[Predictor]:
    found = load_model(drawn_run, device="cpu")
    yield found
    found.close()


@pytest.fixture
def labelled(drawn_samples: SampleSet, tmp_path: Path) -> Path:
    """Six drawn cats and four drawn dogs of the training photos, in folders of their own."""
    for name, count in (("cats", 6), ("dogs", 4)):
        (tmp_path / "labelled" / name).mkdir(parents=True)
        for photo in sorted((drawn_samples.dataset / name).glob("*.jpg"))[:count]:
            shutil.copy(photo, tmp_path / "labelled" / name)
    return tmp_path / "labelled"


def measured(predictor: Predictor, folder: Path) -> tuple[Evaluation, list[events.Event]]:
    seen: list[events.Event] = []
    return evaluate(predictor, folder, seen.append), seen


def test_a_model_is_right_about_the_photos_it_learned(predictor: Predictor, labelled: Path) -> None:
    found, seen = measured(predictor, labelled)

    assert (found.photos, found.skipped_count, found.accuracy) == (10, 0, 1.0)
    assert found.classes == ["cats", "dogs"]
    assert found.confusion == [[6, 0], [0, 4]]
    assert set(found.verdicts) == {"sure", "not_sure", "none_of_these"}
    assert sum(found.verdicts.values()) == 10
    assert found.sure_right == found.verdicts["sure"]
    assert 0 < found.log_loss < 0.3
    assert 0 <= found.ece <= 0.3
    assert [event.done for event in seen if isinstance(event, events.Progress)] == [10]


def test_a_wrong_label_is_a_mistake_in_its_row(predictor: Predictor, labelled: Path) -> None:
    shutil.move(min((labelled / "cats").iterdir()), labelled / "dogs" / "moved.jpg")
    found, _ = measured(predictor, labelled)

    assert found.confusion == [[5, 0], [1, 4]]
    assert found.accuracy == pytest.approx(0.9)
    assert found.log_loss > 0.1


def test_labels_go_by_name_in_a_folder_with_fewer_classes(predictor: Predictor, labelled: Path) -> None:
    shutil.rmtree(labelled / "cats")  # counted by position, the dogs would now be cats
    found, _ = measured(predictor, labelled)

    assert (found.accuracy, found.confusion) == (1.0, [[0, 0], [0, 4]])


def test_classes_that_the_model_does_not_know_are_named_and_not_scored(predictor: Predictor, labelled: Path) -> None:
    shutil.copytree(labelled / "dogs", labelled / "birds")
    found, seen = measured(predictor, labelled)

    assert found.photos == 10
    assert [event.fields for event in seen if isinstance(event, events.DataWarning)] == [{"unknown": "birds"}]


def test_train_and_validation_folders_are_measured_together(predictor: Predictor, labelled: Path) -> None:
    shutil.copytree(labelled, labelled.parent / "both" / "train")
    shutil.copytree(labelled, labelled.parent / "both" / "val")
    found, _ = measured(predictor, labelled.parent / "both")

    assert found.photos == 20


def test_photos_that_cannot_be_read_are_left_out_with_their_reason(predictor: Predictor, labelled: Path) -> None:
    (labelled / "dogs" / "empty.jpg").touch()
    found, seen = measured(predictor, labelled)

    assert (found.photos, found.skipped_count) == (10, 1)
    skipped = [event for event in seen if isinstance(event, events.PhotoSkipped)]
    assert [(Path(event.path).name, event.code) for event in skipped] == [("empty.jpg", "empty")]


def test_a_folder_with_other_classes_is_refused(predictor: Predictor, labelled: Path) -> None:
    for name in ("cats", "dogs"):
        (labelled / name).rename(labelled / f"other {name}")

    with pytest.raises(InputError) as caught:
        measured(predictor, labelled)

    assert (caught.value.code, caught.value.exit_code) == ("no_class_in_common", 3)
    assert "other cats" in str(caught.value)


def test_a_folder_without_a_readable_photo_is_refused_with_the_reason(predictor: Predictor, tmp_path: Path) -> None:
    for name in ("cats", "dogs"):
        (tmp_path / "bad" / name).mkdir(parents=True)
        (tmp_path / "bad" / name / "x.jpg").touch()

    with pytest.raises(InputError) as caught:
        measured(predictor, tmp_path / "bad")

    assert caught.value.code == "no_readable_photos"
    assert "0 bytes" in str(caught.value)


def test_a_folder_without_classes_is_refused(predictor: Predictor, tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()

    with pytest.raises(InputError):
        measured(predictor, tmp_path / "nothing")


def test_a_stop_ends_the_measuring(predictor: Predictor, labelled: Path) -> None:
    with pytest.raises(Stopped):
        evaluate(predictor, labelled, lambda _event: None, lambda: True)


def test_a_photo_that_does_not_come_for_long_is_named_and_waited_for(
    predictor: Predictor, labelled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = sorted((labelled / "dogs").iterdir())[1]
    came, seen = threading.Event(), list[events.Event]()

    def read(path: Path) -> bytes:
        if path == slow:
            came.wait(60)
        return path.read_bytes()

    def emit(event: events.Event) -> None:
        seen.append(event)
        if isinstance(event, events.Notice):
            came.set()

    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(predict, "read_bytes", read)

    assert evaluate(predictor, labelled, emit).photos == 10
    told = [event for event in seen if isinstance(event, events.Notice)]
    assert told == [events.Notice("photo_waits", {"path": str(slow)})]
