"""The main job on real photos of cats and dogs, where CATDOG_PHOTOS is set."""

import hashlib
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.answers.evaluate import evaluate
from catdog_gui.engine.answers.predict import load_model
from catdog_gui.engine.datasets.search import find_photos

pytestmark = pytest.mark.photos


def state_of(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        total.update(f"{path} {path.lstat().st_mtime_ns}".encode("utf-8", "surrogateescape"))
        total.update(path.read_bytes() if path.is_file() else b"")
    return total.hexdigest()


def learned_again(photos_dir: Path, folder: Path) -> Path:
    """Every tenth photo that was learned or checked, in class folders."""
    for name in ("cats", "dogs"):
        (folder / name).mkdir(parents=True)
        for photo in sorted((photos_dir / "train" / name).iterdir())[::10]:
            shutil.copy(photo, folder / name)
    return folder


def test_a_fast_run_tells_cats_from_dogs_and_knows_what_is_neither(
    photos_dir: Path, tmp_path: Path, train: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    before = state_of(photos_dir)
    seen: list[events.Event] = []
    began = time.perf_counter()
    result = train(photos_dir / "train", tmp_path / "run", emit=seen.append)
    trained = time.perf_counter() - began
    predictor = load_model(result.model, device="cpu")
    others = list(predictor.predict_many(find_photos([photos_dir / "other"])))
    found = evaluate(predictor, learned_again(photos_dir, tmp_path / "again"), lambda _event: None)
    predictor.close()
    sure = [answer.path for answer in others if answer.verdict == "sure"]
    with capsys.disabled():
        figures = f"{result.val['accuracy']:.4f} of {result.val['n']} right, {len(sure)} of {len(others)} others sure"
        sys.stdout.write(f"\n{figures}, {trained:.1f} s\n")

    assert result.status == "completed"
    assert result.val["accuracy"] >= 0.97
    assert result.val["ece"] <= 0.03
    assert result.photos["train"] + result.photos["val"] >= 1990
    assert not {event.code for event in seen if isinstance(event, events.Notice)} - {"stopped_early"}
    assert len(others) >= 90
    assert len(sure) <= 2, sure
    assert found.accuracy >= 0.97
    assert found.verdicts["sure"] >= 0.7 * found.photos
    assert state_of(photos_dir) == before
