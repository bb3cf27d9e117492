"""The phases of a captioner's training: steps, a judgement on dev after each epoch, and a way to resume anywhere."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attnviewer.core.card import Preprocessing
from attnviewer.core.text import Vocabulary
from attnviewer.data.features import FeatureCache, cache_features
from attnviewer.data.photos import Photo, load_pixels
from attnviewer.nets.captioner import Captioner, Memory
from attnviewer.nets.vision import Encoder, combine
from attnviewer.train import critic, losses, stochastic
from attnviewer.train.batches import Batch, Counts, Example, epoch
from attnviewer.train.dev import dev_scores
from attnviewer.train.loop import Average, Journal, cosine, load_checkpoint, save_checkpoint, share_gradients, world

PHASES = ("words", "tune", "critic")
ENCODER_RATE = 0.3  # of the decoder's learning rate
FORCED = 1.0  # weight of teacher forcing beside the critic, on a quarter of the photos


@dataclass
class Session:
    """All that a training run holds: the nets, the data, and where its files go."""

    args: argparse.Namespace
    photos: list[Photo]
    vocabulary: Vocabulary
    encoder: Encoder
    net: Captioner
    prepared: dict[str, list[Example]]
    device: str
    recipe: Preprocessing = field(default_factory=Preprocessing)
    baseline: stochastic.Baseline = field(default_factory=stochastic.Baseline)
    reward: critic.Reward | None = None
    caches: dict[bool, FeatureCache] = field(default_factory=dict)

    @property
    def side(self) -> int:
        """Rows (and columns) of the grid of locations."""
        return self.encoder.side(self.recipe.size)

    def of(self, split: str) -> list[Photo]:
        """The photos of a split, as many as `--photos` allows."""
        chosen = [photo for photo in self.photos if photo.split == split]
        return chosen[: self.args.photos]

    def fill_caches(self) -> None:
        """Plain and mirrored features of all photos by the encoder as it ships, that is in half precision."""
        args = self.args
        with torch.no_grad():
            for value in self.encoder.state_dict().values():
                value.copy_(value.half())
        for mirrored in (False, True):
            for found in cache_features(self.encoder.maps, self.photos, args.cache, self.recipe, mirrored, self.device):
                if isinstance(found, FeatureCache):
                    self.caches[mirrored] = found
                elif found[0] % 512 == 0:
                    print(f"encoding photos {found[0]}/{found[1]}", file=sys.stderr, flush=True)

    def encode(self, paths: tuple[str, ...], mirrored: bool = False) -> Tensor:
        """Pixels through the encoder as it is now: [B, L, D]."""
        pixels = torch.stack([load_pixels(path, self.recipe) for path in paths])
        pixels = (pixels.flip(3) if mirrored else pixels).to(self.device, memory_format=torch.channels_last)
        return combine(*self.encoder.maps(pixels))


class Phase:
    """One phase, from its checkpoint (or afresh) to its end."""

    def __init__(self, session: Session, name: str, epochs: int) -> None:
        args = session.args
        self.session, self.name, self.epochs, self.tuning = session, name, epochs, name == "tune"
        self.number, self.folder = PHASES.index(name), Path(args.out)
        self.rate = args.rate[self.number]
        self.modules = nn.ModuleDict({"net": session.net, "encoder": session.encoder})
        self.per_epoch = -(-len(session.prepared) // args.batch)
        self.done, self.best = 0, -1.0

    def run(self) -> dict[str, float]:
        """Train what is left of the phase; the nets end with its best weights, and their dev scores are returned."""
        saved = load_checkpoint(self.folder / f"{self.name}.pt")
        if saved is None or saved["step"] < self.epochs * self.per_epoch:
            self._prepare()
            self._train(saved)
        chosen = load_checkpoint(self.folder / f"{self.name}-best.pt")
        assert chosen is not None, "a phase of at least one epoch leaves its best weights"
        self.modules.load_state_dict(chosen["modules"])
        scores: dict[str, float] = chosen["scores"]
        return scores

    def _prepare(self) -> None:
        session = self.session
        if self.name == "critic":
            session.reward = critic.Reward(
                {photo.path: [c.words for c in photo.captions] for photo in session.of("train")}, session.vocabulary
            )
        if not self.tuning:
            session.fill_caches()
        if not session.net.centre.any():
            standardise(session)

    def _train(self, saved: dict[str, Any] | None) -> None:
        groups = [{"params": list(self.session.net.parameters()), "scale": 1.0}]
        if self.tuning:
            groups.append({"params": list(self.session.encoder.parameters()), "scale": ENCODER_RATE})
        self.optimiser = torch.optim.AdamW(groups, lr=self.rate, betas=(0.9, 0.98), weight_decay=1e-4)
        self.average = Average(self.modules, 0.998)
        if saved:
            self._resume(saved)
        self.journal = Journal(self.folder, self.epochs * self.per_epoch)
        for number in range(self.done // self.per_epoch, self.epochs):
            self.session.net.train()
            for step, batch, whole, mirrored in self._steps(number):
                text = self._step(step, batch, whole, mirrored)
                self.journal.progress(step, f"{self.name} {text}")
                if (step + 1) % 100 == 0:
                    self._keep(step + 1)
            self._judge(number + 1)
            self._keep((number + 1) * self.per_epoch)

    def _steps(self, number: int) -> Iterator[tuple[int, Batch, Counts, bool]]:
        """What is left of epoch `number`."""
        args = self.session.args
        seed = args.seed * 1000 + self.number * 100 + number
        for index, (batch, whole, mirrored) in enumerate(epoch(self.session.prepared, args.batch, seed, world())):
            step = number * self.per_epoch + index
            if step >= self.done:
                yield step, batch.to(self.session.device), whole, mirrored

    def _step(self, step: int, batch: Batch, whole: Counts, mirrored: bool) -> str:
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * group["scale"] * cosine(step, self.epochs * self.per_epoch)
        with torch.autocast(self.session.device, torch.bfloat16):
            if self.tuning:
                annotations = self.session.encode(batch.paths, mirrored)
            else:
                annotations = self.session.caches[mirrored].annotations(batch.paths).to(self.session.device)
            loss, text = LOSSES[self.name](self.session, annotations, batch, whole)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        share_gradients(self.modules.parameters())
        nn.utils.clip_grad_norm_(self.modules.parameters(), 5.0)
        self.optimiser.step()
        self.average.update(self.modules)
        return text

    def _judge(self, number: int) -> None:
        """Score the averaged weights on dev and keep them if they are the best; the nets go on with their own."""
        session = self.session
        own = {name: value.clone() for name, value in self.modules.state_dict().items()}
        self.modules.load_state_dict(self.average.state)
        session.net.eval()

        def annotate(paths: tuple[str, ...]) -> Tensor:
            found = session.encode(paths) if self.tuning else session.caches[False].annotations(paths)
            return found.to(session.device)

        with torch.inference_mode(), torch.autocast(session.device, torch.bfloat16):
            scores = dev_scores(session.net, session.of("dev"), session.vocabulary, annotate, session.side)
        self.modules.load_state_dict(own)
        seconds = round(time.monotonic() - self.journal.began)
        self.journal.record(phase=self.name, epoch=number, seconds=seconds, **scores)
        if scores["bleu4"] > self.best:
            self.best = scores["bleu4"]
            save_checkpoint(self.folder / f"{self.name}-best.pt", modules=self.average.state, scores=scores)

    def _keep(self, step: int) -> None:
        """Write what a resumed run needs."""
        save_checkpoint(
            self.folder / f"{self.name}.pt", modules=self.modules.state_dict(), optimiser=self.optimiser.state_dict(),
            average=self.average.state, updates=self.average.updates, step=step, best=self.best,
        )  # fmt: skip

    def _resume(self, saved: dict[str, Any]) -> None:
        self.modules.load_state_dict(saved["modules"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.average.state, self.average.updates = saved["average"], saved["updates"]
        self.done, self.best = saved["step"], saved["best"]


def standardise(session: Session) -> None:
    """Set the net's centre and spread of each annotation channel from 256 training photos."""
    paths = [photo.path for photo in session.of("train")[:256]]
    sample = session.caches[False].annotations(paths).flatten(0, 1).to(session.device)
    session.net.centre.copy_(sample.mean(dim=0))
    session.net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))


