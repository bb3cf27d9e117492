"""An engine without a network that attends: two layers of three heads with random numbers, changed as it is asked."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from attnviewer.core.ablation import Ablation
from attnviewer.core.attend import AttendTrace, Inside, attend_trace
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.request import AttendRequest
from attnviewer.core.trace import Trace
from attnviewer.core.transformer.stages import softmax

LAYERS, HEADS, SIZE, HEAD_SIZE = 2, 3, 12, 4


def an_inside(count: int, change: Ablation | None = None, seed: int = 0) -> Inside:
    """Arrays that fit each other: queries, keys and values are made from the vectors, weights from the scores."""
    change, rng = change or Ablation(), np.random.default_rng(seed)
    hidden = rng.normal(size=(LAYERS + 1, count, SIZE)).astype(np.float32)
    makers = rng.normal(size=(LAYERS, 3, HEADS, SIZE, HEAD_SIZE)).astype(np.float32) / 2
    biases = rng.normal(size=(LAYERS, 3, HEADS, HEAD_SIZE)).astype(np.float32)
    made = np.einsum("ntd,nchds->nchts", hidden[:-1], makers) + biases[:, :, :, None]
    queries, keys, values = made[:, 0], made[:, 1], made[:, 2]
    queries = keys if change.tied else queries
    scores = queries @ keys.swapaxes(-1, -2) / np.float32(HEAD_SIZE**0.5)
    visible = change.visible(count)
    scores = scores if visible is None else np.where(visible, scores, -np.inf).astype(np.float32)
    for off in change.off:
        hidden[-1, :, off[1]] += 1
    parts = rng.normal(size=(3, LAYERS, count, SIZE)).astype(np.float32)
    return Inside(
        hidden, queries, keys, values, scores, softmax(scores), np.linalg.norm(values, axis=-1), *parts,
        projections=makers, biases=biases, normed=hidden[:-1],
    )  # fmt: skip


class AttendEngine:
    """Splits at blanks, puts marks around, and keeps the `requests`."""

    device = "cpu"

    def __init__(self) -> None:
        self.requests: list[AttendRequest] = []

    def run(self, request: AttendRequest) -> Generator[Progress | Trace, None, AttendTrace]:
        if not isinstance(request, AttendRequest):
            raise UserError("this engine only attends.")
        self.requests.append(request)
        tokens = ("[CLS]", *(request.text or "").split(), "[SEP]")
        if len(tokens) > 600:
            raise UserError("the text has too many tokens; shorten it.")
        yield Progress("reading")
        inside = an_inside(len(tokens), request.change)
        return attend_trace("tiny", request.text or "", tokens, inside.weights, inside.scores, inside=inside)
