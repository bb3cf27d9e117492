"""The documents in hand: texts with names, one of them chosen. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from attnviewer.core.explore.documents import shuffled
from attnviewer.core.explore.texts import shipped
from attnviewer.core.i18n import tr

KEPT = 20_000  # letters of own texts that are remembered between runs


class Shelf:
    """Texts that can be changed, added and taken away."""

    def __init__(self, kept: Sequence[str] = ()) -> None:
        self.restore()
        if kept:
            self.texts = list(kept)
            self.names = [tr("text {number}", number=n) for n in range(len(kept))]
        self._shuffles = 0

    def restore(self) -> None:
        """Back to the texts that ship."""
        texts = shipped()
        self.names, self.texts, self.at = [one.name for one in texts], [one.text for one in texts], 0

    @property
    def text(self) -> str:
        """The chosen text; "" where there is none."""
        return self.texts[self.at] if self.texts else ""

    @property
    def name(self) -> str:
        """What the chosen text is called."""
        return self.names[self.at] if self.names else ""

    def write(self, text: str) -> None:
        """Give the chosen document another text."""
        if self.texts:
            self.texts[self.at] = text

    def shuffle(self) -> None:
        """Put the words of the chosen text in another order."""
        self._shuffles += 1
        self.write(shuffled(self.text, self._shuffles))

    def add(self, text: str, name: str = "") -> None:
        """Take another document in, and choose it."""
        self.texts.append(text)
        self.names.append(name or tr("text {number}", number=len(self.names)))
        self.at = len(self.texts) - 1

    def remove(self) -> None:
        """Take the chosen document away."""
        if self.texts:
            del self.texts[self.at], self.names[self.at]
            self.at = max(0, self.at - 1)

    def to_keep(self) -> tuple[str, ...]:
        """The texts to remember: none where they are those that ship, or too long."""
        own = self.texts != [one.text for one in shipped()]
        return tuple(self.texts) if own and sum(map(len, self.texts)) <= KEPT else ()
