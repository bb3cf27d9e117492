"""The options of `attnviewer train grounding`."""

from __future__ import annotations

import argparse
from pathlib import Path

from attnviewer.core.i18n import tr


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
