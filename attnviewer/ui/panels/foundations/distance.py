"""How much a place hears from each distance in self-attention, beside what one convolution could hear."""

from __future__ import annotations

from attnviewer.core.explore.listening import REACH, Listening
from attnviewer.core.i18n import tr
from attnviewer.ui.widgets.plot import Axis, Line, Plot


class DistancePlot(Plot):
    """The share of the weights by distance: of self-attention, of equal weights, and of a 3x3 convolution."""

    def __init__(self) -> None:
        super().__init__(
            tr("What it hears, by distance"), tr("Share of the weights of cells at each distance"),
            Axis(tr("distance in cells"), step=1, tell="{:.0f}".format), Axis(low=0, high=1, tell="{:.0%}".format),
        )  # fmt: skip

    def show_finding(self, found: Listening) -> None:
        """Show the shares of one place; a 3x3 convolution has nothing beyond its reach."""
        at = tuple(map(float, range(len(found.by_distance))))
        near = found.even[: REACH + 1]
        kernel = tuple(share / sum(near) for share in near) + (0.0,) * (len(at) - REACH - 1)
        self.show_lines(
            (
                Line(tr("self-attention"), at, found.by_distance, points=True),
                Line(tr("equal weights"), at, found.even, "muted", "--"),
                Line(tr("3x3 convolution"), at, kernel, "caution", ":"),
            )
        )


def sentence(found: Listening) -> str:
    """What the row says."""
    heads = [1 - sum(one[: REACH + 1]) for one in found.by_head]
    return tr(
        "Self-attention knows no distance. The place at row {row}, column {column} takes {share} of what it hears from "
        "cells that a 3x3 convolution can't reach in one step; its heads take from {least} to {most}.",
        row=found.row, column=found.column, share=f"{found.beyond:.0%}", least=f"{min(heads):.0%}",
        most=f"{max(heads):.0%}",
    )  # fmt: skip
