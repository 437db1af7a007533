"""Settings: what is accepted, and that they survive their file."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catdog_gui.engine.config import NETWORKS, PRESETS, TrainConfig, from_json, preset
from catdog_gui.engine.errors import ConfigError, UsageError

FIELDS = {item.name: item for item in dataclasses.fields(TrainConfig)}
NUMBERS = [name for name, item in FIELDS.items() if item.metadata["low"] is not None]
WHOLE = [name for name in NUMBERS if isinstance(FIELDS[name].default, int)]
CHOICES = [name for name, item in FIELDS.items() if item.metadata["choices"]]
FLAGS = [name for name, item in FIELDS.items() if isinstance(item.default, bool)]
PATHS = ["data", "val", "run"]


def refused(**values: Any) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        dataclasses.replace(TrainConfig(), **values).validated()
    assert caught.value.field in str(caught.value)
    assert "{" not in str(caught.value)
    assert caught.value.exit_code == 2
    return caught.value


def test_every_setting_is_of_a_kind_that_is_checked() -> None:
    assert set(FIELDS) == {*NUMBERS, *CHOICES, *FLAGS, *PATHS, "device"}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_accepted_from_its_least_to_its_largest_and_nothing_beyond(name: str) -> None:
    low, high = FIELDS[name].metadata["low"], FIELDS[name].metadata["high"]
    step = 1 if name in WHOLE else 1e-9

    for value in (low, high):
        assert getattr(dataclasses.replace(TrainConfig(), **{name: value}).validated(), name) == value
    for value in (low - step, high + max(step, abs(high) * 1e-9 if name not in WHOLE else 1)):
        error = refused(**{name: value})
        assert (error.code, error.field) == ("setting_range", name)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), "3", None, True, [1]], ids=str)
def test_what_is_no_number_is_refused(name: str, value: object) -> None:
    assert refused(**{name: value}).code == "setting_type"


@pytest.mark.parametrize("name", WHOLE)
def test_a_fraction_is_refused_where_a_whole_number_is_meant(name: str) -> None:
    assert refused(**{name: 2.5}).code == "setting_type"


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_too_large_for_any_computer_is_out_of_range(name: str) -> None:
    assert refused(**{name: 10**400}).code == "setting_range"


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_is_one_of_those_offered(name: str) -> None:
    for choice in FIELDS[name].metadata["choices"]:
        dataclasses.replace(TrainConfig(), **{name: choice}).validated()
    for other in ("other", "", None, 3, ["fp32"]):
        error = refused(**{name: other})
        assert error.code == "setting_choice"
        assert FIELDS[name].metadata["choices"][0] in str(error)


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", [1, 0, "true", None], ids=repr)
def test_yes_or_no_is_nothing_else(name: str, value: object) -> None:
    assert refused(**{name: value}).code == "setting_type"


@pytest.mark.parametrize("name", [*PATHS, "device"])
def test_folders_and_device_have_their_kind(name: str) -> None:
    assert refused(**{name: 3}).code == "setting_type"


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_says_what_the_form_and_the_command_line_need(name: str) -> None:
    metadata = FIELDS[name].metadata

    assert metadata["help"].endswith(".")
    assert (metadata["low"] is None) == (metadata["high"] is None)
    if metadata["low"] is not None:
        assert metadata["low"] <= FIELDS[name].default <= metadata["high"]
    if metadata["choices"]:
        assert FIELDS[name].default in metadata["choices"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid_and_names_itself(name: str) -> None:
    config = preset(name).validated()

    assert config.preset == name
    assert config.model in NETWORKS


def test_the_article_preset_is_the_articles_recipe() -> None:
    config = preset("article")

    assert (config.model, config.pretrained, config.trainable) == ("small_cnn", False, "all")
    assert (config.optimizer, config.learning_rate, config.batch_size, config.epochs) == ("adam", 1e-3, 64, 10)
    assert (config.image_size, config.fit, config.augment, config.schedule) == (224, "squash", False, "constant")
    assert (config.weight_decay, config.warmup, config.label_smoothing, config.patience) == (0.0, 0.0, 0.0, 0)


def test_an_unknown_preset_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="fast, balanced, best, article"):
        preset("slow")


CONFIGS = st.builds(
    lambda name, **values: dataclasses.replace(preset(name), **values),
    st.sampled_from(PRESETS),
    data=st.none() | st.just(Path("/photos/日本語")),
    seed=st.integers(0, 2**31 - 1),
    learning_rate=st.floats(1e-7, 10),
    val_fraction=st.floats(0.01, 0.9),
    augment=st.booleans(),
    model=st.sampled_from(NETWORKS),
)


@given(CONFIGS)
def test_settings_survive_their_file(config: TrainConfig) -> None:
    assert from_json(json.loads(json.dumps(config.to_json()))) == config


def test_a_file_of_another_version_is_read_as_far_as_it_is_known() -> None:
    config = from_json({"schema": 7, "preset": "best", "weather": "fine", "epochs": 3, "facts": {"threads": 2}})

    assert config == dataclasses.replace(preset("best"), epochs=3)


@pytest.mark.parametrize(
    "values",
    [
        {"preset": None},
        {"preset": ["fast"]},
        {"epochs": "ten"},
        {"epochs": None},
        {"learning_rate": float("nan")},
        {"data": 5},
        {"device": None},
        {"batch_size": 0},
        {"model": {"name": "resnet18"}},
    ],
    ids=str,
)
def test_a_damaged_file_names_the_setting(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        from_json(values)
    assert caught.value.field == next(iter(values))
