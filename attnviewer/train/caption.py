"""Train a captioner: `attnviewer train caption --data FOLDER`. Three phases, each resumed where it stopped.

1. words: teacher forcing on cached features of photos and their mirror images, the attention aligned with the boxes;
2. tune: the same with the encoder's own weights learning, from pixels;
3. critic: self-critical training (Rennie et al. 2017; the other samples are the baseline) on CIDEr-D and BLEU.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attnviewer.core.text import Vocabulary
from attnviewer.nets.captioner import Captioner, CaptionerConfig, Memory
from attnviewer.nets.vision import Encoder, Preprocessing, combine, fuse_batchnorm
from attnviewer.train import critic, losses, stochastic
from attnviewer.train.batches import Batch, Counts, Example, epoch, prepare
from attnviewer.train.data import FeatureCache, Photo, cache_features, count_words, load_photos
from attnviewer.train.dev import dev_scores
from attnviewer.train.loop import Average, Journal, cosine, load_checkpoint, save_checkpoint, share_gradients, world
from attnviewer.train.publish import publish_captioner, publish_encoder
from attnviewer.zoo.encoders import load_encoder_weights

PHASES = ("words", "tune", "critic")


@dataclass
class Session:
    """All that a training run holds: the nets, the data, and where its files go."""

    args: argparse.Namespace
    photos: list[Photo]
    vocabulary: Vocabulary
    encoder: Encoder
    net: Captioner
    prepared: dict[str, list[Example]]
    recipe: Preprocessing
    reward: critic.Reward | None = None
    caches: dict[bool, FeatureCache] | None = None
    baseline: stochastic.Baseline = field(default_factory=stochastic.Baseline)

    def of(self, split: str) -> list[Photo]:
        chosen = [photo for photo in self.photos if photo.split == split]
        return chosen[: self.args.photos]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train caption`."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help="the flickr8k folder: images/ and annotations.jsonl.gz")
    add(
        "--out", type=Path, default=Path("training/caption-soft"), help="checkpoints and log.csv; resumes what is there"
    )
    add(
        "--cache",
        type=Path,
        default=Path("training/features"),
        help="encoder features, 1.4 GB each for plain and mirrored",
    )
    add("--attention", choices=("soft", "hard", "none"), default="soft")
    add("--encoder", default="efficientnet_lite0")
    add("--encoder-weights", type=Path, help="a checkpoint of the encoder (default: the installed weights package)")
    add("--start", type=Path, help="begin with the weights of this checkpoint")
    add("--epochs", type=int, nargs=3, default=(10, 3, 2), metavar=("WORDS", "TUNE", "CRITIC"))
    add("--batch", type=int, default=32, help="photos a step, each with its five captions")
    add("--rate", type=float, nargs=3, default=(8e-4, 1.5e-4, 4e-5), metavar=("WORDS", "TUNE", "CRITIC"))
    add(
        "--align",
        type=float,
        default=0.3,
        help="weight of the alignment with the boxes; 0 trains the maps unsupervised",
    )
    add("--publish", type=Path, help="write the result as models into this folder, such as models/")
    add("--length-penalty", type=float, default=0.9, help="for the card: of the beam, as chosen on the dev split")
    add("--seed", type=int, default=0)
    add("--photos", type=int, help="only so many training photos, to try things out")


def run(args: argparse.Namespace) -> int:
    """Train through the phases; leaves `best.pt` in `--out`, and models in `--publish`."""
    torch.manual_seed(args.seed)
    session = set_up(args)
    for phase, epochs in enumerate(args.epochs):
        if epochs:
            run_phase(session, phase, epochs)
    if args.publish and world()[0] == 0:
        publish_all(session)
    return 0


def publish_all(session: Session) -> None:
    """Write the nets as models that ship; the encoder with the soft captioner alone, since the others stand on it."""
    args, hours = session.args, hours_of(session.args.out / "log.csv")
    if args.attention == "soft":
        publish_encoder(session.encoder, args.encoder, hours, args.publish)
    publish_captioner(session.net, session.vocabulary, args.seed, hours, args.length_penalty, args.publish)


def hours_of(log: Path) -> float:
    """Hours that the phases in a log took, each row holding the seconds since its phase began."""
    with log.open(newline="") as rows:
        last = {row["phase"]: float(row["seconds"]) for row in csv.DictReader(rows)}
    return round(sum(last.values()) / 3600, 2)


def set_up(args: argparse.Namespace) -> Session:
    """Load data, build the nets, and take up an earlier run's weights where asked."""
    photos = load_photos(args.data)
    train = [photo for photo in photos if photo.split == "train"][: args.photos]
    vocabulary = Vocabulary(tuple(count_words(train, at_least=3)))
    encoder = Encoder(args.encoder).eval()
    load_encoder_weights(encoder, args.encoder, args.encoder_weights)
    fuse_batchnorm(encoder).to(memory_format=torch.channels_last)
    net = Captioner(CaptionerConfig(len(vocabulary), args.attention, encoder.size))
    if args.start:
        state = torch.load(args.start, weights_only=True)
        net.load_state_dict(state["net"], strict=args.attention != "none")
        encoder.load_state_dict(state["encoder"])
    return Session(args, photos, vocabulary, encoder, net, prepare(train, vocabulary, 14), Preprocessing())


