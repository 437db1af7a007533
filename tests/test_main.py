"""The window's entry on systems that cannot show a window: one sentence, exit code 1, no abort."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import catdog_gui
from catdog_gui import __main__ as entry

ROOT = Path(__file__).resolve().parent.parent
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack a display")
DISPLAY_VARIABLES = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
NO_QT = "import sys; sys.modules['PySide6'] = None; from catdog_gui.__main__ import main; sys.exit(main(sys.argv[1:]))"


def start(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in DISPLAY_VARIABLES} | variables
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("catdog-gui: ")
    assert all(word in done.stderr for word in words), done.stderr


@pytest.mark.parametrize(
    ("option", "said"), [("--version", f"catdog-gui {catdog_gui.__version__}\n"), ("--help", "usage: catdog-gui")]
)
def test_version_and_help_need_no_qt(option: str, said: str) -> None:
    done = start("-c", NO_QT, option)

    assert done.returncode == 0
    assert done.stdout.startswith(said)


def test_an_unknown_option_is_wrong_usage() -> None:
    assert start("-m", "catdog_gui", "--no-such-option").returncode == 2


@pytest.mark.parametrize("option", [("--lang", "xx"), ("--lang=",)])
def test_an_unknown_language_is_wrong_usage_that_names_those_there_are(option: tuple[str, ...]) -> None:
    done = start("-c", NO_QT, *option)

    assert done.returncode == 2
    assert "there are: de, en" in done.stderr


@pytest.mark.parametrize("code", ["en", "de", "de_AT", "en-GB"])
def test_a_language_that_there_is_may_name_a_country(code: str) -> None:
    assert_one_sentence(start("-c", NO_QT, "--lang", code), "PySide6")


def test_missing_qt_is_said_with_the_command_that_installs_it() -> None:
    assert_one_sentence(start("-c", NO_QT), "PySide6", "pip install")


@linux_only
def test_no_display_is_said_in_one_sentence() -> None:
    assert_one_sentence(start("-m", "catdog_gui"), "DISPLAY")


@linux_only
def test_a_display_that_does_not_answer_is_named() -> None:
    assert_one_sentence(start("-m", "catdog_gui", DISPLAY=":9876"), ":9876")


@linux_only
def test_an_unknown_platform_is_named_with_those_that_exist() -> None:
    assert_one_sentence(start("-m", "catdog_gui", QT_QPA_PLATFORM="nonsense"), "nonsense", "offscreen")


@linux_only
def test_all_missing_libraries_are_named_at_once_with_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"libEGL.so.1", "libxcb-cursor.so.0", "libxcb-icccm.so.4"}
    monkeypatch.setattr(entry, "_load", lambda library: "cannot open" if library in missing else None)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 1000)

    sentence = entry._missing_libraries("libEGL.so.1: cannot open", entry._libraries(["xcb"]))

    assert all(library in sentence for library in missing)
    assert sentence.endswith("sudo apt install libegl1 libxcb-cursor0 libxcb-icccm4")


@linux_only
def test_where_there_is_no_apt_the_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "_load", lambda library: "cannot open" if library == "libEGL.so.1" else None)
    monkeypatch.setattr("shutil.which", lambda _name: None)

    sentence = entry._missing_libraries("libEGL.so.1: cannot open", entry._libraries(["xcb"]))

    assert "libEGL.so.1" in sentence
    assert "apt" not in sentence


@linux_only
def test_a_library_outside_the_list_is_named_as_the_loader_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "_load", lambda _library: None)

    assert "libother.so.7" in entry._missing_libraries("libother.so.7: cannot open", entry._libraries(["xcb"]))


def test_an_invisible_platform_needs_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DISPLAY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")

    assert entry.missing_piece() is None
