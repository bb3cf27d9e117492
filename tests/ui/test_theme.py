from __future__ import annotations

import re

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
