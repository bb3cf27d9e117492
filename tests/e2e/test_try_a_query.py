"""Every sample query under *Try* finds what a reader would."""

from __future__ import annotations

import pytest

import attnviewer
from attnviewer.ui.panels.query.side import SAMPLES
from attnviewer.ui.panels.query.state import LINES, LINES_SAMPLE, SENTENCE, WORDS

FOUND = {
    "dog": "puppy",
    "animal": "puppy",
    "music": "guitar",
    "instrument": "guitar",
    "parliament": "senator",
    "game": "ball",
    "religion": "church",
}
LINES_FOUND = {
    "puppy": "A puppy sleeps",
    "something to play music with": "The orchestra tuned its violins",
    "weather": "The river rose",
    "politics": "The senator",
    "breakfast": "He sliced the bread",
    "a ball game": "The goalkeeper",
}


@pytest.mark.parametrize("query", SAMPLES[WORDS])
def test_a_sample_finds_its_word(query: str) -> None:
    trace = attnviewer.query(query, sentence=SENTENCE)
    assert trace.locations.tokens[int(trace.weights[0, 0].argmax())] == FOUND[query]


@pytest.mark.parametrize("query", SAMPLES[LINES])
def test_a_sample_finds_its_line(query: str) -> None:
    trace = attnviewer.query(query, lines=LINES_SAMPLE)
    best = trace.locations.tokens[int(trace.weights[0, 0].argmax())]
    assert LINES_FOUND[query] in best
