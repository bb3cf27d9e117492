"""The look-ups of a query's trace as plain data, and back; older files have none: they come from the maps then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.core.content import ContentTrace, Lookup
from attnviewer.core.trace import Trace, frozen


def lookups_to_dict(trace: ContentTrace) -> dict[str, Any]:
    """What a query's trace knows beside its maps."""
    return {
        "presence": None if trace.presence is None else float(trace.presence),
        "score": trace.score,
        "temperature": float(trace.temperature),
        "hard": trace.hard,
        "unknown": [int(item) for item in trace.unknown],
        "passages": [{str(item): list(span) for item, span in head.items()} for head in trace.passages],
        "lookups": [_plain(lookup) for lookup in trace.lookups],
    }


def has_lookups(trace: Trace) -> bool:
    """Whether a trace knows more of its query than the maps: one out of an older file doesn't."""
    return isinstance(trace, ContentTrace) and bool(trace.lookups) and all(lookup.size for lookup in trace.lookups)


def with_lookups(trace: Trace, data: Mapping[str, Any] | None) -> ContentTrace:
    """The trace of a query with the look-ups that were saved beside it.

    Without them (`data` is None) score, temperature and hard come from the request, and a look-up has no norms: its
    `size` is 0. Raises ValueError, KeyError or TypeError where `data` is damaged.
    """
    known = {name: getattr(trace, name) for name in Trace.__dataclass_fields__}
    asked = trace.request if data is None else data
    score, temperature = str(asked.get("score") or "cosine"), float(asked.get("temperature") or 1.0)
    return ContentTrace(
        **known,
        lookups=tuple(_bare(trace, head, temperature) if data is None else _lookup(trace, head, data["lookups"][head])
                      for head in range(len(trace.heads) if trace.steps else 0)),
        unknown=() if data is None else tuple(map(int, data["unknown"])),
        presence=None if data is None or data["presence"] is None else float(data["presence"]),
        score=score,
        temperature=temperature,
        hard=bool(asked.get("hard", False)),
        passages=() if data is None else tuple(_spans(head) for head in data.get("passages") or ()),
    )  # fmt: skip


def _spans(data: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    return {int(item): (int(start), int(end)) for item, (start, end) in data.items()}


def _plain(lookup: Lookup) -> dict[str, Any]:
    arrays = {name: [float(str(x)) for x in getattr(lookup, name)] for name in ("key_norms", "contributions", "answer")}
    return arrays | {
        "query_norm": float(lookup.query_norm),
        "size": int(lookup.size),
        "total": float(lookup.total),
        "nearest": [int(item) for item in lookup.nearest],
        "pieces": None if lookup.pieces is None else [int(piece) for piece in lookup.pieces],
    }


def _lookup(trace: Trace, head: int, data: Mapping[str, Any]) -> Lookup:
    step, items = trace.steps[0], len(trace.locations)
    norms, added = (frozen(data[name]) for name in ("key_norms", "contributions"))
    if norms.shape != (items,) or added.shape != (items,):
        raise ValueError(f"a look-up needs {items} norms and {items} contributions")
    pieces = None if data.get("pieces") is None else np.asarray(data["pieces"], np.int64)
    scores = step.weights[head] if step.scores is None else step.scores[head]
    return Lookup(
        scores, step.weights[head], norms, added, float(data["query_norm"]), int(data["size"]), float(data["total"]),
        frozen(data["answer"]), tuple(map(int, data["nearest"])), pieces,
    )  # fmt: skip


def _bare(trace: Trace, head: int, temperature: float) -> Lookup:
    """A look-up out of the maps alone."""
    step, weights = trace.steps[0], trace.steps[0].weights[head]
    scores = weights if step.scores is None else step.scores[head]
    heated = np.asarray(scores, np.float64) / temperature
    total = float(heated.max() + np.log(np.exp(heated - heated.max()).sum()))
    unknown = frozen(np.full(len(weights), np.nan))
    return Lookup(scores, weights, unknown, unknown, 0.0, 0, total, frozen([]), ())
