"""A translating Transformer at work: the maps of its encoder, its decoder and the look between, all at once.

Letters: S source words, T target words, N layers, H heads, V words of a vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.request import BEAMS, Decoding
from attnviewer.core.spanish import read_spanish
from attnviewer.core.text import END, START, UNKNOWN
from attnviewer.core.trace import Floats, frozen
from attnviewer.core.transformer.findings import Lens, Pair
from attnviewer.core.transformer.requests import PairRequest
from attnviewer.nets.layers import Memory
from attnviewer.nets.transformer import Transformer
from attnviewer.runs.asked import as_read, joined
from attnviewer.runs.decode import settled
from attnviewer.runs.reading import plan_of
from attnviewer.runs.speaking import Speaker
from attnviewer.runs.transformer.lens import WORDS, told
from attnviewer.zoo.translators import LoadedTranslator, ngrams_of

DEFAULT = "es-en-transformer"
BEGIN, STOP = "⟨start⟩", "⟨end⟩"
LONGEST = 60  # words of a sentence


def pair(engine: Any, request: PairRequest) -> Study:
    """Translate, then read the whole translation again, with all that is changed."""
    yield Loading()
    model = engine.zoo.translator(request.model or DEFAULT)
    if not isinstance(model.net, Transformer):
        raise UserError(tr("{model} has no self-attention; choose a Transformer.", model=model.card.id))
    asked = joined(as_read(read_spanish(request.sentence)))
    if not 0 < len(asked.words) <= LONGEST:
        raise UserError(tr("a sentence of 1 to {most} words can be shown; type such a one.", most=LONGEST))
    yield Progress(tr("translating"))
    with torch.inference_mode():
        made = _Reading(model, model.net, asked.words, request).found()
    yield made
    return made


class _Reading:
    """One sentence and its translation, read by both parts of a net."""

    def __init__(self, model: LoadedTranslator, net: Transformer, words: Sequence[str], request: PairRequest) -> None:
        self.model, self.source, self.request, self.net = model, tuple(words), request, net
        decoder = replace(request.change.decoder, ahead=request.ahead)
        self.change = replace(request.change, decoder=decoder)
        self.ids, self.written = self._given() if request.words else self._own()

    def _given(self) -> tuple[list[int], list[str]]:
        words = list(self.request.words)
        return self.model.words.target.encode(words), words

    def _own(self) -> tuple[list[int], list[str]]:
        """What the net translates without a change: the words by their ids, and as they are said."""
        from attnviewer.runs.decode import beam_search

        decoding = settled(Decoding(beam=BEAMS["translate"], alternatives=1), self.model.card)
        plan = plan_of([self.source], self.net.config.attention, decoding)
        looks = beam_search(self.net, self._memory(None), plan, torch.Generator(self.net.bias.device))[0].choices
        speak = Speaker(self.source, self.model.words.target, self.model.words.glossary, head=self.net.pointer)
        return [look.word for look in looks], [speak(look, first=not n)[0] for n, look in enumerate(looks)]

    def _memory(self, change: Any) -> Memory:
        ids, groups = self.model.words.speller([self.source])
        device = self.net.bias.device
        made: Memory = self.net.encode_source(ids.to(device), groups.to(device), change=change)
        return made

    def _encoder(self) -> Floats:
        """Maps [N, H, S, S]."""
        ids, groups = (part.to(self.net.bias.device) for part in self.model.words.speller([self.source]))
        words = self.net.words
        embedded = words.source(ids) + words.embed_ngrams(groups)
        seen = self.net.encode(embedded, ids != 0, self.change.encoder)[1]
        return _maps([layer.attended.weights for layer in seen])

    def _read(self, memory: Memory, inputs: list[int], said: list[str]) -> tuple[list[Tensor], Any]:
        """The vectors [N + 1] x [T, D] of given words, and what each layer computed."""
        words = self.net.words
        ids = torch.tensor([inputs], device=self.net.bias.device)
        groups = words.spelled[ids].clone()
        strange = [n for n, one in enumerate(inputs) if one == UNKNOWN]
        if strange:
            groups[0, strange] = ngrams_of([said[n] for n in strange], self.model.words.speller.buckets).to(ids.device)
        first, seen = self.net.follow(memory, ids, groups)
        return [first[0], *(layer.out[0] for layer in seen)], seen

    def found(self) -> Pair:
        """All maps, the probabilities, and what each layer would write."""
        memory = self._memory(self.change)
        inputs, said = [START, *self.ids], [BEGIN, *self.written]
        targets = torch.tensor([*self.ids, END])
        vectors, seen = self._read(memory, inputs, said)
        shares = torch.stack([self.net.logits(self.net.read_out(one)).float().softmax(-1) for one in vectors])
        chances = shares[-1].cpu().gather(1, targets.unsqueeze(1)).squeeze(1)
        words = (*self.written, STOP)
        lens = Lens(self.model.card.id, WORDS, words, told(shares, self._name))
        return Pair(
            self.model.card.id, self.source, tuple(said), words, self._encoder(),
            _maps([layer.own.weights for layer in seen]), _maps([layer.cross.weights for layer in seen]),
            frozen(chances.numpy()), frozen(self._with_another(memory, inputs, said, targets)), lens,
            self.request.ahead,
        )  # fmt: skip

    def _with_another(self, memory: Memory, inputs: list[int], said: list[str], targets: Tensor) -> Any:
        """The probabilities where the last word read is another: the first one in its place."""
        if len(inputs) < 3:
            return [float("nan")] * len(inputs)
        vectors, _ = self._read(memory, [*inputs[:-1], inputs[1]], [*said[:-1], said[1]])
        shares = self.net.logits(self.net.read_out(vectors[-1])).float().softmax(-1).cpu()
        return shares.gather(1, targets.unsqueeze(1)).squeeze(1).numpy()

    def _name(self, word: int) -> str:
        return {END: STOP, START: BEGIN}.get(word) or self.model.words.target.word(word)


def _maps(layers: list[Tensor]) -> Floats:
    """Weights [N, H, T, L] of one [1, H, T, L] a layer."""
    return frozen(torch.stack([layer[0] for layer in layers]).float().cpu().numpy())
