"""docs/notebook.ipynb runs from top to bottom and holds nobody's outputs."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


@pytest.fixture
def this_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a kernel that runs this interpreter and imports this checkout."""
    kernel = tmp_path / "jupyter" / "kernels" / "this"
    kernel.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": command, "display_name": "this", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
    return "this"


def printed(notebook: Any) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(str(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning", "ignore::FutureWarning")
def test_the_notebook_does_what_it_says(this_python: str, tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(
        notebook, timeout=120, kernel_name=this_python, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    text = printed(notebook)

    assert "cpu" in text
    assert "Epoch 1 | Loss:" in text
    assert "completed {'accuracy':" in text
    assert text.count("drawing-") == 6
    assert "Allocated:" in text
    assert not [cell for cell in notebook.cells for output in cell.get("outputs", []) if output.output_type == "error"]


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]

    assert [cell["outputs"] for cell in cells] == [[]] * len(cells)
    assert {cell["execution_count"] for cell in cells} == {None}
