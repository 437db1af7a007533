"""Runs that go on: exactly where they were left, whatever ended them, and what became of their photos since."""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig, preset
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.preparing import prepare
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training import epochs as learning
from catdog_gui.engine.training.run import fit, resume


def settings(data: Path, run: Path, name: str, **changes: Any) -> TrainConfig:
    """bundled: `best` as it is, from the bundled weights."""
    if name == "bundled":
        return settings(data, run, "best", model="efficientnet_lite0", pretrained=True, **changes)
    small = {"model": "mobilenet_v3_small", "pretrained": False} if name in ("balanced", "best") else {}
    base = dataclasses.replace(preset(name), data=data, run=run, image_size=32, device="cpu", workers=2, epochs=3)
    return dataclasses.replace(base, batch_size=16, patience=0, **{**small, **changes})


class StopAt:
    """Asks to stop once the n-th event of a kind was said."""

    def __init__(self, kind: type[Any], count: int) -> None:
        self.kind, self.left = kind, count
        self.seen: list[events.Event] = []

    def __call__(self, event: events.Event) -> None:
        self.seen.append(event)
        self.left -= isinstance(event, self.kind)

    def should_stop(self) -> bool:
        return self.left <= 0


def weights(run: Path) -> dict[str, Any]:
    return read_model(run).tensors


def lines(run: Path) -> list[tuple[Any, ...]]:
    """What the epochs said, and the loss of every step."""
    found: list[tuple[Any, ...]] = []
    for event in runlog.read_events(run):
        if isinstance(event, events.EpochDone):
            found.append((event.epoch, event.train_loss, event.train_accuracy, event.val_loss, event.val_accuracy))
        elif isinstance(event, events.StepDone):
            found.append((event.step, event.loss, event.lr))
    return found


def assert_same(run: Path, other: Path) -> None:
    assert lines(run) == lines(other)
    ours, theirs = weights(run), weights(other)
    assert ours.keys() == theirs.keys()
    assert [name for name in ours if not np.array_equal(ours[name], theirs[name])] == []


@pytest.mark.parametrize(
    ("recipe", "moment"),
    [
        ("fast", (events.StepDone, 2)),
        ("fast", (events.EpochDone, 1)),
        ("balanced", (events.StepDone, 4)),
        ("best", (events.StepDone, 2)),
        ("bundled", (events.EpochDone, 1)),
        ("article", (events.EpochDone, 1)),
        ("article", (events.StepDone, 8)),
    ],
    ids=str,
)
def test_a_stopped_run_ends_as_one_that_was_never_stopped(
    recipe: str, moment: tuple[type[Any], int], tiny_dataset: Path, tmp_path: Path
) -> None:
    fit(settings(tiny_dataset, tmp_path / "whole", recipe))
    watcher = StopAt(*moment)
    stopped = fit(settings(tiny_dataset, tmp_path / "parts", recipe), watcher, watcher.should_stop)

    result = resume(tmp_path / "parts")

    assert (stopped.status, result.status, result.epochs) == ("stopped", "completed", 3)
    assert_same(tmp_path / "whole", tmp_path / "parts")


