"""What a sampled caption earns beside its likeness to people's: less for invented things, more for right ones."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.core.text import Vocabulary
from attnviewer.core.things import named, names_of
from attnviewer.data.photos import Photo
from attnviewer.train.critic import Reward


class ThingReward:
    """The reward of self-critical training, with `cost` off for each invented thing and `worth` on for each right one.

    A thing is invented where neither a caption nor a labelled box of the photo knows it (Rohrbach et al. 2018).
    """

    def __init__(self, photos: Sequence[Photo], vocabulary: Vocabulary, cost: float, worth: float) -> None:
        self.vocabulary, self.cost, self.worth = vocabulary, cost, worth
        captions = {photo.path: [caption.words for caption in photo.captions] for photo in photos}
        self.likeness = Reward(captions, vocabulary)
        self.said = {path: names_of(words) for path, words in captions.items()}
        self.there = {p.path: self.said[p.path] | {thing.label for thing in p.objects} for p in photos}

    def __call__(self, name: str, ids: Sequence[int]) -> float:
        """Reward of the caption `ids` (with its end mark) for the photo `name`."""
        words = [self.vocabulary.word(word) for word in ids if word != self.vocabulary.end]
        things = {found.thing for found in named(words)}
        wrong, right = things - self.there[name], things & self.said[name]
        return self.likeness(name, ids) - self.cost * len(wrong) + self.worth * len(right)
