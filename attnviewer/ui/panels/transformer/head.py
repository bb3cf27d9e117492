"""The head of the Transformer panel: the text, and which layer and head are in sight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QStringListModel, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QFrame, QLineEdit, QMenu, QPushButton

from attnviewer.core.i18n import tr
from attnviewer.ui.controls import Segments, button, column, label, named, row
from attnviewer.ui.panels.transformer.state import SAMPLES

OWN = "?"  # the entry that looks for a model


class TransformerHead(QFrame):
    """A line for the text, samples, and choosers of layer and head.

    Signals
    -------
    entered(str) : a text to be read.
    head_chosen(int, int) : layer and head; -1 for the one there is.
    model_chosen(str) : the net that is to read; "" for the English encoder.
    own_wanted() : the folder of a model is to be chosen.
    """

    entered = Signal(str)
    head_chosen = Signal(int, int)
    model_chosen = Signal(str)
    own_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("toolbar")
        self.field = named(QLineEdit(), tr("Text"), tr("A text in the language that the net reads"))
        self.field.returnPressed.connect(lambda: self.entered.emit(self.field.text()))
        self.samples = button(tr("Samples"), tr("Texts to begin with"), glyph="samples")
        self.models = named(QComboBox(), tr("Model"), tr("The net that reads"))
        self.models.activated.connect(self._choose)
        self.show_samples(SAMPLES)
        self.fault = label("", "error", wrap=True)
        self.fault.hide()
        self._history = QStringListModel(self)
        completer = QCompleter(self._history, self.field)
        completer.activated.connect(self.entered)
        self.field.setCompleter(completer)
        self._line = QFrame()
        self._line.setLayout(row(self.models, self.field, self.samples))
        self._choices = QFrame()
        self._choices.setLayout(row(spacing=8))
        self.layers: Segments | None = None
        self.heads: Segments | None = None
        self.setLayout(column(self._line, self._choices, self.fault, spacing=6, margins=(16, 10, 16, 8)))

    def show_samples(self, texts: Sequence[str]) -> None:
        """Offer texts to begin with; a net without any reads the photo."""
        self.field.setEnabled(bool(texts))
        self.samples.setEnabled(bool(texts))
        self.field.setPlaceholderText(
            tr("Type a text and press Enter") if texts else tr("This model reads the photo of the Image panel")
        )
        if not texts:
            self.field.clear()
        menu = QMenu(self)
        for text in texts:
            menu.addAction(text).triggered.connect(partial(self._pick, text))
        self.samples.setMenu(menu)

    def show_models(self, models: Sequence[tuple[str, str]], current: str) -> None:
        """Offer nets by their ids and names, and to look for another."""
        self.models.clear()
        for key, name in models:
            self.models.addItem(name, key)
        self.models.addItem(tr("Your own …"), OWN)
        self.mark_model(current)
        self.models.show()

    def _choose(self, _: int) -> None:
        chosen = self.models.currentData()
        if chosen == OWN:
            self.own_wanted.emit()
        else:
            self.model_chosen.emit(chosen)

    def mark_model(self, model: str) -> None:
        """Mark the net that reads."""
        self.models.setCurrentIndex(max(0, self.models.findData(model)))

    def _pick(self, text: str, *_: object) -> None:
        self.show_text(text)
        self.entered.emit(text)

    def show_parts(self, text: bool, heads: bool) -> None:
        """Show the line of text, and the choosers of layer and head, or leave them out."""
        self._line.setVisible(text)
        self._choices.setVisible(heads)

    def show_text(self, text: str) -> None:
        """Put a text into the line."""
        self.field.setText(text)
        self.field.setCursorPosition(0)

    def show_history(self, texts: Sequence[str]) -> None:
        """Offer texts of before."""
        self._history.setStringList(list(texts))

    def show_fault(self, text: str) -> None:
        """Show what is wrong with the text; an empty line hides it."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))

    def show_size(self, layers: int, heads: int) -> None:
        """Offer so many layers and heads."""
        if self.layers is not None and (len(self.layers.buttons), len(self.heads.buttons)) == (layers, heads):  # type: ignore[union-attr]
            return
        layout = self._choices.layout()
        assert layout is not None
        while layout.count():
            item = layout.takeAt(0)
            old = item.widget() if item is not None else None
            if old is not None:
                old.hide()
                old.deleteLater()
        self.layers = self._segments(layers, tr("Layer"), lambda n: self.head_chosen.emit(int(n), -1))
        self.heads = self._segments(heads, tr("Head"), lambda n: self.head_chosen.emit(-1, int(n)))
        for part in (label(tr("Layer"), "title"), self.layers, label(tr("Head"), "title"), self.heads):
            layout.addWidget(part)
        layout.addStretch(1)  # type: ignore[attr-defined]

    def _segments(self, count: int, name: str, choose: object) -> Segments:
        made = Segments([(str(n), str(n), f"{name} {n}") for n in range(count)], choose, name, 7)  # type: ignore[arg-type]
        for one in made.buttons.values():
            one.setMinimumWidth(22)
        return made

    def show_head(self, layer: int, head: int) -> None:
        """Mark the layer and head in sight."""
        if self.layers is not None and self.heads is not None:
            self.layers.show_choice(str(layer))
            self.heads.show_choice(str(head))

    @property
    def choosers(self) -> tuple[QPushButton, ...]:
        """All buttons that choose a layer or a head."""
        parts = [part for part in (self.layers, self.heads) if part is not None]
        return tuple(one for part in parts for one in part.buttons.values())
