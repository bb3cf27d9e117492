"""Heads at a glance: layers x heads as small maps with what each tends to do; one of them large, or all together."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviewer.core.attend import head_name
from attnviewer.core.habits import Habit
from attnviewer.core.i18n import tr
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.shades import shades, shrink
from attnviewer.ui.controls import Segments, column, label, plain, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown, image_of, table
from attnviewer.ui.panels.transformer.links import LinksView
from attnviewer.ui.panels.transformer.measured import told
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.textsize import scaled
from attnviewer.ui.theme import LIGHT, Tokens

SMALL = 64  # cells a side of a small map
MARGIN, GAP, CAPTION, WORTH = 22.0, 4.0, 12.0, 5.0


class GlanceGrid(QWidget):
    """All maps of a net, a row a layer; a click takes one in sight.

    Signals
    -------
    chosen(int, int) : layer and head.
    """

    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._tokens, self._maps = LIGHT, np.zeros((0, 0, 0, 0), np.float32)
        self._images: list[list[QImage]] = []
        self.names: list[list[str]] = []
        self.measured: list[list[Habit | None]] = []
        self.off: frozenset[tuple[int, int]] = frozenset()
        self.layer = self.head = 0
        self.setAccessibleName(tr("All heads, a row a layer"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(300, 160)

    def sizeHint(self) -> QSize:
        return QSize(700, 420)

    def show_maps(
        self, weights: Floats, names: list[list[str]], off: frozenset[tuple[int, int]],
        measured: list[list[Habit | None]],
    ) -> None:  # fmt: skip
        """Show maps [N, H, T, L] with a name each, those in `off` crossed out, and a bar where the loss is known."""
        self.names, self.off, self.measured = names, off, measured
        if weights is not self._maps:
            self._maps = weights
            self._small = shrink(weights, SMALL)
            self._paint_images()
        self.update()

    def mark(self, layer: int, head: int) -> None:
        """Frame the head in sight."""
        self.layer, self.head = layer, head
        self.update()

    def set_tokens(self, tokens: Tokens) -> None:
        self._tokens = tokens
        if self._maps.size:
            self._paint_images()
        self.update()

    def _paint_images(self) -> None:
        colours = table(self._tokens, signed=False)
        self._images = [[image_of(shades(one, False, 1.0), colours) for one in layer] for layer in self._small]

    def box(self, layer: int, head: int) -> QRectF:
        """Where a small map lies."""
        layers, heads = len(self._images), len(self._images[0])
        wide = (self.width() - MARGIN - GAP) / heads - GAP
        under = scaled(CAPTION) + (WORTH if self.measured else 0)
        high = (self.height() - MARGIN) / layers - GAP - under
        side = max(min(wide, high), 6.0)
        step = (self.width() - MARGIN - GAP) / heads
        return QRectF(
            MARGIN + head * step + (step - side) / 2, MARGIN + layer * (side + GAP + under), side, side
        )  # fmt: skip

    def worth(self, layer: int, head: int) -> float | None:
        """How much is lost without a head, as a share of the largest loss; None where that isn't known."""
        losses = [one.lost for row in self.measured for one in row if one is not None and one.lost is not None]
        own = self.measured[layer][head] if self.measured else None
        if own is None or own.lost is None:
            return None
        return max(own.lost, 0.0) / max(*losses, 0.0, 1e-9)

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """The head at a point."""
        for layer in range(len(self._images)):
            for head in range(len(self._images[layer])):
                if self.box(layer, head).adjusted(-2, -2, 2, scaled(CAPTION)).contains(point):
                    return layer, head
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.at(event.position())
        if found is not None:
            self.chosen.emit(*found)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain(self.tip(*found) if found else self.accessibleName()), self)
            return True
        return super().event(event)

    def tip(self, layer: int, head: int) -> str:
        """What is known of a head."""
        name = self.names[layer][head] if self.names else ""
        here = tr("mostly looks at: {name}", name=name) if name else tr("looks at no one thing for more than half")
        said = (told(self.measured[layer][head]) if self.measured else "") or here
        state = tr(", switched off") if (layer, head) in self.off else ""
        return tr("Layer {layer}, head {head}: {told}{state}", layer=layer, head=head, told=said, state=state)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._images:
            return
        painter = QPainter(self)
        font = self.font()
        font.setPixelSize(scaled(10))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        for layer, images in enumerate(self._images):
            for head, image in enumerate(images):
                box = self.box(layer, head)
                self._paint_map(painter, box, image, layer, head)
                if layer == 0:
                    painter.setPen(QColor(self._tokens.muted))
                    painter.drawText(
                        QRectF(box.x(), 0, box.width(), MARGIN - 4), Qt.AlignmentFlag.AlignCenter, str(head)
                    )
                if self.names and self.names[layer][head]:
                    text = metrics.elidedText(self.names[layer][head], Qt.TextElideMode.ElideRight, box.width() + 6)
                    place = QRectF(box.x() - 3, box.bottom(), box.width() + 6, scaled(CAPTION))
                    painter.setPen(QColor(self._tokens.muted))
                    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
                self._paint_worth(painter, box, layer, head)
            first = self.box(layer, 0)
            painter.setPen(QColor(self._tokens.muted))
            painter.drawText(QRectF(0, first.y(), MARGIN - 4, first.height()), Qt.AlignmentFlag.AlignCenter, str(layer))
        painter.end()

    def _paint_worth(self, painter: QPainter, box: QRectF, layer: int, head: int) -> None:
        worth = self.worth(layer, head)
        if worth is not None:
            bar = QRectF(box.x(), box.bottom() + scaled(CAPTION) + 1, box.width(), WORTH - 2)
            painter.fillRect(bar, QColor(self._tokens.raised))
            painter.fillRect(QRectF(bar.x(), bar.y(), bar.width() * worth, bar.height()), QColor(self._tokens.text))

    def _paint_map(self, painter: QPainter, box: QRectF, image: QImage, layer: int, head: int) -> None:
        chosen = (layer, head) == (self.layer, self.head)
        painter.drawImage(box, image)
        painter.setPen(QPen(QColor(self._tokens.accent if chosen else self._tokens.line), 3 if chosen else 1))
        painter.drawRect(box)
        if (layer, head) in self.off:
            painter.setPen(QPen(QColor(self._tokens.danger), 2))
            painter.drawLine(box.topLeft(), box.bottomRight())
            painter.drawLine(box.topRight(), box.bottomLeft())


