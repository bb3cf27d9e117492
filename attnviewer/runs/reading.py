"""How nets read sentences and are searched: one alone, or many at once with the limit that each has alone.

Letters: B sentences, S words that are read, T words that are said.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.ablation import Changes
from attnviewer.core.events import Progress
from attnviewer.core.glossary import NO_GLOSSARY, Glossary
from attnviewer.core.i18n import tr
from attnviewer.core.request import Decoding
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Memory
from attnviewer.runs.asked import Asked
from attnviewer.runs.changed import inside
from attnviewer.runs.decode import Choice, DecodingPlan, Hypothesis, beam_search, beam_steps
from attnviewer.runs.legal import SPECIAL_TOKENS
from attnviewer.runs.origins import with_origins
from attnviewer.runs.speaking import Speaker
from attnviewer.zoo.translators import MOST_NGRAMS, LoadedTranslator, LoadedWords, Speller, ngrams_of

REPEAT = 1  # no word is said twice in a row
TOGETHER = 48  # sentences that are searched at once


def longest(words: int) -> int:
    """How many words the translation of so many may have."""
    return 2 * words + 10


def read(
    net: Translates, speller: Speller, sentences: Sequence[Sequence[str]], order: Tensor | None = None,
    hidden: Tensor | None = None, change: Changes | None = None,
) -> Memory:  # fmt: skip
    """What some sentences contribute, on the net's device; `order` and `change` as in `encode_source`.

    Words that are `hidden` [B, S] are read as a word that nobody can make out: unknown, and without letters.
    """
    ids, groups = speller(sentences)
    device = net.bias.device
    if hidden is not None:
        ids = ids.expand(len(hidden), -1).masked_fill(hidden, UNKNOWN)
        groups = groups.expand(len(hidden), -1, -1).masked_fill(hidden.unsqueeze(-1), speller.buckets)
    places = None if order is None else order.to(device)
    changed = inside(net, change)
    encode: Any = net.encode_source  # a Transformer's takes a change as well
    memory: Memory = encode(ids.to(device), groups.to(device), places, **changed)
    return memory


def plan_of(sentences: Sequence[Sequence[str]], attention: str, decoding: Decoding) -> DecodingPlan:
    """How some sentences are searched together, each with the limit that it has alone."""
    limits = tuple(longest(len(sentence)) for sentence in sentences)
    return DecodingPlan(
        replace(decoding, max_words=max(limits)), attention, never=SPECIAL_TOKENS, repeat=REPEAT, limits=limits
    )


def translate_batch(
    net: Translates, speller: Speller, target: Vocabulary, sentences: Sequence[Sequence[str]], beam: int,
    penalty: float, glossary: Glossary = NO_GLOSSARY, change: Changes | None = None,
) -> list[list[str]]:  # fmt: skip
    """The words of the translation of each sentence by the net alone, looked-up and copied ones included.

    `change` is what is changed inside the net.
    """
    plan = plan_of(sentences, net.config.attention, Decoding(beam=beam, alternatives=1, length_penalty=penalty))
    memory = read(net, speller, sentences, change=change)
    found = beam_search(net, memory, plan, torch.Generator(net.bias.device))
    speakers = [Speaker(sentence, target, glossary, head=net.pointer) for sentence in sentences]
    return [
        [speak(look, first=not place)[0] for place, look in enumerate(hypothesis.choices)]
        for hypothesis, speak in zip(found, speakers, strict=True)
    ]


def searched(
    model: LoadedTranslator, sentences: Sequence[Asked], decoding: Decoding, change: Changes | None = None
) -> Generator[Progress, None, dict[int, tuple[Choice, ...]]]:
    """What a beam finds for the sentences that need a net, many at once; by their numbers."""
    numbers = sorted((n for n, one in enumerate(sentences) if one.words), key=lambda n: len(sentences[n].words))
    found: dict[int, tuple[Choice, ...]] = {}
    for start in range(0, len(numbers), TOGETHER):
        group = numbers[start : start + TOGETHER]
        best: list[Hypothesis] = []
        words = [sentences[n].words for n in group]
        plan = plan_of(words, model.net.config.attention, decoding)
        with torch.inference_mode():
            memory = read(model.net, model.words.speller, words, change=change)
            search = beam_steps(model.net, memory, plan, torch.Generator(model.net.bias.device))
        while True:
            with torch.inference_mode():  # entered anew each word: a generator must not leave it on for its caller
                step = next(search, None)
            if step is None:
                break
            best = step
            yield Progress(tr("beam search, {count} sentences", count=len(group)))
        yield Progress(
            tr("searched {done} of {count} sentences", done=start + len(group), count=len(numbers)),
            (start + len(group)) / len(numbers),
        )
        best = with_origins(model.net, memory, best)
        found |= {n: _trimmed(one.choices, len(sentences[n].words)) for n, one in zip(group, best, strict=True)}
    return found


def _trimmed(looks: Sequence[Choice], read: int) -> tuple[Choice, ...]:
    """Looks without the padding behind the words that were read."""
    return tuple(
        replace(look, weights=None if look.weights is None else look.weights[:, :read],
                scores=None if look.scores is None else look.scores[:, :read],
                origin=None if look.origin is None else look.origin[:read])
        for look in looks
    )  # fmt: skip


def spelled(words: LoadedWords, typed: dict[int, str]) -> Tensor | None:
    """What the spelling of imposed words that are unknown adds [1, T, E], as `Memory.typed`; None without any."""
    strange = {at: word for at, word in typed.items() if words.target.encode([word]) == [UNKNOWN]}
    if not strange:
        return None
    groups = torch.full((max(strange) + 2, MOST_NGRAMS), words.speller.buckets)
    groups[list(strange)] = ngrams_of(list(strange.values()), words.speller.buckets)
    return words.net.embed_ngrams(groups.unsqueeze(0).to(words.net.target.weight.device))
