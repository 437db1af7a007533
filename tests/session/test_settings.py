"""What the window remembers."""

import json
from pathlib import Path

import pytest

from catdog_gui.engine.errors import CatDogError
from catdog_gui.session.settings import MOST_RECENT, Settings, load, save


def test_what_was_saved_is_what_is_loaded(tmp_path: Path) -> None:
    settings = Settings(
        recent=("/photos/ä", "/b"),
        device="cuda:1",
        preset="best",
        advanced_open=True,
        overrides={"best": {"epochs": 3}},
        geometry="AbC=",
        appearance="dark",
        left_run="/runs/run-0001",
        places={"model": "/models"},
    )

    save(settings, tmp_path / "settings.json")

    assert load(tmp_path / "settings.json") == settings


def test_only_what_differs_from_the_defaults_is_written(tmp_path: Path) -> None:
    save(Settings(preset="best"), tmp_path / "new folder" / "settings.json")

    assert json.loads((tmp_path / "new folder" / "settings.json").read_text()) == {"schema": 1, "preset": "best"}


def test_without_a_file_the_defaults_are_used(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == Settings()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "\x00",
        '{"overrides": 3}',
        '{"recent": 5}',
        '{"schema": "x"}',
        "",
        "[" * 100_000,
        '{"schema": Infinity}',
    ],
)
def test_a_damaged_file_is_kept_aside_and_the_defaults_are_used(tmp_path: Path, content: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content)

    assert load(path) == Settings()
    assert (tmp_path / "settings.json.damaged").read_text() == content
    assert not path.exists()


def test_values_that_make_no_sense_are_left_out_and_the_others_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"schema": 1, "preset": "none", "device": 7, "recent": ["/a", 3], "appearance": "pink"}))

    assert load(path) == Settings(recent=("/a",))


def test_recent_folders_are_newest_first_once_each_and_few() -> None:
    settings = Settings()
    for number in range(12):
        settings = settings.with_recent(Path(f"/photos/{number}"))
    settings = settings.with_recent(Path("/photos/9"))

    assert settings.recent[:3] == (str(Path("/photos/9")), str(Path("/photos/11")), str(Path("/photos/10")))
    assert len(settings.recent) == MOST_RECENT
    assert len(set(settings.recent)) == MOST_RECENT


def test_changes_are_kept_per_preset_and_forgotten_when_empty() -> None:
    settings = Settings().with_overrides("fast", {"epochs": 3}).with_overrides("best", {"seed": 1})

    assert settings.with_overrides("fast", {}).overrides == {"best": {"seed": 1}}


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(CatDogError) as caught:
        save(Settings(), tmp_path / "file" / "settings.json")

    assert caught.value.code == "cannot_write"
