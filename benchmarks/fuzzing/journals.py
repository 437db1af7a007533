"""What a program goes on from after it was ended: checkpoints, journals of answers, journals of moves. As `targets`."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzzing import mutate, seeds

Case = Callable[[random.Random], str]


def checkpoint(place: Path) -> tuple[Case, Callable[[random.Random], dict[str, bytes]]]:
    """A stopped run whose checkpoints are damaged, or hold what no run wrote, goes on to its end or says why not."""
    import torch

    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.training import checkpoint as checkpoints
    from catdog_gui.engine.training.run import resume

    torch.set_num_threads(1)
    good = _stopped_run(place)
    newest, before = (good / name for name in (checkpoints.FILE, checkpoints.BEFORE))
    whole = newest.read_bytes()

    def mutant(rng: random.Random) -> dict[str, bytes]:
        files = {newest.name: _odd_checkpoint(whole, rng)}
        what = rng.random()
        if what < 0.5:
            files[before.name] = before.read_bytes()
        elif what < 0.8:
            files[before.name] = _odd_checkpoint(before.read_bytes(), rng)
        return files

    def case(rng: random.Random) -> str:
        run = place / "run"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(good, run, ignore=shutil.ignore_patterns("checkpoint*"))
        for name, data in mutant(rng).items():
            (run / name).write_bytes(data)
        try:
            return resume(run, policy=rng.choice(("ask", "keep"))).status
        except CatDogError as error:
            str(error)
            return error.code

    return case, mutant


def _stopped_run(place: Path) -> Path:
    """A run of the article's network, stopped in its second epoch: with a checkpoint and the one before."""
    import dataclasses

    from catdog_gui.engine import events
    from catdog_gui.engine.config import preset
    from catdog_gui.engine.training.run import fit

    for kind in ("cats", "dogs"):
        for number in range(6):
            photo = place / "photos" / kind / f"{number}.jpg"
            photo.parent.mkdir(parents=True, exist_ok=True)
            photo.write_bytes(seeds.saved(seeds.picture(seed=number + 100 * (kind == "dogs")), "JPEG"))
    seen: list[events.Event] = []
    settings = {"image_size": 32, "epochs": 3, "patience": 0, "batch_size": 4, "workers": 1, "precision": "fp32"}
    config = dataclasses.replace(preset("article"), data=place / "photos", run=place / "good", device="cpu", **settings)
    fit(config, seen.append, lambda: any(isinstance(item, events.StepDone) and item.epoch == 2 for item in seen))
    return place / "good"


def _odd_checkpoint(data: bytes, rng: random.Random) -> bytes:
    """Bytes damaged; or other words or arrays, with the sums that go with them."""
    from catdog_gui.engine.models.model_file import checksum
    from catdog_gui.engine.networks.tensor_file import from_bytes, to_bytes
    from catdog_gui.engine.training import checkpoint as checkpoints

    if rng.random() < 0.35:
        return mutate.damaged(data, [data], rng)
    length = int.from_bytes(data[:8], "little")
    text: Any = json.loads(json.loads(data[8 : 8 + length])["__metadata__"][checkpoints.KEY])
    tensors = from_bytes(data)
    if rng.random() < 0.5:
        text = mutate.odd_values(text, rng)
    else:
        for name in rng.sample(sorted(tensors), rng.choice((1, 1, 3))):
            tensors = _odd_tensor(tensors, name, rng)
    if isinstance(text, dict) and "checksum" in text:
        text["checksum"] = checksum(tensors)
    words = json.dumps(text)
    return bytes(to_bytes(tensors, metadata={checkpoints.KEY: words, checkpoints.SUM: checkpoints._sum(words)}))


def _odd_tensor(tensors: dict[str, Any], name: str, rng: random.Random) -> dict[str, Any]:
    import numpy as np

    value = tensors[name]
    with np.errstate(all="ignore"):
        changes: tuple[Callable[[], Any], ...] = (
            lambda: value[:0],
            lambda: value.reshape(-1),
            lambda: np.concatenate([value.reshape(-1)] * 2),
            lambda: value.astype(np.float16),
            lambda: value.astype(np.int64),
            lambda: np.full_like(value, np.nan if value.dtype.kind == "f" else 127),
            lambda: np.zeros((), value.dtype),
            lambda: value.T.copy(),
            lambda: np.full_like(value, 1e30 if value.dtype.kind == "f" else 1),
        )
        changed = rng.choice((*changes, None))
        rest = {key: item for key, item in tensors.items() if key != name}
        return rest if changed is None else {**rest, name: np.ascontiguousarray(changed())}


