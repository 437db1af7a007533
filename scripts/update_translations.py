"""Bring resources/i18n up to date with the texts of the program, and compile it.

    python scripts/update_translations.py

Texts of the window are found by Qt's lupdate; the sentences of the engine (context "messages") and the explanations of
the settings are tables, and are added from there. Translations that are there stay; what has none is left out of the
compiled file and listed. To begin a language, add it to LANGUAGES.
"""

import dataclasses
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
LANGUAGES = ("de",)
MENUS = "Menus"  # its texts reach lupdate without a class

Sources = dict[tuple[str, str], None]  # (context, text), in the order of the files


def ts_file(language: str) -> Path:
    return FOLDER / f"catdog_gui_{language}.ts"


def find_sources() -> Sources:
    """Every text that a person may see, with its context."""
    with tempfile.TemporaryDirectory() as name:
        found = Path(name) / "found.ts"
        files = sorted(str(path) for path in (ROOT / "catdog_gui" / "ui").glob("*.py"))
        _qt("lupdate", "-locations", "none", *files, "-ts", str(found))
        sources = dict.fromkeys((context, text) for context, text, _german in _messages(found))
    return sources | dict.fromkeys(_tables())


def read_translations(language: str) -> dict[tuple[str, str], str]:
    """What is translated: (context, text) -> translation."""
    file = ts_file(language)
    if not file.exists():
        return {}
    return {(context, text): translation for context, text, translation in _messages(file) if translation}


def _tables() -> Iterator[tuple[str, str]]:
    sys.path.insert(0, str(ROOT))
    from catdog_gui.engine.config import TrainConfig
    from catdog_gui.engine.messages import templates

    for template in templates().values():
        for form in (template,) if isinstance(template, str) else template:
            yield "messages", form
    for item in dataclasses.fields(TrainConfig):
        yield "settings", item.metadata["help"]


def _messages(file: Path) -> Iterator[tuple[str, str, str]]:
    for context in ET.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            yield (
                context.findtext("name") or MENUS,
                message.findtext("source") or "",
                message.findtext("translation") or "",
            )


def write(language: str, sources: Sources, translations: Mapping[tuple[str, str], str]) -> list[str]:
    """Write the .ts file. Returns the texts without a translation."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    missing = []
    for name in sorted({context for context, _text in sources}):
        context = ET.SubElement(root, "context")
        ET.SubElement(context, "name").text = name
        for key in (key for key in sources if key[0] == name):
            message = ET.SubElement(context, "message")
            ET.SubElement(message, "source").text = key[1]
            translation = ET.SubElement(message, "translation")
            translation.text = translations.get(key)
            if not translation.text:
                translation.set("type", "unfinished")
                missing.append(key[1])
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    ts_file(language).write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{text}\n', encoding="utf-8")
    return missing


def _qt(tool: str, *arguments: str) -> None:
    """Run a tool of Qt; PySide6-Essentials brings it."""
    program = shutil.which(f"pyside6-{tool}", path=str(Path(sys.executable).parent)) or f"pyside6-{tool}"
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    sources = find_sources()
    unfinished = False
    for language in LANGUAGES:
        missing = write(language, sources, read_translations(language))
        _qt("lrelease", str(ts_file(language)), "-qm", str(ts_file(language).with_suffix(".qm")))
        print(f"{language}: {len(sources) - len(missing)} of {len(sources)} texts")
        for text in missing:
            print(f"  without translation: {text}")
        unfinished = unfinished or bool(missing)
    return 1 if unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
