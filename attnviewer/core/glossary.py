"""A glossary: the usual translation of single words, for those that a translator has no word of its own for."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.reading import read_bytes
from attnviewer.core.writing import write_bytes

ENDS = (".", "!", "?", "…")


@dataclass(frozen=True)
class Glossary:
    """Source words with a target word each, as Luong et al. 2015 ("Addressing the Rare Word Problem") use one."""

    words: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, word: str, opens: bool = False) -> str:
        """The translation of a word, or the word itself where there is none.

        Parameters
        ----------
        opens : the word begins a sentence, so that its capital may mean nothing.
        """
        found = self.words.get(word) or (self.words.get(word.lower()) if opens else None)
        return found or word

    def save(self, path: Path) -> None:
        """Write a source word, a tab and its translation a line, compressed."""
        text = "".join(f"{word}\t{said}\n" for word, said in sorted(self.words.items()))
        write_bytes(path, gzip.compress(text.encode(), mtime=0))  # the same words make the same file

    @classmethod
    def load(cls, path: Path) -> Glossary:
        """Read what `save` wrote, or nothing where there is no file; raises `UserError` where it is broken."""
        if not path.exists():
            return cls()
        try:
            rows = gzip.decompress(read_bytes(path)).decode().removesuffix("\n").split("\n")
            return cls(dict(row.split("\t") for row in rows if row))
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise UserError(
                tr("{path} is no glossary ({error}); copy the model's folder again.", path=path, error=error)
            ) from None


def spoken(word: str) -> bool:
    """Whether a word isn't a mark: it holds a letter or a digit."""
    return any(map(str.isalnum, word))


def openers(words: Sequence[str]) -> frozenset[int]:
    """The places of the words that begin a sentence: the first, and those behind a mark that ends one."""
    found, begins = set(), True
    for place, word in enumerate(words):
        if spoken(word):
            if begins:
                found.add(place)
            begins = False
        begins = begins or word in ENDS
    return frozenset(found)


NO_GLOSSARY = Glossary()
