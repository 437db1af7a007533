"""The photos behind a number of the confusion table: those that were kept back, and what was answered for each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catdog_gui.engine.errors import InputError
from catdog_gui.engine.models.carefulness import figures_of
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.runs.photos import photos_at


@dataclass(frozen=True, slots=True)
class Checked:
    """path: absolute, as it was then; label, answer: class names; probability: of the answer, 0..1, cross-fitted."""

    path: Path
    label: str
    answer: str
    probability: float


def checked(run: Path) -> Iterator[Checked]:
    """Every photo that a finished run was checked with, in the order of its list; of more than 20,000 an even part.

    Raises InputError checks_unknown for a model that does not say (an older one, or no check was made), and what
    `read_model` raises.
    """
    model = read_model(run)
    figures = figures_of(model)
    if figures is None or figures.answers is None or figures.photos is None:
        raise InputError("checks_unknown")
    rows = dict(zip(figures.photos.tolist(), zip(figures.answers, figures.share, strict=True), strict=True))
    for line, photo in photos_at(run, rows).items():
        answer, share = rows[line]
        if photo.side == "val" and 0 <= answer < len(model.classes):
            yield Checked(photo.path, photo.label, model.classes[answer], float(share))


def mistakes(run: Path) -> list[Checked]:
    """The photos that were answered wrongly, the surest first. Raises as `checked`."""
    wrong = [photo for photo in checked(run) if photo.answer != photo.label]
    return sorted(wrong, key=lambda photo: -photo.probability)
