"""The loss of a translator: the next word, and maps that lie on the aligner's links.

Letters: B sentences, S source words, T target words, V vocabulary.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviewer.nets.translates import Translates
from attnviewer.train.translate.corpus import Batch, forget


def loss_of(net: Translates, batch: Batch, args: argparse.Namespace) -> tuple[Tensor, float, float]:
    """The loss of a batch; for the log, the smoothed nats a word and the nats of the guide a linked word."""
    any_net: Any = net  # each reads the memory that it made
    with torch.autocast("cpu", torch.bfloat16):
        memory = net.encode_source(forget(batch.ids, *args.forget), batch.ngrams)
        output, weights, origins = any_net.teach(memory, forget(batch.inputs, *args.forget), batch.spelled)
        said = batch.targets > 0
        logits = net.logits(output[said])  # [N, V]
    nats = F.cross_entropy(logits.float(), batch.targets[said], label_smoothing=args.smoothing)
    guides = [_guide(weights, batch.links)] if weights is not None else []
    if origins is not None:
        guides.append(_guide(origins[:, 1:], batch.links[:, :-1]))  # a word is read a step after it was said
    guide = torch.stack(guides).sum() if guides else nats.new_zeros(())
    return nats + args.guide * guide, float(nats.detach()), float(guide.detach())


def _guide(weights: Tensor, links: Tensor) -> Tensor:
    """Nats a linked word that `weights` [B, T, S] are away from `links` [B, T, S]."""
    return -(links * weights.clamp_min(1e-6).log()).sum() / links.sum().clamp_min(1)
