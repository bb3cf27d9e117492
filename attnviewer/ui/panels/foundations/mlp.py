"""MLP: what a weight for each pixel costs, why another size is refused, and two tiny nets that learn side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from attnviewer.core.explore.dense import LARGEST, Cost, convolution, memory, mlp
from attnviewer.core.explore.finding import Finding
from attnviewer.core.explore.findings import Learner, Learning, Refusal
from attnviewer.core.explore.requests import LearnRequest, ResizeRequest
from attnviewer.core.i18n import later, tr
from attnviewer.ui.controls import button, column, label, row
from attnviewer.ui.desk import Desk
from attnviewer.ui.panels.foundations.base import Experiment
from attnviewer.ui.theme import Tokens
from attnviewer.ui.widgets.knob import Knob
from attnviewer.ui.widgets.plot import Axis, Line, Plot
from attnviewer.ui.widgets.raster import Raster, grey_image, montage, signed_image

SIDES = tuple(sorted({round(10 ** (n / 20)) for n in range(61)}))  # 1 to 1000
WIDTHS = tuple(sorted({round(10 ** (n / 10)) for n in range(61)}))  # 1 to a million
LAYERS = (*range(1, 21), 30, 50, 100)
AT_FIRST = 1000
LOOKS = {"MLP": ("caution", "--"), "CNN": ("accent", "")}
RESIZE = "resize"
BEGINNING = later("Both nets begin to learn …")
RESTING = later("The nets aren't learning now. Press “Learn again”.")


def short(number: float) -> str:
    """A large number for an axis: 1, 1k, 1M, 1G, 10¹²."""
    for power, letter in ((12, "T"), (9, "G"), (6, "M"), (3, "k")):
        if number >= 10**power:
            return f"{number / 10**power:g}{letter}"
    return f"{number:g}"


class MlpExperiment(Experiment):
    """Costs follow the sliders at once; the lesson runs on the model thread and can be stopped."""

    name = "mlp"
    photos = False

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.learning: Learning | None = None
        self.refusal: Refusal | None = None
        self._make_knobs()
        self._make_views()
        self.lay_out(self._stage(), self._side())
        self._count()
        desk.worker.busy_changed.connect(self._say_why_empty)

    def _make_knobs(self) -> None:
        self.side_knob = Knob(
            tr("Side P"),
            tr("The photo has P x P grey pixels"),
            len(SIDES) - 1,
            self._count,
            SIDES.__getitem__,
            lambda side: tr("{side} x {side} pixels", side=side),
        )
        self.layer_knob = Knob(
            tr("Layers L"), tr("Layers one after the other"), len(LAYERS) - 1, self._count, LAYERS.__getitem__
        )
        self.width_knob = Knob(
            tr("Width D"),
            tr("Numbers that each layer gives; at the right end as many as there are pixels"),
            len(WIDTHS),
            self._count,
            lambda at: WIDTHS[at] if at < len(WIDTHS) else None,
            lambda width: tr("as many as pixels") if width is None else f"{width:,}",
        )
        self.side_knob.put(SIDES.index(AT_FIRST))
        self.layer_knob.put(0)
        self.width_knob.put(len(WIDTHS))

    def _make_views(self) -> None:
        count = Axis(tr("side of the photo in pixels"), log=True, low=1, high=LARGEST // 1000, tell=short)
        self.cost_plot = Plot(
            tr("Weights by the side of the photo"),
            tr("How the number of weights grows; click to choose a side"),
            count,
            Axis(log=True, low=1, tell=short),
        )
        self.cost_plot.picked.connect(self._pick_side)
        self.loss_plot = Plot(
            tr("Loss by epoch"),
            tr("How wrong both nets still are; lower is better"),
            Axis(tr("epoch"), low=1),
            Axis(low=0, tell="{:.2f}".format),
            empty=tr(RESTING),
        )
        self.shift_plot = Plot(
            tr("Right answers by shift"),
            tr("Share of new digits told apart, by how far they were moved"),
            Axis(tr("pixels that the digits were moved by")),
            Axis(low=0, high=1, tell="{:.0%}".format),
            empty=tr("When they have learnt, the digits are moved."),
        )
        self.digits = Raster(tr("Digits"), tr("Above as learnt, below moved"), still=True)
        self.units = Raster(
            tr("Weights of the MLP's units"),
            tr("Each image holds the weights of one hidden unit, one for each pixel"),
            still=True,
        )
        self.kernels = Raster(
            tr("Kernels of the convolutional net"), tr("All its first weights: twelve kernels of 5 x 5"), still=True
        )

    def _stage(self) -> QWidget:
        self.lesson = label("", "muted", wrap=True)
        lower = QWidget()
        pictures = column(
            label(tr("digits, and moved"), "title"), self.digits, label(tr("MLP: weights of each unit"), "title"),
            self.units, label(tr("CNN: kernels"), "title"), self.kernels, spacing=4,
        )  # fmt: skip
        plots = column(
            label(tr("Loss while learning 3 from 8"), "title"),
            self.loss_plot,
            label(tr("Then the digits are moved"), "title"),
            self.shift_plot,
            spacing=4,
        )
        both = row(spacing=14)
        both.addLayout(plots, 3)
        both.addLayout(pictures, 2)
        lower.setLayout(both)
        whole = QWidget()
        rows = column(self.cost_plot, self.lesson, lower, spacing=8)
        rows.setStretch(0, 2)
        rows.setStretch(2, 4)
        whole.setLayout(rows)
        return whole

    def _side(self) -> Sequence[QWidget | int]:
        self.dense_count, self.slid_count = label("", "value", wrap=True), label("", "value", wrap=True)
        self.grow = button(
            tr("Give it a photo 5 pixels larger"), tr("The same weights meet a photo of another size"), self.enlarge
        )
        self.refused = label("", "badge", wrap=True)
        self.refused.hide()
        self.again = button(tr("Learn again"), tr("Both nets start anew (R)"), self.learn, glyph="loop")
        return (
            self.side_knob,
            self.layer_knob,
            self.width_knob,
            label(tr("MLP: P² D + (L - 1) D² weights"), "title"),
            self.dense_count,
            label(tr("Convolution: 9 L weights"), "title"),
            self.slid_count,
            self.grow,
            self.refused,
            self.again,
            1,
        )

    @property
    def costs(self) -> tuple[Cost, Cost]:
        """What the MLP and the convolution cost as the sliders stand."""
        side, layers = self.side_knob.value, self.layer_knob.value
        return mlp(side, layers, self.width_knob.value), convolution(side, layers)

    def _count(self, *_: object) -> None:
        dense, slid = self.costs
        self.dense_count.setText(f"{dense.weights:,}\n{memory(dense.bytes)}")
        self.slid_count.setText(f"{slid.weights:,}\n{memory(slid.bytes)}")
        layers, width = self.layer_knob.value, self.width_knob.value
        curve = [float(mlp(side, layers, width).weights) for side in SIDES]
        flat = [float(convolution(side, layers).weights) for side in SIDES]
        sides = tuple(map(float, SIDES))
        self.cost_plot.show_lines(
            (Line(tr("MLP"), sides, tuple(curve), *LOOKS["MLP"]), Line(tr("3 x 3 convolution"), sides, tuple(flat))),
            self.side_knob.value,
        )
        self.refused.hide()
        self.tell(
            tr("A photo of {side} x {side} pixels: a fully connected net learns {dense} weights ({memory}), "
               "a convolution {slid}.", side=self.side_knob.value, dense=f"{dense.weights:,}",
               memory=memory(dense.bytes), slid=f"{slid.weights:,}")
        )  # fmt: skip

    def _pick_side(self, side: float) -> None:
        nearest = min(range(len(SIDES)), key=lambda n: abs(np.log(SIDES[n] / side)))
        self.side_knob.slider.setValue(nearest)

    def begin(self) -> None:
        self.learn()

    def learn(self) -> None:
        """Let both nets learn from the start."""
        self.learning = None
        self.loss_plot.show_lines(())
        self.shift_plot.show_lines(())
        self.ask(LearnRequest())
        self._say_why_empty()

    def _say_why_empty(self, *_: object) -> None:
        """Where no loss is shown: whether the nets are about to learn, or wait to be told."""
        self.loss_plot.set_empty(tr(BEGINNING if self.desk.worker.runs(self.lane()) else RESTING))

    def enlarge(self) -> None:
        """Show the layer a photo of another size."""
        width = self.width_knob.value or self.side_knob.value**2
        self.ask(ResizeRequest(self.side_knob.value, width), RESIZE)

    def take(self, finding: Finding) -> None:
        if isinstance(finding, Learning):
            self.learning = finding
            self._show_learning(finding)
        elif isinstance(finding, Refusal):
            self.refusal = finding
            self._show_refusal(finding)

    def _show_refusal(self, found: Refusal) -> None:
        self.refused.setText(
            tr("The layer has a column of weights for each of {pixels} pixels, and now there are {more}. torch says: "
               "“{message}” The convolution takes it, and gives {rows} x {columns}.",
               pixels=f"{found.side**2:,}", more=f"{found.grown**2:,}", message=found.message, rows=found.output[0],
               columns=found.output[1])
        )  # fmt: skip
        self.refused.show()

    def _show_learning(self, found: Learning) -> None:
        self.loss_plot.show_lines([_line(one, one.losses, 1) for one in found.learners])
        self.shift_plot.show_lines([_line(one, one.shifted, 0) for one in found.learners])
        dense, slid = found.learners
        both = np.concatenate([found.samples, found.moved])
        self.digits.show_image(grey_image(np.nan_to_num(montage(both, len(found.samples))[0], nan=0.5), 0, 1))
        self.units.show_image(signed_image(montage(dense.weights, 4, 2)[0], self.desk.tokens))
        self.kernels.show_image(signed_image(montage(slid.weights, 6)[0], self.desk.tokens))
        self.lesson.setText(_told(found, dense, slid))

    def set_tokens(self, tokens: Tokens) -> None:
        for view in (self.cost_plot, self.loss_plot, self.shift_plot, self.digits, self.units, self.kernels):
            view.set_tokens(tokens)
        if self.learning is not None:
            self._show_learning(self.learning)

    def hideEvent(self, event: QHideEvent) -> None:
        """Whoever goes on waits for no lesson: it begins anew at the next visit."""
        if self.desk.worker.runs(self.lane()):
            self.desk.worker.cancel(self.lane())
            self._stale = True
        super().hideEvent(event)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {"again": self.learn}

    def numbers(self) -> dict[str, Any]:
        names = ("weights", "biases", "parameters", "bytes")
        both = {
            name: {key: getattr(cost, key) for key in names}
            for name, cost in zip(("mlp", "convolution"), self.costs, strict=True)
        }
        sizes = {"side": self.side_knob.value, "layers": self.layer_knob.value, "width": self.width_knob.value}
        return {**sizes, **both, "learning": self.learning, "refusal": self.refusal}

    def table(self) -> list[Sequence[Any]]:
        rows: list[Sequence[Any]] = [("net", "epoch", "loss", "accuracy")]
        for one in self.learning.learners if self.learning else ():
            rows += [(one.name, n, *pair) for n, pair in enumerate(zip(one.losses, one.accuracies, strict=True), 1)]
        return rows


def _line(one: Learner, values: Sequence[float], first: int) -> Line:
    name = tr("{name}, {count} parameters", name=one.name, count=f"{one.parameters:,}")
    return Line(name, tuple(float(n + first) for n in range(len(values))), tuple(values), *LOOKS[one.name], points=True)


def _told(found: Learning, dense: Learner, slid: Learner) -> str:
    if not dense.shifted:
        return tr("Epoch {epoch} of {epochs}: on new digits the MLP is right in {dense}, the CNN in {slid}.",
                  epoch=found.epoch, epochs=found.epochs, dense=f"{dense.accuracies[-1]:.0%}",
                  slid=f"{slid.accuracies[-1]:.0%}")  # fmt: skip
    told = {
        "dense": f"{dense.shifted[0]:.0%}",
        "slid": f"{slid.shifted[0]:.0%}",
        "shift": len(dense.shifted) - 1,
        "lost": f"{dense.shifted[-1]:.0%}",
        "kept": f"{slid.shifted[-1]:.0%}",
    }
    return tr(
        "Both tell 3 from 8 where they learnt them ({dense} and {slid} right). Moved by {shift} pixels, the MLP is "
        "right in {lost} (chance: 50%); the CNN, which uses the same weights everywhere, in {kept}.",
        **told,
    )
