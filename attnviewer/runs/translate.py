"""A translation as a run: the text is read sentence by sentence, then a word a yield, each with the map that chose it.

Letters: B sentences, S words that are read, L locations: the pieces of the text.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import torch

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.glossary import ENDS
from attnviewer.core.i18n import later, tr
from attnviewer.core.interventions import kept_words
from attnviewer.core.jobs import Run
from attnviewer.core.request import TranslateRequest
from attnviewer.core.serial import request_to_dict
from attnviewer.core.spanish import Reading, read_spanish
from attnviewer.core.spanish.language import seems_foreign
from attnviewer.core.trace import Source, Step, Tokens, Trace
from attnviewer.nets.translator import Memory
from attnviewer.runs.alone import doubtful, looked_up
from attnviewer.runs.asked import Asked, as_read, asked_of, joined
from attnviewer.runs.decode import Choice, DecodingPlan, settled
from attnviewer.runs.laying import Layer
from attnviewer.runs.legal import SPECIAL_TOKENS
from attnviewer.runs.reading import REPEAT, longest, read, searched, spelled
from attnviewer.runs.speaking import Speaker
from attnviewer.runs.steps import choices_of, impositions
from attnviewer.runs.written import Written, framing, ready, spoken_of, written
from attnviewer.zoo.translators import LoadedTranslator, LoadedWords

Found = Iterator[Step | Progress]
Looks = dict[int, tuple[Choice, ...]]  # of the sentences of a text, by their numbers
BY_RULE = later("A rule says a part of this, not the net: hiding words changes nothing there.")
CUT = later("A sentence of more than 60 words was translated in parts. The translator learnt from short sentences.")
NOT_SPANISH = later("This doesn't look like Spanish, the only language that the translator has learnt to read.")


def translate(request: TranslateRequest, model: LoadedTranslator) -> Run:
    """Translate a text; yields the growing trace word by word."""
    text = Text(request, model)
    trace = text.empty
    for found in text.steps():
        if isinstance(found, Progress):
            yield found
            continue
        trace = replace(trace, steps=(*trace.steps, found))
        yield trace
    return trace


def translate_all(
    requests: Sequence[TranslateRequest], model: LoadedTranslator
) -> Generator[Progress, None, list[Trace]]:
    """The traces of several requests that differ in their texts alone, as `translate` makes them one by one.

    The sentences of all texts are searched side by side.
    """
    texts = [Text(request, model) for request in requests]
    every = [asked for text in texts for asked in text.sentences]
    found = yield from searched(model, every, texts[0].request.decoding, requests[0].change)
    traces, before = [], 0
    for text in texts:
        count = len(text.sentences)
        looks = {number: found[before + number] for number in range(count) if before + number in found}
        steps = tuple(step for step in text.steps(looks) if isinstance(step, Step))
        traces.append(replace(text.empty, steps=steps))
        before += count
    return traces


def together(request: TranslateRequest) -> bool:
    """Whether sentences may be searched side by side: by a beam, with nothing given, imposed or moved."""
    cells = request.change is not None and request.change.encoder.hidden  # of one sentence alone
    alone = request.interventions or request.words or request.shuffle is not None or cells
    return request.decoding.beam > 1 and not alone


class Text:
    """The sentences of a request, one after the other."""

    def __init__(self, request: TranslateRequest, model: LoadedTranslator) -> None:
        self.request, self.model = replace(request, decoding=settled(request.decoding, model.card)), model
        if not model.net.has_attention and any(
            one.weights is not None or one.gaze is not None for one in request.interventions
        ):
            raise UserError(
                tr("{id} has no attention to impose; impose words, or ask for another attention.", id=model.card.id)
            )
        reading = read_spanish(request.sentence)
        self._moved = request.shuffle is not None
        order = np.arange(len(reading.pieces)) if request.shuffle is None else reading.order(request.shuffle)
        self.tokens = tuple(reading.tokens[place] for place in order)
        self._location = np.argsort(order)
        self.layers: list[Layer] = []
        foreign = seems_foreign(reading, model.words.speller.vocabulary.words, model.words.target.words)
        self.notes = (*((tr(NOT_SPANISH),) if foreign else ()), *((tr(CUT),) if reading.cut else ()))
        sentences, self._given = sentences_of(request, model.words, reading)
        self.sentences = [one.without(request.hidden) for one in sentences]
        self._check_hidden(sentences)
        self.together = together(self.request)

    def _check_hidden(self, sentences: Sequence[Asked]) -> None:
        """Raise `UserError` for words that aren't there, and note where no net reads what is hidden."""
        if (most := max(self.request.hidden, default=-1)) >= len(self.tokens):
            told = {"last": len(self.tokens) - 1, "number": most}
            raise UserError(tr("the source has words 0 to {last}; there is no word {number}.", **told))
        by_rule = {place for one in sentences for _, places, _ in one.ready or () for place in places}
        if by_rule & set(self.request.hidden):
            self.notes = (*self.notes, tr(BY_RULE))

    @property
    def empty(self) -> Trace:
        """The trace before the first word."""
        return Trace(
            "translate", self.model.card.id, Source("text", text=self.request.sentence), Tokens(self.tokens),
            self.model.net.heads, (), request_to_dict(self.request), self.notes,
        )  # fmt: skip

    def steps(self, looks: Looks | None = None) -> Found:
        """The steps of all sentences, and progress; `looks` are given where the sentences were searched already."""
        if looks is None:
            several = self.together and sum(bool(one.words) for one in self.sentences) > 1
            looks = (yield from self._searched()) if several else {}
        said = 0
        for number, asked in enumerate(self.sentences):
            sentence = _Sentence(self, asked, said, self._given[number], looks.get(number))
            for one in sentence.steps():
                said += isinstance(one, Step)
                yield one

    def _searched(self) -> Generator[Progress, None, Looks]:
        return searched(self.model, self.sentences, self.request.decoding, self.request.change)

    def order(self, asked: Asked) -> list[int] | None:
        """Which word of a sentence stands at each place of its memory; None where nothing is moved."""
        if not self._moved:
            return None
        return sorted(range(len(asked.words)), key=lambda word: (self._location[asked.places[word][0]], word))

    def layer(self, asked: Asked) -> Layer:
        """What lays the maps of a sentence over the text, and remembers what was written of it."""
        self.layers.append(Layer(self.model.net, self.model.words.target, asked, self._location, self.order(asked)))
        return self.layers[-1]


