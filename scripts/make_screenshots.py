"""Draw the pictures of the documents: the real window at work on the program's own drawn cats and dogs.

    QT_QPA_PLATFORM=offscreen python scripts/make_screenshots.py [--out docs]

Everything happens in a temporary home; what is on this computer is neither read nor shown. Takes some minutes.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAMES = (
    "welcome-light",
    "training-light",
    "training-dark",
    "results-light",
    "runs-light",
    "answers-light",
    "folder-light",
    "why-light",
    "careful-light",
)
USUAL, SMALL = (1280, 800), (1024, 640)
# The small network in small steps on small squares: curves that are still on their way when they are drawn.
LONG: dict[str, Any] = {"epochs": 12, "patience": 0, "learning_rate": 8e-5, "batch_size": 32, "image_size": 64}
LIMIT_S = 300.0
PHOTOS_PER_CLASS = 200
CAUGHT = 0.7  # share of the epochs that are done when it is drawn


class Studio:
    """The window, a way to wait for it, and a way to draw it."""

    def __init__(self, folder: Path, out: Path) -> None:
        from catdog_gui.ui import app as application

        self.app, self.window = application.build([])
        self.out = out
        self.pictures, self.held_out = draw_pictures(folder)
        self.size(USUAL)
        self.until(lambda: self.window.hardware.state.tested and self.window.background.is_idle)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Let the window live until something is so. Never by QTest.qWait: that keeps Python's lock from the jobs."""
        from PySide6.QtCore import QEventLoop, QTimer  # noqa: TID251 -- it drives the window

        end = time.monotonic() + LIMIT_S
        while not is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"{self.window.run.state.phase}: {self.window.run.state.failure}")
            loop = QEventLoop()
            QTimer.singleShot(50, loop.quit)
            loop.exec()

    def rest(self, seconds: float = 0.5) -> None:
        """Long enough for figures that change twice a second."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end)

    def save(self, name: str) -> None:
        self.window.setFocus()
        self.rest()
        self.window.grab().save(str(self.out / f"{name}.png"))
        print(self.out / f"{name}.png")

    def size(self, size: tuple[int, int]) -> None:
        self.window.resize(*size)

    def dress(self, scheme: str) -> None:
        self.window.help_wishes.set_appearance(scheme)

    def choose(self) -> None:
        self.window.wishes.choose_folder(self.pictures)
        self.until(lambda: self.window.data.state.ready and self.window.background.is_idle)
        self.window.data.state.held_out = self.held_out

    def train(self, preset: str, changes: dict[str, Any] | None = None) -> None:
        window = self.window
        window.train_panel.show_settings(preset, changes or {})
        window.estimating.look()
        window.render_data()
        window.train_bar.train.click()

    def finish(self) -> None:
        self.until(lambda: not self.window.run.is_live and self.window.background.is_idle)

    def classify(self, paths: list[Path]) -> None:
        self.window.predict_panel.photos_dropped.emit(paths)
        self.until(lambda: self.window.background.is_idle and not self.window.predict.state.running)

    def close(self) -> None:
        self.window.run.stop()
        self.finish()
        self.window.close()


def draw_pictures(folder: Path) -> tuple[Path, tuple[Path, ...]]:
    """The drawn dataset under a name that reads well, and the drawings kept back."""
    from catdog_gui.engine.samples import draw_samples

    drawn = draw_samples(folder / "drawn", photos_per_class=PHOTOS_PER_CLASS)
    pictures = folder / "Pictures" / "Sample pictures"
    pictures.parent.mkdir()
    drawn.dataset.rename(pictures)
    return pictures, tuple(drawn.held_out)


def draw_others(folder: Path) -> list[Path]:
    """A room without an animal, and a file that was cut off."""
    from catdog_gui.engine.samples.scenes import scene

    room, cut = folder / "living-room.jpg", folder / "download.jpg"
    scene(random.Random(3), 256).save(room)
    cut.write_bytes(room.read_bytes()[:2000])
    return [room, cut]


def draw_mixed_folder(folder: Path) -> Path:
    """Drawings that the model has not seen, some of them half cat, half dog, rooms, and files that were cut off."""
    from PIL import Image

    from catdog_gui.engine.samples import draw_samples
    from catdog_gui.engine.samples.scenes import scene

    drawn = draw_samples(folder / "more", photos_per_class=60, seed=7)
    mixed = folder / "Summer"
    mixed.mkdir()
    pairs = list(zip(*(sorted((drawn.dataset / name).glob("*.jpg")) for name in ("cats", "dogs")), strict=True))
    for number, (cat, dog) in enumerate(pairs):
        cat.rename(mixed / f"IMG_{2 * number:04}.jpg")
        dog.rename(mixed / f"IMG_{2 * number + 1:04}.jpg")
    for number in range(12):
        cat, dog = (Image.open(mixed / f"IMG_{2 * number + kind:04}.jpg") for kind in (0, 1))
        Image.blend(cat, dog, 0.35 + number / 40).save(mixed / f"double exposure {number + 1}.jpg")
        scene(random.Random(number), 256).save(mixed / f"room {number + 1}.jpg")
    for number in range(3):
        whole = (mixed / f"IMG_{number:04}.jpg").read_bytes()
        (mixed / f"download {number + 1}.jpg").write_bytes(whole[:2000])
    return mixed


def mixed_folder(studio: Studio) -> None:
    """A whole folder, dropped on the right side."""
    studio.window.predict.clear()
    studio.classify([draw_mixed_folder(studio.pictures.parent)])
    studio.window.show_tab(0)
    studio.save("folder-light")
    studio.window.predict.clear()


def all_at_usual_size(studio: Studio) -> None:
    """One run of the fast preset, then one that is caught while it learns."""
    studio.dress("light")
    studio.save("welcome-light")
    studio.choose()
    studio.train("fast")
    studio.finish()
    studio.classify(list(studio.held_out))
    studio.save("results-light")
    trust(studio)
    studio.window.predict.clear()
    studio.classify([*studio.held_out[:3], *draw_others(studio.pictures.parent)])
    studio.window.show_tab(0)
    studio.save("answers-light")
    mixed_folder(studio)
    studio.train("article", LONG)
    catch(studio)
    studio.save("training-light")
    studio.dress("dark")
    studio.save("training-dark")
    studio.dress("light")
    studio.size(SMALL)
    studio.save("small")
    studio.size(USUAL)
    studio.window.run.stop()
    studio.finish()
    studio.window.show_tab(2)
    studio.save("runs-light")


def trust(studio: Studio) -> None:
    """Why an answer is what it is, and how careful the model is to be."""
    from PySide6.QtWidgets import QSlider  # noqa: TID251 -- it drives the window

    window, rows = studio.window, studio.window.predict_panel.answers
    index = rows.index(1, 0)
    window.predict_panel.ask_why(index)
    studio.until(lambda: window.background.is_idle)
    studio.save("why-light")
    window.trust.why.put_away()
    slider = window.trust.careful.findChild(QSlider, "carefulSlider")
    for step in (2, 0):
        slider.setValue(step)
        window.trust.careful.settle()
        studio.until(lambda: window.background.is_idle)
        if step:
            scroll_to(window.trust.careful)
            studio.save("careful-light")


def scroll_to(part: Any) -> None:  # noqa: ANN401 -- a widget; Qt is loaded later
    """Scroll the results until a part of them is seen."""
    from PySide6.QtWidgets import QScrollArea  # noqa: TID251 -- it drives the window

    area = part.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(part, 0, 32)


def catch(studio: Studio) -> None:
    state = studio.window.run.state
    wanted = int(CAUGHT * LONG["epochs"])
    studio.until(lambda: studio.window.run.state.epoch >= wanted or not studio.window.run.is_live)
    if not studio.window.run.is_live:
        raise RuntimeError(f"the run was over before it could be drawn: {state.failure}")


def large(studio: Studio) -> None:
    """On a screen with 200 %."""
    studio.dress("light")
    studio.choose()
    studio.train("fast")
    studio.finish()
    studio.classify(list(studio.held_out))
    studio.save("large")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "docs")
    parser.add_argument("--large", action="store_true", help=argparse.SUPPRESS)  # the second process
    options = parser.parse_args()
    options.out.mkdir(exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="demo-") as name:
        os.environ["CATDOG_HOME"] = str(Path(name) / "home")
        studio = Studio(Path(name), options.out)
        (large if options.large else all_at_usual_size)(studio)
        studio.close()
    if options.large:
        return 0
    again = [sys.executable, __file__, "--large", "--out", str(options.out)]
    return subprocess.run(again, env=os.environ | {"QT_SCALE_FACTOR": "2"}, check=False).returncode  # read once by Qt


if __name__ == "__main__":
    sys.exit(main())
