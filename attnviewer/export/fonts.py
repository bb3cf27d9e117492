"""Typefaces for figures: an installed one for letters that the usual one lacks, or a word on what is missing."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib import font_manager, ft2font

from attnviewer.core.i18n import later, tr
from attnviewer.core.trace import Tokens, Trace

USUAL = "DejaVu Sans"
TRUTH = later("attention weights, not an explanation")  # which figures say in the language in use
LIKELY = re.compile("cjk|emoji|sc$|jp$|kr$|wenquanyi|hei|ming|song|gothic|mincho|malgun|symbol|unifont|noto", re.I)
SKIPPED = ("Mn", "Me", "Cf", "Cc", "Zs", "Zl", "Zp")  # marks, joiners and blanks, which have no box of their own
MOST_NAMED = 12  # letters in a remark


class Face(NamedTuple):
    """A typeface: the name of its family, its file, and the code points it has."""

    family: str
    file: str
    letters: frozenset[int]


class Faces(NamedTuple):
    """The faces that a text needs, the usual one first, and its letters that none of the installed ones has."""

    chosen: tuple[Face, ...]
    missing: tuple[str, ...]

    def covering(self, text: str) -> Face:
        """The face with the most of a text's letters, for drawing that takes only one."""
        wanted = _wanted(text)
        return max(self.chosen, key=lambda face: len(wanted & face.letters))

    @property
    def families(self) -> list[str]:
        """Names for matplotlib, which takes each letter from the first face that has it."""
        return [face.family for face in self.chosen]


def faces_for(text: str) -> Faces:
    """The typefaces for a text and for the language in use: as few as possible, those made for its script first."""
    chosen, wanted = [usual()], _wanted(text + tr(TRUTH)) - usual().letters
    for face in _others() if wanted else ():
        if wanted & face.letters:
            chosen.append(face)
            wanted -= face.letters
        if not wanted:
            break
    return Faces(tuple(chosen), tuple(map(chr, sorted(wanted))))


def letters_of(trace: Trace) -> str:
    """All that a figure of a trace writes of it."""
    tokens = trace.locations.tokens if isinstance(trace.locations, Tokens) else ()
    return " ".join((trace.text, *trace.words, *tokens))


def remark(missing: Iterable[str]) -> str:
    """What to say of letters that no installed typeface has; "" where there are none."""
    letters = list(missing)
    if not letters:
        return ""
    shown = " ".join(letters[:MOST_NAMED]) + (" …" if len(letters) > MOST_NAMED else "")
    return tr(
        "No installed font has {letters}: the figure shows boxes; install one, such as Noto Sans CJK or Noto Emoji.",
        letters=shown,
    )


@lru_cache
def usual() -> Face:
    """The typeface that comes with matplotlib, so that figures look alike on every machine."""
    file = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return Face(USUAL, str(file), _letters(str(file)))


def _wanted(text: str) -> set[int]:
    return {ord(letter) for letter in set(text) if unicodedata.category(letter) not in SKIPPED}


def _others() -> Iterator[Face]:
    """Installed faces, a regular one a family, the likely families first; each is read when its turn comes."""
    _look_again()
    entries = {entry.name: entry for entry in font_manager.fontManager.ttflist if _plain(entry)}
    for name in sorted(entries, key=lambda name: (not LIKELY.search(name), name)):
        if letters := _letters(entries[name].fname):
            yield Face(name, entries[name].fname, letters)


@lru_cache
def _look_again() -> None:
    """Tell matplotlib of fonts that were installed since it made its list, which it keeps from run to run."""
    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    for file in font_manager.findSystemFonts():
        if file not in known:
            with contextlib.suppress(OSError, RuntimeError, UnicodeError):  # a damaged font is none
                font_manager.fontManager.addfont(file)


def _plain(entry: font_manager.FontEntry) -> bool:
    upright = entry.style == "normal" and str(entry.weight) in ("400", "normal", "regular")
    ours = entry.fname.startswith(matplotlib.get_data_path())  # for formulas, and boxes for what nothing has
    return upright and not ours and "resort" not in entry.name.lower()


@lru_cache(maxsize=512)
def _letters(file: str) -> frozenset[int]:
    """The code points of a font file; none where it can't be drawn from, as with fonts of pictures."""
    try:
        return frozenset(ft2font.FT2Font(file).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()
