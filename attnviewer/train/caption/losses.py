"""What a captioner is trained on: the next word, where the word is, and an even spread of looks over the photo.

Letters: B photos, K captions a photo, T words, L locations, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviewer.nets import layers
from attnviewer.nets.attention import pointed
from attnviewer.nets.captioner import Captioner, Memory, State
from attnviewer.nets.looker import Looker
from attnviewer.train.caption.batches import Batch, Counts


@dataclass(frozen=True)
class LossOptions:
    """Label smoothing, and the weights of the alignment term and of doubly stochastic regularisation."""

    smoothing: float = 0.1
    align: float = 0.3
    spread: float = 0.005


@dataclass(frozen=True)
class Terms:
    """`loss` is minimised; the rest is for the log: nats a word, and the share of attention inside the boxes."""

    loss: Tensor
    nats: float
    inside: float


def teacher_forced(
    net: Captioner | Looker, memory: Any, batch: Batch, options: LossOptions, whole: Counts | None = None
) -> Terms:
    """Read the captions of `batch` and add up the losses: word by word, or by a Transformer all at once.

    `whole` counts the batch that all processes share; sums are divided by it, so that the gradients of several
    processes add up to those of one.
    """
    if isinstance(net, Looker):
        return at_once(net, memory, batch, options, whole or batch.counts)
    return word_by_word(net, memory, batch, options, whole or batch.counts)


def at_once(net: Looker, memory: layers.Memory, batch: Batch, options: LossOptions, whole: Counts) -> Terms:
    """The losses of a Transformer, whose guided head is aligned."""
    output, weights = net.teach(memory, batch.inputs)
    said = batch.targets > 0  # [B, K, T]
    logits = net.logits(output[said]).float()
    nats = F.cross_entropy(logits, batch.targets[said], reduction="sum", label_smoothing=options.smoothing)
    boxed = (batch.regions.sum(dim=-1) > 0) & said
    mass = (weights * batch.regions).sum(dim=-1)
    align = -(torch.log(mass.clamp_min(1e-6)) * boxed).sum()
    spread = doubly_stochastic_penalty((weights * said.unsqueeze(-1)).sum(dim=2))
    loss = nats / whole.words + options.align * align / whole.boxed + options.spread * spread / whole.captions
    return Terms(loss, float(nats.detach()) / whole.words, float((mass.detach() * boxed).sum()) / whole.boxed)


def word_by_word(net: Captioner, memory: Memory, batch: Batch, options: LossOptions, whole: Counts) -> Terms:
    """The losses of a recurrent captioner."""
    photos, captions = batch.targets.shape[:2]
    state, inputs = net.start(memory, captions), batch.inputs
    align = memory.mean.new_zeros((), dtype=torch.float32)
    looked = align.new_zeros(photos, captions, memory.keys.shape[1])
    outputs, targets, inside = [], [], 0.0
    for t, going in enumerate(batch.active):
        glance = net(memory, State(*(part[:, :going] for part in state)), inputs[:, :going, t])
        state, target = glance.state, batch.targets[:, :going, t]
        outputs.append(glance.output.flatten(0, 1))
        targets.append(target.flatten())
        if glance.weights is not None:
            weights = pointed(glance.weights, net.pointer)
            looked = looked + F.pad(weights * (target > 0).unsqueeze(-1), (0, 0, 0, captions - going))
            region = batch.regions[:, :going, t]
            boxed = region.sum(dim=-1) > 0
            mass = (weights * region).sum(dim=-1)
            align = align - (torch.log(mass.clamp_min(1e-6)) * boxed).sum()
            inside += float((mass.detach() * boxed).sum())
    logits = net.logits(torch.cat(outputs)).float()
    nats = F.cross_entropy(
        logits, torch.cat(targets), ignore_index=0, reduction="sum", label_smoothing=options.smoothing
    )
    loss = nats / whole.words + options.align * align / whole.boxed
    if net.has_attention:
        loss = loss + options.spread * doubly_stochastic_penalty(looked) / whole.captions
    return Terms(loss, float(nats.detach()) / whole.words, inside / whole.boxed)


def doubly_stochastic_penalty(looked: Tensor) -> Tensor:
    """Doubly stochastic regularisation (Xu et al. 2015) of looks [B, K, L], summed over captions."""
    share = looked / looked.sum(dim=-1, keepdim=True).clamp_min(1e-6) * looked.shape[-1]
    return ((1 - share) ** 2).mean(dim=-1).sum()
