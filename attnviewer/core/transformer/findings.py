"""What the Transformer panel's experiments find.

Letters: N layers, H heads a layer, T tokens, S source words, D size of a vector, V words of a vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from attnviewer.core.explore.finding import Finding
from attnviewer.core.trace import Floats

Said = tuple[tuple[str, float], ...]  # words with their probabilities (or cosines), the first the most


@dataclass(frozen=True, eq=False)
class Places(Finding):
    """Position vectors [T, D] of a net; `first` is what the first row stands for, -R for relative ones.

    Parameters
    ----------
    kind : sinusoidal, learnt, relative or none.
    """

    task: ClassVar[str] = "positions"
    model: str
    kind: str
    vectors: Floats
    first: int = 0


@dataclass(frozen=True, eq=False)
class GridPlaces(Finding):
    """2-d position vectors [rows * columns, D] of a photo, row by row."""

    task: ClassVar[str] = "positions"
    rows: int
    columns: int
    vectors: Floats


@dataclass(frozen=True, eq=False)
class Shuffled(Finding):
    """A text read as it is and shuffled.

    Parameters
    ----------
    order : [T], which token stood at each place of the shuffled text.
    placed, free : [T], the largest difference between each token's last vectors, with positions and without.
    placed_cosines, free_cosines : [T], their cosines.
    """

    task: ClassVar[str] = "positions"
    model: str
    tokens: tuple[str, ...]
    order: tuple[int, ...]
    placed: Floats
    free: Floats
    placed_cosines: Floats
    free_cosines: Floats


@dataclass(frozen=True, eq=False)
class Path(Finding):
    """A word's way through the layers in one sentence; `at` are its tokens.

    Parameters
    ----------
    points : [N + 1, 2] in the plane that is fixed on the vocabulary.
    near : of each layer the words that are nearest, with cosines.
    """

    task: ClassVar[str] = "context"
    tokens: tuple[str, ...]
    at: tuple[int, ...]
    points: Floats
    near: tuple[Said, ...]


@dataclass(frozen=True, eq=False)
class Context(Finding):
    """One word in two sentences.

    Parameters
    ----------
    cosines : [N + 1], of the word's two vectors before the first layer and behind each.
    landmarks, places : words near to the path's ends and where they lie in the plane [M, 2].
    share, around : of how so many words near to the ends differ, how much the plane shows.
    """

    task: ClassVar[str] = "context"
    model: str
    word: str
    paths: tuple[Path, Path]
    cosines: Floats
    landmarks: tuple[str, ...]
    places: Floats
    share: float
    around: int


@dataclass(frozen=True, eq=False)
class Lens(Finding):
    """What each layer would already say at each position.

    Parameters
    ----------
    kind : "words" where these are probabilities of the next word, "nearest" where they are cosines with input vectors.
    tops : before the first layer and behind each, for each of the `tokens`, the words that come first.
    """

    task: ClassVar[str] = "lens"
    model: str
    kind: str
    tokens: tuple[str, ...]
    tops: tuple[tuple[Said, ...], ...]


@dataclass(frozen=True, eq=False)
class Pair(Finding):
    """Both parts of a translating net at work on one sentence.

    Parameters
    ----------
    source, read, words : the words that the encoder reads [S], that the decoder has read [T], and that it writes [T].
    encoder, decoder, cross : maps [N, H, S, S], [N, H, T, T] and [N, H, T, S].
    probabilities : [T] of the words that are written.
    lens : what each layer of the decoder would already write.
    other : [T], the probabilities after the last word read was put in another's place; what isn't seen can't matter.
    """

    task: ClassVar[str] = "pair"
    model: str
    source: tuple[str, ...]
    read: tuple[str, ...]
    words: tuple[str, ...]
    encoder: Floats
    decoder: Floats
    cross: Floats
    probabilities: Floats
    other: Floats
    lens: Lens
    ahead: bool = False


@dataclass(frozen=True, eq=False)
class Times(Finding):
    """Measured seconds of one layer of each kind, so far; `lengths` that are still to come have no number.

    Parameters
    ----------
    names : of the kinds of layers, as `cost.costs` has them.
    seconds : by kind, for the first of the lengths.
    """

    task: ClassVar[str] = "cost"
    size: int
    lengths: tuple[int, ...]
    names: tuple[str, ...]
    seconds: tuple[tuple[float, ...], ...]
    threads: int
    device: str
