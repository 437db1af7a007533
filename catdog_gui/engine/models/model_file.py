"""The only reader and writer of model files: safetensors, with one metadata key `catdog` that holds JSON.

Read whole into memory and checked before anything is used: no pickle, no code, no mapping that blocks a replacement.
"""

import hashlib
import io
import json
import struct
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from catdog_gui import __version__
from catdog_gui.engine.config import NETWORKS
from catdog_gui.engine.errors import CatDogError, InputError
from catdog_gui.engine.files import write_atomic
from catdog_gui.engine.models.limits import NEVER, Limits
from catdog_gui.engine.networks.tensor_file import from_bytes, to_bytes
from catdog_gui.engine.photos.images import Recipe

SCHEMA = 1
KEY = "catdog"
SUFFIX = ".safetensors"
CHECKS = ("check.share", "check.right", "check.novelty")
CHECK_POORNESS = "check.poorness"
CHECK_PHOTOS, CHECK_ANSWERS = "check.photos", "check.answers"
POOR = ("poor.weight", "poor.bias")
_LARGEST = 2 * 2**30  # bytes of a model file
_LARGEST_HEADER = 8 * 2**20
_FIRST_NAME = 4096  # bytes in which a checkpoint names its pickle, the first entry that torch writes
_MOST_CLASSES = 100_000
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Model:
    """All that is needed to answer.

    tensors: the network's state by name ("stages.*", "head.*"); "novelty.vectors" (K, F) float16 unit rows, with
    "novelty.photos" (K,) int32 the lines of the run's photos.jsonl they belong to and "novelty.labels" (K,) int32 their
    classes (older files have neither); "check.*" (N,) the checked photos, see `carefulness.CheckFigures`;
    "poor.weight" (F,) and "poor.bias" (1,) how poor a photo looks, see `poorness.Poorness` (may both be absent).
    temperature: 1.0 and calibrated False until it was fitted. validation: the figures shown after the run.
    rule: the limits by the written rule where the user chose others (`careful`: how many steps, 0 = the rule's).
    """

    network: str
    classes: tuple[str, ...]
    recipe: Recipe
    tensors: dict[str, Array]
    limits: Limits = field(default_factory=Limits)
    temperature: float = 1.0
    calibrated: bool = False
    precision: str = "fp32"
    validation: dict[str, Any] = field(default_factory=dict)
    trained: dict[str, Any] = field(default_factory=dict)  # preset, epoch, when, versions
    careful: int = 0
    rule: Limits | None = None

    @property
    def vectors(self) -> Array:
        """(K, F) float16; (0, 0) where there are none."""
        return self.tensors.get("novelty.vectors", np.zeros((0, 0), np.float16))

    @property
    def photos(self) -> Array:
        """(K,) which photo of the run each vector belongs to; (0,) where that is not known."""
        return self.tensors.get("novelty.photos", np.zeros(0, np.int32))

    @property
    def photo_labels(self) -> Array:
        """(K,) class of each vector's photo; (0,) where that is not known."""
        return self.tensors.get("novelty.labels", np.zeros(0, np.int32))

    @property
    def rule_limits(self) -> Limits:
        """The limits by the written rule, whatever the user chose since."""
        return self.rule or self.limits


def save_model(model: Model, path: Path) -> None:
    """Write atomically. Raises CatDogError (not_finite_weights, disk_full, cannot_write)."""
    for name, value in model.tensors.items():
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise CatDogError("not_finite_weights", name=name)
    description = {
        "schema": SCHEMA,
        "program": __version__,
        "network": model.network,
        "image_size": model.recipe.size,
        "classes": list(model.classes),
        "preprocessing": model.recipe.to_json(),
        "calibration": {"temperature": model.temperature, "calibrated": model.calibrated},
        "thresholds": _thresholds(model),
        "precision": model.precision,
        "validation": model.validation,
        "trained": model.trained,
    }
    tensors = {name: np.ascontiguousarray(value) for name, value in model.tensors.items()}
    description["checksum"] = checksum(tensors)
    write_atomic(path, to_bytes(tensors, metadata={KEY: json.dumps(description, ensure_ascii=False)}))


