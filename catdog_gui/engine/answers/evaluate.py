"""How well a model answers the photos of a labelled folder. Labels go by name."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.answers.predict import Predictor
from catdog_gui.engine.datasets.dataset import scan
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.events import DataWarning, PhotoSkipped, Prediction, Progress
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.models import metrics
from catdog_gui.engine.photos.reading import tells_of_slow
from catdog_gui.engine.preparing.report import Emit


@dataclass(frozen=True, slots=True)
class Evaluation:
    """accuracy, ece: 0..1; log_loss in nats; confusion: rows true, columns the most probable class, in `classes`."""

    photos: int
    skipped_count: int
    accuracy: float
    log_loss: float
    ece: float
    verdicts: dict[str, int]
    classes: list[str]
    confusion: list[list[int]]
    sure_right: int  # of the sure answers

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class Tally:
    """Answers beside their true classes, one after the other. Labels: positions in the model's classes."""

    def __init__(self, classes: Sequence[str]) -> None:
        self._classes = list(classes)
        self._shares: list[list[float]] = []
        self._labels: list[int] = []
        self._verdicts = Counter(dict.fromkeys(("sure", "not_sure", "none_of_these"), 0))
        self._sure_right = self._skipped = 0

    def add(self, answer: Prediction, label: int) -> bool:
        """Count one answer; returns whether its best guess is right. An unreadable photo is skipped."""
        if answer.verdict == "unreadable":
            self._skipped += 1
            return False
        self._shares.append([answer.probabilities.get(name, 0.0) for name in self._classes])
        self._labels.append(label)
        self._verdicts[answer.verdict] += 1
        self._sure_right += answer.label == self._classes[label]
        return answer.top == self._classes[label]

    def result(self) -> Evaluation | None:
        """The figures; None where no photo could be read."""
        if not self._labels:
            return None
        probabilities, truth = np.array(self._shares), np.array(self._labels)
        return Evaluation(
            photos=len(truth),
            skipped_count=self._skipped,
            accuracy=metrics.accuracy(probabilities, truth),
            log_loss=metrics.log_loss(probabilities, truth),
            ece=metrics.calibration_error(probabilities, truth),
            verdicts=dict(self._verdicts),
            classes=self._classes,
            confusion=metrics.confusion(truth, probabilities.argmax(axis=1), len(self._classes)),
            sure_right=self._sure_right,
        )


def true_labels(folder: Path, classes: Sequence[str], should_stop: Callable[[], bool]) -> dict[Path, int]:
    """Photo (absolute path) -> position of its class, where sub-folders are called like the model's classes.

    Empty where they are not, or where the folder is none that could be learned from. Raises Stopped.
    """
    try:
        found = scan(folder, use_split=False, should_stop=should_stop)
    except CatDogError:
        return {}
    known = {name: number for number, name in enumerate(classes)}
    numbers = [known.get(name) for name in found.classes]
    if len([number for number in numbers if number is not None]) < 2:  # one folder called "cats" is no table
        return {}
    labelled = ((found.path(at).absolute(), numbers[label]) for at, label in enumerate(found.labels))
    return {path: number for path, number in labelled if number is not None}


def evaluate(
    predictor: Predictor, folder: Path, emit: Emit, should_stop: Callable[[], bool] = lambda: False
) -> Evaluation:
    """Ask the model about every photo of `folder`, one sub-folder a class; train and validation sides are merged.

    Raises InputError (no_class_in_common, no_readable_photos, and those of `scan`), Stopped.
    """
    return _judged(predictor, labelled_photos(predictor, folder, emit, should_stop), emit, should_stop)


def labelled_photos(
    predictor: Predictor, folder: Path, emit: Emit, should_stop: Callable[[], bool] = lambda: False
) -> list[tuple[Path, int]]:
    """The photos of `folder` whose class the model knows, with the class's number. Raises as `evaluate` does."""
    found = scan(folder, use_split=False, should_stop=should_stop)
    known = {name: number for number, name in enumerate(predictor.classes)}
    if not found.paths:
        found.refuse()
    foreign = [name for name in found.classes if name not in known]
    if len(foreign) == len(found.classes):
        raise InputError("no_class_in_common", known=_listed(predictor.classes), found=_listed(found.classes))
    if foreign:
        emit(DataWarning("classes_differ", {"unknown": _listed(foreign)}))
    return [
        (found.path(number), known[found.classes[label]])
        for number, label in enumerate(found.labels)
        if found.classes[label] in known
    ]


def _listed(names: Any) -> str:  # noqa: ANN401 -- any sequence of names
    return ", ".join(names[:10]) + (", …" if len(names) > 10 else "")


def _judged(
    predictor: Predictor, scored: list[tuple[Path, int]], emit: Emit, should_stop: Callable[[], bool]
) -> Evaluation:
    tally, first_bad = Tally(predictor.classes), ""
    answers = predictor.predict_many((path for path, _ in scored), should_stop, on_slow=tells_of_slow(emit))
    for done, (answer, (_, label)) in enumerate(zip(answers, scored, strict=True), start=1):
        tally.add(answer, label)
        if answer.verdict == "unreadable":
            skipped = PhotoSkipped(answer.path, answer.code or "unreadable", answer.fields)
            first_bad = first_bad or sentence(skipped.code, skipped.fields)
            emit(skipped)
        if done % 20 == 0 or done == len(scored):
            emit(Progress("validate", done, len(scored)))
    result = tally.result()
    if result is None:
        raise InputError("no_readable_photos", count=len(scored), reason=first_bad)
    return result
