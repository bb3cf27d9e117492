"""Does the map of a translated word matter? Its probability as source words are hidden one by one (leave-one-out).

A hidden word is read as one that nobody can make out. The attention itself is not held: the net reads anew.

Letters: B ways to hide words, S words that are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Loading, Progress
from attnviewer.core.explore.requests import SourceMatterRequest
from attnviewer.core.i18n import tr
from attnviewer.core.jobs import Study
from attnviewer.core.trace import Step
from attnviewer.runs.asked import Asked
from attnviewer.runs.decode import DecodingPlan, settled
from attnviewer.runs.explore.layering import with_gradients
from attnviewer.runs.explore.matter import chance
from attnviewer.runs.explore.ranking import Subject, check, check_word, ranked
from attnviewer.runs.laying import Layer
from attnviewer.runs.reading import read
from attnviewer.runs.translate import Text
from attnviewer.runs.written import Written
from attnviewer.zoo.translators import LoadedTranslator


class Hidden:
    """The probability of the last of the words `ids` of a translation, while some source words are hidden."""

    def __init__(self, model: LoadedTranslator, asked: Asked, ids: Sequence[int], plan: DecodingPlan) -> None:
        self._model, self.asked, self.ids, self.plan = model, asked, tuple(ids), plan

    def __call__(self, shown: Tensor) -> NDArray[np.float64]:
        """Probabilities [B] with only the words `shown` [B, S] read."""
        with torch.inference_mode():
            found = self.of(self._model.net, shown).exp().cpu()
        chances: NDArray[np.float64] = found.double().numpy()
        return chances

    def of(self, net: Any, shown: Tensor) -> Tensor:
        """Log-probabilities [B] by a net."""
        memory = read(net, self._model.words.speller, [self.asked.words], hidden=~shown)
        return chance(net, memory, self.ids, self.plan)

    def gradient(self) -> NDArray[np.float64]:
        """How strongly the word's log-probability hangs on each word that is read [S]: the length of its gradient."""
        net: Any = with_gradients(self._model.net)  # type: ignore[type-var]
        kept: list[Tensor] = []

        def keep(_module: object, _inputs: object, embedded: Tensor) -> Tensor:
            kept.append(embedded.detach().clone().requires_grad_())
            return kept[-1]

        hook = net.words.source.register_forward_hook(keep)
        try:
            with torch.inference_mode(False), torch.enable_grad():
                self.of(net, torch.ones(1, len(self.asked.words), dtype=torch.bool)).sum().backward()
        finally:
            hook.remove()
        assert kept[0].grad is not None  # it was asked for
        sizes: NDArray[np.float64] = kept[0].grad[0].norm(dim=-1).double().cpu().numpy()
        return sizes


def source_matter(engine: Any, request: SourceMatterRequest) -> Study:
    """Translate, then hide the words of the word's sentence in several orders."""
    check(request.steps, request.shuffles)
    yield Loading()
    asked = request.asked
    model = engine.zoo.translator(asked.model, asked.attention)
    if not model.net.has_attention:
        raise UserError(tr("this model has no attention that could matter; choose another."))
    text = Text(asked if asked.words else _settled(asked, model), model)
    steps = []
    for found in text.steps():
        if isinstance(found, Step):
            steps.append(found)
            yield Progress(tr("translating, word {count}", count=len(steps)))
    words = tuple(step.word for step in steps)
    word = _word(words, request.word)
    layer, looks = _place(text.layers, word)
    plan = DecodingPlan(asked.decoding, asked.attention)
    hidden = Hidden(model, layer.asked, [look.word for look in looks], plan)
    names = tuple(" ".join(text.tokens[place] for place in places) for places in layer.asked.places)
    assert looks[-1].weights is not None  # the net has attention
    attention = looks[-1].weights.float().mean(dim=0)[: len(names)].double().cpu().numpy()
    if text.request.shuffle is not None:
        attention = attention[np.argsort(text.order(layer.asked) or [])]
        names = layer.asked.words
    yield Progress(tr("following the gradient"))
    subject = Subject(words, word, names, attention, hidden.gradient(), hidden)
    return (yield from ranked(subject, request.steps, request.shuffles, request.seed, occlusion=True))


def _settled(asked: Any, model: LoadedTranslator) -> Any:
    from dataclasses import replace

    return replace(asked, decoding=settled(asked.decoding, model.card))


def _word(words: Sequence[str], word: int | None) -> int:
    """The word in question: by default the longest."""
    if word is None:
        return max(range(len(words)), key=lambda at: len(words[at]), default=0)
    check_word(word, words)
    return word


def _place(layers: Sequence[Layer], word: int) -> tuple[Layer, list[Any]]:
    """The sentence of a word, and the looks of its words up to that one; raises `UserError` where no net chose it."""
    for layer in layers:
        if word < len(layer.written):
            return layer, _looks(layer.written, word)
        word -= len(layer.written)
    raise UserError(tr("there is no word to ask about; translate a sentence first."))


def _looks(written: Sequence[Written], word: int) -> list[Any]:
    if written[word].look is None:
        raise UserError(
            tr("“{word}” was put together by a rule, not chosen by the net; ask about another word.",
               word=written[word].word)
        )  # fmt: skip
    return [one.look for one in written[: word + 1] if one.look is not None]
