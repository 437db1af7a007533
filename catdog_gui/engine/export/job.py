"""Write a model for other programs, and prove that it answers as this one does before it gets its name."""

import contextlib
import json
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from catdog_gui.engine.errors import CatDogError, InputError, Stopped, UsageError
from catdog_gui.engine.events import Prediction
from catdog_gui.engine.export.runtime import Answers, check_installed
from catdog_gui.engine.files import write_atomic, write_error
from catdog_gui.engine.models.model_file import Model, read_model
from catdog_gui.engine.photos.recipe import Picture

_LEAST_SAME = 0.9  # share of verdicts that 8 bits must leave as they are
_EXAMPLE = Path(__file__).with_name("example_script.py")

ShouldStop = Callable[[], bool]
OnProgress = Callable[[int, int], None]
OnSlow = Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class OwnPrecision:
    """How the program's answers in the model's own precision differ from those in float32, on the same pictures."""

    precision: str
    same: int
    largest_difference: float


@dataclass(frozen=True, slots=True)
class Exported:
    """agree: answers equal within 1e-3 (float32), or with the same best class and verdict (int8), of `checked`.

    photos: "run", "drawn" or "mixed", what was asked about; mean_difference, largest_difference: of probabilities.
    """

    file: str
    format: str
    checked: int
    agree: int
    largest_difference: float
    mean_difference: float
    precision: str
    photos: str
    example: str
    size_mb: float
    own: OwnPrecision | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def export_model(
    source: Path,
    target: Path,
    *,
    int8: bool = False,
    force: bool = False,
    on_progress: OnProgress = lambda _done, _total: None,
    should_stop: ShouldStop = lambda: False,
    on_slow: OnSlow = lambda _photo: None,
) -> Exported:
    """Write `target` and an example script beside it. source: a run folder or a model file.

    int8: weights in 8 bits. force: replace what is there. on_slow: told of a photo to check with that has been waited
    for a minute. Nothing is left behind where it fails or is stopped. Raises CatDogError (the codes of
    `messages.export`, disk_full, cannot_write), what `read_model` raises, Stopped.
    """
    check_installed()
    target = target.expanduser().absolute()
    example = target.with_name(f"{target.stem}_example.py")
    _check_place(target, example, force=force)
    model = read_model(source)
    graph = _graph(model, int8=int8)
    work = _Work(model, source, int8=int8, on_progress=on_progress, should_stop=should_stop, on_slow=on_slow)
    if int8:
        _note_loss(graph, work.compare(graph.SerializeToString()), work.photos)
    part = target.with_name(f".{target.name}.{uuid.uuid4().hex}.part")
    try:
        write_atomic(part, graph.SerializeToString(), shown=target)
        found = work.compare(str(part))
        work.refuse_if_wrong(found)
        _check_place(target, example, force=force)  # somebody may have been quicker
        write_atomic(example, _example_text(target.name))
        _put_in_place(part, target, example)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return Exported(
        file=str(target),
        format="onnx",
        checked=found.checked,
        agree=found.same if int8 else found.agree,
        largest_difference=found.largest_difference,
        mean_difference=found.mean_difference,
        precision="int8" if int8 else "fp32",
        photos=work.photos,
        example=str(example),
        size_mb=round(target.stat().st_size / 2**20, 2),
        own=work.own,
    )


def _check_place(target: Path, example: Path, *, force: bool) -> None:
    """Said before the work, not after it."""
    if target.is_dir():
        raise UsageError("export_target_folder", path=str(target), example=str(target / "model.onnx"))
    if not target.parent.is_dir():
        raise UsageError("export_no_folder", path=str(target.parent))
    for path in (target, example):
        if path.exists() and not force:
            raise UsageError("export_target_exists", path=str(path))


