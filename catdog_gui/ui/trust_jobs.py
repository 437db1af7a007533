"""What the window asks about trust: why an answer, how careful a model, how it takes poor photos. See `jobs.Jobs`."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from catdog_gui.engine.errors import InputError, PhotoError
from catdog_gui.engine.events import Prediction
from catdog_gui.session.trust import Alike, Careful, PoorRow, Why, judged_anew
from catdog_gui.ui.answer_jobs import AnswerJobs
from catdog_gui.ui.bridge import Stop
from catdog_gui.ui.job_values import Count

Send = Callable[[object], None]
POOR_PHOTOS = 400  # of the check photos; some 18 rows of them take half a minute on two cores
_TABLE = "robustness.json"
_SCHEMA = 1


class TrustJobs(AnswerJobs):
    """Owner: the window; jobs: any thread."""

    def __init__(self) -> None:
        super().__init__()
        self._explains: tuple[Any, Any] | None = None  # the predictor, and its explainer

    def explain(self, model: Path, photo: Path, side: int) -> Callable[[Send, Stop], Why]:
        """side: of the pictures of alike photos, in pixels."""

        def job(_send: Send, _should_stop: Stop) -> Why:
            return _why(self._explainer(model).explain(photo), side)

        return job

    def _explainer(self, model: Path) -> Any:  # noqa: ANN401 -- engine.trust.explain.Explainer
        """The explainer of the kept predictor, made with it."""
        from catdog_gui.engine.trust.explain import Explainer

        predictor = self._predictor(model)
        if self._explains is None or self._explains[0] is not predictor:
            self._explains = (predictor, Explainer(predictor, model))
        return self._explains[1]

    def careful(self, model: Path) -> Callable[[Send, Stop], Careful]:
        def job(_send: Send, _should_stop: Stop) -> Careful:
            from catdog_gui.engine.models.carefulness import figures_of, settings
            from catdog_gui.engine.models.model_file import read_model

            found = read_model(model)
            figures = figures_of(found)
            return Careful(found.careful, tuple(settings(figures, found.rule_limits)) if figures is not None else ())

        return job

    def save_careful(
        self, model: Path, step: int, answers: Sequence[Prediction]
    ) -> Callable[[Send, Stop], list[Prediction]]:
        """Keep the step in the model file; returns the answers judged anew."""

        def job(_send: Send, _should_stop: Stop) -> list[Prediction]:
            from catdog_gui.engine.models.carefulness import save_step

            return judged_anew(answers, save_step(model, step).limits)

        return job

    def known_poor_photos(self, run: Path) -> Callable[[Send, Stop], tuple[PoorRow, ...]]:
        """The table that was made before; () where there is none."""

        def job(_send: Send, _should_stop: Stop) -> tuple[PoorRow, ...]:
            from catdog_gui.engine.files import read_json

            rows = (read_json(run / _TABLE) or {}).get("rows")
            try:
                return tuple(PoorRow(**row) for row in rows or ())
            except TypeError:  # of another version
                return ()

        return job

    def poor_photos(self, run: Path) -> Callable[[Send, Stop], tuple[PoorRow, ...]]:
        """Ask the run's model about its check photos made poor. Keeps the whole table.

        Sends Count, each PoorRow, and a Notice for a photo that does not come.
        """

        def job(send: Send, should_stop: Stop) -> tuple[PoorRow, ...]:
            from catdog_gui.engine.photos.reading import tells_of_slow
            from catdog_gui.engine.runs.photos import checked_photos
            from catdog_gui.engine.runs.runlog import MODEL
            from catdog_gui.engine.trust.robustness import robustness

            labelled = [(photo.path, photo.label) for photo in checked_photos(run) if photo.path.is_file()]
            if not labelled:
                raise InputError("no_checked_photos")
            predictor = self._predictor(run / MODEL)
            rows: list[PoorRow] = []
            table = robustness(
                predictor,
                labelled,
                should_stop,
                on_progress=lambda *n: send(Count(*n)),
                on_slow=tells_of_slow(send),
                most=POOR_PHOTOS,
            )
            for row in table:
                rows.append(PoorRow(row.disturbance, row.strength, row.photos, row.right, row.sure, row.sure_wrong))
                send(rows[-1])
            _keep(run / _TABLE, rows)
            return tuple(rows)

        return job


def _keep(path: Path, rows: Sequence[PoorRow]) -> None:
    """Beside the run, for the next time; where that cannot be written the table is just made again."""
    import contextlib
    from dataclasses import asdict

    from catdog_gui.engine.errors import CatDogError
    from catdog_gui.engine.files import write_atomic

    table = {"schema": _SCHEMA, "rows": [asdict(row) for row in rows]}
    with contextlib.suppress(CatDogError):
        write_atomic(path, json.dumps(table).encode())


def _why(found: Any, side: int) -> Why:  # noqa: ANN401 -- engine.trust.explain.Explanation
    from catdog_gui.engine.trust.heat_map import overlay

    if found.square is None:
        return Why(found.prediction)
    alike = tuple(
        Alike(
            label=item.label or "",
            similarity=item.similarity,
            path=str(item.path) if item.path is not None else "",
            picture=_picture(item.path, side) if item.found else None,
        )
        for item in found.neighbours
    )
    return Why(
        answer=found.prediction,
        square=found.square,
        heat=overlay(found.square, found.heat),
        target=found.target or "",
        alike=alike,
        learned=not any(item.side == "val" for item in found.neighbours),
        missing=found.missing,
    )


def _picture(path: Path, side: int) -> Any:  # noqa: ANN401 -- uint8 array
    from catdog_gui.engine.photos import images

    try:
        return images.thumbnail(images.read_bytes(path), side)
    except (PhotoError, OSError):
        return None
