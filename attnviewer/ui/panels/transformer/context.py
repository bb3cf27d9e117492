"""Context: one word in two sentences, its vector's path through the layers, and the words it is near to in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QMenu, QPushButton, QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import tr
from attnviewer.core.transformer.findings import Context
from attnviewer.core.transformer.requests import ContextRequest
from attnviewer.ui.controls import button, column, label, named, row
from attnviewer.ui.panels.transformer.paths import PathMap, layer_name
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.widgets.plot import Axis, Line, Plot
from attnviewer.ui.widgets.side import scrolled

EXAMPLES = (
    ("bank", "He sat on the bank of the river and watched the water.", "The bank lent him the money for a new boat."),
    ("light", "The bag is light and easy to carry.", "Turn on the light, it is dark in here."),
    ("bat", "The bat hung upside down in the cave.", "He hit the ball with a wooden bat."),
    ("spring", "In spring the flowers bloom.", "The spring in the old watch is broken."),
)
NEAR = 3


class ContextView(StudyView):
    """A word and two sentences above; the paths at the left, the likeness and the nearest words at the right."""

    name = "context"

    def __init__(self) -> None:
        super().__init__()
        self.found: Context | None = None
        self.layer = -1
        self._asked = False
        self.word = self._field(tr("Word"), tr("A word that both sentences have"))
        self.one = self._field(tr("One sentence"), tr("An English sentence with the word"))
        self.other = self._field(tr("Another sentence"), tr("An English sentence with the word in another meaning"))
        self.word.setFixedWidth(130)
        self.samples = button(tr("Samples"), tr("Words with two meanings"), glyph="samples")
        self.samples.setMenu(self._menu())
        self.paths = PathMap()
        self.paths.chosen.connect(self.choose)
        self.plot = Plot(
            tr("Likeness by layer"), tr("Cosine of the word's two vectors; click to choose a layer"),
            Axis(tr("layer"), low=0, step=1, tell=lambda at: tr("in") if at < 1 else f"{at - 1:g}"),
            Axis(low=0, high=1, tell="{:.1f}".format),
        )  # fmt: skip
        self.plot.picked.connect(lambda at: self.choose(round(at)))
        self.share = label("", "muted", wrap=True)
        self._lines: list[tuple[QPushButton, QLabel, QLabel]] = []
        self._grid = QGridLayout()
        self._lay_out()
        self.put(*EXAMPLES[0])

    def _field(self, name: str, tip: str) -> QLineEdit:
        made = named(QLineEdit(), name, tip)
        made.returnPressed.connect(self.read)
        return made

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        for word, one, other in EXAMPLES:
            menu.addAction(f"{word}:  {one}  /  {other}").triggered.connect(partial(self._pick, word, one, other))
        return menu

    def _pick(self, word: str, one: str, other: str, *_: object) -> None:
        self.put(word, one, other)
        self.read()

    def _lay_out(self) -> None:
        fields, right, left = QWidget(), QFrame(), QWidget()
        fields.setLayout(row(self.word, self.one, self.other, self.samples))
        near = QWidget()
        near.setLayout(self._grid)
        self._near = scrolled(near)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        for place, title in enumerate((tr("layer"), tr("one sentence"), tr("the other"))):
            self._grid.addWidget(label(title, "title"), 0, place)
        right.setLayout(
            column(label(tr("How alike the word's two vectors are"), "title"), self.plot,
                   label(tr("Nearest words in the vocabulary"), "title"), self._near, spacing=6)
        )  # fmt: skip
        for place, share in ((1, 2), (3, 3)):
            right.layout().setStretch(place, share)  # type: ignore[union-attr]
        left.setLayout(column(label(tr("The word's path through the layers"), "title"), self.paths, self.share))
        left.layout().setStretch(1, 1)  # type: ignore[union-attr]
        both = QWidget()
        both.setLayout(row(left, right, spacing=18))
        both.layout().setStretch(0, 5)  # type: ignore[union-attr]
        both.layout().setStretch(1, 4)  # type: ignore[union-attr]
        self.lay_out(fields, both, grows=1)

    def painted(self) -> Sequence[Any]:
        return (self.paths, self.plot)

    def commands(self) -> dict[str, Callable[[], object]]:
        """What the keys do here."""
        return {"on": lambda: self._step(1), "back": lambda: self._step(-1), "type": self.word.setFocus}

    def _step(self, by: int) -> None:
        if self.found is not None:
            self.choose((self.layer + by) % len(self.found.cosines))

    def put(self, word: str, one: str, other: str) -> None:
        """Write into the fields."""
        for field, text in zip((self.word, self.one, self.other), (word, one, other), strict=True):
            field.setText(text)
            field.setCursorPosition(0)

    def show_state(self, state: TransformerState) -> None:
        if not self._asked:
            self.read()

    def read(self) -> None:
        """Follow the word through both sentences."""
        self._asked = True
        try:
            request = ContextRequest(self.word.text(), (self.one.text(), self.other.text()))
        except UserError as error:
            return self.fail("", str(error))
        if self.found is None:
            self.tell(tr("Reading both sentences, and some thousand words alone to compare with …"))
        self.wanted.emit("", request)
        return None

    def take(self, lane: str, finding: Finding) -> None:
        if isinstance(finding, Context):
            self.found = finding
            self.choose(len(finding.cosines) - 1)

    def choose(self, layer: int) -> None:
        """Look at another layer; 0 is before the first."""
        found = self.found
        if found is None:
            return
        self.layer = min(max(layer, 0), len(found.cosines) - 1)
        self.paths.show_paths(found, self.layer)
        values = tuple(map(float, found.cosines))
        self.plot.show_lines((Line(found.word, tuple(map(float, range(len(values)))), values, points=True),),
                             float(self.layer))  # fmt: skip
        self._fill(found)
        self._say(found)
        self.share.setText(
            tr("The plane is the one in which the {count} vocabulary words nearest to both ends differ most; it shows "
               "{share} of how they differ. It is the same for all layers.", count=found.around,
               share=f"{found.share:.0%}")
        )  # fmt: skip

    def _fill(self, found: Context) -> None:
        while len(self._lines) < len(found.cosines):
            number = len(self._lines)
            name = tr("in") if number == 0 else str(number - 1)
            made = button(name, layer_name(number), partial(self.choose, number), look="segment")
            made.setCheckable(True)
            self._lines.append((made, label(wrap=True), label(wrap=True)))
            for place, part in enumerate(self._lines[-1]):
                self._grid.addWidget(part, number + 1, place, Qt.AlignmentFlag.AlignVCenter)
        for number, (chosen, *cells) in enumerate(self._lines):
            chosen.setChecked(number == self.layer)
            for cell, path in zip(cells, found.paths, strict=True):
                cell.setText("  ".join(f"{word} {cosine:.2f}" for word, cosine in path.near[number][:NEAR]))
        QTimer.singleShot(0, self._reveal)  # once the rows have their heights

    def _reveal(self) -> None:
        """Scroll to the row of the layer that is chosen."""
        if 0 <= self.layer < len(self._lines):
            self._near.ensureWidgetVisible(self._lines[self.layer][2])

    def _say(self, found: Context) -> None:
        first, last = float(found.cosines[0]), float(found.cosines[-1])
        ends = [", ".join(word for word, _ in path.near[-1][:NEAR]) for path in found.paths]
        self.tell(
            tr(
                "“{word}” goes in with nearly the same vector in both sentences (cosine {first}). Each layer mixes in "
                "what it attends to; it comes out at {last}, here near to {one}, there near to {other}.",
                word=found.word, first=f"{first:.2f}", last=f"{last:.2f}", one=ends[0], other=ends[1],
            )
        )  # fmt: skip

    def numbers(self) -> dict[str, Any]:
        return {} if self.found is None else {"context": self.found}

    def table(self) -> list[Sequence[Any]]:
        head = ("layer", "cosine", "nearest in one", "nearest in the other")
        if self.found is None:
            return [head]
        rows = zip(self.found.cosines, *(path.near for path in self.found.paths), strict=True)
        near = [(float(cosine), *(" ".join(word for word, _ in said) for said in both)) for cosine, *both in rows]
        return [head, *(("in" if n == 0 else n - 1, *line) for n, line in enumerate(near))]
