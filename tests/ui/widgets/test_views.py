from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace, with_maps
from pytestqt.qtbot import QtBot

from attnviewer.core.terms import explained
from attnviewer.core.trace import Step
from attnviewer.ui.controls import button
from attnviewer.ui.icons import pixmap
from attnviewer.ui.look import Look, colours, levels, table
from attnviewer.ui.widgets.bars import Bar, Bars, fraction, number
from attnviewer.ui.widgets.facts import ROWS, FactsView, facts_of
from attnviewer.ui.widgets.how import How
from attnviewer.ui.widgets.side import next_words
from attnviewer.ui.widgets.story import StoryLine
from attnviewer.ui.widgets.terms import explaining

TABLES = ["inferno", "viridis", "cividis"]


@pytest.mark.parametrize("name", TABLES)
def test_colour_tables_grow_steadily_brighter(name: str) -> None:
    bright = colours(name).astype(float) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(np.convolve(bright, np.ones(64) / 64, "valid")) > 0).all()


@pytest.mark.parametrize("name", TABLES)
def test_opacity_rises_with_the_value(name: str) -> None:
    alpha = table(Look(table=name, opacity=0.5))[:, 3].astype(int)
    assert (np.diff(alpha) >= 0).all()
    assert (alpha[0], alpha[-1]) == (0, 128)


def test_the_common_range_reaches_the_largest_weight_of_all_words() -> None:
    maps = np.full((2, 100), 1.0)
    maps[1, 7] = 200.0
    trace = with_maps(maps, 10, 10)
    assert levels(trace, 0, Look()) == pytest.approx((0.0, 200 / 299))
    assert levels(trace, 0, Look(per_word=True)) == pytest.approx((0.0, 0.04))


