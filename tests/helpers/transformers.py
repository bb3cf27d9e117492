"""Tiny Transformers with random weights, livelier than fresh ones, so that words and maps differ from step to step."""

from __future__ import annotations

import torch
from torch import nn

from attnviewer.core.card import ModelCard
from attnviewer.core.text import END
from attnviewer.nets.looker import Looker, LookerConfig
from attnviewer.nets.transformer import Transformer, TransformerConfig
from attnviewer.zoo.translators import LoadedTranslator
from helpers.nets import SIZES
from helpers.translators import BUCKETS, EMBEDDING, SOURCE, TARGET, a_translator

SMALL = {"width": 16, "heads": 2, "layers": 2, "inner": 24, "guided": (1, 0), "telling": (1, 1)}


def lively(net: nn.Module) -> None:
    """Make every matrix of a net larger."""
    with torch.no_grad():
        for value in net.parameters():
            if value.ndim == 2:
                value.mul_(2)


def a_transformer(order: str = "sinusoidal", seed: int = 7, ending: float = 0.0) -> LoadedTranslator:
    """A translator of a few thousand numbers, in evaluation mode, with the words of the other small translators."""
    words = a_translator().words
    torch.manual_seed(seed)
    sizes = TransformerConfig(
        len(SOURCE), len(TARGET), embedding=EMBEDDING, spelling=BUCKETS, order=order, reach=3, **SMALL
    )
    net = Transformer(sizes, words.net)
    lively(net)
    with torch.no_grad():
        net.bias[END] = ending
    old = a_translator().card
    card = ModelCard(
        "es-en-transformer", "a Transformer", "translate", "soft", "MIT", old.data, old.training,
        architecture={"words": old.architecture["words"], "length_penalty": 1.0, **SMALL},
    )  # fmt: skip
    return LoadedTranslator(card, net.eval(), words)


def a_looker(vocabulary: int = 20, seed: int = 0) -> Looker:
    """A captioner of a few thousand numbers over annotation vectors [B, 9, 12], in evaluation mode."""
    torch.manual_seed(seed)
    net = Looker(LookerConfig(vocabulary, annotation=SIZES["annotation"], width=16, heads=2, inner=24))
    lively(net)
    return net.eval()
