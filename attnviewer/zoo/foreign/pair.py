"""Encoder and decoder of the Marian kind: each word of the translation looks at the words of the source."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from attnviewer.core.i18n import tr
from attnviewer.zoo.foreign.base import Found, Maps, greedy, stacked
from attnviewer.zoo.foreign.encoder import Encoder


class Pair(Encoder):
    """Marian; the maps are those of cross-attention, each the one that was used to choose its word."""

    net_class = "AutoModelForSeq2SeqLM"
    projections = r"model\.decoder\.layers\.(\d+)\.encoder_attn\.out_proj"

    @property
    def heads(self) -> int:
        """How many heads a layer has."""
        return int(self.net.config.decoder_attention_heads)

    @property
    def banned(self) -> tuple[int, ...]:
        """Tokens that a translation never holds: Marian would choose its padding."""
        pad = self.net.config.pad_token_id
        return () if pad is None else (int(pad),)

    def look(self, given: str) -> Found:
        """Translate greedily, then read the maps of the whole translation at once."""
        config = self.net.config
        ids, tokens, pieces = self.tokeniser.encode(given)
        self.check(len(ids))
        source = torch.tensor([ids])
        states = self.net.get_encoder()(input_ids=source)

        def step(made: Sequence[int]) -> Tensor:
            found = self.net(encoder_outputs=states, decoder_input_ids=torch.tensor([list(made)]))
            return found.logits[0, -1]

        start, end = int(config.decoder_start_token_id), int(config.eos_token_id)
        made, logprobs, _ = yield from greedy(step, start, end, self.banned)
        whole = self.net(encoder_outputs=states, decoder_input_ids=torch.tensor([made[:-1]]), output_attentions=True)
        return Maps(
            tuple(self.tokeniser.tokens(made[1:])), tuple(tokens), stacked(whole.cross_attentions),
            logprobs=logprobs, pieces=tuple(pieces),
            notes=(tr("The maps are those of the decoder looking at the source; the translation is greedy."),),
        )  # fmt: skip


class T5(Pair):
    """T5, which is told in the text itself what to do: "translate English to German: ..."."""

    projections = r"decoder\.block\.(\d+)\.layer\.1\.EncDecAttention\.o"

    @property
    def heads(self) -> int:
        """How many heads a layer has."""
        return int(self.net.config.num_heads)
