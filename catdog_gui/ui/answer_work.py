"""The work of one job of answers, on its thread: ask, note down, and compare with sub-folders that are labels.

The engine's heavy modules are imported inside the functions.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catdog_gui.engine.errors import CatDogError, FieldValue
from catdog_gui.engine.events import Notice, PhotoSkipped, Prediction
from catdog_gui.engine.photos.names import is_photo_name
from catdog_gui.session.prediction import CheckedPhotos, Score

if TYPE_CHECKING:
    from catdog_gui.engine.answers.journal import AnswerJournal

Send = Callable[[object], None]
Stop = Callable[[], bool]


class AnswerWork:
    """journal: where answers are noted down; None: nowhere. Owner: the job's thread."""

    def __init__(
        self,
        send: Send,
        should_stop: Stop,
        predictor: Any,  # noqa: ANN401 -- engine.answers.predict.Predictor
        sources: Sequence[object],
        model: Path,
    ) -> None:
        """sources: what was given; one folder may carry labels. model: the file that answers. Raises Stopped."""
        self._send = send
        self._should_stop = should_stop
        self._predictor = predictor
        self._labels: dict[Path, int] = {}
        self._wrong: set[str] = set()
        self._learned = False
        self.journal: AnswerJournal | None = None
        classes = getattr(predictor, "classes", ())
        folder = sources[0] if len(sources) == 1 else None
        if isinstance(folder, Path) and folder.is_dir():
            from catdog_gui.engine.answers.evaluate import Tally, true_labels

            self._labels = true_labels(folder, classes, should_stop)
            self._tally = Tally(classes)
            self._learned = bool(self._labels) and _learned_from(model, folder)

    def count(self, answered: Iterable[tuple[Path, Prediction]]) -> None:
        """Answers of an earlier start count too."""
        for path, answer in answered:
            self._judge(path, answer)

    def answer(self, photos: Sequence[Any]) -> None:
        """Ask for every photo, in order, and send each answer; at the end the score. Raises Stopped."""
        from catdog_gui.engine.photos.reading import tells_of_slow

        asked = self._predictor.predict_many(photos, self._should_stop, on_slow=tells_of_slow(self._send))
        for photo, answer in zip(photos, asked, strict=True):
            self._note(photo, answer)
            self._judge(photo, answer)
            self._send(answer)
        if self.journal is not None:
            self.journal.finish()
        self._send_score()

    def _note(self, photo: Path, answer: Prediction) -> None:
        if self.journal is None:
            return
        try:
            self.journal.add(photo, answer)
        except CatDogError as error:  # a full disk takes the notes, not the answers
            self.journal = None
            self._send(not_noted(error))

    def _judge(self, photo: object, answer: Prediction) -> None:
        label = self._labels.get(photo.absolute()) if self._labels and isinstance(photo, Path) else None
        if label is not None and not self._tally.add(answer, label) and answer.verdict != "unreadable":
            self._wrong.add(answer.path)

    def _send_score(self) -> None:
        found = self._tally.result() if self._labels else None
        if found is not None:
            self._send(
                Score(
                    found.photos,
                    found.accuracy,
                    tuple(found.classes),
                    found.confusion,
                    found.verdicts["sure"],
                    found.sure_right,
                    frozenset(self._wrong),
                    self._learned,
                )
            )


def _learned_from(model: Path, folder: Path) -> bool:
    """Whether the run of this model took photos from the folder, from one in it or from one above it."""
    from catdog_gui.engine.runs import run_list

    real = folder.resolve()
    learned = [path.resolve() for path in run_list.learned_from(model.parent, model.parent)]
    return any(real == path or real in path.parents or path in real.parents for path in learned)


def found_photos(sources: Sequence[object], send: Send, should_stop: Stop) -> list[Any]:
    """All photos of what was given; what cannot be opened is sent as PhotoSkipped. Raises Stopped."""
    from catdog_gui.engine.datasets.search import find_photos

    found: list[Any] = []
    for source in sources:
        if isinstance(source, CheckedPhotos):
            found += _checked_photos(source, send)
    given = [source for source in sources if not isinstance(source, CheckedPhotos)]
    return found + list(
        find_photos(given, should_stop, lambda item: send(PhotoSkipped(item.path, item.code, dict(item.fields))))
    )


def _checked_photos(wanted: CheckedPhotos, send: Send) -> list[Path]:
    """Those that are still where they were; says what they are. Raises InputError checks_unknown."""
    from catdog_gui.engine.answers.checked import checked, mistakes
    from catdog_gui.engine.photos.names import printable

    if wanted.answer:
        every = checked(wanted.run)
        found = [photo for photo in every if (photo.label, photo.answer) == (wanted.label, wanted.answer)]
        fields: dict[str, FieldValue] = {"count": len(found), "label": wanted.label, "answer": wanted.answer}
    else:
        found, fields = mistakes(wanted.run), {}
    send(Notice("checked_photos" if wanted.answer else "checked_mistakes", {**fields, "count": len(found)}))
    there = [photo.path for photo in found if photo.path.is_file()]
    for photo in found:
        if not photo.path.is_file():
            send(PhotoSkipped(printable(str(photo.path)), "missing"))
    return there


def journal_of(
    model: Path, sources: Sequence[object], photos: Sequence[object], send: Send
) -> "AbstractContextManager[AnswerJournal | None]":
    """Where this job is noted down; nowhere if it is short, or if that cannot be written."""
    from catdog_gui.engine.answers import journal as answer_journal
    from catdog_gui.ui.job_values import Noted

    paths = [source for source in sources if isinstance(source, Path)]
    if len(photos) < answer_journal.LEAST_PHOTOS or len(paths) < len(sources):
        return nullcontext(None)
    try:
        journal = answer_journal.begin(model, paths, len(photos))
    except CatDogError as error:
        send(not_noted(error))
        return nullcontext(None)
    send(Noted(journal.path, name_of(paths)))
    return journal


def name_of(sources: Sequence[Path]) -> str:
    """The folder that was given or that the given photos lie in; "" where there are several. Asks no drive."""
    folders = {source.parent if is_photo_name(source.name) else source for source in sources}
    return folders.pop().name if len(folders) == 1 else ""


def not_noted(error: CatDogError) -> Notice:
    return Notice("answers_not_noted", {"reason": str(error)})
