"""A word that stands alone: nets that learnt from sentences make one of it, so that the glossary may know better."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from attnviewer.core.glossary import Glossary, spoken
from attnviewer.core.text import END, START
from attnviewer.core.trace import KEPT, LOOKED_UP
from attnviewer.nets.translator import Memory
from attnviewer.runs.asked import Asked
from attnviewer.runs.decode import Choice
from attnviewer.runs.written import Written, framing
from attnviewer.zoo.translators import LoadedTranslator

SURE = -1.1  # natural logarithm of the least probability that a net gives to words it may keep (chosen on dev inputs)


def looked_up(asked: Asked, glossary: Glossary) -> list[Written] | None:
    """The glossary's word for the only word of a sentence, with the marks around it; None where it has none."""
    heard = [place for place, word in enumerate(asked.words) if spoken(word)]
    if len(heard) != 1 or asked.stand_ins:
        return None
    word = asked.words[heard[0]]
    said = glossary(word, opens=True)
    if said == word:
        return None
    said = said[:1].upper() + said[1:] if word[0].isupper() else said
    marks = [Written(mark, None, asked.places[place], KEPT) for place, mark in enumerate(asked.words)]
    made = [one for place, one in enumerate(marks) if place not in heard and asked.words[place] not in "¿¡"]
    first = sum(asked.words[place] not in "¿¡" for place in range(heard[0]))
    made.insert(first, Written(said, None, asked.places[heard[0]], LOOKED_UP))
    return [*framing(asked, before=True), *made, *framing(asked, before=False)]


def doubtful(model: LoadedTranslator, memory: Memory, looks: Sequence[Choice]) -> bool:
    """Whether the net gives little probability to what it says, the end included; `memory` is that of one sentence."""
    ids = [look.word for look in looks]
    inputs = torch.tensor([[START, *ids]], device=memory.mean.device)
    with torch.inference_mode():
        output = model.net.teach(memory, inputs, model.net.words.spelled[inputs])[0]
        chances = torch.log_softmax(model.net.logits(output)[0].float(), dim=-1)  # [1 + T, V]
    return sum(float(chances[t, word]) for t, word in enumerate([*ids, END])) < SURE