@pytest.mark.parametrize(("value", "text"), [(0.65, "65%"), (0.088, "8.8%"), (0.0001, "<0.1%"), (math.nan, "none")])
def test_numbers_have_the_digits_they_need(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(("value", "length"), [(math.nan, 0), (math.inf, 0), (-1, 0), (2, 1), (0.4, 0.4)])
def test_a_bar_has_a_length_whatever_its_value(value: float, length: float) -> None:
    assert fraction(value) == length


def test_long_labels_are_elided_and_told_by_the_tooltip(qtbot: QtBot) -> None:
    bars, name = Bars("Words", "none"), "donaudampfschifffahrt" * 4
    qtbot.addWidget(bars)
    bars.resize(260, 200)
    bars.show_bars([Bar(name, math.nan), Bar("b", 0.5, chosen=True)])
    assert not bars.grab().isNull()
    assert name in bars.tip_at(3)
    assert "b: 50%" in bars.tip_at(30)
    assert bars.tip_at(190) == ""


def test_a_word_outside_the_most_probable_ones_has_a_bar_too() -> None:
    step = Step("cat", math.log(0.01), np.ones((1, 1)), alternatives=(("dog", 0.9),))
    assert next_words(step)[-1] == Bar("cat", pytest.approx(0.01), True)


def test_a_word_that_was_looked_up_has_the_bar_of_the_unknown_one() -> None:
    step = Step("canoe", math.log(0.22), np.ones((1, 1)), (("(unknown)", 0.22), ("big", 0.1)), unknown=True)
    assert next_words(step) == [Bar("canoe", 0.22, True), Bar("big", 0.1)]
    assert [bar.label for bar in next_words(replace(step, word="big", unknown=False))] == ["(unknown)", "big"]


def test_only_one_bar_is_marked_where_a_looked_up_word_is_among_the_others() -> None:
    step = Step("The", math.log(0.5), np.ones((1, 1)), (("(unknown)", 0.5), ("The", 0.2)), unknown=True)
    assert [(bar.label, bar.chosen) for bar in next_words(step)] == [("The", True), ("The", False)]


def test_the_chance_of_a_given_unknown_word_is_called_that_of_any() -> None:
    step = Step("zyzzyva", math.log(0.01), np.ones((1, 1)), (("dog", 0.9),), forced=True, unknown=True)
    assert next_words(step)[-1] == Bar("any unknown word", pytest.approx(0.01), True)


def test_bars_are_few_and_large_for_a_room(qtbot: QtBot) -> None:
    bars = Bars("Words", "none")
    qtbot.addWidget(bars)
    bars.show_bars([Bar(str(i), 0.1) for i in range(8)])
    usual = bars.row
    bars.set_large(True)
    assert bars.row > usual
    bars.resize(400, 2000)
    assert len(bars.shown()) == 5


def test_screen_readers_get_a_tooltip_without_markup(qtbot: QtBot) -> None:
    made = button("Open", "Open <a> photo & more")
    qtbot.addWidget(made)
    assert made.accessibleDescription() == "Open <a> photo & more"


def test_facts_name_the_place_of_the_peak() -> None:
    maps = np.full((1, 9), 0.1)
    maps[0, 2] = 5.0
    told = facts_of(with_maps(maps, 3, 3), 0)
    assert told["place"] == ("in the top right", "86% on row 0, column 2")
    assert told["spread"] == ("a few places", "Entropy 1.0 of at most 3.2 bits")
    assert "gate" not in told


def test_facts_come_in_plain_words_with_their_numbers_and_a_term() -> None:
    trace = a_trace(("dog",))
    told = facts_of(replace(trace, steps=(replace(trace.steps[0], gate=0.9, bits=2.5),)), 0)
    assert told["gate"] == ("mostly the photo", "Gate 0.90 (0: nothing, 1: all)")
    assert told["photo"][0] == "decided here"
    assert all(explained(term) for _, term in ROWS.values())


def test_a_term_is_explained_where_one_points(qtbot: QtBot) -> None:
    shown = explaining("Relied on", "gate")
    qtbot.addWidget(shown)
    assert "how much of the context vector is let in" in shown.toolTip()
    assert "how much of the context vector is let in" in shown.accessibleDescription()


def test_the_line_of_story_keeps_its_height(qtbot: QtBot) -> None:
    line = StoryLine()
    qtbot.addWidget(line)
    high = line.sizeHint().height()
    line.show_word(a_trace(), 2)
    assert line.text().startswith("Before it chose “dog”")
    assert line.sizeHint().height() == high


def test_the_steps_of_a_word_can_be_played(qtbot: QtBot) -> None:
    how = How()
    qtbot.addWidget(how)
    how.show()
    how.show_word(a_trace(), 2)
    assert sum(card.isVisible() for card in how.cards) == 5
    how.toggle()
    assert sum(card.isVisible() for card in how.cards) == 1
    for _ in range(5):
        how._beat()
    assert not how.playing
    assert sum(card.isVisible() for card in how.cards) == 5


def test_pointing_at_a_place_fills_in_its_numbers(qtbot: QtBot) -> None:
    how = How()
    qtbot.addWidget(how)
    how.show_word(a_trace(), 2, place=11)
    assert how.cards[0].numbers.text().startswith("s(2, 3) = ")


def test_maps_that_look_everywhere_alike_get_a_badge(qtbot: QtBot) -> None:
    view = FactsView()
    qtbot.addWidget(view)
    view.show_word(with_maps(np.ones((3, 16)), 4, 4), 0)
    assert "uniform" in view.badge.text()
    view.show_word(a_trace(), 0)
    assert view.badge.text() == ""


@pytest.mark.parametrize("ratio", [1, 2])
def test_icons_are_sharp_on_every_screen(qtbot: QtBot, ratio: int) -> None:
    made = pixmap("play", "#ff0000", 20, ratio)
    assert made.width() == 20 * ratio
    assert made.toImage().pixelColor(10 * ratio, 10 * ratio).name() == "#ff0000"
