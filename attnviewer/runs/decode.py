"""From logits to words: greedy, forced and beam decoding, each word kept with the very map that chose it.

Letters: B photos (or sentences), K hypotheses a photo, H heads, V vocabulary, L locations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch
from torch import Tensor

from attnviewer.core.card import ModelCard
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.modes import mode
from attnviewer.core.request import Decoding
from attnviewer.core.text import END, START
from attnviewer.runs.legal import LONGEST_LOOP, LONGEST_REPEAT, NEVER, ROUNDS, keep_apart, legal, only

LENGTH_PENALTY = 0.9
MOST_PENALTY = 5.0


class Decoder(Protocol):
    """A net that says one word a step: a captioner or a translator.

    Parameters
    ----------
    heads : names of its maps; none where it has no attention.
    pointer : the head whose map tells where a word looked, or None for the mean of all.
    """

    heads: tuple[str, ...]
    pointer: int | None

    def start(self, memory: Any, hypotheses: int, /) -> Any:
        """The first state of K hypotheses; `memory` has `keys` [B, L, ...] and `mean` [B, ...]."""

    def reorder(self, state: Any, order: Tensor, /) -> Any:
        """The state of the hypotheses that `order` [B, K] names: a search keeps some and drops others."""

    def __call__(
        self, memory: Any, state: Any, words: Tensor, /, *, weights: Tensor | None = None, pick: str | None = None,
        generator: torch.Generator | None = None,
    ) -> Any:  # fmt: skip
        """One step from the last words [B, K]: a glance; `weights` [B, K, H, L] are imposed where they aren't NaN."""

    def logits(self, output: Tensor, /) -> Tensor:
        """Scores of every word [B, K, V]."""


@dataclass(frozen=True)
class Choice:
    """One chosen word: its id, log-probability, and maps and scores [H, L].

    Parameters
    ----------
    row : [V], the scores of all words, from which the alternatives are taken when somebody wants to know them.
    origin : [S], where the word came from, where that is known already.
    """

    word: int
    logprob: float
    row: Tensor
    plan: DecodingPlan
    weights: Tensor | None
    scores: Tensor | None
    sampled: int | None
    gate: float | None
    imposed: bool = False
    origin: Tensor | None = None

    @property
    def alternatives(self) -> tuple[tuple[int, float], ...]:
        """The most probable words (ids) with their probabilities."""
        return top(self.row, self.plan.decoding.alternatives, self.plan.never)


@dataclass(frozen=True)
class Hypothesis:
    """A finished (or best unfinished) text: its looks without the end mark, and its total log-probability."""

    choices: tuple[Choice, ...]
    logprob: float
    ended: bool


@dataclass(frozen=True)
class Frontier:
    """One word of a search: its best candidates (total log-probability, parent, word), those kept and those ended.

    A parent is the number of a hypothesis kept at the word before; `kept` are parents with their looks, in their order.
    """

    candidates: tuple[tuple[float, int, int], ...]
    kept: tuple[tuple[int, Choice], ...]
    ended: tuple[float, ...]


@dataclass(frozen=True)
class DecodingPlan:
    """How a net is driven: decoding settings, attention mode, and what is imposed at which word.

    `weights` [H, L] are imposed at a word, save rows of NaN. `never` are ids that are not said; no run of up to
    `repeat` words is said twice in a row; the words that `apart` [V] marks return after `APART` others at the earliest.
    `limits` are the most words of each of B texts, where they differ from `decoding.max_words`. `watch` is told what a
    search of one text kept and dropped at each word.
    """

    decoding: Decoding
    attention: str = "soft"
    words: Mapping[int, int] | None = None
    weights: Mapping[int, Tensor] | None = None
    never: tuple[int, ...] = NEVER
    repeat: int = LONGEST_REPEAT
    apart: Tensor | None = None
    limits: tuple[int, ...] | None = None
    watch: Callable[[Frontier], None] | None = None

    def limit(self, row: int) -> int:
        """The most words of a text."""
        return self.limits[row] if self.limits is not None else self.decoding.max_words

    def legal(self, logits: Tensor, history: Sequence[Tensor]) -> Tensor:
        """Log-probabilities [B, K, V] of what may follow the words [B, K] so far."""
        logprobs = legal(logits, history, self.never, self.repeat)
        return logprobs if self.apart is None else keep_apart(logprobs, history, self.apart)

    def drive(self, net: Decoder, memory: Any, generator: torch.Generator) -> Callable[..., Any]:
        """The net's step with this plan's attention: call it with (state, words [B, K], t)."""
        row = mode(self.attention)
        shape = len(net.heads), memory.keys.shape[1]

        def step(state: Any, last: Tensor, t: int) -> Any:
            imposed = (self.weights or {}).get(t)
            if row.flat and imposed is None:
                imposed = torch.full(shape, 1 / shape[1])
            if imposed is not None:
                imposed = imposed.to(last.device).expand(*last.shape, *shape)
            pick = self.decoding.pick if row.draws else None
            return net(memory, state, last, weights=imposed, pick=pick, generator=generator)

        return step


