"""Decoders of the GPT-2 kind: every token looks at itself and at those before it."""

from __future__ import annotations

from attnviewer.zoo.foreign.encoder import Encoder


class Decoder(Encoder):
    """GPT-2."""

    projections = r"(?:transformer\.)?h\.(\d+)\.attn\.c_proj"
