"""Why a model answers as it does: where in the photo it looked, and the known photos that are most like it."""

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.answers.predict import Predictor, Source
from catdog_gui.engine.errors import PhotoError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.models.verdicts import unit
from catdog_gui.engine.photos.recipe import Picture
from catdog_gui.engine.runs.photos import RunPhoto, photos_at, run_of
from catdog_gui.engine.trust.heat_map import HeatMapper, enlarge, make_heat_mapper

Array = np.ndarray[Any, np.dtype[Any]]
NEIGHBOURS = 5


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A photo that the model remembers. similarity: cosine of the features, 1 for the same photo; path: None where it
    is not known; found: the file is there; side: "train" (it learned from it) or "val" (it was checked with it).
    """

    label: str | None
    similarity: float
    path: Path | None = None
    found: bool = False
    side: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why `prediction` is what it is.

    square: all that the network saw, uint8 (S, S, 3), None where the photo cannot be read; target: the class that the
    heat speaks for, the best guess; cells: (h, w) evidence as computed; heat: (S, S) float32 in -1..1, see `enlarge`.
    missing: code of why the neighbours are not (all) photos: model_without_photos, run_of_model_gone, photos_moved.
    """

    prediction: Prediction
    square: Picture | None = None
    target: str | None = None
    cells: Array | None = None
    heat: Array | None = None
    neighbours: tuple[Neighbour, ...] = ()
    missing: str | None = None

    def strongest_ninth(self) -> int:
        """Which ninth of the square speaks most for the target: 0 top left, then row by row to 8, bottom right."""
        if self.heat is None:
            return 4
        sums = [part.sum() for rows in np.array_split(self.heat, 3) for part in np.array_split(rows, 3, axis=1)]
        return int(np.argmax(sums))


class Explainer:
    """Explains the answers of one predictor. source: the model's file or run folder, to find the run's photos again.

    Any thread, one at a time. The network for the heat map is made at the first question (about half a second).
    """

    def __init__(self, predictor: Predictor, source: Path | None = None) -> None:
        self._predictor = predictor
        self._source = source
        self._lock = threading.Lock()
        self._mapper: HeatMapper | None = None
        self._photos: dict[int, RunPhoto] | None = None  # of the remembered rows; None until they were looked for
        self._run_found = False

    def explain(self, photo: Source) -> Explanation:
        """Why this photo is answered so: a path, bytes of a file, a uint8 RGB array (H, W, 3) or a Pillow image."""
        with self._lock:
            mapper = self._prepare()
            try:
                square, box, name = self._predictor.see(photo)
            except PhotoError:
                return Explanation(self._predictor.predict(photo))
            features = self._predictor.features([square])
            answer = replace(self._predictor.judge(features)[0], path=name, box=box)
            target = self._predictor.classes.index(str(answer.top))
            cells = mapper.evidence(square, target)
            neighbours, missing = self._neighbours(features[0])
            return Explanation(
                prediction=answer,
                square=square,
                target=answer.top,
                cells=cells,
                heat=enlarge(cells, square.shape[0]),
                neighbours=neighbours,
                missing=missing,
            )

    def close(self) -> None:
        if self._mapper is not None:
            self._mapper.close()
            self._mapper = None

    def _prepare(self) -> HeatMapper:
        model = self._predictor.model
        if self._photos is None:
            started = model.trained.get("started")
            run = run_of(self._source, started) if self._source is not None else None
            self._run_found = run is not None
            rows = (int(row) for row in model.photos if row >= 0)
            self._photos = photos_at(run, rows) if run is not None else {}
        if self._mapper is None:
            self._mapper = make_heat_mapper(model, self._predictor.device, self._predictor.precision)
        return self._mapper

    def _neighbours(self, features: Array) -> tuple[tuple[Neighbour, ...], str | None]:
        model = self._predictor.model
        vectors = model.vectors
        if len(vectors) == 0:
            return (), "model_without_photos"
        cosines = self._predictor.vectors @ unit(features[None])[0]
        cosines = np.where(np.isfinite(cosines), cosines, -1.0)
        nearest = np.argsort(-cosines, kind="stable")[:NEIGHBOURS]
        found = tuple(self._neighbour(int(row), float(cosines[row])) for row in nearest)
        if len(model.photos) == 0:
            return (), "model_without_photos"
        if not self._run_found:
            return found, "run_of_model_gone"
        return found, None if all(item.found for item in found) else "photos_moved"

    def _neighbour(self, row: int, cosine: float) -> Neighbour:
        model = self._predictor.model
        label = model.photo_labels[row] if row < len(model.photo_labels) else -1
        name = model.classes[label] if 0 <= label < len(model.classes) else None
        photo = (self._photos or {}).get(int(model.photos[row])) if row < len(model.photos) else None
        if photo is None:
            return Neighbour(name, cosine)
        return Neighbour(photo.label, cosine, photo.path, photo.path.is_file(), photo.side)
