"""How well a model answers the photos of a labelled folder. Labels go by name."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine import metrics
from catdog_gui.engine.dataset import scan
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.events import DataWarning, PhotoSkipped, Progress
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.predict import Predictor
from catdog_gui.engine.report import Emit


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


def evaluate(
    predictor: Predictor, folder: Path, emit: Emit, should_stop: Callable[[], bool] = lambda: False
) -> Evaluation:
    """Ask the model about every photo of `folder`, one sub-folder a class; train and validation sides are merged.

    Raises InputError (no_class_in_common, no_readable_photos, and those of `scan`), Stopped.
    """
    found = scan(folder, use_split=False, should_stop=should_stop)
    known = {name: number for number, name in enumerate(predictor.classes)}
    if not found.paths:
        found.refuse()
    foreign = [name for name in found.classes if name not in known]
    if len(foreign) == len(found.classes):
        raise InputError("no_class_in_common", known=_listed(predictor.classes), found=_listed(found.classes))
    if foreign:
        emit(DataWarning("classes_differ", {"unknown": _listed(foreign)}))
    scored = [
        (found.path(number), known[found.classes[label]])
        for number, label in enumerate(found.labels)
        if found.classes[label] in known
    ]
    return _judged(predictor, scored, emit, should_stop)


def _listed(names: Any) -> str:  # noqa: ANN401 -- any sequence of names
    return ", ".join(names[:10]) + (", …" if len(names) > 10 else "")


def _judged(
    predictor: Predictor, scored: list[tuple[Path, int]], emit: Emit, should_stop: Callable[[], bool]
) -> Evaluation:
    shares, labels, sure_right = [], [], 0
    first_bad = ""
    verdicts = Counter(dict.fromkeys(("sure", "not_sure", "none_of_these"), 0))
    answers = predictor.predict_many((path for path, _ in scored), should_stop)
    for done, (answer, (_, label)) in enumerate(zip(answers, scored, strict=True), start=1):
        if answer.verdict == "unreadable":
            skipped = PhotoSkipped(answer.path, answer.code or "unreadable", answer.fields)
            first_bad = first_bad or sentence(skipped.code, skipped.fields)
            emit(skipped)
        else:
            shares.append([answer.probabilities[name] for name in predictor.classes])
            labels.append(label)
            verdicts[answer.verdict] += 1
            sure_right += answer.label == predictor.classes[label]
        if done % 20 == 0 or done == len(scored):
            emit(Progress("validate", done, len(scored)))
    if not labels:
        raise InputError("no_readable_photos", count=len(scored), reason=first_bad)
    probabilities, truth = np.array(shares), np.array(labels)
    return Evaluation(
        photos=len(labels),
        skipped_count=len(scored) - len(labels),
        accuracy=metrics.accuracy(probabilities, truth),
        log_loss=metrics.log_loss(probabilities, truth),
        ece=metrics.calibration_error(probabilities, truth),
        verdicts=dict(verdicts),
        classes=list(predictor.classes),
        confusion=metrics.confusion(truth, probabilities.argmax(axis=1), len(predictor.classes)),
        sure_right=sure_right,
    )
