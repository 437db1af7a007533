"""The project as a whole: what is packaged, and what its documents promise."""

import configparser
import importlib
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import catdog_gui
from catdog_gui.engine.home import resources_dir

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "catdog_gui"
SOURCES = sorted(PACKAGE.rglob("*.py"))


def child(code: str, **options: object) -> str:
    """What a fresh Python prints. It must end well."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- packaging -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_version_stands_in_one_place(pyproject: dict) -> None:
    assert "version" not in pyproject["project"]
    assert pyproject["tool"]["hatch"]["version"]["path"] == "catdog_gui/__init__.py"
    assert child("import catdog_gui.__main__ as m; m.main(['--version'])") == f"catdog-gui {catdog_gui.__version__}\n"


def test_the_changelog_knows_the_version() -> None:
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert newest is not None
    assert newest[1] == catdog_gui.__version__


def test_the_wheel_holds_every_module(wheel: zipfile.ZipFile) -> None:
    expected = {path.relative_to(ROOT).as_posix() for path in SOURCES}

    assert expected == {name for name in wheel.namelist() if name.endswith(".py")}


def test_the_wheel_holds_every_resource(wheel: zipfile.ZipFile) -> None:
    resources = ROOT / "resources"
    expected = {
        f"catdog_gui/resources/{p.relative_to(resources).as_posix()}" for p in resources.rglob("*") if p.is_file()
    }

    assert expected
    assert expected == {name for name in wheel.namelist() if name.startswith("catdog_gui/resources/")}


def test_the_wheel_holds_the_licences(wheel: zipfile.ZipFile) -> None:
    names = {Path(name).name for name in wheel.namelist() if ".dist-info/licenses/" in name}

    assert names == {"LICENSE", "LICENSE-efficientnet-lite0.txt"}


def test_the_wheel_has_both_programs(wheel: zipfile.ZipFile) -> None:
    name = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    entries = configparser.ConfigParser()
    entries.read_string(wheel.read(name).decode())

    programs = {**entries["console_scripts"], **entries["gui_scripts"]}
    assert set(programs) == {"catdog", "catdog-gui"}
    for target in programs.values():
        module, _, function = target.partition(":")
        assert callable(getattr(importlib.import_module(module), function))


def test_resources_are_found_in_a_checkout() -> None:
    assert resources_dir() == ROOT / "resources"


def test_resources_are_found_when_installed(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from catdog_gui.engine.home import resources_dir
print(resources_dir())
"""

    found = Path(child(code).strip())

    assert found == tmp_path / "catdog_gui" / "resources"
    assert (found / "weights" / "efficientnet_lite0.safetensors").is_file()


# --- documents -------------------------------------------------------------------------------------------------------


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["sh scripts/start.sh", "sh scripts/test.sh"])
def test_the_readme_names_both_commands(command: str) -> None:
    assert re.search(rf"^{re.escape(command)}$", readme(), re.MULTILINE)
    assert (ROOT / command.removeprefix("sh ")).is_file()


def test_the_readme_names_the_commands_for_windows() -> None:
    named = re.findall(r"-File (scripts\\\w+\.ps1)", readme())

    assert set(named) == {r"scripts\start.ps1", r"scripts\test.ps1"}
    assert all((ROOT / name.replace("\\", "/")).is_file() for name in named)


def test_the_check_command_ends_with_the_readmes_test_command() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").strip().splitlines()

    assert lines[-1] == "sh scripts/test.sh"


def test_the_readmes_debian_packages_are_those_that_are_installed() -> None:
    script = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    installed = re.search(r'debian_packages="([^"]+)"', script)
    named = re.search(r"^apt install ((?:.*\\\n)*.*)$", readme(), re.MULTILINE)

    assert installed is not None
    assert named is not None
    assert named[1].replace("\\", "").split() == installed[1].split()


def test_every_link_between_the_documents_leads_somewhere() -> None:
    for document in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert "://" in target or (ROOT / target).exists(), f"{document}: {target}"


def test_a_torch_with_known_holes_in_its_safe_loading_is_never_installed() -> None:
    """Before 2.6 weights_only ran code (CVE-2025-32434), before 2.10 it wrote past memory (CVE-2026-24747)."""
    text = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floor = next(item for item in text["project"]["dependencies"] if re.match(r"torch\b(?!vision)", item))

    assert tuple(int(part) for part in re.findall(r">=(\d+)\.(\d+)", floor)[0]) >= (2, 10)
