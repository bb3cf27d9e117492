"""Cost: weights, multiplications, memory and steps of three kinds of layers, for the text in sight or any size."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSlider, QWidget

from attnviewer.core.i18n import tr
from attnviewer.core.transformer.cost import costs
from attnviewer.ui.controls import column, label, named, row
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.theme import Tokens

POWERS = 15  # lengths up to 2 ** 15
SIZES = (64, 128, 256, 384, 512, 768, 1024, 2048, 4096, 16384)


class CostView(QWidget):
    """A table that follows two sliders: the number of tokens and the size of a vector."""

    def __init__(self) -> None:
        super().__init__()
        self.length = named(QSlider(Qt.Orientation.Horizontal), tr("Tokens"), tr("How many tokens the text has"))
        self.size_ = named(QSlider(Qt.Orientation.Horizontal), tr("Numbers a token"), tr("Size of a token's vector"))
        self.length.setRange(4, POWERS * 4)
        self.size_.setRange(0, len(SIZES) - 1)
        self.size_.setValue(SIZES.index(384))
        self.told = label("", "value")
        self.text = label("", wrap=True)
        self._cells: list[list[QLabel]] = []
        self._seen: str | None = None
        table, grid = QFrame(), QGridLayout()
        table.setObjectName("stage")
        heads = (
            tr("one layer of"), tr("weights"), tr("multiplications"), tr("numbers kept"), tr("steps in a row"),
            tr("layers until both ends meet"),
        )  # fmt: skip
        for place, head in enumerate(heads):
            grid.addWidget(label(head, "title"), 0, place)
        for line in range(3):
            self._cells.append([label("", "value" if place == 0 else "") for place in range(len(heads))])
            for place, cell in enumerate(self._cells[-1]):
                grid.addWidget(cell, line + 1, place)
        grid.setSpacing(16)
        grid.setContentsMargins(18, 16, 18, 16)
        table.setLayout(grid)
        sliders = QWidget()
        sliders.setLayout(
            row(label(tr("Tokens L"), "title"), self.length, label(tr("Numbers D"), "title"), self.size_, spacing=12)
        )
        self.setLayout(column(self.told, sliders, table, self.text, 1, spacing=14, margins=(20, 16, 20, 16)))
        self.length.valueChanged.connect(self._show)
        self.size_.valueChanged.connect(self._show)
        self._show()

    @property
    def tokens(self) -> int:
        """The number of tokens that the slider tells."""
        return round(2 ** (self.length.value() / 4))

    def show_state(self, state: TransformerState) -> None:
        """Begin with the text in sight."""
        if state.tokens and state.text != self._seen:
            self._seen = state.text
            self.length.setValue(min(POWERS * 4, max(4, round(4 * (len(state.tokens)).bit_length()))))
            self._show(exact=len(state.tokens))

    def _show(self, *_: object, exact: int | None = None) -> None:
        length, size = exact or self.tokens, SIZES[self.size_.value()]
        self.told.setText(tr("{length} tokens of {size} numbers", length=f"{length:,}", size=f"{size:,}"))
        for cells, cost in zip(self._cells, costs(length, size), strict=True):
            told = (cost.name, *(f"{n:,}" for n in (cost.weights, cost.products, cost.memory, cost.steps, cost.apart)))
            for cell, text in zip(cells, told, strict=True):
                cell.setText(text)
        many = length > size
        count = f"{length**2:,}"
        self.text.setText(
            tr("There are more tokens than numbers in a token: the square of the length is what costs most.") if many
            else tr("The weights don't hang on the length; the map of a head does: {cells} cells.", cells=count)
        )  # fmt: skip

    def set_tokens(self, tokens: Tokens) -> None:
        """The style sheet paints everything here."""
