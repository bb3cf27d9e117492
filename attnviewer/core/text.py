"""Words: how a caption is cut into them, and the vocabulary that numbers them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from attnviewer.core.errors import UserError, reason
from attnviewer.core.i18n import tr
from attnviewer.core.reading import read_text
from attnviewer.core.writing import write_text

PAD, START, END, UNKNOWN = range(4)
SPECIAL_TOKENS = 4
_LITTLE = """
    a an the this that which who some one two three four other another his her their its it in on of with and or is are
    was be being has have to at by from as while for into up down over out off under behind along around between through
    next near front side top there not very
"""
FUNCTION_WORDS = frozenset(_LITTLE.split())
UNKNOWN_SHOWN = "(unknown)"


def tokenise(caption: str) -> list[str]:
    """Lower-case words with the punctuation at their ends taken off; what is punctuation alone is dropped."""
    stripped = (_strip(word) for word in unicodedata.normalize("NFC", caption).lower().split())
    return [word for word in stripped if word]


def _strip(word: str) -> str:
    """Without the punctuation and symbols (Unicode categories P and S) at both ends, and without control characters."""
    letters = "".join(letter for letter in word if unicodedata.category(letter)[0] != "C")
    edges = {letter for letter in letters if unicodedata.category(letter)[0] in "PS"}
    return letters.strip("".join(edges)) if edges else letters


@dataclass(frozen=True)
class Vocabulary:
    """Words and their ids.

    The first four ids are marks (padding, start, end, unknown). Marks have no spelling, so no text that a user types
    becomes one; a word that isn't known becomes `unknown`.

    Parameters
    ----------
    words : the words themselves; `words[i]` has id `i + 4`.
    """

    words: tuple[str, ...]
    _index: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    pad = PAD
    start = START
    end = END
    unknown = UNKNOWN

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(self.words))
        index = {word: place + SPECIAL_TOKENS for place, word in enumerate(self.words)}
        if len(index) != len(self.words):
            raise ValueError("a vocabulary holds each word once")
        if any(word.split() != [word] for word in self.words):
            raise ValueError("the words of a vocabulary have no spaces and are not empty")
        object.__setattr__(self, "_index", index)

    def __len__(self) -> int:
        """Number of ids, marks included."""
        return len(self.words) + SPECIAL_TOKENS

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def encode(self, words: Iterable[str]) -> list[int]:
        """Ids of `words`, without marks around them."""
        return [self._index.get(word, UNKNOWN) for word in words]

    def word(self, number: int) -> str:
        """The word with this id; "" for padding, start and end."""
        return (
            self.words[number - SPECIAL_TOKENS]
            if number >= SPECIAL_TOKENS
            else UNKNOWN_SHOWN
            if number == UNKNOWN
            else ""
        )

    def decode(self, ids: Sequence[int]) -> list[str]:
        """The words up to the first end mark; padding and start marks are left out."""
        ids = [int(number) for number in ids]
        upto = ids.index(END) if END in ids else len(ids)
        return [self.word(number) for number in ids[:upto] if number not in (PAD, START)]

    def save(self, path: str | Path) -> None:
        """Write one word a line."""
        write_text(path, "".join(word + "\n" for word in self.words))

    @classmethod
    def load(cls, path: str | Path) -> Vocabulary:
        """Read what `save` wrote; raises `UserError` where the file holds no vocabulary."""
        try:
            return cls(tuple(read_text(path).removesuffix("\n").split("\n")))
        except OSError as error:
            raise UserError(
                tr(
                    "can't read the vocabulary {path}: {reason}; check the model's folder.",
                    path=path,
                    reason=reason(error),
                )
            ) from None
        except ValueError as error:
            raise UserError(
                tr("{path} is no vocabulary ({error}); copy the model's folder again.", path=path, error=error)
            ) from None
