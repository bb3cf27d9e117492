"""One photo, several ways to attend: a row for each with its caption, a panel for each word, one colour scale.

Every length is in inches, laid out from the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import Range, word_map
from attnviewer.core.modes import MODES
from attnviewer.core.trace import Floats, Grid, Trace
from attnviewer.export.fonts import TRUTH
from attnviewer.export.legend import draw_legend
from attnviewer.export.options import Options
from attnviewer.export.paint import overlay, photo_of, source_size, span
from attnviewer.export.picture import MUTED, ring
from attnviewer.export.wrapping import wrapped

MOST_COLUMNS, PANEL, TALLEST = 12, 1.3, 1.7
LABEL, GAP, HEAD, MARGIN, LEGEND, FOOT, SIDE = 0.24, 0.1, 0.18, 0.25, 1.1, 0.35, 1.9
SHOWN = 300  # pixels along the longer side of a panel
BLANK = "#f1f3f6"


@dataclass(frozen=True)
class Layout:
    """Where rows and panels lie: size of a panel, panels a line, the lines of each row, the room its text needs."""

    wide: float
    high: float
    columns: int
    lines: tuple[int, ...]
    needs: tuple[float, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole figure."""
        width = 2 * MARGIN + SIDE + self.columns * (self.wide + GAP) + LEGEND
        return width, 2 * MARGIN + sum(map(self.row_height, range(len(self.lines)))) + FOOT

    def row_height(self, row: int) -> float:
        """Height of a row with the gap below it; its name and caption stand at the left and need room too."""
        return max(self.lines[row] * (self.high + LABEL), self.needs[row]) + HEAD

    def top(self, row: int) -> float:
        """Distance of a row's upper edge from the top."""
        return MARGIN + sum(map(self.row_height, range(row)))

    def place(self, row: int, word: int) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of a word's panel in fractions of the figure."""
        line, column = divmod(word, self.columns)
        width, height = self.size
        left = MARGIN + SIDE + column * (self.wide + GAP)
        top = self.top(row) + line * (self.high + LABEL) + LABEL
        return left / width, 1 - (top + self.high) / height, self.wide / width, self.high / height


