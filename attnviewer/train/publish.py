"""What the cards of all trained models say: the command that trained them, and the data that several learnt from."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from attnviewer.core.card import Data

FLICKR8K = Data(
    "Flickr8k (Hodosh et al. 2013), 6,000 photos, with boxes of Flickr30k Entities (Plummer et al. 2015)",
    "Photos and captions: non-commercial research and education. No photo is part of this model or of the program.",
)


def command_line() -> str:
    """The command that runs now, for a card: folders are left to the reader."""
    return shlex.join(["attnviewer", *("FOLDER" if Path(word).is_absolute() else word for word in sys.argv[1:])])
