"""The packages that the program cannot do without, and what is said where one is missing. Needs none of them."""

import importlib.util
import sys
from collections.abc import Iterable

from catdog_gui.engine.errors import CatDogError

# Module -> what pip installs, as in pyproject.toml. OpenVINO has no wheel for some systems: torch computes there.
REQUIRED = {
    "PIL": "pillow>=12.0",
    "PySide6": "PySide6-Essentials>=6.8,<6.12",
    "filelock": "filelock>=3.16",
    "numpy": "numpy>=2.0",
    "platformdirs": "platformdirs>=4.3",
    "psutil": "psutil>=6.0",
    "pyqtgraph": "pyqtgraph>=0.13.7",
    "safetensors": "safetensors>=0.5",
    "simplejpeg": "simplejpeg>=1.8",
    "threadpoolctl": "threadpoolctl>=3.5",
    "torch": "torch>=2.10",
    "torchvision": "torchvision>=0.25",
}


def missing(modules: Iterable[str] = REQUIRED) -> list[str]:
    """Those of the modules that are not installed. Imports none: a millisecond or two."""
    return [name for name in modules if not _is_here(name)]


def missing_error(modules: Iterable[str]) -> CatDogError:
    """What to tell a person about required modules that are missing, with the command that installs them."""
    wanted = [REQUIRED[name] for name in modules]
    names = [item.partition(">")[0] for item in wanted]
    shown = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return CatDogError("package_missing", count=len(names), names=shown, command=install_command(wanted))


def explained(error: BaseException) -> CatDogError | None:
    """The error in our words where it comes from a required package that is missing. All that are missing are named."""
    if not isinstance(error, ModuleNotFoundError):
        return None
    module = (error.name or "").partition(".")[0]
    if module not in REQUIRED or _is_here(module):
        return None
    return missing_error([name for name in missing() if name not in ("PySide6", "pyqtgraph")] or [module])


def install_command(requirements: Iterable[str]) -> str:
    """For any shell: a version's < and > would be redirections without the quotes."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    quoted = " ".join(f'"{item}"' for item in requirements)
    return f"{python} -m pip install {quoted}"


def _is_here(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ValueError:  # half there
        return False
