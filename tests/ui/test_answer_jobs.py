"""Long jobs of answers: noted down, gone on with, scored; and what cannot be opened."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.answers import journal as answer_journal
from catdog_gui.engine.answers.checked import checked
from catdog_gui.engine.errors import CatDogError, Stopped
from catdog_gui.engine.events import Notice, PhotoSkipped, Prediction, Progress
from catdog_gui.session.prediction import CheckedPhotos, Score
from catdog_gui.ui.answer_jobs import AnswerJobs
from catdog_gui.ui.job_values import Noted, OpenedModel


class Eyes:
    """Answers by the file's name: "cat" in it is a cat."""

    classes = ("cats", "dogs")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def predict_many(
        self, photos: Iterable[Path], should_stop: Callable[[], bool], **_told: object
    ) -> Iterator[Prediction]:
        for photo in photos:
            if should_stop():
                raise Stopped
            self.asked.append(photo.name)
            top, other = ("cats", "dogs") if "cat" in photo.name else ("dogs", "cats")
            yield Prediction(str(photo), "sure", top, top, {top: 0.9, other: 0.1}, True, 0.1)


class Engine(AnswerJobs):
    """The real jobs, with other eyes."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = Eyes()

    def _predictor(self, file: Path) -> Any:
        return self.eyes


@pytest.fixture
def engine() -> Engine:
    return Engine()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    file = tmp_path / "pets.safetensors"
    file.write_bytes(b"weights")
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """150 photos, 75 of them named like cats."""
    (tmp_path / "Holiday").mkdir()
    for number in range(150):
        (tmp_path / "Holiday" / f"{'cat' if number % 2 else 'dog'}-{number:03}.jpg").touch()
    return tmp_path / "Holiday"


def run(job: Callable[[Callable[[object], None], Callable[[], bool]], object], most: int = 10_000) -> list[object]:
    """What the job sends; it is stopped after `most` answers."""
    sent: list[object] = []
    job(sent.append, lambda: sum(isinstance(item, Prediction) for item in sent) >= most)
    return sent


def of(kind: type[Any], sent: list[object]) -> list[Any]:
    return [item for item in sent if isinstance(item, kind)]


def test_a_stopped_job_goes_on_where_it_was(engine: Engine, model: Path, folder: Path) -> None:
    run(engine.predict(model, [folder]), most=120)
    offer = engine.unfinished()(print, lambda: False)
    assert offer is not None
    assert (offer.name, offer.answered, offer.total, offer.is_done) == ("Holiday", 120, 150, False)
    engine.eyes.asked.clear()

    sent = run(engine.go_on(offer.path))

    assert len(engine.eyes.asked) == 30
    assert sorted(Path(item.path).name for item in of(Prediction, sent)) == sorted(p.name for p in folder.iterdir())
    assert of(Progress, sent)[0].total == 150
    assert of(OpenedModel, sent)[0].line.name == "pets"
    done = engine.unfinished()(print, lambda: False)
    assert done is not None
    assert done.is_done


def test_a_job_of_many_photos_is_named_by_their_folder(engine: Engine, model: Path, folder: Path) -> None:
    photos = sorted(folder.iterdir())

    sent = run(engine.predict(model, photos), most=120)

    assert of(Noted, sent)[0].name == "Holiday"
    offer = engine.unfinished()(print, lambda: False)
    assert offer is not None
    assert offer.name == "Holiday"
    assert of(Noted, run(engine.go_on(offer.path)))[0].name == "Holiday"


def test_a_job_of_photos_from_several_folders_has_no_name(
    engine: Engine, model: Path, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "Garden").mkdir()
    (tmp_path / "Garden" / "cat.jpg").touch()

    sent = run(engine.predict(model, [*sorted(folder.iterdir()), tmp_path / "Garden"]), most=120)

    assert of(Noted, sent)[0].name == ""


def test_a_photo_that_came_meanwhile_is_answered_too_and_one_that_is_gone_is_not_missed(
    engine: Engine, model: Path, folder: Path
) -> None:
    run(engine.predict(model, [folder]), most=120)
    (folder / "zebra.jpg").touch()
    (folder / "dog-148.jpg").unlink()

    sent = run(engine.go_on(answer_journal.newest().path))  # type: ignore[union-attr]

    assert len(of(Prediction, sent)) == 150
    assert "zebra.jpg" in engine.eyes.asked


def test_half_a_line_that_a_crash_left_costs_one_answer_only(engine: Engine, model: Path, folder: Path) -> None:
    run(engine.predict(model, [folder]), most=120)
    job = answer_journal.newest()
    assert job is not None
    log = job.path / answer_journal.ANSWERS
    log.write_bytes(log.read_bytes()[:-40])
    engine.eyes.asked.clear()

    run(engine.go_on(job.path))
    again = run(engine.go_on(job.path))

    assert len(engine.eyes.asked) == 31
    assert len(of(Prediction, again)) == 150


def test_another_model_does_not_go_on_with_the_job_but_its_answers_are_shown(
    engine: Engine, model: Path, folder: Path
) -> None:
    run(engine.predict(model, [folder]), most=120)
    model.write_bytes(b"other weights")
    engine.eyes.asked.clear()

    sent = run(engine.go_on(answer_journal.newest().path))  # type: ignore[union-attr]

    assert len(of(Prediction, sent)) == 120
    assert engine.eyes.asked == []
    assert [item.code for item in of(Notice, sent)] == ["answers_model_changed"]


def test_a_few_photos_and_pictures_without_a_file_are_not_noted_down(engine: Engine, model: Path, folder: Path) -> None:
    sent = run(engine.predict(model, sorted(folder.iterdir())[:20]))

    assert of(Noted, sent) == []
    assert engine.unfinished()(print, lambda: False) is None


def test_a_dropped_job_is_forgotten(engine: Engine, model: Path, folder: Path) -> None:
    (noted,) = of(Noted, run(engine.predict(model, [folder]), most=120))

    run(engine.forget(noted.job))

    assert not noted.job.exists()
    assert engine.unfinished()(print, lambda: False) is None


def test_a_job_that_another_window_works_on_is_neither_offered_nor_forgotten(
    engine: Engine, model: Path, folder: Path
) -> None:
    (noted,) = of(Noted, run(engine.predict(model, [folder]), most=120))

    with answer_journal.AnswerJournal(noted.job):
        assert engine.unfinished()(print, lambda: False) is None
        run(engine.forget(noted.job))
        with pytest.raises(CatDogError, match="Another window"):
            run(engine.go_on(noted.job))

    assert noted.job.exists()


def test_a_disk_that_takes_no_notes_costs_no_answer(
    engine: Engine, model: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise CatDogError("disk_full", path="x", needed_mb=1.0, free_mb=0.0)

    monkeypatch.setattr(answer_journal.AnswerJournal, "add", full)

    sent = run(engine.predict(model, [folder]))

    assert len(of(Prediction, sent)) == 150
    assert [item.code for item in of(Notice, sent)] == ["answers_not_noted"]


def test_a_folder_with_labels_is_scored(engine: Engine, model: Path, tmp_path: Path) -> None:
    for name, photo in (("cats", "cat-1"), ("cats", "cat-2"), ("cats", "odd"), ("dogs", "dog"), ("birds", "x")):
        (tmp_path / "set" / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / "set" / name / f"{photo}.jpg").touch()

    sent = run(engine.predict(model, [tmp_path / "set"]))

    (score,) = of(Score, sent)
    assert (score.photos, score.accuracy, score.confusion) == (4, 0.75, [[2, 1], [0, 1]])
    assert {Path(path).name for path in score.wrong} == {"odd.jpg"}
    assert len(of(Prediction, sent)) == 5
    assert not score.learned


def test_a_score_on_the_photos_it_learned_from_says_so(engine: Engine, model: Path, tmp_path: Path) -> None:
    for name in ("cats", "dogs"):
        (tmp_path / "set" / name).mkdir(parents=True)
        (tmp_path / "set" / name / f"{name}.jpg").touch()
    (tmp_path / "config.json").write_text(json.dumps({"data": str(tmp_path / "set")}))

    (score,) = of(Score, run(engine.predict(model, [tmp_path / "set"])))

    assert score.learned


def test_a_folder_without_labels_is_not_scored(engine: Engine, model: Path, folder: Path) -> None:
    assert of(Score, run(engine.predict(model, [folder]))) == []


def test_a_sub_folder_that_cannot_be_opened_is_named_and_the_others_are_answered(
    engine: Engine, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "locked", "z"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "1.jpg").touch()
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    sent = run(engine.predict(model, [tmp_path / "in", tmp_path / "in" / "locked"]))

    assert [Path(item.path).parent.name for item in of(Prediction, sent)] == ["a", "z"]
    skipped = of(PhotoSkipped, sent)
    assert {(Path(item.path).name, item.code) for item in skipped} == {("locked", "folder_forbidden")}


def test_a_folder_without_photos_says_so(engine: Engine, model: Path, tmp_path: Path) -> None:
    sent = run(engine.predict(model, [tmp_path]))

    assert [item.code for item in of(Notice, sent)] == ["no_photos_given"]


# --- the photos behind the table of a run ----------------------------------------------------------------------------


def test_the_check_photos_behind_a_number_are_asked_and_told(engine: Engine, drawn_run: Path) -> None:
    every = list(checked(drawn_run))
    wanted = every[0].label
    sent = run(engine.predict(drawn_run / "model.safetensors", [CheckedPhotos(drawn_run, wanted, wanted)]))

    photos = [str(photo.path) for photo in every if (photo.label, photo.answer) == (wanted, wanted)]
    told = [item for item in sent if isinstance(item, Notice)]
    assert [item.path for item in sent if isinstance(item, Prediction)] == photos
    assert [(item.code, item.fields["count"]) for item in told] == [("checked_photos", len(photos))]
    assert len(photos) > 5


def test_check_photos_that_are_gone_are_told_and_the_others_answered(
    engine: Engine, drawn_run: Path, tmp_path: Path
) -> None:
    copied = Path(shutil.copytree(drawn_run, tmp_path / "run"))
    every = list(checked(drawn_run))
    photos = Path(shutil.copytree(every[0].path.parents[1], tmp_path / "photos"))
    config = json.loads((copied / "config.json").read_text("utf-8"))
    config["facts"]["root"] = str(photos)
    (copied / "config.json").write_text(json.dumps(config), "utf-8")
    label = every[0].label
    gone = next(photo.path for photo in checked(copied) if (photo.label, photo.answer) == (label, label))
    gone.unlink()

    sent = run(engine.predict(copied / "model.safetensors", [CheckedPhotos(copied, label, label)]))

    assert [(item.path, item.code) for item in sent if isinstance(item, PhotoSkipped)] == [(str(gone), "missing")]
    assert str(gone) not in [item.path for item in sent if isinstance(item, Prediction)]
    assert any(isinstance(item, Prediction) for item in sent)
