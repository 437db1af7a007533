"""What a run will take: how the estimate grows, what past runs correct, what is kept of this computer."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from catdog_gui.engine import events
from catdog_gui.engine.config import NETWORKS, PRESETS, TrainConfig, preset
from catdog_gui.engine.estimates import costs, machine
from catdog_gui.engine.estimates.estimate import Machine, estimate, memory_mb, run_kind
from catdog_gui.engine.estimates.machine import Past, corrections, known, past_runs, probably_cached
from catdog_gui.engine.models import poorness, verdicts
from catdog_gui.engine.runs import runlog
from catdog_gui.engine.training.estimating import memory_warning

HERE = Machine("cpu", "bf16", {"features": 1.0, "upper": 1.0, "whole": 1.0, "small_cnn": 1.0}, measured=True)
WHOLE = replace(preset("best"), trainable="all", epochs=10)


def total(config: TrainConfig, photos: int = 2000, here: Machine = HERE) -> float:
    return estimate(config, photos, here).total_s


def test_the_end_of_a_run_is_reckoned_with_as_many_photos_as_it_looks_at() -> None:
    assert (costs.POOR_COPIES, costs.REMEMBERED) == (poorness.COPIES, verdicts.MOST_VECTORS)


@pytest.mark.parametrize("name", PRESETS)
def test_five_times_the_photos_take_about_five_times_as_long(name: str) -> None:
    assert 3 < total(preset(name), 10_000) / total(preset(name), 2000) < 5.5


def test_the_presets_take_longer_in_their_order() -> None:
    times = [total(preset(name)) for name in ("fast", "balanced", "best")]

    assert times == sorted(times)
    assert times[0] < 60 < times[2]


def test_a_computer_of_half_the_speed_takes_twice_as_long() -> None:
    slow = replace(HERE, factors=dict.fromkeys(HERE.factors, 2.0))

    assert total(preset("article"), here=slow) > 1.8 * total(preset("article"))


@pytest.mark.parametrize(
    ("changes", "least", "most"),
    [
        ({"epochs": 20}, 1.7, 2.1),
        ({"image_size": 112}, 0.2, 0.5),
        ({"checkpointing": True}, 1.1, 1.4),
        ({"model": "resnet18"}, 0.2, 0.8),
    ],
)
def test_a_changed_setting_changes_the_time(changes: dict[str, object], least: float, most: float) -> None:
    base = WHOLE

    assert least < total(replace(base, **changes)) / total(base) < most


def test_a_kind_that_was_not_measured_is_told_from_the_others() -> None:
    half = Machine("cpu", "bf16", {"features": 2.0, "upper": 3.0, "small_cnn": 4.0}, measured=True)

    assert half.factor("whole") == 3.0


def test_kept_features_make_the_second_run_short() -> None:
    assert estimate(preset("fast"), 2000, HERE, cached=True).total_s < 0.5 * total(preset("fast"))


@pytest.mark.parametrize("model", NETWORKS)
def test_every_network_has_an_estimate(model: str) -> None:
    for part in ("head", "upper", "all"):
        found = estimate(TrainConfig(model=model, trainable=part), 100, HERE)
        assert 0 < found.total_s < 3600
        assert found.peak_mb >= found.needed_mb > 100


def test_memory_grows_with_the_batch_and_shrinks_with_its_parts() -> None:
    base = WHOLE
    plain, large, parts = (memory_mb(config, 2000, HERE)[1] for config in (
        base, replace(base, batch_size=128), replace(base, batch_size=128, accumulate=4),
    ))  # fmt: skip

    assert large > 2 * plain
    assert parts == pytest.approx(plain)


def test_a_store_that_is_mapped_need_not_be_free() -> None:
    peak, needed = memory_mb(WHOLE, 100_000, HERE)

    assert peak > needed + 10_000
    assert needed < 4000


def test_too_little_memory_is_said_with_both_figures() -> None:
    found = estimate(replace(WHOLE, batch_size=512), 2000, replace(HERE, device="cuda:0"))
    notice = memory_warning(found, "cuda:0", "RTX 3060", 4096.0)

    assert notice is not None
    assert (notice.code, notice.fields["free_gb"], notice.fields["name"]) == ("memory_short_card", 4.0, "RTX 3060")
    assert memory_warning(found, "cuda:0", "RTX 3060", 64_000.0) is None
    assert memory_warning(found, "cuda:0", "RTX 3060", None) is None


# --- past runs -------------------------------------------------------------------------------------------------------


def past(config: TrainConfig, factor: float, *, prepare: float | None = None, device: str = "cpu") -> Past:
    """A run that took `factor` times what was estimated for it."""
    raw = estimate(replace(config, epochs=2), 400, HERE).seconds
    seconds = {name: factor * value for name, value in raw.items()}
    seconds |= {} if prepare is None else {"prepare": prepare}
    return Past(config, device, "bf16", 400, 2, seconds)


def test_the_next_estimate_is_what_the_last_runs_really_took() -> None:
    config = preset("article")
    learned = corrections(HERE, [past(config, 3.0), past(config, 3.2), past(config, 2.8), past(config, 90.0)])

    assert learned[run_kind(config)] == pytest.approx((3.0, 3.0))
    corrected = estimate(config, 2000, replace(HERE, learned=learned))
    assert corrected.total_s == pytest.approx(3 * total(config), rel=0.05)


def test_a_run_whose_features_were_kept_does_not_spoil_the_next_estimate() -> None:
    config = preset("fast")

    assert corrections(HERE, [past(config, 1.0, prepare=0.05)])[run_kind(config)][0] == 1.0


def test_runs_on_other_devices_and_of_other_kinds_correct_nothing() -> None:
    learned = corrections(HERE, [past(preset("best"), 5.0, device="cuda:0"), past(preset("article"), 5.0)])

    assert run_kind(preset("best")) not in learned
    assert run_kind(preset("fast")) not in learned


def test_past_runs_are_read_from_their_folders(tmp_path: Path) -> None:
    config = replace(preset("fast"), data=Path("/photos"))
    result = events.RunResult(
        status="completed", run="", model=None, classes=["a", "b"], photos={"train": 80, "val": 20}, val={}, epochs=7,
        device="cpu", precision="bf16", seconds={"prepare": 1.5, "train": 0.5},
    )  # fmt: skip
    with runlog.create(tmp_path / "run-0001") as folder:
        folder.write_config(config, {})
        folder.append(result)
    with runlog.create(tmp_path / "run-0002") as folder:
        folder.write_config(config, {})
    (tmp_path / "no-run").mkdir()

    (found,) = past_runs(tmp_path)

    assert (found.photos, found.epochs, found.device, found.seconds["prepare"]) == (100, 7, "cpu", 1.5)
    assert found.config.data == Path("/photos")
    assert past_runs(tmp_path / "nowhere") == []


def test_photos_read_before_are_probably_kept(catdog_home: Path) -> None:
    config = replace(preset("fast"), data=Path("/photos"))
    runs = [Past(config, "cpu", "bf16", 100, 7, {})]

    assert not probably_cached(config, Path("/photos"), HERE, runs)
    (catdog_home / "cache").mkdir(parents=True)
    (catdog_home / "cache" / "photos.sqlite").touch()
    assert probably_cached(config, Path("/photos"), HERE, runs)
    assert not probably_cached(config, Path("/other"), HERE, runs)
    assert not probably_cached(config, Path("/photos"), replace(HERE, precision="fp32"), runs)
    assert not probably_cached(preset("best"), Path("/photos"), HERE, runs)


# --- what is kept of this computer -----------------------------------------------------------------------------------


def keep(folder: str = "/photos", reading_ms: float = 2.5) -> None:
    machine.keep("cpu", "bf16", {"features": 1.5, "whole": 2.0}, 700.0, Path(folder), reading_ms)


def test_what_was_measured_is_known_again() -> None:
    assert not known("cpu", "bf16").measured
    keep()
    keep("/phone", 9.0)
    found = known("cpu", "bf16", Path("/photos"))

    assert found.measured
    assert (found.factors, found.base_mb, found.reading_ms) == ({"features": 1.5, "whole": 2.0}, 700.0, 2.5)
    assert known("cpu", "bf16", Path("/unknown")).reading_ms == 9.0
    assert not known("cpu", "fp32").measured


def test_figures_of_another_version_of_a_library_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    keep()
    monkeypatch.setattr(machine, "_version", lambda _package: "99.0")

    assert not known("cpu", "bf16").measured


@pytest.mark.parametrize(
    "content", ["", "[]", '{"devices": 3}', '{"devices": {"cpu bf16": {"factors": {"whole": "x"}}}, "reading": [1]}']
)
def test_a_damaged_file_is_as_none(content: str) -> None:
    keep()
    good = json.loads(machine.file().read_text())
    machine.file().write_text(content)
    assert not known("cpu", "bf16").measured

    good["devices"]["cpu bf16"]["factors"] = {"whole": -1, "features": True, "upper": 1e99, "small_cnn": None}
    machine.file().write_text(json.dumps(good))
    assert known("cpu", "bf16").factors == {}


def test_a_home_that_cannot_be_written_leaves_it_unknown(catdog_home: Path) -> None:
    catdog_home.write_text("no folder")
    keep()

    assert not known("cpu", "bf16").measured


def test_photos_that_are_varied_take_the_memory_of_passing_through_what_is_frozen() -> None:
    best, batch = preset("best"), preset("best").batch_size
    plain = replace(best, augment=False)
    store = 2000 * 3 * 256**2 / 2**20  # the squares, which `balanced` does not keep
    more = memory_mb(best, 2000, HERE)[0] - memory_mb(plain, 2000, HERE)[0]

    assert more - store > 5 * batch  # MB; 220 were measured for the frozen stages alone, 115 to vary
    assert memory_mb(best, 2000, HERE)[0] == pytest.approx(1900, rel=0.12)  # a run of one epoch took 1,915


def test_the_photos_made_poor_and_the_last_look_at_those_to_remember_are_counted_with_the_saving() -> None:
    fast, best = preset("fast"), preset("best")

    assert 10 < estimate(best, 2000, HERE).seconds["save"] < 25  # measured: 18.9 s
    assert estimate(best, 200_000, HERE).seconds["save"] < 4 * estimate(best, 2000, HERE).seconds["save"]
    assert 1.0 < estimate(fast, 2000, HERE).seconds["save"] < 3.0
    assert estimate(fast, 2000, HERE).seconds["save"] < estimate(best, 2000, HERE).seconds["save"]
    assert estimate(fast, 2000, HERE, cached=True).seconds["save"] < 0.5


def test_stored_variations_cost_preparing_and_room_and_no_epoch() -> None:
    with_them = preset("balanced")
    without = replace(with_them, variations=0)
    more, less = (estimate(config, 2000, HERE).seconds for config in (with_them, without))

    assert 3 < more["prepare"] / less["prepare"] < 7
    assert more["train"] == less["train"]
    assert memory_mb(with_them, 2000, HERE)[0] - memory_mb(without, 2000, HERE)[0] == pytest.approx(4 * 84, rel=0.1)
    assert estimate(replace(with_them, trainable="all"), 2000, HERE).seconds == (
        estimate(replace(without, trainable="all"), 2000, HERE).seconds
    )
