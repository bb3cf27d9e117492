"""What may be said next: no special tokens, no loops, and no content word that soon returns.

Letters: B photos (or sentences), K hypotheses a photo, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviewer.core.text import END, FUNCTION_WORDS, PAD, START, UNKNOWN, Vocabulary

SPECIAL_TOKENS = (PAD, START)
NEVER = (*SPECIAL_TOKENS, UNKNOWN)
APART = 6  # words between a content word and its return, as in 'a bed on a bed'
CROWD = 4  # unknown words that may follow each other
LONGEST_REPEAT = 8  # words that may not be said twice in a row, as in 'in the water in the water'
LONGEST_LOOP, ROUNDS = 12, 3  # nor may anyone say up to so many words so often in a row


def legal(
    logits: Tensor, history: Sequence[Tensor], never: tuple[int, ...] = NEVER, repeat: int = LONGEST_REPEAT
) -> Tensor:
    """Log-probabilities [B, K, V]; ruled out are `never`, an empty text, immediate repeats of up to `repeat` words.

    So is the third round of a longer run. Unknown words are different words to a reader, so they may follow each other,
    but no more than `CROWD`.
    """
    logprobs = torch.log_softmax(logits.float(), dim=-1).clone()
    logprobs[..., [*never, END] if not history else list(never)] = float("-inf")
    for run in range(1, LONGEST_LOOP + 1):
        said = 1 if run <= repeat else ROUNDS - 1  # whole rounds that are there already, but for the word to come
        if (said + 1) * run - 1 > len(history):
            continue
        again = history[-run] != UNKNOWN
        for back in range(1, said * run):
            again &= history[-back] == history[-run - back]
        banned = torch.where(again, history[-run], torch.full_like(history[-run], PAD))
        logprobs.scatter_(-1, banned.unsqueeze(-1), float("-inf"))
    if len(history) >= CROWD:
        crowded = (torch.stack(tuple(history[-CROWD:])) == UNKNOWN).all(dim=0)
        logprobs[..., UNKNOWN].masked_fill_(crowded, float("-inf"))
    return logprobs


def content_words(vocabulary: Vocabulary) -> Tensor:
    """Which ids [V] are words that say something of their own: no special tokens, articles or prepositions."""
    special = len(vocabulary) - len(vocabulary.words)
    return torch.tensor([False] * special + [word not in FUNCTION_WORDS for word in vocabulary.words])


def only(logits: Tensor, word: int) -> Tensor:
    """Log-probabilities [B, K, V] with everything but one imposed word ruled out, be it a repeat or unknown."""
    logprobs = torch.log_softmax(logits.float(), dim=-1)
    ruled_out = torch.arange(logprobs.shape[-1], device=logprobs.device) != word
    return logprobs.masked_fill(ruled_out, float("-inf"))


def keep_apart(logprobs: Tensor, history: Sequence[Tensor], apart: Tensor) -> Tensor:
    """Rule out in `logprobs` [B, K, V] the words that `apart` [V] marks where they were said within `APART` words."""
    marked = apart.to(logprobs.device)
    for past in history[-APART:]:
        kept = torch.where(marked[past], past, torch.full_like(past, PAD))
        logprobs.scatter_(-1, kept.unsqueeze(-1), float("-inf"))
    return logprobs
