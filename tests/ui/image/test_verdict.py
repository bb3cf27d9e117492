"""What is said of captions side by side: whether attention wins, and which words differ."""

from __future__ import annotations

import pytest

from attnviewer.ui.panels.image.bitsline import verdict
from attnviewer.ui.panels.image.stages import marked

Bits = tuple[float | None, ...]


@pytest.mark.parametrize(
    ("soft", "none", "told"),
    [
        ((2.0, 1.0), (1.0, 0.5), "keeps more of this photo than no attention: 3.0 bits against 1.5"),
        ((1.0, 0.5), (2.0, 1.0), "keeps no more of this photo than no attention: 1.5 bits against 3.0"),
        ((1.0, 1.0), (1.0, 0.98), "keeps no more"),
        ((None, 1.0), (1.0, 1.0), ""),
    ],
)
def test_where_attention_does_not_win_it_is_said(soft: Bits, none: Bits, told: str) -> None:
    said = verdict({"none": none, "soft": soft})
    assert told in said if told else said == ""
    assert verdict({"soft": soft}) == ""


def test_words_that_differ_from_the_leading_caption_are_marked() -> None:
    assert marked(("a", "man", "in", "the", "snow"), ("a", "man", "in", "a", "red", "hat")) == "a man in [the] [snow]"
    assert marked(("a", "dog"), ("a", "dog")) == "a dog"
