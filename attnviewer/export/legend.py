"""The legend of the colour scale, with the level marked that a uniform map has everywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from matplotlib.figure import FigureBase

from attnviewer.core.i18n import tr
from attnviewer.core.lens import Range
from attnviewer.core.modes import MODES
from attnviewer.export.options import Options
from attnviewer.export.paint import ramp

STEPS = 128
CLEAR = 0.09  # share of the legend's height below which a label would touch its neighbour


def draw_legend(
    made: FigureBase, place: tuple[float, float, float, float], shown: Range, options: Options, solid: bool = False
) -> Any:
    """Draw the scale at `place` (left, bottom, width, height) in fractions of the figure; `solid` without a ground."""
    axes = made.add_axes(place)
    colours = ramp(STEPS, replace(options, opacity=1.0, gamma=0.0) if solid else options)[:, None]
    axes.imshow(colours, extent=(0, 1, 0, shown.high), origin="lower", aspect="auto")
    axes.set_xticks([])
    axes.yaxis.tick_right()
    if options.per_word:
        axes.set_yticks([0, shown.high], ["0", tr("the word's\nown peak")], fontsize=8)
    else:
        axes.set_yticks([0, shown.high], ["0", f"{'≥ ' * shown.clipped}{number(shown.high)}"], fontsize=8)
        _mark_uniform(axes, shown)
    axes.tick_params(length=2)
    return axes


def line_style(mode: str, task: str) -> dict[str, Any]:
    """How the line of a mode is drawn, and its name in the key; dashes and marks tell lines apart as colours do."""
    row = MODES[mode]
    return {"color": row.ink, "linestyle": row.dash, "marker": row.mark, "label": row.label(task)}


def _mark_uniform(axes: Any, shown: Range) -> None:
    height = min(max(shown.uniform, CLEAR * shown.high), (1 - CLEAR) * shown.high)
    axes.axhline(shown.uniform, color="white", linewidth=2.5)
    axes.axhline(shown.uniform, color="black", linewidth=1.0)
    text = tr("uniform\n{number}", number=number(shown.uniform))
    line = {"arrowstyle": "-", "linewidth": 0.8}
    style: dict[str, Any] = {"fontsize": 8, "va": "center", "arrowprops": line, "annotation_clip": False}
    axes.annotate(text, (1, shown.uniform), (1.6, height), "data", **style)


def number(value: float) -> str:
    """Two significant digits, without an exponent where that is readable."""
    return f"{value:.2g}" if value >= 1e-4 else f"{value:.0e}"
