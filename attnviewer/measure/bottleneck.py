"""`attnviewer evaluate bottleneck`: how much of the image is left in each word, by its position in the caption."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.jobs import outcome
from attnviewer.core.paths import shelf
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.export import check_figure, save_figure
from attnviewer.export.legend import line_style
from attnviewer.measure.options.bottleneck import known
from attnviewer.measure.split import split_photos
from attnviewer.measure.table import table
from attnviewer.runs.engine import Engine

LEAST = 0.1  # a position counts as long as this share of the captions reaches it
TOLD = later("""\
Bits: divergence of the next word's chances given the photo from those given the mean photo, while each model reads its
own greedy caption (hard attention takes the most probable place). ± is one standard error of the mean.""")


@dataclass(frozen=True)
class Curve:
    """Mean bits by word position with their standard errors, over how many captions, and the mean over all words."""

    bits: tuple[float, ...]
    error: tuple[float, ...]
    captions: tuple[int, ...]
    mean: float


def curve(rows: Sequence[Sequence[float]]) -> Curve:
    """Average captions of different lengths position by position, as far as enough of them reach."""
    longest = max(map(len, rows))
    columns = [np.array([row[t] for row in rows if len(row) > t]) for t in range(longest)]
    kept = [column for column in columns if len(column) >= max(1.0, LEAST * len(rows))]
    errors = [float(column.std(ddof=1) / len(column) ** 0.5) if len(column) > 1 else 0.0 for column in kept]
    everything = float(np.concatenate(columns).mean())
    return Curve(tuple(float(c.mean()) for c in kept), tuple(errors), tuple(map(len, kept)), everything)


def run(args: argparse.Namespace) -> int:
    """Print (and draw) the curve of each attention mode."""
    modes = _check(args)
    paths = [photo.path for photo in split_photos(args)]
    curves = measure(Engine(shelf(args.models_dir), args.device), paths, modes)
    if args.json:
        figures = {mode: vars(one) for mode, one in curves.items()}
        print(json.dumps({"split": args.split, "photos": len(paths), "figures": figures}))
    else:
        print(_table(curves))
        print(tr("\n{count} photos of the {split} split.\n{told}", count=len(paths), split=args.split, told=tr(TOLD)))
    if args.out is not None:
        save_figure(lambda: plot(curves, len(paths)), args.out, read=paths)
        print(tr("wrote {out}", out=args.out), file=sys.stderr)
    return 0


def _check(args: argparse.Namespace) -> list[str]:
    modes = str(args.attention).split(",")
    if unknown := [mode for mode in modes if mode not in known()]:
        raise UserError(
            tr(
                "there is no attention {unknown} to measure; choose of {choices}.",
                unknown=unknown[0],
                choices=",".join(known()),
            )
        )
    if args.out is not None:
        check_figure(args.out)
    return modes


def measure(engine: Engine, paths: Sequence[str], modes: Sequence[str]) -> dict[str, Curve]:
    """The curve of each mode over the photos; each photo is encoded once."""
    rows: dict[str, list[tuple[float, ...]]] = {mode: [] for mode in modes}
    for mode in modes:
        _ = engine.zoo.captioner(None, mode).encoder.mean  # here, a missing mean photo is told at once
    for number, path in enumerate(paths, start=1):
        picture = load_picture(path)
        for mode in modes:
            rows[mode].append(bits_of(engine, picture, mode))
        if number % 25 == 0 or number == len(paths):
            print(tr("measured {number}/{count}", number=number, count=len(paths)), file=sys.stderr, flush=True)
    return {mode: curve(found) for mode, found in rows.items()}


def bits_of(engine: Engine, picture: Picture, mode: str) -> tuple[float, ...]:
    """Bits of each word of the greedy caption of a picture."""
    trace = outcome(engine.run(CaptionRequest(picture, mode, Decoding(alternatives=1, pick="argmax"))))
    return tuple(bits for bits in trace.bits if bits is not None)


def _table(curves: Mapping[str, Curve]) -> str:
    """A row for each word position, and the mean over all words."""
    longest = max(len(one.bits) for one in curves.values())
    rows: list[list[str]] = [
        [str(t + 1), *(_cell(one, t) for one in curves.values()), str(max(map(_captions(t), curves.values())))]
        for t in range(longest)
    ]
    rows.append(["all", *(f"{one.mean:.2f}" for one in curves.values()), ""])
    return table(["word", *curves, "captions"], rows)


def _cell(one: Curve, t: int) -> str:
    return f"{one.bits[t]:.2f} ± {one.error[t]:.2f}" if t < len(one.bits) else ""


def _captions(t: int) -> Any:
    return lambda one: one.captions[t] if t < len(one.captions) else 0


def plot(curves: Mapping[str, Curve], photos: int) -> Any:
    """Bits over word position with bands of one standard error; dashes and marks tell modes apart as colours do."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    made = Figure(figsize=(7, 4.2), facecolor="white", layout="constrained")
    axes = made.add_subplot()
    for mode, one in curves.items():
        style = line_style(mode, "caption")
        places, bits, error = np.arange(1, len(one.bits) + 1), np.array(one.bits), np.array(one.error)
        axes.fill_between(places, bits - error, bits + error, color=style["color"], alpha=0.15, linewidth=0)
        axes.plot(places, bits, markersize=4, **style)
    axes.set_xlabel("word of the model's own caption")
    axes.set_ylabel("bits the photo adds to the choice")
    axes.set_title(f"How much of the image is left, word by word ({photos} photos)", fontsize=11, loc="left")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    return made
