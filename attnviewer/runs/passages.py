"""Where in a long text a query matches best: short windows of it, compared as the whole texts were."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from attnviewer.core.content import Items, Lookup, best, score
from attnviewer.core.trace import Floats
from attnviewer.runs.keys import Index

LONG = 70
WIDE = 9
STEP = 3
SHOWN = 10
Span = tuple[int, int]
_WORD = re.compile(r"\S+")


def passages(index: Index, lookup: Lookup, texts: Sequence[str], query: Floats, kind: str) -> dict[int, Span]:
    """Of each long item among the best ones, where in its text (start, end) the best match stands."""
    found = {}
    for item in best(lookup.weights, SHOWN):
        if len(texts[item]) > LONG:
            spans = windows(texts[item], *_piece(index, lookup, item, texts[item]))
            keys = Items.of(np.stack([index.encode(texts[item][start:end]) for start, end in spans]))
            scores = score(query, keys, kind)
            if scores.max() > scores.min():
                found[item] = spans[int(scores.argmax())]
    return found


def windows(text: str, start: int, end: int) -> list[Span]:
    """Spans of some words each between `start` and `end` of `text`, every few words, so that neighbours overlap."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text, start, end)]
    last = max(len(words) - WIDE, 0)
    return [(words[at][0], words[min(at + WIDE, len(words)) - 1][1]) for at in (*range(0, last, STEP), last)]


def _piece(index: Index, lookup: Lookup, item: int, text: str) -> Span:
    """The piece of a text that scored best; the whole where it has one vector."""
    if not index.spans or lookup.pieces is None:
        return 0, len(text)
    return index.spans[item][int(lookup.pieces[item])]
