"""Word pieces joined to whole words in a trace of self-attention: rows averaged, columns summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.core.attend import AttendTrace
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats, Tokens

INNER = "##"  # begins a WordPiece that goes on a word


def whole_words(trace: AttendTrace) -> AttendTrace:
    """The trace over whole words; one whose pieces aren't known, or are words already, stays as it is."""
    tokens = trace.locations.tokens if isinstance(trace.locations, Tokens) else ()
    columns = _starts(tokens, trace.pieces if len(trace.pieces) == len(tokens) else ())
    rows = columns if trace.words == tokens else _starts(trace.words, ())
    if len(rows) == len(trace.words) and len(columns) == len(tokens):
        return trace
    weights = trace.weights.astype(np.float64)  # [T, H, L]
    weights = np.add.reduceat(weights, rows, axis=0) / _sizes(rows, len(trace.words))[:, None, None]
    if columns:
        weights = np.add.reduceat(weights, columns, axis=2)
    words = _join(trace.words, rows)
    steps = tuple(
        replace(trace.steps[row], word=word, weights=weights[at].astype(np.float32), scores=None)
        for at, (row, word) in enumerate(zip(rows, words, strict=True))
    )
    outside = trace.outside
    if outside is not None:
        outside = (np.add.reduceat(outside, rows, axis=0) / _sizes(rows, len(outside))[:, None]).astype(np.float32)
    places = Tokens(tuple(_join(tokens, columns))) if tokens else trace.locations
    note = tr("Word pieces are joined: the rows of a word are averaged, its columns summed.")
    return replace(
        trace, steps=steps, locations=places, outside=outside, inside=None, pieces=(), notes=(*trace.notes, note)
    )


def _starts(tokens: Sequence[str], pieces: Sequence[int | None]) -> list[int]:
    """Where words begin: by the word each token is part of, or by the mark of pieces that go on a word."""
    if pieces:
        return [at for at, one in enumerate(pieces) if at == 0 or one is None or one != pieces[at - 1]]
    return [at for at, token in enumerate(tokens) if at == 0 or not token.startswith(INNER)]


def _sizes(starts: Sequence[int], count: int) -> Floats:
    return np.diff(starts, append=count).astype(np.float32)


def _join(tokens: Sequence[str], starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], len(tokens)]
    return [
        "".join(token.removeprefix(INNER) for token in tokens[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]


def without_specials(trace: AttendTrace) -> AttendTrace:
    """The trace over the tokens of the text alone: special tokens neither look nor are looked at, rows sum to 1 again,
    and the share that lay on special tokens is kept as `outside` [T, H].

    A trace over a picture, or one in which special tokens aren't known, stays as it is.
    """
    tokens = trace.locations.tokens if isinstance(trace.locations, Tokens) else ()
    kept = np.array([at for at, piece in enumerate(trace.pieces) if piece is not None], dtype=int)
    if len(trace.pieces) != len(tokens) or len(kept) in (0, len(tokens)):
        return trace
    looking = kept if trace.words == tokens else np.arange(len(trace.steps))
    whole = trace.weights[looking].astype(np.float64)  # [T, H, L]
    weights = whole[..., kept]
    sums = weights.sum(axis=-1, keepdims=True)
    rows = np.where(sums > 0, weights / np.maximum(sums, 1e-12), 1 / len(kept)).astype(np.float32)
    outside = np.clip(1 - sums[..., 0] / whole.sum(axis=-1), 0, 1).astype(np.float32)
    steps = tuple(
        replace(trace.steps[row], weights=rows[at], scores=None, outside=outside[at]) for at, row in enumerate(looking)
    )
    note = tr("Special tokens are hidden: {share} of the weights, on the average, lay on them.",
              share=f"{float(outside.mean()):.0%}")  # fmt: skip
    places = Tokens(tuple(tokens[at] for at in kept))
    return replace(
        trace, steps=steps, locations=places, outside=outside, inside=None, notes=(*trace.notes, note),
        pieces=tuple(trace.pieces[at] for at in kept),
    )  # fmt: skip
