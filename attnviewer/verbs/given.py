"""A text that was given to a model, word by word with its probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator

from attnviewer.core.i18n import tr
from attnviewer.core.trace import Trace


def measured(trace: Trace, name: str | None = None) -> Iterator[str]:
    """A table of the words of a teacher-forced trace and of their sum, below its `name` where there are several."""
    from attnviewer.measure.table import table

    if name is not None:
        yield f"{name}:"
    total = float(trace.logprobs.sum())
    rows = [(_shown(step.word, step.unknown), step.logprob, math.exp(step.logprob)) for step in trace.steps]
    yield table(("word", "log-probability", "probability"), [*rows, ("(sum)", total, math.exp(total))], digits=4)
    if any(step.unknown for step in trace.steps):
        yield tr("* a word that the model doesn't know; its number is that of any unknown word")


def _shown(word: str, unknown: bool) -> str:
    return f"{word} *" if unknown else word
