"""Decoders of the GPT-2 kind: every token looks at itself and at those before it."""

from __future__ import annotations

import torch
from torch import Tensor

from attnviewer.zoo.foreign.encoder import Encoder


class Decoder(Encoder):
    """GPT-2."""

    projections = r"(?:transformer\.)?h\.(\d+)\.attn\.c_proj"

    def says(self, given: str) -> tuple[list[str], Tensor]:
        """The tokens of a text, and what each layer would say comes next: logits [N + 1, T, V] over the embedding."""
        ids, tokens, _ = self.tokeniser.encode(given)
        self.check(len(ids))
        with torch.inference_mode():
            hidden = self.net(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
            calm = [self.net.ln_f(one[0]) for one in hidden[:-1]]  # the last has been normalised
            return tokens, torch.stack([*calm, hidden[-1][0]]) @ self.net.wte.weight.T