def sentences_of(
    request: TranslateRequest, words: LoadedWords, reading: Reading
) -> tuple[list[Asked], list[tuple[str, ...] | None]]:
    """The sentences of a text, and the translation of each that is given.

    A given translation of as many sentences is given to each its own; any other one to the text as one sentence.
    """
    if not request.words:
        found = asked_of(reading, words)
        return found, [None] * len(found)
    found, ends = as_read(reading), [n + 1 for n, word in enumerate(request.words) if word in ENDS]
    cuts = [0, *(n for n in ends if n < len(request.words) and request.words[n] not in ENDS), len(request.words)]
    if len(cuts) - 1 == len(found):
        return found, [request.words[start:end] for start, end in pairwise(cuts)]
    return [joined(found)], [request.words]


@dataclass
class _Sentence:
    """One sentence of a text: `said` words stand before it, a translation may be `given`, or its `looks` found."""

    text: Text
    asked: Asked
    said: int
    given: tuple[str, ...] | None
    looks: tuple[Choice, ...] | None

    def steps(self) -> Found:
        """The words one after the other, as soon as it is known where they stand."""
        layer = self.text.layer(self.asked)
        if self.asked.ready is not None:
            yield from map(layer.step, ready(self.asked))
            return
        model, order = self.text.model, self.text.order(self.asked)
        speak = Speaker(self.asked.words, model.words.target, model.words.glossary, order, model.net.pointer)
        typed = self._typed()
        layer.remember(lambda: self._memory)
        found = iter(self.looks) if self.looks is not None else self._decoded(self._memory, layer, typed)
        if self._flows:
            yield from self._flowing(found, layer, speak, typed)
            return
        looks = yield from self._gathered(found)
        alone = self._lone is not None and doubtful(model, self._memory, looks)
        words = self._lone if alone else written(self.asked, looks, speak, order)
        forced = {id(looks[t]): (t, word) for t, word in typed.items() if t < len(looks)}
        for one in words or ():
            at, word = forced.get(id(one.look), (-1, None))
            chosen = word is not None and at not in self._kept
            yield layer.step(one if word is None else Written(word, one.look), forced=chosen)

    @cached_property
    def _memory(self) -> Memory:
        """What the sentence contributes, read when it is first needed."""
        model, order = self.text.model, self.text.order(self.asked)
        with torch.inference_mode():
            places = None if order is None else torch.tensor([order])
            change = self.text.request.change
            memory = read(model.net, model.words.speller, [self.asked.words], places, change=change)
            return memory._replace(typed=spelled(model.words, self._typed()))

    @property
    def _flows(self) -> bool:
        """Whether words can be said as they come: nothing has to be put right or put back between them."""
        free = not self.asked.stand_ins and self._lone is None
        return free and (self.asked.framed or bool(self.text.request.interventions))

    @cached_property
    def _lone(self) -> list[Written] | None:
        """What the glossary says where the sentence is one word and nothing is imposed."""
        free = not (self.given or self.text.request.interventions or self.text.request.hidden)
        return looked_up(self.asked, self.text.model.words.glossary) if free else None

    def _flowing(
        self, found: Iterator[Choice | Progress], layer: Layer, speak: Speaker, typed: dict[int, str]
    ) -> Found:
        yield from map(layer.step, framing(self.asked, before=True))
        t = 0
        for look in found:
            if isinstance(look, Progress):
                yield look
                continue
            yield layer.step(self._word(look, t, speak, typed), forced=t in typed and t not in self._kept)
            t += 1
        yield from map(layer.step, framing(self.asked, before=False))

    def _gathered(self, found: Iterator[Choice | Progress]) -> Generator[Progress, None, list[Choice]]:
        looks: list[Choice] = []
        for look in found:
            if isinstance(look, Progress):
                yield look
            else:
                looks.append(look)
                yield Progress(tr("translating, word {count}", count=len(looks)))
        return looks

    def _word(self, look: Choice, t: int, speak: Speaker, typed: dict[int, str]) -> Written:
        return Written(typed[t], look) if t in typed else spoken_of(look, speak, first=not t)

    @property
    def _start(self) -> int:
        """The word of the whole text with which the net begins."""
        return self.said + (0 if self.given else len(framing(self.asked, before=True)))

    @cached_property
    def _kept(self) -> frozenset[int]:
        """The words of this sentence that stay as they were said before."""
        return frozenset(at - self._start for at in kept_words(self.text.request.interventions))

    def _typed(self) -> dict[int, str]:
        """The words that are imposed, by their place in this sentence, as they were typed."""
        found = dict(enumerate(self.given or ()))
        asked = sorted(self.text.request.interventions, key=lambda one: not one.kept)
        imposed_words = {one.at - self._start: one.word for one in asked if one.word}
        return found | {at: word for at, word in imposed_words.items() if at >= 0}

    def _decoded(self, memory: Memory, layer: Layer, typed: dict[int, str]) -> Iterator[Choice | Progress]:
        model, request, places = self.text.model, self.text.request, len(self.text.tokens)
        _, weights, _ = impositions(request, model.words.target, model.net.heads, places)
        here = {at - self._start: layer.imposed(one) for at, one in weights.items() if at >= self._start}
        inside = {at: one for at, one in here.items() if one is not None}
        most = len(self.given) if self.given else longest(len(self.asked.words))
        ids = dict(zip(typed, model.words.target.encode(typed.values()), strict=True))
        plan = DecodingPlan(
            replace(request.decoding, max_words=most), request.attention, ids, inside, SPECIAL_TOKENS, REPEAT
        )
        meant = {one.at for one in request.interventions}  # a map for the rest of the words ends with its sentence
        generator, t = torch.Generator(model.net.bias.device), 0
        for look in choices_of(model.net, memory, plan, generator, given=self.given is not None):
            if not isinstance(look, Progress):
                if t in here and t not in inside and self._start + t in meant:
                    raise UserError(_elsewhere(self._start + t, self.asked))
                t += 1
            yield look


def _elsewhere(word: int, asked: Asked) -> str:
    first, last = asked.places[0][0], asked.places[-1][-1]
    return tr(
        "word {word} belongs to the sentence of the source words {first} to {last}; impose attention on those.",
        word=word, first=first, last=last,
    )  # fmt: skip
