"""Does it matter? The page that asks whether the places a word looked at matter to its probability."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QRect, Slot
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from attnviewer.core.events import Cancelled, Concluded, Event, Failed, Progressed, Shown
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import NAMES, ORDERS, agreed, told
from attnviewer.core.explore.requests import Exploration
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label, named, refresh, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.heat import HeatTable
from attnviewer.ui.widgets.orders import STYLES, Orders
from attnviewer.ui.widgets.overlay import Overlay
from attnviewer.ui.widgets.plot import Axis, Line, Plot

LANE = "matter-"
ASKING = later("Cover what it looked at, bit by bit: does the word become less probable, and sooner than by chance?")
Ask = Callable[[int], Exploration | None]


class MatterView(Overlay):
    """Asks about the word on the clock; answers are kept until the words change.

    Parameters
    ----------
    key : of the panel, for the lane.
    ask : the request about a word; None where there is nothing to ask.
    """

    def __init__(self, desk: Desk, host: QWidget, area: Callable[[], QRect], key: str, ask: Ask) -> None:
        super().__init__(host, area, tr("Does it matter where it looked?"))
        self._desk, self._ask, self.lane, self._key = desk, ask, f"{LANE}{key}", key
        self._trace: Trace | None = None
        self._picture: Picture | None = None
        self._word = self._asked = -1
        self.found: dict[int, Matter] = {}
        self._make_views()
        desk.worker.happened.connect(self.on_event)
        desk.worker.busy_changed.connect(self._rest)

    def _make_views(self) -> None:
        self.says, self.agrees = label(tr(ASKING), "says", wrap=True), label("", "muted", wrap=True)
        self.orders, self.places = Orders(), HeatTable(
            tr("How much each word that was read counts"),
            tr("Attention, gradient (as shares), and the probability that is lost when the word is hidden alone"),
            tell=lambda value: f"{round(value, 2) + 0.0:.2f}",
        )  # fmt: skip
        covering, uncovering = tr("Probability as places are covered"), tr("Probability as places are uncovered")
        across = [Axis(title, low=0, high=1, tell="{:.0%}".format, step=0.5)
                  for title in (tr("share covered"), tr("share uncovered"))]  # fmt: skip
        self.deletion = Plot(covering, tr("The sooner it falls, the more the places matter"), across[0], _up(1.0),
                             empty=tr("The curves are drawn here as they are computed."), title=covering)  # fmt: skip
        self.insertion = Plot(uncovering, tr("The sooner it rises, the more the places tell"), across[1], _up(1.0),
                              title=uncovering)  # fmt: skip
        self.go = button("", tr("Cover and uncover places for this word"), self.ask, glyph="play", look="accent")
        self.stop = button(tr("Stop"), tr("Stop covering; the curves so far stay"), self._stop, glyph="stop")
        self.bar = named(QProgressBar(), tr("Progress"), tr("How far the covering is"))
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 100)
        self.bar.setFixedWidth(110)
        plots, middle, body = QWidget(), QWidget(), QWidget()
        plots.setLayout(row(self.deletion, self.insertion, spacing=4))
        right = column(plots, self.places, spacing=6)
        right.setStretch(0, 3)
        right.setStretch(1, 2)
        side = QWidget()
        side.setLayout(right)
        line = row(self.orders, side, spacing=12)
        line.setStretch(1, 1)
        middle.setLayout(line)
        rows = column(self.says, self.agrees, middle, spacing=6)
        rows.setStretch(2, 1)
        body.setLayout(rows)
        for part in (self.says, self.agrees):
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.lay_out(body, self.bar, self.stop, self.go)

    def start(self, trace: Trace | None, word: int, picture: Picture | None = None) -> None:
        """Open for a word, and ask at once where it isn't known yet."""
        self.open()
        self.show_word(trace, word, picture)
        if trace is not None and 0 <= word < len(trace.steps) and word not in self.found:
            self.ask()

    def show_word(self, trace: Trace | None, word: int, picture: Picture | None = None) -> None:
        """Follow the clock; other words in the trace end what was asked."""
        if self._words(trace) != self._words(self._trace) or picture is not self._picture:
            self._cancel()
            self.found.clear()
        self._trace, self._word, self._picture = trace, word, picture
        if self.is_open:
            self._show()

    @staticmethod
    def _words(trace: Trace | None) -> object:
        return None if trace is None else (trace.words, trace.source, trace.model)

    @property
    def finding(self) -> Matter | None:
        """What is shown."""
        return self.found.get(self._word)

    @property
    def running(self) -> bool:
        return self._desk.worker.runs(self.lane)

    def ask(self) -> None:
        """Ask about the word on the clock."""
        request = self._ask(self._word)
        if request is None:
            return self._tell(tr("Wait until all words are there, then ask."), fault=True)
        self._asked = self._word
        self.found.pop(self._word, None)
        self._desk.worker.ask(self.lane, request)
        return self._show()

    def leave(self) -> bool:
        self._cancel()
        return super().leave()

    def _cancel(self) -> None:
        if self.running:
            self._desk.worker.cancel(self.lane)

    def _stop(self) -> None:
        self._cancel()
        self._show()

    @Slot(bool)
    def _rest(self, busy: bool) -> None:
        """All runs were stopped from elsewhere, of which a lane hears nothing."""
        if not busy and self.is_open:
            self._show()

    @Slot(object)
    def on_event(self, event: Event) -> None:
        """Take an event of its lane."""
        if event.lane != self.lane:
            return
        if isinstance(event, Progressed):
            self.bar.setValue(round(100 * (event.progress.fraction or 0)))
            self._desk.progress.emit(event.progress)
        elif isinstance(event, Shown | Concluded):
            assert isinstance(event.finding, Matter)
            self.found[self._asked] = event.finding
            self._show()
        elif isinstance(event, Failed):
            self._show()
            self._tell(event.message, fault=True)
        elif isinstance(event, Cancelled):
            self._show()

    def _tell(self, text: str, *, fault: bool = False) -> None:
        shown = text[:1].upper() + text[1:]
        self.says.setText(f"⚠ {shown}" if fault else shown)
        self.says.setProperty("role", "error" if fault else "says")
        refresh(self.says)

    def _show(self) -> None:
        found, known = self.finding, self._trace is not None and 0 <= self._word < len(self._trace.steps)
        word = self._trace.words[self._word] if known and self._trace is not None else ""
        running = self.running
        self.go.setText(tr("Ask about “{word}”", word=word))
        self.go.setVisible(known and not running and (found is None or not told(found)))
        for part in (self.bar, self.stop):
            part.setVisible(running)
        self._tell((told(found) if found is not None else "") or tr(ASKING))
        self.agrees.setText(agreed(found) if found is not None else "")
        self.orders.show_finding(found, self._picture)
        curves = [] if found is None else [*found.deletion.values(), *found.insertion.values()]
        self.deletion.up = self.insertion.up = _up(max((max(curve) for curve in curves), default=1.0))
        self.deletion.show_lines([] if found is None else lines(found.deletion, found.steps))
        self.insertion.show_lines([] if found is None else lines(found.insertion, found.steps))
        named_places = found is not None and bool(found.places)
        self.places.setVisible(named_places)
        if found is not None and named_places:
            self._show_places(found)

    def _show_places(self, found: Matter) -> None:
        orders = [name for name in ORDERS if name in found.maps]
        values = [np.asarray(found.maps[name], np.float64) for name in orders]
        shares = [one / one.sum() if name == "gradient" and one.sum() else one
                  for name, one in zip(orders, values, strict=True)]  # fmt: skip
        self.places.at = (0, int(values[0].argmax()))
        self.places.show_values([tr(NAMES[name]) for name in orders], found.places, np.stack(shares))

    def forms(self) -> tuple[str, dict[str, Callable[[], bytes]]] | None:
        """What can be exported, the figure and its numbers, with a name for it; None before there are any."""
        found, picture = self.finding, self._picture
        if not self.is_open or found is None or not found.deletion_area:
            return None
        from attnviewer.export import matter

        forms: dict[str, Callable[[], bytes]] = {
            suffix: partial(matter.as_bytes, found, picture, suffix) for suffix in matter.FIGURES
        }
        forms[".json"] = lambda: f"{json.dumps(found.to_dict(), ensure_ascii=False)}\n".encode()
        forms[".csv"] = lambda: matter.as_csv(found)
        return f"matter-{found.words[found.word]}", forms

    def words(self) -> str:
        """What it says, for the clipboard."""
        return "\n".join(filter(None, (self.says.text(), self.agrees.text())))

    def set_tokens(self, tokens: Tokens) -> None:
        for view in (self.orders, self.places, self.deletion, self.insertion):
            view.set_tokens(tokens)


def _up(top: float) -> Axis:
    """A probability, up to `top`."""
    return Axis(low=0, high=max(top, 1e-6), tell="{:.0%}".format if top >= 0.04 else "{:.2%}".format)


def lines(curves: dict[str, tuple[float, ...]], steps: int) -> list[Line]:
    """The curves as lines over the share of places."""
    made = []
    for name in ORDERS:
        if name in curves:
            colour, dash = STYLES[name]
            across = tuple(n / steps for n in range(len(curves[name])))
            made.append(Line(tr(NAMES[name]), across, curves[name], colour, dash))
    return made
