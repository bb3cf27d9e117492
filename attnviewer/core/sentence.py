"""Sentences as words and marks, case kept: how a text to translate is cut, and how a translation is put together."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence

LONGEST = 500  # words of one text
_PIECE = re.compile(r"w[wm]*(?:['.,:\-/]w[wm]*)*|ff|\Sm*(?:j\Sm*)*")  # over the shape of a text, see `_shape`
_JOINER = "\u200d"  # several emoji with it between them are one picture
_STRAY = re.compile("(?<![\u2190-\U0001faff])\u200d|\u200d(?![\u2190-\U0001faff])")
_SKINS, _FLAGS = range(0x1F3FB, 0x1F400), range(0x1F1E6, 0x1F200)
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn")
_NO_SPACE_BEFORE = set(".,!?;:%°)]}…”»")
_NO_SPACE_AFTER = set("([{¿¡“«$€£@")
_QUOTES = ('"', "'", "*", "**", "***", "_", "__", "`", "~~")  # the first opens, the next one like it closes
_ENDS = (".", "!", "?", "…")
_TAG = re.compile(r"<(/?)[A-Za-z][^<>]*>")
_DASHES = ("—", "–", "―")


def tokenize(text: str) -> list[str]:
    """The words and punctuation marks of `text`, as they are spelled; spaces and what can't be seen fall away."""
    spaced = "".join(" " if letter.isspace() else letter for letter in text)
    seen = (letter for letter in spaced if letter == _JOINER or unicodedata.category(letter) not in _INVISIBLE)
    clean = _STRAY.sub("", "".join(seen))
    clean = unicodedata.normalize("NFC", clean).replace("’", "'")
    shape = "".join(map(_shape, clean))
    return [clean[found.start() : found.end()] for found in _PIECE.finditer(shape)]


def _shape(letter: str) -> str:
    """A "w" for what words are made of, an "m" for a mark on the letter before it, or the letter itself.

    The joiner of emoji is a "j", a letter of a flag an "f"; the colour of a skin is a mark.
    """
    if letter.isalnum() or letter == "_":
        return "w"
    if letter == _JOINER:
        return "j"
    if ord(letter) in _FLAGS:
        return "f"
    return "m" if unicodedata.category(letter)[0] == "M" or ord(letter) in _SKINS else letter


def detokenize(words: Iterable[str]) -> str:
    """One sentence of `words` and marks, with spaces where English has them."""
    text, tight, last = "", True, ""
    quoted: set[str] = set()
    for word in words:
        closes = word in quoted
        owns = word == "'" and not closes and last[-1:] in ("s", "S")  # the parents' house
        tag = _TAG.fullmatch(word)
        opens = (word in _QUOTES and not closes and not owns) or bool(tag and not tag[1])
        closes = closes or bool(tag and tag[1])
        text += " " * (not (tight or closes or owns or word[:1] in _NO_SPACE_BEFORE)) + word
        quoted = quoted ^ {word} if (opens or closes) and not tag else quoted
        speaks = word in _DASHES and (not last or last in _ENDS)  # the dash of a dialogue
        tight, last = opens or speaks or word in _NO_SPACE_AFTER, word
    return text


HIDDEN = "▢"  # what stands for a word that nobody can make out


def character_ngrams(word: str, buckets: int, sizes: Sequence[int] = (3, 4, 5)) -> tuple[int, ...]:
    """The character n-grams of a word, its ends marked, each a number below `buckets` (by CRC-32), sorted and distinct.

    Source: Bojanowski et al. 2017, *Enriching word vectors with subword information*.
    """
    marked = f"<{word.lower()}>"
    ngrams = {marked[i : i + size] for size in sizes for i in range(len(marked) - size + 1)} or {marked}
    return tuple(sorted({zlib.crc32(ngram.encode()) % buckets for ngram in ngrams}))
