"""Sentence embeddings by all-MiniLM-L6-v2; loaded when first asked for, and every text encoded once."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from attnviewer.core.events import Loading, Progress
from attnviewer.core.i18n import tr
from attnviewer.zoo.bert import NAME, Encoder, load_encoder

SIZE = 384
CHUNK = 64
SHORT = 254  # characters that the encoder surely reads whole
KEPT = 200_000
Floats = NDArray[np.float32]


class SentenceEncoder:
    """Unit vectors [384] of texts; remembers what it has encoded, so that a stopped run goes on where it was."""

    def __init__(self) -> None:
        self._net: Encoder | None = None
        self._known: dict[str, Floats] = {"": np.zeros(SIZE, np.float32)}

    def load(self) -> Generator[Progress, None, None]:
        """Load the encoder where that hasn't been done."""
        if self._net is None:
            yield Loading(tr("Loading the sentence encoder"))
            self._net = load_encoder()

    def one(self, text: str) -> Floats:
        """The vector of one text; zeros for an empty one."""
        text = text.strip()
        if text not in self._known:
            self._remember([text], self._encode([text]))
        return self._known[text]

    def windows(self, text: str) -> list[tuple[int, int]]:
        """Spans of `text` that the encoder can read whole."""
        if len(text) <= SHORT:
            return [(0, len(text))]
        self._net = self._net or load_encoder()
        return self._net.windows(text)

    def many(self, texts: Sequence[str]) -> Generator[Progress, None, Floats]:
        """Vectors [N, 384] of `texts`, each different one encoded once, the short first, with progress by the chunk."""
        wanted = sorted({text for text in map(str.strip, texts) if text not in self._known}, key=len)
        if wanted:
            yield from self.load()
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            with torch.autocast("cpu", torch.bfloat16, enabled=_bf16_is_fast()):
                self._remember(chunk, self._encode(chunk))
            done = min(start + CHUNK, len(wanted))
            said = tr("Encoding lines: {done} of {all}", done=f"{done:,}", all=f"{len(wanted):,}")
            yield Progress(said, done / len(wanted))
        return np.stack([self._known[text.strip()] for text in texts])

    def _remember(self, texts: Sequence[str], vectors: Floats) -> None:
        if len(self._known) > KEPT:
            self._known = {"": self._known[""]}
        self._known.update(zip(texts, vectors, strict=True))

    def _encode(self, texts: Sequence[str]) -> Floats:
        self._net = self._net or load_encoder()
        return np.array(self._net.vectors(texts).numpy(), dtype=np.float32)


def _bf16_is_fast() -> bool:
    return bool(getattr(torch.cpu, "_is_amx_tile_supported", lambda: False)())


__all__ = ["NAME", "SIZE", "SentenceEncoder"]
