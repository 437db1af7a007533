"""Every setting of a run, declared once: the form, the command line and `config.json` are made from these fields."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from catdog_gui.engine.errors import ConfigError

SCHEMA = 1
Preset = Literal["fast", "balanced", "best", "article"]
PRESETS: tuple[Preset, ...] = ("fast", "balanced", "best", "article")
NETWORKS = (
    "efficientnet_lite0",
    "resnet18",
    "resnet34",
    "resnet50",
    "mobilenet_v3_small",
    "mobilenet_v3_large",
    "efficientnet_v2_s",
    "convnext_tiny",
    "small_cnn",
)

# What to try where memory does not suffice for a network.
SMALLER = {
    "resnet50": "resnet34",
    "resnet34": "resnet18",
    "resnet18": "mobilenet_v3_small",
    "mobilenet_v3_large": "mobilenet_v3_small",
    "efficientnet_v2_s": "efficientnet_lite0",
    "convnext_tiny": "resnet18",
}


def _setting(
    default: Any,  # noqa: ANN401 -- any field type
    help: str,  # noqa: A002 -- argparse's word
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
    metavar: str | None = None,
) -> Any:  # noqa: ANN401
    """A field with what the form and the command line need to know. low, high: inclusive; help: an English sentence."""
    metadata = {"help": help, "unit": unit, "low": low, "high": high, "choices": choices, "metavar": metavar}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainConfig:
    """All settings of one run. Make variants with `dataclasses.replace`; check with `validated()`."""

    data: Path | None = _setting(None, "Folder with one sub-folder per class.", metavar="DATA")
    preset: Preset = _setting("fast", "How much work to put in.", choices=PRESETS)
    device: str = _setting(
        "auto",
        "Where to compute: auto, cpu, cuda, cuda:N, mps, or all (every card of this computer).",
        metavar="DEVICE",
    )
    epochs: int = _setting(20, "Passes over the training photos.", low=1, high=100_000)
    batch_size: int = _setting(64, "Photos in one step.", unit="photos", low=1, high=8192)
    image_size: int = _setting(224, "Side of the square the network sees.", unit="px", low=32, high=1024)
    model: str = _setting("efficientnet_lite0", "Network.", choices=NETWORKS)
    pretrained: bool = _setting(True, "Start from weights learned on ImageNet.")
    trainable: Literal["head", "upper", "all"] = _setting(
        "head", "Which part learns: the last layer, the upper stages, or all.", choices=("head", "upper", "all")
    )
    fit: Literal["crop", "squash"] = _setting(
        "crop", "How a photo becomes a square: cropped, or squashed.", choices=("crop", "squash")
    )
    augment: bool = _setting(False, "Vary the photos while learning (mirror, turn, zoom, light).")
    variations: int = _setting(
        0, "Varied versions of each photo that the upper stages learn from too, computed once.", low=0, high=64
    )
    precision: Literal["auto", "fp32", "bf16", "fp16"] = _setting(
        "auto", "Number format while computing.", choices=("auto", "fp32", "bf16", "fp16")
    )
    optimizer: Literal["adam", "adamw", "sgd"] = _setting("adam", "Optimizer.", choices=("adam", "adamw", "sgd"))
    learning_rate: float = _setting(1e-3, "Largest learning rate.", low=1e-7, high=10.0)
    weight_decay: float = _setting(0.15, "Weight decay.", low=0.0, high=10.0)
    warmup: float = _setting(0.05, "Share of all steps in which the learning rate rises.", low=0.0, high=0.9)
    schedule: Literal["cosine", "constant"] = _setting(
        "cosine", "How the learning rate falls.", choices=("cosine", "constant")
    )
    label_smoothing: float = _setting(0.0, "Label smoothing.", low=0.0, high=0.5)
    patience: int = _setting(10, "Stop after this many epochs without a better one; 0 = never.", low=0, high=100_000)
    val: Path | None = _setting(None, "Folder with the photos to check with, one sub-folder per class.", metavar="DIR")
    val_fraction: float = _setting(0.2, "Share of the photos kept back for checking.", low=0.01, high=0.9)
    use_split: bool = _setting(True, "Use train and validation folders as the split where the dataset has them.")
    workers: int = _setting(0, "Threads that read photos; 0 = as many as there are cores.", low=0, high=256)
    pin_memory: Literal["auto", "on", "off"] = _setting(
        "auto", "Page-locked memory for copies to a card.", choices=("auto", "on", "off")
    )
    accumulate: int = _setting(1, "Parts in which one step is computed, to save memory.", low=1, high=1024)
    checkpointing: bool = _setting(False, "Compute activations twice to save memory.")
    empty_cache_every: int = _setting(0, "Free the card's cache every N steps; 0 = never.", low=0, high=1_000_000)
    disk_full: Literal["go_on", "stop"] = _setting(
        "go_on", "When the disk is full while learning: go on and try again later, or stop.", choices=("go_on", "stop")
    )
    seed: int = _setting(0, "Seed of every random choice.", low=0, high=2**31 - 1)
    run: Path | None = _setting(None, "Run folder to make; must be empty or absent.", metavar="DIR")

    @property
    def learns_all(self) -> bool:
        """Whether no stage is frozen. Varied photos pass through each anew; one of random weights learns then."""
        return self.trainable == "all" or (self.trainable == "upper" and self.augment and not self.pretrained)

    @property
    def stores_photos(self) -> bool:
        """Whether the store holds photos, for every epoch anew, and not what the frozen stages make of them."""
        return self.learns_all or (self.trainable == "upper" and self.augment)

    @property
    def stored_variations(self) -> int:
        """How many varied versions of a photo the store holds beside what the frozen stages make of it as it is."""
        return self.variations if self.trainable == "upper" and not self.stores_photos else 0

    def validated(self) -> "TrainConfig":
        """Return self. Raises ConfigError (setting_type, setting_range, setting_choice) for the first bad field."""
        for item in dataclasses.fields(self):
            _check(item.name, getattr(self, item.name), item.metadata, item.default)
        return self

    def to_json(self) -> dict[str, Any]:
        values = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return {"schema": SCHEMA} | {k: str(v) if isinstance(v, Path) else v for k, v in values.items()}


def _check(name: str, value: object, metadata: Mapping[str, Any], default: object) -> None:
    if metadata["choices"] is not None:
        if value not in metadata["choices"]:
            raise ConfigError("setting_choice", name, value=str(value), choices=", ".join(metadata["choices"]))
        return
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ConfigError("setting_type", name, value=str(value))
        return
    if isinstance(default, int | float):
        kinds = int if isinstance(default, int) else int | float
        infinite = isinstance(value, float) and not math.isfinite(value)
        if not isinstance(value, kinds) or isinstance(value, bool) or infinite:
            raise ConfigError("setting_type", name, value=str(value))
        if not metadata["low"] <= value <= metadata["high"]:
            raise ConfigError("setting_range", name, value=value, low=metadata["low"], high=metadata["high"])
    elif not (isinstance(value, str) if isinstance(default, str) else value is None or isinstance(value, Path)):
        raise ConfigError("setting_type", name, value=str(value))


# Each preset: only what differs from the defaults, with its reason.
_OVERRIDES: dict[Preset, dict[str, Any]] = {
    # A linear head on frozen features: seconds, and within a point of anything slower on photos of common things.
    # Adam's coupled decay, strong: on 2,000 photos (2 x 5 folds, cross-fitted) log loss 0.0456, with 0.02 it is 0.0473.
    # The defaults, so that `fit(TrainConfig(data=...))` is this.
    "fast": {},
    # The upper stages learn too, from each photo and a few versions of it, which pass through the lower ones once:
    # four, one for every second epoch. Of 400 photos turned by 90 and 180 degrees 1.5 and 1.8 % are surely wrong
    # (without them 2.5 and 4.0 %), of such that have a tenth of their light 0.0 % (6.5 %).
    "balanced": {
        "trainable": "upper",
        "variations": 4,
        "epochs": 8,
        "optimizer": "adamw",
        "learning_rate": 2e-4,
        "weight_decay": 1e-4,
        "batch_size": 32,
        "patience": 4,
    },
    # The upper stages learn, on photos that are varied anew in every epoch. Of 1,600 photos the lower stages learn
    # nothing that lasts: with them it took eight times as long, and no epoch was better than the start.
    "best": {
        "trainable": "upper",
        "epochs": 8,
        "optimizer": "adamw",
        "learning_rate": 2e-4,
        "weight_decay": 1e-4,
        "batch_size": 32,
        "augment": True,
        "patience": 0,
    },
    # The article's own recipe: small CNN from scratch, squashed to 224 px, Adam 1e-3, batch 64, 10 epochs.
    "article": {
        "model": "small_cnn",
        "pretrained": False,
        "trainable": "all",
        "fit": "squash",
        "optimizer": "adam",
        "learning_rate": 1e-3,
        "weight_decay": 0.0,
        "warmup": 0.0,
        "schedule": "constant",
        "epochs": 10,
        "batch_size": 64,
        "patience": 0,
    },
}
assert set(_OVERRIDES) == set(PRESETS)


def preset(name: str) -> TrainConfig:
    """The settings of a preset. Raises ConfigError (setting_choice)."""
    if name not in PRESETS:
        raise ConfigError("setting_choice", "preset", value=name, choices=", ".join(PRESETS))
    return dataclasses.replace(TrainConfig(), preset=name, **_OVERRIDES[name])


def from_json(values: Mapping[str, Any]) -> TrainConfig:
    """The settings of a `config.json`. Unknown keys are ignored, missing ones take the preset's. Raises ConfigError."""
    base = preset(str(values.get("preset", "fast")))
    known = {item.name for item in dataclasses.fields(TrainConfig)}
    found = {key: value for key, value in values.items() if key in known}
    for name in ("data", "val", "run"):
        if isinstance(found.get(name), str):
            found[name] = Path(found[name])
    return dataclasses.replace(base, **found).validated()
