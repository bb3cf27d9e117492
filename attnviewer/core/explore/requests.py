"""Frozen requests of the experiments that need a net; what runs them is found by their type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from attnviewer.core.images import Picture
from attnviewer.core.request import CaptionRequest, TranslateRequest

ENCODER = "encoder"


@dataclass(frozen=True, eq=False, kw_only=True)
class Exploration:
    """The base of all of them; `task` names the experiment."""

    task: ClassVar[str] = ""
    device: str = "auto"


@dataclass(frozen=True, eq=False)
class ResizeRequest(Exploration):
    """Give a fully connected layer for side x side pixels a photo `grow` pixels larger, and a convolution too."""

    task: ClassVar[str] = "mlp"
    side: int
    width: int
    grow: int = 5


@dataclass(frozen=True, eq=False)
class LearnRequest(Exploration):
    """Teach a tiny MLP and a tiny convolutional net of equal size to tell two digits, then shift the digits.

    Parameters
    ----------
    epochs : how often all training digits are seen.
    shift : pixels that digits are moved by, at most, in the last test.
    """

    task: ClassVar[str] = "mlp"
    epochs: int = 15
    shift: int = 5
    seed: int = 0


@dataclass(frozen=True, eq=False)
class LayersRequest(Exploration):
    """The layers of the encoder: their fields and sizes, and the kernels that it has learnt for its first layer."""

    task: ClassVar[str] = "field"
    encoder: str = ENCODER


@dataclass(frozen=True, eq=False)
class MapsRequest(Exploration):
    """All feature maps of one layer of the encoder for a photo."""

    task: ClassVar[str] = "conv"
    picture: Picture
    layer: str
    encoder: str = ENCODER


@dataclass(frozen=True, eq=False)
class UnitRequest(Exploration):
    """The theoretical and the effective field of one unit of the encoder.

    Parameters
    ----------
    layer : name of the layer; None takes the last of those on the grid that is looked at.
    row, column : the unit; None takes the middle one.
    channel : None sums the layer's channels there.
    """

    task: ClassVar[str] = "field"
    picture: Picture
    layer: str | None = None
    row: int | None = None
    column: int | None = None
    channel: int | None = None
    encoder: str = ENCODER


@dataclass(frozen=True, eq=False)
class ListenRequest(Exploration):
    """Which places of a photo one place listens to in the self-attention of a captioning Transformer.

    Parameters
    ----------
    place : how far down and across it lies, as shares of the photo's height and width.
    layer : of the encoder; None takes the last.
    model : the id of the net; None takes the first that is installed.
    """

    task: ClassVar[str] = "field"
    picture: Picture
    place: tuple[float, float] = (0.5, 0.5)
    layer: int | None = None
    model: str | None = None


@dataclass(frozen=True, eq=False)
class PatchRequest(Exploration):
    """Cut squares of growing size around a place out of a photo, and let a captioner say what each is.

    Parameters
    ----------
    x, y : the middle of the patches, in pixels of the photo; they are moved inside where they stand over the edge.
    sides : of the patches, in pixels; None takes a row from 20 pixels to the whole photo.
    word : which word of the whole photo's caption is to be told (from 0); None takes the one that the photo adds most
        to.
    """

    task: ClassVar[str] = "field"
    picture: Picture
    x: float | None = None
    y: float | None = None
    sides: tuple[int, ...] | None = None
    word: int | None = None


@dataclass(frozen=True, eq=False)
class MatterRequest(Exploration):
    """Does the map of a word matter? Cover the photo place by place in several orders, and uncover it again.

    Parameters
    ----------
    word : which word of the caption (from 0); None takes the one that the photo adds most to.
    words : the caption; None takes the model's own.
    steps : how often more is covered, from nothing to everything.
    occlusion : whether each place is also covered alone, which takes the longest.
    shuffles : random orders whose mean is taken.
    """

    task: ClassVar[str] = "matter"
    picture: Picture
    word: int | None
    words: tuple[str, ...] | None = None
    attention: str = "soft"
    model: str | None = None
    steps: int = 20
    occlusion: bool = True
    shuffles: int = 5
    seed: int = 0


@dataclass(frozen=True, eq=False)
class SourceMatterRequest(Exploration):
    """Does the map of a translated word matter? Hide the source words in several orders, and show them again.

    Parameters
    ----------
    asked : the translation that the word belongs to.
    word : which word of it (from 0); None takes the longest.
    steps, shuffles, seed : as in `MatterRequest`; there are never more steps than words.
    """

    task: ClassVar[str] = "matter"
    asked: TranslateRequest
    word: int | None = None
    steps: int = 20
    shuffles: int = 5
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TreeRequest(Exploration):
    """All hypotheses of a beam search: those that it kept at each word, and those that it dropped.

    Parameters
    ----------
    asked : the caption or translation that is searched for.
    word : of a text of several sentences, the sentence of this word of it is searched.
    """

    task: ClassVar[str] = "beam"
    asked: CaptionRequest | TranslateRequest
    word: int = 0


@dataclass(frozen=True, eq=False)
class SwapRequest(Exploration):
    """Let two squares of a photo change places, and see which units of which layers notice.

    Parameters
    ----------
    first, second : left and top of each square, in pixels of the photo.
    side : of the squares.
    """

    task: ClassVar[str] = "field"
    picture: Picture
    first: tuple[int, int]
    second: tuple[int, int]
    side: int
    encoder: str = ENCODER


@dataclass(frozen=True, eq=False)
class AlikeRequest(Exploration):
    """How alike some texts are by a kind of learnt vectors (words or sentence)."""

    task: ClassVar[str] = "documents"
    texts: tuple[str, ...]
    keys: str = "words"


@dataclass(frozen=True, eq=False)
class UnrollRequest(Exploration):
    """Unroll the captioner without attention over its caption: states, gates, and what is left of the photo."""

    task: ClassVar[str] = "rnn"
    picture: Picture
    words: tuple[str, ...] | None = None
