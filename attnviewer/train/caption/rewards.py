"""What a sampled caption earns beside its likeness to people's: less for invented things, more for right ones."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.core.text import FUNCTION_WORDS, Vocabulary
from attnviewer.core.things import named, names_of
from attnviewer.data.photos import Photo
from attnviewer.runs.legal import APART
from attnviewer.train.critic import Reward


class ThingReward:
    """The reward of self-critical training, with `cost` off for each invented thing and `worth` on for each right one.

    `again` is off for each content word that returns within a few words, as in "a bed on a bed".
    A thing is invented where neither a caption nor a labelled box of the photo knows it (Rohrbach et al. 2018).
    """

    def __init__(
        self, photos: Sequence[Photo], vocabulary: Vocabulary, cost: float, worth: float, again: float = 0.0
    ) -> None:
        self.vocabulary, self.cost, self.worth, self.again = vocabulary, cost, worth, again
        captions = {photo.path: [caption.words for caption in photo.captions] for photo in photos}
        self.likeness = Reward(captions, vocabulary)
        self.said = {path: names_of(words) for path, words in captions.items()}
        self.there = {p.path: self.said[p.path] | {thing.label for thing in p.objects} for p in photos}

    def __call__(self, name: str, ids: Sequence[int]) -> float:
        """Reward of the caption `ids` (with its end mark) for the photo `name`."""
        words = [self.vocabulary.word(word) for word in ids if word != self.vocabulary.end]
        things = {found.thing for found in named(words)}
        wrong, right = things - self.there[name], things & self.said[name]
        likeness = self.likeness(name, ids) - self.again * returns(words)
        return likeness - self.cost * len(wrong) + self.worth * len(right)


def returns(words: Sequence[str]) -> int:
    """How many content words return within the next `APART` words."""
    return sum(
        word in words[max(0, place - APART) : place] for place, word in enumerate(words) if word not in FUNCTION_WORDS
    )
