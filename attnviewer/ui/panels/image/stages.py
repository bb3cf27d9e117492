"""One stage, or several side by side that share the word clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from attnviewer.core.heads import ALL, shown_head
from attnviewer.core.i18n import later, ntr, tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import badge
from attnviewer.core.modes import MODES
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label
from attnviewer.ui.look import Look, word_map
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.easel import Easel
from attnviewer.ui.widgets.headsgrid import HeadsGrid
from attnviewer.ui.widgets.stage import Stage

EDGE, HEADER, WORTH = 4, 96, 1.15
LEAST, BAR, UNBOUND = 250, 8, 16_777_215  # of a photo in points; a scroll bar; no bound, as Qt has it
LOW = 720  # a window that has no room for a story above a comparison
TASK, DRAWS, DRAWN = "caption", "draws", "100 draws"
MEANING = later("How often each place is taken in 100 draws from the map of hard attention")


class StageColumn(QWidget):
    """A stage with its mode's name above, its caption, score and badge below, which are hidden while it is alone.

    Signals
    -------
    chosen() : the user wants the words and facts of this column.
    """

    chosen = Signal()

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode, self.stage, self.heads = mode, Stage(), HeadsGrid()
        self.easel = Easel(self.stage)
        self.heads.hide()
        title, tip = header_of(mode)
        self.title = button(title, tip, self.chosen.emit, look="segment", name=tr("Column {title}", title=title))
        self.title.setCheckable(True)
        self.title.setEnabled(mode != DRAWS)
        self.stage.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)  # rows share the height alike
        self.text, self.badge = label("", "muted", wrap=True), label("", "badge", wrap=True)
        self.text.setMinimumWidth(60)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._rows = column(self.title, self.stage, self.heads, self.text, self.badge, spacing=2)
        self._rows.setAlignment(self.title, Qt.AlignmentFlag.AlignLeft)
        self._rows.setStretch(1, 1)
        self._rows.setStretch(2, 1)
        self._rows.addStretch(0)
        self.setLayout(self._rows)
        self.badge.hide()

    def show_picture(self, picture: Picture | None) -> None:
        """Take the photo below the maps."""
        self.stage.show_picture(picture)
        self.heads.show_picture(picture)

    def show_word(self, trace: Trace | None, word: int, look: Look) -> None:
        """Show the map of a word, or those of all heads side by side."""
        several = trace is not None and shown_head(trace) == ALL
        self.heads.setVisible(several)
        self.stage.setVisible(not several)
        (self.heads if several else self.stage).show_word(trace, word, look)

    def set_photo_height(self, points: int) -> None:
        """Give the photo a height of its own; 0 for all there is."""
        self.stage.setMinimumHeight(points or 90)
        self.stage.setMaximumHeight(points or UNBOUND)
        self._rows.setStretch(5, int(bool(points)))

    def show_header(self, shown: bool) -> None:
        self.title.setVisible(shown)
        self.text.setVisible(shown)
        self._rows.setContentsMargins(*((2, 6, 2, 4) if shown else (0, 0, 0, 0)))

    def show_text(self, trace: Trace | None, word: int, lead: Trace | None = None) -> None:
        """Show the caption, its log-probability, and what there is to say of its maps.

        Words in which it differs from the caption of the `lead` are marked.
        """
        if trace is None or not trace.steps:
            self.badge.hide()
            return self.text.setText("")
        self.text.setText(drawn_text(trace, word) if self.mode == DRAWS else caption_text(trace, self.mode, lead))
        warning = badge(trace) if self.mode != DRAWS and MODES[self.mode].telling else None
        self.badge.setText(warning or "")
        self.badge.setVisible(bool(warning) and not self.text.isHidden())
        return None


def header_of(mode: str) -> tuple[str, str]:
    """Title and tooltip of a column."""
    if mode == DRAWS:
        return tr(DRAWN), tr(MEANING)
    row = MODES[mode]
    return row.name(TASK), tr("{title}: click to see its words and facts at the right", title=row.title(TASK))


def marked(words: Sequence[str], others: Sequence[str]) -> str:
    """Words, in brackets those in which they differ from others."""
    blocks = SequenceMatcher(a=others, b=words, autojunk=False).get_matching_blocks()
    kept = {place for block in blocks for place in range(block.b, block.b + block.size)}
    return " ".join(word if place in kept else f"[{word}]" for place, word in enumerate(words))


def caption_text(trace: Trace, mode: str, lead: Trace | None = None) -> str:
    """The caption and its score; of a mode whose maps tell nothing, why that is."""
    said = trace.text if lead is None or lead is trace else marked(trace.words, lead.words)
    tail = "" if MODES[mode].telling else f"; {MODES[mode].about(TASK)}"
    return f"{said}\n" + tr("log-probability {score:.1f}", score=float(trace.logprobs.sum())) + tail


def drawn_text(trace: Trace, word: int) -> str:
    """How many places the draws for a word took."""
    shares = word_map(trace, word)
    if shares is None:
        return tr("how often each place is taken")
    places = int((shares > 0).sum())
    return ntr(
        "{count} place taken for “{word}”, the most frequent {share}",
        "{count} places taken for “{word}”, the most frequent {share}",
        places, word=trace.words[word], share=f"{shares.max():.0%}",
    )  # fmt: skip


def best_across(count: int, width: int, height: int, shape: float) -> int:
    """How many in a row make `count` photos of a `shape` (width / height) largest; all, unless fewer clearly do."""

    def size(across: int) -> float:
        rows = -(-count // across)
        return min((width / across - EDGE) / shape, height / rows - HEADER)

    def worth(across: int) -> tuple[float, int]:
        return size(across) * (WORTH if across == count else 1), -(-count % across)  # of equals the one with full rows

    return max(range(count, 0, -1), key=worth) if count else 1


class Stages(QScrollArea):
    """The stages of the modes that are shown; where several have too little room they scroll.

    Signals
    -------
    hovered(int) : the location under the pointer on any stage, -1 for none.
    chosen(str) : the mode whose words and facts the user wants.
    headed(str) : the head that the user wants to see alone.
    added(str) : the stage of a mode was made.
    crowded(bool) : several stages stand in a window so low that nothing else should stand above them.
    dragged() : the figure is to be taken along.
    """

    hovered = Signal(int)
    chosen = Signal(str)
    headed = Signal(str)
    added = Signal(str)
    crowded = Signal(bool)
    dragged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("stages")
        page = QWidget()
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._grid = QGridLayout(page)
        self._grid.setSpacing(0)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._modes: tuple[str, ...] = ()
        self._main = ""
        self._across = 0
        self._picture: Picture | None = None
        self._tokens = LIGHT
        self.columns: dict[str, StageColumn] = {}

    def show_modes(self, modes: Sequence[str], main: str = "") -> None:
        """Show these modes side by side, the `main` one marked."""
        for mode in modes:
            if mode not in self.columns:
                self._add(mode)
        self._modes, self._main = tuple(modes), main
        self._arrange(self._best())
        self._size_photos()
        for mode, one in self.columns.items():
            one.setVisible(mode in modes)
            one.show_header(len(modes) > 1)
            one.title.setChecked(mode == main)
        self._tell_room()

    def _add(self, mode: str) -> None:
        made = self.columns[mode] = StageColumn(mode)
        made.stage.set_tokens(self._tokens)
        made.heads.set_tokens(self._tokens)
        made.show_picture(self._picture)
        made.heads.chosen.connect(self.headed)
        made.stage.hovered.connect(self._hover)
        made.stage.dragged.connect(self.dragged)
        made.chosen.connect(lambda: self.chosen.emit(mode))
        self.added.emit(mode)

    @property
    def _shape(self) -> float:
        return self._picture.width / self._picture.height if self._picture is not None else 1.0

    def _best(self) -> int:
        """How many stand in a row: as makes the photos large, and none narrower than can be read."""
        count, wide = len(self._modes), self.width() - BAR
        most = max(1, min(count, wide // (LEAST + EDGE)))
        return best_across(count, self.width(), self.height(), self._shape) if most == count else most

    def _size_photos(self) -> None:
        """Photos as large as there is room for, with their captions right below; alone, one takes all."""
        wide, rows = self.width() // max(1, self._across) - EDGE, -(-len(self._modes) // max(1, self._across))
        room = max(self.height() // max(1, rows) - HEADER, round(LEAST / self._shape))
        high = min(max(90, round(wide / self._shape)), max(90, room)) if len(self._modes) > 1 else 0
        for one in self.columns.values():
            one.set_photo_height(high)

    def _arrange(self, across: int) -> None:
        """Lay the stages in rows of `across`."""
        self._across = across
        for one in self.columns.values():
            self._grid.removeWidget(one)
        for place in range(max(len(self.columns), self._grid.rowCount(), self._grid.columnCount())):
            self._grid.setRowStretch(place, int(place * across < len(self._modes)))
            self._grid.setColumnStretch(place, int(place < across))
        for place, mode in enumerate(self._modes):
            self._grid.addWidget(self.columns[mode], *divmod(place, across))

    def _fit(self) -> None:
        if self._modes and self._best() != self._across:
            self._arrange(self._best())
        self._size_photos()
        self._level()
        self._tell_room()

    def _tell_room(self) -> None:
        self.crowded.emit(len(self._modes) > 1 and self.window().height() < LOW)

    def mark(self, location: int) -> None:
        """Mark a location on all stages; -1 for none."""
        for one in self.columns.values():
            one.stage.mark(location)

    def _hover(self, location: int) -> None:
        for one in self.columns.values():
            if one.stage.location != location:
                one.stage.mark(location)
        self.hovered.emit(location)

    def show_picture(self, picture: Picture | None) -> None:
        self._picture = picture
        for one in self.columns.values():
            one.show_picture(picture)
            one.show_text(None, -1)
        self._fit()

    def show_word(self, traces: Mapping[str, Trace], word: int, look: Look) -> None:
        """Show a word's map on every visible stage; a caption that is shorter shows none."""
        for mode, one in self.columns.items():
            if not one.isHidden():
                one.show_word(traces.get(mode), word, replace(look, smooth=False) if mode == DRAWS else look)
                one.show_text(traces.get(mode), word, traces.get(self._main))
        self._level()

    def _level(self) -> None:
        """Texts of one height, so that the photos stand side by side."""
        texts = [one.text for one in self.columns.values() if not one.isHidden() and not one.text.isHidden()]
        high = max([0, *(text.heightForWidth(max(text.width(), 60)) for text in texts)])  # an empty one says -1
        for text in texts:
            text.setMinimumHeight(high)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self._fit)

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        for one in self.columns.values():
            one.stage.set_tokens(tokens)
            one.heads.set_tokens(tokens)
