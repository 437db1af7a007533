"""Every code has one sentence, and every sentence can be said."""

import ast
import importlib
import pkgutil
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from catdog_gui.engine import messages

SOURCES = sorted(Path(messages.__file__).parents[2].rglob("*.py"))


def message_tables() -> dict[str, dict[str, messages.Template]]:
    names = [info.name for info in pkgutil.iter_modules(messages.__path__, f"{messages.__name__}.")]
    return {name: importlib.import_module(name).MESSAGES for name in names}


def test_every_message_code_is_unique_and_known() -> None:
    codes = [code for table in message_tables().values() for code in table]

    assert sorted(codes) == sorted(messages.templates())


@pytest.mark.parametrize("code", messages.templates())
def test_a_message_can_be_filled_in(code: str) -> None:
    template = messages.templates()[code]
    for text in (template,) if isinstance(template, str) else template:
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

        assert all(name.isidentifier() for name in fields)
        filled = text.format(**dict.fromkeys(fields, 2))
        assert filled.strip() == filled
        assert "{" not in filled


def test_every_error_that_is_raised_has_its_sentence() -> None:
    raised = {code for path in SOURCES for code in error_codes(ast.parse(path.read_text(encoding="utf-8")))}

    assert raised - set(messages.templates()) == set()


def error_codes(tree: ast.AST) -> Iterator[str]:
    errors = {"CatDogError", "UsageError", "ConfigError", "InputError", "PhotoError", "Notice", "DataWarning"}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        code = next((key.value for key in node.keywords if key.arg == "code"), node.args[0] if node.args else None)
        if name in errors and isinstance(code, ast.Constant) and isinstance(code.value, str):
            yield code.value