def top(logits: Tensor, count: int, never: tuple[int, ...] = NEVER) -> tuple[tuple[int, float], ...]:
    """The `count` most probable words of one row of logits, with probabilities; those of `never` are left out."""
    probabilities = torch.softmax(logits.float(), dim=-1)
    kept = probabilities.clone()
    kept[list(never)] = -1.0
    best = kept.topk(min(count, len(kept))).indices.tolist()
    return tuple((index, float(probabilities[index])) for index in best)


def _choice(glance: Any, logits: Tensor, word: int, logprob: float, row: tuple[int, int], plan: DecodingPlan) -> Choice:
    def at(part: Tensor | None) -> Tensor | None:
        return None if part is None else part[row]

    sampled, gate = at(glance.sampled), at(glance.gate)
    return Choice(
        word, logprob, logits[row], plan, at(glance.weights), at(glance.scores),
        None if sampled is None else int(sampled), None if gate is None else float(gate),
    )  # fmt: skip


def greedy(net: Decoder, memory: Any, plan: DecodingPlan, generator: torch.Generator) -> Iterator[Choice]:
    """Yield word after word where B = 1, the most probable or the imposed one, until the end or the limit."""
    step, state = plan.drive(net, memory, generator), net.start(memory, 1)
    device = memory.mean.device
    history: list[Tensor] = []
    last = torch.full((1, 1), START, device=device)
    for t in range(plan.decoding.max_words):
        glance = step(state, last, t)
        forced = (plan.words or {}).get(t)
        logits = net.logits(glance.output)
        word = int(plan.legal(logits, history)[0, 0].argmax()) if forced is None else forced
        if word == END:
            return
        logprob = float(torch.log_softmax(logits[0, 0].float(), dim=-1)[word])
        choice = _choice(glance, logits, word, logprob, (0, 0), plan)
        yield replace(choice, imposed=t in (plan.weights or {}))
        last, state = torch.full((1, 1), word, device=device), glance.state
        history.append(last)


@dataclass
class _Alive:
    """One beam of one photo: its looks, its total, and whether it still runs."""

    choices: tuple[Choice, ...] = ()
    total: float = 0.0


def beam_search(net: Decoder, memory: Any, plan: DecodingPlan, generator: torch.Generator) -> list[Hypothesis]:
    """The best hypothesis of each of B photos; ranked by log-probability / length ** length_penalty."""
    *_, last = beam_steps(net, memory, plan, generator)
    return last


