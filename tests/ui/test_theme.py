from __future__ import annotations

import re
from pathlib import Path

import pytest

from attnviewer.ui.sheet import SHEET
from attnviewer.ui.theme import DARK, LIGHT, TEXT_PAIRS, Tokens, contrast, resolve, style_sheet


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT_PAIRS)
def test_text_stands_out_from_its_ground(tokens: Tokens, front: str, back: str) -> None:
    assert contrast(getattr(tokens, front), getattr(tokens, back)) >= 4.5


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_name_in_the_sheet_is_filled(tokens: Tokens) -> None:
    assert "$" not in style_sheet(tokens)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_boxes_to_tick_have_a_line_and_a_tick_that_are_seen(tokens: Tokens) -> None:
    drawing = Path(re.findall(r'image: url\("(.+)"\)', style_sheet(tokens))[0]).read_text("utf-8")
    (colour,) = re.findall(r'stroke="(#\w+)"', drawing)
    assert contrast(colour, tokens.accent) >= 4.5
    assert all(contrast(tokens.muted, ground) >= 3 for ground in (tokens.surface, tokens.background))


def test_the_sheet_holds_no_colour_of_its_own() -> None:
    assert not re.search(r"#[0-9a-f]{6}|rgb", SHEET)


def test_light_and_dark_are_taken_at_their_word() -> None:
    assert resolve("light") is LIGHT
    assert resolve("dark") is DARK


@pytest.mark.parametrize(
    "part", ["#sheet {", "#gallery {", "#lessonbar {", "#offer {", '[look="answer"]', '[look="stop"]']
)
def test_what_lies_over_or_beside_a_panel_is_painted_by_the_style_sheet(part: str) -> None:
    assert part in SHEET
