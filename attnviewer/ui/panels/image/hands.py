"""Hands on the photo: what the tools, the bars and the keys change, and how the panel follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from attnviewer.core.brush import Point, one_cell, painted, stroke
from attnviewer.core.covers import Cover, covered
from attnviewer.core.i18n import tr
from attnviewer.core.modes import MODES
from attnviewer.core.text import tokenise
from attnviewer.core.trace import Floats, Grid, Step, Trace
from attnviewer.ui.doubting import above
from attnviewer.ui.keeping import Keeping
from attnviewer.ui.look import word_map
from attnviewer.ui.panels.image.folding import Folding
from attnviewer.ui.panels.image.inside import Inside
from attnviewer.ui.panels.image.keptside import PhotoSide
from attnviewer.ui.panels.image.saved import run_again
from attnviewer.ui.panels.image.whatifbar import LOOK, TOOLS, WhatIfBar
from attnviewer.ui.whatif import OWN, Change
from attnviewer.ui.widgets.easel import COVER, Box
from attnviewer.ui.widgets.variants import VariantsPage

if TYPE_CHECKING:
    from attnviewer.ui.panels.image.panel import ImagePanel


class Hands(QObject):
    """Turns strokes, boxes, patches and clicks into changes, and asks for what comes of them."""

    def __init__(self, panel: ImagePanel) -> None:
        super().__init__(panel)
        self._panel, self._state, self.bar = panel, panel.state, WhatIfBar()
        self.inside, self.folding = Inside(panel), Folding(panel, self.bar)
        side = partial(PhotoSide, lambda: panel.state.picture, lambda: panel.look)
        page = VariantsPage(panel, lambda: above(panel, panel.foot), side, across=True)
        self.keeping = Keeping(panel, page, lambda change: self.make(change, panel.player.word), self.show_steps)
        self.saved: Trace | None = None  # a saved caption that is run again
        self.at = -1  # the old caption stands until the new one has gone beyond this word
        self._laid: tuple[object, tuple[Cover, ...]] = (None, ())
        bar = self.bar
        bar.chosen.connect(self.choose_tool)
        bar.sized.connect(self._size)
        bar.way_chosen.connect(self._cover_by)
        bar.undone.connect(self.undo)
        bar.redone.connect(self.redo)
        bar.reset.connect(self.reset)
        bar.kept.connect(self.keep)
        bar.peeked.connect(self.peek)
        bar.listed.connect(self.keeping.toggle)
        bar.again.connect(partial(run_again, panel))
        bar.box_cleared.connect(self.clear_box)
        bar.queried.connect(self.inside.find)
        panel.stages.added.connect(self._add)
        panel.side.bars.picked.connect(self.say_word)
        panel.side.typed.connect(self.say_word)
        panel.side.ghosts.back.connect(self.undo)
        panel.side.own.measure.connect(self.measure)
        panel.side.own.back.connect(self.undo)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do."""
        return {
            "undo": self.undo,
            "redo": self.redo,
            "keep": self.keep,
            "variants": self.keeping.toggle,
            "before": lambda: self.peek(not self._state.peek),
            "hand": self.next_tool,
        }

    def _add(self, mode: str) -> None:
        """The tools on the stage of a mode."""
        if mode not in MODES:
            return
        easel = self._panel.stages.columns[mode].easel
        easel.painting.connect(lambda points: self._preview(mode, points))
        easel.painted.connect(lambda points: self._paint(mode, points))
        easel.forced.connect(self.force)
        easel.covered.connect(self.cover)
        easel.boxed.connect(self.inside.draw_box)
        easel.size = self.bar.width_.value() / 100
        easel.choose(self.bar.tool if self.bar.tool != LOOK else "")

    @property
    def single(self) -> bool:
        """Whether one cell is forced, and no area: hard attention looks at one."""
        return MODES[self._state.main].draws

    def choose_tool(self, tool: str) -> None:
        """Take a tool in hand."""
        self.bar.show_tool(tool, single=self.single, placed=self._placed(tool))
        self.folding.fold()
        for mode, one in self._panel.stages.columns.items():
            one.easel.single = mode in MODES and MODES[mode].draws
            one.easel.choose("" if tool == LOOK or mode not in MODES else tool)
        self.show_word()

    def next_tool(self) -> None:
        """The next tool of the row."""
        keys = [key for key, *_ in TOOLS]
        self.choose_tool(keys[(keys.index(self.bar.tool) + 1) % len(keys)])
        stage = self._panel.stages.columns[self._state.main].stage
        if self.bar.tool != LOOK:
            stage.setFocus()

    def _placed(self, tool: str) -> bool:
        return bool(self._state.edits.now.covers) if tool == COVER else self.inside.box is not None

    def _size(self, size: float) -> None:
        for one in self._panel.stages.columns.values():
            one.easel.size = size

    def _map(self, mode: str, points: Sequence[Point]) -> Floats | None:
        """The map that a stroke makes of the one that the word had by itself."""
        word, trace = self._panel.player.word, self._state.maps.get(mode)
        own = word_map(self._state.untouched(mode, word) or trace, word)
        grid = trace.locations if trace is not None else None
        if own is None or not isinstance(grid, Grid):
            return None
        left, top, right, bottom = grid.extent
        brush = stroke(points, self.bar.width_.value() / 100, grid.rows, grid.columns, (right - left) / (bottom - top))
        return painted(own, brush, self.bar.strength.value() / 100).astype("float32")

    def _preview(self, mode: str, points: Sequence[Point]) -> None:
        self._panel.player.pause()
        shown = self._map(mode, points)
        if shown is not None:
            self._panel.stages.columns[mode].stage.preview(shown)

    def _paint(self, mode: str, points: Sequence[Point]) -> None:
        found = self._map(mode, points)
        if found is None:
            return self._panel.say(tr("This model has no map to paint; choose soft or hard attention."), fault=True)
        return self._look(found.tolist())

    def force(self, cell: int) -> None:
        """Look at one cell alone for the word on the clock."""
        trace = self._state.trace
        if trace is not None and trace.heads:
            self._look(one_cell(cell, len(trace.locations)).tolist())

    def _look(self, weights: Sequence[float]) -> None:
        trace, word = self._state.trace, self._panel.player.word
        if trace is not None and 0 <= word <= len(trace.steps):
            self.make(self._state.edits.now.with_look(word, weights, trace.words, rest=self.bar.rest), word)

    def say_word(self, text: str) -> None:
        """Say another word at the place of the clock, and go on from there."""
        trace, word, said = self._state.trace, self._panel.player.word, tokenise(text)
        if text.startswith("(") or not said:
            return self._panel.say(tr("That is no word to say; choose another bar, or type a word."), fault=True)
        if trace is None or word < 0:
            return self._panel.say(tr("There is no word to change yet; wait for the first one."), fault=True)
        if word < len(trace.words) and said[0] == trace.words[word]:
            return self._panel.say(tr("“{word}” is said here already; choose another.", word=said[0]))
        return self.make(self._state.edits.now.with_word(word, said[0], trace.words), word)

    def measure(self, text: str) -> None:
        """Let the model measure the user's caption."""
        if self._state.picture is None:
            self._panel.say(tr("Open a photo first; then the model can measure your caption."), fault=True)
        elif self._state.ask_words(text):
            self._panel.window().setFocus()  # so that the keys of the clock, Esc and Ctrl+Z work at once
            self._panel.restart()
        else:
            self._panel.say(tr("There are no words in that caption; type some."), fault=True)

    def take_branch(self, words: tuple[str, ...], whole: bool) -> None:
        """Take words of the tree of the beam search: all of them, or as many as there are, and on from there."""
        if whole:
            return self.measure(" ".join(words))
        return self.make(OWN.with_word(len(words) - 1, words[-1], words), len(words) - 1)

    def cover(self, box: Box) -> None:
        """Cover a place of the photo."""
        self.make(self._state.edits.now.with_covers([Cover(box, self.bar.way)]), self._panel.player.word)

    def _cover_by(self, way: str) -> None:
        covers = self._state.edits.now.covers
        if covers and covers[0].how != way:
            self.cover(covers[0].box)

    def clear_box(self) -> None:
        """Take the patch or the box away."""
        if self.bar.tool == COVER:
            self.make(self._state.edits.now.with_covers(()), self._panel.player.word)
        else:
            self.inside.draw_box(None)

    def make(self, change: Change, at: int) -> None:
        """Change to something new, and show it from word `at` on; the words before stay."""
        if self._state.picture is None:
            return self._panel.say(tr("The photo of this caption is missing; open it first."), fault=True)
        if self._state.peek:
            self.peek(False)
        if self._state.change(change):
            self._panel.player.go(max(at, 0))
            self._arrive(max(at, 0))
        return None

    def undo(self) -> None:
        """Take the last change back."""
        if self._state.undo():
            self._arrive(self._panel.player.word)

    def redo(self) -> None:
        """Make the change again that was taken back."""
        if self._state.redo():
            self._arrive(self._panel.player.word)

    def reset(self) -> None:
        """Back to the model's own caption."""
        self.make(OWN, self._panel.player.word)

    def keep(self) -> None:
        """Keep the caption shown as a variant; the model's own is kept with it, to compare."""
        kept, own = self._state.keep(self._state.main), self._state.own(self._state.main)
        if kept is not None:
            if own is not None:
                self._state.variants.keep(OWN, own)
            self._panel.say(tr("Kept: {name}. Variants (V) compares what you kept.", name=kept.name))
        self.show_steps()

    def peek(self, on: bool) -> None:
        """Show what was said before the last change, or what is said now."""
        self._state.peek = on and self._state.earlier(self._state.main) is not None
        self.lay_photo()
        self._panel.show_all()
        self._panel.player.grow(self._state.count)

    def fail(self) -> None:
        """What was changed can't be run: it is taken back."""
        if self.at >= 0 and self._state.undo():
            self._state.edits.future.pop()
            self.at = -1
            self.lay_photo()
            self._panel.show_all()

    def settle(self) -> None:
        """All that was asked is there."""
        self.at = -1
        self.inside.listen()

    def _arrive(self, at: int) -> None:
        self.at = at if self._state.missing else -1
        self.lay_photo()
        self._panel.follow()

    def take_photo(self) -> None:
        """Another photo lies under the maps: nothing is drawn on it but the patches that were saved with it."""
        self._laid = (None, ())
        self.inside.clear()
        self.lay_photo()

    def lay_photo(self) -> None:
        """Show the photo as the net sees it: with its patches."""
        state = self._state
        covers = (state.edits.past[-1] if state.peek else state.edits.now).covers
        picture = state.picture
        if picture is None or self._laid == (picture, covers):
            return
        if covers or self._laid[0] is picture:
            shown = covered(picture, covers)
            self._panel.stages.show_picture(shown)
            self._panel.foot.show_picture(shown)
        self._laid = (picture, covers)
        for one in self._panel.stages.columns.values():
            one.easel.show_box(COVER, covers[0].box if covers else None)

    def show_word(self) -> None:
        """Follow the clock."""
        trace, word = self._state.trace, self._panel.player.word
        self.keeping.page.show_word(word)
        said = trace.words[word] if trace is not None and 0 <= word < len(trace.words) else ""
        maps = trace is None or bool(trace.heads)
        self.bar.show_hint(self.bar.tool, said, single=self.single, maps=maps)

    def before(self, word: int) -> Step | None:
        """The step of a word before what holds was imposed on it."""
        found = self._state.untouched(self._state.main, word) if word >= 0 else None
        return found.steps[word] if found is not None else None

    def show_steps(self) -> None:
        """Bring the bar and the ghosts up to date."""
        state, edits = self._state, self._state.edits
        earlier = state.earlier(state.main)
        self.bar.show_steps(
            past=bool(edits.past), future=bool(edits.future), changed=edits.now != OWN, peek=state.peek,
            saved=state.saved and state.picture is not None, kept=len(state.variants.all),
        )  # fmt: skip
        self.bar.show_tool(self.bar.tool, single=self.single, placed=self._placed(self.bar.tool))
        self._panel.side.ghosts.show_traces(None if state.peek else state.trace, earlier)
        self.inside.show()
        self.folding.fit()
