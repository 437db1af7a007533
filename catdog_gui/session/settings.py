"""What the window remembers between two starts. Only what differs from the defaults is written."""

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catdog_gui.engine.config import PRESETS
from catdog_gui.engine.files import write_error, write_json
from catdog_gui.engine.home import settings_file

SCHEMA = 1
MOST_RECENT = 8

Overrides = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Settings:
    """recent: folders, newest first. device: the id the user chose, "" = the best one that works.

    overrides: preset -> setting -> value, what the user changed under Advanced. geometry: the window's, base64.
    left_run: the run that was stopped last because the window was closed, "" = none.
    places: kind of file dialog -> the folder it was used in last.
    """

    recent: tuple[str, ...] = ()
    device: str = ""
    preset: str = "fast"
    advanced_open: bool = False
    overrides: Overrides = field(default_factory=dict)
    geometry: str = ""
    appearance: str = "system"
    left_run: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def with_recent(self, folder: Path) -> "Settings":
        """The settings with the folder as the newest of the recent ones."""
        path = str(folder)
        others = tuple(item for item in self.recent if item != path)
        return dataclasses.replace(self, recent=(path, *others)[:MOST_RECENT])

    def with_overrides(self, preset: str, values: Mapping[str, Any]) -> "Settings":
        """The settings with these changes of one preset; an empty mapping forgets them."""
        kept = {name: dict(changes) for name, changes in self.overrides.items() if name != preset}
        return dataclasses.replace(self, overrides={**kept, preset: dict(values)} if values else kept)


# One step a version: the raw values of schema N become those of N + 1.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def load(path: Path | None = None) -> Settings:
    """The remembered settings. A damaged file is kept aside (`.damaged`) and the defaults are returned."""
    path = path or settings_file()
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return _from_json(raw)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        _keep_aside(path)
        return Settings()


def save(settings: Settings, path: Path | None = None) -> None:
    """Replace the file in one step. Raises CatDogError (disk_full, cannot_write)."""
    path = path or settings_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(error, path) from error
    write_json(path, _to_json(settings))


def _to_json(settings: Settings) -> dict[str, Any]:
    defaults = Settings()
    values = {item.name: getattr(settings, item.name) for item in dataclasses.fields(settings)}
    return {"schema": SCHEMA} | {key: value for key, value in values.items() if value != getattr(defaults, key)}


def _from_json(raw: dict[str, Any]) -> Settings:
    version = int(raw.get("schema", SCHEMA))
    while version in UPGRADES:
        raw = UPGRADES[version](raw)
        version += 1
    return Settings(
        recent=tuple(item for item in raw.get("recent", ()) if isinstance(item, str))[:MOST_RECENT],
        device=_text(raw, "device", ""),
        preset=raw["preset"] if raw.get("preset") in PRESETS else "fast",
        advanced_open=raw.get("advanced_open") is True,
        overrides={
            name: dict(values) for name, values in dict(raw.get("overrides", {})).items() if name in PRESETS and values
        },
        geometry=_text(raw, "geometry", ""),
        appearance=raw["appearance"] if raw.get("appearance") in ("light", "dark") else "system",
        left_run=_text(raw, "left_run", ""),
        places={kind: place for kind, place in dict(raw.get("places", {})).items() if isinstance(place, str)},
    )


def _text(raw: Mapping[str, Any], key: str, default: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else default


def _keep_aside(path: Path) -> None:
    try:
        path.replace(path.with_name(path.name + ".damaged"))
    except OSError:
        return
