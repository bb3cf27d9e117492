"""Train a translator: `attnviewer train translate --data FOLDER`, resumed where it stopped.

Teacher forcing on sentence pairs, some of them joined into longer ones, some without marks and capitals. An extra loss
guides the attention to the links that a statistical aligner found in the training text. A second run, with `--start`
and `--critic`, adds self-critical training (Rennie et al. 2017) on BLEU's precisions. `torchrun` spreads a run over
several processes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from attnviewer.core.errors import UserError
from attnviewer.core.glossary import NO_GLOSSARY
from attnviewer.core.i18n import tr
from attnviewer.data.links import glossary_of
from attnviewer.train.journal import load_checkpoint, logged_hours
from attnviewer.train.learner import Learner, Rule
from attnviewer.train.processes import world
from attnviewer.train.translate.nets import add_sizes
from attnviewer.train.translate.publish import publish_translator
from attnviewer.train.translate.task import set_up
from attnviewer.zoo.files import WEIGHTS, read_weights


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


def run(args: argparse.Namespace) -> int:
    """Train to the end; leaves `best.pt` in `--out`, and models in `--publish`."""
    torch.manual_seed(args.seed)
    task = set_up(args)
    torch.manual_seed(args.seed + world()[0])  # each process forgets other words
    learner = Learner(task.modules, Rule(args.rate, {"net": 1.0, "words": 1.0}), args.out)
    if args.start:
        begin_with(learner, args.start)
    learner.run(task, args.epochs)
    if args.publish and world()[0] == 0 and learner.take_best():
        glossary = NO_GLOSSARY if args.words else glossary_of(task.pairs, task.links)
        publish_translator(task.net, task.source, task.target, args, logged_hours(args.out), glossary)
    return 0


def begin_with(learner: Learner, path: Path) -> None:
    """Take up the weights of a checkpoint; raises `UserError` where it holds no such nets."""
    if path.is_dir():
        read_weights(learner.modules["net"], path / WEIGHTS)
        learner.begin(learner.modules.state_dict())
        return
    saved = load_checkpoint(path)
    if saved is None:
        raise UserError(tr("there is no checkpoint {path} to start from; check its name.", path=path))
    own = learner.modules.state_dict()
    fresh = {name: value for name, value in own.items() if name.startswith("net.asked.")}  # may have yet to be learnt
    try:
        learner.begin(fresh | saved["modules"])
    except RuntimeError:
        raise UserError(
            tr("{path} holds another net; give the same --data, sizes and --attention.", path=path)
        ) from None
