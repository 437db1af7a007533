"""Accuracy, log loss, calibration and verdicts by k-fold cross-validation, through the whole program.

usage: cross_validation.py DATA [--preset fast] [--folds 5] [--seeds 0 1 2] [--other DIR] [--epochs N] [--first N]

Each fold is a folder of links to the photos: train/CLASS and val/CLASS. The model is trained with `fit`, as the window
does it; the figures are those of the fold's own val photos, cross-fitted where they need calibration. --other: photos
of none of the classes; prints how many the model calls a sure one, and which. --first: only so many folds of each
seed. The calibration error (15 bins) is also given over all of a seed's folds together: 400 photos leave it noisy.
"""

import argparse
import dataclasses
import statistics
import tempfile
import time
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


def make_fold(data: Path, target: Path, seed: int, fold: int, folds: int) -> None:
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        photos = sorted(folder.iterdir())
        order = np.random.default_rng(seed).permutation(len(photos))
        for place, number in enumerate(order):
            side = "val" if place * folds // len(photos) == fold else "train"
            link = target / side / folder.name / photos[number].name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(photos[number])


def sure_share(model: str, folder: Path) -> tuple[float, float]:
    """Share of the val photos that are sure, and of those right."""
    predictor = load_model(model)
    sure = right = total = 0
    for answer in predictor.predict_many(find_photos([folder])):
        total += 1
        sure += answer.verdict == "sure"
        right += answer.label is not None and Path(answer.path).parent.name == answer.label
    predictor.close()
    return sure / total, right / max(sure, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--preset", default="fast")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--other", type=Path)
    options = parser.parse_args()
    rows, pooled = [], []
    for seed in options.seeds:
        checked: list[CheckFigures] = []
        for fold in range(options.first or options.folds):
            with tempfile.TemporaryDirectory() as folder:
                make_fold(options.data.resolve(), Path(folder), seed, fold, options.folds)
                rows.append(run_fold(options, Path(folder), seed, fold, checked))
        pooled.append(pooled_ece(checked))
    print(
        f"mean of {len(rows)}:", "  ".join(f"{name} {statistics.fmean(r[name] for r in rows):.4f}" for name in rows[0])
    )
    print("calibration error over all folds of a seed:", "  ".join(f"{100 * value:.2f} %" for value in pooled))


def pooled_ece(checked: list[CheckFigures]) -> float:
    """Expected calibration error of the cross-fitted probabilities of every fold's check photos."""
    share = np.concatenate([figures.share for figures in checked])
    right = np.concatenate([figures.right for figures in checked]) != 0
    best_only = np.stack([share, np.zeros_like(share)], axis=1)  # all that the error looks at
    return calibration_error(best_only, np.where(right, 0, 1))


def run_fold(
    options: argparse.Namespace, folder: Path, seed: int, fold: int, checked: list[CheckFigures]
) -> dict[str, float]:
    config = dataclasses.replace(preset(options.preset), data=folder, seed=seed)
    if options.epochs:
        config = dataclasses.replace(config, epochs=options.epochs)
    rates: list[float] = []

    def emit(event: events.Event) -> None:
        if isinstance(event, events.Progress) and event.phase == "prepare" and event.photos_per_s:
            rates.append(event.photos_per_s)

    began = time.perf_counter()
    result = fit(config, emit)
    seconds = time.perf_counter() - began
    assert result.model is not None
    figures = figures_of(read_model(Path(result.model)))
    if figures is not None:
        checked.append(figures)
    sure, right = sure_share(result.model, folder / "val")
    row = {
        **{name: float(result.val[name] or 0) for name in ("accuracy", "log_loss", "ece")},
        "sure": sure,
        "right_when_sure": right,
    }
    if options.other is not None:
        predictor = load_model(result.model)
        answers = list(predictor.predict_many(find_photos([options.other])))
        predictor.close()
        called = [f"{Path(answer.path).stem} {answer.label}" for answer in answers if answer.verdict == "sure"]
        print("  called a sure one:", ", ".join(called) or "none")
        row["others_sure"] = float(sum(answer.verdict == "sure" for answer in answers))
        row["others_not_none"] = float(sum(answer.verdict != "none_of_these" for answer in answers))
    rate = f"{rates[-1]:.0f} photos/s" if rates else "cached"
    print(
        f"seed {seed} fold {fold}:",
        "  ".join(f"{n} {v:.4f}" for n, v in row.items()),
        f"{seconds:.1f} s, {rate}",
        flush=True,
    )
    return row


if __name__ == "__main__":
    main()
