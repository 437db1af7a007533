"""The README's Python does what it says."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def workplace(tmp_path: Path, make_dataset: Callable[..., Path], draw_photo: Callable[..., Image.Image]) -> Path:
    """A folder with what the README's lines name: photos/train, photos/val and rex.jpg."""
    make_dataset(tmp_path / "photos" / "train", {"cats": 10, "dogs": 10})
    make_dataset(tmp_path / "photos" / "val", {"cats": 4, "dogs": 4}, seed=1)
    draw_photo(1, 999).save(tmp_path / "rex.jpg")
    return tmp_path


def run(code: str, folder: Path) -> str:
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_network_of_ones_own_is_trained_in_ten_lines(workplace: Path) -> None:
    code = next(block for block in BLOCKS if "Trainer" in block)

    printed = run(code, workplace)

    assert len([line for line in code.splitlines() if line and "import" not in line]) <= 10
    assert re.findall(r"Epoch (\d) \| Val Acc: \d+\.\d\d%", printed) == ["1", "2", "3"]


def test_the_whole_recipe_answers_about_a_photo(workplace: Path) -> None:
    code = next(block for block in BLOCKS if "load_model" in block)

    printed = run(code, workplace)

    assert "dogs" in printed
