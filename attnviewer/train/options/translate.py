"""The options of `attnviewer train translate`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr

NETS = RNN, TRANSFORMER = "rnn", "transformer"
POSITIONS = ("sinusoidal", "learnt", "relative", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train translate`."""
    add = parser.add_argument
    add("--data", type=Path, required=True, help=tr("the tatoeba folder: es-en.train.tsv.gz and es-en.dev.tsv.gz"))
    add("--out", type=Path, default=Path("training/es-en"), help=tr("checkpoints and log.csv; resumes what is there"))
    add("--attention", choices=("soft", "none", "location"), default="soft")
    add(
        "--words",
        type=Path,
        help=tr("stand on the embeddings of this checkpoint, or folder of a model, and leave them as they are"),
    )
    add("--start", type=Path, help=tr("begin with the weights of this checkpoint, or folder of a model"))
    add("--origin", action="store_true", help=tr("train only the map that tells where a word came from"))
    add("--critic", action="store_true", help=tr("add self-critical training to teacher forcing"))
    add("--epochs", type=int, default=12)
    add("--steps", type=int, help=tr("only so many batches an epoch"))
    add("--batch", type=int, default=128, help=tr("sentence pairs a step"))
    add("--rate", type=float, default=2e-3)
    add("--smoothing", type=float, default=0.1)
    add("--dropout", type=float, default=0.2)
    add("--guide", type=float, default=0.3, help=tr("weight of the links of the aligner; 0 needs no aligner"))
    add("--joined", type=float, default=0.15, help=tr("share of the pairs that get another one behind them"))
    add("--plain", type=float, default=0.15, help=tr("share of the pairs that lose marks, half of them capitals too"))
    add("--renamed", type=float, default=0.05, help=tr("share of the pairs that get a name to be copied"))
    add("--composed", type=float, default=0.0,
        help=tr("pairs made by rule (numbers, dates, names, single words) for each pair of the data"))  # fmt: skip
    add("--forget", type=float, nargs=2, default=(0.05, 0.3), metavar=("SHARE", "MUCH"),
        help=tr("share of the words of which only the spelling is seen, and that in one sentence of five"))  # fmt: skip
    add(
        "--least", type=int, nargs=2, default=(6, 3), metavar=("ES", "EN"), help=tr("how often a word of either occurs")
    )
    add_sizes(parser)
    add("--publish", type=Path, help=tr("write the result as models into this folder, such as models/"))
    add("--seed", type=int, default=0)
    add("--pairs", type=int, help=tr("only so many training pairs, to try things out"))


def add_sizes(parser: argparse.ArgumentParser) -> None:
    """Describe the options that choose a net and its sizes."""
    add = parser.add_argument
    add("--net", choices=NETS, default=RNN, help=tr("what is trained (default: rnn)"))
    add("--embedding", type=int, default=192, help=tr("size of an embedding"))
    add("--reader", type=int, default=256, help=tr("rnn: size of each direction of the reader"))
    add("--hidden", type=int, default=448, help=tr("rnn: size of the writer's state"))
    add("--order", choices=POSITIONS, default="sinusoidal", help=tr("transformer: how words are told their places"))
    add("--width", type=int, default=256, help=tr("transformer: size of a word's vector"))
    add("--heads", type=int, default=4, help=tr("transformer: heads of each attention"))
    add("--layers", type=int, default=3, help=tr("transformer: layers of the encoder and of the decoder each"))
    add("--inner", type=int, default=704, help=tr("transformer: size of the feed-forward networks inside"))
    add("--lesson", action="store_true", help=tr("transformer: publish as a small net for comparison"))