def run_phase(session: Session, phase: int, epochs: int) -> None:
    """Run one phase from its checkpoint (or afresh) to its end, and leave its best weights in the nets."""
    args, name = session.args, PHASES[phase]
    rank, processes = world()
    tuning = name == "tune"
    if name == "critic":
        session.reward = critic.Reward(session.of("train"), session.vocabulary)
    if not tuning:
        session.caches = fill_caches(session)
    modules = nn.ModuleDict({"net": session.net, "encoder": session.encoder})
    groups = [{"params": list(session.net.parameters()), "scale": 1.0}]
    if tuning:
        groups.append({"params": list(session.encoder.parameters()), "scale": 0.3})
    if phase == 0 and not args.start:
        standardise(session)
    optimiser = torch.optim.AdamW(groups, lr=args.rate[phase], betas=(0.9, 0.98), weight_decay=1e-4)
    average, done, best = Average(modules, 0.998), 0, -1.0
    saved = load_checkpoint(args.out / f"{name}.pt")
    if saved:
        modules.load_state_dict(saved["modules"])
        optimiser.load_state_dict(saved["optimiser"])
        average.state, average.updates, done, best = saved["average"], saved["updates"], saved["step"], saved["best"]
    per_epoch = -(-len(session.prepared) // args.batch)
    journal = Journal(args.out, epochs * per_epoch)
    loss_of = LOSSES[name]
    for number in range(done // per_epoch, epochs):
        session.net.train()
        batches = epoch(session.prepared, args.batch, args.seed * 1000 + phase * 100 + number, (rank, processes))
        for index, (batch, whole, mirrored) in enumerate(batches):
            step = number * per_epoch + index
            if step < done:
                continue
            for group in optimiser.param_groups:
                group["lr"] = args.rate[phase] * group["scale"] * cosine(step, epochs * per_epoch)
            with torch.autocast("cpu", torch.bfloat16):
                annotations = see(session, batch, mirrored, tuning)
                loss, text = loss_of(session, annotations, batch, whole)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            share_gradients(modules.parameters())
            nn.utils.clip_grad_norm_(modules.parameters(), 5.0)
            optimiser.step()
            average.update(modules)
            journal.progress(step, f"{name} {text}")
            if (step + 1) % 100 == 0:
                keep(args.out / f"{name}.pt", modules, optimiser, average, step + 1, best)
        scores = judge(session, modules, average, tuning)
        journal.record(phase=name, epoch=number + 1, seconds=round(time.monotonic() - journal.began), **scores)
        if scores["bleu4"] > best:
            best = scores["bleu4"]
            save_checkpoint(args.out / f"{name}-best.pt", modules=average.state, scores=scores)
        keep(args.out / f"{name}.pt", modules, optimiser, average, (number + 1) * per_epoch, best)
    chosen = load_checkpoint(args.out / f"{name}-best.pt")
    assert chosen is not None
    modules.load_state_dict(chosen["modules"])
    state = {"net": session.net.state_dict(), "encoder": session.encoder.state_dict()}
    save_checkpoint(args.out / "best.pt", **state, words=list(session.vocabulary.words), scores=chosen["scores"])


def keep(path: Path, modules: nn.Module, optimiser: Any, average: Average, step: int, best: float) -> None:
    """Write what a resumed run needs."""
    save_checkpoint(
        path, modules=modules.state_dict(), optimiser=optimiser.state_dict(), average=average.state,
        updates=average.updates, step=step, best=best,
    )  # fmt: skip


def fill_caches(session: Session) -> dict[bool, FeatureCache]:
    """Plain and mirrored features of all photos by the encoder as it is now."""
    caches = {}
    for mirrored in (False, True):
        args = session.args
        for found in cache_features(
            session.encoder.maps, session.photos, args.data, args.cache, session.recipe, mirrored
        ):
            if isinstance(found, FeatureCache):
                caches[mirrored] = found
            elif found[0] % 512 == 0:
                print(f"encoding photos {found[0]}/{found[1]}", file=sys.stderr, flush=True)
    return caches


def standardise(session: Session) -> None:
    """Set the net's centre and spread of each annotation channel from 256 training photos."""
    assert session.caches is not None
    sample = session.caches[False].annotations([photo.file for photo in session.of("train")[:256]]).flatten(0, 1)
    session.net.centre.copy_(sample.mean(dim=0))
    session.net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))


