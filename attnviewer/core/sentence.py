"""Sentences as words and marks, case kept: how a text to translate is cut, and how a translation is put together."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence

LONGEST = 500  # words of one text
_PIECE = re.compile(r"\w+(?:['’.,:\-/]\w+)*|[^\w\s]")
_NO_SPACE_BEFORE = set(".,!?;:%)]}…”»")
_NO_SPACE_AFTER = set("([{¿¡“«$€£#@")
_QUOTE = '"'


def cut(text: str) -> list[str]:
    """The words and punctuation marks of `text`, as they are spelled; control characters and spaces fall away."""
    spaced = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if letter.isspace() else letter for letter in spaced)
    clean = "".join(letter for letter in spaced if unicodedata.category(letter) not in ("Cc", "Cs", "Co", "Cn"))
    return _PIECE.findall(clean.replace("’", "'"))


def join(words: Iterable[str]) -> str:
    """One sentence of `words` and marks, with spaces where English has them."""
    text, tight, quoted = "", True, False
    for word in words:
        closes = word == _QUOTE and quoted
        space = not tight and word[:1] not in _NO_SPACE_BEFORE and not closes
        text += " " * space + word
        opens = word == _QUOTE and not quoted
        quoted = quoted != (word == _QUOTE)
        tight = opens or word in _NO_SPACE_AFTER
    return text


def spell(word: str, buckets: int, sizes: Sequence[int] = (3, 4, 5)) -> tuple[int, ...]:
    """The letter groups of a word, its ends marked, each as a number below `buckets` (by CRC-32), sorted and distinct.

    Source: Bojanowski et al. 2017, *Enriching word vectors with subword information*.
    """
    marked = f"<{word.lower()}>"
    groups = {marked[i : i + size] for size in sizes for i in range(len(marked) - size + 1)} or {marked}
    return tuple(sorted({zlib.crc32(group.encode()) % buckets for group in groups}))
