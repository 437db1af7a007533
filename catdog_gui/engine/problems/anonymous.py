"""Texts and JSON values without names: what may leave this computer in a report about a problem.

What is known to be harmless stays (numbers, codes, settings, the program's and Python's own files); everything else is
replaced: names that are known word by word, and what looks like a path, a file or a quoted name.
"""

import contextlib
import dataclasses
import getpass
import os
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from catdog_gui.engine import home
from catdog_gui.engine.config import NETWORKS, PRESETS, TrainConfig
from catdog_gui.engine.messages import templates
from catdog_gui.engine.photos.names import PHOTO_ENDINGS, ending

_FILE = re.compile(r'File "([^"\n]+)", line')
_QUOTED = re.compile(
    r'"(?:\\.|[^"\\\n])*"' + r"|(?<!\w)b?'(?:\\.|[^'\\\n])*'(?!\w)" + "|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]*`"
)
_PIECE = r"[^\s\"'“”<>|*?]"
_PATH = re.compile(rf"(?:\b[A-Za-z]:[\\/]|\\\\|~[\\/]|(?<![\w<>])/){_PIECE}+(?: {_PIECE}*[\\/]{_PIECE}*)*")
_OURS = re.compile(r"(catdog_gui\.engine\.errors\.\w+): .*")  # the sentence names things, its code stands beside it
_LINK = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHOTO = re.compile(rf"[^\s\"'“”:,;()\[\]]+\.(?:{'|'.join(sorted(PHOTO_ENDINGS))})\b", re.IGNORECASE)
_VERSION = re.compile(r"v?\d+(\.\d+)*([.+-]?[a-z]{1,4}\d*)*", re.IGNORECASE)
_DEVICE = re.compile(r"auto|cpu|all|mps|cuda(:\d+)?")
_HARDWARE = frozenset({"device_name", "processor", "driver", "machine", "torch", "cudnn"})  # keys of what has no owner
_SHORTEST = 2  # letters of a name that is looked for in a text


class Anonymizer:
    """Replaces names by numbers, the same name always by the same number."""

    def __init__(self) -> None:
        self._numbers: dict[str, str] = {}
        self._known: dict[str, str] = {}
        for name, stands_for in _of_this_computer():
            self._learn(name, stands_for)

    def learn_classes(self, classes: Iterable[str]) -> None:
        for name in classes:
            if name not in self._numbers:
                number = 1 + sum(word.startswith("class-") for word in self._numbers.values())
                self._numbers[name] = f"class-{number}"
            self._learn(name, self._numbers[name])

    def learn_names(self, names: Iterable[str]) -> None:
        """Private words that may stand in a text: files, folders, people."""
        for name in names:
            if name and not name.isdecimal():
                self._learn(name, self.name(name))

    def name(self, value: str) -> str:
        """The stand-in of a name, a path or any other text; a photo keeps its ending."""
        if value not in self._numbers:
            kind = ending(value)
            tail = f".{kind}" if kind in PHOTO_ENDINGS else ""
            self._numbers[value] = f"name-{len(self._numbers) + 1}{tail}"
        return self._numbers[value]

    def value(self, value: object, key: str = "") -> object:
        """A JSON value: numbers and the program's own words stay, any other text gets its stand-in."""
        if isinstance(value, Mapping):
            return {self._key(str(name)): self.value(item, str(name)) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item, key) for item in value]
        if not isinstance(value, str):
            return value
        if value in self._numbers:
            return self._numbers[value]
        if not value or value in vocabulary() or _DEVICE.fullmatch(value) or _VERSION.fullmatch(value):
            return value
        return self.text(value) if key in _HARDWARE else self.name(value)

    def prose(self, value: object) -> object:
        """A JSON value in which people may read: each text by `text`."""
        if isinstance(value, Mapping):
            return {name: self.prose(item) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.prose(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        """A log, a traceback, a sentence: without names, places, and quoted words that are not ours."""
        text = _OURS.sub(r"\1", text)
        text = _FILE.sub(lambda found: f"File <{_source(found[1])}>, line", text)
        for name, stand_in in sorted(self._known.items(), key=lambda item: -len(item[0])):
            if name.lower() in text.lower():
                text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", stand_in, text, flags=re.IGNORECASE)
        text = _LINK.sub("<address>", text)
        text = _QUOTED.sub(self._quoted, text)
        text = _PATH.sub("<path>", text)
        return _PHOTO.sub("<photo>", text)

    def _learn(self, name: str, stands_for: str) -> None:
        if len(name) >= _SHORTEST and name not in vocabulary():
            self._known[name] = f"<{stands_for}>"

    def _key(self, key: str) -> str:
        return self._numbers.get(key) or (key if key.isidentifier() and key.isascii() else self.name(key))

    def _quoted(self, found: "re.Match[str]") -> str:
        inside = found[0].strip("b\"'“”‘’«»`")
        known = inside in vocabulary() or _DEVICE.fullmatch(inside) or _VERSION.fullmatch(inside)
        stand_in = re.fullmatch(r"<[\w.-]+>", inside)
        return found[0] if known or stand_in or not inside else "<…>"


def _of_this_computer() -> list[tuple[str, str]]:
    """Who uses it, what it is called, and the places that tell."""
    found = [(str(home.home()), "home of the program"), (str(Path.home()), "user folder"), (Path.home().name, "user")]
    found.append((platform.node(), "computer"))
    with contextlib.suppress(OSError, KeyError, ImportError):  # a container without users
        found.append((getpass.getuser(), "user"))
    return [(name, stands_for) for name, stands_for in found if name.strip("/\\")]


def _source(file: str) -> str:
    """A file of a traceback: what is under the program's or Python's folders from there on, else nothing of it."""
    program = Path(__file__).resolve().parents[3]
    places = ((program, "program"), (Path(sys.prefix), "python"), (Path(sys.base_prefix), "python"))
    for place, word in places:
        try:
            return f"{word}/{Path(file).relative_to(place).as_posix()}"
        except ValueError:
            continue
    return file if file.startswith("<") and file.endswith(">") and os.sep not in file else "elsewhere"


@cache
def vocabulary() -> frozenset[str]:
    """Words that say nothing about anybody: codes, settings and their choices, events' types, modules, networks."""
    from catdog_gui.engine import events

    words = {*templates(), *events.EVENTS, *events.PHASES, *NETWORKS, *PRESETS, *sys.stdlib_module_names}
    words |= {"completed", "stopped", "failed", "running", "ram", "cuda", "mps", "cpu", "light", "dark", "system"}
    words |= {"torch", "numpy", "PIL", "openvino", "safetensors", "PySide6", "pyqtgraph", "catdog_gui", "NoneType"}
    classes: tuple[type[TrainConfig | events.Event], ...] = (TrainConfig, *events.EVENTS.values())
    for cls in classes:
        for item in dataclasses.fields(cls):
            words |= {item.name, *(item.metadata.get("choices") or ())}
    return frozenset(words)