class GlanceView(QWidget):
    """The grid, and one map large: a head, the mean or maximum of its layer, rollout, or weighted by the values' norms.

    Signals
    -------
    chosen(int, int) : layer and head.
    way_chosen(str) : what is shown large.
    pointed(int) : a token.
    """

    chosen = Signal(int, int)
    way_chosen = Signal(str)
    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.grid, self.links, self.large = GlanceGrid(), LinksView(), HeatMap(tr("The map in sight"))
        ways = (
            ("head", tr("Head"), tr("The weights of the head in sight")),
            ("mean", tr("Mean"), tr("The mean of the heads of its layer")),
            ("max", tr("Max"), tr("The largest weight of any head of its layer; rows don't sum to 1")),
            (
                "rollout",
                tr("Rollout"),
                tr("Where information came from through all layers so far (Abnar & Zuidema 2020)"),
            ),
            ("norm", "‖p v‖", tr("Weights times the length of what arrives (Kobayashi et al. 2020)")),
        )
        self.ways = Segments(ways, self.way_chosen.emit, tr("The large map"))
        self.title, self.text, self.known = (
            label("", "value"), label("", "muted", wrap=True), label("", "muted", wrap=True),
        )  # fmt: skip
        side = QWidget()
        side.setLayout(
            column(self.title, self.ways, self.large, self.text, self.known, spacing=8, margins=(8, 10, 14, 10))
        )
        side.layout().setStretch(2, 1)  # type: ignore[union-attr]
        side.setMinimumWidth(330)
        left = QWidget()
        left.setLayout(
            column(self.grid, label(tr("Where the lit token looked, layer by layer"), "title"), self.links, spacing=4)
        )
        left.layout().setStretch(0, 5)  # type: ignore[union-attr]
        left.layout().setStretch(2, 2)  # type: ignore[union-attr]
        self.setLayout(row(left, side, spacing=6, margins=(12, 8, 0, 8)))
        self.layout().setStretch(0, 3)  # type: ignore[union-attr]
        self.layout().setStretch(1, 2)  # type: ignore[union-attr]
        self.grid.chosen.connect(self.chosen)
        self.links.pointed.connect(self.pointed)
        self.large.hovered.connect(self._hover)
        self.large.clicked.connect(lambda at, _: self.pointed.emit(at))
        self._state: TransformerState | None = None

    def show_state(self, state: TransformerState) -> None:
        """Show all heads of the reading in sight."""
        self._state = state
        if state.maps is None:
            return
        self.grid.show_maps(state.maps, state.names, frozenset(state.change.off), state.measured)
        self.grid.mark(state.layer, state.head)
        self.links.show_links(state.maps, state.places, state.token)
        self.ways.show_choice(state.way)
        self.large.show_matrix(Shown(state.enlarged(), state.tokens, state.places))  # type: ignore[arg-type]
        self.large.mark(state.token)
        self.title.setText(self._title(state))
        own = told(state.measured[state.layer][state.head]) if state.measured else ""
        self.known.setText(
            tr("Measured, head {head}: {told}. Bars below the maps: BLEU lost without each.",
               head=head_name(state.layer, state.head), told=own) if own else ""
        )  # fmt: skip
        self.known.setVisible(bool(own))
        self._tell(state.token)

    def _title(self, state: TransformerState) -> str:
        named = {
            "head": partial(tr, "Layer {layer}, head {head}", layer=state.layer, head=state.head),
            "norm": partial(tr, "Layer {layer}, head {head}: what arrives", layer=state.layer, head=state.head),
            "rollout": partial(tr, "Rollout through layer {layer}", layer=state.layer),
        }
        return named.get(state.way, partial(tr, "Layer {layer}, all heads", layer=state.layer))()

    def _hover(self, at: int, place: int) -> None:
        if self._state is not None:
            token = at if at >= 0 else self._state.token
            self.large.mark(token, place)
            self._tell(token)

    def _tell(self, token: int) -> None:
        """What the row of a token says, in words."""
        state = self._state
        shown = state.enlarged() if state is not None else None
        if state is None or shown is None or not 0 <= token < len(shown):
            return
        order = np.argsort(-shown[token], kind="stable")[:3]
        listed = ", ".join(f"{state.places[at]} {shown[token, at]:.2f}" for at in order)
        self.text.setText(tr("“{token}” looks most at: {listed}.", token=state.tokens[token], listed=listed))

    def set_tokens(self, tokens: Tokens) -> None:
        """Paint in the colours of the theme."""
        self.grid.set_tokens(tokens)
        self.links.set_tokens(tokens)
        self.large.set_tokens(tokens)
