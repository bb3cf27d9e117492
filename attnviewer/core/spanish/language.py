"""Whether a text is Spanish, by its letters, and by the words that two languages have and how frequent they are."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from attnviewer.core.spanish.reading import Reading

STRANGER = 3.0  # a word that a vocabulary lacks is so many times rarer than its last one
LEAST = 2  # known words without which nothing is told: one alone may belong to both languages
MARKS = "¿¡ñ"  # letters that English hasn't


def seems_foreign(reading: Reading, spanish: Sequence[str], english: Sequence[str]) -> bool:
    """Whether a text is hardly Spanish: most of its letters are of another script, or its words likelier in English.

    The vocabularies are those of `seems_english`.
    """
    letters = [letter for piece in reading.pieces if piece.spoken for letter in piece.shown if letter.isalpha()]
    strange = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return 2 * strange > len(letters) or seems_english(reading, spanish, english)


def seems_english(reading: Reading, spanish: Sequence[str], english: Sequence[str]) -> bool:
    """Whether the words of a text are likelier in English than in Spanish.

    Parameters
    ----------
    spanish, english : vocabularies, the most frequent words first: by Zipf's law the chance of a word is one over its
        rank. Names and words that neither has tell nothing.
    """
    words = [word.lower() for piece in reading.pieces for word in piece.read if len(word) > 1]
    if any(letter in word for piece in reading.pieces for word in piece.read for letter in MARKS):
        return False
    here, there = _ranks(tuple(spanish)), _ranks(tuple(english))
    known = [word for word in words if word in here or word in there]
    told = sum(math.log(_rank(here, word) / _rank(there, word)) for word in known)
    return told > 0 and len(known) >= LEAST


@lru_cache(maxsize=4)
def _ranks(words: tuple[str, ...]) -> dict[str, int]:
    """The rank of each word in small letters, from 1."""
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words, 1):
        if word.islower():
            ranks.setdefault(word, rank)
    return ranks


def _rank(ranks: dict[str, int], word: str) -> float:
    return ranks.get(word, STRANGER * len(ranks))
