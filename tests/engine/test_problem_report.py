"""The zip that can be sent to strangers: what helps is in it, no name and no place is."""

import json
import logging
import traceback
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catdog_gui.engine import events, home
from catdog_gui.engine.config import TrainConfig
from catdog_gui.engine.errors import CatDogError
from catdog_gui.engine.problems.anonymous import Anonymizer
from catdog_gui.engine.problems.problem_report import write_report
from catdog_gui.engine.runs import run_list, runlog
from catdog_gui.session import settings

PLANTED = (
    "Muschi",
    "Bello von Berg",
    "Anna",
    "Urlaub",
    "IMG_7731",
    "secret-drive",
    "Rex's",
    "Omas Katzen",
    "Zorro",
    "犬小屋",
)
COMPUTER = {
    "torch": "2.14.1+cu130",
    "computer": {"processor": "Example 9000", "executable": "/home/Anna/.venv/bin/python", "cores": 8},
    "devices": [{"id": "cpu", "name": "Example 9000", "reason": "cannot open /home/Anna/driver.so"}],
}


def fill_home(folder: Path) -> Path:
    """A home in which every kind of place holds a name."""
    data = Path("/media/secret-drive/Anna Urlaub/Omas Katzen")
    settings.save(
        settings.Settings(recent=(str(data), "/home/Anna/Zorro"), overrides={"fast": {"val": "/home/Anna/x"}})
    )
    run = runlog.create()
    with run:
        config = TrainConfig(data=data, val=Path("C:\\Users\\Anna\\Zorro"))
        run.write_config(config, {"device_name": "Example 9000", "threads": 4, "started": 5.0, "host": "Anna"})
        run.write_photos([{"path": "Muschi/IMG_7731.jpg", "label": "Muschi", "side": "train"}])
        classes = ["Muschi", "Bello von Berg", "犬小屋"]
        run.append(
            events.RunStarted(str(run.path), classes, "cpu", "Example 9000", "fp32", 3, "fast", "resnet18", {}, 5.0)
        )
        run.append(events.PhotoSkipped("Bello von Berg/Rex's Bild.jpg", "truncated"))
        run.append(events.DataWarning("classes_alike", {"names": "Muschi, muschi"}))
        run.append(events.StepDone(1, 1, 0.75, 1e-3, 50.0, 1.0, 2.0))
        run.append(events.RunFailed("cannot_read", {"path": f"{data}/Muschi", "reason": "Input/output error"}))
    run_list.rename(run.path, "Annas Zorro")
    write_log(data)
    return run.path


def write_log(data: Path) -> None:
    home.log_file().parent.mkdir(parents=True)
    log = logging.getLogger("test_problem_report")
    handler = logging.FileHandler(home.log_file(), encoding="utf-8")
    log.addHandler(handler)
    for error in (
        CatDogError("cannot_write", path="/mnt/Omas Katzen", reason="read-only"),
        FileNotFoundError(2, "No such file", f"{data}/Rex's Bild.jpg"),
        KeyError("Bello von Berg"),
        ValueError(
            "can't use Muschi/IMG_7731.jpg at //secret-drive/Anna or anna@Zorro.example or https://Zorro.example/x"
        ),
        RuntimeError("odd file D:\\Urlaub\\Omas Katzen\\a.txt beside Zorro.heic"),
    ):
        try:
            raise error
        except Exception as caught:  # noqa: BLE001
            log.error("cannot_read {'path': %r}\n%s", str(data), "".join(traceback.format_exception(caught)))
    log.removeHandler(handler)
    handler.close()


def contents(file: Path) -> dict[str, str]:
    with zipfile.ZipFile(file) as report:
        return {name: report.read(name).decode() for name in report.namelist()}


@pytest.fixture
def report(catdog_home: Path, tmp_path: Path) -> dict[str, str]:
    fill_home(catdog_home)
    target = tmp_path / "report.zip"
    write_report(
        target, COMPUTER, details="[x] {'path': '/media/Omas Katzen'}\nKeyError: 'Bello von Berg' in /home/Anna/a"
    )
    return contents(target)


@pytest.mark.parametrize("name", [*PLANTED, *(name.casefold() for name in PLANTED)])
def test_no_planted_name_is_in_any_file(report: dict[str, str], name: str) -> None:
    found = {
        file: text[max(0, text.find(name) - 80) : text.find(name) + 80] for file, text in report.items() if name in text
    }

    assert found == {}


def test_no_place_of_this_computer_is_in_any_file(report: dict[str, str], catdog_home: Path) -> None:
    everything = "\n".join(report.values())

    for place in (
        str(catdog_home),
        str(Path.home()) + "/",
        str(Path(__file__).resolve().parent),
        "/media",
        "C:\\",
        "D:\\",
    ):
        assert place not in everything


def test_what_helps_is_in_it(report: dict[str, str]) -> None:
    lines = [json.loads(line) for line in report["run/events.jsonl"].splitlines()]
    config = json.loads(report["run/config.json"])

    assert [line["type"] for line in lines] == ["start", "skipped", "warning", "step", "error"]
    assert lines[0]["classes"] == ["class-1", "class-2", "class-3"]
    assert lines[1]["path"].endswith(".jpg")
    assert (lines[3]["loss"], lines[4]["code"]) == (0.75, "cannot_read")
    assert (config["epochs"], config["model"], config["facts"]["device_name"]) == (
        20,
        "efficientnet_lite0",
        "Example 9000",
    )
    assert "engine" in report["log.txt"] or "test_problem_report.py" in report["log.txt"]
    assert all(
        kind in report["log.txt"] for kind in ("FileNotFoundError", "KeyError", "errors.CatDogError", "[Errno 2]")
    )
    assert "2.14.1+cu130" in report["computer.json"]
    assert "Example 9000" in report["computer.json"]


def test_there_is_a_report_where_nothing_was_run(catdog_home: Path, tmp_path: Path) -> None:
    write_report(tmp_path / "r.zip", COMPUTER)

    assert set(contents(tmp_path / "r.zip")) == {"README.txt", "computer.json", "settings.json", "log.txt"}


def test_a_place_that_cannot_be_written_is_said(catdog_home: Path, tmp_path: Path) -> None:
    with pytest.raises(CatDogError) as caught:
        write_report(tmp_path / "none" / "r.zip", COMPUTER)

    assert caught.value.code == "cannot_write"


@given(st.text(alphabet="Zorq /\\'\"“”.:{}[]=,\n", min_size=1, max_size=60))
def test_a_known_name_is_found_wherever_it_stands_as_a_word(around: str) -> None:
    names = Anonymizer()
    names.learn_classes(["Wuschel"])

    assert "Wuschel" not in names.text(f"{around} Wuschel {around}")
    assert "Wuschel" not in json.dumps(names.value({"a": ["Wuschel", {"Wuschel": around}]}))
