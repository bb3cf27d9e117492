"""What the experiments with nets find.

Letters: C channels of a layer, S side of the encoder's input, n units along a side, T words, H size of a state,
N texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from attnviewer.core.explore.fields import Field
from attnviewer.core.explore.finding import Finding
from attnviewer.core.trace import Floats

Box = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class Refusal(Finding):
    """What happened when the photo became larger: `message` is torch's own; `output` what the convolution gave."""

    task: ClassVar[str] = "mlp"
    side: int
    grown: int
    width: int
    message: str
    output: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Learner:
    """One of the two nets so far.

    Parameters
    ----------
    losses, accuracies : by epoch; the accuracy is that on digits that were not learnt from, at the usual place.
    shifted : accuracy on the same digits by how far they were moved, from 0 pixels; empty before the end.
    weights : of the first layer: [units, 28, 28] of the MLP, [kernels, 5, 5] of the convolutional net.
    """

    name: str
    parameters: int
    losses: tuple[float, ...]
    accuracies: tuple[float, ...]
    shifted: tuple[float, ...]
    weights: Floats


@dataclass(frozen=True, eq=False)
class Learning(Finding):
    """Both nets side by side; `samples` [k, 28, 28] are some digits, `moved` the same ones shifted."""

    task: ClassVar[str] = "mlp"
    epoch: int
    epochs: int
    learners: tuple[Learner, ...]
    samples: Floats
    moved: Floats


@dataclass(frozen=True, eq=False)
class LayerRow:
    """A layer of the encoder: its field and how many channels it has."""

    field: Field
    channels: int

    @property
    def name(self) -> str:
        """What it is called."""
        return self.field.name


@dataclass(frozen=True, eq=False)
class Layers(Finding):
    """All layers of an encoder from the photo on; `kernels` [C, k, k, 3] are those of the first, for RGB."""

    task: ClassVar[str] = "field"
    model: str
    side: int
    layers: tuple[LayerRow, ...]
    kernels: Floats


@dataclass(frozen=True, eq=False)
class Maps(Finding):
    """Feature maps [C, n, n] of one layer."""

    task: ClassVar[str] = "conv"
    layer: LayerRow
    maps: Floats


@dataclass(frozen=True, eq=False)
class UnitField(Finding):
    """What one unit can see, and what it does see.

    Parameters
    ----------
    box : left, top, right, bottom of the theoretical field, in pixels of the encoder's input of side `side`.
    gradient : [S, S], size of the gradient of the unit to each pixel, summed over RGB; the largest is 1.
    width : root of the number of pixels whose gradient is more than 4.55 % of the largest (Luo et al. 2016).
    """

    task: ClassVar[str] = "field"
    layer: LayerRow
    row: int
    column: int
    channel: int | None
    side: int
    box: Box
    gradient: Floats
    width: float


@dataclass(frozen=True, eq=False)
class Patch:
    """One patch: its box in pixels of the photo, its own caption, and the probability of the word that is right.

    `things` are the class head's most probable everyday words with their probabilities; empty where there is no head.
    """

    box: Box
    caption: str
    probability: float
    things: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Patches(Finding):
    """Patches of growing size.

    Parameters
    ----------
    words : the caption of the whole photo.
    word : the word that is to be told; its probability is that after the words before it.
    chance : its probability for the mean photo, or None where there is none.
    """

    task: ClassVar[str] = "field"
    words: tuple[str, ...]
    word: int
    chance: float | None
    patches: tuple[Patch, ...]


@dataclass(frozen=True, eq=False)
class Matter(Finding):
    """How much the places that a word looked at matter to its probability.

    Parameters
    ----------
    words, word, probability : the caption, the word in question, and its probability for the whole photo.
    maps : by order (attention, gradient, occlusion): how much each place counts [L].
    deletion, insertion : by order (those and random): the word's probability as places are covered, the one that counts
        most first, and as they are uncovered again on a grey photo; from none to all of them.
    deletion_area, insertion_area : means of these curves as shares of the probability for the whole photo.
    tau : Kendall's rank correlation between attention and gradient over the places, or None where it can't be told.
    places : the words that were read, where the places are words; empty for the cells of a photo, in rows.
    steps : from nothing covered to everything. While it is computed, curves have fewer points, and then no area.
    """

    task: ClassVar[str] = "matter"
    words: tuple[str, ...]
    word: int
    probability: float
    maps: dict[str, Floats]
    deletion: dict[str, tuple[float, ...]]
    insertion: dict[str, tuple[float, ...]]
    deletion_area: dict[str, float]
    insertion_area: dict[str, float]
    tau: float | None
    places: tuple[str, ...] = ()
    steps: int = 20


@dataclass(frozen=True, eq=False)
class Swapped(Finding):
    """What noticed that two squares changed places.

    Parameters
    ----------
    boxes : the two squares, in pixels of the encoder's input.
    changes : for each layer, how much each unit changed [n, n], as a share of its length.
    """

    task: ClassVar[str] = "field"
    layers: tuple[LayerRow, ...]
    boxes: tuple[Box, Box]
    changes: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class Alike(Finding):
    """Cosines [N, N] between texts, by the vectors that `keys` names."""

    task: ClassVar[str] = "documents"
    keys: str
    cosines: Floats


@dataclass(frozen=True, eq=False)
class Unrolled(Finding):
    """A captioner without attention, step by step; at step t the word t is chosen.

    Parameters
    ----------
    words, probabilities, bits : [T]; bits that the photo adds to the choice, or None.
    first : the state [H] that was read from the photo.
    states : [T, H], s_t after the word before was read.
    changes : [T], length of s_t - s_{t-1} as a share of that of s_{t-1}.
    gates : input, forget and output gate [T, 3, H].
    gradients : [T], length of the gradient of the word's log-probability to the photo's vector.
    again : the caption when the photo is fed in at each step instead, or "".
    parameters : numbers that are used again at each step.
    """

    task: ClassVar[str] = "rnn"
    model: str
    words: tuple[str, ...]
    probabilities: tuple[float, ...]
    bits: tuple[float | None, ...]
    first: Floats
    states: Floats
    changes: tuple[float, ...]
    gates: Floats
    gradients: tuple[float, ...]
    again: str
    parameters: int
