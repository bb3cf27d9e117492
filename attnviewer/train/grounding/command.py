"""Train a grounder: `attnviewer train grounding --data FOLDER`. Phrases are pulled to the regions inside their boxes.

The loss of a phrase is the cross-entropy of its map to the share of each cell that its boxes cover, mixed with the log
of the mass inside them, plus a contrast that asks it to score higher on its own photo than on the others of the batch.
"""

from __future__ import annotations

import argparse

import torch
from torch import nn

from attnviewer.train.grounding.publish import publish_grounder
from attnviewer.train.grounding.task import set_up
from attnviewer.train.journal import logged_hours
from attnviewer.train.learner import Learner, Rule


def run(args: argparse.Namespace) -> int:
    """Train to the end or until dev stops improving; leaves `best.pt` in `--out` and publishes the model from it."""
    torch.manual_seed(args.seed)
    task = set_up(args)
    rule = Rule(args.rate, decay=0.998, weight_decay=0.01)
    learner = Learner(nn.ModuleDict({"net": task.net}), rule, args.out)
    learner.run(task, args.epochs, args.patience)
    if best := learner.take_best():
        publish_grounder(task, best["found"], logged_hours(args.out))
    return 0