def _graph(model: Model, *, int8: bool) -> Any:  # noqa: ANN401 -- onnx.ModelProto
    from catdog_gui.engine.export import build

    try:
        graph = build.build(model)
    except (KeyError, ValueError, RuntimeError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError("export_impossible", network=model.network, reason=reason) from error
    if not int8:
        return graph
    from catdog_gui.engine.export import int8 as eight

    return eight.shortened(graph)


class _Work:
    """The pictures to check with and what the program says about them, in float32 on the processor."""

    def __init__(
        self,
        model: Model,
        source: Path,
        *,
        int8: bool,
        on_progress: OnProgress,
        should_stop: ShouldStop,
        on_slow: OnSlow,
    ) -> None:
        from catdog_gui.engine.export import photos

        self._model, self._int8 = model, int8
        self._on_progress, self._should_stop = on_progress, should_stop
        found = photos.pictures(source, model, should_stop, on_slow)
        self._pictures: Sequence[Picture] = found.pictures
        self.photos = found.source
        self._expected = self._answers("fp32")
        self.own = self._in_own_precision()

    def compare(self, file: str | bytes) -> Any:  # noqa: ANN401 -- check.Agreement
        """Raises CatDogError export_unreadable where ONNX Runtime cannot load or run the file."""
        from catdog_gui.engine.export import check

        total = len(self._pictures)

        def progress(done: int) -> None:
            self._on_progress(done, total)

        try:
            return check.compare(
                Answers(file), self._expected, self._pictures, self._model.limits, self._should_stop, progress
            )
        except (CatDogError, Stopped, MemoryError):
            raise
        except Exception as error:  # the runtime's own kinds of exception have no common name
            reason = str(error).splitlines()[0]
            raise CatDogError("export_unreadable", network=self._model.network, reason=reason) from error

    def refuse_if_wrong(self, found: Any) -> None:  # noqa: ANN401
        """Raises CatDogError export_differs, export_int8_poor."""
        fields = {"checked": found.checked, "difference": found.largest_difference}
        if self._int8 and found.same < _LEAST_SAME * found.checked:
            raise CatDogError("export_int8_poor", same=found.same, **fields)
        if not self._int8 and found.agree < found.checked:
            wrong = found.checked - found.agree
            raise CatDogError("export_differs", count=wrong, network=self._model.network, **fields)

    def _answers(self, precision: str) -> list[Prediction]:
        from catdog_gui.engine.answers.predict import Predictor

        predictor = Predictor(self._model, device="cpu", precision=precision)
        try:
            answers = list(predictor.predict_many(self._pictures, self._should_stop))
        finally:
            predictor.close()
        self._precision = predictor.precision
        return answers

    def _in_own_precision(self) -> OwnPrecision | None:
        """None where the model's own precision is float32, or the processor does not have it."""
        if self._model.precision == "fp32":
            return None
        own = self._answers("auto")
        if self._precision == "fp32":
            return None
        same = sum((a.top, a.verdict) == (b.top, b.verdict) for a, b in zip(own, self._expected, strict=True))
        furthest = max(
            abs(a.probabilities[name] - share)
            for a, b in zip(own, self._expected, strict=True)
            for name, share in b.probabilities.items()
        )
        return OwnPrecision(self._precision, same, furthest)


def _note_loss(graph: Any, found: Any, photos: str) -> None:  # noqa: ANN401 -- ModelProto, Agreement
    """Write into the file what 8 bits cost."""
    loss = {
        "same_class_and_verdict": found.same,
        "checked": found.checked,
        "largest_difference": found.largest_difference,
        "mean_difference": found.mean_difference,
        "photos": photos,
    }
    for name, value in (("precision", "int8 weights"), ("int8_loss", json.dumps(loss))):
        entry = next((entry for entry in graph.metadata_props if entry.key == name), None) or graph.metadata_props.add()
        entry.key, entry.value = name, value


def _example_text(name: str) -> bytes:
    text = _EXAMPLE.read_text(encoding="utf-8")
    return text.replace('MODEL = "model.onnx"', f"MODEL = {json.dumps(name)}").encode()


def _put_in_place(part: Path, target: Path, example: Path) -> None:
    try:
        part.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            example.unlink(missing_ok=True)
        raise write_error(error, target) from error
