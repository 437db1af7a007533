"""What `catdog explain` and `catdog evaluate --robustness` do and say."""

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from catdog_gui.engine import events
from catdog_gui.engine.errors import InputError
from catdog_gui.engine.files import write_atomic
from catdog_gui.engine.messages import about, sentence
from catdog_gui.engine.photos.names import printable
from catdog_gui.output import Output
from catdog_gui.session.prediction import describe


def poor_photos(predictor: Any, data: Path, out: Output, should_stop: Callable[[], bool]) -> list[Any]:  # noqa: ANN401
    """The rows of the table of poor photos, with progress."""
    from catdog_gui.engine.answers.evaluate import labelled_photos
    from catdog_gui.engine.trust.robustness import robustness

    known = labelled_photos(predictor, data, lambda _event: None, should_stop)  # what is wrong was said already
    labelled = [(path, predictor.classes[label]) for path, label in known]

    def tell(done: int, total: int) -> None:
        out.progress(f"{done:,} of {total:,} poor photos")

    return list(robustness(predictor, labelled, should_stop, on_progress=tell, on_slow=out.tell_of_slow()))


def robustness_text(rows: Sequence[Any]) -> list[str]:
    """The table of poor photos in English; [] for no rows."""
    if not rows:
        return []
    lines = [f"{f'{rows[0].photos:,} photos made poor':<28}{'right':>8}{'sure':>8}{'sure but wrong':>16}"]
    for row in rows:
        values = row.to_json()
        right, sure, wrong = (100 * values[key] for key in ("accuracy", "sure_share", "sure_error_share"))
        lines.append(f"{_poor_words(row):<28}{right:>7.1f}%{sure:>7.1f}%{wrong:>15.2f}%")
    return lines


def _poor_words(row: Any) -> str:  # noqa: ANN401 -- engine.trust.robustness.Row
    strength = f"{row.strength:g}"
    match row.disturbance:
        case "none":
            return "as they are"
        case "turned":
            return f"turned by {strength}°"
        case "cropped":
            return f"cropped to {strength} %"
        case "tiny":
            return f"tiny, {strength} px"
        case "dark":
            return f"dark, {strength} % of the light"
        case "blurred":
            return f"blurred by {strength} %"
        case "noisy":
            return f"noisy, {strength} grey levels"
        case "jpeg":
            return f"JPEG quality {strength}"
    return str(row.disturbance)


def explain(options: argparse.Namespace, out: Output) -> int:
    """Say why a photo is answered so; returns the exit code."""
    from catdog_gui.engine.answers.predict import load_model
    from catdog_gui.engine.trust.explain import Explainer
    from catdog_gui.output import keep_what_is_there

    if os.path.isdir(options.photo):  # noqa: PTH112 -- Path.is_dir raises where the folder above is forbidden
        raise InputError("explain_needs_photo", path=printable(str(options.photo)))
    keep_what_is_there(options.heat_map, force=options.force)
    predictor = load_model(options.model, device=options.device)
    explainer = Explainer(predictor, options.model)
    try:
        found = explainer.explain(options.photo)
    finally:
        explainer.close()
        predictor.close()
    answer = found.prediction
    if found.heat is None or found.square is None or found.cells is None:
        reason = about(answer.path, answer.code or "", answer.fields)
        raise InputError("no_readable_photos", count=1, reason=reason)
    if options.heat_map is not None:
        write_heat_map(options.heat_map, found.square, found.heat)
    line = events.to_dict(answer)
    out.result(
        {key: line[key] for key in ("path", "verdict", "label", "top", "probabilities", "calibrated", "novelty")}
        | {
            "speaks_for": found.target,
            "cells": [[round(float(value), 4) for value in row] for row in found.cells],
            "heat_map": str(options.heat_map) if options.heat_map is not None else None,
            "neighbours": [_neighbour_json(item) for item in found.neighbours],
            "missing": found.missing,
        }
    )
    _say_explanation(out, found)
    return 0


def _neighbour_json(item: Any) -> dict[str, Any]:  # noqa: ANN401 -- engine.trust.explain.Neighbour
    path = str(item.path) if item.path is not None else None
    return {"label": item.label, "similarity": item.similarity, "path": path, "found": item.found, "side": item.side}


def _say_explanation(out: Output, found: Any) -> None:  # noqa: ANN401 -- engine.trust.explain.Explanation
    out.answer(f"{found.prediction.path}: {describe(found.prediction)}")
    places = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
    out.answer(f"what speaks most for {found.target}: {places[found.strongest_ninth()]} of what the model saw")
    if found.neighbours:
        out.answer("most similar photos:")
    for item in found.neighbours:
        where = f"  {item.path}" if item.found else ""
        out.answer(f"  {100 * item.similarity:3.0f}% alike  {item.label or 'class not known'}{where}")
    if found.missing is not None:
        out.say(f"note: {sentence(found.missing)}")


def write_heat_map(path: Path, square: Any, heat: Any) -> None:  # noqa: ANN401 -- arrays
    """A PNG of the square (S, S, 3) under its heat (S, S). Raises CatDogError (disk_full, cannot_write)."""
    import io

    from PIL import Image

    from catdog_gui.engine.trust.heat_map import overlay

    file = io.BytesIO()
    Image.fromarray(overlay(square, heat)).save(file, "PNG")
    write_atomic(path, file.getvalue())