def beam_steps(net: Decoder, memory: Any, plan: DecodingPlan, generator: torch.Generator) -> Iterator[list[Hypothesis]]:
    """As `beam_search`, yielding the best so far after every word."""
    width, step = plan.decoding.beam, plan.drive(net, memory, generator)
    photos = len(memory.mean)
    state = net.start(memory, width)
    last = torch.full((photos, width), START, device=memory.mean.device)
    history: list[Tensor] = []
    alive = [[_Alive(total=0.0 if k == 0 else float("-inf")) for k in range(width)] for _ in range(photos)]
    done: list[list[Hypothesis]] = [[] for _ in range(photos)]
    ended: dict[int, Hypothesis] = {}
    for t in range(plan.decoding.max_words):
        glance = step(state, last, t)
        logits = net.logits(glance.output)
        forced = (plan.words or {}).get(t)
        logprobs = plan.legal(logits, history) if forced is None else only(logits, forced)
        totals = torch.tensor([[beam.total for beam in row] for row in alive], device=logprobs.device)
        joint = (totals.unsqueeze(-1) + logprobs).flatten(1)  # [B, K * V]
        best, index = joint.topk(min(2 * width, joint.shape[1]), dim=-1)
        parents, words = index // logprobs.shape[-1], index % logprobs.shape[-1]
        over = len(done[0])
        chosen = [
            _advance(alive[b], done[b], best[b], parents[b], words[b], glance, logits, b, plan) for b in range(photos)
        ]
        alive = [beams for beams, _, _ in chosen]
        if plan.watch is not None:
            plan.watch(_frontier(best, parents, words, chosen[0], done[0][over:]))
        order = torch.tensor([parent for _, parent, _ in chosen], device=last.device)  # [B, K]
        last = torch.tensor([word for _, _, word in chosen], device=last.device)
        state = net.reorder(glance.state, order)
        history = [*(past.gather(1, order) for past in history[2 - ROUNDS * LONGEST_LOOP :]), last]
        for b in set(range(photos)) - ended.keys():
            if len(done[b]) >= width or t + 1 >= plan.limit(b):
                ended[b] = _best(done[b], alive[b], plan.decoding)
        yield [ended.get(b) or _best(done[b], alive[b], plan.decoding) for b in range(photos)]
        if len(ended) == photos:
            return


def _frontier(
    best: Tensor, parents: Tensor, words: Tensor, chosen: tuple[list[_Alive], list[int], list[int]],
    ended: Sequence[Hypothesis],
) -> Frontier:  # fmt: skip
    """What became of the candidates of the first text."""
    candidates = zip(best[0].tolist(), parents[0].tolist(), words[0].tolist(), strict=True)
    kept = zip(chosen[1], chosen[0], strict=True)
    return Frontier(
        tuple(one for one in candidates if one[0] > float("-inf")),
        tuple((parent, beam.choices[-1]) for parent, beam in kept if beam.total > float("-inf")),
        tuple(one.logprob for one in ended),
    )


def _advance(
    beams: list[_Alive], pool: list[Hypothesis], best: Tensor, parents: Tensor, words: Tensor, glance: Any,
    logits: Tensor, photo: int, plan: DecodingPlan,
) -> tuple[list[_Alive], list[int], list[int]]:  # fmt: skip
    kept: list[_Alive] = []
    origins, ids = [], []
    candidates = zip(best.tolist(), parents.tolist(), words.tolist(), strict=True)
    for rank, (total, parent, word) in enumerate(candidates):
        source = beams[parent]
        if total == float("-inf") or len(kept) == len(beams):
            continue
        if word == END:
            if rank < len(beams) and len(pool) < len(beams):
                pool.append(Hypothesis(source.choices, total, True))
            continue
        choice = _choice(glance, logits, word, total - source.total, (photo, parent), plan)
        choice = replace(choice, imposed=len(source.choices) in (plan.weights or {}))
        kept.append(_Alive((*source.choices, choice), total))
        origins.append(parent)
        ids.append(word)
    while len(kept) < len(beams):
        kept.append(replace(beams[0], total=float("-inf")))
        origins.append(0)
        ids.append(END)
    return kept, origins, ids


def _best(pool: list[Hypothesis], beams: list[_Alive], decoding: Decoding) -> Hypothesis:
    ended = [hypothesis for hypothesis in pool if hypothesis.choices]
    candidates = ended or [Hypothesis(b.choices, b.total, False) for b in beams if b.choices]
    penalty = LENGTH_PENALTY if decoding.length_penalty is None else decoding.length_penalty
    return max(candidates, key=lambda h: h.logprob / len(h.choices) ** penalty)


def settled(decoding: Decoding, card: ModelCard) -> Decoding:
    """`decoding` with the length penalty of the model's card where it asks for none itself."""
    if decoding.length_penalty is not None:
        return decoding
    penalty = card.architecture.get("length_penalty", LENGTH_PENALTY)
    if not isinstance(penalty, int | float) or not 0 <= penalty <= MOST_PENALTY:
        raise UserError(
            tr("the card of {id} has a length_penalty of {penalty}; give a number from 0 to {most}.",
               id=card.id, penalty=penalty, most=MOST_PENALTY)
        )  # fmt: skip
    return replace(decoding, length_penalty=float(penalty))
