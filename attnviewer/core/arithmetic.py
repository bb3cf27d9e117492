"""The arithmetic of one word, step by step, with the numbers of its run: score, softmax, context, gate, next word.

Letters: L locations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.core.content import best
from attnviewer.core.i18n import tr
from attnviewer.core.lens import Doubles, peak, shows_origins, word_map
from attnviewer.core.modes import MODES
from attnviewer.core.story import percent
from attnviewer.core.trace import Floats, Grid, Step, Tokens, Trace

MOST = 3  # places named in a sum
NEAR = 1e-3  # weights that differ more from the softmax of their scores came from elsewhere


@dataclass(frozen=True)
class Stage:
    """One step of the arithmetic.

    Parameters
    ----------
    title : its name.
    term : the key of its term in `core.terms`.
    formula : in symbols.
    numbers : the same with the numbers of this word.
    says : in words.
    """

    title: str
    term: str
    formula: str
    numbers: str
    says: str


def stages(trace: Trace | None, word: int, place: int = -1) -> list[Stage]:
    """The steps by which a word came about, followed for one `place`: where it is none, the peak or the place taken."""
    if trace is None or not 0 <= word < len(trace.steps) or shows_origins(trace):
        return []
    weights, step = word_map(trace, word), trace.steps[word]
    if weights is None or not weights.size:
        return [_vector(trace), _next(step)]
    if not 0 <= place < weights.size:
        place = peak(weights) if step.sampled is None else step.sampled
    scores = own_scores(step, weights)
    made = [_score(trace, place, scores), _softmax(trace, place, weights, scores), _context(trace, weights, step)]
    return [stage for stage in (*made, _gate(step), _next(step)) if stage is not None]


def own_scores(step: Step, weights: Floats) -> Doubles | None:
    """The scores [L] that made the weights; None where there are none, or the weights came from elsewhere."""
    if step.scores is None or len(step.scores) != 1:
        return None
    scores = np.asarray(step.scores[0], np.float64)
    powers = np.exp(scores - scores.max())
    return scores if np.allclose(powers / powers.sum(), weights, atol=NEAR) else None


def named(trace: Trace, place: int) -> str:
    """A location as a reader finds it: its row and column from 0, or its word."""
    where = trace.locations
    if isinstance(where, Grid):
        row, column = divmod(place, where.columns)
        return tr("({row}, {column})", row=row, column=column)
    return f"({where.tokens[place]})" if isinstance(where, Tokens) else str(place)


def _score(trace: Trace, place: int, scores: Doubles | None) -> Stage | None:
    if scores is None:
        return None
    mode = MODES.get(str(trace.request.get("attention")))
    blind = mode is not None and mode.by_place
    return Stage(
        tr("Score"), "score", "s = W h" if blind else "s = v · tanh(W k + U q)",
        tr("s{place} = {score}   (lowest {low}, highest {high})", place=named(trace, place),
           score=_signed(scores[place]), low=_signed(scores.min()), high=_signed(scores.max())),
        tr("The state after the words so far names places by their number. What stands there plays no part.") if blind
        else tr("The state after the words so far asks a question q. Each place answers with a key k, and a small net "
                "says how well the two fit."),
    )  # fmt: skip


def _softmax(trace: Trace, place: int, weights: Floats, scores: Doubles | None) -> Stage:
    share = percent(float(weights[place]))
    if scores is None:
        return Stage(
            tr("Weights"), "attention", "p = softmax(s)",
            tr("p{place} = {share}", place=named(trace, place), share=share),
            tr("These weights were not made from scores of this word alone. All of them together make 100%."),
        )  # fmt: skip
    top = float(scores.max())
    total = float(np.exp(scores - top).sum())
    over = math.exp(float(scores[place]) - top)
    return Stage(
        tr("Softmax"), "softmax", "p = exp(s − max) / Σ exp(s − max)",
        tr("p{place} = {over} / {total} = {share}", place=named(trace, place), over=_short(over), total=_short(total),
           share=share),
        tr("Scores become weights: none is negative, and all {count} together make 100%.", count=len(scores)),
    )  # fmt: skip


def _context(trace: Trace, weights: Floats, step: Step) -> Stage:
    if step.sampled is not None:
        return Stage(
            tr("Context"), "context_vector", "z = x",
            tr("z = x{place}", place=named(trace, step.sampled)),
            tr("One place was drawn by these chances, and only what stands there goes on."),
        )  # fmt: skip
    parts = [tr("{share} · x{place}", share=percent(float(weights[at])), place=named(trace, at))
             for at in best(weights, MOST)]  # fmt: skip
    more = weights.size - len(parts)
    rest = tr(" + {count} more", count=more) if more > 0 else ""
    return Stage(
        tr("Context"), "context_vector", "z = Σ p x", f"z = {' + '.join(parts)}{rest}",
        tr("What stands at the places is averaged, each by its weight. Only this mean goes on, so places with little "
           "weight are all but lost."),
    )  # fmt: skip


def _gate(step: Step) -> Stage | None:
    if step.gate is None:
        return None
    return Stage(
        tr("Gate"), "gate", "β = σ(w · h)",
        tr("β = {gate}, so {gate} · z goes on", gate=f"{step.gate:.2f}"),
        tr("The network says how much of the context it wants for this word: 0 is nothing, 1 is all."),
    )  # fmt: skip


def _next(step: Step) -> Stage:
    chances = ", ".join(f"{word} {percent(chance)}" for word, chance in step.alternatives[:MOST])
    taken = tr("taken: {word} {chance}", word=step.word, chance=percent(math.exp(min(step.logprob, 0.0))))
    return Stage(
        tr("Next word"), "alternatives", "softmax(E tanh(h + z + y))", "; ".join(filter(None, (chances, taken))),
        tr("State h, context z and the last word y together give every word of the vocabulary a chance."),
    )  # fmt: skip


def _vector(trace: Trace) -> Stage:
    whole = tr("the whole photo") if isinstance(trace.locations, Grid) else tr("the whole sentence")
    return Stage(
        tr("No attention"), "attention", "h₀ = f(mean x)",
        tr("{whole} went in once, before the first word", whole=whole),
        tr("From then on the network has its memory h alone. What h forgets can't be looked up again."),
    )  # fmt: skip


def _signed(value: float) -> str:
    return f"{float(value):+.2f}".replace("-", "−")


def _short(value: float) -> str:
    return f"{value:.3g}"


def lines(trace: Trace | None, word: int, place: int = -1) -> Iterator[str]:
    """The steps as plain lines, for screen readers and the clipboard."""
    for number, stage in enumerate(stages(trace, word, place), start=1):
        yield f"{number}. {stage.title}: {stage.formula}; {stage.numbers}. {stage.says}"
