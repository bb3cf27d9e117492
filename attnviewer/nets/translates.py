"""What a translator of any kind can do, so that runs and measures need not know which it is.

Letters: B sentences, K hypotheses a sentence, S source words, T target words, G character n-grams a word.
"""

from __future__ import annotations

from typing import Any, Protocol

import torch
from torch import Tensor, nn

from attnviewer.nets.translator import Words


class Translates(Protocol):
    """A net that translates; see `Translator` and `Transformer`."""

    config: Any
    has_attention: bool
    tells: bool
    heads: tuple[str, ...]
    pointer: int | None
    bias: nn.Parameter

    @property
    def words(self) -> Words:
        """The embeddings it stands on."""

    def encode_source(self, ids: Tensor, groups: Tensor, order: Tensor | None = None, /) -> Any:
        """Read source words [B, S] with character n-grams [B, S, G]; `order` [B, S] shuffles what is looked at."""

    def start(self, memory: Any, hypotheses: int, /) -> Any:
        """The first state of K hypotheses of each sentence."""

    def reorder(self, state: Any, order: Tensor, /) -> Any:
        """The state of the hypotheses that `order` [B, K] names."""

    def __call__(
        self, memory: Any, state: Any, words: Tensor, /, *, weights: Tensor | None = None, pick: str | None = None,
        generator: torch.Generator | None = None,
    ) -> Any:  # fmt: skip
        """One step from the last words [B, K]."""

    def origin(self, memory: Any, state: Any, words: Tensor, /) -> Tensor | None:
        """Where words [B, K] that are read next came from: weights [B, K, S], or None."""

    def teach(self, memory: Any, inputs: Tensor, groups: Tensor, /) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Read given words [B, T]: output features, the maps that chose words, and those of where they came from."""

    def logits(self, output: Tensor, /) -> Tensor:
        """Scores of every target word [..., V]."""
