"""Train a grounder: `attnviewer train grounding --data FOLDER`. Phrases are pulled to the regions inside their boxes.

The loss of a phrase is the cross-entropy of its map to the share of each cell that its boxes cover, mixed with the log
of the mass inside them, plus a contrast that asks it to score higher on its own photo than on the others of the batch.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attnviewer.core.card import ModelCard, Training
from attnviewer.data.features import FeatureCache, cache_features
from attnviewer.data.photos import Photo, load_photos
from attnviewer.data.phrases import Phrases, collect, embed
from attnviewer.measure.pointing import Figures, Scored, choose_temperature, compare, fit_presence, measure
from attnviewer.nets.grounding import Grounder, GroundingConfig
from attnviewer.train.loop import Average, Journal, cosine, load_checkpoint, save_checkpoint
from attnviewer.train.pointing import Weights, batches, cells, phrase_loss, wordings
from attnviewer.train.publish import DATA, command_line
from attnviewer.zoo.grounding import NAME
from attnviewer.zoo.store import LoadedEncoder, Zoo, publish

NOTES = (
    "Knows what people, animals and things of outdoor snapshots are called; what it never saw named it can only guess.",
    "Each region has seen the whole photo before it becomes a key. Read a map to a seventh of the photo's side.",
    "Temperature, and the fit of 'is it there at all', were chosen on dev; figures are of the test split.",
)


@dataclass
class Session:
    """All that a training run holds."""

    args: argparse.Namespace
    net: Grounder
    caches: dict[bool, FeatureCache]
    splits: dict[str, Phrases]
    vectors: dict[str, Tensor]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train grounding`."""
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, help="folders of photos: images/ and annotations.jsonl.gz")
    add("--out", type=Path, default=Path("training/grounding"), help="checkpoints and log.csv; resumes what is there")
    add("--cache", type=Path, default=Path("training/features"), help="encoder features and phrase embeddings")
    add("--models-dir", type=Path, help="the folder of models that holds the encoder and gets the grounder")
    add("--encoder", default="encoder", help="id of the encoder that the grounder stands on")
    add("--epochs", type=int, default=8)
    add("--batch", type=int, default=32, help="photos a step, each with all its phrases")
    add("--rate", type=float, default=1e-3)
    add("--hidden", type=int, default=256, help="size of a region before it becomes a key")
    add("--layers", type=int, default=1, help="layers of self-attention over the regions")
    add("--contrast", type=float, default=0.5, help="weight of telling its own photo from the others")
    add("--sharpen", type=float, default=0.5, help="share of the loss that counts the mass inside the boxes")
    add("--patience", type=int, default=3, help="epochs without a better dev figure before it stops")
    add("--seed", type=int, default=0)
    add("--photos", type=int, help="only so many training photos, to try things out")


