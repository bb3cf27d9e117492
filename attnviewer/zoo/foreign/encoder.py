"""Encoders of the BERT kind: every token looks at every token of the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.zoo.foreign.base import Foreign, Found, Maps, stacked
from attnviewer.zoo.foreign.folder import Tokeniser
from attnviewer.zoo.foreign.insides import inside_of, watched


class Encoder(Foreign):
    """BERT, RoBERTa, DistilBERT, ELECTRA."""

    net_class = "AutoModel"
    projections = r"(?:encoder|transformer)\.layer\.(\d+)\.attention\.(?:output\.dense|out_lin)"

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        super().__init__(folder, config)
        self.tokeniser = Tokeniser(folder)

    def look(self, given: str) -> Found:
        """Self-attention over the tokens of a text, the special ones too."""
        ids, tokens, pieces = self.tokeniser.encode(given)
        self.check(len(ids))
        yield Progress(tr("reading {count} tokens", count=len(ids)))
        with watched(self.net) as (layers, parts):
            seen = self.net(input_ids=torch.tensor([ids]), output_attentions=True, output_hidden_states=True)
        weights = torch.stack([one[0] for one in seen.attentions])
        inside = inside_of(self.net, layers, parts, seen.hidden_states[0][0], weights)
        return Maps(tuple(tokens), tuple(tokens), stacked(seen.attentions), pieces=tuple(pieces), inside=inside)

    def check(self, count: int) -> None:
        """Raise `UserError` for a text that is too long, or empty."""
        config = self.net.config
        longest = int(getattr(config, "max_position_embeddings", 512))
        if config.model_type == "roberta":  # its positions begin behind that of the padding
            longest -= int(config.pad_token_id) + 1
        if count > longest:
            raise UserError(
                tr("the text has {count} tokens; {model} reads at most {longest}, so shorten it.",
                   count=count, model=self.name, longest=longest)
            )  # fmt: skip
        if count == 0:
            raise UserError(tr("{model} knows no token of this text; type another.", model=self.name))
