"""The foot of the image panel: transport, look, filmstrip, and how much of the photo is left in each word."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from attnviewer.core.heads import shown_head
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.terms import explained
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import label, tipped
from attnviewer.ui.desk import Desk
from attnviewer.ui.look import Look
from attnviewer.ui.panels.image.bitsline import TIP, BitsKey, BitsLine, Lines, verdict
from attnviewer.ui.panels.image.filmstrip import Filmstrip
from attnviewer.ui.panels.image.shareline import ShareLine, Shares
from attnviewer.ui.player import Player
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.headchooser import HeadChooser
from attnviewer.ui.widgets.lookbar import LookBar
from attnviewer.ui.widgets.transport import Transport


class ImageFoot(QFrame):
    """Everything that follows the words from left to right."""

    def __init__(self, desk: Desk, player: Player) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.transport, self.lookbar, self.strip = Transport(player, desk.settings), LookBar(desk), Filmstrip(player)
        self.heads = HeadChooser()
        self.bits = BitsLine(self.strip.strip, player)
        self.key = BitsKey(self.bits, player)
        self.shares = ShareLine(self.strip.strip, player)
        self._player, self._wanted = player, False
        self._words: tuple[str, ...] = ()
        self.strip.add_line(self.bits)
        self.strip.add_line(self.shares)
        self.shares.hide()
        player.word_changed.connect(self._tell)
        self.verdict = label("", "muted")
        self.verdict.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout()
        line.addWidget(self.transport)
        line.addStretch(1)
        line.addWidget(self.heads)
        line.addWidget(self.lookbar)
        side = QVBoxLayout()
        side.setSpacing(0)
        side.addWidget(self.lookbar.key)
        side.addWidget(self.key)
        below = QHBoxLayout()
        below.addWidget(self.strip, 1)
        below.addLayout(side)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(12, 8, 12, 4)
        rows.setSpacing(6)
        rows.addLayout(line)
        rows.addLayout(below)
        rows.addWidget(self.verdict)
        self.show_bits({})

    def show_picture(self, picture: Picture) -> None:
        """Take the photo that lies below the maps."""
        self.strip.strip.show_picture(picture)

    def show_trace(self, trace: Trace | None, look: Look) -> None:
        """Show the words of a trace, and its heads where it has several."""
        self.heads.show_heads(trace.heads if trace is not None else (), shown_head(trace) if trace is not None else "")
        self.strip.strip.show_trace(trace, look)
        self._words = trace.words if trace is not None else ()

    def show_shares(self, shares: Shares | None) -> None:
        """Show how much of each word's attention lies in a box, in place of how much of the photo is left."""
        self.shares.show_shares(shares)
        self._arrange()

    def _arrange(self) -> None:
        boxed = self.shares.shares is not None
        self.strip.show_line(self.shares, boxed)
        self.strip.show_line(self.bits, self._wanted and not boxed)
        self.key.setVisible(not boxed)
        self._tell()

    def _tell(self, *_: int) -> None:
        """The sentence below: what the box says of this word, or what the lines say of the caption."""
        shares = self.shares.shares
        told = verdict(self.bits.lines) if shares is None else shares.sentence(self._words, self._player.word)
        self.verdict.setText(told)
        tipped(self.verdict, told if shares is not None else f"{tr(TIP)} {explained('bits')}")
        self.verdict.setVisible(self._wanted or shares is not None)

    def show_bits(self, lines: Lines, *, coming: bool = False) -> None:
        """Show how much of the photo is left in each word; without lines, and none `coming`, they take no room."""
        self.bits.show_lines(lines)
        self.key.refresh()
        self._wanted = bool(lines) or coming
        self._arrange()

    def set_tokens(self, tokens: Tokens) -> None:
        for view in (self.strip.strip, self.transport, self.lookbar.legend, self.bits, self.key, self.shares):
            view.set_tokens(tokens)
