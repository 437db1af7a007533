"""What is done with a mutant, in a child process: the program's own ways in. Anything but its own errors escapes."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzzing import journals, mutate, seeds
from fuzzing.kinds import MIXED

Case = Callable[[random.Random], str]  # one mutant through the program; its outcome in a word

Mutant = bytes | dict[str, bytes] | str


def prepare(kind: str, place: Path) -> tuple[Case, Callable[[random.Random], Mutant]]:
    """The case of a kind, and what makes the mutant it will use from the same random state. place: an empty folder."""
    if kind in MIXED:
        parts = [prepare(part, place) for part in MIXED[kind]]
        return lambda rng: rng.choice(parts)[0](rng), lambda rng: rng.choice(parts)[1](rng)
    if kind in seeds.PHOTOS:
        return _photo(kind)
    makers: dict[str, Callable[[Path], tuple[Case, Callable[[random.Random], Any]]]] = {
        "model": _model,
        "run": _run,
        "checkpoint": journals.checkpoint,
        "answers": journals.answers,
        "moves": journals.moves,
        "settings": _settings,
        "archive": _archive,
        "name": _name,
        "window": _window,
    }
    return makers[kind](place)


def _photo(kind: str) -> tuple[Case, Callable[[random.Random], bytes]]:
    from catdog_gui.engine.datasets import copies
    from catdog_gui.engine.errors import PhotoError
    from catdog_gui.engine.photos import images

    good = seeds.PHOTOS[kind]()

    def mutant(rng: random.Random) -> bytes:
        whole = rng.choice(good)
        if kind == "png" and rng.random() < 0.3:
            return mutate.inflated_png(whole, rng)
        data = mutate.damaged(whole, good, rng)
        return mutate.mended_png(data) if kind == "png" and rng.random() < 0.6 else data

    def case(rng: random.Random) -> str:
        data = mutant(rng)
        ways: tuple[Callable[[], object], ...] = (
            lambda: copies.fingerprint(images.decode(data, images.Recipe())),
            lambda: images.decode_with_box(data, images.Recipe(64, "squash"), margin=True),
            lambda: images.decode_upright(data, 300),
            lambda: images.thumbnail(data, 96),
        )
        try:
            rng.choice(ways)()
        except PhotoError as error:
            str(error)
            return error.code
        return "read"

    return case, mutant


def _model(place: Path) -> tuple[Case, Callable[[random.Random], bytes]]:
    import torch

    from catdog_gui.engine.answers.predict import load_model
    from catdog_gui.engine.errors import InputError

    torch.set_num_threads(1)
    good, file = seeds.model(), place / "model.safetensors"
    photo = seeds.saved(seeds.picture(), "JPEG")

    def mutant(rng: random.Random) -> bytes:
        return (
            mutate.damaged(good, [good, *seeds.archives()], rng) if rng.random() < 0.3 else mutate.odd_model(good, rng)
        )

    def case(rng: random.Random) -> str:
        file.write_bytes(mutant(rng))
        try:
            predictor = load_model(file, device="cpu")
        except InputError as error:
            str(error)
            return error.code
        predictor.predict(photo)
        predictor.close()
        return "answers"

    return case, mutant


def _run(place: Path) -> tuple[Case, Callable[[random.Random], dict[str, bytes]]]:
    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.runs import run_list, runlog
    from catdog_gui.session.results import digits_for
    from catdog_gui.session.state import RunState

    good = seeds.run_files()

    def mutant(rng: random.Random) -> dict[str, bytes]:
        files = dict(good)
        for name in rng.sample(sorted(files), rng.choice((1, 1, 2, 4))):
            if rng.random() < 0.4:
                files[name] = mutate.damaged(files[name], list(good.values()), rng)
            elif name.endswith(".jsonl"):
                files[name] = mutate.odd_lines(files[name], rng)
            else:
                files[name] = mutate.odd_json(files[name], rng)
        return files

    def case(rng: random.Random) -> str:
        run = place / "runs" / "run-0001"
        run.mkdir(parents=True, exist_ok=True)
        for name, data in mutant(rng).items():
            (run / name).write_bytes(data)
        for summary in run_list.list_runs(place / "runs"):
            digits_for(summary.n_val or 0)
            f"{summary.name} {summary.started:.0f} {summary.accuracy or 0:.2f} {summary.epochs + 1}"
        state = RunState()
        state.begin()
        for event in runlog.read_events(run):
            state.apply(event)
        _ = (state.fraction_done, state.stage, state.train_loss.last)
        try:
            runlog.read_config(run)
        except CatDogError as error:
            str(error)
            return error.code
        return "read"

    return case, mutant


def _settings(place: Path) -> tuple[Case, Callable[[random.Random], bytes]]:
    import dataclasses

    from catdog_gui.engine.config import TrainConfig
    from catdog_gui.engine.errors import ConfigError
    from catdog_gui.session import settings

    good, file = seeds.settings(), place / "settings.json"
    known = {item.name for item in dataclasses.fields(TrainConfig)}

    def mutant(rng: random.Random) -> bytes:
        return mutate.damaged(good, [good], rng) if rng.random() < 0.3 else mutate.odd_json(good, rng)

    def case(rng: random.Random) -> str:
        file.write_bytes(mutant(rng))
        loaded = settings.load(file)
        assert all(
            isinstance(item, str) for item in (*loaded.recent, loaded.device, loaded.geometry, loaded.appearance)
        )
        settings.save(loaded, file)
        assert settings.load(file) == loaded
        for name, values in loaded.overrides.items():
            try:
                dataclasses.replace(
                    settings_preset(name), **{key: value for key, value in values.items() if key in known}
                ).validated()
            except ConfigError as error:
                str(error)
                return error.code
        return "default" if loaded == settings.Settings() else "read"

    def settings_preset(name: str) -> TrainConfig:
        from catdog_gui.engine.config import preset

        return preset(name)

    return case, mutant


def _archive(place: Path) -> tuple[Case, Callable[[random.Random], bytes]]:
    from catdog_gui.engine.datasets.dataset import scan
    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.models.model_file import read_model
    from catdog_gui.engine.photos import images

    good = seeds.archives()

    def mutant(rng: random.Random) -> bytes:
        return mutate.damaged(rng.choice(good), good, rng)

    def case(rng: random.Random) -> str:
        file = place / rng.choice(("a.zip", "a.tar", "a.tar.gz", "a.jpg", "a.safetensors"))
        file.write_bytes(mutant(rng))
        ways: tuple[Callable[[], object], ...] = (
            lambda: scan(file),
            lambda: images.decode(images.read_bytes(file), images.Recipe()),
            lambda: read_model(file),
        )
        try:
            rng.choice(ways)()
        except CatDogError as error:
            str(error)
            return error.code
        finally:
            file.unlink()
        return "accepted"

    return case, mutant


_LETTERS = "aé犬🐕 .#%&'\"<>|:*?\\\n\t\x1b\x7f\u202e\u200d\u0301ß_-{}"


def _name(place: Path) -> tuple[Case, Callable[[random.Random], str]]:
    """Folders whose class and file names are anything the file system takes."""
    import os
    import shutil

    from catdog_gui.engine.answers.sorting import folder_name, folder_names
    from catdog_gui.engine.datasets.dataset import scan

    photo = seeds.saved(seeds.picture(side=(40, 40)), "JPEG")

    def mutant(rng: random.Random) -> str:
        return "".join(rng.choice(_LETTERS) for _ in range(rng.choice((1, 2, 5, 20, 60))))

    def case(rng: random.Random) -> str:
        names = [mutant(rng) for _ in range(3)]
        raw = os.fsdecode(bytes([rng.randrange(128, 256)]) + b"cat") if os.name == "posix" else "cat"
        data = place / "data"
        for name in (*names, raw):
            try:
                (data / name).mkdir(parents=True, exist_ok=True)
                (data / name / f"{name[:40]}.jpg").write_bytes(photo)
            except OSError:
                continue
        try:
            found = scan(data)
            found.to_json()
            inside = folder_names(tuple(names))
            assert len(set(inside.values())) == len(inside)
            assert all(folder_name(name) and "/" not in folder_name(name) for name in names)
            return found.layout
        finally:
            shutil.rmtree(data)

    return case, mutant


def _window(place: Path) -> tuple[Case, Callable[[random.Random], dict[str, bytes]]]:
    """The window with damaged settings and a damaged run: everything is drawn, every row's text is asked for."""
    import os

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from catdog_gui.engine.runs import run_list
    from catdog_gui.session import settings
    from catdog_gui.ui.jobs import Jobs
    from catdog_gui.ui.main_window import MainWindow

    app = QApplication.instance() or QApplication([])
    run_mutant, settings_mutant = _run(place)[1], _settings(place)[1]
    jobs = Jobs()

    def mutant(rng: random.Random) -> dict[str, bytes]:
        return {**run_mutant(rng), "settings": settings_mutant(rng)}

    def case(rng: random.Random) -> str:
        run = place / "runs" / "run-0001"
        run.mkdir(parents=True, exist_ok=True)
        for name, data in mutant(rng).items():
            (place / "settings.json" if name == "settings" else run / name).write_bytes(data)
        window = MainWindow(settings.load(place / "settings.json"))
        window._begin = lambda: None  # type: ignore[method-assign]  # nothing is looked for
        window.complete(jobs)
        window.curves.build_plots()
        window.runs._on_listed(run_list.list_runs(place / "runs"))  # type: ignore[attr-defined]
        rows = window.runs_panel._list.model()
        said = "".join(str(rows.data(rows.index(row, 0))) for row in range(rows.rowCount()))
        window.run.show(jobs.read_run(run)(lambda _thing: None, lambda: False))
        window.show_tab(1)
        window.resize(1280, 800)
        window.grab()
        window.show_tab(2)
        window.grab()
        window.close()
        window.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return "shown" if said else "no run"

    return case, mutant
