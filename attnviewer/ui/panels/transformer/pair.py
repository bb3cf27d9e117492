"""Encoder, decoder and the look between them side by side; masks are painted, and the decoder may be let look ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from attnviewer.core.ablation import Ablation, Changes
from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr
from attnviewer.core.transformer.findings import Pair
from attnviewer.core.transformer.pair import MEAN, one_map, sees_something, turned
from attnviewer.core.transformer.requests import PairRequest
from attnviewer.ui.controls import Segments, button, column, label, named, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.lenstable import LensTable
from attnviewer.ui.panels.transformer.measured import habits_of_model, told
from attnviewer.ui.panels.transformer.pairsays import MISSING, MODEL, NAMES, sentence
from attnviewer.ui.panels.transformer.spanish import sentences
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.widgets.bars import Bar, Bars

PARTS = ("encoder", "decoder", "cross")
PLAIN, NOW = "plain", "now"


class PairView(StudyView):
    """A Spanish sentence above, three maps, and below them what each layer of the decoder would already write."""

    name = "pair"

    def __init__(self) -> None:
        super().__init__()
        self.change, self.layer, self.head, self.word = Changes(), 1, MEAN, 0
        self.plain: Pair | None = None
        self.found: Pair | None = None
        self._asked = self._hides = False
        self.field = named(QLineEdit(), tr("Spanish sentence"), tr("A Spanish sentence of up to 60 words"))
        self.field.returnPressed.connect(self.read)
        self.samples = sentences(self.field, self.read)
        self.ahead = named(
            QCheckBox(tr("Let the decoder look ahead")), tr("Let the decoder look ahead"),
            tr("Take the decoder's mask away while it reads the whole translation again. While it writes, word by "
               "word, there is nothing ahead to look at."),
        )  # fmt: skip
        self.ahead.toggled.connect(lambda _: self._ask())
        self.undo = button(tr("Undo all"), tr("Show all cells again, and mask the future"), self.restore, glyph="undo")
        self.layers = self.heads = Segments((), self.choose_layer, tr("Layer"))
        self.maps = {part: HeatMap(name) for part, name in zip(PARTS, NAMES(), strict=True)}
        self.titles = {part: label(name, "title", wrap=True) for part, name in zip(PARTS, NAMES(), strict=True)}
        self.notes = {part: label("", "muted", wrap=True) for part in PARTS}
        self.habits = habits_of_model(MODEL)
        self.chances = Bars(tr("Probability of each word"), "", 9)
        self.lens = LensTable(tr("What each layer of the decoder would already write"))
        self.lens.pointed.connect(lambda _, word: self.light(word))
        for part, heat in self.maps.items():
            heat.hovered.connect(partial(self._hover, part))
            heat.clicked.connect(partial(self._press, part))
            heat.dragged.connect(partial(self._drag, part))
        self._lay_out()

    def _lay_out(self) -> None:
        top, choices, three, below = QWidget(), QWidget(), QWidget(), QWidget()
        top.setLayout(row(self.field, self.samples, self.undo))
        self._choices = row(self.ahead, 1, spacing=12)
        choices.setLayout(self._choices)
        boxes = []
        for part in PARTS:
            box = QWidget()
            box.setLayout(column(self.titles[part], self.maps[part], self.notes[part], spacing=4))
            box.layout().setStretch(1, 1)  # type: ignore[union-attr]
            boxes.append(box)
        three.setLayout(row(*boxes, spacing=14))
        said, lens = QWidget(), QWidget()
        said.setLayout(column(label(tr("Probability of each word"), "title"), self.chances, 1, spacing=4))
        title = label(tr("Logit lens: what each layer of the decoder would already write"), "title", wrap=True)
        lens.setLayout(column(title, self.lens, spacing=4))
        lens.layout().setStretch(1, 1)  # type: ignore[union-attr]
        below.setLayout(row(said, lens, spacing=14))
        for box, places in ((three, (1, 1, 1)), (below, (1, 2))):
            for place, share in enumerate(places):
                box.layout().setStretch(place, share)  # type: ignore[union-attr]
        self.lay_out(top, choices, three, below, grows=2)
        self.stage.layout().setStretch(3, 7)  # type: ignore[union-attr]
        self.stage.layout().setStretch(4, 4)  # type: ignore[union-attr]

    def painted(self) -> Sequence[Any]:
        return (*self.maps.values(), self.chances, self.lens)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "on": lambda: self._step(1), "back": lambda: self._step(-1), "undo": self.restore,
            "layer_on": lambda: self.choose_layer(self.layer + 1),
            "layer_back": lambda: self.choose_layer(self.layer - 1),
            "head_on": lambda: self.choose_head(self.head + 1),
            "head_back": lambda: self.choose_head(self.head - 1),
            "type": self.field.setFocus,
        }  # fmt: skip

    def _step(self, by: int) -> None:
        if self.found is not None:
            self.light((self.word + by) % len(self.found.words))

    def show_state(self, state: TransformerState) -> None:
        if not self._asked:
            self.read()

    def read(self) -> None:
        """Translate the sentence anew; masks of another one are done with."""
        self._asked, self.change, self.plain, self.found = True, Changes(), None, None
        if not self.field.text().strip():
            return self.tell(tr("There is no word to translate; type a Spanish sentence."), fault=True)
        self.tell(tr("Translating …"))
        self.wanted.emit(PLAIN, PairRequest(self.field.text()))
        return self._ask() if self.ahead.isChecked() else None

    def restore(self) -> None:
        """Everything as it was."""
        self.change = Changes()
        self.ahead.setChecked(False)
        self._ask()

    @property
    def changed(self) -> bool:
        """Whether anything is masked otherwise than it should be."""
        return self.ahead.isChecked() or self.change != Changes()

    def _ask(self) -> None:
        if not self.changed:
            self.stopped.emit(NOW)
            self.found = self.plain
            return self._show()
        words = self.plain.words[:-1] if self.plain is not None else ()
        request = PairRequest(self.field.text(), words, self.ahead.isChecked(), self.change)
        return self.wanted.emit(NOW, request)

    def take(self, lane: str, finding: Finding) -> None:
        if not isinstance(finding, Pair):
            return
        if lane == PLAIN:
            self.plain = finding
            self.word = min(self.word, len(finding.words) - 1)
            self._make_choosers(*finding.cross.shape[:2])
        if lane == NOW or not self.changed:
            self.found = finding
        self._show()

    def fail(self, lane: str, message: str) -> None:
        missing = MODEL in message and "installed" in message
        super().fail(lane, MISSING() if missing else message)

    def _make_choosers(self, layers: int, heads: int) -> None:
        if len(self.layers.buttons) == layers and len(self.heads.buttons) == heads + 1:
            return
        while self._choices.count() > 2:  # all behind the switch
            item = self._choices.takeAt(2)
            old = item.widget() if item is not None else None
            if old is not None:
                old.hide()
                old.deleteLater()
        numbers = [(str(n), str(n), tr("Layer {number}", number=n)) for n in range(layers)]
        self.layers = Segments(numbers, lambda key: self.choose_layer(int(key)), tr("Layer"), 9)
        mean = (str(MEAN), tr("Mean"), tr("All heads of the layer together"))
        several = [(str(n), str(n), tr("Head {number}", number=n)) for n in range(heads)]
        self.heads = Segments([mean, *several], lambda key: self.choose_head(int(key)), tr("Head"), 9)
        for part in (label(tr("Layer"), "title"), self.layers, label(tr("Head"), "title"), self.heads):
            self._choices.addWidget(part)

    def choose_layer(self, layer: Any) -> None:
        """Look at another layer of both parts."""
        if self.found is not None:
            self.layer = int(layer) % len(self.found.cross)
            self._show()

    def choose_head(self, head: int) -> None:
        """Look at another head, or at all of the layer together."""
        if self.found is not None:
            self.head = (head - MEAN) % (self.found.cross.shape[1] + 1) + MEAN
            self._show()

    def light(self, word: int) -> None:
        """Light another word that is written."""
        if self.found is not None:
            self.word = min(max(word, 0), len(self.found.words) - 1)
            self._show()

    def _hover(self, part: str, at: int, place: int) -> None:
        if self.found is None:
            return None
        if at < 0:
            return self._mark()
        self.maps[part].mark(at, place)
        other = {"decoder": "cross", "cross": "decoder"}.get(part)
        if other is not None:
            self.maps[other].mark(at)
        if part == "cross":
            self.maps["encoder"].mark(place)
        return None

    def _press(self, part: str, at: int, place: int) -> None:
        """Light the word of a row; in encoder and decoder mask the cell, or show it again."""
        if part != "encoder":
            self.word = at
        if part == "cross":
            return self._show()
        self._hides = (at, place) not in getattr(self.change, part).hidden
        return self._drag(part, at, place)

    def _drag(self, part: str, at: int, place: int) -> None:
        if self.found is None or part == "cross":
            return
        own: Ablation = getattr(self.change, part)
        cells = turned(own.hidden, (at, place), self._hides)
        free = at + 1 if part == "decoder" and not self.ahead.isChecked() else self.maps[part].columns
        if place < free and cells != own.hidden and sees_something(cells, at, free):
            self.change = replace(self.change, **{part: replace(own, hidden=cells)})
            self._ask()

    def _show(self) -> None:
        found = self.found
        if found is None:
            return
        written = tuple(tr("→ {word}", word=word) for word in found.words)
        names = {"encoder": (found.source,) * 2, "decoder": (written, found.read), "cross": (written, found.source)}
        behind = tr("Decoder: the word to come looks at all words, those to come too")
        self.titles["decoder"].setText(behind if found.ahead else NAMES()[1])
        self._tell_heads()
        for part in PARTS:
            shown = one_map(getattr(found, part), self.layer, self.head)
            self.maps[part].show_matrix(Shown(shown, *names[part], high=1.0))
        self.layers.show_choice(str(self.layer))
        self.heads.show_choice(str(self.head))
        self.chances.show_bars(
            [Bar(word, float(chance), n == self.word)
             for n, (word, chance) in enumerate(zip(found.words, found.probabilities, strict=True))]
        )  # fmt: skip
        self.lens.show_lens(found.lens, self.word)
        self._mark()
        self.tell(sentence(found, self.plain, self.change))

    def _tell_heads(self) -> None:
        """Where one head is in sight, say below each map what was measured of it."""
        for part, note in self.notes.items():
            known = told(self.habits.get(f"{part}:{self.layer}.{self.head}")) if self.head != MEAN else ""
            note.setText(tr("Measured: {told}", told=known) if known else "")
            note.setVisible(bool(known))

    def _mark(self) -> None:
        self.maps["encoder"].mark(-1)
        for part in ("decoder", "cross"):
            self.maps[part].mark(self.word)

    def numbers(self) -> dict[str, Any]:
        return {} if self.found is None else {"pair": self.found}

    def table(self) -> list[Sequence[Any]]:
        head = ("word", "probability", "with another last word", "first of each layer")
        if self.found is None:
            return [head]
        firsts = zip(*([said[0][0] for said in layer] for layer in self.found.lens.tops), strict=True)
        rows = zip(self.found.words, self.found.probabilities, self.found.other, firsts, strict=True)
        return [head, *((word, float(one), float(other), " ".join(first)) for word, one, other, first in rows)]
