"""The table of what lessons measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.core.attend import AttendTrace, Inside
from attnviewer.core.content import ContentTrace
from attnviewer.core.explore.dense import convolution, mlp
from attnviewer.core.explore.documents import cosines, read
from attnviewer.core.explore.findings import Alike, Learning, Patches
from attnviewer.core.explore.texts import shipped
from attnviewer.core.i18n import tr
from attnviewer.core.lens import maps
from attnviewer.core.lessons.asking import FIRST_SHUFFLE
from attnviewer.core.lessons.states import State
from attnviewer.core.places import agreement
from attnviewer.core.spanish import read_spanish
from attnviewer.core.story import percent
from attnviewer.core.trace import Trace
from attnviewer.core.transformer.cost import costs

Result = Any  # a Trace, a Finding, or None where counting is enough
Runs = Sequence[tuple[State, Result]]


@dataclass(frozen=True)
class Measure:
    """A number that is made from runs of one state.

    Parameters
    ----------
    panels : where it is measured.
    of : the number, from the runs.
    tell : the number in words.
    runs : the states that have to run for it; by default the state itself.
    """

    panels: tuple[str, ...]
    of: Callable[[Runs], float]
    tell: Callable[[float], str]
    runs: Callable[[State], tuple[State, ...]] = lambda state: (state,)


def _whole(number: float) -> str:
    return f"{number:,.0f}"


def _bits(number: float) -> str:
    return tr("{number} bits", number=f"{number:.2f}")


def _degrees(number: float) -> str:
    return f"{number:.0f}°"


def _plain(number: float) -> str:
    return f"{number:.2f}"


def _trace(runs: Runs) -> Trace:
    found = runs[0][1]
    assert isinstance(found, Trace)
    return found


def _overlap(runs: Runs) -> float:
    """How much of the attention of two words of a caption lies on the same places, over all pairs of words."""
    weights = maps(_trace(runs)).astype(np.float64)
    if len(weights) < 2:
        return 1.0
    pairs = [np.minimum(one, other).sum() for at, one in enumerate(weights) for other in weights[at + 1 :]]
    return float(np.mean(pairs))


def _mean_bits(runs: Runs) -> float:
    known = [bits for bits in _trace(runs).bits if bits is not None]
    return float(np.mean(known)) if known else 0.0


def _peak(runs: Runs) -> float:
    """The largest weight that a place gets, over all words."""
    return float(maps(_trace(runs)).max(initial=0.0))


def _word_probability(runs: Runs) -> float:
    """The geometric mean of the words' probabilities."""
    chosen = [value for value in _trace(runs).logprobs if math.isfinite(value)]
    return math.exp(float(np.mean(chosen))) if chosen else 0.0


def _agreement(runs: Runs) -> float:
    (plain, one), (_, moved) = runs
    order = read_spanish(str(plain["text"])).order(FIRST_SHUFFLE)
    found = agreement(one, moved, order)
    return found.words if found is not None else 0.0


def _in_order_and_shuffled(state: State) -> tuple[State, ...]:
    return state.over({"shuffle": False}), state.over({"shuffle": True})


def _lookup(runs: Runs) -> tuple[State, ContentTrace]:
    state, trace = runs[0]
    assert isinstance(trace, ContentTrace)
    return state, trace


def _best_score(runs: Runs) -> float:
    return float(_lookup(runs)[1].lookups[0].scores.max())


def _best_weight(runs: Runs) -> float:
    return float(_lookup(runs)[1].lookups[0].weights.max())


def _item_weight(runs: Runs) -> float:
    state, trace = _lookup(runs)
    return float(trace.lookups[0].weights[_place(state.get("item", 0), _items(trace))])


def _items(trace: Trace) -> Sequence[str]:
    return getattr(trace.locations, "tokens", ())


def _place(word: int | str, words: Sequence[str]) -> int:
    """The number of a word among some; the last where there is no such word."""
    if isinstance(word, int):
        return min(word, len(words) - 1) if words else word
    lowered = [one.lower() for one in words]
    return lowered.index(word.lower()) if word.lower() in lowered else len(words) - 1


def _inside(run: tuple[State, Result]) -> tuple[State, AttendTrace, Inside]:
    state, trace = run
    assert isinstance(trace, AttendTrace)
    assert trace.inside is not None
    return state, trace, trace.inside


def _cosine(one: Any, other: Any) -> float:
    return float(cosines(np.stack([one, other]))[0, 1])


def _text_and_beside(state: State) -> tuple[State, ...]:
    return state, state.over({"text": state.get("beside", state.get("text", ""))})


def _token_likeness(runs: Runs) -> float:
    """Cosine of a word's vectors in two texts, behind some layers."""
    vectors = []
    for run in runs:
        state, trace, inside = _inside(run)
        at = _place(state.get("token", 0), trace.words)
        vectors.append(inside.hidden[min(state.get("layer", 0), len(inside.hidden) - 1), at])
    return _cosine(*vectors)


