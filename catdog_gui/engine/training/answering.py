"""From a learned network to a model that answers: calibration, novelty, limits, and the figures shown for it."""

from typing import Any

import numpy as np

from catdog_gui.engine.learning.figures import FEWEST_TO_CALIBRATE
from catdog_gui.engine.learning.learner import Learner
from catdog_gui.engine.models import metrics, verdicts
from catdog_gui.engine.models.carefulness import CheckFigures
from catdog_gui.engine.models.model_file import Model
from catdog_gui.engine.photos.images import Recipe
from catdog_gui.engine.preparing.prepared import Prepared
from catdog_gui.engine.preparing.setup import Setup
from catdog_gui.engine.training.checkpoint import Best
from catdog_gui.engine.training.extra import where_possible
from catdog_gui.engine.training.poor_copies import learn_poorness

Array = np.ndarray[Any, np.dtype[Any]]


def checked_model(
    setup: Setup, learner: Learner, classes: tuple[str, ...], prepared: Prepared, best: Best, *, final: bool = False
) -> tuple[Model, Array]:
    """The model of the best epoch (whose state `learner` holds), and the probabilities (N, C) behind its figures.

    final: nothing better will come, so it pays to look at the training photos again, where the network moved, and to
    learn what poor photos look like to it.
    """
    scores, labels = best.validation.scores, best.validation.labels
    calibrated = len(labels) >= FEWEST_TO_CALIBRATE
    # Figures shown never come from a temperature that these same photos fitted.
    probabilities = metrics.cross_fitted(scores, labels) if calibrated else metrics.softmax(scores)
    features = _checked_features(learner, prepared, best)
    known, distances = _novelty(setup, learner, prepared, features, again=final)
    # Fewer checked photos have no spread to measure it by, and fit no limit for it.
    wanted = final and len(labels) >= verdicts.FEW
    poorness = learn_poorness(setup, learner, prepared, features) if wanted else None
    poor = poorness(features) if poorness is not None else None
    answers = probabilities.argmax(axis=1)
    # A photo that vanished since it was read leaves it open which of the others a row belongs to.
    lines = prepared.lines(prepared.val) if len(prepared.val) == len(labels) else None
    check = CheckFigures(probabilities.max(axis=1), answers == labels, distances, poor, answers, lines)
    if poorness is not None:
        known |= poorness.to_tensors()
    model = Model(
        network=setup.config.model,
        classes=classes,
        recipe=_recipe(setup),
        tensors={**learner.tensors(), **known, **check.to_tensors()},
        limits=verdicts.fit_limits(probabilities, labels, distances, poor, moved=not learner.head_only),
        temperature=metrics.fit_temperature(scores, labels) if calibrated else 1.0,
        calibrated=calibrated,
        precision=setup.precision,
        validation=_figures(probabilities, labels, len(classes)),
        trained=_trained(setup, best.epoch),
    )
    return model, probabilities


def unchecked_model(setup: Setup, learner: Learner, classes: tuple[str, ...]) -> Model:
    """What there is of an unfinished first epoch: no calibration, no figures, and never a sure answer."""
    return Model(
        network=setup.config.model,
        classes=classes,
        recipe=_recipe(setup),
        tensors=learner.tensors(),
        limits=verdicts.Limits(sure=verdicts.NEVER),
        precision=setup.precision,
        trained=_trained(setup, 0),
    )


def _figures(probabilities: Array, labels: Array, classes: int) -> dict[str, float | int | None]:
    table = metrics.confusion(labels, probabilities.argmax(axis=1), classes)
    return {
        "accuracy": metrics.accuracy(probabilities, labels),
        "log_loss": metrics.log_loss(probabilities, labels),
        "n": len(labels),
        "ece": metrics.calibration_error(probabilities, labels),
        "balanced_accuracy": metrics.balanced_accuracy(table),
    }


def _checked_features(learner: Learner, prepared: Prepared, best: Best) -> Array:
    """(N, F) float16, in the order of the validation's answers."""
    found = learner.features(prepared.val) if learner.head_only else None
    return best.validation.features if found is None else found


def _novelty(
    setup: Setup, learner: Learner, prepared: Prepared, checked: Array, *, again: bool
) -> tuple[dict[str, Array], Array]:
    """The photos to remember, as the model file's tensors, and how far the checked ones (N, F) are from them.

    Training photos are remembered. Of a network that moved their features are what it was before: without a look at
    them again the checked photos are remembered instead, each measured against the others. They are fewer: of two
    splits (`best`) other things are told from pets with an AUROC of 0.991, with the training photos 0.996.
    """
    seed = setup.config.seed
    photos = prepared.train[verdicts.choose(len(prepared.train), seed)]
    features = where_possible(setup, lambda: learner.features(photos)) if again or learner.head_only else None
    if features is not None:
        vectors = verdicts.stored(features)
        return _known(vectors, photos, prepared), verdicts.novelty(checked, vectors)
    chosen = verdicts.choose(len(checked), seed)
    vectors = verdicts.stored(checked[chosen])
    # A photo that vanished since it was read leaves it open which of the others a row belongs to.
    photos = prepared.val[chosen] if len(prepared.val) == len(checked) else np.zeros(0, np.int64)
    return _known(vectors, photos, prepared), verdicts.novelty(checked, vectors, among_them=True)


def _known(vectors: Array, photos: Array, prepared: Prepared) -> dict[str, Array]:
    found = {"novelty.vectors": vectors}
    if len(photos) == len(vectors):
        found["novelty.photos"] = prepared.lines(photos).astype(np.int32)
        found["novelty.labels"] = prepared.labels[photos].astype(np.int32)
    return found


def _recipe(setup: Setup) -> Recipe:
    return Recipe(setup.config.image_size, setup.config.fit)


def _trained(setup: Setup, epoch: int) -> dict[str, Any]:
    facts = {name: setup.facts.get(name) for name in ("torch", "engine")}
    return {"preset": setup.config.preset, "epoch": epoch, "started": setup.started, **facts}
