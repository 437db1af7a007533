"""Accuracy, log loss, calibration and verdicts by k-fold cross-validation, through the whole program.

usage: cross_validation.py DATA [--preset fast] [--folds 5] [--seeds 0 1 2] [--other DIR] [--first N]
                           [--robustness] [--model RUN] [--set SETTING=VALUE ...]

Each fold is a folder of links to the photos: train/CLASS and val/CLASS. The model is trained with `fit`, as the window
does it; the figures are those of the fold's own val photos, cross-fitted where they need calibration. --other: photos
of none of the classes; prints how many the model calls a sure one, and which, and how well the distance to the known
photos and the largest probability tell the val photos from them (AUROC). --robustness: also the table of poor photos,
of the same val photos, mean over all models. --first: only so many folds of each seed (--first 1: one split a seed).
--model: ask this run's model, trained on the first fold of the first seed, instead of training one. --set: other
settings than the preset's, as epochs=4.
The calibration error (15 bins) is also given over all of a seed's folds together: 400 photos leave it noisy. The last
line is a row for a table in README.md.
"""

import argparse
import dataclasses
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from catdog_gui.engine import events
from catdog_gui.engine.answers.predict import load_model
from catdog_gui.engine.config import preset
from catdog_gui.engine.datasets.search import find_photos
from catdog_gui.engine.models.carefulness import CheckFigures, figures_of
from catdog_gui.engine.models.metrics import calibration_error
from catdog_gui.engine.models.model_file import read_model
from catdog_gui.engine.training.run import fit
from catdog_gui.engine.trust.robustness import Row, robustness

SHARES = ("accuracy", "sure_share", "sure_error_share")


def make_fold(data: Path, target: Path, seed: int, fold: int, folds: int) -> None:
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        photos = sorted(folder.iterdir())
        order = np.random.default_rng(seed).permutation(len(photos))
        for place, number in enumerate(order):
            side = "val" if place * folds // len(photos) == fold else "train"
            link = target / side / folder.name / photos[number].name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(photos[number])


@dataclasses.dataclass
class Asked:
    """What a model says about the fold's photos. sure, right: numbers of val photos; others: the sure ones."""

    photos: int
    sure: int
    right: int
    others: list[str]
    others_not_none: int
    auroc_novelty: float
    auroc_probability: float
    rows: list[Row]


def ask(model: str, folder: Path, others: Path | None, *, poor: bool) -> Asked:
    predictor = load_model(model)
    known = list(predictor.predict_many(find_photos([folder / "val"])))
    foreign = list(predictor.predict_many(find_photos([others]))) if others is not None else []
    labelled = [(Path(answer.path), Path(answer.path).parent.name) for answer in known]
    rows = list(robustness(predictor, labelled)) if poor else []
    predictor.close()
    return Asked(
        photos=len(known),
        sure=sum(answer.verdict == "sure" for answer in known),
        right=sum(answer.label == Path(answer.path).parent.name for answer in known),
        others=[f"{Path(answer.path).stem} {answer.label}" for answer in foreign if answer.verdict == "sure"],
        others_not_none=sum(answer.verdict != "none_of_these" for answer in foreign),
        auroc_novelty=auroc([-(a.novelty or 0.0) for a in known], [-(a.novelty or 0.0) for a in foreign]),
        auroc_probability=auroc(*([max(a.probabilities.values()) for a in asked] for asked in (known, foreign))),
        rows=rows,
    )


