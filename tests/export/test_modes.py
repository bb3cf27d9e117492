"""A row more has its own line and words in figures."""

from __future__ import annotations

from helpers.traces import a_trace

from attnviewer.core.modes import Mode
from attnviewer.export.compare import description
from attnviewer.export.legend import line_style


def test_a_new_row_has_its_own_line_and_words_in_figures(dream: Mode) -> None:
    style = line_style("dream", "caption")
    assert (style["label"], style["linestyle"], style["marker"]) == ("dreaming attention", "dotted", "o")
    texts = [text for text, *_ in description("dream", a_trace())]
    assert texts[0] == "Dreaming attention"
    assert "it looks at what isn't there" in " ".join(texts)
