"""What is said in words of a word and its weights: which source words it looked at, and which words looked at one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from attnviewer.core import lens
from attnviewer.core.content import best
from attnviewer.core.i18n import later, tr
from attnviewer.core.text import UNKNOWN_SHOWN
from attnviewer.core.trace import Floats, Tokens, Trace
from attnviewer.ui.widgets.bars import number

MOST, LEAST = 3, 0.03
COPIED = later("The model has no word for this; it was copied from the source word it looked at most.")
LOOKED_UP = later("The model has no word for this; the glossary has it for the source word it looked at most.")
BY_RULE = later("A rule made this of the source words; the model read another word in their place, or none.")
KEPT = later("The model doesn't read this; it stands where it stood in the source.")
NOTES = {lens.COPIED: COPIED, lens.LOOKED_UP: LOOKED_UP, lens.BY_RULE: BY_RULE, lens.KEPT: KEPT}
UNKNOWN = later("Here the model knows only that a word belongs that it doesn't know.")
BY, NONE_BY = later("Looked at by"), later("No word looked at it")
FROM, NONE_FROM = later("Words from it"), later("No word came from it")
OUTSIDE = later("This word isn't in the model's vocabulary.")


def strongest(weights: Floats, names: Sequence[str], most: int = MOST) -> str:
    """The names with the most weight, with their shares."""
    found = [place for place in best(weights, most) if weights[place] >= LEAST]
    return ", ".join(f"{names[place]} {number(float(weights[place]))}" for place in found)


def source_of(trace: Trace) -> tuple[str, ...]:
    """The words that were read, in the order in which they were looked at."""
    return trace.locations.tokens if isinstance(trace.locations, Tokens) else ()


def looked_at(trace: Trace, word: int) -> str:
    """Which source words a word looked at."""
    if not 0 <= word < len(trace.steps):
        return ""
    weights = lens.word_map(trace, word)
    if weights is None or not trace.heads:
        return tr("{word}: no attention", word=trace.steps[word].word)
    return f"{trace.steps[word].word}: {strongest(weights, source_of(trace))}"


def unknown_note(trace: Trace, word: int) -> str:
    """Why a word is underlined; "" where it isn't."""
    step = trace.steps[word]
    if not step.unknown:
        return ""
    if step.word == UNKNOWN_SHOWN:
        return tr(UNKNOWN)
    if step.forced or not trace.heads:
        return tr(OUTSIDE)
    return tr(NOTES[lens.found_by(trace, step)])


def about_target(trace: Trace, word: int) -> str:
    """What a produced word says when it is pointed at."""
    step = trace.steps[word]
    chosen = not (step.found and step.logprob == 0)  # by the model
    chance = tr("Probability {chance:.1%}.", chance=math.exp(min(step.logprob, 0)))
    told = [f"{looked_at(trace, word)}.", *([chance] if chosen else [])]
    return " ".join([*told, unknown_note(trace, word)]).strip()


def between(trace: Trace, word: int, source: str, weight: float) -> str:
    """What a produced word and a source word have to do with each other."""
    said, share = trace.words[word], number(weight)
    if lens.shows_origins(trace):
        return tr("“{said}” came from “{source}” by {share}.", said=said, source=source, share=share)
    return tr("“{said}” gave {share} of its attention to “{source}”.", said=said, source=source, share=share)


def about_source(trace: Trace | None, words: Sequence[str], place: int) -> str:
    """What a source word says when it is pointed at: which words looked at it."""
    name = tr("{word}, word {number} of {count}", word=words[place], number=place + 1, count=len(words))
    if trace is None or not trace.heads or not trace.steps:
        return f"{name}."
    given = np.asarray(lens.looked(trace, place))
    lookers = strongest(given, trace.words, 5)
    some, none = (FROM, NONE_FROM) if lens.shows_origins(trace) else (BY, NONE_BY)
    return f"{name}. {tr(some)}: {lookers}." if lookers else f"{name}. {tr(none)}."
