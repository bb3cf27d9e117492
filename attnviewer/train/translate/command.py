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
from attnviewer.train.translate.publish import publish_translator
from attnviewer.train.translate.task import set_up
from attnviewer.zoo.files import WEIGHTS, read_weights


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
