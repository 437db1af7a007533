"""A photo whose drive does not answer: every command that reads photos says which one it waits for."""

import json
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from catdog_gui.cli import main
from catdog_gui.engine.comparison import bench
from catdog_gui.engine.datasets import deep
from catdog_gui.engine.photos import reading


def say_of_slow(
    place: ModuleType, slow: Path, arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> tuple[list[dict[str, Any]], str]:
    """What the command says while the photo does not come. place: the module that reads photos for it."""
    came = threading.Event()

    def read(path: Path) -> bytes:
        if path == slow:
            came.wait(60)
        return path.read_bytes()

    def then_it_comes(say: Callable[[Any], None]) -> Callable[[object], None]:
        tell = tells(say)

        def told(photo: object) -> None:
            tell(photo)
            came.set()

        return told

    tells = reading.tells_of_slow
    monkeypatch.setattr(reading, "_SLOW_S", 0.2)
    monkeypatch.setattr(place, "read_bytes", read)
    monkeypatch.setattr(reading, "tells_of_slow", then_it_comes)
    monkeypatch.setattr(bench, "tells_of_slow", then_it_comes)
    assert main([*arguments, "--json"]) == 0
    out, said = capsys.readouterr()
    return [json.loads(line) for line in out.splitlines()], said


def test_a_deep_scan_says_it(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    slow = tiny_dataset / "cats" / "0000.jpg"

    lines, said = say_of_slow(deep, slow, ["scan", str(tiny_dataset), "--deep"], monkeypatch, capsys)

    assert (lines[0]["type"], lines[0]["code"], lines[0]["fields"]) == ("notice", "photo_waits", {"path": str(slow)})
    assert f"note: {slow} has not come for a minute" in said
    assert lines[-1]["classes"] == {"cats": 24, "dogs": 24}


def test_a_comparison_of_devices_says_it(tiny_dataset: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    slow = tiny_dataset / "cats" / "0000.jpg"
    monkeypatch.setattr(bench, "planned_rows", list)

    lines, said = say_of_slow(bench, slow, ["bench", str(tiny_dataset)], monkeypatch, capsys)

    assert [line["code"] for line in lines if line["type"] == "notice"] == ["photo_waits"]
    assert f"note: {slow} has not come for a minute" in said
    assert lines[-1]["status"] == "completed"
