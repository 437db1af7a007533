"""Photos in, answers out: the one way in which the window, the command line and Python ask a model."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui.engine.errors import CatDogError, InputError, PhotoError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.models import verdicts
from catdog_gui.engine.models.carefulness import made_careful
from catdog_gui.engine.models.limits import LOOKS_POOR, is_held_back
from catdog_gui.engine.models.model_file import Model, model_path, read_model
from catdog_gui.engine.models.poorness import poorness_of
from catdog_gui.engine.networks.features import FeatureEngine, make_engine
from catdog_gui.engine.photos import images
from catdog_gui.engine.photos.file import read_bytes
from catdog_gui.engine.photos.images import Picture
from catdog_gui.engine.photos.names import printable
from catdog_gui.engine.photos.reading import default_workers, read_ahead

Array = np.ndarray[Any, np.dtype[Any]]
Source = Any  # a path, a file's bytes, a decoded uint8 RGB array (H, W, 3), a Pillow image
_AT_ONCE = 64  # photos between two looks at what is ready
_UNDER_WAY = 1  # groups that are computed while the one before is answered
_SEEN = 96  # least side in pixels of the small picture that comes with an answer


@dataclass(frozen=True, slots=True)
class _Decoded:
    name: str
    picture: Picture | None
    box: images.Box | None = None
    small: Picture | None = None  # what the network saw, for showing
    error: PhotoError | None = None


class Predictor:
    """Answers for one model. Methods may be called from one thread at a time; `close` gives memory back.

    Answers do not depend on the batch, the order or the threads. Raises InputError from the constructor where the
    network cannot be built from the file.
    """

    def __init__(
        self, model: Model, *, device: str = "auto", precision: str = "auto", path: Path | None = None
    ) -> None:
        """path: the model's file, to name it where it cannot be used."""
        from catdog_gui.engine import devices

        self._turn = threading.Lock()
        self.model = model
        self.classes = model.classes
        info = devices.resolve(device)
        self.device = info.id
        stages = {n.removeprefix("stages."): v for n, v in model.tensors.items() if n.startswith("stages.")}
        if precision != "auto":
            chosen = devices.choose_precision(precision, info)
        else:  # the one that the model was checked in, where this device has it
            chosen = model.precision if model.precision in info.precisions else "fp32"
        try:
            self._engine: FeatureEngine = make_engine(model.network, stages, model.recipe.size, info.id, chosen)
            self._try_out()
        except (RuntimeError, KeyError, ValueError) as error:
            if devices.is_out_of_memory(error):
                raise CatDogError("card_out_of_memory", name=info.name) from error
            reason = str(error).partition("\n")[0]
            raise InputError("model_damaged", path=str(path or model.network), reason=reason) from error
        self.precision = self._engine.precision
        # float64: sums differ by their order in the last bits, and here these bits are dropped afterwards. So an answer
        # is the same whatever is asked with it.
        self._weight = model.tensors["head.weight"].astype(np.float64)
        self._bias = model.tensors["head.bias"].astype(np.float64)
        self._vectors = model.vectors.astype(np.float32)
        self._poorness = poorness_of(model.tensors)

    def _try_out(self) -> None:
        """Answer for a black square, so that a file whose parts do not fit each other is refused when it is opened."""
        black = np.zeros((self.model.recipe.size, self.model.recipe.size, 3), np.uint8)
        if self.features([black]).shape[1:] != self.model.tensors["head.weight"].shape[1:]:
            raise ValueError("head.weight")

    def predict(self, photo: Source) -> Prediction:
        """The answer for one photo: a path, bytes of a file, a uint8 RGB array (H, W, 3) or a Pillow image."""
        return next(iter(self.predict_many([photo])))

    def predict_many(
        self,
        photos: Iterable[Source],
        should_stop: Callable[[], bool] = lambda: False,
        *,
        workers: int = 0,
        on_slow: Callable[[Source], None] = lambda _photo: None,
    ) -> Iterator[Prediction]:
        """Answers in the order given, as they come; an unreadable photo is an answer too. Raises Stopped.

        on_slow: told of a photo that has been waited for a minute.
        """
        threads = workers or default_workers()
        work = read_ahead(photos, self._decode, workers=threads, should_stop=should_stop, on_slow=on_slow)
        with ThreadPoolExecutor(1, thread_name_prefix="catdog-ask") as asking:  # computes while answers are made here
            under_way: deque[tuple[list[_Decoded], Future[Array | None]]] = deque()
            for group in _groups(work):
                under_way.append((group, asking.submit(self._features_of, group)))
                if len(under_way) > _UNDER_WAY:
                    yield from self._answers(*under_way.popleft())
            while under_way:
                yield from self._answers(*under_way.popleft())

    def see(self, photo: Source) -> tuple[Picture, images.Box, str]:
        """What the network sees of a photo: the square (S, S, 3), its place in the upright photo, the photo's name.

        Raises PhotoError where it cannot be read.
        """
        return *_picture(photo, self.model.recipe), _name(photo)

    def judge(self, features: Array) -> list[Prediction]:
        """Answers of features (N, F), without names and pictures."""
        return list(self._judge([_Decoded("", None)] * len(features), features))

    @property
    def vectors(self) -> Array:
        """(K, F) float32 unit rows that novelty is measured against."""
        return self._vectors

    def features(self, squares: Iterable[Picture]) -> Array:
        """(N, F) float32 of decoded squares (S, S, 3). Several threads may ask; they take turns."""
        found: dict[int, Array] = {}
        with self._turn:
            self._engine.run(enumerate(squares), found.__setitem__)
        return np.stack([found[number] for number in range(len(found))])

    def close(self) -> None:
        self._engine.close()

    def _decode(self, photo: Source) -> _Decoded:
        name = _name(photo)
        try:
            picture, box = _picture(photo, self.model.recipe)
        except PhotoError as error:
            return _Decoded(name, None, error=error)
        return _Decoded(name, picture, box, _small(picture))

    def _features_of(self, group: list[_Decoded]) -> Array | None:
        pictures = [item.picture for item in group if item.picture is not None]
        return self.features(pictures) if pictures else None

    def _answers(self, group: list[_Decoded], computed: "Future[Array | None]") -> Iterator[Prediction]:
        features = computed.result()
        readable = [item for item in group if item.picture is not None]
        answers = iter(self._judge(readable, features) if features is not None else [])
        for item in group:
            if item.picture is None:
                yield _unreadable(item, calibrated=self.model.calibrated)
            else:
                yield next(answers)

    def _judge(self, photos: list[_Decoded], features: Array) -> Iterator[Prediction]:
        """Answers of photos and their features (N, F)."""
        model = self.model
        scores = (features.astype(np.float64) @ self._weight.T + self._bias).astype(np.float32)
        shares = verdicts.answers(scores, model.temperature)
        distances = verdicts.novelty(features, self._vectors).tolist()
        poor = self._poorness(features).tolist() if self._poorness is not None else [None] * len(photos)
        for photo, row, best, distance, poorness in zip(
            photos, shares.tolist(), shares.argmax(axis=1).tolist(), distances, poor, strict=True
        ):
            verdict = verdicts.verdict(row[best], distance, model.limits, poorness or 0.0)
            held_back = is_held_back(row[best], distance, model.limits, poorness or 0.0)
            yield Prediction(
                path=photo.name,
                verdict=verdict,
                label=model.classes[best] if verdict == "sure" else None,
                top=model.classes[best],
                probabilities=dict(zip(model.classes, row, strict=True)),
                calibrated=model.calibrated,
                novelty=distance,
                code=LOOKS_POOR if held_back else None,
                seen=photo.small,
                box=photo.box,
                poorness=poorness,
            )


