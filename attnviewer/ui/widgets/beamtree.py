"""The page with the tree of a beam search: what it kept, what it dropped, and any of it on the clock by a click."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from attnviewer.core.events import Concluded, Event, Failed, Progressed, Shown
from attnviewer.core.explore.beam import DROPPED, ENDED, BeamTree
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import later, ntr, tr
from attnviewer.ui.controls import button, column, label, named, refresh
from attnviewer.ui.desk import Desk
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.branches import NOTCH, Branches
from attnviewer.ui.widgets.growth import BEST, FAINT, PLAIN, Branch
from attnviewer.ui.widgets.overlay import Overlay

LANE = "beam-"
WAITING = later("Searching again, and noting down what is kept and what is dropped…")
Ask = Callable[[int], Exploration | None]


class BeamPage(Overlay):
    """Asks for the tree of what is shown; it is kept until something else is shown.

    Signals
    -------
    chosen(object, bool) : the words of a node, and whether they are a whole text.
    """

    chosen = Signal(object, bool)

    def __init__(self, desk: Desk, host: QWidget, area: Callable[[], QRect], key: str, ask: Ask) -> None:
        super().__init__(host, area, tr("What the beam search kept and dropped"))
        self._desk, self._ask, self.lane = desk, ask, f"{LANE}{key}"
        self.found: BeamTree | None = None
        self._of: object = None
        self._numbers: list[int] = []
        self.says = label(tr(WAITING), "says", wrap=True)
        self.tree = Branches(
            tr("Tree of hypotheses"),
            tr("Arrow keys walk, Enter takes; Ctrl and the wheel zoom; drag to scroll"),
        )  # fmt: skip
        self.all = named(QCheckBox(tr("Dropped ones too")), tr("Dropped ones too"),
                         tr("Also show the hypotheses that were dropped"))  # fmt: skip
        self.all.setChecked(True)
        self.all.toggled.connect(lambda _: self._show())
        nearer = button("+", tr("Zoom in (Ctrl and the wheel)"), lambda: self.tree.zoom(NOTCH), name=tr("Zoom in"))
        farther = button("−", tr("Zoom out (Ctrl and the wheel)"), lambda: self.tree.zoom(1 / NOTCH),
                         name=tr("Zoom out"))  # fmt: skip
        whole = button(tr("Fit"), tr("Show the whole tree"), self.tree.whole)
        body = QWidget()
        rows = column(self.says, self.tree, spacing=6)
        rows.setStretch(1, 1)
        body.setLayout(rows)
        self.lay_out(body, self.all, farther, nearer, whole)
        self.tree.picked.connect(self._pick)
        desk.worker.happened.connect(self.on_event)

    def start(self, word: int) -> None:
        """Open, and search where it isn't known yet."""
        self.open()
        self.tree.setFocus()
        request = self._ask(word)
        if request is None:
            return self._tell(tr("Wait until all words are there, then ask."), fault=True)
        if self.found is None or self._of != _key(request):
            self.found, self._of = None, _key(request)
            self._desk.worker.ask(self.lane, request)
        return self._show()

    def follow(self) -> None:
        """Another photo or sentence is shown: its tree is another one."""
        if not self.is_open or (request := self._ask(0)) is None:
            return
        if self._of is not None and _key(request) != self._of:
            self.leave()

    def leave(self) -> bool:
        if self._desk.worker.runs(self.lane):
            self._desk.worker.cancel(self.lane)
            self.found = self._of = None
        return super().leave()

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of its lane."""
        if event.lane != self.lane:
            return
        if isinstance(event, Progressed):
            self._desk.progress.emit(event.progress)
        elif isinstance(event, Shown | Concluded):
            assert isinstance(event.finding, BeamTree)
            self.found = event.finding
            self._show()
        elif isinstance(event, Failed):
            self._tell(event.message, fault=True)

    def _tell(self, text: str, *, fault: bool = False) -> None:
        shown = text[:1].upper() + text[1:]
        self.says.setText(f"⚠ {shown}" if fault else shown)
        self.says.setProperty("role", "error" if fault else "says")
        refresh(self.says)

    def _show(self) -> None:
        found = self.found
        if found is None:
            self._tell(tr(WAITING))
            return self.tree.show_branches(())
        self._tell(told(found))
        self._numbers, branches = branches_of(found, everything=self.all.isChecked())
        return self.tree.show_branches(branches)

    def _pick(self, place: int) -> None:
        if self.found is not None:
            number = self._numbers[place]
            self.chosen.emit(self.found.words(number), self.found.nodes[number].fate == ENDED)

    def forms(self) -> tuple[str, dict[str, Callable[[], bytes]]] | None:
        """What can be exported, the picture and its numbers, with a name for it; None before there are any."""
        found = self.found
        if not self.is_open or found is None:
            return None
        data = {".json": lambda: f"{json.dumps(found.to_dict(), ensure_ascii=False)}\n".encode(),
                ".csv": lambda: as_csv(found)}  # fmt: skip
        return "beam", {**self.tree.forms(), **data}

    def words(self) -> str:
        """What it says, for the clipboard."""
        return self.says.text()

    def set_tokens(self, tokens: Tokens) -> None:
        self.tree.set_tokens(tokens)


def _key(request: Any) -> tuple[object, int]:
    """What tells two requests apart, but for the word that was asked about."""
    return request.asked.to_dict(), id(getattr(request.asked, "picture", None))


def told(found: BeamTree) -> str:
    """What there is to see, in plain words."""
    whole = sum(node.fate == ENDED for node in found.nodes)
    dropped = sum(node.fate == DROPPED for node in found.nodes)
    first = ntr("The search kept one hypothesis at each word.", "The search kept {count} hypotheses at each word.",
                found.beam)  # fmt: skip
    second = tr("Of {all} that it weighed, it dropped {dropped} at once (dashed); {whole} became whole texts.",
                all=len(found.nodes), dropped=dropped, whole=whole)  # fmt: skip
    return f"{first} {second} {tr('Click a node to put its text on the clock.')}"


def branches_of(found: BeamTree, *, everything: bool) -> tuple[list[int], list[Branch]]:
    """The nodes that are shown, with their numbers: the best way first, from top to bottom."""
    numbers: list[int] = []
    places: dict[int, int] = {-1: -1}
    branches: list[Branch] = []

    def add(parent: int) -> None:
        for number in found.children(parent):
            if everything or found.lives(number):
                places[number] = len(branches)
                numbers.append(number)
                branches.append(_branch(found, number, places[parent]))
                add(number)

    add(-1)
    return numbers, branches


def _branch(found: BeamTree, number: int, parent: int) -> Branch:
    node = found.nodes[number]
    look = BEST if node.best else PLAIN if found.lives(number) else FAINT
    text = " ".join(found.path(number))
    told = {"text": text, "own": f"{node.logprob:.2f}", "total": f"{node.total:.2f}"}
    tip = tr("“{text}”: log-probability of the word {own}, of the text {total}", **told)
    if node.word:
        return Branch(parent, node.word, f"{node.logprob:.2f}   Σ {node.total:.2f}", look, tip)
    score = f"{found.score(number):.3f}"
    tip = tr("“{text}” as a whole text: log-probability {total}; ranked by {score}", score=score, **told)
    return Branch(parent, tr("(end)"), f"Σ {node.total:.2f}   ⌀ {score}", look, tip)


def as_csv(found: BeamTree) -> bytes:
    """Every node as a row: number, parent, word, log-probabilities, fate, and the text up to it."""
    lines = io.StringIO(newline="")
    out = csv.writer(lines, lineterminator="\n")
    out.writerow(["node", "parent", "word", "logprob", "total", "fate", "best", "text"])
    for number, node in enumerate(found.nodes):
        text = " ".join(found.path(number))
        out.writerow([number, node.parent, node.word, node.logprob, node.total, node.fate, int(node.best), text])
    return lines.getvalue().encode()
