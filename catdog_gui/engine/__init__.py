"""The engine, for programs: loaded when first used, so that importing this costs nothing."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catdog_gui.engine.answers.predict import load_model
    from catdog_gui.engine.config import TrainConfig, preset
    from catdog_gui.engine.devices import auto_device, get_optimal_device
    from catdog_gui.engine.learning.trainer import Trainer
    from catdog_gui.engine.training.run import fit

__all__ = ["TrainConfig", "Trainer", "auto_device", "fit", "get_optimal_device", "load_model", "preset"]

_HOMES = {
    "TrainConfig": "config",
    "Trainer": "learning.trainer",
    "auto_device": "devices",
    "fit": "training.run",
    "get_optimal_device": "devices",
    "load_model": "answers.predict",
    "preset": "config",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 -- whatever the module holds
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
