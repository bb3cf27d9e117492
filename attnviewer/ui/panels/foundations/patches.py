"""Patches of growing size: each as an image with what the captioner says of it, and the right word's probability."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QWidget

from attnviewer.core.explore.findings import Patch, Patches
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.ui.controls import button, column, label, row
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.flow import Flow
from attnviewer.ui.widgets.plot import Axis, Line, Plot
from attnviewer.ui.widgets.raster import Raster


def in_a_line(patch: Patch) -> str:
    """A patch's size, what the captioner says, and what the class head sees where there is one."""
    things = ", ".join(f"{word} {share:.0%}" for word, share in patch.things[:2])
    return f"{patch.box[2] - patch.box[0]}: {patch.caption}" + (f"  [{things}]" if things else "")


class PatchView(QWidget):
    """`choose` is called with a patch, `choose_word` with a word of the caption that is to be told instead."""

    def __init__(self, choose: Callable[[int], object], choose_word: Callable[[int], object]) -> None:
        super().__init__()
        self._choose, self._choose_word = choose, choose_word
        self._found: Patches | None = None
        self._picture: Picture | None = None
        self._words: tuple[str, ...] = ()
        self.at = -1
        self.curve = Plot(
            tr("Probability of the word by the side of the patch"), tr("Click a size to see its patch"),
            Axis(tr("side of the patch in pixels"), log=True), Axis(low=0, high=1, tell="{:.0%}".format),
            empty=tr("Patches are cut out …"),
        )  # fmt: skip
        self.curve.picked.connect(self._pick)
        self.patch = Raster(tr("The patch"), tr("What the captioner gets: this, and nothing else"), still=True)
        self.says = label("", "", wrap=True)
        self.curve.setMinimumHeight(100)
        self.words, self.group = QWidget(), QButtonGroup(self)
        self.flow = Flow(self.words)
        left = column(label(tr("which word is to be told"), "title"), self.words, self.curve, spacing=4)
        left.setStretch(2, 1)
        right = column(label(tr("this patch, on its own"), "title"), self.patch, self.says, spacing=4)
        right.setStretch(1, 1)
        both = row(spacing=14)
        both.addLayout(left, 3)
        both.addLayout(right, 2)
        self.setLayout(both)

    def show_patches(self, found: Patches, picture: Picture | None) -> None:
        """Show these patches, the newest in sight."""
        self._found, self._picture, self.at = found, picture, len(found.patches) - 1
        if self._words != found.words:
            self._show_words(found.words)
        self.group.buttons()[found.word].setChecked(True)
        sides = tuple(float(max(p.box[2] - p.box[0], p.box[3] - p.box[1])) for p in found.patches)
        lines = [Line(tr("“{word}”", word=found.words[found.word]), sides, tuple(p.probability for p in found.patches),
                      points=True)]  # fmt: skip
        if found.chance is not None and sides:
            ends = (sides[0], sides[-1]) if len(sides) > 1 else (sides[0],)
            lines.append(Line(tr("for an average photo"), ends, (found.chance,) * len(ends), "caution", "--"))
        self._lines = lines
        self._show()

    def _show_words(self, words: tuple[str, ...]) -> None:
        self._words = words
        for old in self.group.buttons():
            self.group.removeButton(old)
            self.flow.removeWidget(old)
            old.deleteLater()
        for number, word in enumerate(words):
            made = button(word, tr("Let this word be the one to tell"), partial(self._choose_word, number), look="chip")
            made.setCheckable(True)
            self.group.addButton(made)
            self.flow.addWidget(made)

    def _show(self) -> None:
        if self._found is None or self._picture is None or self.at < 0:
            return
        chosen = self._found.patches[self.at]
        left, top, right, bottom = chosen.box
        step = max(1, (right - left) // 400)
        self.patch.show_image(np.ascontiguousarray(self._picture.pixels[top:bottom:step, left:right:step]))
        self.says.setText(
            tr("{wide} x {high} pixels: “{caption}”", wide=right - left, high=bottom - top, caption=chosen.caption)
        )
        self.curve.show_lines(self._lines, float(max(right - left, bottom - top)))

    def _pick(self, side: float) -> None:
        if self._found is None:
            return
        sides = [max(p.box[2] - p.box[0], p.box[3] - p.box[1]) for p in self._found.patches]
        self.at = min(range(len(sides)), key=lambda n: abs(np.log(sides[n] / side)))
        self._show()
        self._choose(self.at)

    def sentence(self, found: Patches) -> str:
        """What is seen, in words."""
        word = found.words[found.word]
        first, last = found.patches[0], found.patches[-1]
        right = next((p for p in found.patches if p.caption.split() and word in p.caption.split()), None)
        told = (
            tr(" It first says “{word}” at {side} pixels.", word=word, side=right.box[2] - right.box[0])
            if right is not None
            else ""
        )
        return tr(
            "A patch of {first} pixels: “{caption}”. “{word}” gets {low} there, and {high} at {last} pixels.{told}",
            first=first.box[2] - first.box[0], caption=first.caption, word=word, low=f"{first.probability:.0%}",
            high=f"{last.probability:.0%}", last=last.box[2] - last.box[0], told=told,
        )  # fmt: skip

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self.curve.set_tokens(tokens)
        self.patch.set_tokens(tokens)
