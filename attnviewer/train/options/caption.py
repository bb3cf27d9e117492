"""The options of `attnviewer train caption`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr

NETS = RNN, TRANSFORMER = "rnn", "transformer"
ENCODERS = (
    "efficientnet_lite0", "efficientnet_lite1", "efficientnet_lite2", "resnet101_pooled", "resnet18", "resnet34",
    "resnet50", "resnet101", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train caption`."""
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, help=tr("folders of photos: images/ and annotations.jsonl.gz"))
    add(
        "--out",
        type=Path,
        default=Path("training/caption-soft"),
        help=tr("checkpoints and log.csv; resumes what is there"),
    )
    add(
        "--cache",
        type=Path,
        default=Path("training/features"),
        help=tr("encoder features, 1.4 GB each for plain and mirrored"),
    )
    add("--attention", choices=("soft", "hard", "none"), default="soft")
    add("--encoder", default="efficientnet_lite0", choices=ENCODERS)
    add("--encoder-weights", type=Path, help=tr("a checkpoint of the encoder (default: the installed weights package)"))
    add("--start", type=Path, help=tr("begin with the weights of this checkpoint"))
    add(
        "--follow",
        type=Path,
        help=tr("begin with what the captioner in this folder of models knows, on another encoder"),
    )
    add(
        "--aside",
        type=Path,
        help=tr("choose on 300 training photos of this data folder, and leave its dev photos alone"),
    )
    add(
        "--repeat",
        type=int,
        nargs="+",
        help=tr("how often an epoch shows the photos of each data folder (default: once)"),
    )
    add("--mirror", choices=("photos", "maps"), default="photos", help=tr("mirror photos, or only their feature maps"))
    add(
        "--cost", type=float, default=0.0, help=tr("what the critic takes off a caption for each thing that it invents")
    )
    add("--worth", type=float, default=0.0, help=tr("what the critic adds for each thing that people name too"))
    add_sizes(parser)
    add("--again", type=float, default=0.0, help=tr("what the critic takes off for a content word that soon returns"))
    add("--at-least", type=int, default=3, help=tr("a word of the vocabulary occurs so often"))
    add("--epochs", type=int, nargs=3, default=(10, 3, 2), metavar=("WORDS", "TUNE", "CRITIC"))
    add("--size", type=int, default=224, help=tr("pixels of the encoder's input, across and down"))
    add("--batch", type=int, default=32, help=tr("photos a step, each with its five captions"))
    add("--rate", type=float, nargs=3, default=(8e-4, 1.5e-4, 4e-5), metavar=("WORDS", "TUNE", "CRITIC"))
    add(
        "--align",
        type=float,
        default=0.3,
        help=tr("weight of the alignment with the boxes; 0 trains the maps unsupervised"),
    )
    add("--rank", type=int, help=tr("publish as a change of this rank of the caption-soft in the same folder"))
    add("--publish", type=Path, help=tr("write the result as models into this folder, such as models/"))
    add("--length-penalty", type=float, default=0.9, help=tr("for the card: of the beam, as chosen on the dev split"))
    add("--device", default="auto", choices=("auto", "cpu", "cuda"))
    add("--seed", type=int, default=0)
    add("--photos", type=int, help=tr("only so many training photos, to try things out"))


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Describe the options that choose a net and its sizes."""
    add = parser.add_argument
    add("--net", choices=NETS, default=RNN, help=tr("what is trained (default: rnn)"))
    add(
        "--words",
        type=Path,
        metavar="MODEL",
        help=tr("transformer: share the table of words of this captioner's folder"),
    )
    add("--width", type=int, default=256, help=tr("transformer: size of a vector"))
    add("--heads", type=int, default=8, help=tr("transformer: heads of each attention"))
    add("--before", type=int, default=1, help=tr("transformer: layers in which the photo's cells look at each other"))
    add("--layers", type=int, default=2, help=tr("transformer: layers that say the words"))
    add("--inner", type=int, default=960, help=tr("transformer: size of the feed-forward networks inside"))