def lay_out(counts: Sequence[int], needs: Sequence[float], across: int, down: int) -> Layout:
    """Lay out rows of so many words, whose texts need so much height, over a picture `across` x `down`."""
    wide = min(PANEL, TALLEST * across / down)
    columns = min(max([*counts, 1]), MOST_COLUMNS)
    lines = tuple(max(1, -(-count // columns)) for count in counts)
    return Layout(max(wide, 0.5), max(wide * down / across, 0.3), columns, lines, tuple(needs))


def shared(traces: Mapping[str, Trace], options: Options) -> Range:
    """The colour range that all the traces share."""
    spans = [span(trace, None, options) for trace in traces.values() if trace.heads and trace.steps]
    if not spans:
        return Range(1.0, 0.0)
    return Range(max(one.high for one in spans), spans[0].uniform, peak=max(one.peak for one in spans))


def compare_figure(traces: Mapping[str, Trace], picture: Picture | None, options: Options) -> Figure:
    """A row for each attention mode of `traces`, in their order."""
    first = next(iter(traces.values()))
    told = [description(mode, trace) for mode, trace in traces.items()]
    needs = [sum(map(_line_height, texts)) for texts in told]
    layout = lay_out([len(trace.steps) for trace in traces.values()], needs, *source_size(first, picture))
    made = Figure(figsize=layout.size, facecolor="white")
    photo, scale = photo_of(first, picture, SHOWN), shared(traces, options)
    for row, trace in enumerate(traces.values()):
        _describe(made, layout, row, told[row])
        for word in range(len(trace.steps)):
            high = span(trace, word, options).high if options.per_word else scale.high
            axes = _panel(made, layout, (row, word), trace, picture, photo, high, options)
            _label(axes, trace, word, layout.wide)
    _frame(made, layout, traces, scale, options)
    return made


def _panel(
    made: Figure, layout: Layout, at: tuple[int, int], trace: Trace, picture: Picture | None, photo: Image.Image,
    high: float, options: Options,
) -> Any:  # fmt: skip
    """The map of a word; without attention the photo at the first word, and nothing at those that don't see it."""
    source, weights = source_size(trace, picture), word_map(trace, at[1], options.head)
    axes = made.add_axes(layout.place(*at))
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    pixels = _pixels(trace, weights, photo, source, high, options, first=at[1] == 0)
    if pixels is None:
        axes.set_facecolor(BLANK)
        return axes
    axes.imshow(pixels, extent=(0, source[0], source[1], 0), interpolation="nearest")
    if isinstance(trace.locations, Grid):
        ring(axes, trace.locations, trace.steps[at[1]].sampled)
    return axes


def _pixels(
    trace: Trace, weights: Floats | None, photo: Image.Image, source: tuple[int, int], high: float, options: Options,
    first: bool,
) -> Any:  # fmt: skip
    if weights is not None and isinstance(trace.locations, Grid):
        return overlay(photo, weights, trace.locations, source, high, options)
    return np.asarray(photo) if first else None


def _label(axes: Any, trace: Trace, word: int, wide: float) -> None:
    step, room = trace.steps[word], int(wide * 10)
    text = step.word if len(step.word) <= room else step.word[: max(room - 1, 1)] + "…"
    slant = "italic" if step.forced else "normal"
    style: dict[str, Any] = {"fontsize": 9, "fontweight": "bold", "parse_math": False, "fontstyle": slant}
    axes.annotate(text, (0, 1), (0, 3), "axes fraction", "offset points", **style)


Text = tuple[str, int, str, str]


def description(mode: str, trace: Trace) -> list[Text]:
    """What stands at the left of a row: name, caption and score, each with size, weight and colour."""
    row = MODES.get(mode)
    known = row is not None and trace.task in row.uses
    title, about = (row.title(trace.task), row.about(trace.task)) if row is not None and known else (mode, "")
    lines = wrapped(trace.text, 26) or [tr("(no words)")]
    return [
        (title, 11, "bold", "black"),
        *((line, 8, "normal", MUTED) for line in wrapped(about, 30)),
        *((line, 9, "normal", "black") for line in (lines if len(lines) <= 5 else [*lines[:4], lines[4] + " …"])),
        (tr("log-probability {score:.1f}", score=float(trace.logprobs.sum())), 8, "normal", MUTED),
    ]


def _line_height(text: Text) -> float:
    return text[1] * 0.0185


def _describe(made: Figure, layout: Layout, row: int, texts: list[Text]) -> None:
    width, height = layout.size
    top = layout.top(row) + 0.1
    for text, size, weight, colour in texts:
        style: dict[str, Any] = {"fontsize": size, "fontweight": weight, "color": colour}
        made.text(MARGIN / width, 1 - top / height, text, va="center", parse_math=False, **style)
        top += _line_height((text, size, weight, colour))


def _frame(made: Figure, layout: Layout, traces: Mapping[str, Trace], scale: Range, options: Options) -> None:
    width, height = layout.size
    if any(trace.heads for trace in traces.values()):
        tall = min(height - 2 * MARGIN - FOOT - LABEL, 3.2)
        top = MARGIN + LABEL
        place = ((width - MARGIN - LEGEND + 0.22) / width, 1 - (top + tall) / height, 0.16 / width, tall / height)
        draw_legend(made, place, scale, options)
    models = ", ".join(dict.fromkeys(trace.model for trace in traces.values()))
    note = "\n".join(
        wrapped(tr("{models}: {truth}; one colour scale for all rows", models=models, truth=tr(TRUTH)), int(width * 12))
    )
    made.text(MARGIN / width, 0.15 / height, note, fontsize=8, color=MUTED, va="bottom", parse_math=False)
