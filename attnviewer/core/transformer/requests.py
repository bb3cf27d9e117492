"""Frozen requests of the Transformer panel's experiments; what runs them is found by their type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.errors import UserError
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture

LENGTHS = (64, 128, 256, 512, 1024, 2048, 4096)


@dataclass(frozen=True, eq=False)
class PlacesRequest(Exploration):
    """The position vectors of an installed net; `model` None takes the English encoder's learnt ones."""

    task: ClassVar[str] = "positions"
    model: str | None = None


@dataclass(frozen=True, eq=False)
class GridRequest(Exploration):
    """The 2-d position vectors of the places of a photo, as an encoder cuts it up."""

    task: ClassVar[str] = "positions"
    picture: Picture


@dataclass(frozen=True, eq=False)
class ShuffleRequest(Exploration):
    """Read a text as it is and shuffled, with positions and without, and compare each token's vectors."""

    task: ClassVar[str] = "positions"
    text: str
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ContextRequest(Exploration):
    """Follow one `word` through the layers in two `sentences`."""

    task: ClassVar[str] = "context"
    word: str
    sentences: tuple[str, str]

    def __post_init__(self) -> None:
        if not self.word.strip():
            raise UserError(tr("there is no word to follow; type one."))


@dataclass(frozen=True, eq=False)
class LensRequest(Exploration):
    """What each layer would already say at each position of a text, by a net that is installed or a folder's.

    Parameters
    ----------
    model : None takes the English encoder, which says no words: its nearest input vectors are told.
    change : what is changed inside of the English encoder.
    """

    task: ClassVar[str] = "lens"
    text: str
    model: str | None = None
    change: Ablation = field(default_factory=Ablation)


@dataclass(frozen=True, eq=False)
class PairRequest(Exploration):
    """Encoder, decoder and the look from one to the other, all maps of a translation at once.

    Parameters
    ----------
    words : the translation; empty takes the net's own.
    ahead : whether the decoder may look at words that aren't said yet.
    change : what is masked or switched off in each of the three.
    """

    task: ClassVar[str] = "pair"
    sentence: str
    words: tuple[str, ...] = ()
    ahead: bool = False
    change: Changes = field(default_factory=Changes)
    model: str | None = None


@dataclass(frozen=True, eq=False)
class TimesRequest(Exploration):
    """Measure how long a layer of each kind takes for texts of some `lengths`, with vectors of `size` numbers."""

    task: ClassVar[str] = "cost"
    size: int = 256
    lengths: tuple[int, ...] = LENGTHS