def load_model(path: str | os.PathLike[str], *, device: str = "auto", careful: int | None = None) -> Predictor:
    """A model file, or the run folder it lies in, ready to answer: `load_model(path).predict(photo)`.

    careful: -5 (answers everything) to 5; 0 is the written rule; None: as saved in the file.
    Raises InputError: not_a_model, model_is_pickle, model_damaged, model_too_new, network_unknown, no_model_in_run,
    model_missing, model_without_checks.
    """
    model = read_model(Path(path))
    return Predictor(
        model if careful is None else made_careful(model, careful), device=device, path=model_path(Path(path))
    )


def _groups(items: Iterator[_Decoded]) -> Iterator[list[_Decoded]]:
    """Small groups first, so that the first answer comes at once; then larger ones, which keep the engine busy."""
    group: list[_Decoded] = []
    size = 1
    for item in items:
        group.append(item)
        if len(group) >= size:
            yield group
            group, size = [], min(_AT_ONCE, size * 2)
    if group:
        yield group


def _name(photo: Source) -> str:
    return printable(os.fspath(photo)) if isinstance(photo, str | os.PathLike) else ""


def _picture(photo: Source, recipe: images.Recipe) -> tuple[Picture, images.Box]:
    if isinstance(photo, str | os.PathLike):
        return images.decode_with_box(read_bytes(Path(photo)), recipe)
    if isinstance(photo, bytes | bytearray | memoryview):
        return images.decode_with_box(bytes(photo), recipe)
    if isinstance(photo, np.ndarray):
        if photo.ndim != 3 or photo.shape[2] != 3 or photo.dtype != np.uint8:
            raise PhotoError("not_a_picture", shape=str(photo.shape), kind=str(photo.dtype))
        return images.from_array(photo, recipe), images.seen_box(photo.shape[1], photo.shape[0], recipe)
    return images.from_pillow(photo, recipe), images.seen_box(photo.width, photo.height, recipe)


def _unreadable(item: _Decoded, *, calibrated: bool) -> Prediction:
    error = item.error or PhotoError("unreadable")
    return Prediction(
        path=item.name,
        verdict="unreadable",
        label=None,
        top=None,
        probabilities={},
        calibrated=calibrated,
        novelty=None,
        code=error.code,
        fields=dict(error.fields),
    )


def _small(picture: Picture) -> Picture:
    """The square reduced by a whole number, to 96 px or a little more."""
    from PIL import Image

    return np.asarray(Image.fromarray(picture).reduce(max(1, len(picture) // _SEEN)))
