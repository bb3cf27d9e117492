"""Figures over tokens: very many, unknown words, and colours that the legend explains."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.traces import a_trace

from attnviewer.core.trace import Tokens, Trace
from attnviewer.export.options import Options
from attnviewer.export.paint import ramp
from attnviewer.export.tokens import MOST_BARS, stacked_figure, token_figure


def test_of_very_many_tokens_the_greatest_are_shown_and_the_rest_counted() -> None:
    trace = a_trace(("dog",), Tokens(tuple(f"line {i}" for i in range(3000))))
    made = token_figure(trace, Options())
    shown = sorted(bar.get_width() for bar in made.axes[0].patches)
    greatest = sorted(trace.weights[0, 0])[-MOST_BARS:]
    assert [round(float(one), 6) for one in shown] == [round(float(one), 6) for one in greatest]
    assert any("2,960 more tokens" in text.get_text() for text in made.texts)
    assert max(made.get_size_inches()) < 30


def with_unknown(at: int, **more: object) -> Trace:
    trace = a_trace(("the", "Juan", "sleeps"), Tokens(("el", "Juan", "duerme")))
    steps = list(trace.steps)
    steps[at] = replace(steps[at], unknown=True, **more)  # type: ignore[arg-type]
    return replace(trace, steps=tuple(steps))


@pytest.mark.parametrize(
    ("forced", "note"), [(False, "* copied from the source"), (True, "* a word the model doesn't know")]
)
def test_unknown_words_are_marked_and_the_mark_is_explained(forced: bool, note: str) -> None:
    made = token_figure(with_unknown(1, forced=forced), Options())
    assert [label.get_text() for label in made.axes[0].get_yticklabels()] == ["the", "Juan *", "sleeps"]
    assert any(text.get_text().endswith(note) for text in made.texts)


def test_words_from_the_glossary_and_copied_ones_are_named() -> None:
    for at, ways in ((0, "looked up in the glossary"), (1, "copied from the source")):
        assert any(text.get_text().endswith(f"* {ways}") for text in token_figure(with_unknown(at), Options()).texts)
    trace = with_unknown(1)
    trace = replace(trace, steps=tuple(replace(step, unknown=True) for step in trace.steps))
    note = "* looked up in the glossary or copied from the source"
    assert any(text.get_text().endswith(note) for text in token_figure(trace, Options()).texts)


def test_a_narrow_figure_is_wide_enough_for_its_foot() -> None:
    trace = replace(with_unknown(0), model="a-model-with-a-long-name", request={"shuffle": 0})
    figure = token_figure(trace, Options())
    figure.canvas.draw()
    foot = next(text for text in figure.texts if text.get_text().startswith("a-model"))
    assert foot.get_window_extent().x1 <= figure.bbox.x1


def test_a_shuffled_order_of_the_tokens_is_told() -> None:
    trace = replace(with_unknown(0), request={"shuffle": 0})
    assert any("source words in a shuffled order" in text.get_text() for text in token_figure(trace, Options()).texts)


def test_a_weight_has_the_colour_that_the_legend_gives_it() -> None:
    trace = a_trace(("a", "b", "c"), Tokens(tuple("uvwxyz")))
    cells = np.asarray(token_figure(trace, Options()).axes[0].images[0].get_array()) / 255
    weights = trace.weights[:, 0]
    legend = ramp(1001, replace(Options(), opacity=1.0, gamma=0.0)) / 255
    places = np.rint(weights / max(weights.max(), 4 / 6) * 1000).astype(int)
    np.testing.assert_allclose(cells, legend[places], atol=0.02)


def test_a_matrix_of_the_longest_text_stays_within_bounds() -> None:
    made = token_figure(a_trace(("word",) * 700, Tokens(("palabra",) * 500)), Options())
    assert max(made.get_size_inches()) < 50
    assert made.axes[0].get_images()[0].get_array().shape[:2] == (700, 500)


def test_traces_of_one_text_stand_below_each_other() -> None:
    soft = a_trace(("a", "b", "c"), Tokens(tuple("uvwxyz")))
    none = replace(soft, model="plain", heads=(), steps=tuple(replace(s, weights=s.weights[:0]) for s in soft.steps))
    made = stacked_figure({"soft": soft, "none": none}, Options())
    told = [[text.get_text() for text in part.texts] for part in made.subfigs]
    assert [texts[0] for texts in told] == [soft.text, none.text]
    assert told[1][1] == "plain: this run had no attention"
    alone = token_figure(soft, Options())
    assert made.get_size_inches()[1] > alone.get_size_inches()[1]
    np.testing.assert_array_equal(made.subfigs[0].axes[0].images[0].get_array(), alone.axes[0].images[0].get_array())
