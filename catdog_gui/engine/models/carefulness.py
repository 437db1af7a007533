"""How careful a model is: steps from the written rule, and what each does to the photos it was checked with.

One number moves both limits. Towards 5 the least probability of a sure answer rises, by 0.8 in log odds a step, and the
novelty limit falls to the distance that 75 % of the checked photos stay under. Towards -5 the first falls evenly to
even odds (to 0.70 where it is known how poor a photo looks, and what poor ones need beyond it falls, too) and the
second rises, until at -5 every photo that can be read gets a class.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.errors import InputError
from catdog_gui.engine.models.limits import STEPS, Limits, Setting, log_odds, sigmoid, verdict
from catdog_gui.engine.models.model_file import (
    CHECK_ANSWERS,
    CHECK_PHOTOS,
    CHECK_POORNESS,
    CHECKS,
    Model,
    model_path,
    read_model,
    save_model,
)

Array = np.ndarray[Any, np.dtype[Any]]
MOST_CHECKED = 20_000  # checked photos kept in a model file: 21 bytes each
_STEP_UP = 0.8  # log odds
_KEPT = (0.95, 0.92, 0.88, 0.82, 0.75)  # share of the checked photos under the novelty limit at steps 1 to 5
_KEPT_MORE = (0.995, 1.0, 1.0, 1.0)  # at steps -1 to -4
_WIDER = (1.0, 1.0, 1.1, 1.5)  # times that distance
_FARTHEST = 2.0


@dataclass(frozen=True, slots=True)
class CheckFigures:
    """The checked photos, (N,) each. share: the largest cross-fitted probability; right: whether that class is the true
    one, 0 or 1; novelty: distance; poorness: None where the model has no measure of it. answers: that class's number;
    photos: their lines in the run's photos.jsonl, 0 = the first after the head line; both None in older files.
    """

    share: Array
    right: Array
    novelty: Array
    poorness: Array | None = None
    answers: Array | None = None
    photos: Array | None = None

    @property
    def poor(self) -> Array:
        """The poorness; 0 where it is not known."""
        return np.zeros(len(self.share), np.float32) if self.poorness is None else self.poorness

    def to_tensors(self) -> dict[str, Array]:
        """The model file's tensors; at most 20,000 photos, drawn evenly."""
        step = -(-len(self.share) // MOST_CHECKED) or 1
        values: tuple[Array, ...] = (
            self.share.astype(np.float32),
            self.right.astype(np.uint8),
            self.novelty.astype(np.float32),
        )
        columns = dict(zip(CHECKS, values, strict=True))
        if self.poorness is not None:
            columns[CHECK_POORNESS] = self.poorness.astype(np.float32)
        for name, numbers in ((CHECK_ANSWERS, self.answers), (CHECK_PHOTOS, self.photos)):
            if numbers is not None:
                columns[name] = numbers.astype(np.int32)
        return {name: column[::step] for name, column in columns.items()}


def figures_of(model: Model) -> CheckFigures | None:
    """None where the model keeps none: an older file, or a run that was stopped before its first check."""
    share, right, novelty = (model.tensors.get(name) for name in CHECKS)
    if share is None or right is None or novelty is None or len(share) == 0:
        return None
    more = (model.tensors.get(name) for name in (CHECK_POORNESS, CHECK_ANSWERS, CHECK_PHOTOS))
    return CheckFigures(share, right, novelty, *more)


def limits_at(step: int, figures: CheckFigures, rule: Limits) -> Limits:
    """The limits at a step of -5..5; 0 gives the rule's own."""
    step = max(-STEPS, min(STEPS, step))
    if step == 0:
        return rule
    if step == -STEPS:
        return Limits(sure=0.0, novelty=max(rule.novelty, _FARTHEST))
    start = log_odds(rule.sure)
    if step > 0:
        kept = float(np.quantile(figures.novelty, _KEPT[step - 1]))
        return replace(rule, sure=max(rule.sure, sigmoid(start + _STEP_UP * step)), novelty=min(rule.novelty, kept))
    left = 1 + step / STEPS
    sure = sigmoid(min(start, start * left))
    reach = float(np.quantile(figures.novelty, _KEPT_MORE[-step - 1])) * _WIDER[-step - 1]
    return replace(rule, sure=min(rule.sure, sure), novelty=max(rule.novelty, reach), poor=rule.poor * left)


def settings(figures: CheckFigures, rule: Limits) -> list[Setting]:
    """Every step from -5 to 5 with what it does to the checked photos; more careful never refuses fewer."""
    found = []
    for step in range(-STEPS, STEPS + 1):
        limits = limits_at(step, figures, rule)
        photos = zip(figures.share.tolist(), figures.novelty.tolist(), figures.poor.tolist(), strict=True)
        sure = np.array([verdict(share, distance, limits, poor) == "sure" for share, distance, poor in photos])
        right = int((sure & (figures.right != 0)).sum())
        found.append(Setting(step, limits, len(sure), int((~sure).sum()), right))
    return found


def made_careful(model: Model, step: int) -> Model:
    """The same model with the limits of a step. Raises InputError model_without_checks for a step other than 0."""
    rule = model.rule_limits
    if step == 0:
        return replace(model, limits=rule, careful=0, rule=None)
    figures = figures_of(model)
    if figures is None:
        raise InputError("model_without_checks")
    return replace(model, limits=limits_at(step, figures, rule), careful=step, rule=rule)


def save_step(path: Path, step: int) -> Model:
    """Write the limits of a step into the model file (or that of a run folder), whole or not at all.

    Raises what `read_model` and `save_model` raise, and InputError model_without_checks.
    """
    model = made_careful(read_model(path), step)
    save_model(model, model_path(path))
    return model
