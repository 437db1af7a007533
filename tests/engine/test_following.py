"""A run that another program writes is watched through its folder."""

from pathlib import Path

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.runs.following import follow


def never() -> bool:
    return False


@pytest.fixture
def folder(tmp_path: Path) -> runlog.RunFolder:
    made = runlog.create(tmp_path / "run")
    made.write_config(TrainConfig(), {})
    return made


def failed(code: str) -> events.RunFailed:
    return events.RunFailed(code, {})


def test_what_was_said_and_what_is_said_meanwhile_arrives_once_and_in_order(folder: runlog.RunFolder) -> None:
    folder.append(events.PhaseStarted("scan"))
    later: list[events.Event] = [events.PhaseStarted("prepare"), events.PhaseStarted("train"), failed("disk_full")]
    seen: list[events.Event] = []

    def write_more(_seconds: float) -> None:
        folder.append(later.pop(0))

    follow(folder.path, seen.append, never, write_more)

    phases = [event.phase for event in seen if isinstance(event, events.PhaseStarted)]
    assert phases == ["scan", "prepare", "train"]
    assert [event.code for event in seen if isinstance(event, events.RunFailed)] == ["disk_full"]
    folder.close()


def test_half_a_line_waits_for_its_other_half(folder: runlog.RunFolder) -> None:
    line = events.to_line(events.PhaseStarted("train"), time=1.0).encode()
    file = folder.path / "events.jsonl"
    file.write_bytes(line[:9])
    parts = [line[9:] + b"\n", events.to_line(failed("disk_full"), time=2.0).encode() + b"\n"]
    seen: list[events.Event] = []

    def write_more(_seconds: float) -> None:
        with file.open("ab") as log:
            log.write(parts.pop(0))

    follow(folder.path, seen.append, never, write_more)

    assert [type(event).__name__ for event in seen] == ["PhaseStarted", "RunFailed"]
    folder.close()


def test_a_run_whose_program_died_is_said_to_be_cut_off(folder: runlog.RunFolder) -> None:
    folder.append(events.PhaseStarted("train"))
    seen: list[events.Event] = []

    follow(folder.path, seen.append, never, lambda _seconds: folder.close())

    assert isinstance(seen[-1], events.RunFailed)
    assert seen[-1].code == "run_interrupted"


def test_a_stop_is_passed_on_and_the_run_followed_to_its_end(folder: runlog.RunFolder) -> None:
    seen: list[events.Event] = []

    def obey(_seconds: float) -> None:
        if folder.stop_asked():
            folder.append(failed("disk_full"))

    follow(folder.path, seen.append, lambda: True, obey)

    assert folder.stop_asked()
    assert len(seen) == 1
    folder.close()
