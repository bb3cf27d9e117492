"""Hard attention's training (Xu et al. 2015, section 4.1): a variational lower bound, its gradient by REINFORCE.

Letters: B photos, K captions a photo, T words, L locations.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from attnviewer.nets.attention import pointed
from attnviewer.nets.captioner import Captioner, Memory, State
from attnviewer.train.caption.batches import Batch, Counts
from attnviewer.train.caption.losses import LossOptions, Terms


@dataclass
class Baseline:
    """A moving average of the log-probability of a word: what a sampled place has to beat."""

    value: float = -3.0
    decay: float = 0.95

    def update(self, reward: float) -> None:
        """Move towards a new reward."""
        self.value = self.decay * self.value + (1 - self.decay) * reward


def surrogate(logprobs: Tensor, location_logprobs: Tensor, baseline: float, mask: Tensor) -> Tensor:
    """A number whose gradient is REINFORCE's estimate, summed over captions: to be minimised.

    A place taken at word t is credited with the words from t on, each less the baseline.

    Parameters
    ----------
    logprobs : [..., T], log-probability of each word given the places taken.
    location_logprobs : [..., T], log-probability of each place taken.
    mask : [..., T], 1 for words, 0 for padding.
    """
    better = (logprobs.detach() - baseline) * mask
    credit = better.flip(-1).cumsum(-1).flip(-1)  # [..., T], from t on
    return -((logprobs * mask).sum() + (credit * location_logprobs * mask).sum())


def variational(
    net: Captioner, memory: Memory, batch: Batch, options: LossOptions, whole: Counts, baseline: Baseline,
    weight: float = 0.3, entropy: float = 0.01,
) -> Terms:  # fmt: skip
    """Read the captions of `batch` at sampled places; half of the captions get the weighted average, as in the paper.

    `weight` scales REINFORCE's part, `entropy` rewards undecided maps and so keeps the sampling alive.
    """
    photos, captions = batch.targets.shape[:2]
    average = torch.rand(photos, captions, device=memory.mean.device) < 0.5
    state, inputs = net.start(memory, captions), batch.inputs
    outputs, location_logprobs, entropies = [], [], []
    align, inside = torch.zeros(()), 0.0
    for t, going in enumerate(batch.active):
        last = State(*(part[:, :going] for part in state))
        glance = net(memory, last, inputs[:, :going, t], pick="sample", average=average[:, :going])
        state, rest = glance.state, captions - going
        weights = pointed(glance.weights, net.pointer)  # [B, going, L]
        own = weights.clamp_min(1e-8)
        outputs.append(F.pad(glance.output, (0, 0, 0, rest)))
        location_logprobs.append(F.pad(own.gather(-1, glance.sampled.unsqueeze(-1)).squeeze(-1).log(), (0, rest)))
        entropies.append(F.pad(-(own * own.log()).sum(-1), (0, rest)))
        region = batch.regions[:, :going, t]
        boxed = region.sum(dim=-1) > 0
        mass = (weights * region).sum(dim=-1)
        align = align - (torch.log(mass.clamp_min(1e-6)) * boxed).sum()
        inside += float((mass.detach() * boxed).sum())
    mask = (batch.targets > 0).float()
    logits = net.logits(torch.stack(outputs, dim=2)).float()  # [B, K, T, V]
    flat, targets = logits.flatten(0, 2), batch.targets.flatten()
    nats = F.cross_entropy(flat, targets, ignore_index=0, reduction="sum", label_smoothing=options.smoothing)
    logprobs = -F.cross_entropy(flat, targets, ignore_index=0, reduction="none").view(mask.shape)
    sampled = mask * ~average.unsqueeze(-1)
    location_logprob, undecided = torch.stack(location_logprobs, dim=-1), (torch.stack(entropies, dim=-1) * mask).sum()
    policy = surrogate(logprobs.detach(), location_logprob, baseline.value, sampled)
    baseline.update(float((logprobs.detach() * mask).sum() / mask.sum()))
    loss = (nats + weight * policy - entropy * undecided) / whole.words + options.align * align / whole.boxed
    return Terms(loss, float(nats.detach()) / whole.words, inside / whole.boxed)
