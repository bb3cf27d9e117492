"""What the cards of all trained models say: the command that trained them, and the data that several learnt from."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from attnviewer.core.card import Data
from attnviewer.data.photos import Photo

TERMS = "Photos and captions: non-commercial research and education. No photo is part of this model or of the program."
RESEARCH = "research and education (trained on photos with these terms)"
SETS = {  # by the name of the data folder
    "flickr8k": "{count:,} photos of Flickr8k (Hodosh et al. 2013), boxes of Flickr30k Entities (Plummer et al. 2015)",
    "coco": "{count:,} photos of MS-COCO (Lin et al. 2014) with captions and labelled boxes",
    "pascal_sentences": "{count:,} photos of PASCAL VOC with the UIUC sentences (Rashtchian et al. 2010)",
    "voc": "{count:,} photos of PASCAL VOC 2012 (Everingham et al. 2010) with labelled boxes",
}


def learnt_from(photos: Iterable[Photo]) -> Data:
    """What a card says of the training photos: how many of which data folder, and their terms."""
    counts = Counter(photo.folder.name for photo in photos)
    names = (SETS.get(name, "{count:,} photos of " + name).format(count=count) for name, count in counts.items())
    return Data("; ".join(names), TERMS)


def command_line() -> str:
    """The command that runs now, for a card: folders are left to the reader."""
    return shlex.join(["attnviewer", *("FOLDER" if Path(word).is_absolute() else word for word in sys.argv[1:])])
