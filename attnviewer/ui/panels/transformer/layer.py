"""A layer unrolled: a token's vector, what attention and the feed-forward network add, what is left of the word."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.transformer.unrolled import kept, parts, shares
from attnviewer.ui.controls import column, label, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.bars import Bar, Bars

FLOW = "x  →  {attention}  →  +  →  {norm}  →  {feed}  →  +  →  {norm}"


class LayerView(QWidget):
    """Bars of the parts of the layer in sight at the lit token, and what is left of each word layer by layer.

    Signals
    -------
    pointed(int) : a token.
    """

    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.title, self.flow, self.text = label("", "value"), label("", "title"), label("", wrap=True)
        self.lengths, self.directions = (Bars(name, "", 5) for name in (tr("Lengths"), tr("Cosines with what came in")))
        self.added = Bars(tr("What is added, as a share of what it is added to"), "", 12)
        self.left = HeatMap(tr("How much of each word is left"))
        self.left.clicked.connect(lambda _, token: self.pointed.emit(token))
        self.left.hovered.connect(lambda layer, token: self.left.mark(layer, token) if layer >= 0 else None)
        side, stage = QFrame(), QWidget()
        side.setObjectName("side")
        side.setFixedWidth(380)
        side.setLayout(
            column(
                label(tr("Lengths of the vectors"), "title"), self.lengths,
                label(tr("Cosine with what came in"), "title"), self.directions,
                label(tr("Added in each layer (mean over tokens)"), "title"), self.added, 1,
                spacing=8, margins=(14, 12, 14, 12),
            )
        )  # fmt: skip
        stage.setLayout(
            column(
                self.title, self.flow, self.text, label(tr("Cosine with each token's first vector"), "title"),
                self.left, spacing=8, margins=(16, 12, 16, 12),
            )
        )  # fmt: skip
        stage.layout().setStretch(4, 1)  # type: ignore[union-attr]
        self.setLayout(row(side, stage, spacing=0))
        self.layout().setStretch(1, 1)  # type: ignore[union-attr]

    def show_state(self, state: TransformerState) -> None:
        """Show the layer in sight at the lit token."""
        inside = state.inside
        if inside is None or not 0 <= state.token < len(state.tokens):
            self.text.setText(tr("A saved trace holds maps, not vectors. Type a text to unroll a layer."))
            return
        made = parts(inside, state.layer, state.token)
        longest = max(part.length for part in made) or 1.0
        self.title.setText(tr("Layer {layer} at “{token}”", layer=state.layer, token=state.tokens[state.token]))
        self.flow.setText(FLOW.format(attention=tr("attention"), norm=tr("normalise"), feed=tr("feed-forward")))
        self.lengths.show_bars([Bar(f"{part.name} {part.length:.1f}", part.length / longest) for part in made])
        self.directions.show_bars([Bar(f"{part.name} {part.agrees:.2f}", abs(part.agrees)) for part in made])
        each = shares(inside)
        self.added.show_bars(
            [
                Bar(f"{layer} {name}", float(each[layer, at]), layer == state.layer)
                for layer in range(len(each))
                for at, name in enumerate((tr("attention"), tr("feed-forward")))
            ]
        )
        left = kept(inside)
        self.left.show_matrix(
            Shown(
                left,
                (tr("in"), *map(str, range(len(left) - 1))),
                state.tokens,
                signed=True,
                high=1.0,
                square=False,
            )
        )
        self.left.mark(state.layer + 1, state.token)
        attention, feed = made[1], made[3]
        self.text.setText(
            tr(
                "Attention adds a vector {attention} as long as what came in, the feed-forward network {feed}; behind "
                "the layer a cosine of {cosine} with what came in is left. Residuals carry the word through.",
                attention=f"{attention.length / max(made[0].length, 1e-9):.0%}",
                feed=f"{feed.length / max(made[2].length, 1e-9):.0%}", cosine=f"{made[4].agrees:.2f}",
            )
        )  # fmt: skip

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for part in (self.lengths, self.directions, self.added, self.left):
            part.set_tokens(tokens)
