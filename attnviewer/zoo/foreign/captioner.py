"""A vision encoder and a text decoder (ViT-GPT2, TrOCR and their kin): each word looks at the patches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.zoo.foreign.base import Foreign, Found, Maps, greedy, stacked
from attnviewer.zoo.foreign.folder import Tokeniser
from attnviewer.zoo.foreign.pictures import Eye


class Captioner(Foreign):
    """A ViT or DeiT before a decoder of the kind of GPT-2, TrOCR or BERT; the maps are those of cross-attention."""

    net_class, reads, captions = "VisionEncoderDecoderModel", "picture", True
    projections = (
        r"decoder\.(?:transformer\.h\.(\d+)\.crossattention\.c_proj|model\.decoder\.layers\.(\d+)\.encoder_attn\.out_proj"
        r"|bert\.encoder\.layer\.(\d+)\.crossattention\.output\.dense)"
    )

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        super().__init__(folder, config)
        self.tokeniser = Tokeniser(folder)
        sight = self.net.config.encoder
        if sight.model_type not in ("vit", "deit"):
            raise UserError(
                tr("{model} looks through {kind}, whose places lie on no grid; only ViT and DeiT can be read.",
                   model=self.name, kind=sight.model_type)
            )  # fmt: skip
        self.eye = Eye(folder, int(sight.image_size), int(sight.patch_size))
        self.start, self.end = self._mark("decoder_start_token_id", "bos_token_id"), self._mark("eos_token_id")

    @property
    def heads(self) -> int:
        """How many heads a layer has."""
        return int(self.net.config.decoder.num_attention_heads)

    def look(self, given: Picture) -> Found:
        """Caption greedily, then read the maps of the whole caption at once."""
        yield Progress(tr("encoding the photo"))
        states = self.net.encoder(pixel_values=self.eye.pixels(given))

        def decode(ids: Sequence[int], maps: bool = False) -> Any:
            return self.net(encoder_outputs=states, decoder_input_ids=torch.tensor([list(ids)]), output_attentions=maps)

        def step(ids: Sequence[int]) -> Tensor:
            logits: Tensor = decode(ids).logits[0, -1]
            return logits

        made, logprobs, tops = yield from greedy(step, self.start, self.end)
        weights, outside = self.eye.on_grid(stacked(decode(made[:-1], maps=True).cross_attentions))
        return Maps(
            tuple(self.tokeniser.tokens(made[1:])), (), weights, self.eye.grid(given), logprobs, outside,
            notes=(tr("The caption is greedy."), *self.eye.notes(outside)),
            alternatives=self.tokeniser.named(tops),
        )  # fmt: skip

    def _mark(self, *names: str) -> int:
        """The id of a special token, by the first name that the model or its decoder knows."""
        for config in (self.net.config, self.net.config.decoder):
            for name in names:
                if isinstance(found := getattr(config, name, None), int):
                    return found
        raise UserError(
            tr("the config of {model} says no {name}; copy the model again.", model=self.name, name=names[0])
        )