def run(args: argparse.Namespace) -> int:
    """Train to the end or until dev stops improving; leaves `best.pt` in `--out` and publishes the model from it."""
    torch.manual_seed(args.seed)
    session = set_up(args)
    per_epoch = -(-len(session.splits["train"].paths) // args.batch)
    journal = Journal(args.out, args.epochs * per_epoch)
    optimiser = torch.optim.AdamW(session.net.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01)
    average, first, best, waited = Average(session.net, 0.998), 0, -1.0, 0
    if saved := load_checkpoint(args.out / "last.pt"):
        session.net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        average.state, average.updates = saved["average"], saved["updates"]
        first, best, waited = saved["epoch"], saved["best"], saved["waited"]
    for number in range(first, args.epochs):
        if waited >= args.patience:
            break
        train_epoch(session, optimiser, average, journal, number)
        judged = judge(session, average)
        worth = judged["figures"]["pointing"] + judged["figures"]["inside"]
        waited = 0 if worth > best else waited + 1
        tell(journal, number + 1, judged)
        if worth > best:
            best = worth
            save_checkpoint(args.out / "best.pt", net=average.state, config=vars(session.net.config), **judged)
        save_checkpoint(
            args.out / "last.pt", net=session.net.state_dict(), optimiser=optimiser.state_dict(),
            average=average.state, updates=average.updates, epoch=number + 1, best=best, waited=waited,
        )  # fmt: skip
    finish(session, (time.monotonic() - journal.began) / 3600)
    return 0


def set_up(args: argparse.Namespace) -> Session:
    """Read the data, encode photos and phrases (or find them in the cache), and build the net."""
    photos = load_photos(args.data)
    encoder = Zoo(args.models_dir).encoder(args.encoder)
    net = Grounder(GroundingConfig(annotation=encoder.net.size, hidden=args.hidden, layers=args.layers))
    chosen = {split: [photo for photo in photos if photo.split == split] for split in ("train", "dev", "test")}
    chosen["train"] = chosen["train"][: args.photos]
    caches = {False: encoded(encoder, photos, args, False), True: encoded(encoder, photos, args, True)}
    splits = {split: collect(group, net.config.side) for split, group in chosen.items()}
    sample = caches[False].annotations(splits["train"].paths[:256]).flatten(0, 1)
    net.centre.copy_(sample.mean(dim=0))
    net.spread.copy_(sample.std(dim=0).clamp_min(1e-3))
    vectors = {split: embed(phrases.texts, args.cache) for split, phrases in splits.items()}
    return Session(args, net, caches, splits, vectors)


def encoded(encoder: LoadedEncoder, photos: list[Photo], args: argparse.Namespace, mirrored: bool) -> FeatureCache:
    """The features of all photos, made once."""
    for found in cache_features(encoder.net.maps, photos, args.cache, encoder.recipe, mirrored):
        if isinstance(found, FeatureCache):
            return found
        if found[0] % 512 == 0:
            print(f"encoding photos {found[0]}/{found[1]}", file=sys.stderr, flush=True)
    raise AssertionError("the cache always ends with its features")


def train_epoch(session: Session, optimiser: Any, average: Average, journal: Journal, number: int) -> None:
    """One pass over the training photos, each batch plain or mirrored."""
    args, net, phrases = session.args, session.net, session.splits["train"]
    mix = Weights(args.sharpen, args.contrast)
    per_epoch = -(-len(phrases.paths) // args.batch)
    net.train()
    for index, (photos, rows, mirrored) in enumerate(batches(phrases, args.batch, args.seed * 1000 + number)):
        step = number * per_epoch + index
        for group in optimiser.param_groups:
            group["lr"] = args.rate * cosine(step, journal.steps)
        annotations = session.caches[mirrored].annotations([phrases.paths[photo] for photo in photos])
        vectors = session.vectors["train"][wordings(phrases, rows, step)]
        owner = torch.from_numpy(np.searchsorted(photos, phrases.owner[rows]))
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(annotations, vectors).float()
            loss, inside = phrase_loss(scores, owner, cells(phrases, rows, mirrored), vectors, mix)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        average.update(net)
        journal.progress(step, f"loss {float(loss.detach()):.3f} inside {inside:.3f}")


def judge(session: Session, average: Average) -> dict[str, Any]:
    """What dev says of the averaged weights: the temperature, the fit of the presence, and all figures."""
    net = Grounder(session.net.config).eval()
    net.load_state_dict(average.state)
    phrases = session.splits["dev"]
    scored = score(net, session.caches, phrases, session.vectors["dev"])
    temperature, soft = choose_temperature(scored, phrases), 1 / float(net.scale.detach())
    slope, offset = fit_presence(scored, soft)
    figures: Figures = measure(scored, phrases, temperature, soft)
    return {"temperature": temperature, "slope": slope, "offset": offset, "figures": vars(figures)}


@torch.inference_mode()
def score(
    net: Grounder, features: dict[bool, FeatureCache], phrases: Phrases, vectors: Tensor, fast: bool = True
) -> Scored:
    """Every phrase against its own photo, plain and mirrored, and some others; `fast` computes in bf16."""
    parts, size = [], 64
    for start in range(0, len(phrases.paths), size):
        paths = phrases.paths[start : start + size]
        plain, mirrored = (features[side].annotations(paths) for side in (False, True))
        with torch.autocast("cpu", torch.bfloat16, enabled=fast):
            parts.append(net.keys(plain, mirrored).float())
    return compare(
        torch.cat(parts), net.query(vectors)[torch.from_numpy(phrases.said)], torch.from_numpy(phrases.owner)
    )


def finish(session: Session, hours: float) -> None:
    """Publish the best weights, with the figures of the test split on the card."""
    args = session.args
    if not (best := load_checkpoint(args.out / "best.pt")):
        return
    net = Grounder(GroundingConfig(**best["config"])).eval()
    net.load_state_dict({name: value.half().float() for name, value in best["net"].items()})
    scored = score(net, session.caches, session.splits["test"], session.vectors["test"], fast=False)
    figures = measure(scored, session.splits["test"], best["temperature"], 1 / float(net.scale.detach()))
    found = ("temperature", "slope", "offset")
    card = ModelCard(
        id=NAME, name="Grounding: regions of a photo for any phrase", task="grounding", attention="content",
        licence="weights: research and education (trained on Flickr8k)", data=DATA,
        training=Training(command_line(), args.seed, round(hours, 2)),
        architecture={"encoder": args.encoder, **best["config"], **{name: best[name] for name in found}},
        figures={name: round(value, 4) for name, value in vars(figures).items()},
        capabilities=("regions",), notes=NOTES,
    )  # fmt: skip
    publish(net, card, args.models_dir)
    print(f"published {NAME}: {card.figures}", file=sys.stderr)


def tell(journal: Journal, epoch: int, judged: dict[str, Any]) -> None:
    """Add a line to the log."""
    figures = {name: round(judged["figures"][name], 4) for name in ("pointing", "inside", "auc")}
    seconds = round(time.monotonic() - journal.began)
    journal.record(epoch=epoch, seconds=seconds, **figures, temperature=judged["temperature"])
