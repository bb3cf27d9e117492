"""A translation as a run: read the source once, then one word a yield, each with the map that chose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.glossary import NO_GLOSSARY, Glossary, openers
from attnviewer.core.jobs import Run
from attnviewer.core.places import order_of
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.sentence import tokenize
from attnviewer.core.serial import request_to_dict
from attnviewer.core.text import START, UNKNOWN, Vocabulary
from attnviewer.core.trace import Floats, Source, Tokens, Trace
from attnviewer.nets.attention import pointed
from attnviewer.nets.translates import Translates
from attnviewer.nets.translator import Memory
from attnviewer.runs.decode import SPECIAL_TOKENS, Choice, DecodingPlan, beam_search, settled
from attnviewer.runs.steps import as_array, choices_of, impositions, step_of
from attnviewer.zoo.translators import MOST_NGRAMS, LoadedTranslator, LoadedWords, Speller, ngrams_of

REPEAT = 1  # no word is said twice in a row


def longest(words: int) -> int:
    """How many words the translation of so many may have."""
    return 2 * words + 10


def read(net: Translates, speller: Speller, sentences: Sequence[Sequence[str]], order: Tensor | None = None) -> Memory:
    """What some sentences contribute, on the net's device; `order` as in `encode_source`."""
    ids, groups = speller(sentences)
    device = net.bias.device
    memory: Memory = net.encode_source(ids.to(device), groups.to(device), None if order is None else order.to(device))
    return memory


def translate_batch(
    net: Translates, speller: Speller, target: Vocabulary, sentences: Sequence[Sequence[str]], beam: int,
    penalty: float, glossary: Glossary = NO_GLOSSARY,
) -> list[list[str]]:  # fmt: skip
    """The words of the translation of each sentence, those from the glossary and copied ones included."""
    decoding = Decoding(beam=beam, max_words=longest(max(map(len, sentences))), alternatives=1, length_penalty=penalty)
    memory = read(net, speller, sentences)
    plan = DecodingPlan(decoding, net.config.attention, never=SPECIAL_TOKENS, repeat=REPEAT)
    found = beam_search(net, memory, plan, torch.Generator(net.bias.device))
    speakers = [Speaker(sentence, range(len(sentence)), target, glossary, net.pointer) for sentence in sentences]
    return [
        [speak(choice, first=not place) for place, choice in enumerate(hypothesis.choices)]
        for hypothesis, speak in zip(found, speakers, strict=True)
    ]


class Speaker:
    """Puts the steps of one translation into words; the source words may have been shuffled by `order`.

    `head` is the one whose map tells where an unknown word is copied from; None for the mean of all.
    """

    def __init__(
        self,
        words: Sequence[str],
        order: Sequence[int],
        target: Vocabulary,
        glossary: Glossary,
        head: int | None = None,
    ) -> None:
        self._source = [words[place] for place in order]
        heads = openers(words)
        self._opens = [place in heads for place in order]
        self._capital = any(word[0].isupper() for word, opens in zip(self._source, self._opens, strict=True) if opens)
        self._target, self._glossary, self._head = target, glossary, head

    def __call__(self, choice: Choice, first: bool) -> str:
        """The word of a step, which may be the first.

        An unknown one is the glossary's for the source word with the largest weight; where it has none, that is copied.
        """
        if choice.word != UNKNOWN or choice.weights is None or not self._source:
            return self._target.word(choice.word)
        place = int(pointed(choice.weights, self._head)[: len(self._source)].argmax())
        word, said = self._source[place], self._glossary(self._source[place], self._opens[place])
        return said[:1].upper() + said[1:] if first and self._capital and said != word else said


def translate(request: TranslateRequest, model: LoadedTranslator) -> Run:
    """Translate a sentence; yields the growing trace word by word."""
    words = tokenize(request.sentence)
    order = _order(len(words), request.shuffle)
    placed = words if order is None else [words[i] for i in order[0]]
    request = replace(request, decoding=settled(request.decoding, model.card))
    if not model.net.has_attention and any(
        one.weights is not None or one.gaze is not None for one in request.interventions
    ):
        raise UserError(f"{model.card.id} has no attention to impose; impose words, or ask for another attention.")
    heads = model.net.heads
    plan, typed = make_plan(request, model.words.target, heads, len(words))
    trace = Trace(
        "translate", model.card.id, Source("text", text=request.sentence), Tokens(tuple(placed)), heads, (),
        request_to_dict(request),
    )  # fmt: skip
    with torch.inference_mode():
        memory = read(model.net, model.words.speller, [words], order)
        memory = memory._replace(typed=spelled(model.words, typed))
    places = range(len(words)) if order is None else order[0].tolist()
    speak = Speaker(words, places, model.words.target, model.words.glossary, model.net.pointer)
    generator, origins = torch.Generator(model.net.bias.device), Origins(model.net, memory)
    for found in choices_of(model.net, memory, plan, generator, given=bool(request.words)):
        if isinstance(found, Progress):
            yield found
            continue
        given = typed.get(len(trace.steps))
        said = speak(found, first=not trace.steps) if given is None else given
        step = step_of(found, model.words.target, said, given is not None, (len(heads), len(placed)))
        trace = replace(trace, steps=(*trace.steps, replace(step, origin=origins(found))))
        yield trace
    return trace


class Origins:
    """Where the words of one translation came from: the net reads them again, and is asked behind each."""

    def __init__(self, net: Translates, memory: Memory) -> None:
        self._net, self._memory = net, memory
        with torch.inference_mode():
            self._state = net.start(memory, 1)
        self._last = torch.full((1, 1), START, device=memory.mean.device)

    def __call__(self, choice: Choice) -> Floats | None:
        """The origin [S] of the next word, in the order of the words; None where the net has no such map."""
        if not self._net.tells or choice.weights is None:
            return None
        with torch.inference_mode():
            looked = choice.weights[None, None]
            self._state = self._net(self._memory, self._state, self._last, weights=looked).state
            self._last = torch.full_like(self._last, choice.word)
            found = self._net.origin(self._memory, self._state, self._last)
        return None if found is None else as_array(found, (found.shape[-1],))


def make_plan(
    request: TranslateRequest, vocabulary: Vocabulary, heads: Sequence[str], places: int
) -> tuple[DecodingPlan, dict[int, str]]:
    """What the request imposes, as ids and weights by word; and the imposed words as they were typed."""
    ids, weights, typed = impositions(request, vocabulary, heads, places)
    decoding = replace(request.decoding, max_words=len(request.words or ()) or longest(places))
    return DecodingPlan(decoding, request.attention, ids, weights, never=SPECIAL_TOKENS, repeat=REPEAT), typed


def spelled(words: LoadedWords, typed: dict[int, str]) -> Tensor | None:
    """What the spelling of imposed words that are unknown adds [1, T, E], as `Memory.typed`; None without any."""
    strange = {at: word for at, word in typed.items() if words.target.encode([word]) == [UNKNOWN]}
    if not strange:
        return None
    groups = torch.full((max(strange) + 2, MOST_NGRAMS), words.speller.buckets)
    groups[list(strange)] = ngrams_of(list(strange.values()), words.speller.buckets)
    return words.net.embed_ngrams(groups.unsqueeze(0).to(words.net.target.weight.device))


def _order(words: int, seed: int | None) -> Tensor | None:
    if seed is None:
        return None
    return torch.from_numpy(order_of(words, seed)).unsqueeze(0)
