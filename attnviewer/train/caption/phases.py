"""The phases of a captioner's training, each a task of the learner: what it trains on, loses and is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from attnviewer.train import critic
from attnviewer.train.caption import stochastic
from attnviewer.train.caption.batches import Batch, Counts, epoch
from attnviewer.train.caption.dev import dev_scores
from attnviewer.train.caption.losses import LossOptions, Terms, teacher_forced
from attnviewer.train.caption.rewards import ThingReward
from attnviewer.train.caption.session import Session
from attnviewer.train.learner import Learner, Rule, Verdict
from attnviewer.train.processes import world

PHASES = ("words", "tune", "critic")
ENCODER_RATE = 0.3  # of the decoder's learning rate
MIRRORED = {"photos": 0.5, "maps": 0.3}  # share of batches
FORCED = 1.0  # weight of teacher forcing beside the critic, on a quarter of the photos
Prepared = tuple[Batch, Counts, bool]  # a process's batch, the counts of the whole one, and whether it is mirrored


class Phase:
    """One phase: `words` and `critic` train on cached features, `tune` trains the encoder's own weights too."""

    def __init__(self, session: Session, name: str) -> None:
        self.session, self.name, self.tuning = session, name, name == "tune"
        self.number = PHASES.index(name)

    def run(self, epochs: int) -> dict[str, float]:
        """Train what is left of the phase; the nets end with its best weights, and their dev scores are returned."""
        modules = nn.ModuleDict({"net": self.session.net, "encoder": self.session.encoder})
        scales = {"net": 1.0, "encoder": ENCODER_RATE} if self.tuning else {"net": 1.0}
        rule = Rule(self.session.args.rate[self.number], scales, clip=5.0, decay=0.998)
        learner = Learner(modules, rule, self.session.args.out, self.name)
        learner.resume()
        if learner.done < epochs * self.steps:
            self._prepare()
            learner.run(self, epochs)
        best = learner.take_best()
        assert best is not None, "a phase of at least one epoch leaves its best weights"
        scores: dict[str, float] = best["scores"]
        return scores

    def _prepare(self) -> None:
        session = self.session
        if self.name == "critic":
            args = session.args
            session.reward = ThingReward(session.of("train"), session.vocabulary, args.cost, args.worth, args.again)
        if not self.tuning:
            session.fill_caches()
        if not session.net.centre.any():
            session.standardise()
            session.follow()

    @property
    def steps(self) -> int:
        """Batches an epoch."""
        return -(-len(self.session.shown) // self.session.args.batch)

    def batches(self, epoch_number: int) -> Iterator[Prepared]:
        """The batches of an epoch for this process."""
        args = self.session.args
        seed = args.seed * 1000 + self.number * 100 + epoch_number
        photos, share = (self.session.prepared, self.session.shown), MIRRORED[args.mirror]
        for batch, whole, mirrored in epoch(*photos, args.batch, seed, world(), share):
            yield batch.to(self.session.device), whole, mirrored

    def loss(self, prepared: Prepared, step: int) -> tuple[Tensor, str]:
        """The loss of a batch by the rule of the phase."""
        batch, whole, mirrored = prepared
        with torch.autocast(self.session.device, torch.bfloat16):
            return LOSSES[self.name](self.session, self._annotations(batch.paths, mirrored), batch, whole)

    def judge(self) -> Verdict:
        """BLEU-4 of greedy captions on dev, and what else is worth a place in the log."""
        session = self.session
        with torch.autocast(session.device, torch.bfloat16):
            scores = dev_scores(session.net, session.of("dev"), session.vocabulary, self._annotations, session.side)
        return Verdict(scores["bleu4"], scores)

    def _annotations(self, paths: tuple[str, ...], mirrored: bool = False) -> Tensor:
        session = self.session
        if self.tuning:
            return session.encode(paths, mirrored)
        return session.annotations(paths, mirrored).to(session.device)


def forced_terms(session: Session, memory: Any, batch: Batch, whole: Counts) -> Terms:
    """Teacher forcing: with sampled places where attention is hard, with the weighted average (or none) elsewhere."""
    options = LossOptions(align=session.args.align)
    if session.args.attention == "hard":
        return stochastic.variational(session.net, memory, batch, options, whole, session.baseline)
    return teacher_forced(session.net, memory, batch, options, whole)


def words_loss(session: Session, annotations: Tensor, batch: Batch, whole: Counts) -> tuple[Tensor, str]:
    """Teacher forcing alone."""
    terms = forced_terms(session, session.net.encode_source(annotations), batch, whole)
    return terms.loss, f"nats {terms.nats:.3f} inside {terms.inside:.3f}"


def critic_loss(session: Session, annotations: Tensor, batch: Batch, whole: Counts) -> tuple[Tensor, str]:
    """Self-critical training; a quarter of the photos are also teacher-forced, so that language and maps stay."""
    assert session.reward is not None
    memory = session.net.encode_source(annotations)
    loss, reward = critic.self_critical(session.net, memory, batch.paths, session.reward)
    part = -(-len(batch.paths) // 4)
    terms = forced_terms(session, first_of(memory, part), batch.first(part), whole)
    return loss + FORCED * terms.loss, f"reward {reward:.3f} nats {terms.nats:.3f} inside {terms.inside:.3f}"


def first_of(memory: Any, part: int) -> Any:
    """What the first `part` photos of a batch contribute."""
    return type(memory)(*(held[:part] if isinstance(held, Tensor) else held for held in memory))


LOSSES = {"words": words_loss, "tune": words_loss, "critic": critic_loss}
