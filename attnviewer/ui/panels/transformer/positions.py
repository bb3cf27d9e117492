"""Positions: vectors of places as pictures, what two places have in common, and a text without its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from attnviewer.core.explore.finding import Finding
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Floats
from attnviewer.core.transformer.findings import GridPlaces, Places, Shuffled
from attnviewer.core.transformer.positions import alike, looks_aside, sinusoidal
from attnviewer.core.transformer.requests import PlacesRequest
from attnviewer.core.transformer.unrolled import by_distance
from attnviewer.ui.controls import Segments, column, label, row
from attnviewer.ui.panels.transformer.heat import HeatMap, Shown
from attnviewer.ui.panels.transformer.photoplaces import PhotoPlaces
from attnviewer.ui.panels.transformer.shuffled import ShuffledText
from attnviewer.ui.panels.transformer.state import TransformerState
from attnviewer.ui.panels.transformer.study import StudyView
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import Knob
from attnviewer.ui.widgets.plot import Axis, Line, Plot

LENGTHS = (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)
SIZES = (4, 8, 16, 32, 64, 128, 256, 384, 512)
AT_FIRST = (64, 64)  # places, numbers a place
FARTHEST = 16
KINDS = (
    ("sinusoidal", later("Sinusoidal"), later("Sines and cosines of the place, by a formula: nothing is learnt")),
    ("learnt", later("Learnt"), later("A vector for each place, learnt: those of all-MiniLM-L6-v2")),
    (
        "relative",
        later("Relative"),
        later("A vector for each distance instead of each place, learnt (Shaw et al. 2018)"),
    ),
    (
        "photo",
        later("On a photo"),
        later("Two coordinates: the row in one half of the numbers, the column in the other"),
    ),
    ("shuffle", later("Shuffle"), later("Read a text in order and shuffled, with positions and without")),
)
RELATIVE = "es-en-lesson-relative"


class PositionsView(StudyView):
    """A kind of positions is chosen above; sliders set how many places and numbers there are."""

    name = "positions"

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.known = "sinusoidal", {}  # type: str, dict[str, Places]
        self.faults: dict[str, str] = {}
        self.kinds = Segments(KINDS, self.choose, tr("Kind of positions"))
        self.measures = Segments(
            (("cosine", tr("Cosine"), tr("Likeness of direction alone")),
             ("dot", tr("Inner product"), tr("As attention compares: the length counts as well"))),
            self.measure_by, tr("Likeness"),
        )  # fmt: skip
        self.measures.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.measure = "cosine"
        self.length = Knob(tr("Places L"), tr("How many places are shown"), len(LENGTHS) - 1, self._redraw,
                           LENGTHS.__getitem__)  # fmt: skip
        self.size_ = Knob(tr("Numbers D"), tr("Size of a vector"), len(SIZES) - 1, self._redraw, SIZES.__getitem__)
        self.aside = Knob(tr("A query for the place"), tr("Which place, seen from its own, a head's query asks for"),
                          2 * FARTHEST, self._redraw, lambda at: at - FARTHEST, where)  # fmt: skip
        self.length.put(LENGTHS.index(AT_FIRST[0]))
        self.size_.put(SIZES.index(AT_FIRST[1]))
        self.aside.put(FARTHEST - 2)
        self.rows, self.pairs = HeatMap(tr("Vectors of the places")), HeatMap(tr("What each two places have in common"))
        self.curve = Plot(
            tr("Likeness by distance"), tr("The mean over all pairs of places that are so far apart"),
            Axis(tr("distance in places"), low=0), Axis(tell="{:.2g}".format),
        )  # fmt: skip
        self.head = HeatMap(tr("Where a head looks whose query asks for a place beside"))
        self.photo, self.text = PhotoPlaces(), ShuffledText()
        self.text.wanted.connect(lambda request: self.wanted.emit("shuffle", request))
        self.photo.wanted.connect(lambda request: self.wanted.emit("photo", request))
        self.photo.said.connect(self.tell)
        self.pages = QStackedWidget()
        self._lay_out()

    def _lay_out(self) -> None:
        vectors, pairs, right = QWidget(), QWidget(), QWidget()
        self.rows_title, self.aside_title = label("", "title", wrap=True), label("", "title", wrap=True)
        vectors.setLayout(column(self.rows_title, self.rows, spacing=4))
        pairs.setLayout(column(label(tr("Likeness of two places"), "title", wrap=True), self.pairs, spacing=4))
        right.setLayout(
            column(label(tr("Likeness by distance"), "title"), self.curve, self.aside_title, self.head, spacing=4)
        )
        for box, place in ((vectors, 1), (pairs, 1), (right, 1), (right, 3)):
            box.layout().setStretch(place, 1)  # type: ignore[union-attr]
        three, knobs, page = QWidget(), QWidget(), QWidget()
        three.setLayout(row(vectors, pairs, right, spacing=14))
        for place in range(3):
            three.layout().setStretch(place, 1)  # type: ignore[union-attr]
        knobs.setLayout(row(self.length, self.size_, self.aside, spacing=16))
        for place, share in enumerate((2, 2, 3)):
            knobs.layout().setStretch(place, share)  # type: ignore[union-attr]
        page.setLayout(column(knobs, three, spacing=8))
        page.layout().setStretch(1, 1)  # type: ignore[union-attr]
        for one in (page, self.photo, self.text):
            self.pages.addWidget(one)
        choosers = QWidget()
        choosers.setLayout(row(self.kinds, 1, self.measures))
        self.lay_out(choosers, self.pages, grows=1)

    def painted(self) -> Sequence[Any]:
        return (self.rows, self.pairs, self.curve, self.head, self.photo, self.text)

    def show_state(self, state: TransformerState) -> None:
        self.text.show_text(state.text)
        self.choose(self.kind)

    def take_picture(self, picture: Picture) -> None:
        self.photo.show_picture(picture)

    def choose(self, kind: str) -> None:
        """Show another kind; what isn't known yet is asked for."""
        self.kind = kind
        self.kinds.show_choice(kind)
        self.measures.setVisible(kind not in ("photo", "shuffle"))
        self.pages.setCurrentIndex({"photo": 1, "shuffle": 2}.get(kind, 0))
        if kind in ("learnt", "relative") and kind not in self.known:
            self.wanted.emit(kind, PlacesRequest(RELATIVE if kind == "relative" else None))
        {"photo": self.photo.visit, "shuffle": self.text.visit}.get(kind, self._redraw)()
        self._say()

    def measure_by(self, measure: str) -> None:
        """Compare by cosines or by inner products."""
        self.measure = measure
        self._redraw()

    def vectors(self) -> Floats:
        """The vectors in sight [T, D]."""
        if self.kind == "sinusoidal":
            return sinusoidal(self.length.value, self.size_.value)
        found = self.known.get(self.kind)
        if found is None:
            return np.zeros((0, 0), np.float32)
        return found.vectors if found.kind == "relative" else found.vectors[: self.length.value]

    def _redraw(self, *_: object) -> None:
        vectors, first = self.vectors(), self.known[self.kind].first if self.kind in self.known else 0
        made = self.kind == "sinusoidal"
        self.size_.setVisible(made)
        self.aside.setVisible(made)
        self.length.setVisible(self.kind != "relative")
        for part in (self.head, self.aside_title):
            part.setVisible(made)
        self.measures.show_choice(self.measure)
        names = tuple(str(at + first) for at in range(len(vectors)))
        self.rows_title.setText(tr("Vectors, a row a place: {rows} × {columns}", rows=vectors.shape[0],
                                   columns=vectors.shape[1]))  # fmt: skip
        if not len(vectors):
            for heat in (self.rows, self.pairs):
                heat.show_matrix(None)
            self.curve.show_lines(())
            return self._say()
        pairs = alike(vectors, self.measure == "dot")
        self.rows.show_matrix(Shown(vectors, names, (), signed=True, square=False))
        self.pairs.show_matrix(Shown(pairs, names, names, signed=True))
        curve = by_distance(pairs)
        self.curve.show_lines((Line(self._title(), tuple(map(float, range(len(curve)))), tuple(map(float, curve))),))
        if made:
            self.aside_title.setText(tr("A head that asks for “{place}”", place=where(self.aside.value)))
            self.head.show_matrix(Shown(looks_aside(vectors, self.aside.value), names, names, high=1.0))
        return self._say()

    def _title(self) -> str:
        return tr(next(name for key, name, _ in KINDS if key == self.kind))

    def _say(self) -> None:
        if self.kind in ("photo", "shuffle"):
            return self.tell((self.photo if self.kind == "photo" else self.text).sentence())
        if self.kind in self.faults:
            return self.tell(self.faults[self.kind], fault=True)
        vectors = self.vectors()
        if not len(vectors):
            return self.tell(tr("Loading the net's positions …"))
        curve = by_distance(alike(vectors))
        near, far = float(curve[1]), float(curve[len(curve) // 2])
        return self.tell(SAYS[self.kind]().format(near=f"{near:.2f}", far=f"{far:.2f}", apart=len(curve) // 2))

    def take(self, lane: str, finding: Finding) -> None:
        if isinstance(finding, Places):
            self.known[lane] = finding
            self._redraw() if lane == self.kind else None
        elif isinstance(finding, GridPlaces):
            self.photo.take(finding)
        elif isinstance(finding, Shuffled):
            self.text.take(finding)
        self._say()

    def fail(self, lane: str, message: str) -> None:
        self.faults[lane] = MISSING() if lane == "relative" else message
        super().fail(lane, self.faults[lane])

    def numbers(self) -> dict[str, Any]:
        if self.kind == "photo":
            return {"kind": self.kind, **self.photo.numbers()} if self.photo.numbers() else {}
        if self.kind == "shuffle":
            return {"kind": self.kind, "shuffled": self.text.found} if self.text.found is not None else {}
        vectors = self.vectors()
        if not len(vectors):
            return {}
        pairs = alike(vectors, self.measure == "dot")
        return {"kind": self.kind, "measure": self.measure, "vectors": vectors, "by_distance": by_distance(pairs)}

    def table(self) -> list[Sequence[Any]]:
        tables: dict[str, Callable[[], list[Sequence[Any]]]] = {"photo": self.photo.table, "shuffle": self.text.table}
        if self.kind in tables:
            return tables[self.kind]()
        curve = by_distance(alike(self.vectors(), self.measure == "dot")) if len(self.vectors()) else ()
        return [("distance", self.measure), *((n, float(value)) for n, value in enumerate(curve))]

    def set_tokens(self, tokens: Tokens) -> None:
        super().set_tokens(tokens)
        self._redraw()


def where(by: int) -> str:
    """A place as it is told from another one."""
    if by == 0:
        return tr("itself")
    return tr("{count} to the left", count=-by) if by < 0 else tr("{count} to the right", count=by)


SAYS: dict[str, Callable[[], str]] = {
    "sinusoidal": lambda: tr(
        "Each place gets a pattern of waves, fast ones and slow ones. Neighbours are alike (cosine {near}), places "
        "{apart} apart less so ({far}). One and the same matrix turns each vector into that of the place beside it, so "
        "a query can ask for “two to the left”."
    ),
    "learnt": lambda: tr(
        "This net learnt a vector for each of its 512 places from text alone. It found by itself that neighbours are "
        "alike: cosine {near} for the next place, {far} for one {apart} places away. Behind 512 there is no vector."
    ),
    "relative": lambda: tr(
        "Here each distance has a vector, from far to the left to far to the right; a query is compared with it, and "
        "the result is added to the score. Cosine {near} between neighbouring distances."
    ),
}


def MISSING() -> str:
    """What is said where no net with relative positions is installed."""
    return tr(
        "The lesson net with relative positions, {model}, isn't installed here. Sinusoidal and learnt positions work "
        "without it.", model=RELATIVE,
    )  # fmt: skip
