"""Train a grounder: `attnviewer train grounding --data FOLDER`. Phrases are pulled to the regions inside their boxes.

The loss of a phrase is the cross-entropy of its map to the share of each cell that its boxes cover, less the log of the
mass inside them, plus a contrast that asks it to score higher on its own photo than on the others of the batch.
Letters: B photos, P phrases, L locations.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from attnviewer.measure.query import Figures, choose_temperature, compare, measure
from attnviewer.nets.grounding import Grounder, GroundingConfig
from attnviewer.nets.vision import Encoder, Preprocessing, fuse_batchnorm
from attnviewer.train.data import FeatureCache, Photo, cache_features, load_photos
from attnviewer.train.loop import Average, Journal, cosine, load_checkpoint, save_checkpoint
from attnviewer.train.phrases import Phrases, collect, embed
from attnviewer.zoo.encoders import load_encoder_weights

ALIKE = 0.7  # photos that hold a phrase so like this one are no negatives for it


@dataclass
class Session:
    """All that a training run holds."""

    args: argparse.Namespace
    net: Grounder
    caches: dict[bool, FeatureCache]
    train: Phrases
    dev: Phrases
    train_vectors: Tensor
    dev_vectors: Tensor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train grounding`."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help="the flickr8k folder: images/ and annotations.jsonl.gz")
    add("--out", type=Path, default=Path("training/grounding"), help="checkpoints and log.csv; resumes what is there")
    add("--cache", type=Path, default=Path("training/features"), help="encoder features and phrase embeddings")
    add("--encoder", default="efficientnet_lite0")
    add("--encoder-weights", type=Path, help="a checkpoint of the encoder (default: the installed weights package)")
    add("--start", type=Path, help="take the encoder of this trained captioner (its best.pt)")
    add("--epochs", type=int, default=8)
    add("--batch", type=int, default=32, help="photos a step, each with all its phrases")
    add("--rate", type=float, default=1e-3)
    add("--layers", type=int, default=1, help="layers of self-attention over the regions")
    add("--contrast", type=float, default=0.5, help="weight of telling its own photo from the others")
    add("--sharpen", type=float, default=0.5, help="share of the loss that counts the mass inside the boxes")
    add("--patience", type=int, default=3, help="epochs without a better dev figure before it stops")
    add("--seed", type=int, default=0)
    add("--photos", type=int, help="only so many training photos, to try things out")


def run(args: argparse.Namespace) -> int:
    """Train to the end or until dev stops improving; leaves `best.pt` in `--out`."""
    torch.manual_seed(args.seed)
    session = set_up(args)
    per_epoch = -(-len(session.train.files) // args.batch)
    journal = Journal(args.out, args.epochs * per_epoch)
    optimiser = torch.optim.AdamW(session.net.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01)
    average, first, best, waited = Average(session.net, 0.998), 0, -1.0, 0
    saved = load_checkpoint(args.out / "last.pt")
    if saved:
        session.net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        average.state, average.updates = saved["average"], saved["updates"]
        first, best, waited = saved["epoch"], saved["best"], saved["waited"]
    for number in range(first, args.epochs):
        if waited >= args.patience:
            break
        train_epoch(session, optimiser, average, journal, number, per_epoch)
        judged, figures, temperature = judge(session, average)
        waited = 0 if judged > best else waited + 1
        row = {"pointing": figures.pointing, "inside": figures.inside, "auc": figures.auc, "temperature": temperature}
        seconds = round(time.monotonic() - journal.began)
        journal.record(epoch=number + 1, seconds=seconds, **{name: round(value, 4) for name, value in row.items()})
        if judged > best:
            best = judged
            save_checkpoint(
                args.out / "best.pt", net=average.state, config=vars(session.net.config), temperature=temperature,
                figures=vars(figures), epoch=number + 1,
            )  # fmt: skip
        save_checkpoint(
            args.out / "last.pt", net=session.net.state_dict(), optimiser=optimiser.state_dict(),
            average=average.state, updates=average.updates, epoch=number + 1, best=best, waited=waited,
        )  # fmt: skip
    return 0


def set_up(args: argparse.Namespace) -> Session:
    """Read the data, encode photos and phrases (or find them in the cache), and build the net."""
    photos = load_photos(args.data)
    encoder = Encoder(args.encoder).eval()
    load_encoder_weights(encoder, args.encoder, args.encoder_weights)
    fuse_batchnorm(encoder).to(memory_format=torch.channels_last)
    if args.start:
        encoder.load_state_dict(torch.load(args.start, weights_only=True)["encoder"])
    caches = {mirrored: encoded(encoder, photos, args, mirrored) for mirrored in (False, True)}
    net = Grounder(GroundingConfig(annotation=encoder.size, layers=args.layers))
    side = net.config.side
    train = collect([photo for photo in photos if photo.split == "train"][: args.photos], side)
    dev = collect([photo for photo in photos if photo.split == "dev"], side)
    sample = caches[False].annotations(train.files[:256]).flatten(0, 1)
    net.centre.copy_(sample.mean(dim=0))
    net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))
    return Session(args, net, caches, train, dev, embed(train.texts, args.cache), embed(dev.texts, args.cache))


def encoded(encoder: Encoder, photos: list[Photo], args: argparse.Namespace, mirrored: bool) -> FeatureCache:
    """The features of all photos, made once."""
    for found in cache_features(encoder.maps, photos, args.data, args.cache, Preprocessing(), mirrored):
        if isinstance(found, FeatureCache):
            return found
        if found[0] % 512 == 0:
            print(f"encoding photos {found[0]}/{found[1]}", file=sys.stderr, flush=True)
    raise AssertionError("the cache always ends with its features")


def train_epoch(
    session: Session, optimiser: torch.optim.Optimizer, average: Average, journal: Journal, number: int, per_epoch: int
) -> None:
    """One pass over the training photos, each batch plain or mirrored."""
    args, net = session.args, session.net
    net.train()
    for index, (photos, rows, mirrored) in enumerate(batches(session.train, args.batch, args.seed * 1000 + number)):
        step = number * per_epoch + index
        for group in optimiser.param_groups:
            group["lr"] = args.rate * cosine(step, args.epochs * per_epoch)
        annotations = session.caches[mirrored].annotations([session.train.files[photo] for photo in photos])
        vectors = session.train_vectors[wordings(session.train, rows, step)]
        owner = torch.from_numpy(np.searchsorted(photos, session.train.owner[rows]))
        with torch.autocast("cpu", torch.bfloat16):
            keys, queries = net.keys(annotations), net.query(vectors)
            loss, inside = phrase_loss(net, keys, queries, owner, cells(session.train, rows, mirrored), vectors, args)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        average.update(net)
        journal.progress(step, f"loss {float(loss.detach()):.3f} inside {inside:.3f}")


def batches(phrases: Phrases, size: int, seed: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], bool]]:
    """Shuffled batches: photos in ascending order, the rows of all their phrases, and whether they are mirrored."""
    random = np.random.default_rng(seed)
    order = random.permutation(len(phrases.files))
    starts = np.searchsorted(phrases.owner, np.arange(len(phrases.files) + 1))
    for start in range(0, len(order), size):
        photos = np.sort(order[start : start + size])
        rows = np.concatenate([np.arange(starts[photo], starts[photo + 1]) for photo in photos])
        yield photos, rows, bool(random.random() < 0.5)


def wordings(phrases: Phrases, rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """The wording of each phrase as captioned, or, for three in ten, without its article, as people type."""
    short = np.random.default_rng(seed).random(len(rows)) < 0.3
    return np.where(short, phrases.bare[rows], phrases.said[rows])


def cells(phrases: Phrases, rows: NDArray[np.int64], mirrored: bool) -> Tensor:
    """The share of each cell inside the boxes [P, L], in 0..1."""
    inside = torch.from_numpy(phrases.inside[rows]).float() / 255
    if not mirrored:
        return inside
    side = round(inside.shape[1] ** 0.5)
    return inside.unflatten(1, (side, side)).flip(2).flatten(1)


def phrase_loss(
    net: Grounder, keys: Tensor, queries: Tensor, owner: Tensor, inside: Tensor, vectors: Tensor,
    args: argparse.Namespace,
) -> tuple[Tensor, float]:  # fmt: skip
    """The loss of a batch, and the mean mass inside the boxes."""
    photos, locations = keys.shape[:2]
    scores = net.scale * (queries @ keys.flatten(0, 1).T).float().view(-1, photos, locations)  # [P, B, L]
    logs = F.log_softmax(scores[torch.arange(len(owner)), owner], dim=-1)  # [P, L]
    target = inside / inside.sum(dim=-1, keepdim=True).clamp_min(1e-6)
    spread = -(target * logs).sum(dim=-1).mean()
    mass = (logs.exp() * inside).sum(dim=-1)
    sharp = -mass.clamp_min(1e-6).log().mean()
    levels = torch.logsumexp(scores, dim=-1).masked_fill(also_there(vectors, owner, photos), float("-inf"))  # [P, B]
    contrast = F.cross_entropy(levels, owner)
    loss = (1 - args.sharpen) * spread + args.sharpen * sharp + args.contrast * contrast
    return loss, float(mass.detach().mean())


def also_there(vectors: Tensor, owner: Tensor, photos: int) -> Tensor:
    """[P, B]: other photos of which some phrase says nearly the same, so that they must not count as negatives."""
    alike = (vectors @ vectors.T).float()  # [P, P]
    nearest = torch.full((len(owner), photos), -1.0).scatter_reduce(
        1, owner.expand(len(owner), -1), alike, "amax", include_self=True
    )
    return (nearest > ALIKE).scatter(1, owner.unsqueeze(1), False)


@torch.inference_mode()
def judge(session: Session, average: Average) -> tuple[float, Figures, float]:
    """Dev figures of the averaged weights: what is maximised (pointing plus mass), all of them, and the temperature."""
    net = Grounder(session.net.config).eval()
    net.load_state_dict(average.state)
    keys = all_keys(net, session.caches[False], session.dev.files)
    queries = net.query(session.dev_vectors)[torch.from_numpy(session.dev.said)]
    scored = compare(keys, queries, torch.from_numpy(session.dev.owner))
    temperature = choose_temperature(scored, session.dev)
    figures = measure(scored, session.dev, temperature, 1 / float(net.scale))
    return figures.pointing + figures.inside, figures, temperature


@torch.inference_mode()
def all_keys(net: Grounder, features: FeatureCache, files: tuple[str, ...], size: int = 64) -> Tensor:
    """Keys [N, L, K] of many photos."""
    parts = []
    for start in range(0, len(files), size):
        annotations = features.annotations(files[start : start + size])
        with torch.autocast("cpu", torch.bfloat16):
            parts.append(net.keys(annotations).float())
    return torch.cat(parts)
