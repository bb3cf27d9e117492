"""Does it matter? The curves of a word as a figure, and its numbers as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attnviewer.core.colour import ground
from attnviewer.core.explore.findings import Matter
from attnviewer.core.explore.matters import NAMES, ORDERS, agreed, table, told
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.export.options import Options
from attnviewer.export.picture import rendered
from attnviewer.export.wrapping import wrapped

FIGURES = (".png", ".svg", ".pdf")
STYLES = {"attention": ("#3350d4", "-"), "gradient": ("#7c4a00", "--"), "occlusion": ("#161a21", "-."),
          "random": ("#7a8290", ":")}  # fmt: skip
SHOWN = 420  # pixels along the longer side of the photo


def as_bytes(found: Matter, picture: Picture | None, suffix: str) -> bytes:
    """The figure in the form of the suffix."""
    return rendered(lambda: figure(found, picture), suffix, Options(), " ".join((*found.words, *found.places)))


def figure(found: Matter, picture: Picture | None) -> Figure:
    """Both curves; above them the maps of a photo, below them what each source word counts."""
    maps = picture is not None and not found.places
    made = Figure(figsize=(9, 6.6), facecolor="white", layout="constrained")
    parts = made.subfigures(2, 1, squeeze=False, height_ratios=(1, 1.25) if maps else (1.25, 1))[:, 0]
    above, below = (parts[1], parts[0]) if maps else (parts[0], parts[1])
    covering, uncovering = above.subplots(1, 2, sharey=True)
    _curves(covering, found.deletion, found, tr("covered, most important first"))
    _curves(uncovering, found.insertion, found, tr("uncovered, most important first"))
    covering.set_ylim(
        0, 1.05 * max(max(curve) for kind in (found.deletion, found.insertion) for curve in kind.values())
    )
    covering.set_ylabel(tr("probability of “{word}”", word=found.words[found.word]))
    covering.legend(frameon=False, fontsize=8)
    if maps and picture is not None:
        _maps(below.subplots(1, len(found.maps), squeeze=False)[0], found, picture)
    elif found.places:
        _places(below.subplots(), found)
    made.suptitle(_title(found), fontsize=9, ha="left", x=0.01)
    return made


def _title(found: Matter) -> str:
    return "\n".join(line for text in (told(found), agreed(found)) for line in wrapped(text, 125))


def _curves(axes: Axes, curves: dict[str, tuple[float, ...]], found: Matter, across: str) -> None:
    for name in (order for order in ORDERS if order in curves):
        colour, dash = STYLES[name]
        shares = [100 * n / found.steps for n in range(len(curves[name]))]
        axes.plot(shares, curves[name], color=colour, linestyle=dash, label=tr(NAMES[name]))
    axes.set_xlabel(f"% {across}", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)


def _maps(many: Sequence[Axes], found: Matter, picture: Picture) -> None:
    step = max(1, max(picture.width, picture.height) // SHOWN)
    photo = ground(np.ascontiguousarray(picture.pixels[::step, ::step]), "grey")
    for axes, (name, values) in zip(many, found.maps.items(), strict=True):
        side = round(len(values) ** 0.5)
        kept = np.maximum(np.asarray(values), 0).reshape(side, side)
        high, wide = photo.shape[:2]
        strengths = np.sqrt(kept / max(float(kept.max()), 1e-12))
        axes.imshow(photo, extent=(0, wide, high, 0))
        axes.imshow(kept, extent=(0, wide, high, 0), cmap="inferno", alpha=0.85 * strengths, interpolation="nearest")
        axes.set_title(tr(NAMES[name]), fontsize=9, loc="left")
        axes.axis("off")


def _places(axes: Axes, found: Matter) -> None:
    wide = 0.8 / len(found.maps)
    for number, (name, values) in enumerate(found.maps.items()):
        size = np.asarray(values, np.float64)
        shares = size / size.sum() if name == "gradient" and size.sum() else size
        axes.bar(np.arange(len(size)) + number * wide, shares, wide, color=STYLES[name][0], label=tr(NAMES[name]))
    axes.set_xticks(np.arange(len(found.places)) + 0.4 - wide / 2, found.places, rotation=30, ha="right")
    axes.legend(frameon=False, fontsize=8)
    axes.set_ylabel(tr("weight, share, or probability lost"), fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def as_csv(found: Matter) -> bytes:
    """Areas, then the curves, then what each place counts."""
    lines = io.StringIO(newline="")
    out = csv.writer(lines, lineterminator="\n")
    out.writerows(table(found))
    known = [name for name in ORDERS if name in found.deletion]
    out.writerow([])
    out.writerow(["step", *(f"{kind} {name}" for kind in ("deletion", "insertion") for name in known)])
    for step in range(found.steps + 1):
        curves = [kind[name] for kind in (found.deletion, found.insertion) for name in known]
        out.writerow([step, *(curve[step] if step < len(curve) else "" for curve in curves)])
    out.writerow([])
    out.writerow(["place", "name", *found.maps])
    for place in range(len(next(iter(found.maps.values())))):
        name = found.places[place] if found.places else ""
        out.writerow([place, name, *(float(values[place]) for values in found.maps.values())])
    return lines.getvalue().encode()