def _thresholds(model: Model) -> dict[str, Any]:
    found: dict[str, Any] = asdict(model.limits)
    if model.careful:
        found |= {"careful": model.careful, "rule": asdict(model.rule_limits)}
    return found


def read_model(path: Path) -> Model:
    """Read a model of this program. A folder means the run in it. Its network's tensors are checked when it is built.

    Raises InputError: not_a_model, model_is_pickle, model_damaged, model_too_new, network_unknown, no_model_in_run,
    model_missing.
    """
    try:
        path = model_path(path)
        data = _read(path)
    except OSError as error:
        raise InputError("cannot_read", path=str(path), reason=error.strerror or str(error)) from error
    description = _description(data, path)
    tensors = _tensors(data, path)
    try:
        return _model(description, tensors)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError("model_damaged", path=str(path), reason=str(error)) from error


def model_path(path: Path) -> Path:
    """The path itself, or the model in that run folder. Raises InputError not_a_run, no_model_in_run."""
    if path.is_dir():
        if not (path / "model.safetensors").is_file():
            if not (path / "config.json").is_file():
                raise InputError("not_a_run", path=str(path))
            raise InputError("no_model_in_run", path=str(path))
        return path / "model.safetensors"
    return path


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise InputError("model_missing", path=str(path))
    if path.stat().st_size > _LARGEST:
        raise InputError("not_a_model", path=str(path))
    return path.read_bytes()


def _description(data: bytes, path: Path) -> dict[str, Any]:
    header = _header(data, path)
    metadata = header.get("__metadata__")
    text = metadata.get(KEY) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        raise InputError("not_a_model", path=str(path))
    try:
        description = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("model_damaged", path=str(path), reason="metadata") from error
    if not isinstance(description, dict):
        raise InputError("model_damaged", path=str(path), reason="metadata")
    if not isinstance(description.get("schema"), int):
        raise InputError("model_damaged", path=str(path), reason="schema")
    if description["schema"] > SCHEMA:
        raise InputError("model_too_new", path=str(path), program=str(description.get("program")))
    if (network := description.get("network")) not in NETWORKS:
        raise InputError("network_unknown", path=str(path), network=str(network), version=__version__)
    return description


def _header(data: bytes, path: Path) -> dict[str, Any]:
    """The JSON head: 8 bytes of length, then the object. Anything else is not safetensors."""
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else 0
    if not 2 <= length <= _LARGEST_HEADER or data[8:9] != b"{":  # first: a length may look like a pickle's start
        raise InputError("model_is_pickle" if _is_pickle(data) else "not_a_model", path=str(path))
    if 8 + length > len(data):
        raise InputError("model_damaged", path=str(path), reason="cut")
    try:
        header = json.loads(data[8 : 8 + length])
    except (ValueError, RecursionError) as error:
        raise InputError("model_damaged", path=str(path), reason="header") from error
    if not isinstance(header, dict):
        raise InputError("model_damaged", path=str(path), reason="header")
    return header


def _is_pickle(data: bytes) -> bool:
    """A pickle, or a zip with one in it, as torch writes them; a zip that was cut off is taken for one."""
    if data[:2] != b"PK":
        return data[:1] == b"\x80"
    import zipfile

    return b".pkl" in data[:_FIRST_NAME] or not zipfile.is_zipfile(io.BytesIO(data))


def _tensors(data: bytes, path: Path) -> dict[str, Array]:
    try:
        return from_bytes(data)
    except ValueError as error:
        raise InputError("model_damaged", path=str(path), reason=str(error)) from error


