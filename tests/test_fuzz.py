"""`benchmarks/fuzz.py` in its short form, and that it notices what it is there for."""

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parent.parent / "benchmarks" / "fuzz.py"


def fuzz(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(FUZZ), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["photos", "files"])
def test_no_mutant_ends_the_program_or_leaves_its_bounds(kind: str) -> None:
    code, said = fuzz("--kinds", kind, "--count", "150")

    assert code == 0, said
    assert "150 mutants  0 faults" in said


@pytest.mark.parametrize(
    ("kind", "noticed"),
    [
        ("test-dies", "died with"),
        ("test-hangs", "over 1 s"),
        ("test-writes", "open "),
        ("test-runs", "os.system"),
        ("test-raises", "ZeroDivisionError"),
        pytest.param(
            "test-eats", "MB", marks=pytest.mark.skipif(sys.platform != "linux", reason="memory is read there")
        ),
    ],
)
def test_a_fault_is_noticed_and_the_next_cases_still_run(kind: str, noticed: str) -> None:
    code, said = fuzz("--kinds", kind, "--count", "2", "--seed", "822", "--limit-s", "1")

    assert code == 1
    assert noticed in said
    assert "2 mutants  1 faults" in said


def test_a_mutant_can_be_looked_at_again() -> None:
    shown = [
        subprocess.run(
            [sys.executable, str(FUZZ), "--kinds", "png", "--show", "7"], capture_output=True, check=True, timeout=60
        ).stdout
        for _ in range(2)
    ]

    assert shown[0] == shown[1]
    assert len(shown[0]) > 20
