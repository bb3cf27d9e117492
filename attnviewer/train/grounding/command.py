"""Train a grounder: `attnviewer train grounding --data FOLDER`. Phrases are pulled to the regions inside their boxes.

The loss of a phrase is the cross-entropy of its map to the share of each cell that its boxes cover, mixed with the log
of the mass inside them, plus a contrast that asks it to score higher on its own photo than on the others of the batch.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn

from attnviewer.core.i18n import tr
from attnviewer.train.grounding.publish import publish_grounder
from attnviewer.train.grounding.task import set_up
from attnviewer.train.journal import logged_hours
from attnviewer.train.learner import Learner, Rule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer train grounding`."""
    add = parser.add_argument
    add("--data", type=Path, nargs="+", required=True, help=tr("folders of photos: images/ and annotations.jsonl.gz"))
    add(
        "--out",
        type=Path,
        default=Path("training/grounding"),
        help=tr("checkpoints and log.csv; resumes what is there"),
    )
    add("--cache", type=Path, default=Path("training/features"), help=tr("encoder features and phrase embeddings"))
    add("--models-dir", type=Path, help=tr("the folder of models that holds the encoder and gets the grounder"))
    add("--encoder", default="encoder", help=tr("id of the encoder that the grounder stands on"))
    add("--epochs", type=int, default=8)
    add("--batch", type=int, default=32, help=tr("photos a step, each with all its phrases"))
    add("--rate", type=float, default=1e-3)
    add("--hidden", type=int, default=256, help=tr("size of a region before it becomes a key"))
    add("--layers", type=int, default=1, help=tr("layers of self-attention over the regions"))
    add("--contrast", type=float, default=0.5, help=tr("weight of telling its own photo from the others"))
    add("--sharpen", type=float, default=0.5, help=tr("share of the loss that counts the mass inside the boxes"))
    add(
        "--aside",
        type=Path,
        help=tr("choose on 300 training photos of this data folder, and leave its dev photos alone"),
    )
    add("--mirror", choices=("photos", "maps"), default="photos", help=tr("mirror photos, or only their feature maps"))
    add("--patience", type=int, default=3, help=tr("epochs without a better dev figure before it stops"))
    add("--seed", type=int, default=0)
    add("--photos", type=int, help=tr("only so many training photos, to try things out"))


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
