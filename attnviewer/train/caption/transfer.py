"""Begin a captioner on a new encoder with what an earlier captioner knows.

Three projections read annotation vectors: keys, values and the first state. Each is fitted by ridge regression, so that
from the new encoder's vectors it gives what the earlier one gave from the old encoder's. Everything else is copied; a
word that both know keeps its embedding.

Letters: B photos, L locations, D size of an annotation vector, M size of what is fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.text import SPECIAL_TOKENS, Vocabulary
from attnviewer.data.photos import Photo, load_pixels
from attnviewer.nets.captioner import Captioner, Memory
from attnviewer.zoo.captioners import LoadedCaptioner

CELLS, MEANS = 0.003, 0.3  # strength of the ridge, in mean squares of the inputs: for locations, and for whole photos
LOCATED = 640  # photos whose locations are fitted; the first state is fitted on all that are given
NEW_WORD = -2.0  # bias of a word that the earlier captioner did not know
GROUP = 32
Annotate = Callable[[tuple[str, ...]], Tensor]


class Ridge:
    """Ridge regression of outputs [N, M] on inputs [N, D], with a bias, added up part by part."""

    def __init__(self, inputs: int, outputs: int) -> None:
        self.squares, self.products = torch.zeros(inputs + 1, inputs + 1), torch.zeros(inputs + 1, outputs)

    def add(self, inputs: Tensor, outputs: Tensor) -> None:
        """Take in some more rows."""
        rows = torch.cat((inputs, inputs.new_ones(len(inputs), 1)), dim=1)
        self.squares += rows.T @ rows
        self.products += rows.T @ outputs

    def fit(self, layer: nn.Linear, strength: float) -> None:
        """Give `layer` the weights found; `strength` is in units of the inputs' mean square."""
        scale = strength * self.squares.diagonal().mean()
        solved = torch.linalg.solve(self.squares + scale * torch.eye(len(self.squares)), self.products)
        layer.weight.copy_(solved[:-1].T)
        layer.bias.copy_(solved[-1])


@torch.no_grad()
def transfer(
    net: Captioner, vocabulary: Vocabulary, earlier: LoadedCaptioner, photos: Sequence[Photo], annotate: Annotate
) -> None:
    """Fill `net` (its centre and spread are set) from `earlier`, looking at `photos` with both encoders.

    `annotate` gives the new annotation vectors [B, L, D] of photos by their paths.
    """
    if not isinstance(old := earlier.net, Captioner):
        raise UserError(
            tr("{model} is of another kind; give a captioner that was trained here.", model=earlier.card.id)
        )
    _copy(net, vocabulary, earlier)
    start = Ridge(net.config.annotation, net.first.out_features)
    layers = [net.attention.key, net.value] if net.has_attention else []
    located = [Ridge(net.config.annotation, layer.out_features) for layer in layers]
    for place in range(0, len(photos), GROUP):
        group = photos[place : place + GROUP]
        scaled = (annotate(tuple(photo.path for photo in group)) - net.centre) / net.spread  # [B, L, D]
        memory = _memory(earlier, group)
        start.add(scaled.mean(dim=1), old.first(memory.mean))
        if place < LOCATED:
            for ridge, target in zip(located, (memory.keys, memory.values), strict=False):
                ridge.add(scaled.flatten(0, 1), target.flatten(0, 1))
    start.fit(net.first, MEANS)
    for ridge, layer in zip(located, layers, strict=True):
        ridge.fit(layer, CELLS)


def _memory(earlier: LoadedCaptioner, group: Sequence[Photo]) -> Memory:
    """What the earlier captioner makes of some photos."""
    pixels = torch.stack([load_pixels(photo.path, earlier.encoder.recipe) for photo in group])
    return earlier.net.encode_source(earlier.encoder.net(pixels.to(memory_format=torch.channels_last)))


def _copy(net: Captioner, vocabulary: Vocabulary, earlier: LoadedCaptioner) -> None:
    """Take over all weights whose shapes fit, and the embedding and bias of each word that both know."""
    own, theirs = net.state_dict(), earlier.net.state_dict()
    by_word = ("embedding.weight", "bias")
    for name in theirs.keys() - {"centre", "spread", *by_word}:
        if own[name].shape == theirs[name].shape:
            own[name].copy_(theirs[name])
    own["bias"][SPECIAL_TOKENS:] = NEW_WORD
    shared = [word for word in vocabulary.words if word in set(earlier.vocabulary.words)]
    rows, old = (list(range(SPECIAL_TOKENS)) + book.encode(shared) for book in (vocabulary, earlier.vocabulary))
    for name in by_word:
        own[name][rows] = theirs[name][old]
