"""Self-critical training: sampled texts earn a reward, judged against the other samples of the same photo or sentence.

Letters: B photos (or sentences), K samples a photo, T words, V vocabulary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attnviewer.core.text import END, START, Vocabulary
from attnviewer.nets.attention import pointed
from attnviewer.runs.legal import LONGEST_REPEAT, NEVER, legal
from attnviewer.train.processes import world

ORDERS = range(1, 5)
LONGEST = 20  # words of a sample, its end mark counted
Judge = Callable[[str, Sequence[int]], float]  # the reward of a text (as ids) for a photo or sentence (by name)
Grams = list[Counter[tuple[int, ...]]]


def grams(ids: Sequence[int]) -> Grams:
    """Counts of the n-grams of `ids`, for n = 1..4; the end mark counts as a word, so that bad endings cost."""
    return [Counter(tuple(ids[i : i + n]) for i in range(len(ids) - n + 1)) for n in ORDERS]


def _most(counts: Sequence[Counter[tuple[int, ...]]]) -> Counter[tuple[int, ...]]:
    """How often each n-gram occurs in the text that has it most often."""
    most: Counter[tuple[int, ...]] = Counter()
    for found in counts:
        most |= found
    return most


class Reward:
    """BLEU's precisions with its brevity penalty, plus a share of CIDEr-D (Vedantam et al. 2015).

    Parameters
    ----------
    texts : the reference texts of each photo (or sentence) as words, by its name.
    cider : the share of CIDEr-D; 0 leaves it out, as suits translations, which have few references.
    """

    def __init__(
        self,
        texts: Mapping[str, Sequence[Sequence[str]]],
        vocabulary: Vocabulary,
        cider: float = 0.5,
        sigma: float = 6.0,
    ) -> None:
        self.cider, self.sigma = cider, sigma
        references = {
            name: [[*vocabulary.encode(words), vocabulary.end] for words in group] for name, group in texts.items()
        }
        counted = {name: [grams(ids) for ids in refs] for name, refs in references.items()}
        self.lengths = {name: [len(ids) for ids in refs] for name, refs in references.items()}
        self.ceilings = {name: [_most(part) for part in zip(*found, strict=True)] for name, found in counted.items()}
        self.frequency = Counter(gram for photo in self.ceilings.values() for order in photo for gram in order)
        self.documents = math.log(max(2, len(texts)))
        self.vectors = {name: [self._vector(ids) for ids in refs] for name, refs in references.items() if cider}

    def __call__(self, name: str, ids: Sequence[int]) -> float:
        """Reward of the text `ids` (with its end mark) for the photo or sentence `name`."""
        precision = self._precision(name, ids)
        return precision + self.cider * self._cider(name, ids) if self.cider else precision

    def _vector(self, ids: Sequence[int]) -> tuple[list[dict[tuple[int, ...], float]], list[float], int]:
        weighted = [
            {g: n * (self.documents - math.log(max(1.0, self.frequency[g]))) for g, n in counts.items()}
            for counts in grams(ids)
        ]
        return weighted, [math.sqrt(sum(v * v for v in part.values())) for part in weighted], len(ids)

    def _cider(self, name: str, ids: Sequence[int]) -> float:
        vector, norms, length = self._vector(ids)
        total = 0.0
        for other, other_norms, other_length in self.vectors[name]:
            damp = math.exp(-((length - other_length) ** 2) / (2 * self.sigma**2))
            for part, theirs, a, b in zip(vector, other, norms, other_norms, strict=True):
                if a and b:
                    common = sum(min(v, theirs[g]) * theirs[g] for g, v in part.items() if g in theirs)
                    total += damp * common / (a * b)
        return 10 * total / (len(ORDERS) * len(self.vectors[name]))

    def _precision(self, name: str, ids: Sequence[int]) -> float:
        """BLEU's clipped precisions, averaged over n = 1..4 so that a text without a run of four still learns."""
        ceilings, lengths = self.ceilings[name], self.lengths[name]
        hits = [(mine & most).total() / max(1, mine.total()) for mine, most in zip(grams(ids), ceilings, strict=True)]
        closest = min((abs(length - len(ids)), length) for length in lengths)[1]
        return math.exp(min(0.0, 1 - closest / len(ids))) * sum(hits) / len(hits)


class Rules(NamedTuple):
    """What a text may not hold, as in `DecodingPlan`: ids that are never said, and how long a run may not repeat."""

    never: tuple[int, ...] = NEVER
    repeat: int = LONGEST_REPEAT


CAPTIONS = Rules()


def self_critical(
    net: Any, memory: Any, names: Sequence[str], reward: Judge, rules: Rules = CAPTIONS, samples: int = 5,
    sharpness: float = 1.5,
) -> tuple[Tensor, float]:  # fmt: skip
    """Policy-gradient loss of texts that `net` (a captioner or translator) samples, each judged against the others.

    The policy is the net's with its logits times `sharpness`: label smoothing has left it flat, and a sample worth
    learning from is near what greedy decoding would say. Advantages are in standard deviations of a photo's samples.
    `rules` are those of decoding.
    """
    words, logprobs = _sample(net, memory, (len(names), samples), rules, sharpness)
    rewards = [
        [reward(name, [i for i in ids if i]) for ids in group]
        for name, group in zip(names, words.tolist(), strict=True)
    ]
    earned = torch.tensor(rewards, device=logprobs.device)  # [B, K]
    advantage = (earned - earned.mean(dim=1, keepdim=True)) / (earned.std(dim=1, keepdim=True) + 0.05)
    return -(advantage.unsqueeze(-1) * logprobs).sum() / ((words > 0).sum() * world()[1]), float(earned.mean())


def _sample(net: Any, memory: Any, shape: tuple[int, int], rules: Rules, sharpness: float) -> tuple[Tensor, Tensor]:
    """Texts drawn from the policy as ids [B, K, T], 0 behind their end mark, and the log-probability of each choice."""
    state, last = net.start(memory, shape[1]), torch.full(shape, START, device=memory.mean.device)
    running = torch.ones_like(last, dtype=torch.bool)
    history: list[Tensor] = []
    chosen: list[Tensor] = []
    for _ in range(LONGEST):
        glance = net(memory, state, last, pick="sample" if net.config.attention == "hard" else None)
        logprobs = legal(sharpness * net.logits(glance.output), history, rules.never, rules.repeat)  # [B, K, V]
        with torch.no_grad():
            last = torch.multinomial(logprobs.exp().flatten(0, 1), 1).view(last.shape)
        logprob = logprobs.gather(-1, last.unsqueeze(-1)).squeeze(-1)
        if glance.sampled is not None:  # the place was a choice too, and earns the same
            place = pointed(glance.weights, net.pointer).gather(-1, glance.sampled.unsqueeze(-1)).squeeze(-1)
            logprob = logprob + place.clamp_min(1e-8).log()
        chosen.append(logprob * running)
        history.append(last * running)
        running, state = running & (last != END), glance.state
        if not running.any():
            break
    return torch.stack(history, dim=-1), torch.stack(chosen, dim=-1)
