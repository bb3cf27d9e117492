"""RNN: the captioner without attention, unrolled over its words; and the translator's one vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Unrolled
from attnviewer.core.explore.requests import UnrollRequest
from attnviewer.core.i18n import tr
from attnviewer.core.request import TranslateRequest
from attnviewer.core.trace import Trace
from attnviewer.ui.controls import button, column, label
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.panels.foundations.unrolled import UnrolledView
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.plot import Axis, Line, Plot

STEP_MS = 650
WITHOUT, WITH = "without", "with"
ATTENTION = {WITHOUT: "none", WITH: "soft"}


class RnnExperiment(Experiment):
    """Steps follow one another at first; any can be chosen."""

    name = "rnn"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.found: Unrolled | None = None
        self.sentence = 0
        self.translated: dict[str, str] = {}
        self._stepping = QTimer(self)
        self._stepping.setInterval(STEP_MS)
        self._stepping.timeout.connect(self._tick)
        self.view = UnrolledView()
        self.view.picked.connect(self._choose)
        self.left = Plot(
            tr("What is left of the photo, word by word"),
            tr("Bits that the photo adds to the choice of each word, and the gradient of the word to the photo"),
            Axis(tell=self._word, step=1), Axis(low=0, tell="{:.1f}".format),
            empty=tr("The captioner reads the photo …"),
        )  # fmt: skip
        self.left.picked.connect(lambda at: self._choose(round(at)))
        whole = QWidget()
        rows = column(self.view, label(tr("what is left of the photo"), "title"), self.left, spacing=8)
        rows.setStretch(0, 3)
        rows.setStretch(2, 2)
        whole.setLayout(rows)
        self.lay_out(whole, self._side())

    def _side(self) -> Sequence[QWidget | int]:
        self.step_says = label("", "", wrap=True)
        self.again = label("", "", wrap=True)
        self.play_button = button(
            tr("Step through"), tr("From the first word to the last (Space)"), self.play, glyph="play"
        )
        self.next_sentence = button(
            tr("Another sentence"), tr("Translate another sentence, a longer one"), self.another
        )
        self.translation = label("", "", wrap=True)
        formula = label("(sₜ, yₜ) = f(sₜ₋₁, xₜ)", "value")
        return (
            formula,
            label(
                tr("xₜ is the last word, yₜ the next, sₜ the state. f is the same at each step."), "muted", wrap=True
            ),
            self.play_button,
            self.step_says,
            label(tr("Fed the whole photo at every step instead"), "title"),
            self.again,
            label(tr("A sentence through one vector"), "title"),
            self.translation,
            self.next_sentence,
            1,
        )

    def begin(self) -> None:
        picture = self.desk.picture
        assert picture is not None
        self.found = None
        self.view.show_found(None)
        self.left.show_lines(())
        self.ask(UnrollRequest(picture), "photo")
        if not self.translated:
            self._translate()

    def take(self, finding: Finding) -> None:
        if isinstance(finding, Unrolled):
            self.found = finding
            self.view.show_found(finding)
            self.again.setText(tr("“{caption}”", caption=finding.again) + _repeats(finding.again))
            self.play()

    def _word(self, at: float) -> str:
        return self.found.words[round(at)] if self.found is not None and 0 <= at < len(self.found.words) else ""

    def play(self) -> None:
        """Step from the first word on, or hold."""
        if self.found is None:
            return
        if self._stepping.isActive():
            self._stepping.stop()
        else:
            self._choose(0)
            self._stepping.start()

    def _tick(self) -> None:
        if self.found is None or self.view.at + 1 >= len(self.found.words):
            self._stepping.stop()
            self._whole()
        else:
            self._show(self.view.at + 1)

    def _choose(self, at: int) -> None:
        self._stepping.stop()
        self._show(at)

    def _show(self, at: int) -> None:
        found = self.found
        if found is None or not found.words:
            return
        at = min(max(at, 0), len(found.words) - 1)
        self.view.mark(at)
        self._plot(found, at)
        gates = found.gates[at].mean(axis=1)
        bits = found.bits[at]
        self.step_says.setText("\n".join((
            tr("Step {step}: reads “{last}”, says “{word}” ({chance}).", step=at,
               last=found.words[at - 1] if at else tr("(start)"), word=found.words[at],
               chance=f"{found.probabilities[at]:.0%}"),
            tr("The state moved by {change} of its length.", change=f"{found.changes[at]:.0%}"),
            tr("Gates on average: input {input}, forget {forget}, output {output}.", input=f"{gates[0]:.2f}",
               forget=f"{gates[1]:.2f}", output=f"{gates[2]:.2f}"),
            "" if bits is None else tr("The photo adds {bits} bits to this choice.", bits=f"{bits:.2f}"),
        )))  # fmt: skip
        self.tell(
            tr("The photo is read once, into {size} numbers. Each step rewrites them with the same {count} weights; at "
               "“{word}” the photo adds {bits} bits.", size=len(found.first), count=f"{found.parameters:,}",
               word=found.words[at], bits="?" if bits is None else f"{bits:.2f}")
        )  # fmt: skip

    def _whole(self) -> None:
        """What the whole caption shows, once all steps have been seen."""
        found = self.found
        if found is None or any(one is None for one in found.bits):
            return
        bits = [float(one) for one in found.bits if one is not None]
        top = max(range(len(bits)), key=bits.__getitem__)
        self.tell(
            tr("Of {total} bits that the photo adds in all, {share} go into “{word}”: the others follow more from the "
               "words before them.", total=f"{sum(bits):.1f}", share=f"{bits[top] / max(sum(bits), 1e-9):.0%}",
               word=found.words[top])
        )  # fmt: skip

    def _plot(self, found: Unrolled, at: int) -> None:
        steps = tuple(map(float, range(len(found.words))))
        bits = tuple(float("nan") if one is None else one for one in found.bits)
        scale = max((one for one in bits if one == one), default=1.0) / max(*found.gradients, 1e-12)
        slopes = tuple(one * scale for one in found.gradients)
        self.left.show_lines(
            (Line(tr("bits of the photo"), steps, bits, points=True),
             Line(tr("gradient to the photo (own scale)"), steps, slopes, "caution", "--", points=True)), float(at),
        )  # fmt: skip

    def another(self) -> None:
        """Translate the next of the sample sentences."""
        self.sentence += 1
        self._translate()

    def _translate(self) -> None:
        sentences = sorted((one.text for one in self.desk.installed.sentences), key=len)
        if not sentences:
            return
        self.translated = {}
        text = sentences[-1 - self.sentence % len(sentences)]
        for lane, attention in ATTENTION.items():
            self.ask(TranslateRequest(text, attention), lane)

    def take_trace(self, lane: str, trace: Trace) -> None:
        self.translated[lane] = trace.text
        told = {"text": trace.source.text, "words": len((trace.source.text or "").split())}
        lines = [tr("“{text}” ({words} words)", **told)]
        for name, title in ((WITHOUT, tr("through one vector")), (WITH, tr("with attention"))):
            if said := self.translated.get(self.lane(name)):
                lines.append(tr("{title}: {text}", title=title, text=said))
        self.translation.setText("\n\n".join(lines))

    def set_tokens(self, tokens: Tokens) -> None:
        self.view.set_tokens(tokens)
        self.left.set_tokens(tokens)

    def hideEvent(self, event: Any) -> None:
        self._stepping.stop()
        super().hideEvent(event)

    def commands(self) -> dict[str, Callable[[], object]]:
        last = len(self.found.words) - 1 if self.found is not None else 0
        return {
            "play": self.play,
            "on": lambda: self._choose(self.view.at + 1),
            "back": lambda: self._choose(self.view.at - 1),
            "first": partial(self._choose, 0),
            "last": partial(self._choose, last),
        }

    def numbers(self) -> dict[str, Any]:
        return {} if self.found is None else {n: getattr(self.found, n) for n in self.found.__dataclass_fields__}

    def table(self) -> list[Sequence[Any]]:
        rows: list[Sequence[Any]] = [
            ("step", "word", "probability", "bits", "change", "input", "forget", "output", "gradient")
        ]
        found = self.found
        for t, word in enumerate(found.words if found is not None else ()):
            assert found is not None
            gates = map(float, found.gates[t].mean(axis=1))
            rows.append((t, word, found.probabilities[t], found.bits[t], found.changes[t], *gates, found.gradients[t]))
        return rows


def _repeats(caption: str) -> str:
    """Which words a caption says more than once, little ones left out."""
    words = [word for word in caption.split() if len(word) > 3]
    twice = [word for word in dict.fromkeys(words) if words.count(word) > 1]
    return " " + tr("It repeats: {words}.", words=", ".join(twice)) if twice else ""
