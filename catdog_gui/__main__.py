"""The window's entry. What would make Qt abort with a core dump is said here in one sentence instead."""

import argparse
import gc
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from catdog_gui import __version__
from catdog_gui.engine import packages
from catdog_gui.engine.home import resources_dir

# Library -> the Debian package that holds it. Every library that Qt's wheels expect of the system is here.
_BASE_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
_XCB_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
_WAY_OUT = "start it in a desktop session or over `ssh -X`, or use the command `catdog`, which needs no display."


def main(argv: Sequence[str] | None = None) -> int:
    """Open the window on what `argv` (default: the command line, without the program's name) names. Main thread."""
    gc.disable()  # for good: `ui.garbage` collects, on one thread; until then nothing is garbage, and this saves 60 ms
    options = _parser().parse_args(argv)
    if problem := missing_piece():
        _say(f"catdog-gui: {problem}")
        return 1
    from catdog_gui.ui import app

    return app.main([*(["--lang", options.lang] if options.lang else []), *options.paths])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="catdog-gui",
        description="Choose a folder of photos, train a classifier on it, watch, and drop photos in.",
    )
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="FOLDER | RUN | MODEL | PHOTO",
        help="a folder becomes the dataset, a run or a model is opened, photos are classified",
    )
    parser.add_argument(
        "--lang",
        type=_language,
        metavar="CODE",
        help="language of the window, such as en or de (default: the system's)",
    )
    parser.add_argument("--version", action="version", version=f"catdog-gui {__version__}")
    return parser


def _language(code: str) -> str:
    """The code as given, such as de or de_AT. Raises ArgumentTypeError where the window does not speak it."""
    files = (resources_dir() / "i18n").glob("catdog_gui_*.qm")
    known = sorted({"en", *(path.stem.removeprefix("catdog_gui_") for path in files)})
    if code.replace("-", "_").partition("_")[0].lower() not in known:
        raise argparse.ArgumentTypeError(f"there is no language “{code}”; there are: {', '.join(known)}")
    return code


def _say(sentence: str) -> None:
    if sys.stderr is not None:
        print(sentence, file=sys.stderr)
    elif sys.platform == "win32":  # started without a console
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, sentence, "catdog_gui", 0x10)


def missing_piece() -> str | None:
    """What this system lacks to show a window, as a sentence with the way out; None where nothing is missing.

    Costs a few milliseconds: it loads what Qt is about to load anyway.
    """
    if lacking := packages.missing():
        return str(packages.missing_error(lacking))
    try:
        from PySide6 import QtWidgets  # noqa: F401 -- the import is the test
    except ModuleNotFoundError:  # a part of it
        return str(packages.missing_error(["PySide6"]))
    except ImportError as error:
        return _missing_libraries(str(error), _libraries(_platforms() or ["xcb"]))
    if not sys.platform.startswith("linux"):
        return None
    platforms = _platforms()
    if not platforms:
        return f"There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): {_WAY_OUT}"
    problems = [_platform_problem(name) for name in platforms]
    return problems[0] if all(problems) else None  # Qt takes the first that works


def _platforms() -> list[str]:
    """The platform plugins that Qt is going to try, in its order."""
    if chosen := os.environ.get("QT_QPA_PLATFORM"):
        return [name.partition(":")[0] for name in chosen.split(";")]
    displays = {"xcb": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}
    return [name for name, variable in displays.items() if os.environ.get(variable)]


def _platform_problem(name: str) -> str | None:
    from PySide6.QtCore import QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    plugins = sorted(folder.glob(f"libq{name}*.so"))
    if not plugins:
        names = ", ".join(sorted(path.stem.removeprefix("libq") for path in folder.glob("libq*.so")))
        return f"Qt has no platform “{name}” (QT_QPA_PLATFORM). It has: {names}"
    if name in ("xcb", "wayland") and (reason := _load(str(plugins[0]))):
        return _missing_libraries(reason, _libraries([name]))
    if name == "xcb":
        return _x11_problem()
    return _wayland_problem() if name == "wayland" else None


def _load(library: str) -> str | None:
    """Load a shared library as Qt will; the loader's complaint, or None."""
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError as error:
        return str(error)
    return None


def _libraries(platforms: Sequence[str]) -> dict[str, str]:
    xcb = _XCB_LIBRARIES if "xcb" in platforms else {}
    wayland = _WAYLAND_LIBRARIES if "wayland" in platforms else {}
    return {**_BASE_LIBRARIES, **xcb, **wayland}


def _missing_libraries(reason: str, libraries: dict[str, str]) -> str:
    """One sentence that names all missing libraries at once, not only the one that the loader stumbled over."""
    if not sys.platform.startswith("linux"):
        advice = " Install Microsoft's Visual C++ Redistributable and try again." if sys.platform == "win32" else ""
        return f"Qt cannot be loaded: {reason}.{advice}"
    missing = [library for library in libraries if _load(library)]
    if not missing:
        return f"Qt cannot be loaded: {reason}"
    if not shutil.which("apt-get"):
        names = ", ".join(missing)
        return f"The window needs system libraries that are missing: {names}; install the packages that hold them."
    names = ", ".join(missing) if len(missing) <= 3 else f"{', '.join(missing[:2])} and {len(missing) - 2} more"
    packages = " ".join(dict.fromkeys(libraries[library] for library in missing))
    root = "" if os.geteuid() == 0 else "sudo "
    return (
        f"The window needs system libraries that are missing ({names}); install them with: {root}apt install {packages}"
    )


def _x11_problem() -> str | None:
    """Ask the display as Qt will: this finds a wrong name, a server that is gone, and a refusal."""
    import ctypes

    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if not failed:
        return None
    display = os.environ.get("DISPLAY", "")
    return f"The display DISPLAY={display} does not answer or refuses this user: {_WAY_OUT}"


def _wayland_problem() -> str | None:
    import socket

    display = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/"), display)  # an absolute name stands for itself
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))
    except OSError as error:
        reason = error.strerror or str(error)
        return f"The display {path} (WAYLAND_DISPLAY) does not answer ({reason}): {_WAY_OUT}"
    return None


if __name__ == "__main__":
    sys.exit(main())
