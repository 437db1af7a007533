"""Where the program keeps everything it writes by itself. The user's photo folder is never one of these places."""

import os
from pathlib import Path


def home() -> Path:
    """The program's home: `CATDOG_HOME` where that is set, else the platform's data folder. Not created here."""
    chosen = os.environ.get("CATDOG_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs  # only where it is asked: 5 ms of every start

    return Path(platformdirs.user_data_dir("catdog_gui", False))


def runs_dir() -> Path:
    return home() / "runs"


def cache_dir() -> Path:
    return home() / "cache"


def samples_dir() -> Path:
    return home() / "samples"


def answers_dir() -> Path:
    return home() / "answers"


def moves_dir() -> Path:
    return home() / "moves"


def log_file() -> Path:
    return home() / "logs" / "catdog.log"


def settings_file() -> Path:
    return home() / "settings.json"


def resources_dir() -> Path:
    """The folder `resources`: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"
