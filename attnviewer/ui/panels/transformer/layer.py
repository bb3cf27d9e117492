"""A layer unrolled: a token's vector, what attention and feed-forward network add, and what each layer would say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QStackedWidget, QWidget

from attnviewer.core.ablation import Ablation
from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr
from attnviewer.core.transformer.findings import Lens
from attnviewer.core.transformer.requests import LensRequest
from attnviewer.core.transformer.unrolled import Part, kept, parts, shares
from attnviewer.ui.controls import Segments, column, label, named, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.lenstable import LensTable
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.textsize import scaled
from attnviewer.ui.widgets.bars import Bar, Bars
from attnviewer.ui.widgets.side import Page, scrolled

FLOW = "x  →  {attention}  →  +  →  {norm}  →  {feed}  →  +  →  {norm}"
LEFT, LENS = "left", "lens"
SAYING = ("gpt2",)  # kinds of models of the user's own that say a next word


class LayerView(StudyView):
    """Bars of the parts of the layer in sight at the lit token; beside them what is left of each word, or the lens.

    Signals
    -------
    pointed(int) : a token.
    altered(object) : an `Ablation` with residuals on or off.
    """

    pointed = Signal(int)
    altered = Signal(object)
    name = "layer"

    def __init__(self) -> None:
        super().__init__()
        self._state: TransformerState | None = None
        self.page = LEFT
        self.lens: Lens | None = None
        self._asked: object = None
        self._known: tuple[Any, Any, Any] = (None, None, None)  # what came of what was read
        self.title, self.flow = label("", "value"), label("", "muted", wrap=True)
        self.lengths, self.directions = (
            Bars(name, "", 5, least=5) for name in (tr("Lengths"), tr("Cosines with what came in"))
        )
        self.added = Bars(tr("What is added, as a share of what it is added to"), "", 12, least=12)
        self.left = HeatMap(tr("How much of each word is left"))
        self.left.clicked.connect(lambda _, token: self.pointed.emit(token))
        self.left.hovered.connect(lambda layer, token: self.left.mark(layer, token) if layer >= 0 else None)
        self.said = LensTable(tr("What each layer would already say"))
        self.said.pointed.connect(lambda _, token: self.pointed.emit(token))
        self.residuals = named(
            QCheckBox(tr("Residuals")), tr("Residuals"),
            tr("Add what enters a sub-layer to what it gives; without it the word is lost after a layer or two"),
        )  # fmt: skip
        self.residuals.setChecked(True)
        self.residuals.toggled.connect(self._turn)
        self.pages = Segments(
            ((LEFT, tr("What is left"), tr("Cosine of each vector with the token's first one, layer by layer")),
             (LENS, tr("Logit lens"), tr("What each layer would already say, were it the last"))),
            self.choose_page, tr("Beside the bars"),
        )  # fmt: skip
        self.stack, self.hint = QStackedWidget(), label("", "muted", wrap=True)
        self.stack.addWidget(self.left)
        self.stack.addWidget(self.said)
        self._place()

    def _place(self) -> None:
        side, page, top, rest = QFrame(), Page(), QWidget(), QWidget()
        side.setObjectName("side")
        side.setFixedWidth(scaled(340))
        side.setLayout(column(scrolled(page), spacing=0))
        page.setLayout(
            column(
                self.flow, label(tr("Lengths of the vectors"), "title"), self.lengths,
                label(tr("Cosine with what came in"), "title"), self.directions,
                label(tr("Added in each layer (mean over tokens)"), "title"), self.added, 1,
                spacing=6, margins=(10, 8, 14, 8),
            )
        )  # fmt: skip
        top.setLayout(row(self.title, 1, self.residuals, self.pages, spacing=14))
        rest.setLayout(column(self.hint, self.stack, spacing=8))
        rest.layout().setStretch(1, 1)  # type: ignore[union-attr]
        both = QWidget()
        both.setLayout(row(side, rest, spacing=16))
        both.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.lay_out(top, both, grows=1)

    def painted(self) -> Sequence[Any]:
        return (self.lengths, self.directions, self.added, self.left, self.said)

    def _turn(self, on: bool) -> None:
        if self._state is not None and self._state.saved is None:
            self.altered.emit(replace(self._state.change, residuals=on))

    def choose_page(self, page: str) -> None:
        """Show what is left of each word, or the lens."""
        self.page = page
        if self._state is not None:
            self.show_state(self._state)

    def show_state(self, state: TransformerState) -> None:
        """Show the layer in sight at the lit token."""
        self._state, inside = state, state.inside
        self.pages.show_choice(self.page)
        self.stack.setCurrentIndex(self.page == LENS)
        self.residuals.blockSignals(True)
        self.residuals.setChecked(state.change.residuals)
        self.residuals.blockSignals(False)
        if inside is None or not 0 <= state.token < len(state.tokens):
            why = state.maps_alone(tr("A saved trace holds maps, not vectors. Type a text."))
            return self.tell(why or tr("Reading …"))
        made = parts(inside, state.layer, state.token)
        self.title.setText(tr("Layer {layer} at “{token}”", layer=state.layer, token=state.tokens[state.token]))
        self.flow.setText(FLOW.format(attention=tr("attention"), norm=tr("normalise"), feed=tr("feed-forward")))
        longest = max(part.length for part in made) or 1.0
        self.lengths.show_bars([Bar(tr(part.name), part.length / longest, told=f"{part.length:.1f}") for part in made])
        self.directions.show_bars([Bar(tr(part.name), abs(part.agrees), told=signed(part.agrees)) for part in made])
        if self._known[0] is not inside:
            self._known = inside, kept(inside), shares(inside)
        self._show_added(self._known[2], state.layer)
        self._show_left(state, self._known[1])
        self._show_lens(state)
        return self.tell(sentence(made, state.change))

    def _show_added(self, each: Any, layer: int) -> None:
        names = (tr("attention"), tr("feed-forward"))
        self.added.show_bars(
            [Bar(f"{n} {name}", float(each[n, at]), n == layer) for n in range(len(each)) for at, name in
             enumerate(names)]
        )  # fmt: skip

    def _show_left(self, state: TransformerState, left: Any) -> None:
        rows = (tr("in"), *map(str, range(len(left) - 1)))
        self.left.show_matrix(Shown(left, rows, state.tokens, signed=True, high=1.0, square=False))
        self.left.mark(state.layer + 1, state.token)

    def _show_lens(self, state: TransformerState) -> None:
        """Ask for the lens where it is in sight and isn't known for what is read."""
        if self.page == LEFT:
            return self.hint.setText(tr("Cosine of each token's vector with its first one: a row is a layer."))
        if state.model and state.kind not in SAYING:
            self.said.show_lens(None, 0)
            return self.hint.setText(
                tr("{model} says no next word; the lens looks through decoders of the GPT-2 kind.",
                   model=state.trace.model if state.trace is not None else state.model)
                if state.kind else tr("An encoder that reads for a translator says no words; see Decoder.")
            )  # fmt: skip
        change = state.change if state.changed and state.trace is not state.plain and not state.kind else Ablation()
        wanted = LensRequest(state.text, state.model or None, change)
        if self._asked is None or wanted.__dict__ != self._asked.__dict__:
            self._asked, self.lens = wanted, None
            self.wanted.emit(LENS, wanted)
        fits = self.lens is not None and self.lens.tokens == state.tokens
        self.said.show_lens(self.lens if fits else None, state.token)
        return self.hint.setText(
            tr("Each cell is the word that would come next, were this layer the last (probabilities on hover). "
               "Heads that are off still work here.")
            if fits and state.kind else
            tr("This encoder has no head that says words. Each cell is the word of its vocabulary whose input vector "
               "is nearest (cosine on hover; all around their mean). In Decoder the lens tells probabilities.")
            if fits else tr("Looking through the layers …")
        )  # fmt: skip

    def take(self, lane: str, finding: Finding) -> None:
        if isinstance(finding, Lens) and self._state is not None:
            self.lens = finding
            self._show_lens(self._state)

    def fail(self, lane: str, message: str) -> None:
        self.hint.setText(message)

    def numbers(self) -> dict[str, Any]:
        state = self._state
        if state is None or state.inside is None or state.token < 0:
            return {}
        made = parts(state.inside, state.layer, state.token)
        return {"text": state.text, "layer": state.layer, "token": state.token, "parts": made,
                "kept": kept(state.inside), "added": shares(state.inside), "lens": self.lens}  # fmt: skip

    def table(self) -> list[Sequence[Any]]:
        head = ("part", "length", "cosine with what came in")
        return [head, *((part.name, part.length, part.agrees) for part in self.numbers().get("parts", ()))]


def sentence(made: Sequence[Part], change: Ablation) -> str:
    """What a layer does to a token, in words."""
    came, attention, middle, feed, out = made
    told = {
        "attention": f"{attention.length / max(came.length, 1e-9):.0%}",
        "feed": f"{feed.length / max(middle.length, 1e-9):.0%}",
        "cosine": signed(out.agrees),
    }
    if not change.residuals:
        return tr(
            "Residuals are off: what attention and the feed-forward network give replaces the vector instead of being "
            "added. Behind the layer a cosine of {cosine} with what came in is left.", **told,
        )  # fmt: skip
    return tr(
        "Attention adds a vector {attention} as long as what came in, the feed-forward network {feed}; behind the "
        "layer a cosine of {cosine} with what came in is left. Residuals carry the word through.", **told,
    )  # fmt: skip


def signed(value: float) -> str:
    """A cosine with a real minus."""
    return f"{value:.2f}".replace("-", "−")
