"""The window's jobs against the real engine."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.events import PhaseStarted, RunFailed, to_line
from catdog_gui.session.state import RunPhase
from catdog_gui.ui.job_values import Count, Thumbnail
from catdog_gui.ui.jobs import EXAMPLES, Jobs


def never() -> bool:
    return False


def run(job: Callable[..., Any], *, should_stop: Callable[[], bool] = never) -> tuple[Any, list[object]]:
    """What a job returns, and what it says on the way."""
    said: list[object] = []
    return job(said.append, should_stop), said


def test_a_scan_counts_classes_and_picks_examples(tiny_dataset: Path) -> None:
    dataset, said = run(Jobs().scan(tiny_dataset, use_split=True))

    assert dataset.classes == {"cats": 24, "dogs": 24}
    assert dataset.sides(0.25) == (36, 12)
    assert dataset.trainable
    assert all(isinstance(item, Count) for item in said)
    assert all(path.is_file() for paths in dataset.examples.values() for path in paths)


def test_the_folders_own_split_is_told(tmp_path: Path, make_dataset: Any) -> None:
    make_dataset(tmp_path / "d" / "train", {"cats": 20, "dogs": 20})
    make_dataset(tmp_path / "d" / "val", {"cats": 5, "dogs": 5}, seed=1)

    dataset, _said = run(Jobs().scan(tmp_path / "d", use_split=True))
    anew, _said = run(Jobs().scan(tmp_path / "d", use_split=False))

    assert (dataset.layout, dataset.sides(0.2)) == ("train_val", (40, 10))
    assert anew.own_check is None
    assert sum(anew.classes.values()) == 50


def test_a_single_class_has_its_reason(tmp_path: Path, make_dataset: Any) -> None:
    make_dataset(tmp_path / "d", {"cats": 20})

    dataset, _said = run(Jobs().scan(tmp_path / "d", use_split=True))

    assert not dataset.trainable
    assert dataset.reason.code == "too_few_classes"


def test_thumbnails_pass_over_what_cannot_be_read(tiny_dataset: Path) -> None:
    paths = [*sorted((tiny_dataset / "cats").iterdir())[:8]]
    paths[1].write_bytes(b"")
    paths[2].write_bytes(paths[2].read_bytes()[:200])

    _none, said = run(Jobs().thumbnails({"cats": paths}, 40))

    assert [item.index for item in said if isinstance(item, Thumbnail)] == list(range(EXAMPLES))
    assert all(item.pixels.shape == (40, 40, 3) for item in said if isinstance(item, Thumbnail))


def test_paths_of_the_command_line_are_told_apart(tmp_path: Path) -> None:
    run_folder = tmp_path / "run-0001"
    run_folder.mkdir()
    (run_folder / "config.json").write_text("{}")
    (run_folder / "events.jsonl").write_text("")
    photos, model, photo = tmp_path / "photos", tmp_path / "m.safetensors", tmp_path / "rex.jpg"
    photos.mkdir()
    model.touch()
    photo.touch()

    opening, _said = run(Jobs().sort_paths([photo, run_folder, photos, model]))

    assert (opening.dataset, opening.run, opening.model, opening.photos) == (photos, run_folder, model, (photo,))


def test_a_run_without_an_end_is_read_as_cut_off(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text(to_line(PhaseStarted("train")) + "\n{half a li")

    state, _said = run(Jobs().read_run(tmp_path))

    assert state.phase is RunPhase.FAILED
    assert state.failure == RunFailed("run_interrupted")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x04\x95", b"x" * 100])
def test_a_foreign_file_is_refused_as_a_model(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.pt").write_bytes(content)

    with pytest.raises(InputError):
        run(Jobs().open_model(tmp_path / "m.pt"))


def test_answers_are_written_for_spreadsheets(tmp_path: Path) -> None:
    run(Jobs().write_text(tmp_path / "a.csv", "file,class\r\nä.jpg,cats\r\n"))

    assert (tmp_path / "a.csv").read_bytes() == "\ufefffile,class\r\nä.jpg,cats\r\n".encode()


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatDogError, match="none"):
        run(Jobs().write_text(tmp_path / "none" / "a.csv", ""))


def test_this_computer_is_described(catdog_home: Path) -> None:
    devices, _said = run(Jobs().devices(thorough=True))
    report, _said = run(Jobs().report())

    assert "cpu" in [device.id for device in devices if device.works]
    assert "torch" in report.lower()


def test_where_there_is_only_a_cpu_the_window_does_not_wait_for_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    from catdog_gui.engine import devices as engine_devices

    def load_torch(*, probe: bool = True) -> Any:
        raise AssertionError("asked torch")

    monkeypatch.setattr(engine_devices, "may_have_accelerator", lambda: False)
    monkeypatch.setattr(engine_devices.nvidia, "cards", list)
    monkeypatch.setattr(engine_devices, "list_devices", load_torch)

    found, _said = run(Jobs().devices())

    assert [(device.id, device.works, device.tested) for device in found] == [("cpu", True, False)]


def test_photos_that_a_full_disk_left_no_room_for_are_all_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from catdog_gui.engine.answers import sorting
    from catdog_gui.engine.events import Prediction

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    shares = {"cats": 0.9, "dogs": 0.1}
    answers = []
    for number in range(4):
        photo = tmp_path / f"{number}.jpg"
        photo.write_bytes(b"x")
        answers.append(Prediction(str(photo), "sure", "cats", "cats", shares, True, 0.1))
    monkeypatch.setattr(sorting, "copy_to", full)
    job = Jobs().sort_photos(tmp_path / "out", answers, move=False, model=None)
    done = job(lambda _thing: None, lambda: False)

    assert done.count == 0
    assert [(Path(item.path).name, item.code) for item in done.failed] == [(f"{n}.jpg", "disk_full") for n in range(4)]
