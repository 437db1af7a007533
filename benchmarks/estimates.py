"""What the estimates are worth: a preset's estimated time and memory against what a run really takes on this computer.

usage: estimates.py DATA [--photos N] [--presets fast balanced best article] [--epochs N]
       estimates.py --costs [NETWORK ...]     what a step of each network costs here, for engine/estimate_costs.py

Measures this computer as the window does, in a home of its own, then trains once with each preset (with fewer epochs
where --epochs says so: the estimate is for as many) as `catdog train` does, and prints estimate, reality and ratio.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from catdog_gui.engine.config import NETWORKS, PRESETS, preset
from catdog_gui.engine.datasets.search import find_photos
from catdog_gui.engine.devices import choose_precision, cpu_device
from catdog_gui.engine.estimates import machine
from catdog_gui.engine.estimates.estimate import estimate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--photos", type=int, default=0, help="take as many of DATA's, 0 = all")
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=list(PRESETS))
    parser.add_argument("--epochs", type=int, default=0, help="of balanced, best and article; 0 = the preset's")
    parser.add_argument("--costs", nargs="*", choices=NETWORKS, metavar="NETWORK")
    options = parser.parse_args()
    if options.costs is not None:
        return print_costs(options.costs or NETWORKS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CATDOG_HOME"] = str(Path(folder) / "home")
        return compare(options, Path(folder))


def compare(options: argparse.Namespace, folder: Path) -> int:
    data = some_of(options.data, options.photos, folder / "photos") if options.photos else options.data
    photos = list(find_photos([data]))
    device = cpu_device()
    precision = choose_precision("auto", device)
    machine.measure(device, precision, data, photos[:: max(1, len(photos) // 64)])
    print(f"{len(photos):,} photos on {device.name}, {precision}: {machine.known('cpu', precision, data).factors}")
    for name in options.presets:
        changes = {"epochs": options.epochs} if options.epochs and name != "fast" else {}
        config = replace(preset(name), data=data, **changes)
        loaded = name == "fast" or "torch" in sys.modules
        told = estimate(config, len(photos), machine.known("cpu", precision, data, runs=()), loaded=loaded)
        took, peak_mb, epochs = run(config)
        told_part = replace(config, epochs=epochs)  # a run may end early; the estimate is for those it had
        fair = estimate(told_part, len(photos), machine.known("cpu", precision, data, runs=()), loaded=loaded)
        print(f"{name:<9} told {told.total_s:7.1f} s (for {epochs} epochs {fair.total_s:7.1f}), took {took:7.1f} s, "
              f"ratio {fair.total_s / took:4.2f}   memory told {told.peak_mb:5.0f}, took {peak_mb:5.0f} MB, "
              f"ratio {told.peak_mb / peak_mb:4.2f}", flush=True)  # fmt: skip
    return 0


def some_of(data: Path, count: int, target: Path) -> Path:
    """A folder with `count` of the photos, as many of each class."""
    classes = sorted(path for path in data.iterdir() if path.is_dir())
    for one in classes:
        (target / one.name).mkdir(parents=True)
        files = sorted(find_photos([one]))
        for path in random.Random(0).sample(files, min(len(files), count // len(classes))):
            shutil.copy2(path, target / one.name)
    return target


def run(config) -> tuple[float, float, int]:  # noqa: ANN001 -- TrainConfig
    """Seconds without the imports, largest memory in MiB, epochs."""
    command = [sys.executable, "-m", "catdog_gui.cli", "train", str(config.data), "--preset", config.preset, "--json"]
    command += ["--epochs", str(config.epochs), "--device", "cpu"]
    with tempfile.TemporaryDirectory() as home:
        shutil.copy2(machine.file(), Path(home) / "machine.json")
        surroundings = {**os.environ, "CATDOG_HOME": home}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    peak = max(line["peak_mb"] or 0.0 for line in lines if line["type"] == "memory")
    result = lines[-1]
    return result["seconds"]["total"] - result["seconds"]["imports"], peak, result["epochs"]


def print_costs(names) -> int:  # noqa: ANN001 -- strings
    from catdog_gui.engine.estimates.measuring import step_cost

    device = cpu_device()
    for name in names:
        for part in ("upper", "all"):
            if (name, part) == ("small_cnn", "upper"):
                continue
            base = preset("article") if name == "small_cnn" else preset("balanced" if part == "upper" else "best")
            config = replace(base, model=name, augment=False)
            for precision in device.precisions:
                few, many = (step_cost(config, device, precision, batch=size, checked=True) for size in (8, 24))
                photo = (many.step_s - few.step_s) / 16
                print(f"{name} {part} {precision}: Step({1000 * (few.step_s - 8 * photo):.0f}, {1000 * photo:.1f}, "
                      f"{1000 * many.check_s / 24:.1f})", flush=True)  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
