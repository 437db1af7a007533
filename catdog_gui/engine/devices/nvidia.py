"""What of NVIDIA is in this computer, asked without torch, and the command that installs a torch which can use it."""

import contextlib
import csv
import ctypes
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catdog_gui.engine import system

Capability = tuple[int, int]
WHEELS = "https://download.pytorch.org/whl/"
NEWEST_TAG, NEWEST_DRIVER = "cu130", 580  # CUDA 13.0: compute capability 7.5 and up
OLDER_TAG, OLDER_DRIVER = "cu126", 525  # CUDA 12.6: 5.0 to 9.0, and drivers before 580
_QUERY = "name,driver_version,memory.total,compute_cap"
_TRACES_OF_DRIVER = (
    "/proc/driver/nvidia/version",
    "/dev/nvidiactl",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/dev/nvhost-gpu",  # Jetson
    "/dev/nvgpu",
)
_PLACES_OF_SMI = (  # where it is though the search path does not lead there
    r"C:\Windows\System32\nvidia-smi.exe",
    r"C:\Program Files\NVIDIA Corporation\NVSMI\nvidia-smi.exe",
    "/usr/lib/wsl/lib/nvidia-smi",
)


@dataclass(frozen=True, slots=True)
class Card:
    """One NVIDIA card as the system sees it. driver: its version, None where no driver runs the card."""

    name: str
    driver: str | None = None
    memory_mb: float | None = None
    capability: Capability | None = None


def has_driver() -> bool:
    """Whether an NVIDIA driver is installed at all: a few file look-ups, at most some milliseconds."""
    if sys.platform == "darwin":
        return False
    if sys.platform == "win32":
        return (_system32() / "nvcuda.dll").exists()
    if any(Path(path).exists() for path in _TRACES_OF_DRIVER):
        return True
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def cards(timeout_s: float = 5.0) -> list[Card]:
    """NVIDIA cards, with or without a driver; asks in turn nvidia-smi, the driver's own files and the bus."""
    return _cards_of_smi(timeout_s) or _cards_of_driver() or _cards_of_registry() or _cards_of_bus()


def driver_version() -> str | None:
    """The driver's version, None where there is none or it does not say."""
    loaded = _loaded_driver()
    if loaded is not None or not has_driver():
        return loaded
    return next((card.driver for card in cards() if card.driver), None)


def _loaded_driver() -> str | None:
    """The version of Linux's driver that is loaded."""
    found = re.search(r"\b(\d{3,}\.\d+(?:\.\d+)?)\b", system.read("/proc/driver/nvidia/version") or "")
    return found.group(1) if found else None


def wheel_tag(capability: Capability | None, driver: str | None) -> str | None:
    """The build of torch for a card; None where no current build supports it."""
    if capability is None or (7, 5) <= capability < (10, 0):
        too_old = driver is not None and _major(driver) < NEWEST_DRIVER
        return OLDER_TAG if too_old else NEWEST_TAG
    if capability >= (10, 0):
        return NEWEST_TAG
    return OLDER_TAG if capability >= (5, 0) else None


def driver_needed(tag: str) -> int:
    """The oldest driver (major version) that runs a build."""
    return NEWEST_DRIVER if tag == NEWEST_TAG else OLDER_DRIVER


def driver_suffices(driver: str | None, tag: str) -> bool:
    """Whether a driver runs a build; a version that is not known is taken for new enough."""
    return driver is None or _major(driver) >= driver_needed(tag)


def install_command(tag: str = NEWEST_TAG) -> str:
    """The command that replaces this Python's torch by one built for CUDA, for this system's shell."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    wanted = f"torch torchvision --index-url {WHEELS}{tag}"
    if sys.platform == "win32":  # the wheel holds all of CUDA; the rest of torch's needs is installed already
        return f"{python} -m pip install --force-reinstall --no-deps {wanted}"
    return f"{python} -m pip uninstall -y torch torchvision && {python} -m pip install {wanted}"


def _major(driver: str) -> int:
    found = re.match(r"\d+", driver)
    return int(found.group()) if found else 0


def _system32() -> Path:
    return Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32"


def _smi() -> str | None:
    return shutil.which("nvidia-smi") or next((path for path in _PLACES_OF_SMI if Path(path).exists()), None)


def _cards_of_smi(timeout_s: float) -> list[Card]:
    smi = _smi()
    if smi is None:
        return []
    text = system.ask([smi, f"--query-gpu={_QUERY}", "--format=csv,noheader,nounits"], timeout_s)
    if text is None:  # drivers before 510 do not know compute_cap
        older = _QUERY.removesuffix(",compute_cap")
        text = system.ask([smi, f"--query-gpu={older}", "--format=csv,noheader,nounits"], timeout_s)
    return list(_parse_smi(text or ""))


def _parse_smi(text: str) -> Iterator[Card]:
    """Cards of nvidia-smi's CSV; lines that are not of the asked form are passed over."""
    for row in csv.reader(text.splitlines()):
        values = [value.strip() for value in row]
        if len(values) not in (3, 4) or not re.fullmatch(r"\d+(\.\d+)+", values[1]):
            continue
        memory = float(values[2]) if re.fullmatch(r"\d+(\.\d+)?", values[2]) else None
        capability = re.fullmatch(r"(\d+)\.(\d+)", values[3]) if len(values) == 4 else None
        pair = (int(capability.group(1)), int(capability.group(2))) if capability else None
        yield Card(values[0], values[1], memory, pair)


def _cards_of_driver() -> list[Card]:
    """Cards of the Linux driver's own files."""
    found = []
    for path in sorted(Path("/proc/driver/nvidia/gpus").glob("*/information")):
        model = re.search(r"^Model:\s*(.+)$", system.read(str(path)) or "", re.MULTILINE)
        found.append(Card(model.group(1).strip() if model else "NVIDIA", _loaded_driver()))
    return found


def _cards_of_registry() -> list[Card]:
    """Cards of Windows' display drivers; a driver "31.0.15.5222" is NVIDIA's 552.22."""
    found: list[Card] = []
    if sys.platform == "win32":
        import winreg

        path = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
        for number in range(16):
            with (
                contextlib.suppress(OSError),
                winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, rf"{path}\{number:04}") as key,
            ):
                name = str(winreg.QueryValueEx(key, "DriverDesc")[0])
                digits = re.sub(r"\D", "", str(winreg.QueryValueEx(key, "DriverVersion")[0]))[-5:]
                if "nvidia" in name.lower():
                    found.append(Card(name, f"{digits[:3]}.{digits[3:]}" if len(digits) == 5 else None))
    return found


def _cards_of_bus() -> list[Card]:
    """Cards on the PCI bus of Linux: what is there even without a driver."""
    found = []
    for device in sorted(Path("/sys/bus/pci/devices").glob("*")):
        maker = (system.read(str(device / "vendor")) or "").strip()
        kind = (system.read(str(device / "class")) or "").strip()
        if maker == "0x10de" and kind.startswith("0x03"):  # NVIDIA; display controller
            found.append(Card(_bus_name(device.name)))
    return found


def _bus_name(slot: str) -> str:
    text = system.ask(["lspci", "-s", slot], 2.0) if shutil.which("lspci") else None
    named = re.search(r"NVIDIA.*", text or "")
    return named.group().strip() if named else "NVIDIA"
