"""The translations are complete, current, and safe: their fields, links and keys are those of the English texts."""

import ast
import importlib.util
import re
import string
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QTranslator

ROOT = Path(__file__).resolve().parent.parent


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("update_translations", ROOT / "scripts" / "update_translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


UPDATE = script()


def fields(text: str) -> list[tuple[str, str | None]]:
    """Names of the fields with their formats, sorted."""
    return sorted(
        (name, form) for _words, name, form, _conversion in string.Formatter().parse(text) if name is not None
    )


@pytest.fixture(scope="module")
def sources() -> dict[tuple[str, str], None]:
    return UPDATE.find_sources()


def test_the_texts_of_the_window_and_of_the_engine_are_found(sources: dict[tuple[str, str], None]) -> None:
    assert ("Menus", "&File") in sources
    assert ("TrainBar", "Train again") in sources
    assert ("messages", "{count} photos are exact copies of others. Copies stay on one side of the split.") in sources
    assert ("settings", "Passes over the training photos.") in sources


def test_no_text_is_hidden_from_the_search_inside_an_f_string() -> None:
    """Qt's lupdate finds no `tr` in there, so that such a text would stay English in every language."""
    hidden = []
    for file in sorted((ROOT / "catdog_gui" / "ui").glob("*.py")):
        strings = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)]
        calls = [node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)]
        names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
        hidden += [file.name for name in names if name in ("tr", "translate")]

    assert hidden == []


@pytest.mark.parametrize("language", UPDATE.LANGUAGES)
def test_every_text_is_translated_and_none_is_left_over(sources: dict[tuple[str, str], None], language: str) -> None:
    translations = UPDATE.read_translations(language)

    assert [key for key in sources if key not in translations] == []
    assert [key for key in translations if key not in sources] == []


@pytest.mark.parametrize("language", UPDATE.LANGUAGES)
def test_fields_links_and_menu_keys_are_those_of_the_english_text(language: str) -> None:
    for (context, text), translation in UPDATE.read_translations(language).items():
        assert fields(translation) == fields(text), text
        assert re.findall(r"</?[ab]>", translation) == re.findall(r"</?[ab]>", text), text
        if context == "Menus":
            assert translation.count("&") == text.count("&"), text


@pytest.mark.parametrize("language", UPDATE.LANGUAGES)
def test_no_two_menus_have_the_same_key(language: str) -> None:
    texts = UPDATE.read_translations(language).items()
    keys = [
        words[words.index("&") + 1].lower() for (context, _text), words in texts if context == "Menus" and "&" in words
    ]

    assert len(keys) == len(set(keys)) == 6


@pytest.mark.parametrize("language", UPDATE.LANGUAGES)
def test_the_compiled_file_says_the_same(language: str) -> None:
    translator = QTranslator()
    assert translator.load(str(UPDATE.ts_file(language).with_suffix(".qm")))

    for (context, text), translation in UPDATE.read_translations(language).items():
        assert translator.translate(context, text) == translation, text


DU = r"""(?:^|[.!?:;]\s|\boder |\bdann )(?:\W*)(Mach|Lege?|Beginne|Wähle?|Öffne|Ziehe?|Nimm|Gib|Prüfe|Starte|Schließe?
|Trainiere|Versuche?|Kopiere|Nenne|Warte|Installiere|Lösche|Drücke?|Klicke?|Lade|Bringe?|Stelle?|Setze?|Halte?|Füge?|Ändere
|Gehe?|Lasse?|Entpacke|Probiere?|Verwende|Beende|Schau|Sieh)\b"""


def test_german_speaks_to_the_reader_in_one_form_and_with_its_own_quotes() -> None:
    imperative = re.compile(DU.replace("\n", ""), re.IGNORECASE)
    for (_context, text), german in UPDATE.read_translations("de").items():
        assert not re.search(r"\b([Dd]u|[Dd]ir|[Dd]ich|[Dd]ein\w*)\b", german), text
        assert not re.search(imperative, german), text
        assert not re.search('["”‘’]', german), text
        assert german.count("„") == german.count("“"), text
