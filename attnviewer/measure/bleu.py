"""Corpus BLEU-1..4 (Papineni et al. 2002) over lower-case words without punctuation, counted by sacrebleu."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics import BLEU

from attnviewer.core.text import tokenise

ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True)
class Bleu:
    """Corpus BLEU in percent; `brevity` is the factor for short captions, `ratio` their relative length."""

    bleu1: float
    bleu2: float
    bleu3: float
    bleu4: float
    brevity: float
    ratio: float


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> Bleu:
    """Compare one caption a photo with all of that photo's references.

    Parameters
    ----------
    hypotheses : [N] captions.
    references : [N], each the reference captions of that photo; their number may differ.
    """
    if len(hypotheses) != len(references) or not all(references):
        raise ValueError("each hypothesis needs at least one reference")
    if not hypotheses:
        raise ValueError("no captions to measure")
    counter = BLEU(tokenize="none", smooth_method="none", force=True)
    score = counter.corpus_score([plain(text) for text in hypotheses], _streams(references))
    one, two, three, four = (_up_to(score, order) for order in ORDERS)
    return Bleu(one, two, three, four, brevity=score.bp, ratio=score.ratio)


def plain(caption: str) -> str:
    """The caption as it is compared: lower-case words, punctuation stripped, single spaces."""
    return " ".join(tokenise(caption))


def _streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """Sacrebleu takes the first, second, ... references of all photos; where a photo has fewer, None."""
    most = max(map(len, references))
    cleaned = [[plain(text) for text in group] for group in references]
    return [[group[i] if i < len(group) else None for group in cleaned] for i in range(most)]


def _up_to(score: Any, order: int) -> float:
    """Geometric mean of the first precisions times the brevity factor, in percent."""
    precisions = score.precisions[:order]
    if min(precisions) == 0:
        return 0.0
    return float(score.bp * math.exp(sum(map(math.log, precisions)) / order))
