"""English sentences for every code that the engine emits, one table a subject.

No Qt, no torch. `ui.text` translates the same templates; the marks let `lupdate` find them.
A template is one string, or a pair (one, other) chosen by the field `count`.
"""

from collections.abc import Callable, Mapping

from catdog_gui.engine.errors import Fields, FieldValue

Template = str | tuple[str, str]
PARTS = ("new", "gone", "renamed", "moved", "other")  # of the field `what`, each by its count: `changed_new`, ...


def mark(text: str) -> str:
    """Mark a template for translation (context "messages"); returns it unchanged."""
    return text


def templates() -> Mapping[str, Template]:
    """Every code and its template. Codes are unique over all tables (a test says so)."""
    from catdog_gui.engine.messages import data, devices, export, photos, prediction, training, window

    return {
        **photos.MESSAGES,
        **data.MESSAGES,
        **devices.MESSAGES,
        **training.MESSAGES,
        **prediction.MESSAGES,
        **export.MESSAGES,
        **window.MESSAGES,
    }


def choose(template: Template, fields: Fields) -> str:
    """Pick the singular or the plural form by the field `count`."""
    if isinstance(template, str):
        return template
    return template[0] if fields.get("count") == 1 else template[1]


def spelt(fields: Fields | None, say: Callable[[str, Fields], str]) -> dict[str, FieldValue]:
    """The fields with `what` put together from its counts, in the language of `say`. Older runs hold only the words."""
    values = dict(fields or {})
    told = [say(f"changed_{part}", {"count": values[key]}) for part in PARTS if values.get(key := f"count_{part}")]
    return values | {"what": ", ".join(told)} if told else values


def about(path: str, code: str, fields: Fields | None = None) -> str:
    """The English sentence about a file, with its name in front where the sentence does not name it."""
    words = sentence(code, fields)
    return words if path in words else f"{path}: {words}"


def sentence(code: str, fields: Fields | None = None) -> str:
    """The English sentence of a code. An unknown code (a newer program's run) says so instead of failing."""
    values = spelt(fields, sentence)
    template = templates().get(code)
    if template is None:
        return f"Unknown message “{code}”: it comes from another version of this program."
    try:
        return choose(template, fields or {}).format(**values)
    except (KeyError, IndexError, ValueError, TypeError, AttributeError):  # fields of another version
        return choose(template, fields or {})
