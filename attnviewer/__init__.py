"""Attention, word by word: caption a picture or ask it something, and get the weights.

    import attnviewer
    trace = attnviewer.caption("dog.jpg")
    trace.text, trace.weights.shape

Importing the package loads neither torch nor Qt.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnviewer.core.errors import UserError
    from attnviewer.core.images import Picture, Readable
    from attnviewer.core.request import Intervention
    from attnviewer.core.trace import Trace

__all__ = ["Intervention", "Trace", "UserError", "caption", "query"]

_LAZY = {"Intervention": "core.request", "Trace": "core.trace", "UserError": "core.errors"}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'attnviewer' has no attribute {name!r}")
    return getattr(import_module(f"attnviewer.{_LAZY[name]}"), name)


def caption(
    image: Readable | Picture,
    *,
    attention: str = "soft",
    beam: int = 1,
    words: str | Sequence[str] | None = None,
    seed: int = 0,
    pick: str = "sample",
    model: str | None = None,
    device: str = "auto",
    interventions: Sequence[Intervention] = (),
) -> Trace:
    """Caption a picture and return its trace; the model stays loaded between calls.

    Parameters
    ----------
    image : path, bytes, PIL image, or array [height, width, 3] of an upright RGB picture.
    attention : "soft", "hard", "none", or "uniform" (soft attention with every weight made equal).
    beam : hypotheses kept; 1 is greedy.
    words : a caption to measure instead of making one, as a text or a list of words.
    seed : seed of the locations that hard attention samples.
    pick : "sample" draws that location from the map, "argmax" takes the most probable one.
    model : id of a model; None chooses the one for `attention`.
    device : "auto", "cpu", "cuda" or "mps".
    interventions : words or weights to impose at single steps.

    Raises `UserError` where the image or a choice is at fault.
    """
    from attnviewer import api

    return api.caption(
        image,
        attention=attention,
        beam=beam,
        words=words,
        seed=seed,
        pick=pick,
        model=model,
        device=device,
        interventions=interventions,
    )


def query(
    text: str,
    *,
    image: Readable | Picture | None = None,
    sentence: str | None = None,
    lines: Sequence[str] | None = None,
    keys: str | None = None,
    score: str | None = None,
    temperature: float | None = None,
    hard: bool = False,
) -> Trace:
    """Ask which items a text attends to: a trace of one step whose locations are the items.

    Parameters
    ----------
    text : the query.
    image, sentence, lines : exactly one: a picture's regions, a sentence's words, or a list of texts.
    keys : how items become vectors; None chooses what suits them.
    score : "dot", "scaled" or "cosine".
    temperature : below 1 sharpens the weights, above 1 flattens them.
    hard : take the best item alone.

    Raises `UserError` where the text or a choice is at fault.
    """
    from attnviewer import api

    return api.query(
        text,
        image=image,
        sentence=sentence,
        lines=lines,
        keys=keys,
        score=score,
        temperature=temperature,
        hard=hard,
    )
