"""Where a required package is missing, both programs name it and the command that installs it."""

import importlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from catdog_gui.engine.messages import sentence
from catdog_gui.engine.packages import REQUIRED, missing
from catdog_gui.engine.samples import SampleSet
from catdog_gui.ui.bridge import failure

ROOT = Path(__file__).resolve().parent.parent
WITHOUT = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # as if it were not installed
from catdog_gui.{entry} import main
sys.exit(main())
"""


def start(entry: str, without: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT.format(entry=entry), without, *map(str, words)]
    environment = dict(os.environ)
    if without == "platformdirs":  # asked only where no home is named
        del environment["CATDOG_HOME"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)


def assert_told(done: subprocess.CompletedProcess[str], program: str, *modules: str) -> None:
    line = done.stderr.splitlines()[-1]
    assert (done.returncode, done.stdout) == (1, "")
    assert line.startswith(f"{program}: ")
    assert "Traceback" not in done.stderr
    assert line.endswith("-m pip install " + " ".join(f'"{REQUIRED[module]}"' for module in modules))
    assert all(line.count(REQUIRED[module].partition(">")[0]) >= 2 for module in modules)


def test_every_requirement_of_the_project_is_known_as_it_stands_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {item for item in project["dependencies"] if not item.startswith("openvino")}

    assert set(REQUIRED.values()) == needed
    assert missing() == []


@pytest.mark.parametrize("module", sorted(REQUIRED))
def test_the_window_names_a_missing_package_instead_of_opening(module: str) -> None:
    done = start("__main__", module)

    assert_told(done, "catdog-gui", module)
    assert len(done.stderr.splitlines()) == 1


def test_all_missing_packages_are_named_at_once() -> None:
    assert_told(start("__main__", "PIL,numpy"), "catdog-gui", "PIL", "numpy")


@pytest.mark.parametrize("module", sorted(set(REQUIRED) - {"PySide6", "pyqtgraph", "torch", "torchvision"}))
def test_a_command_names_the_package_that_it_lacks(module: str, drawn_samples: SampleSet) -> None:
    assert_told(start("cli", module, "train", drawn_samples.dataset, "--device", "cpu"), "catdog", module)


@pytest.mark.parametrize("module", ["torch", "torchvision"])
def test_a_network_of_torch_names_it_where_it_is_missing(module: str, drawn_samples: SampleSet) -> None:
    wanted = ("--preset", "article", "--model", "resnet18", "--device", "cpu")
    done = start("cli", module, "train", drawn_samples.dataset, *wanted)

    assert_told(done, "catdog", module)


def test_a_program_reads_it_as_a_code(drawn_samples: SampleSet) -> None:
    done = start("cli", "PIL", "scan", drawn_samples.dataset, "--deep", "--json")
    line = json.loads(done.stdout)

    assert (done.returncode, line["type"], line["code"]) == (1, "error", "package_missing")
    assert line["fields"]["names"] == "pillow"


def test_the_window_names_a_package_that_went_while_it_was_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("safetensors", "safetensors.numpy"):  # the second may be loaded by now
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("safetensors.numpy")
    told = failure(caught.value)

    assert (told.code, told.fields["names"]) == ("package_missing", "safetensors")
    assert "pip install" in sentence(told.code, told.fields)


def test_what_is_no_required_package_is_still_a_fault() -> None:
    assert failure(ModuleNotFoundError("No module named 'other'", name="other")).code == "unexpected"
