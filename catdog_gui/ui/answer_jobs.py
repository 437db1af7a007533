"""What the window asks of a model: answers for photos, and pictures of what it sees. See `jobs.Jobs`."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from catdog_gui.engine.errors import PhotoError, Stopped
from catdog_gui.engine.events import Notice, Progress
from catdog_gui.session.prediction import JobOffer, ModelLine
from catdog_gui.ui.answer_work import AnswerWork, found_photos, journal_of, name_of
from catdog_gui.ui.bridge import Stop
from catdog_gui.ui.export_jobs import ExportJobs
from catdog_gui.ui.job_values import Noted, OpenedModel, Seen

Send = Callable[[object], None]


class AnswerJobs(ExportJobs):
    """Owner: the window; jobs: any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[tuple[Path, int], Any] | None = None
        self._recipe: tuple[Path, Any] | None = None

    def open_model(self, path: Path) -> Callable[[Send, Stop], OpenedModel]:
        """path: a model file, or a run folder. Raises what `load_model` raises for a foreign file."""

        def job(_send: Send, _should_stop: Stop) -> OpenedModel:
            return self._opened(path)

        return job

    def is_model(self, path: Path) -> Callable[[Send, Stop], bool]:
        """Whether it is a model file (or says so by its name), or a run's folder with a model."""

        def job(_send: Send, _should_stop: Stop) -> bool:
            from catdog_gui.engine.runs import runlog

            return path.suffix.lower() == ".safetensors" or (path / runlog.MODEL).is_file()

        return job

    def find_photo(self, photo: Path) -> Callable[[Send, Stop], None]:
        """Raises PhotoError missing where it is not there any more."""

        def job(_send: Send, _should_stop: Stop) -> None:
            if not photo.exists():
                raise PhotoError("missing")

        return job

    def load(self, model: Path) -> Callable[[Send, Stop], None]:
        """Get a model file ready to answer."""

        def job(_send: Send, _should_stop: Stop) -> None:
            self._predictor(model)

        return job

    def _opened(self, path: Path) -> OpenedModel:
        from catdog_gui.engine.runs import run_list, runlog

        folder = path if path.is_dir() else path.parent if path.name == runlog.MODEL else None
        run = run_list.summarize(folder) if folder is not None else None
        file = path / runlog.MODEL if path.is_dir() else path
        predictor = self._predictor(file)
        name = run.name if run is not None else file.stem
        classes = tuple(getattr(predictor, "classes", ()))
        return OpenedModel(file, ModelLine(name, run.started if run is not None else None, classes=classes))

    def _predictor(self, file: Path) -> Any:  # noqa: ANN401 -- engine.answers.predict.Predictor
        """The predictor of a model file, kept until another file (or a newer one of the run) is asked."""
        from catdog_gui.engine.answers.predict import load_model
        from catdog_gui.engine.system import trim_heap

        with self._lock:
            key = (file, file.stat().st_mtime_ns if file.exists() else 0)
            if self._kept is None or self._kept[0] != key:
                self._kept = None  # its memory is free before the next one is loaded
                self._kept = (key, load_model(file))
                trim_heap()  # making it ready takes 50 MB more than it keeps
            return self._kept[1]

    def predict(self, model: Path, sources: Sequence[object]) -> Callable[[Send, Stop], None]:
        """Answer for photos, folders and pictures; a long job is noted down, so that it can be gone on with."""

        def job(send: Send, should_stop: Stop) -> None:
            try:
                photos = found_photos(sources, send, should_stop)
                send(Progress("validate", 0, len(photos)))
                if not photos:
                    send(Notice("no_photos_given"))
                    return
                work = AnswerWork(send, should_stop, self._predictor(model), sources, model)
                with journal_of(model, sources, photos, send) as work.journal:
                    work.answer(photos)
            except Stopped:
                return  # what is answered stays

        return job

    def go_on(self, job_folder: Path) -> Callable[[Send, Stop], None]:
        """Say the answers of a job again, then answer for the photos that are left."""

        def job(send: Send, should_stop: Stop) -> None:
            from catdog_gui.engine.answers import journal as answer_journal

            summary = answer_journal.summarize(job_folder)
            if summary is None:
                return
            answered = list(answer_journal.read_answers(job_folder))
            send(Noted(job_folder, name_of(summary.sources)))
            try:
                left = [] if summary.is_done else found_photos(summary.sources, send, should_stop)
                known = {path.absolute() for path, _answer in answered}
                left = [photo for photo in left if photo.absolute() not in known]
                send(Progress("validate", 0, len(answered) + len(left)))
                for _path, answer in answered:
                    send(answer)
                if not answer_journal.model_is_same(job_folder):
                    send(Notice("answers_model_changed"))
                    return
                send(self._opened(summary.model))
                work = AnswerWork(send, should_stop, self._predictor(summary.model), summary.sources, summary.model)
                work.count(answered)
                with answer_journal.AnswerJournal(job_folder) as work.journal:
                    work.answer(left)
            except Stopped:
                return

        return job

    def unfinished(self) -> Callable[[Send, Stop], JobOffer | None]:
        """The newest job of answers that was noted down."""

        def job(_send: Send, _should_stop: Stop) -> JobOffer | None:
            from catdog_gui.engine.answers import journal as answer_journal

            found = answer_journal.newest()
            if found is None:
                return None
            name = name_of(found.sources)
            return JobOffer(found.path, name, found.answered, found.total, found.is_done, found.started)

        return job

    def forget(self, job_folder: Path) -> Callable[[Send, Stop], None]:
        """Remove what was noted down of a job."""

        def job(_send: Send, _should_stop: Stop) -> None:
            from catdog_gui.engine.answers import journal as answer_journal

            answer_journal.forget(job_folder)

        return job

    def seen(self, model: Path, photos: Mapping[int, Path]) -> Callable[[Send, Stop], None]:
        """Read photos again, each as the model sees it. photos: position of the answer -> file."""

        def job(send: Send, should_stop: Stop) -> None:
            from catdog_gui.engine.photos import images

            recipe = self._recipe_of(model)
            for position, path in photos.items():
                if should_stop():
                    return
                try:
                    picture = images.decode(images.read_bytes(path), recipe)
                except (PhotoError, OSError):  # gone since it was answered: its row stays without a picture
                    continue
                send(Seen(position, picture))

        return job

    def _recipe_of(self, model: Path) -> Any:  # noqa: ANN401 -- engine.photos.recipe.Recipe
        from catdog_gui.engine.models.model_file import read_model

        with self._lock:
            if self._recipe is None or self._recipe[0] != model:
                self._recipe = (model, read_model(model).recipe)
            return self._recipe[1]
