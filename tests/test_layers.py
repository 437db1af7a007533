"""Who may import whom, and what may be loaded when."""

import ast
import graphlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "catdog_gui").rglob("*.py"))
LAYERS = ("engine", "session", "ui")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


def child(code: str) -> str:
    """What a fresh Python prints. It must end well."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(path: Path, *, only_at_import: bool) -> Iterator[str]:
    """Names of our modules that a file imports; only_at_import: without those inside functions or for types only."""
    stack: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("catdog_gui"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("catdog_gui"):
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else str(node.module)
        if only_at_import and (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_for_types_only(node)):
            continue
        stack.extend(ast.iter_child_nodes(node))


def is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def layer(module: str) -> int:
    """0 engine, 1 session, 2 ui; the two programs stand above all."""
    parts = module.split(".")
    if len(parts) == 1:
        return -1
    return LAYERS.index(parts[1]) if parts[1] in LAYERS else len(LAYERS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_nothing_from_a_layer_above(module: str) -> None:
    above = [name for name in imported(MODULES[module], only_at_import=False) if layer(name) > layer(module)]

    assert above == []


def test_no_module_imports_itself_round_a_corner() -> None:
    graph = {name: set(imported(path, only_at_import=True)) - {name} for name, path in MODULES.items()}
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " -> ".join((*way, module))
        if module not in done:
            for name in graph.get(module, ()):
                visit(name, (*way, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def part(module: str) -> str:
    """The engine's sub-package of a module; the plain modules that all rely on are one part."""
    parts = module.split(".")
    inside = len(parts) > 3 or (ROOT / "catdog_gui" / "engine" / parts[-1]).is_dir()
    return parts[2] if inside and parts[2] != "messages" else "plain"


def test_the_parts_of_the_engine_build_on_each_other_in_one_direction() -> None:
    parts: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        if name.startswith("catdog_gui.engine."):
            used = {other for other in imported(path, only_at_import=True) if other.startswith("catdog_gui.engine.")}
            parts.setdefault(part(name), set()).update({part(other) for other in used} - {part(name)})

    order = list(graphlib.TopologicalSorter(parts).static_order())  # raises CycleError, which names the circle

    assert order.index("photos") < order.index("networks") < order.index("learning") < order.index("training")
    assert parts["plain"] == set()


SLOW = ("torch", "torchvision", "numpy", "pyqtgraph", "openvino")
BLOCK_QT = """
import importlib, json, sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"):
            raise ModuleNotFoundError(f"no {name} here", name=name)
sys.meta_path.insert(0, Block())
"""


def test_engine_session_and_commands_work_where_qt_cannot_be_imported() -> None:
    modules = [name for name in MODULES if ".ui" not in name]
    code = f"{BLOCK_QT}for name in {modules!r}: importlib.import_module(name)"

    child(code)


def test_the_session_needs_neither_torch_nor_numpy() -> None:
    modules = [name for name in MODULES if name.startswith("catdog_gui.session")]

    assert heavy_after(modules) == []


def test_the_window_is_made_without_torch_numpy_and_plots() -> None:
    assert heavy_after(["catdog_gui.ui.main_window", "catdog_gui.ui.app"]) == []


def heavy_after(modules: list[str]) -> list[str]:
    """Which of the slow libraries are loaded once these modules are."""
    code = f"""
import importlib, json, sys
for name in {modules!r}: importlib.import_module(name)
print(json.dumps([name for name in {SLOW!r} if name in sys.modules]))
"""
    return json.loads(child(code))
