"""A translation as a run: read the source once, then one word a yield, each with the map that chose it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.places import order_of
from attnviewer.core.request import Decoding, TranslateRequest
from attnviewer.core.sentence import cut
from attnviewer.core.serial import request_to_dict
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.core.trace import Source, Step, Tokens, Trace
from attnviewer.nets.translator import Memory, Translator
from attnviewer.runs.decode import MARKS, Hypothesis, Look, Plan, beam_search, beam_steps, greedy, settled
from attnviewer.runs.maps import as_array, imposed
from attnviewer.zoo.translators import LoadedTranslator, Speller

Run = Generator[Progress | Trace, None, Trace]
REPEAT = 1  # no word is said twice in a row


def longest(words: int) -> int:
    """How many words the translation of so many may have."""
    return 2 * words + 10


def read(net: Translator, speller: Speller, sentences: Sequence[Sequence[str]], order: Tensor | None = None) -> Memory:
    """What some sentences contribute, on the net's device; `order` as in `Translator.remember`."""
    ids, groups = speller(sentences)
    device = net.bias.device
    return net.remember(ids.to(device), groups.to(device), None if order is None else order.to(device))


def translate_batch(
    net: Translator, speller: Speller, target: Vocabulary, sentences: Sequence[Sequence[str]], beam: int, penalty: float
) -> list[list[str]]:
    """The words of the translation of each sentence, copied words included."""
    decoding = Decoding(beam=beam, max_words=longest(max(map(len, sentences))), alternatives=1, length_penalty=penalty)
    memory = read(net, speller, sentences)
    plan = Plan(decoding, net.config.attention, never=MARKS, repeat=REPEAT)
    found = beam_search(net, memory, plan, torch.Generator(net.bias.device))
    return [
        [spoken(look, sentence, target) for look in hypothesis.looks]
        for hypothesis, sentence in zip(found, sentences, strict=True)
    ]


def spoken(look: Look, source: Sequence[str], target: Vocabulary) -> str:
    """The word of a step; an unknown one is copied from the source word with the largest weight, where there is one."""
    if look.word != UNKNOWN or look.weights is None or not len(source):
        return target.word(look.word)
    return source[int(look.weights[: len(source)].argmax())]


def translate(request: TranslateRequest, model: LoadedTranslator) -> Run:
    """Translate a sentence; yields the growing trace word by word."""
    words = cut(request.sentence)
    order = _order(len(words), request.shuffle)
    placed = words if order is None else [words[i] for i in order[0]]
    request = replace(request, decoding=settled(request.decoding, model.card))
    if not model.net.looks and any(one.weights is not None for one in request.interventions):
        raise UserError(f"{model.card.id} has no attention to impose; impose words, or ask for another attention.")
    plan, typed = make_plan(request, model.words.target, len(words))
    heads = ("attention",) if model.net.looks else ()
    trace = Trace(
        "translate", model.card.id, Source("text", text=request.sentence), Tokens(tuple(placed)), heads, (),
        request_to_dict(request),
    )  # fmt: skip
    with torch.inference_mode():
        memory = read(model.net, model.words.speller, [words], order)
    looks = _looks(model, memory, plan, len(request.words or ()))
    while True:
        with torch.inference_mode():  # entered anew each word: a generator must not leave it on for its caller
            found = next(looks, None)
        if found is None:
            return trace
        if isinstance(found, Progress):
            yield found
            continue
        step = _step(found, model.words.target, placed, typed.get(len(trace.steps)), len(heads))
        trace = replace(trace, steps=(*trace.steps, step))
        yield trace


def make_plan(request: TranslateRequest, vocabulary: Vocabulary, places: int) -> tuple[Plan, dict[int, str]]:
    """What the request imposes, as ids and weights by word; and the imposed words as they were typed."""
    typed = dict(enumerate(request.words or ()))
    weights: dict[int, Tensor] = {}
    for intervention in request.interventions:
        if intervention.word is not None:
            typed[intervention.at] = intervention.word
        if intervention.weights is not None:
            weights[intervention.at] = imposed(intervention.weights, places)
    ids = dict(zip(typed, vocabulary.encode(typed.values()), strict=True))
    decoding = replace(request.decoding, max_words=len(request.words or ()) or longest(places))
    return Plan(decoding, request.attention, ids, weights, never=MARKS, repeat=REPEAT), typed


def _order(words: int, seed: int | None) -> Tensor | None:
    if seed is None:
        return None
    return torch.from_numpy(order_of(words, seed)).unsqueeze(0)


def _looks(model: LoadedTranslator, memory: Memory, plan: Plan, given: int) -> Iterator[Look | Progress]:
    """Greedy and forced words as they come; of a beam, progress while it runs and its words when it has ended."""
    generator = torch.Generator(model.net.bias.device)
    if plan.decoding.beam == 1 or given:
        yield from greedy(model.net, memory, plan, generator)
        return
    best: list[Hypothesis] = []
    for t, best in enumerate(beam_steps(model.net, memory, plan, generator)):  # noqa: B007
        yield Progress(f"beam search, word {t + 1}")
    yield from best[0].looks


def _step(look: Look, target: Vocabulary, placed: Sequence[str], typed: str | None, heads: int) -> Step:
    shape = (heads, len(placed))
    return Step(
        word=spoken(look, placed, target) if typed is None else typed,
        logprob=look.logprob,
        weights=np.zeros(shape, np.float32) if look.weights is None else as_array(look.weights, shape),
        alternatives=tuple((target.word(number) or "(end)", p) for number, p in look.alternatives),
        scores=None if look.scores is None else as_array(look.scores, shape),
        forced=typed is not None or look.imposed,
        unknown=look.word == UNKNOWN,
    )
