"""Figures in the manner of Show, Attend and Tell: the photo, then a panel for each word, on one colour scale.

Every length is in inches, laid out from the top; matplotlib places the axes and writes PNG, SVG or PDF.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from attnviewer.core.boxed import area, box_of, shares
from attnviewer.core.covers import Box
from attnviewer.core.heads import told
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture
from attnviewer.core.lens import cell_rect, word_map
from attnviewer.core.trace import Grid, Step, Trace
from attnviewer.export.fonts import TRUTH, faces_for, letters_of
from attnviewer.export.legend import draw_legend
from attnviewer.export.options import Options
from attnviewer.export.paint import overlay, photo_of, source_size, span
from attnviewer.export.tokens import token_figure
from attnviewer.export.wrapping import wrapped

PANEL, TALLEST, LEAST = 2.1, 2.7, 0.9
GAP, LABEL, MARGIN, LEGEND, LINE, FOOT = 0.14, 0.26, 0.25, 1.15, 0.3, 0.32
SHOWN = 420  # pixels along the longer side of a panel
SURE = later("{share}: how sure it is that this is in the photo at all")
MUTED = "#555c66"
MOST_PIXELS = 10_000_000  # a larger figure is drawn coarser
PACKING = {"compress_level": 3}  # twice as fast as the usual 6 and hardly larger
METADATA = {".png": {"Software": "attnviewer"}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def save_picture(trace: Trace, picture: Picture | None, path: Path, options: Options) -> None:
    """Write the figure as `.png`, `.svg` or `.pdf`; the same trace gives the same bytes."""
    write(lambda: figure(trace, picture, options), path, options, letters_of(trace))


def write(make: Callable[[], Figure], path: Path, options: Options, text: str = "") -> None:
    """Make a figure that says `text` and write it in the form of the suffix."""
    path.write_bytes(rendered(make, path.suffix.lower(), options, text))  # at once: a full disk leaves no stump


def rendered(make: Callable[[], Figure], suffix: str, options: Options, text: str = "") -> bytes:
    """A figure as a file's bytes, with nothing in it that changes from day to day.

    Parameters
    ----------
    text : what is written in the figure, so that there are typefaces for its letters.
    """
    settings = {"svg.hashsalt": "attnviewer", "font.family": faces_for(text).families}
    with warnings.catch_warnings(), matplotlib.rc_context(settings):
        warnings.simplefilter("ignore", UserWarning)  # letters that no font has: `files.save` tells them
        made = make()
        dpi = min(options.dpi, (MOST_PIXELS / float(np.prod(made.get_size_inches()))) ** 0.5)
        packing: dict[str, Any] = {"pil_kwargs": PACKING} if suffix == ".png" else {}
        made.savefig(page := io.BytesIO(), format=suffix[1:], dpi=dpi, metadata=METADATA[suffix], **packing)
    return page.getvalue()


def figure(trace: Trace, picture: Picture | None, options: Options) -> Figure:
    """The figure for a trace over a grid (a panel a word) or over tokens (a matrix, or bars for a single word)."""
    if isinstance(trace.locations, Grid):
        return _panels(trace, picture, options, trace.locations)
    return token_figure(trace, options)


@dataclass(frozen=True)
class Plan:
    """Where panels lie: size of a panel, their columns and rows, the title's lines."""

    wide: float
    high: float
    columns: int
    rows: int
    title: tuple[str, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the whole figure."""
        width = 2 * MARGIN + self.columns * (self.wide + GAP) - GAP + LEGEND
        return width, 2 * MARGIN + LINE * len(self.title) + self.rows * (self.high + LABEL + GAP) + FOOT

    def place(self, number: int) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of a panel in fractions of the figure."""
        row, column = divmod(number, self.columns)
        width, height = self.size
        left = MARGIN + column * (self.wide + GAP)
        top = MARGIN + LINE * len(self.title) + row * (self.high + LABEL + GAP) + LABEL
        return left / width, 1 - (top + self.high) / height, self.wide / width, self.high / height


def plan(panels: int, across: int, down: int, text: str) -> Plan:
    """Lay out so many panels of a picture `across` x `down` in a figure about three wide to two high."""
    wide = min(PANEL, TALLEST * across / down)
    high = max(wide * down / across, LEAST / 2)
    wide = max(wide, LEAST)
    columns = max(min(panels, 3), min(panels, round((1.5 * panels * (high + LABEL) / wide) ** 0.5)))
    letters = int((columns * (wide + GAP) + LEGEND) * 7)
    title = tuple(wrapped(text, max(letters, 12))[:6])
    return Plan(wide, high, columns, -(-panels // columns), title)


def _panels(trace: Trace, picture: Picture | None, options: Options, grid: Grid) -> Figure:
    source = source_size(trace, picture)
    mapped = [word for word, step in enumerate(trace.steps) if len(step.weights)]
    layout = plan(1 + len(mapped), *source, trace.text)
    made = Figure(figsize=layout.size, facecolor="white")
    photo = photo_of(trace, picture, SHOWN)
    _show(made, layout, 0, np.asarray(photo), source)
    box = box_of(trace)
    found = shares(trace, box) if box is not None else []
    for number, word in enumerate(mapped, start=1):
        weights = word_map(trace, word, options.head)
        assert weights is not None
        painted = overlay(photo, weights, grid, source, span(trace, word, options).high, options)
        axes = _show(made, layout, number, painted, source)
        _label(axes, trace, word, float(weights.max()), options, layout.wide)
        ring(axes, grid, trace.steps[word].sampled)
        if box is not None:
            _outline(axes, box, source, found[word])
    _frame(made, layout, trace, options, bool(mapped))
    return made


def _show(made: Figure, layout: Plan, number: int, pixels: Any, source: tuple[int, int]) -> Any:
    axes = made.add_axes(layout.place(number))
    axes.imshow(pixels, extent=(0, source[0], source[1], 0), interpolation="lanczos" if number == 0 else "nearest")
    axes.set_axis_off()
    return axes


def _outline(axes: Any, box: Box, source: tuple[int, int], share: float | None) -> None:
    """The box, and how much of the word's attention lies in it."""
    (left, right), (top, bottom) = ([side * size for side in pair] for pair, size in zip(
        (box[::2], box[1::2]), source, strict=True))  # fmt: skip
    for colour, width in (("black", 2.4), ("white", 1.2)):
        style: dict[str, Any] = {"fill": False, "edgecolor": colour, "linewidth": width, "linestyle": "--"}
        axes.add_patch(Rectangle((left, top), right - left, bottom - top, **style))
    if share is not None:
        ground = {"facecolor": "black", "alpha": 0.6, "pad": 1.5, "linewidth": 0}
        axes.text(left, bottom, f"{share:.0%}", fontsize=8, color="white", va="bottom", bbox=ground)


def _label(axes: Any, trace: Trace, word: int, peak: float, options: Options, wide: float) -> None:
    """The word on the left; its probability, or the map's peak where ranges differ, on the right."""
    step = trace.steps[word]
    note = "" if wide < 1.2 else tr("peak {peak:.2f}", peak=peak) if options.per_word else _number(trace, step)
    room = int(wide * 9) - len(note)
    text = step.word if len(step.word) <= room else step.word[: max(room - 1, 1)] + "…"
    style: dict[str, Any] = {"fontsize": 11, "fontweight": "bold", "parse_math": False}
    slant = "italic" if step.forced else "normal"
    axes.annotate(text, (0, 1), (0, 4), "axes fraction", "offset points", fontstyle=slant, **style)
    axes.annotate(note, (1, 1), (0, 4), "axes fraction", "offset points", fontsize=8, color=MUTED, ha="right")


def _number(trace: Trace, step: Step) -> str:
    """The word's probability; of a query, how sure it is that this is there at all."""
    if trace.task != "query":
        return f"{np.exp(step.logprob):.2f}"
    sure = getattr(trace, "presence", None)
    return "" if sure is None else f"{sure:.0%}"


def _meaning(trace: Trace, options: Options) -> str:
    """What the number above a panel is."""
    if options.per_word:
        return tr("; number: the highest weight")
    if trace.task != "query":
        return tr("; number: the word's probability")
    return f"; {tr(SURE, share=sure)}" if (sure := _number(trace, trace.steps[0])) else ""


def ring(axes: Any, grid: Grid, sampled: int | None) -> None:
    """Outline the location that hard attention took."""
    if sampled is None:
        return
    left, top, right, bottom = cell_rect(grid, sampled)
    for colour, width in (("black", 3.0), ("white", 1.4)):
        style: dict[str, Any] = {"fill": False, "edgecolor": colour, "linewidth": width}
        axes.add_patch(Rectangle((left, top), right - left, bottom - top, **style))


def _frame(made: Figure, layout: Plan, trace: Trace, options: Options, mapped: bool) -> None:
    """Title above, legend to the right, footnote below."""
    width, height = layout.size
    for line, text in enumerate(layout.title):
        y = 1 - (MARGIN + LINE * (line + 0.3)) / height
        made.text(MARGIN / width, y, text, fontsize=14, fontweight="bold", va="center", parse_math=False)
    if mapped:
        tall = min(layout.rows * (layout.high + LABEL + GAP) - LABEL - GAP, 3.2)
        top = MARGIN + LINE * len(layout.title) + LABEL
        place = ((width - MARGIN - LEGEND + 0.22) / width, 1 - (top + tall) / height, 0.16 / width, tall / height)
        draw_legend(made, place, span(trace, None, options), options)
    note = "\n".join(wrapped(footnote(trace, options, mapped), int(width * 12)))
    made.text(MARGIN / width, 0.15 / height, note, fontsize=8, color=MUTED, va="bottom", parse_math=False)


def footnote(trace: Trace, options: Options, mapped: bool) -> str:
    """What the figure shows and what it doesn't."""
    if not mapped:
        return tr("{model}: this run had no attention", model=trace.model)
    heads = f", {told(trace)}" if len(trace.heads) > 1 and options.head is None else ""
    forced = tr("; italic: imposed from outside") if any(trace.forced) else ""
    number = _meaning(trace, options)
    taken = tr("; outlined: the location taken") if any(place is not None for place in trace.sampled) else ""
    box = box_of(trace)
    inside = "" if box is None else tr("; in the box: share of the attention, the box is {area} of the photo",
                                       area=f"{area(box):.0%}")  # fmt: skip
    return f"{trace.model}{heads}: {tr(TRUTH)}{number}{taken}{forced}{inside}"
