"""Documents: bags of words and TF-IDF as a matrix, the formula of each cell, and how alike the texts are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from attnviewer.core.errors import UserError
from attnviewer.core.explore.documents import Documents, cosines, read
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Alike
from attnviewer.core.explore.requests import AlikeRequest
from attnviewer.core.i18n import later, tr
from attnviewer.core.lines import read_text
from attnviewer.ui.controls import Segments, button, column, label, named, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.shelf import Shelf
from attnviewer.ui.panels.foundations.wording import BOW, TFIDF, of_all, of_cell, of_pair
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.heat import HeatTable

WORDS, WAIT_MS, TYPED = 200, 150, 20_000
SAME = "same"
KINDS = (
    (BOW, later("Counts"), later("How often each word stands in each document")),
    (TFIDF, later("TF-IDF"), later("Counts times the logarithm of how rare a word is among the documents")),
)
WAYS = (
    (SAME, later("As above"), later("Cosines of the vectors of the matrix")),
    ("words", later("Word vectors"), later("The mean of the words' learnt vectors: still no order")),
    ("sentence", later("Sentence"), later("Sentence embeddings, made by a Transformer")),
)


def number(value: float) -> str:
    """A count or a weight in a cell."""
    return "·" if value == 0 else f"{value:g}" if value == int(value) else f"{value:.2f}"


class DocumentsExperiment(Experiment):
    """Counting is done at once; learnt vectors come from the model thread."""

    name = "documents"
    photos = False

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.shelf = Shelf(tuple(desk.settings["documents"]))
        self.keys, self.by = BOW, SAME
        self.documents: Documents | None = None
        self.alike = np.zeros((0, 0))
        self.lead: list[int] = []
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self.count)
        self._make_views()
        self._make_controls()
        self.lay_out(self._stage(), self._side())

    def _make_views(self) -> None:
        tip = tr("A column is a document's vector; click a cell for its formula")
        self.matrix = HeatTable(tr("Words and documents"), tip, number, 0.16)
        self.likeness = HeatTable(tr("Cosine between documents"), tr("Click a pair to see which words made it alike"))
        self.matrix.picked.connect(lambda *_: self._show_cell())
        self.likeness.picked.connect(lambda *_: self._show_pair())
        self.formula, self.pair = label("", "value", wrap=True), label("", "", wrap=True)
        self.kinds = Segments(KINDS, self.choose_keys, tr("Vectors"))
        self.ways = Segments(WAYS, self.choose_way, tr("Alike by"))
        self.kinds.show_choice(self.keys)
        self.ways.show_choice(self.by)

    def _make_controls(self) -> None:
        self.which = named(QComboBox(), tr("Document"), tr("The text that can be changed below"))
        self.which.activated.connect(self._choose)
        self.box = named(QPlainTextEdit(), tr("Text of the document"), tr("Type: the vectors follow"))
        self.box.setObjectName("textbox")
        self.box.setTabChangesFocus(True)
        self.box.setMinimumHeight(150)
        self.box.textChanged.connect(self._typed)
        tip = tr("Another order, the same vector (X)")
        self.shuffle_button = button(tr("Shuffle its words"), tip, self.shuffle, glyph="shuffle")

    def _stage(self) -> QWidget:
        left, both, whole = column(self.matrix, self.formula, 1, spacing=6), row(spacing=16), QWidget()
        left.setStretch(0, 20)
        title = label(tr("cosine between documents"), "title")
        right = column(title, self.ways, self.likeness, self.pair, 1, spacing=6)
        right.setStretch(2, 20)
        both.addLayout(left, 3)
        both.addLayout(right, 2)
        whole.setLayout(both)
        return whole

    def _side(self) -> Sequence[QWidget | int]:
        change = QWidget()
        change.setLayout(row(
            button(tr("Add"), tr("Add an empty document"), self.add),
            button(tr("Remove"), tr("Take this document away"), self.remove),
            button(tr("Restore"), tr("Back to the texts that come with the program"), self.restore),
        ))  # fmt: skip
        hint = label(tr("Drop text files here, or paste a text: each becomes a document."), "muted", wrap=True)
        title = label(tr("Change a document"), "title")
        return self.kinds, title, self.which, self.box, self.shuffle_button, change, hint, 1

    def begin(self) -> None:
        self._fill()
        self.count()

    def _fill(self) -> None:
        self.which.clear()
        self.which.addItems(self.shelf.names)
        self.which.setCurrentIndex(self.shelf.at)
        self._show_text()

    def _show_text(self) -> None:
        """A very long text is shown in part, and can't be typed in then."""
        text = self.shelf.text
        self.box.blockSignals(True)
        self.box.setPlainText(text[:TYPED])
        self.box.setReadOnly(len(text) > TYPED or not self.shelf.texts)
        self.box.blockSignals(False)

    def _choose(self, at: int) -> None:
        self.shelf.at = at
        self._show_text()

    def _typed(self) -> None:
        self.shelf.write(self.box.toPlainText())
        self._wait.start()

    def count(self) -> None:
        """Read all texts again."""
        try:
            self.documents = read(self.shelf.texts, self.shelf.names)
        except UserError as error:
            return self._fail(str(error))
        self._show()
        self._ask_alike()
        self.desk.settings["documents"] = self.shelf.to_keep()
        return None

    def _fail(self, fault: str) -> None:
        self.documents = None
        for view in (self.matrix, self.likeness):
            view.show_values((), (), np.zeros((0, 0)))
        self.formula.setText("")
        self.pair.setText("")
        self.tell(fault, fault=True)

    def _show(self) -> None:
        found = self.documents
        if found is None:
            return
        self.lead = found.leading(self.keys, WORDS)
        self.matrix.show_values(
            [found.words[i] for i in self.lead], found.names, found.matrix(self.keys)[:, self.lead].T
        )
        self._show_cell()
        if self.by == SAME:
            self._show_alike(cosines(found.matrix(self.keys)))

    def _ask_alike(self) -> None:
        if self.by != SAME and self.documents is not None:
            self.ask(AlikeRequest(tuple(self.shelf.texts), self.by), "alike")

    def _show_alike(self, values: Any) -> None:
        self.alike = np.asarray(values)
        if self.likeness.at == (0, 0):
            self.likeness.at = (0, 1)
        self.likeness.show_values(self.shelf.names, self.shelf.names, self.alike)
        self._show_pair()

    def _show_cell(self) -> None:
        found = self.documents
        if found is not None and self.lead:
            at, document = self.matrix.at
            self.formula.setText(of_cell(found, document, self.lead[min(at, len(self.lead) - 1)], self.keys))
            self.tell(of_all(found, found.words[self.lead[0]], self.keys))

    def _show_pair(self) -> None:
        if self.documents is not None and len(self.alike) == len(self.documents.names):
            pair = self.likeness.at
            keys = self.keys if self.by == SAME else None
            self.pair.setText(of_pair(self.documents, pair, float(self.alike[pair]), keys))

    def choose_keys(self, keys: str) -> None:
        """Count, or weigh."""
        self.keys = keys
        self.matrix.at = (0, self.matrix.at[1])
        self.kinds.show_choice(keys)
        self._show()

    def choose_way(self, way: str) -> None:
        """Compare the texts by other vectors."""
        self.by = way
        self.ways.show_choice(way)
        self._show()
        self._ask_alike()

    def take(self, finding: Finding) -> None:
        if isinstance(finding, Alike) and finding.keys == self.by and len(finding.cosines) == len(self.shelf.names):
            self._show_alike(finding.cosines)

    def shuffle(self) -> None:
        """Shuffle the words of the document in hand: its vector stays."""
        before = self.documents
        self.shelf.shuffle()
        self._show_text()
        self.count()
        if before is not None and self.documents is not None and np.array_equal(before.counts, self.documents.counts):
            told = tr(
                "The words of {name} were shuffled, and its vector is the same: order is lost.", name=self.shelf.name
            )
            self.tell(told)

    def add(self, text: str = "", name: str = "") -> None:
        """Take another document in."""
        self.shelf.add(text, name)
        self.begin()

    def remove(self) -> None:
        """Take the document in hand away."""
        self.shelf.remove()
        self.begin()

    def restore(self) -> None:
        """Back to the texts that ship."""
        self.shelf.restore()
        self.begin()

    def take_text(self, text: str) -> bool:
        if text.strip():
            self.add(text)
        return bool(text.strip())

    def take_file(self, path: Path) -> bool:
        try:
            self.add(read_text(path), path.name)
            self.desk.opened.add(path)
        except UserError as error:
            self.tell(str(error), fault=True)
        return True

    def set_tokens(self, tokens: Tokens) -> None:
        self.matrix.set_tokens(tokens)
        self.likeness.set_tokens(tokens)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {
            "shuffle": self.shuffle,
            "play": lambda: self.choose_keys(TFIDF if self.keys == BOW else BOW),
        }

    def numbers(self) -> dict[str, Any]:
        found = self.documents
        if found is None:
            return {}
        return {
            "keys": self.keys, "documents": found.names, "words": found.words, "counts": found.counts, "idf": found.idf,
            "matrix": found.matrix(self.keys), "alike_by": self.by, "cosines": self.alike,
        }  # fmt: skip

    def table(self) -> list[Sequence[Any]]:
        found = self.documents
        if found is None:
            return []
        matrix, order = found.matrix(self.keys), found.leading(self.keys, len(found.words))
        return [("word", *found.names), *((found.words[i], *map(float, matrix[:, i])) for i in order)]
