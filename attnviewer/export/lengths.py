"""The bottleneck curve: how good translations are by the length of the source, a line for each way to attend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from attnviewer.core.i18n import tr
from attnviewer.export.legend import line_style

Band = tuple[str, int, float]  # source words, sentences, BLEU


def length_figure(curves: Mapping[str, Sequence[Band]]) -> Figure:
    """BLEU over bands of source length, by attention; dashes and marks tell the lines apart as colours do.

    Below each band stands how many sentences it has. A band that a curve lacks is left out of its line.
    """
    counts = {band: count for curve in curves.values() for band, count, _ in curve}
    bands = sorted(counts, key=lambda band: int(band.split("-")[0].rstrip("+")))
    made = Figure(figsize=(6.4, 4.2), facecolor="white", layout="constrained")
    axes = made.add_subplot()
    for mode, curve in curves.items():
        style = line_style(mode, "translate")
        places, scores = [bands.index(band) for band, _, _ in curve], [score for _, _, score in curve]
        axes.plot(places, scores, markersize=6, **style)
    axes.set_xticks(range(len(bands)), [f"{band}\n({counts[band]:,})" for band in bands])
    axes.set_xlim(-0.3, len(bands) - 0.7)
    axes.set_ylim(0, 1.08 * max([1.0, *(score for curve in curves.values() for _, _, score in curve)]))
    axes.set_xlabel(tr("words and marks of the Spanish sentence (how many sentences)"))
    axes.set_ylabel(tr("BLEU, lower-cased"))
    axes.set_title(tr("How good translations are by the length of the sentence"), fontsize=11, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    return made