def see(session: Session, batch: Batch, mirrored: bool, tuning: bool) -> Tensor:
    """Annotation vectors of the batch's photos: from the cache, or from pixels through the learning encoder."""
    if not tuning:
        assert session.caches is not None
        return session.caches[mirrored].annotations(batch.files)
    return encode(session, batch.files, mirrored)


def encode(session: Session, files: tuple[str, ...], mirrored: bool = False) -> Tensor:
    """Pixels through the encoder as it is now: [B, L, D]."""
    from attnviewer.train.data import load_pixels

    pixels = torch.stack([load_pixels(session.args.data, file, session.recipe) for file in files])
    pixels = pixels.flip(3) if mirrored else pixels
    return combine(*session.encoder.maps(pixels.to(memory_format=torch.channels_last)))


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
    """Self-critical training, with some teacher forcing beside it so that language and maps stay."""
    assert session.reward is not None
    memory = session.net.remember(annotations)
    loss, reward = critic.self_critical(session.net, memory, batch, session.reward)
    terms = forced_terms(session, memory, batch, whole)
    return loss + 0.3 * terms.loss, f"reward {reward:.3f} nats {terms.nats:.3f} inside {terms.inside:.3f}"


LOSSES = {"words": words_loss, "tune": words_loss, "critic": critic_loss}


def judge(session: Session, modules: nn.Module, average: Average, tuning: bool) -> dict[str, float]:
    """Score the averaged weights on the dev split (greedy BLEU, attention in the boxes); the nets keep their own."""
    own = {name: value.clone() for name, value in modules.state_dict().items()}
    modules.load_state_dict(average.state)
    session.net.eval()

    def annotate(files: tuple[str, ...]) -> Tensor:
        return encode(session, files) if tuning else session.caches[False].annotations(files)  # type: ignore[index]

    with torch.inference_mode():
        scores = dev_scores(session.net, session.of("dev"), session.vocabulary, annotate)
    modules.load_state_dict(own)
    return scores
