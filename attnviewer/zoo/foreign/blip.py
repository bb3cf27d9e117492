"""BLIP (Li et al. 2022) captioning a picture: each word looks at the patches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.zoo.foreign.base import Foreign, Found, Maps, greedy, stacked
from attnviewer.zoo.foreign.folder import Tokeniser
from attnviewer.zoo.foreign.pictures import Eye


class Blip(Foreign):
    """BLIP; the maps are those of cross-attention, each the one that was used to choose its word."""

    net_class, reads, captions = "BlipForConditionalGeneration", "picture", True
    projections = r"text_decoder\.bert\.encoder\.layer\.(\d+)\.crossattention\.output\.dense"

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        super().__init__(folder, config)
        self.tokeniser = Tokeniser(folder)
        sight = self.net.config.vision_config
        self.eye = Eye(folder, int(sight.image_size), int(sight.patch_size))

    @property
    def heads(self) -> int:
        """How many heads a layer has."""
        return int(self.net.config.text_config.num_attention_heads)

    def look(self, given: Picture) -> Found:
        """Caption greedily, then read the maps of the whole caption at once."""
        yield Progress(tr("encoding the photo"))
        states = self.net.vision_model(self.eye.pixels(given)).last_hidden_state
        text = self.net.config.text_config

        def decode(ids: Sequence[int], maps: bool = False) -> Any:
            return self.net.text_decoder(
                input_ids=torch.tensor([list(ids)]), encoder_hidden_states=states, output_attentions=maps,
                return_dict=True,
            )  # fmt: skip

        def step(ids: Sequence[int]) -> Tensor:
            return decode(ids).logits[0, -1]

        made, logprobs, tops = yield from greedy(step, int(text.bos_token_id), int(text.sep_token_id))
        weights, outside = self.eye.on_grid(stacked(decode(made[:-1], maps=True).cross_attentions))
        return Maps(
            tuple(self.tokeniser.tokens(made[1:])), (), weights, self.eye.grid(given), logprobs, outside,
            notes=(tr("The caption is greedy."), *self.eye.notes(outside)),
            alternatives=self.tokeniser.named(tops),
        )  # fmt: skip