def answers(_place: Path) -> tuple[Case, Callable[[random.Random], dict[str, bytes]]]:
    """The journal of a long job of answers, offered and gone on with."""
    from catdog_gui.engine import events, home
    from catdog_gui.engine.answers import journal
    from catdog_gui.engine.errors import CatDogError

    said = [
        events.Prediction(f"{n}.jpg", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1) for n in range(5)
    ]
    lines = b"".join(events.to_line(item, file=f"/photos/{item.path}").encode() + b"\n" for item in said)
    values = {
        "schema": 1, "model": "/runs/model.safetensors", "model_state": [1, 2], "sources": ["/photos"],
        "started": 1.5, "total": 9,
    }  # fmt: skip
    job = json.dumps(values).encode()

    def mutant(rng: random.Random) -> dict[str, bytes]:
        if rng.random() < 0.4:
            return {journal.JOB: mutate.damaged(job, [job], rng), journal.ANSWERS: mutate.damaged(lines, [lines], rng)}
        return {journal.JOB: mutate.odd_json(job, rng), journal.ANSWERS: mutate.odd_lines(lines, rng)}

    def case(rng: random.Random) -> str:
        folder = home.answers_dir() / "job-0001"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, data in mutant(rng).items():
            (folder / name).write_bytes(data)
        found = journal.newest()
        told = [answer.top for _file, answer in journal.read_answers(folder)]
        journal.model_is_same(folder)
        try:
            with journal.AnswerJournal(folder) as again:
                again.add(Path("/photos/9.jpg"), said[0])
                again.finish()
        except CatDogError as error:
            str(error)
            return error.code
        assert len(list(journal.read_answers(folder))) == len(told) + 1
        return "offered" if found is not None else "not offered"

    return case, mutant


def moves(place: Path) -> tuple[Case, Callable[[random.Random], bytes]]:
    """The journal of moves, offered and undone. Whatever it says, no photo is lost."""
    from catdog_gui.engine import home
    from catdog_gui.engine.answers import moving
    from catdog_gui.engine.answers.sorting import Sorter
    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.events import Prediction

    cats = Prediction("", "sure", "cats", "cats", {"cats": 0.9, "dogs": 0.1}, True, 0.1)

    def moved() -> Path:
        shutil.rmtree(home.moves_dir(), ignore_errors=True)
        for folder in ("in", "out"):
            shutil.rmtree(place / folder, ignore_errors=True)
        (place / "in").mkdir()
        sorter = Sorter(place / "out", move=True)
        for number in range(4):
            (place / "in" / f"{number}.jpg").write_bytes(bytes([number]) * 50)
            os.utime(place / "in" / f"{number}.jpg", (1, 1))  # the journal of another moment has the same
            sorter.sort(place / "in" / f"{number}.jpg", cats)
        sorter.close()
        assert sorter.journal is not None
        return sorter.journal

    good = moved().read_bytes()

    def mutant(rng: random.Random) -> bytes:
        return mutate.damaged(good, [good], rng) if rng.random() < 0.4 else mutate.odd_lines(good, rng)

    def case(rng: random.Random) -> str:
        file = moved()
        file.write_bytes(mutant(rng))
        found = moving.newest()
        if found is not None:
            f"{found.count} {found.target} {found.when:.0f}"
        try:
            undone = moving.undo(file)
        except CatDogError as error:
            str(error)
            return error.code
        photos = sorted(path.read_bytes() for path in place.rglob("*.jpg") if path.parts[len(place.parts)] in _PLACES)
        assert photos == [bytes([number]) * 50 for number in range(4)], len(photos)
        return "all back" if len(undone.back) == 4 else "some back"

    return case, mutant


_PLACES = ("in", "out")
