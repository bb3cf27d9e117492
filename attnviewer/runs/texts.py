"""Many texts at once: their sentences are searched together, as each would be alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from attnviewer.core.events import Progress
from attnviewer.core.request import Decoding
from attnviewer.core.sentence import detokenize
from attnviewer.core.spanish import read_spanish
from attnviewer.runs.alone import doubtful, looked_up
from attnviewer.runs.asked import Asked, asked_of
from attnviewer.runs.decode import Choice
from attnviewer.runs.reading import read, searched
from attnviewer.runs.speaking import Speaker
from attnviewer.runs.written import Written, ready, written
from attnviewer.zoo.translators import LoadedTranslator


def translate_texts(
    model: LoadedTranslator, texts: Sequence[str], decoding: Decoding, tell: Callable[[Progress], object] = id,
    mixed: Callable[[Asked], Asked] | None = None,
) -> list[str]:  # fmt: skip
    """The translation of each text.

    Parameters
    ----------
    decoding : with a length penalty, as `settled` gives it.
    tell : is called with every progress.
    mixed : puts the words of each sentence that a net reads in another order.
    """
    parts = [asked_of(read_spanish(text), model.words) for text in texts]
    parts = parts if mixed is None else [[mixed(one) for one in asked] for asked in parts]
    sentences = [one for asked in parts for one in asked]
    run, looks = searched(model, sentences, decoding), {}
    while True:
        try:
            tell(next(run))
        except StopIteration as end:
            looks = end.value
            break
    said = []
    for number, asked in enumerate(sentences):
        words = ready(asked) if asked.ready is not None else _words(model, asked, looks[number])
        said.append([one.word for one in words])
    rest = iter(said)
    return [detokenize(word for _ in asked for word in next(rest)) for asked in parts]


def _words(model: LoadedTranslator, asked: Asked, looks: Sequence[Choice]) -> list[Written]:
    """The words of a sentence that a net has read."""
    lone = looked_up(asked, model.words.glossary)
    if lone is not None:
        with torch.inference_mode():
            memory = read(model.net, model.words.speller, [asked.words])
        if doubtful(model, memory, looks):
            return lone
    speak = Speaker(asked.words, model.words.target, model.words.glossary, head=model.net.pointer)
    return written(asked, looks, speak)
