"""Figures over very many tokens."""

from helpers.traces import a_trace

from attnviewer.core.trace import Tokens
from attnviewer.export.options import Options
from attnviewer.export.tokens import MOST_BARS, token_figure


def test_of_very_many_tokens_the_greatest_are_shown_and_the_rest_counted() -> None:
    trace = a_trace(("dog",), Tokens(tuple(f"line {i}" for i in range(3000))))
    made = token_figure(trace, Options())
    shown = sorted(bar.get_width() for bar in made.axes[0].patches)
    greatest = sorted(trace.weights[0, 0])[-MOST_BARS:]
    assert [round(float(one), 6) for one in shown] == [round(float(one), 6) for one in greatest]
    assert any("2,960 more tokens" in text.get_text() for text in made.texts)
    assert max(made.get_size_inches()) < 30
