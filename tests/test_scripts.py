"""The two commands of the README, on machines made of stubs: nothing is installed or downloaded here."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("sh", "cat", "cksum", "dirname", "rm", "sed", "tr", "uname")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts for POSIX shells")

GOOD_PYTHON = "exit 0"
OLD_PYTHON = "exit 1"  # its answer to "is this 3.11?"
OFFLINE_PYTHON = """case "$*" in
*"-m pip"*) echo "ERROR: No matching distribution found" >&2; exit 1 ;;
*"import torch"*) exit 1 ;;
esac"""
SAYS_WHAT_IT_RUNS = '[ "$1" = -I ] || echo "$@"'


class Machine:
    """A checkout in a folder with a space, and the only commands that its shell finds."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "a checkout"
        self.commands = folder / "bin"
        self.commands.mkdir()
        shutil.copytree(ROOT / "scripts", self.checkout / "scripts")
        shutil.copy(ROOT / "pyproject.toml", self.checkout)
        for tool in TOOLS:
            (self.commands / tool).symlink_to(str(shutil.which(tool)))
        self.add("id", "echo 1000")  # not root

    def add(self, name: str, script: str, folder: Path | None = None) -> None:
        path = (folder or self.commands) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def add_debian(self, *installed: str) -> None:
        lines = "\n".join(f"echo 'installed {package} '" for package in installed)
        self.add("dpkg-query", lines)
        self.add("apt-get", "echo it was run; exit 1")

    def add_ready_venv(self, python: str, *, stamp: str = "ready") -> None:
        self.add("python", python, self.checkout / ".venv" / "bin")
        key = f'root="{self.checkout}"; extras=; . "{self.checkout}/scripts/setup.sh"; setup_key'
        (self.checkout / ".venv" / stamp).write_text(self._sh("-c", key).stdout)

    def run(self, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self._sh(f"{self.checkout}/scripts/{script}", *arguments, **variables)

    def _sh(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.commands / "sh"), *arguments],
            env={"PATH": str(self.commands), **variables},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def debian_packages() -> list[str]:
    text = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    return text.partition('debian_packages="')[2].partition('"')[0].split()


def assert_one_sentence(done: subprocess.CompletedProcess[str], word: str) -> None:
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert word in done.stderr


@pytest.mark.parametrize("script", ["start.sh", "test.sh"])
@pytest.mark.parametrize("python", [None, OLD_PYTHON])
def test_no_usable_python_is_said_in_one_sentence(machine: Machine, script: str, python: str | None) -> None:
    if python:
        machine.add("python3", python)

    assert_one_sentence(machine.run(script), "Python 3.11 or newer")


@pytest.mark.parametrize("script", ["start.sh", "test.sh"])
def test_missing_packages_are_named_where_they_cannot_be_installed(machine: Machine, script: str) -> None:
    machine.add("python3", GOOD_PYTHON)
    machine.add_debian(*(package for package in debian_packages() if package not in ("libegl1", "libxcb-cursor0")))

    done = machine.run(script)

    assert_one_sentence(done, "apt-get install libegl1 libxcb-cursor0")


def test_a_renamed_package_that_provides_the_old_name_counts(machine: Machine) -> None:
    machine.add("python3", GOOD_PYTHON)
    others = [package for package in debian_packages() if package not in ("libglib2.0-0", "libegl1")]
    machine.add_debian(*others, "libglib2.0-0t64 libglib2.0-0 (= 2.80.0-6)")

    assert machine.run("start.sh").stderr.rstrip().endswith("apt-get install libegl1")


@pytest.mark.parametrize("stamp", ["ready", "ready-dev"])
def test_what_is_set_up_starts_at_once(machine: Machine, stamp: str) -> None:
    machine.add_ready_venv(SAYS_WHAT_IT_RUNS, stamp=stamp)

    done = machine.run("start.sh", "my photos", "--lang", "de")

    assert done.returncode == 0
    assert done.stdout == "-P -m catdog_gui my photos --lang de\n"
    assert done.stderr == ""


def test_arguments_reach_pytest(machine: Machine) -> None:
    machine.add_ready_venv(SAYS_WHAT_IT_RUNS, stamp="ready-dev")

    assert machine.run("test.sh", "tests/engine", "-k", "split").stdout == "-m pytest tests/engine -k split\n"


def test_what_is_ready_for_the_window_is_not_ready_for_the_tests(machine: Machine) -> None:
    machine.add_ready_venv("exit 1", stamp="ready")

    assert_one_sentence(machine.run("test.sh"), "Python 3.11 or newer")


def test_changed_dependencies_are_set_up_again(machine: Machine) -> None:
    machine.add_ready_venv(SAYS_WHAT_IT_RUNS)
    with (machine.checkout / "pyproject.toml").open("a") as file:
        file.write("# changed\n")

    done = machine.run("start.sh")

    assert f"install --quiet -e {machine.checkout}" in done.stdout


def test_an_environment_that_lost_its_python_is_made_anew(machine: Machine) -> None:
    machine.add_ready_venv("exit 1")  # as after the system's Python was replaced
    machine.add("python3", 'if [ "$1" = -m ]; then echo "made: $*"; exit 3; fi')

    done = machine.run("start.sh")

    assert done.stdout == f"made: -m venv {machine.checkout}/.venv\n"
    assert not (machine.checkout / ".venv").exists()
    assert done.returncode == 1


@pytest.mark.parametrize(("variant", "said"), [("cpu", "whl/cpu"), (None, "3 GB")])
def test_the_large_download_is_announced_or_avoided(machine: Machine, variant: str | None, said: str) -> None:
    setup = f"""
        root="{machine.checkout}"; extras=; {f"CATDOG_TORCH={variant};" if variant else ""} . "$root/scripts/setup.sh"
        venv_python=false
        uname() {{ echo Linux; }}
        pip_install() {{ echo "$@"; }}
        install_torch_first
    """

    done = machine._sh("-c", setup)

    assert said in done.stdout + done.stderr
    assert ("--index-url https://download.pytorch.org/" in done.stdout) == bool(variant)


@pytest.mark.parametrize(
    ("variables", "what"),
    [({"CATDOG_TORCH": "cpu"}, "PyTorch for CATDOG_TORCH=cpu (cpu, cu126 or cu130)"), ({}, "What the program needs")],
    ids=["cpu", "usual"],
)
@pytest.mark.parametrize("script", ["start.sh", "test.sh"])
def test_what_could_not_be_installed_and_what_to_try_is_said_after_pips_own_words(
    machine: Machine, script: str, variables: dict[str, str], what: str
) -> None:
    machine.add("python", OFFLINE_PYTHON, machine.checkout / ".venv" / "bin")

    done = machine.run(script, **variables)
    said = done.stderr.splitlines()

    assert done.returncode == 1
    assert said[-2] == "ERROR: No matching distribution found"
    assert said[-1].startswith(
        f"{what} could not be installed; pip's reason is above. Check that this computer is online"
    )