def forced_terms(session: Session, memory: Memory, batch: Batch, whole: Counts) -> losses.Terms:
    """Teacher forcing: with sampled places where attention is hard, with the weighted average (or none) elsewhere."""
    options = losses.LossOptions(align=session.args.align)
    if session.args.attention == "hard":
        return stochastic.variational(session.net, memory, batch, options, whole, session.baseline)
    return losses.teacher_forced(session.net, memory, batch, options, whole)


def words_loss(session: Session, annotations: Tensor, batch: Batch, whole: Counts) -> tuple[Tensor, str]:
    """Teacher forcing alone."""
    terms = forced_terms(session, session.net.remember(annotations), batch, whole)
    return terms.loss, f"nats {terms.nats:.3f} inside {terms.inside:.3f}"


def critic_loss(session: Session, annotations: Tensor, batch: Batch, whole: Counts) -> tuple[Tensor, str]:
    """Self-critical training; a quarter of the photos are also teacher-forced, so that language and maps stay."""
    assert session.reward is not None
    memory = session.net.remember(annotations)
    loss, reward = critic.self_critical(session.net, memory, batch.paths, session.reward)
    part = -(-len(batch.paths) // 4)
    terms = forced_terms(session, Memory(*(held[:part] for held in memory)), batch.first(part), whole)
    return loss + FORCED * terms.loss, f"reward {reward:.3f} nats {terms.nats:.3f} inside {terms.inside:.3f}"


LOSSES = {"words": words_loss, "tune": words_loss, "critic": critic_loss}
