"""One sentence a word that says, with its own numbers, what is seen in its map."""

from __future__ import annotations

from collections.abc import Callable

from attnviewer.core.i18n import later, tr
from attnviewer.core.imposing import LOOK, imposed_on
from attnviewer.core.lens import normalized_entropy, peak, shows_origins, word_map
from attnviewer.core.modes import MODES
from attnviewer.core.regions import place
from attnviewer.core.trace import Floats, Grid, Tokens, Trace

ARTICLES = ("a", "an", "the", "some", "two", "three")
EVEN = 0.93  # entropy, as a share of the most there can be, from which a map tells no place from another
SHARP = 0.9  # a weight from which nearly all of the attention is in one place
AHEAD = 1.3  # how many times the next word's peak an article's must have to be worth a remark
PHOTO = {
    "match": later("“{word}” matches best in the {place}: one cell holds {share} of the attention."),
    "drawn": later("Before it chose “{word}”, the network drew one place, in the {place}: its chance was {share}."),
    "even": later(
        "Before it chose “{word}”, the network looked nearly everywhere alike: no cell holds more than {share}."
    ),
    "read": later(
        "Before it read your “{word}”, the network looked mostly in the {place}: {share} on one cell; an even map has "
        "{even}."
    ),
    "held": later("You made it look in the {place} here: {share} on one cell. What it saw there led to “{word}”."),
    "looked": later(
        "Before it chose “{word}”, the network looked mostly in the {place}: {share} on one cell; an even map has "
        "{even}."
    ),
}
TEXT = {
    "match": later("“{word}” matches “{source}” best: it gets {share} of the attention."),
    "came": later("Once “{word}” was known, the network said that it came from “{source}” by {share}."),
    "only": later("There is only “{source}” to look at, so all of the attention goes there."),
    "sharp": later("Before it chose “{word}”, the network looked at “{source}” and hardly elsewhere ({share})."),
    "even": later(
        "Before it chose “{word}”, the network looked at all words nearly alike: “{source}” got most, {share}."
    ),
    "looked": later("Before it chose “{word}”, the network looked mostly at “{source}” ({share})."),
}


def percent(value: float) -> str:
    """A share in per cent, with as many digits as it needs."""
    if value < 0.0005:
        return "0%" if value <= 0 else "<0.1%"
    return f"{value:.0%}" if value >= 0.0995 else f"{value:.1%}"


def story(trace: Trace | None, word: int) -> str:
    """What is to be seen in the map of a word; "" where there is no such word."""
    if trace is None or not 0 <= word < len(trace.steps):
        return ""
    weights = word_map(trace, word)
    if weights is None or not weights.size:
        return _NOTHING[trace.task](trace.words[word]) if trace.task in _NOTHING else ""
    if (row := MODES.get(str(trace.request.get("attention")))) is not None and row.flat:
        return tr(
            "Each place got the same {share} here, whatever the word: this is the control that attention has to beat.",
            share=percent(1 / weights.size),
        )
    tell = _photo if isinstance(trace.locations, Grid) else _text
    return " ".join(filter(None, (tell(trace, word, weights), _why_first(trace, word))))


def _photo(trace: Trace, word: int, weights: Floats) -> str:
    step, grid = trace.steps[word], trace.locations
    assert isinstance(grid, Grid)
    at = peak(weights) if step.sampled is None else step.sampled
    kinds = (
        (trace.task == "query", "match"),
        (LOOK in imposed_on(trace, word), "held"),
        (step.sampled is not None, "drawn"),
        (normalized_entropy(weights) >= EVEN, "even"),
        (step.forced, "read"),
        (True, "looked"),
    )
    return tr(
        PHOTO[next(kind for holds, kind in kinds if holds)],
        word=step.word,
        place=tr(place(grid, at)),
        share=percent(float(weights[at])),
        even=percent(1 / weights.size),
    )


def _text(trace: Trace, word: int, weights: Floats) -> str:
    tokens, at = trace.locations, peak(weights)
    assert isinstance(tokens, Tokens)
    kinds = (
        (trace.task == "query", "match"),
        (shows_origins(trace), "came"),
        (weights.size == 1, "only"),
        (float(weights[at]) >= SHARP, "sharp"),
        (normalized_entropy(weights) >= EVEN, "even"),
        (True, "looked"),
    )
    return tr(
        TEXT[next(kind for holds, kind in kinds if holds)],
        word=trace.words[word],
        source=tokens.tokens[at],
        share=percent(float(weights[at])),
    )


def _why_first(trace: Trace, word: int) -> str:
    """Why an article may look harder than the thing it stands before."""
    if trace.task != "caption" or trace.steps[word].word.lower() not in ARTICLES or word + 1 >= len(trace.steps):
        return ""
    own, following = word_map(trace, word), word_map(trace, word + 1)
    if own is None or following is None or float(own.max()) < AHEAD * float(following.max()):
        return ""
    return tr("A small word looks hard here: it has to find the thing that the next words will name.")


_NOTHING: dict[str, Callable[[str], str]] = {
    "caption": lambda word: tr(
        "Without attention there is no map: the network saw the whole photo once, and chose “{word}” from what its "
        "memory kept.", word=word,
    ),
    "translate": lambda word: tr(
        "Without attention there are no links: the whole sentence went through one vector, and “{word}” was chosen "
        "from that.", word=word,
    ),
}  # fmt: skip