_KILLED = """
import dataclasses, os, signal, sys
from pathlib import Path
from catdog_gui.engine import files
from catdog_gui.engine.training import checkpoint
from catdog_gui.engine.training.run import fit
from catdog_gui.engine.config import from_json
import json
config = from_json(json.loads(sys.argv[1]))
when, count = sys.argv[2], int(sys.argv[3])
if when == "saving":
    replace = os.replace
    def dying(*names):
        global count
        if "checkpoint" in str(names[0]):
            count -= 1
            if count == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        replace(*names)
    checkpoint.os.replace = dying
def emit(event):
    global count
    if type(event).__name__ == when:
        count -= 1
        if count == 0:
            os.kill(os.getpid(), signal.SIGKILL)
fit(config, emit)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(
    ("recipe", "when", "count"),
    [("fast", "saving", 4), ("fast", "StepDone", 5), ("article", "saving", 3), ("article", "EpochDone", 2)],
)
def test_a_killed_run_ends_as_one_that_was_never_killed(
    recipe: str, when: str, count: int, tiny_dataset: Path, tmp_path: Path
) -> None:
    fit(settings(tiny_dataset, tmp_path / "whole", recipe))
    config = settings(tiny_dataset, tmp_path / "killed", recipe)
    command = [sys.executable, "-c", _KILLED, json.dumps(config.to_json()), when, str(count)]
    child = subprocess.run(command, check=False, timeout=120)
    assert child.returncode == -signal.SIGKILL

    resume(tmp_path / "killed")

    assert_same(tmp_path / "whole", tmp_path / "killed")
    assert not list((tmp_path / "killed").glob(".*.part"))


def test_a_finished_run_gives_its_result_again(tiny_dataset: Path, tmp_path: Path) -> None:
    first = fit(settings(tiny_dataset, tmp_path / "run", "fast"))
    before = (tmp_path / "run" / "events.jsonl").read_bytes()

    assert resume(tmp_path / "run") == first
    assert (tmp_path / "run" / "events.jsonl").read_bytes() == before


def test_a_run_without_a_checkpoint_begins_anew(tiny_dataset: Path, tmp_path: Path) -> None:
    config = settings(tiny_dataset, tmp_path / "run", "fast")
    with runlog.create(tmp_path / "run") as folder:
        folder.write_config(config, {})
    (tmp_path / "run" / "STOP").touch()

    result = resume(tmp_path / "run")

    assert result.status == "completed"
    assert not (tmp_path / "run" / "STOP").exists()


def stopped_run(data: Path, run: Path, recipe: str = "fast") -> None:
    watcher = StopAt(events.EpochDone, 2)
    fit(settings(data, run, recipe), watcher, watcher.should_stop)


def test_a_damaged_checkpoint_falls_back_to_the_one_before_and_says_so(tiny_dataset: Path, tmp_path: Path) -> None:
    fit(settings(tiny_dataset, tmp_path / "whole", "fast"))
    stopped_run(tiny_dataset, tmp_path / "run")
    newest = tmp_path / "run" / checkpoint.FILE
    newest.write_bytes(newest.read_bytes()[:-3] + b"abc")
    watcher = StopAt(events.RunResult, 2)

    resume(tmp_path / "run", watcher)

    assert "checkpoint_fell_back" in [e.code for e in watcher.seen if isinstance(e, events.Notice)]
    assert_same(tmp_path / "whole", tmp_path / "run")


def test_two_damaged_checkpoints_are_said(tiny_dataset: Path, tmp_path: Path) -> None:
    stopped_run(tiny_dataset, tmp_path / "run")
    for name in (checkpoint.FILE, checkpoint.BEFORE):
        (tmp_path / "run" / name).write_bytes(b"\x10" + b"\0" * 30)

    with pytest.raises(CatDogError) as caught:
        resume(tmp_path / "run")

    assert caught.value.code == "checkpoint_damaged"


def test_a_run_that_another_program_writes_is_not_touched(tiny_dataset: Path, tmp_path: Path) -> None:
    stopped_run(tiny_dataset, tmp_path / "run")
    with runlog.RunFolder(tmp_path / "run"), pytest.raises(CatDogError) as caught:
        resume(tmp_path / "run")

    assert caught.value.code == "run_in_use"


@pytest.fixture
def own_photos(tiny_dataset: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_dataset, tmp_path / "own photos"))


def listed(run: Path) -> dict[str, tuple[str, str]]:
    rows = [json.loads(line) for line in (run / "photos.jsonl").read_text("utf-8").splitlines()[1:]]
    return {row["path"]: (row["label"], row["side"]) for row in rows if "label" in row}


def change(photos: Path) -> dict[str, Path]:
    """One photo new, one gone, one renamed."""
    first, second, *_ = sorted(path for path in photos.rglob("*") if path.is_file())
    new = second.with_name("brand new" + second.suffix)
    new.write_bytes(second.read_bytes()[:-2] + b"\xff\xd9 ")
    renamed = second.with_name("renamed" + second.suffix)
    second.rename(renamed)
    first.unlink()
    return {"gone": first, "renamed": renamed, "new": new}


def test_changed_photos_are_listed_before_anything_is_learned(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    kept = (tmp_path / "run" / checkpoint.FILE).read_bytes()
    change(own_photos)

    with pytest.raises(InputError) as caught:
        resume(tmp_path / "run")

    assert caught.value.code == "photos_changed"
    assert caught.value.fields["what"] == "1 new, 1 gone, 1 renamed"
    assert "renamed" in str(caught.value.fields["names"])
    assert (tmp_path / "run" / checkpoint.FILE).read_bytes() == kept


def figures_of(run: Path) -> tuple[Any, ...]:
    """What the list of runs says of it, and all that it remembers of itself."""
    found = run_list.summarize(run)
    assert found is not None
    names = ("config.json", "events.jsonl", "photos.jsonl", "model.safetensors")
    return found.status, found.accuracy, found.n_val, *((run / name).read_bytes() for name in names)


@pytest.mark.parametrize("what", ["one photo", "a class", "all"])
def test_a_run_that_is_refused_since_its_photos_changed_is_as_it_was(
    what: str, own_photos: Path, tmp_path: Path
) -> None:
    stopped_run(own_photos, tmp_path / "run")
    before = figures_of(tmp_path / "run")
    classes = sorted(path for path in own_photos.iterdir() if path.is_dir())
    if what == "one photo":
        next(path for path in sorted(classes[0].iterdir()) if path.is_file()).unlink()
    else:
        shutil.rmtree(classes[0] if what == "a class" else own_photos)

    with pytest.raises(InputError):
        resume(tmp_path / "run")

    assert figures_of(tmp_path / "run") == before
    assert before[0] == "stopped"


@pytest.mark.parametrize("phase", ["scan", "prepare"])
def test_a_run_that_is_stopped_again_before_it_learns_keeps_its_figures(
    phase: str, own_photos: Path, tmp_path: Path
) -> None:
    stopped_run(own_photos, tmp_path / "run")
    before = figures_of(tmp_path / "run")
    seen: list[events.Event] = []

    def stop() -> bool:
        return any(isinstance(event, events.PhaseStarted) and event.phase == phase for event in seen)

    result = resume(tmp_path / "run", seen.append, stop)

    assert result.status == "stopped"
    assert result.model == str(tmp_path / "run" / "model.safetensors")
    assert seen[-1] == result
    assert figures_of(tmp_path / "run") == before


def test_a_run_can_go_on_with_its_own_photos(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    before = listed(tmp_path / "run")
    changed = change(own_photos)

    result = resume(tmp_path / "run", policy="keep")

    after = listed(tmp_path / "run")
    names = {key: path.relative_to(own_photos).as_posix() for key, path in changed.items()}
    assert result.status == "completed"
    assert names["gone"] not in after
    assert names["new"] not in after
    assert names["renamed"] in after
    assert all(after[name] == before[name] for name in after if name != names["renamed"])
    assert len(after) == len(before) - 1


def test_a_photo_moved_to_another_class_never_keeps_its_old_label(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    classes = sorted(path for path in own_photos.iterdir() if path.is_dir())
    photo = next(path for path in sorted(classes[0].iterdir()) if path.is_file())
    photo.rename(classes[1] / ("moved" + photo.suffix))

    with pytest.raises(InputError) as caught:
        resume(tmp_path / "run")
    resume(tmp_path / "run", policy="keep")

    assert caught.value.fields["what"] == "1 in another class"
    assert not [name for name in listed(tmp_path / "run") if "moved" in name]


def test_a_class_that_came_meanwhile_is_named_beside_those_that_the_run_knows(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    known = sorted(path.name for path in own_photos.iterdir() if path.is_dir())
    (own_photos / "birds").mkdir()
    for number, picture in enumerate(np.random.default_rng(0).integers(0, 256, (8, 40, 40, 3), np.uint8)):
        Image.fromarray(picture).save(own_photos / "birds" / f"{number}.png")

    with pytest.raises(InputError) as caught:
        resume(tmp_path / "run")

    said = f"The run knows {', '.join(known)}; the photo folder now has birds too."
    assert str(caught.value).startswith(said)
    assert sorted(resume(tmp_path / "run", policy="keep").classes) == known


def test_a_class_that_is_gone_is_never_a_shape_error(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    first = min(path for path in own_photos.iterdir() if path.is_dir())
    first.rename(own_photos / "another name")

    for policy in ("ask", "keep"):
        with pytest.raises(InputError) as caught:
            resume(tmp_path / "run", policy=policy)  # type: ignore[arg-type]
        assert caught.value.code in ("photos_changed", "classes_changed")


@pytest.mark.parametrize("recipe", ["fast", "article"])
def test_more_epochs_start_from_a_finished_run(recipe: str, tiny_dataset: Path, tmp_path: Path) -> None:
    first = fit(settings(tiny_dataset, tmp_path / "first", recipe))
    watcher = StopAt(events.RunResult, 2)

    config = settings(tiny_dataset, tmp_path / "more", recipe, epochs=2)
    second = fit(config, watcher, source=tmp_path / "first")

    assert second.status == "completed"
    assert second.val["log_loss"] is not None
    assert first.val["log_loss"] is not None
    assert second.val["log_loss"] <= first.val["log_loss"] + 0.05
    assert "started_from" in [e.code for e in watcher.seen if isinstance(e, events.Notice)]


@pytest.mark.parametrize("recipe", ["fast", "article"])
def test_a_new_class_gets_a_head_of_its_own(recipe: str, own_photos: Path, tmp_path: Path) -> None:
    fit(settings(own_photos, tmp_path / "first", recipe))
    (own_photos / "birds").mkdir()
    for number, picture in enumerate(np.random.default_rng(0).integers(0, 256, (12, 40, 40, 3), np.uint8)):
        Image.fromarray(picture).save(own_photos / "birds" / f"{number}.png")

    result = fit(settings(own_photos, tmp_path / "more", recipe), source=tmp_path / "first")

    assert len(result.classes) == 3
    assert weights(tmp_path / "more")["head.weight"].shape[0] == 3


def test_another_network_cannot_start_from_a_run(tiny_dataset: Path, tmp_path: Path) -> None:
    fit(settings(tiny_dataset, tmp_path / "first", "fast"))

    with pytest.raises(CatDogError) as caught:
        fit(settings(tiny_dataset, tmp_path / "more", "article"), source=tmp_path / "first")

    assert caught.value.code == "from_other_settings"


@pytest.mark.parametrize("choice", ["go_on", "stop"])
def test_a_full_disk_keeps_the_old_checkpoint(
    choice: str, tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, calls = checkpoint.save, [0]

    def full(now: checkpoint.Checkpoint, folder: Path) -> None:
        calls[0] += 1
        if calls[0] == 2:
            raise CatDogError("disk_full", path=str(folder), needed_mb=3.0, free_mb=1.0)
        save(now, folder)

    monkeypatch.setattr(learning.checkpoint, "save", full)
    watcher = StopAt(events.RunResult, 2)
    config = settings(tiny_dataset, tmp_path / "run", "fast", disk_full=choice)
    if choice == "stop":
        with pytest.raises(CatDogError) as caught:
            fit(config, watcher)
        assert caught.value.code == "disk_full"
        found, _ = checkpoint.load(tmp_path / "run")
        assert found is not None
        assert found.done == 1
    else:
        assert fit(config, watcher).status == "completed"
        notices = [event for event in watcher.seen if isinstance(event, events.Notice)]
        assert [notice.code for notice in notices] == ["checkpoint_failed"]
        assert "3.0 MB" in str(notices[0].fields["reason"])


def test_a_checkpoint_within_an_epoch_is_made_in_time(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_CHECKPOINT_S", -1.0)
    kept: list[tuple[int, int]] = []
    save = checkpoint.save

    def noted(now: checkpoint.Checkpoint, folder: Path) -> None:
        kept.append((now.done, now.so_far.steps))
        save(now, folder)

    monkeypatch.setattr(learning.checkpoint, "save", noted)
    fit(settings(tiny_dataset, tmp_path / "run", "fast", epochs=1))

    assert kept == [(0, 1), (0, 2), (0, 3), (1, 0)]


def test_the_threads_of_the_run_are_restored(tiny_dataset: Path, tmp_path: Path) -> None:
    import torch

    watcher = StopAt(events.EpochDone, 1)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        fit(settings(tiny_dataset, tmp_path / "run", "article"), watcher, watcher.should_stop)
        torch.set_num_threads(2)
        resume(tmp_path / "run")
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


def test_other_versions_are_said(tiny_dataset: Path, tmp_path: Path) -> None:
    stopped_run(tiny_dataset, tmp_path / "run")
    file = tmp_path / "run" / "config.json"
    values = json.loads(file.read_text("utf-8"))
    values["facts"]["numpy"] = "1.0"
    file.write_text(json.dumps(values), "utf-8")
    watcher = StopAt(events.RunResult, 2)

    resume(tmp_path / "run", watcher)

    told = [e for e in watcher.seen if isinstance(e, events.Notice) and e.code == "went_on_differently"]
    assert "numpy 1.0" in str(told[0].fields["what"])


def test_the_victim_of_a_kill_still_shows_as_interrupted(tiny_dataset: Path, tmp_path: Path) -> None:
    stopped_run(tiny_dataset, tmp_path / "run")
    found, _ = checkpoint.load(tmp_path / "run")
    assert found is not None
    os.truncate(tmp_path / "run" / "events.jsonl", found.events)

    summary = run_list.summarize(tmp_path / "run")

    assert summary is not None
    assert summary.status == "interrupted"


def test_an_epoch_that_was_told_is_in_the_checkpoint(tiny_dataset: Path, tmp_path: Path) -> None:
    kept: list[int] = []

    def watch(event: events.Event) -> None:
        if isinstance(event, events.EpochDone):
            found, _ = checkpoint.load(tmp_path / "run")
            assert found is not None
            kept.append(found.done)

    fit(settings(tiny_dataset, tmp_path / "run", "fast"), watch)

    assert kept == [1, 2, 3]


def test_a_copied_run_names_its_own_files(tiny_dataset: Path, tmp_path: Path) -> None:
    fit(settings(tiny_dataset, tmp_path / "run", "fast"))
    shutil.copytree(tmp_path / "run", tmp_path / "copy")

    *_, result = runlog.read_events(tmp_path / "copy")

    assert isinstance(result, events.RunResult)
    assert (result.run, result.model) == (str(tmp_path / "copy"), str(tmp_path / "copy" / "model.safetensors"))
    assert resume(tmp_path / "copy").run == str(tmp_path / "copy")


def test_a_refusal_does_not_say_before_that_the_run_goes_on(own_photos: Path, tmp_path: Path) -> None:
    stopped_run(own_photos, tmp_path / "run")
    change(own_photos)
    watcher = StopAt(events.RunResult, 2)

    with pytest.raises(InputError):
        resume(tmp_path / "run", watcher)

    assert not [event for event in watcher.seen if isinstance(event, events.Notice)]


def test_a_run_whose_photos_vanish_by_the_drive_is_kept_and_goes_on_once_they_are_back(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_allocate", lambda *_, **__: None)  # neither memory nor disk takes the photos
    away = tmp_path / "unplugged"
    seen: list[events.Event] = []

    def unplug(event: events.Event) -> None:
        seen.append(event)
        if isinstance(event, events.StepDone) and event.epoch == 2 and tiny_dataset.exists():
            tiny_dataset.rename(away)

    with pytest.raises(CatDogError) as caught:
        fit(settings(tiny_dataset, tmp_path / "run", "article"), unplug)
    kept, _ = checkpoint.load(tmp_path / "run")
    away.rename(tiny_dataset)

    assert caught.value.code == "photos_lost"
    assert kept is not None
    assert kept.done == 1
    assert any(isinstance(event, events.PhotoSkipped) and event.code == "missing" for event in seen)
    assert resume(tmp_path / "run").status == "completed"


def test_a_photo_or_two_that_vanish_meanwhile_are_named_and_the_run_ends_well(
    tiny_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_allocate", lambda *_, **__: None)
    gone = [tiny_dataset / "cats" / "0003.jpg", tiny_dataset / "dogs" / "0007.jpg"]
    seen: list[events.Event] = []

    def remove(event: events.Event) -> None:
        seen.append(event)
        if isinstance(event, events.EpochDone) and event.epoch == 1:
            for path in gone:
                path.unlink()

    result = fit(settings(tiny_dataset, tmp_path / "run", "article"), remove)

    assert (result.status, result.epochs) == ("completed", 3)
    named = {event.path for event in seen if isinstance(event, events.PhotoSkipped)}
    assert named == {"cats/0003.jpg", "dogs/0007.jpg"}
