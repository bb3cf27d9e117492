"""Links between the words of a translation as text, as aligners write them: `0-0 1-2`, source-target, from 0."""

from __future__ import annotations

from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import peak, word_map
from attnviewer.core.spanish import read_spanish
from attnviewer.core.trace import Tokens, Trace
from attnviewer.export.options import Options


def save_links(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write the links as one line; raises `UserError` where there are none to write."""
    path.write_text(pharaoh(trace) + "\n", encoding="utf-8")


def pharaoh(trace: Trace) -> str:
    """One link a word, to the source word with the largest weight; raises `UserError` where words have no maps.

    A source that was shuffled is counted in its own order.
    """
    if trace.task != "translate" or not isinstance(trace.locations, Tokens):
        raise UserError(tr("links are between the words of a translation; save this trace in another form."))
    if trace.steps and not trace.heads:
        raise UserError(tr("{model} has no attention, so there are no links; ask for another one.", model=trace.model))
    seed, words = trace.request.get("shuffle"), len(trace.locations)
    order = range(words) if seed is None else read_spanish(trace.source.text or "").order(seed)
    maps = [(target, word_map(trace, target)) for target in range(len(trace.steps))]
    links = sorted((int(order[peak(weights)]), target) for target, weights in maps if weights is not None)
    return " ".join(f"{source}-{target}" for source, target in links)
