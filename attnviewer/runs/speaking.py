"""The words of a translation's steps: the vocabulary's, or for an unknown one the glossary's or a copy."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.core.glossary import Glossary, openers
from attnviewer.core.text import UNKNOWN, Vocabulary
from attnviewer.core.trace import COPIED, LOOKED_UP
from attnviewer.nets.attention import pointed
from attnviewer.runs.decode import Choice


class Speaker:
    """Puts the steps of one translation into words.

    Parameters
    ----------
    order : which source word stands at each place; None: they stand in order.
    head : the one whose map tells where an unknown word is copied from; None for the mean of all.
    """

    def __init__(
        self, words: Sequence[str], target: Vocabulary, glossary: Glossary, order: Sequence[int] | None = None,
        head: int | None = None,
    ) -> None:  # fmt: skip
        order = range(len(words)) if order is None else order
        self._source = [words[place] for place in order]
        heads = openers(words)
        self._opens = [place in heads for place in order]
        self.capital = any(word[0].isupper() for word, opens in zip(self._source, self._opens, strict=True) if opens)
        self.target, self._glossary, self.head = target, glossary, head

    def __call__(self, look: Choice, first: bool) -> tuple[str, str]:
        """The word of a step, which may be the first, and how it was found where the net has none.

        An unknown one is the glossary's for the source word with the largest weight; where it has none, that is copied.
        """
        if look.word != UNKNOWN or look.weights is None or not self._source:
            return self.target.word(look.word), ""
        place = int(pointed(look.weights, self.head)[: len(self._source)].argmax())
        word, said = self._source[place], self._glossary(self._source[place], self._opens[place])
        found = COPIED if said == word else LOOKED_UP
        return (said[:1].upper() + said[1:] if first and self.capital and said != word else said), found
