"""Figures of traces over tokens: an alignment matrix, or bars where there is a single word (a query).

Of very many tokens the bars show those with the most weight and say how many more there are; a matrix of very many has
smaller cells and letters. A word that the model doesn't know is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure, FigureBase

from attnviewer.core.colour import HEADROOM, strength
from attnviewer.core.content import best
from attnviewer.core.heads import told
from attnviewer.core.i18n import later, tr
from attnviewer.core.lens import found_by, maps, shows_origins
from attnviewer.core.trace import Floats, Step, Tokens, Trace
from attnviewer.export.fonts import TRUTH
from attnviewer.export.legend import draw_legend, number
from attnviewer.export.options import Options
from attnviewer.export.paint import lookup, span

CELL, LONGEST, MUTED = 0.36, 24, "#555c66"
LETTER = 0.06  # inches of a letter of the foot, on the average
WIDEST = 40.0  # inches of a matrix
MOST_BARS = 40
CAME = later("where each word came from, asked once it was known")
GIVEN = later("a word the model doesn't know")
NOTHING = later("this run had no attention")
MARGIN, LEGEND, TITLE, FOOT = 0.3, 1.2, 0.55, 0.45


Size = tuple[float, float]  # width and height in inches
Draw = Callable[[FigureBase, Size], None]


def token_figure(trace: Trace, options: Options) -> Figure:
    """Words down, tokens across; a single word is drawn as bars in source order."""
    size, draw = _plan(trace, options)
    made = Figure(figsize=size, facecolor="white")
    draw(made, size)
    return made


def stacked_figure(traces: Mapping[str, Trace], options: Options) -> Figure:
    """The figures of several traces of one text, one below the other."""
    plans = [_plan(trace, options) for trace in traces.values()]
    wide, heights = max(size[0] for size, _ in plans), [size[1] for size, _ in plans]
    made = Figure(figsize=(wide, sum(heights)), facecolor="white")
    parts = made.subfigures(len(plans), 1, height_ratios=heights, squeeze=False)[:, 0]
    for part, (size, draw) in zip(parts, plans, strict=True):
        draw(part, (wide, size[1]))
    return made


def _plan(trace: Trace, options: Options) -> tuple[Size, Draw]:
    """How much room the figure of a trace needs, and what draws it."""
    assert isinstance(trace.locations, Tokens)
    tokens, shown = trace.locations.tokens, maps(trace, options.head)
    if not shown.size:
        return (max(6.0, 1 + len(trace.text) / 8), TITLE + FOOT), partial(_frame, trace, NOTHING)
    if len(shown) == 1:
        kept = sorted(best(shown[0], MOST_BARS))
        return _bars(trace, shown[0][kept], [_short(tokens[place]) for place in kept])
    return _matrix(trace, shown, [_short(token) for token in tokens], options)


def _matrix(trace: Trace, shown: Floats, labels: list[str], options: Options) -> tuple[Size, Draw]:
    names = [_name(step) for step in trace.steps if len(step.weights)]
    left, above = 0.3 + 0.085 * max(map(len, names)), 0.35 + 0.065 * max(map(len, labels))
    foot = "; ".join((_what(trace), *_remarks(trace)))
    cell = min(CELL, WIDEST / max(len(labels), len(names)))
    wide, high = cell * len(labels), cell * len(names)

    def draw(made: FigureBase, size: Size) -> None:
        axes = made.add_axes(((MARGIN + left) / size[0], FOOT / size[1], wide / size[0], high / size[1]))
        high_of = shown.max(axis=1, keepdims=True) if options.per_word else span(trace, None, options).high
        share = strength(shown / high_of, 1.0)  # as in the legend
        colours = lookup(options.table)[(share * 255).round().astype(int)].astype(np.uint8)
        axes.imshow(colours, aspect="auto", interpolation="nearest")
        axes.set_xticks(range(len(labels)), labels, rotation=45, ha="left", rotation_mode="anchor", parse_math=False)
        axes.set_yticks(range(len(names)), names, parse_math=False)
        axes.xaxis.tick_top()
        axes.tick_params(length=2, labelsize=min(10.0, 50 * cell))
        edge = MARGIN + left + wide + 0.25
        place = (edge / size[0], FOOT / size[1], 0.16 / size[0], high / size[1])
        draw_legend(made, place, span(trace, None, options), options, solid=True)
        _frame(trace, foot, made, size)

    room = max(MARGIN + left + max(wide, 2.6) + LEGEND, 2 * MARGIN + LETTER * len(f"{trace.model}: {foot}"))
    return (room, TITLE + above + high + FOOT), draw


def _what(trace: Trace) -> str:
    what = tr(CAME if shows_origins(trace) else TRUTH)
    return f"{heads}: {what}" if (heads := told(trace)) else what


def _name(step: Step) -> str:
    return _short(step.word) + " *" * step.unknown


def _remarks(trace: Trace) -> Iterator[str]:
    """What must be said of the words and of the order of the tokens."""
    hows = dict.fromkeys(_how(trace, step) for step in trace.steps if step.unknown)
    if hows:
        yield f"* {tr(' or ').join(hows)}"
    if trace.request.get("shuffle") is not None:
        yield tr("source words in a shuffled order")


def _how(trace: Trace, step: Step) -> str:
    """What became of a word that the model has none for."""
    return tr(GIVEN if step.forced else found_by(trace, step))


def _bars(trace: Trace, weights: Floats, labels: list[str]) -> tuple[Size, Draw]:
    left, high = 0.3 + 0.09 * max(map(len, labels)), 0.27 * len(labels)

    def draw(made: FigureBase, size: Size) -> None:
        axes = made.add_axes(((MARGIN + left) / size[0], (FOOT + 0.2) / size[1], 4.2 / size[0], high / size[1]))
        axes.barh(range(len(labels)), weights, color="#3350d4", height=0.7)
        axes.set_yticks(range(len(labels)), labels, parse_math=False)
        axes.invert_yaxis()
        uniform, more = 1 / len(trace.locations), len(trace.locations) - len(labels)
        axes.set_xlim(0, max(float(weights.max()), HEADROOM * uniform / 2) * 1.02)
        axes.axvline(uniform, color=MUTED, linewidth=1, linestyle="--")
        foot: Any = ("data", "axes fraction")
        axes.annotate(
            tr("uniform {number}", number=number(uniform)), (uniform, 0), (2, -9), foot, "offset points", fontsize=8
        )
        style: Any = {"va": "center", "fontsize": 8, "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.5}}
        for row, weight in enumerate(weights):
            axes.annotate(f"{weight:.3f}", (weight, row), (3, 0), "data", "offset points", **style)
        axes.set_xticks([])
        axes.spines[["top", "right", "bottom"]].set_visible(False)
        _frame(
            trace,
            tr("and {more:,} more tokens, each with less weight", more=more) if more else _what(trace),
            made,
            size,
        )

    return (MARGIN + left + 5.0, TITLE + high + FOOT + 0.25), draw


def _frame(trace: Trace, what: str, made: FigureBase, size: Size) -> None:
    width, height = size
    title: Any = {"fontsize": 13, "fontweight": "bold", "va": "center", "parse_math": False}
    made.text(MARGIN / width, 1 - 0.25 / height, _short(trace.text, int(width * 8)), **title)
    made.text(MARGIN / width, 0.15 / height, f"{trace.model}: {what}", fontsize=8, color=MUTED, parse_math=False)


def _short(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
