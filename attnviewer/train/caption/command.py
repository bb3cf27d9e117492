"""Train a captioner: `attnviewer train caption --data FOLDER`. Three phases, each resumed where it stopped.

1. words: teacher forcing on cached features of photos and their mirror images, the attention aligned with the boxes;
2. tune: the same with the encoder's own weights learning, from pixels;
3. critic: self-critical training (Rennie et al. 2017; the other samples are the baseline) on CIDEr-D and BLEU.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from attnviewer.core.card import Preprocessing
from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.text import Vocabulary
from attnviewer.data.named import choose_from, tie
from attnviewer.data.photos import Photo, captioned, count_words, load_photos
from attnviewer.nets.vision import LITE_SCALES, Encoder, fuse_batchnorm
from attnviewer.runs.device import choose_device
from attnviewer.train.caption.batches import prepare
from attnviewer.train.caption.nets import NETS
from attnviewer.train.caption.phases import PHASES, Phase
from attnviewer.train.caption.publish import cell_note, publish_captioner, publish_encoder, publish_mean
from attnviewer.train.caption.session import Session
from attnviewer.train.journal import load_checkpoint, logged_hours, save_checkpoint
from attnviewer.train.options.caption import RNN
from attnviewer.train.processes import world
from attnviewer.train.publish import learnt_from
from attnviewer.zoo.encoders import load_encoder_weights
from attnviewer.zoo.files import VOCABULARY

CLASSES = 1000  # of ImageNet, in the head that comes with EfficientNet-Lite's weights


def run(args: argparse.Namespace) -> int:
    """Train through the phases; leaves `best.pt` in `--out`, and models in `--publish`."""
    if args.rank and args.attention != "hard":
        raise UserError(tr("--rank keeps a model as a change of caption-soft; give it with --attention hard."))
    torch.manual_seed(args.seed)
    session = set_up(args)
    for name, epochs in zip(PHASES, args.epochs, strict=True):
        if epochs:
            scores = Phase(session, name).run(epochs)
            state = {"net": session.net.state_dict(), "encoder": session.encoder.state_dict()}
            save_checkpoint(args.out / "best.pt", **state, scores=scores)
    if args.publish and world()[0] == 0:
        publish_all(session)
    return 0


def set_up(args: argparse.Namespace) -> Session:
    """Load data, build the nets, and take up an earlier run's weights where asked."""
    photos, device = read_photos(args), choose_device(args.device)
    train = [photo for photo in photos if photo.split == "train"][: args.photos]
    vocabulary = (
        Vocabulary.load(args.words / VOCABULARY) if args.words else Vocabulary(tuple(count_words(train, args.at_least)))
    )
    encoder = Encoder(args.encoder, CLASSES if args.encoder in LITE_SCALES else 0).eval()
    load_encoder_weights(encoder, args.encoder, args.encoder_weights)
    fuse_batchnorm(encoder)
    net = NETS[args.net].make(args, len(vocabulary), encoder.size)
    if args.start:
        state = load_checkpoint(args.start)
        if state is None:
            raise UserError(tr("there is no checkpoint {start} to start from; check its name.", start=args.start))
        encoder.load_state_dict(state["encoder"])
        if args.attention != "none" and fits(net, state["net"]):
            net.load_state_dict(state["net"])
    encoder.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's types lack it
    prepared = prepare(train, vocabulary, encoder.side(args.size))
    recipe = Preprocessing(args.size)
    return Session(args, photos, vocabulary, encoder, net.to(device), prepared, device, recipe)


def fits(net: nn.Module, state: Mapping[str, Tensor]) -> bool:
    """Whether weights are those of such a net; a Transformer takes the encoder alone from an RNN's checkpoint."""
    return {name: value.shape for name, value in net.state_dict().items()} == {
        name: value.shape for name, value in state.items()
    }


def read_photos(args: argparse.Namespace) -> list[Photo]:
    """The captioned photos of all data folders; words that name a thing with a labelled box have a phrase."""
    if args.repeat and len(args.repeat) != len(args.data):
        raise UserError(tr("--repeat wants one number for each folder of --data."))
    photos = [tie(photo, whole=True) for photo in captioned(load_photos(args.data))]
    return choose_from(photos, args.aside) if args.aside else photos


def publish_all(session: Session) -> None:
    """Write the nets as models that ship; the encoder with the soft captioner alone, since the others stand on it."""
    args, hours = session.args, logged_hours(session.args.out)
    data, cell = learnt_from(session.of("train")), cell_note(session.encoder, args.size)
    if args.attention == "soft" and args.net == RNN:
        session.fill_caches()
        publish_encoder(
            session.encoder, args.encoder, hours, args.publish, session.recipe, data if args.epochs[1] else None
        )
        publish_mean(session.caches[False], args.publish, [photo.path for photo in session.of("train")])
    publish_captioner(
        session.net, session.vocabulary, args.seed, hours, args.length_penalty, args.publish, args.rank, data=data,
        cell=cell, embedding_of=args.words.name if args.words else None,
    )  # fmt: skip
