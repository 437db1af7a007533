"""Colours one can read, icons that exist."""

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QWidget

from catdog_gui.engine.home import resources_dir
from catdog_gui.ui import schemes, theme
from catdog_gui.ui.theme import DARK, LIGHT, Colours

ICONS = resources_dir() / "icons"


def contrast(one: str, other: str) -> float:
    return schemes.contrast(QColor(one), QColor(other))


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["text", "secondary", "accent", "train", "validation", "memory", "limit", "good"])
def test_every_colour_that_carries_words_or_curves_can_be_read(scheme: Colours, name: str) -> None:
    assert contrast(getattr(scheme, name), scheme.card) >= 4.5


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_words_on_coloured_grounds_can_be_read(scheme: Colours) -> None:
    assert contrast(scheme.accent_text, scheme.accent) >= 4.5
    assert contrast(scheme.accent, scheme.accent_soft) >= 4.5
    for name in ("text", "secondary", "accent"):
        assert contrast(getattr(scheme, name), scheme.window) >= 4.5
        assert contrast(getattr(scheme, name), scheme.field) >= 4.5


def test_contrast_is_measured_as_the_guidelines_say() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize("colour", ["#FFEE00", "#000000", "#FFFFFF", "#E95420", "#3DAEE9", "#FF2D92", "#808080"])
def test_every_accent_of_a_system_can_be_read(scheme: Colours, colour: str) -> None:
    ours = schemes.with_accent(scheme, colour)

    for ground in (ours.card, ours.field, ours.window, ours.accent_soft):
        assert contrast(ours.accent, ground) >= 4.5
    assert contrast(ours.accent_text, ours.accent) >= 4.5


def test_an_accent_that_can_be_read_is_taken_as_it_is() -> None:
    assert schemes.with_accent(LIGHT, "#0b62b1").accent == "#0b62b1"


def asked_for() -> set[str]:
    """Icon names in the sources of the window."""
    sources = "\n".join(path.read_text("utf-8") for path in Path(theme.__file__).parent.glob("*.py"))
    patterns = (
        r'theme\.icon\(\s*"([a-z-]+)"',
        r'IconLabel\("([a-z-]+)"',
        r'set_icon\(\w+(?:\.\w+)*, "([a-z-]+)"',
        r'Tile\(\s*"([a-z-]+)"',
        r'"(chevron-[a-z]+)"',
        r'"icons" / "([a-z-]+)\.svg"',
        r'icon_pixmap\(\s*"([a-z-]+)"',
    )
    return {name for pattern in patterns for name in re.findall(pattern, sources)}


def test_every_icon_has_a_file_and_every_file_is_used() -> None:
    assert asked_for() == {path.stem for path in ICONS.glob("*.svg")}


@pytest.mark.parametrize("path", sorted(ICONS.glob("*.svg")), ids=lambda path: path.stem)
def test_icons_are_one_outline_set(path: Path) -> None:
    svg = path.read_text("utf-8")

    assert 'stroke-width="1.5"' in svg
    assert 'stroke-linecap="round"' in svg


def test_an_icon_is_drawn_in_the_colour_asked_for(qapp: Any) -> None:
    image = theme.icon("stop", "#C24E00").pixmap(20, 20).toImage()

    assert image.pixelColor(10, 10).name().upper() == "#C24E00"


def test_the_users_choice_of_light_or_dark_goes_before_the_systems(qapp: Any) -> None:
    try:
        theme.choose_scheme(qapp, "dark")
        assert theme.colours() is DARK
        theme.choose_scheme(qapp, "light")
        assert theme.colours() is LIGHT
    finally:
        theme.choose_scheme(qapp, "system")


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_qt_understands_the_whole_style_sheet(qapp: Any, scheme: Colours) -> None:
    sheet = theme.stylesheet(scheme)

    assert sheet.count("{") == sheet.count("}")
    qapp.setStyleSheet(sheet)  # a rule that Qt cannot parse is a warning, which fails the test
    qapp.setStyleSheet("")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ticked", [False, True])
def test_a_check_box_is_seen_ticked_or_not(qtbot: Any, qapp: Any, scheme: str, ticked: bool) -> None:
    before = qapp.style().name(), qapp.palette(), qapp.font()
    try:
        theme.choose_scheme(qapp, scheme)
        theme.apply(qapp)
        ground = QWidget()
        ground.setStyleSheet(f"background: {theme.colours().card}")
        qtbot.addWidget(ground)
        box = QCheckBox("Vary the photos", ground)
        box.setChecked(ticked)
        ground.resize(200, 40)
        ground.show()
        image = ground.grab().toImage()
        middle = box.geometry().center().y()
        seen = [image.pixelColor(x, middle) for x in range(20)]  # across both of its sides
    finally:
        theme.choose_scheme(qapp, "system")
        qapp.setStyleSheet("")
        qapp.setStyle(before[0])
        qapp.setPalette(before[1])
        qapp.setFont(before[2])

    card = QColor(DARK.card if scheme == "dark" else LIGHT.card)
    edges = [x for x, colour in enumerate(seen) if schemes.contrast(colour, card) >= 3]
    assert edges
    assert edges[-1] - edges[0] >= 12
