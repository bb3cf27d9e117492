"""Change it: heads switched off or made uniform, masks, positions and residuals; the maps before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QSizePolicy, QToolTip, QWidget

from attnviewer.core.ablation import Ablation
from attnviewer.core.i18n import tr
from attnviewer.ui.controls import Segments, button, column, label, named, plain, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.state import CHANGED, TransformerState
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens
from attnviewer.ui.widgets.bars import Bar, Bars
from attnviewer.ui.widgets.side import Page, scrolled

ON, OFF, UNIFORM = "on", "off", "uniform"
NEXT = {ON: OFF, OFF: UNIFORM, UNIFORM: ON}
EDGE = 24.0


class Switches(QWidget):
    """A switch a head, a row a layer: a click goes from on to off to uniform; the number of a row turns a whole layer.

    Signals
    -------
    turned(object) : an `Ablation` with other heads.
    """

    turned = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._tokens, self.change, self.size_ = LIGHT, Ablation(), (6, 12)
        self.setAccessibleName(tr("Switches of the heads, a row a layer"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(176)

    def sizeHint(self) -> QSize:
        return QSize(320, 176)

    def show_change(self, change: Ablation, layers: int, heads: int) -> None:
        """Show which heads are off or uniform."""
        self.change, self.size_ = change, (layers, heads)
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.update()

    def state_of(self, layer: int, head: int) -> str:
        """On, off or uniform."""
        pair = (layer, head)
        return OFF if pair in self.change.off else UNIFORM if pair in self.change.uniform else ON

    def _box(self, layer: int, head: int) -> QRectF:
        layers, heads = self.size_
        wide, high = (self.width() - EDGE) / heads, (self.height() - EDGE) / layers
        return QRectF(EDGE + head * wide + 2, EDGE + layer * high + 2, wide - 4, high - 4)

    def at(self, point: QPointF) -> tuple[int, int]:
        """Layer and head at a point; -1 for the numbers at the edge."""
        layers, heads = self.size_
        layer = int((point.y() - EDGE) // ((self.height() - EDGE) / layers)) if point.y() >= EDGE else -1
        head = int((point.x() - EDGE) // ((self.width() - EDGE) / heads)) if point.x() >= EDGE else -1
        return min(layer, layers - 1), min(head, heads - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.press(*self.at(event.position()))

    def press(self, layer: int, head: int) -> None:
        """Turn one head, a whole layer (head -1) or the same head of all layers (layer -1) to its next state."""
        layers, heads = self.size_
        pairs = [(n, h) for n in range(layers) for h in range(heads) if layer in (-1, n) and head in (-1, h)]
        wanted = NEXT[self.state_of(*pairs[0])]
        off, uniform = set(self.change.off) - set(pairs), set(self.change.uniform) - set(pairs)
        (off if wanted == OFF else uniform if wanted == UNIFORM else set()).update(pairs)
        self.turned.emit(replace(self.change, off=tuple(off), uniform=tuple(uniform)))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            layer, head = self.at(QPointF(event.pos()))
            known = layer >= 0 and head >= 0
            text = (
                tr("Layer {layer}, head {head}: {state}; click to change", layer=layer, head=head,
                   state=self.state_of(layer, head)) if known else tr("Click to turn the whole row or column")
            )  # fmt: skip
            QToolTip.showText(event.globalPos(), plain(text), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, (layers, heads) = QPainter(self), self.size_
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPixelSize(scaled(11))
        painter.setFont(font)
        middle = Qt.AlignmentFlag.AlignCenter
        for layer in range(layers):
            for head in range(heads):
                box, state = self._box(layer, head), self.state_of(layer, head)
                painter.setPen(QColor(self._tokens.line if state == ON else self._tokens.danger))
                painter.setBrush(QColor(self._tokens.accent if state == ON else self._tokens.raised))
                painter.drawRoundedRect(box, 4, 4)
                if state != ON:
                    painter.setPen(QColor(self._tokens.danger))
                    painter.drawText(box, middle, "×" if state == OFF else "=")
                painter.setPen(QColor(self._tokens.muted))
                if layer == 0:
                    painter.drawText(QRectF(box.x(), 0, box.width(), EDGE), middle, str(head))
            painter.drawText(QRectF(0, self._box(layer, 0).y(), EDGE, self._box(layer, 0).height()), middle, str(layer))
        painter.end()


class ChangeView(QWidget):
    """Switches at the left; the map in sight before and after; how far each token's last vector turned.

    Signals
    -------
    altered(object) : another `Ablation`.
    """

    altered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._state: TransformerState | None = None
        self.side = QFrame()
        self.switches, self.bars = Switches(), Bars(tr("How far the last vector of each token turned"), "", 9)
        masks = (
            ("none", tr("None"), tr("Every token sees every token")),
            ("future", tr("Future"), tr("No token sees those behind it, as in a decoder")),
            ("past", tr("Past"), tr("No token sees those before it")),
        )
        self.masks = Segments(masks, lambda mask: self._alter(mask=mask, hidden=()), tr("Mask"))
        self.flags = {
            "positions": self._flag(tr("Positions"), tr("Tell tokens where they stand"), True),
            "residuals": self._flag(tr("Residuals"), tr("Add what enters a sub-layer to what it gives"), True),
            "tied": self._flag("W_q = W_k", tr("Make queries with the weights of the keys"), False),
        }
        for name, box in self.flags.items():
            box.toggled.connect(self._toggle(name))
        self.before, self.after = HeatMap(tr("Before the change")), HeatMap(tr("After the change"))
        self.after.clicked.connect(self._hide_cell)
        self.switches.turned.connect(self.altered)
        self.said, self.hint = label("", wrap=True), label("", "muted", wrap=True)
        self.titles = (label(tr("Before"), "title"), label(tr("After"), "title"))
        self._lay_out()

    def _flag(self, text: str, tip: str, on: bool) -> QCheckBox:
        made = named(QCheckBox(text), text, tip)
        made.setChecked(on)
        return made

    def _lay_out(self) -> None:
        left, page, maps, right = self.side, Page(), QWidget(), QWidget()
        left.setObjectName("side")
        buttons, flags = QWidget(), QWidget()
        buttons.setLayout(
            column(
                button(tr("Only the one in sight"), tr("Switch all heads off but the one in sight"), self.all_but),
                button(tr("Undo all"), tr("Everything as it was"), lambda: self.altered.emit(Ablation()), glyph="undo"),
                spacing=6,
            )
        )  # fmt: skip
        flags.setLayout(column(*self.flags.values(), spacing=2))
        page.setLayout(
            column(
                label(tr("Heads: click for off (×), uniform (=), on"), "title", wrap=True), self.switches, buttons,
                label(tr("Mask"), "title"), self.masks, flags,
                label(tr("How far each last vector turned (1 − cosine)"), "title", wrap=True), self.bars, 1,
                spacing=8, margins=(12, 10, 14, 10),
            )
        )  # fmt: skip
        left.setLayout(column(scrolled(page), spacing=0))
        pairs = []
        for title, heat in zip(self.titles, (self.before, self.after), strict=True):
            box = QWidget()
            box.setLayout(column(title, heat, spacing=4))
            box.layout().setStretch(1, 1)  # type: ignore[union-attr]
            pairs.append(box)
        self._maps = row(*pairs, spacing=12)
        maps.setLayout(self._maps)
        right.setLayout(column(self.said, maps, self.hint, spacing=8, margins=(16, 12, 16, 10)))
        right.layout().setStretch(1, 1)  # type: ignore[union-attr]
        self.setLayout(row(left, right, spacing=0))
        self.layout().setStretch(1, 1)  # type: ignore[union-attr]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.side.setFixedWidth(min(scaled(348), int(self.width() * 0.46)))
        slim = self.width() - self.side.width() < self.height()
        self._maps.setDirection(QBoxLayout.Direction.TopToBottom if slim else QBoxLayout.Direction.LeftToRight)

    def _alter(self, **changes: object) -> None:
        if self._state is not None:
            self.altered.emit(replace(self._state.change, **changes))  # type: ignore[arg-type]

    def _toggle(self, name: str) -> Callable[[bool], None]:
        return lambda on: self._alter(**{name: on})

    def all_but(self) -> None:
        """Switch every head off but the one in sight."""
        if self._state is not None and self._state.inside is not None:
            layers, heads, _ = self._state.inside.shape
            kept = (self._state.layer, self._state.head)
            off = tuple((n, h) for n in range(layers) for h in range(heads) if (n, h) != kept)
            self._alter(off=off, uniform=())

    def _hide_cell(self, at: int, place: int) -> None:
        """Mask one cell, or show it again."""
        state = self._state
        if state is None:
            return
        hidden = set(state.change.hidden) ^ {(at, place)}
        if sum(cell[0] == at for cell in hidden) < len(state.tokens):
            self._alter(hidden=tuple(hidden))

    def show_state(self, state: TransformerState) -> None:
        """Show what is changed and what it does."""
        self._state = state
        plain = state.plain.inside if state.plain is not None else None
        if plain is None:
            if why := state.maps_alone(tr("A saved trace can't be changed. Type a text to have it read by a net.")):
                self.said.setText(why)
            return
        self.switches.show_change(state.change, *plain.shape[:2])
        self.masks.show_choice(state.change.mask)
        for name, box in self.flags.items():
            box.blockSignals(True)
            box.setChecked(getattr(state.change, name))
            box.blockSignals(False)
        other = state.traces.get(CHANGED) if state.changed else None
        after = other.inside if other is not None and other.inside is not None else plain
        for heat, inside in ((self.before, plain), (self.after, after)):
            heat.show_matrix(Shown(inside.weights[state.layer, state.head], state.tokens, state.tokens, high=1.0))
            heat.mark(state.token)
        self._say(state)

    def _say(self, state: TransformerState) -> None:
        moved, likeness = state.moved(), state.likeness()
        self.hint.setText(
            tr("In a model of your own heads can be switched off; masks and the other changes are for nets that ship.")
            if state.kind else tr("Click cells of the right map to mask them one by one.")
        )  # fmt: skip
        if moved is None or likeness is None:
            waiting = (
                tr("Reading again …")
                if state.changed
                else tr("Nothing is changed yet. Switch a head off, or choose a mask.")
            )
            self.said.setText(waiting)
            self.bars.show_bars([])
            return
        order = np.argsort(-moved, kind="stable")
        self.bars.show_bars([Bar(state.tokens[at], float(moved[at]), at == state.token) for at in order.tolist()])
        most = int(order[0])
        self.said.setText(
            tr(
                "The change turned “{token}” most: by {angle}. The mean vector has a cosine of {likeness} to before.",
                token=state.tokens[most], angle=f"{state.angle(most):.0f}°", likeness=f"{likeness:.2f}",
            )
        )  # fmt: skip

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        for part in (self.switches, self.bars, self.before, self.after):
            part.set_tokens(tokens)
