"""Answers as files for other programs: a table for spreadsheets, and JSON. Neither torch nor Qt."""

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

from catdog_gui.engine.events import VERSION, Prediction, to_dict
from catdog_gui.engine.files import write_atomic
from catdog_gui.engine.messages import sentence
from catdog_gui.engine.photos.names import printable

_COLUMNS = ["file", "verdict", "class", "best_guess"]
_CSV_HEAD, _JSON_HEAD = ",".join(_COLUMNS) + ",", f'{{"v":{VERSION},"type":"answers",'
# Spreadsheets of some languages take the wide signs too.
_STARTS_FORMULA = re.compile(r"\s*[=+\-@|%\t\r\n\uff1d\uff0b\uff0d\uff20]")
# Where lists are separated by semicolons or tabs, a cell with one in it may be taken for two.
_HIDDEN_CELL = re.compile(r"([;\t\r\n]\s*\"?)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])")


def write_csv(path: Path, answers: Sequence[Prediction]) -> None:
    """Write a table: UTF-8 with the mark that spreadsheets look for. Raises CatDogError (disk_full, cannot_write)."""
    write_atomic(path, to_csv(answers).encode("utf-8-sig", "replace"))


def write_json(path: Path, answers: Sequence[Prediction]) -> None:
    """Write one object: {"v", "type": "answers", "answers": [...]}, each as its line of `catdog predict --json`.

    Raises CatDogError (disk_full, cannot_write).
    """
    body = ",\n".join(json.dumps(to_dict(item), ensure_ascii=False, allow_nan=False) for item in answers)
    content = f'{{"v":{VERSION},"type":"answers","answers":[\n{body}\n]}}\n'
    write_atomic(path, content.encode("utf-8", "backslashreplace"))


def is_csv(path: Path) -> bool:
    """Whether a file is a table that `write_csv` wrote: only such a one may be replaced unasked. Raises OSError."""
    return _head(path, len(_CSV_HEAD) + 3).decode("utf-8-sig", "replace").startswith(_CSV_HEAD)


def is_json(path: Path) -> bool:
    """Whether `write_json` wrote a file. Raises OSError."""
    return _head(path, len(_JSON_HEAD)) == _JSON_HEAD.encode()


def _head(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def to_csv(predictions: Sequence[Prediction]) -> str:
    """The answers as CSV with CRLF line ends and no byte order mark: the writer adds that (encoding "utf-8-sig").

    Columns: file, verdict, class (empty unless sure), best guess, one a class ("p(cats)", 0..1), novelty, reason.
    Text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    classes = list(dict.fromkeys(name for item in predictions for name in item.probabilities))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    header = [*_COLUMNS, *(f"p({name})" for name in classes), "novelty", "reason"]
    writer.writerow([harmless(cell) for cell in header])
    for item in predictions:
        shares = [_figure(item.probabilities.get(name)) for name in classes]
        reason = sentence(item.code, item.fields) if item.code else ""
        texts = [harmless(item.path), item.verdict, harmless(item.label or ""), harmless(item.top or "")]
        writer.writerow([*texts, *shares, _figure(item.novelty), harmless(reason)])
    return out.getvalue()


def harmless(cell: str) -> str:
    """The cell as text for every spreadsheet: an apostrophe before what would start a formula, in it too."""
    clean = _HIDDEN_CELL.sub(r"\1'", printable(cell))
    return f"'{clean}" if _STARTS_FORMULA.match(clean) else clean


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"