def _text_likeness(runs: Runs) -> float:
    """Cosine of the mean vectors of two texts."""
    return _cosine(*(_inside(run)[2].hidden[-1].mean(axis=0) for run in runs))


def _with_and_without(state: State) -> tuple[State, ...]:
    kept = {name: value for name, value in state.values.items() if name in ("text", "token")}
    return State(state.panel, kept), state


def _turned(runs: Runs) -> float:
    """By how many degrees a change turns the text's mean vector."""
    return math.degrees(math.acos(max(-1.0, min(1.0, _text_likeness(runs)))))


def _later(runs: Runs) -> float:
    """The share of all attention that goes to tokens further on in the text."""
    _, _, inside = _inside(runs[0])
    return float(np.triu(inside.weights.mean(axis=(0, 1)), 1).sum(axis=1).mean())


def _asymmetry(runs: Runs) -> float:
    """How far a head's scores are from symmetric: |S - S'| as a share of |S|."""
    state, _, inside = _inside(runs[0])
    scores = inside.scores[state.get("layer", 0), state.get("head", 0)].astype(np.float64)
    return float(np.linalg.norm(scores - scores.T) / np.linalg.norm(scores + scores.T))


def _steps(runs: Runs) -> float:
    """How many steps have to come one after the other, for a text's tokens."""
    state, trace, inside = _inside(runs[0])
    table = {cost.name: cost for cost in costs(len(trace.words), inside.hidden.shape[2])}
    return float(table[state.get("kind", "self-attention")].steps)


def _weights(runs: Runs) -> float:
    state = runs[0][0]
    side, layers = int(state.get("side", 1000)), int(state.get("layers", 1))
    cost = convolution(side, layers) if state.get("net", "MLP") == "CNN" else mlp(side, layers, state["width"])
    return float(cost.weights)


def _counted(state: State) -> tuple[State, ...]:
    """The net is chosen for counting alone: nothing has to learn."""
    return (state.over({"experiment": "conv"}),)


def _moved_right(runs: Runs) -> float:
    state, found = runs[0]
    assert isinstance(found, Learning)
    learner = next(one for one in found.learners if one.name == state.get("net", "MLP"))
    return float(learner.shifted[-1])


def _patch_probability(runs: Runs) -> float:
    state, found = runs[0]
    assert isinstance(found, Patches)
    return float(found.patches[min(state.get("patch", 0), len(found.patches) - 1)].probability)


def _texts(state: State) -> tuple[str, ...]:
    return tuple(state["lines"]) if state["lines"] else tuple(one.text for one in shipped())


def _word_share(runs: Runs) -> float:
    """The share of a word in the whole of a document's vector, for the first document."""
    state = runs[0][0]
    found = read(_texts(state))
    row = found.matrix(state.get("keys", "bow"))[0]
    place = found.place.get(str(state.get("token", "the")))
    return float(row[place] / row.sum()) if place is not None and row.sum() else 0.0


def _document_likeness(runs: Runs) -> float:
    state, result = runs[0]
    if isinstance(result, Alike):
        return float(result.cosines[0, 1])
    found = read((str(state["text"]), str(state["beside"])))
    return float(cosines(found.matrix("bow"))[0, 1])


MEASURES: Mapping[str, Measure] = {
    "overlap": Measure(("image",), _overlap, percent),
    "bits": Measure(("image",), _mean_bits, _bits),
    "peak": Measure(("image", "translate"), _peak, percent),
    "word_probability": Measure(("image", "translate"), _word_probability, percent),
    "agreement": Measure(("translate",), _agreement, percent, _in_order_and_shuffled),
    "best_score": Measure(("query",), _best_score, _plain),
    "best_weight": Measure(("query",), _best_weight, percent),
    "item_weight": Measure(("query",), _item_weight, percent),
    "token_likeness": Measure(("transformer",), _token_likeness, _plain, _text_and_beside),
    "text_likeness": Measure(("transformer",), _text_likeness, _plain, _text_and_beside),
    "turned": Measure(("transformer",), _turned, _degrees, _with_and_without),
    "later": Measure(("transformer",), _later, percent),
    "asymmetry": Measure(("transformer",), _asymmetry, _plain),
    "steps": Measure(("transformer",), _steps, _whole),
    "weights": Measure(("foundations",), _weights, _whole, _counted),
    "moved_right": Measure(("foundations",), _moved_right, percent),
    "patch_probability": Measure(("foundations",), _patch_probability, percent),
    "word_share": Measure(("foundations",), _word_share, percent),
    "document_likeness": Measure(("foundations",), _document_likeness, _plain),
}