def _model(description: dict[str, Any], tensors: dict[str, Array]) -> Model:
    classes = description["classes"]
    if not isinstance(classes, list) or not 2 <= len(classes) <= _MOST_CLASSES:
        raise ValueError("classes")
    if not all(isinstance(name, str) and name for name in classes) or len(set(classes)) != len(classes):
        raise ValueError("classes")
    temperature = float(description["calibration"]["temperature"])
    if not 1e-3 < temperature < 1e3:
        raise ValueError("temperature")
    _check_tensors(tensors, len(classes))
    if description.get("checksum") not in (None, checksum(tensors)):
        raise ValueError("checksum")
    thresholds = description["thresholds"]
    careful, rule = int(thresholds.get("careful", 0)), thresholds.get("rule")
    return Model(
        network=str(description["network"]),
        classes=tuple(classes),
        recipe=Recipe.from_json(description["preprocessing"]),
        tensors=tensors,
        limits=_limits(thresholds),
        temperature=temperature,
        calibrated=bool(description["calibration"]["calibrated"]),
        precision=str(description.get("precision", "fp32")),
        validation=dict(description.get("validation") or {}),
        trained=dict(description.get("trained") or {}),
        careful=careful,
        rule=None if rule is None else _limits(rule),
    )


def _limits(values: dict[str, Any]) -> Limits:
    slope, poor = float(values.get("slope", 0.0)), float(values.get("poor", 0.0))
    limits = Limits(float(values["sure"]), float(values["novelty"]), slope, poor)
    if not (0 <= limits.sure <= NEVER and 0 <= limits.novelty <= 1e3 and 0 <= slope <= 1e9 and 0 <= poor <= 1e9):
        raise ValueError("thresholds")
    return limits


def checksum(tensors: dict[str, Array]) -> str:
    """Of names, shapes and values, in an order that does not depend on the file's: a flipped bit changes answers."""
    hasher = hashlib.blake2b(digest_size=16)
    for name in sorted(tensors):
        value = np.ascontiguousarray(tensors[name])
        hasher.update(f"{name} {value.dtype.str} {value.shape}".encode())
        hasher.update(value.tobytes())
    return hasher.hexdigest()


def _check_figures(tensors: dict[str, Array], features: int) -> None:
    """Of the checked photos, and how poor a photo looks: all of one length, each with what it needs."""
    for name in (CHECK_PHOTOS, CHECK_ANSWERS):
        if name in tensors and tensors[name].dtype.kind != "i":
            raise ValueError("check")
    names = [name for name in (*CHECKS, CHECK_POORNESS, CHECK_PHOTOS, CHECK_ANSWERS) if name in tensors]
    checks = [tensors[name] for name in names]
    if checks and (names[:3] != list(CHECKS) or any(c.ndim != 1 or c.shape != checks[0].shape for c in checks)):
        raise ValueError("check")
    poor = [tensors[name] for name in POOR if name in tensors]
    if poor and [value.shape for value in poor] != [(features,), (1,)]:
        raise ValueError("poor")


def _check_tensors(tensors: dict[str, Array], classes: int) -> None:
    weight, bias = tensors["head.weight"], tensors["head.bias"]
    if any(value.dtype.kind not in "fiub" for value in tensors.values()) or weight.dtype.kind != "f":
        raise ValueError("dtype")
    if weight.ndim != 2 or weight.shape[0] != classes or bias.shape != (classes,):
        raise ValueError("head")
    vectors = tensors.get("novelty.vectors")
    if vectors is not None and (vectors.ndim != 2 or (len(vectors) and vectors.shape[1] != weight.shape[1])):
        raise ValueError("novelty.vectors")
    for name in ("novelty.photos", "novelty.labels"):
        column = tensors.get(name)
        if column is not None and (column.dtype.kind != "i" or vectors is None or column.shape != vectors.shape[:1]):
            raise ValueError(name)
    _check_figures(tensors, weight.shape[1])
    for name, value in tensors.items():
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise ValueError(name)