def auroc(above: list[float], below: list[float]) -> float:
    """How often one of the first is larger than one of the second, 0..1; equal ones count half. NaN for none."""
    if not above or not below:
        return float("nan")
    first, second = np.array(above)[:, None], np.array(below)[None, :]
    return float(((first > second) + 0.5 * (first == second)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--set", nargs="+", default=[], metavar="SETTING=VALUE")
    parser.add_argument("--other", type=Path)
    parser.add_argument("--robustness", action="store_true")
    parser.add_argument("--model", help="run folder or model file")
    options = parser.parse_args()
    rows: list[dict[str, float]] = []
    pooled: list[float] = []
    poor: list[list[Row]] = []
    for seed in options.seeds:
        checked: list[CheckFigures] = []
        for fold in range(options.first or options.folds):
            with tempfile.TemporaryDirectory() as folder:
                make_fold(options.data.resolve(), Path(folder), seed, fold, options.folds)
                rows.append(run_fold(options, Path(folder), seed, fold, checked, poor))
        pooled.append(pooled_ece(checked))
    mean = {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}
    print(f"mean of {len(rows)}:", "  ".join(f"{name} {value:.4f}" for name, value in mean.items()))
    print("calibration error over all folds of a seed:", "  ".join(f"{100 * value:.2f} %" for value in pooled))
    for alike in zip(*poor, strict=True):
        print_poor(alike)
    print(table_row(options.preset, mean, pooled))


def print_poor(alike: Sequence[Row]) -> None:
    """One disturbance of every model: means, in % of the photos."""
    row = {name: statistics.fmean(found.to_json()[name] for found in alike) for name in SHARES}
    name = f"{alike[0].disturbance} {alike[0].strength:g} {alike[0].unit}".strip()
    print(f"| {name} |", " | ".join(f"{100 * value:.2f} %" for value in row.values()), "|")


def table_row(name: str, mean: dict[str, float], pooled: list[float]) -> str:
    shown = [f"{mean['log_loss']:.4f}", f"{100 * statistics.fmean(pooled):.2f} %"]
    shown += [f"{100 * mean[key]:.2f} %" for key in ("accuracy", "sure", "right_when_sure")]
    if "others_sure" in mean:
        shown += [f"{mean['others_sure']:.1f}", f"{mean['auroc_novelty']:.4f}", f"{mean['auroc_probability']:.4f}"]
    return f"| `{name}` | {' | '.join(shown)} |"


def pooled_ece(checked: list[CheckFigures]) -> float:
    """Expected calibration error of the cross-fitted probabilities of every fold's check photos."""
    share = np.concatenate([figures.share for figures in checked])
    right = np.concatenate([figures.right for figures in checked]) != 0
    best_only = np.stack([share, np.zeros_like(share)], axis=1)  # all that the error looks at
    return calibration_error(best_only, np.where(right, 0, 1))


def run_fold(
    options: argparse.Namespace,
    folder: Path,
    seed: int,
    fold: int,
    checked: list[CheckFigures],
    poor: list[list[Row]],
) -> dict[str, float]:
    path, took = (options.model, "given") if options.model else train(options, folder, seed)
    model = read_model(Path(path))
    figures = figures_of(model)
    if figures is not None:
        checked.append(figures)
    found = ask(path, folder, options.other, poor=options.robustness)
    row = {
        **{name: float(model.validation[name] or 0) for name in ("accuracy", "log_loss", "ece")},
        "sure": found.sure / found.photos,
        "right_when_sure": found.right / max(found.sure, 1),
    }
    if options.other is not None:
        print("  called a sure one:", ", ".join(found.others) or "none")
        row |= {"others_sure": float(len(found.others)), "others_not_none": float(found.others_not_none)}
        row |= {"auroc_novelty": found.auroc_novelty, "auroc_probability": found.auroc_probability}
    if found.rows:
        poor.append(found.rows)
    print(f"seed {seed} fold {fold}:", "  ".join(f"{n} {v:.4f}" for n, v in row.items()), took, flush=True)
    return row


def train(options: argparse.Namespace, folder: Path, seed: int) -> tuple[str, str]:
    """The model's path, and how long it took in words."""
    config = dataclasses.replace(preset(options.preset), data=folder, seed=seed)
    changed = {name: json.loads(value) for name, _, value in (item.partition("=") for item in options.set)}
    config = dataclasses.replace(config, **changed).validated()
    rates: list[float] = []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.Progress) and event.phase == "prepare" and event.photos_per_s:
            rates.append(event.photos_per_s)

    began = time.perf_counter()
    result = fit(config, emit)
    seconds = time.perf_counter() - began
    assert result.model is not None
    return result.model, f"{seconds:.1f} s, {rates[-1]:.0f} photos/s" if rates else f"{seconds:.1f} s, cached"


if __name__ == "__main__":
    main()
