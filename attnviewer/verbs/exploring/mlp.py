"""`attnviewer explore mlp`: what a fully connected net costs beside a convolution."""

from __future__ import annotations

import argparse
from typing import Any

from attnviewer.core.explore.dense import Cost, convolution, memory, mlp
from attnviewer.core.i18n import ntr, tr
from attnviewer.verbs.exploring.common import add_json, put

SIDE, LAYERS, KERNEL = 1000, 1, 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add = parser.add_argument
    add("--side", type=int, default=SIDE, metavar="P", help=tr("the photo has P x P grey pixels (default: 1000)"))
    add("--layers", type=int, default=LAYERS, metavar="L", help=tr("layers (default: 1)"))
    add("--width", type=int, metavar="D", help=tr("numbers a layer gives (default: as many as there are pixels)"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print both costs."""
    dense, slid = mlp(args.side, args.layers, args.width), convolution(args.side, args.layers, KERNEL)
    numbers = {
        "side": args.side,
        "layers": args.layers,
        "width": dense.layers[-1].outputs,
        "mlp": counted(dense),
        "convolution": {"kernel": KERNEL, **counted(slid)},
    }
    return put(args, "mlp", numbers | counted(dense), lambda: _told(args.side, dense, slid))


def counted(cost: Cost) -> dict[str, Any]:
    """The figures of a net."""
    return {name: getattr(cost, name) for name in ("weights", "biases", "parameters", "bytes")}


def _told(side: int, dense: Cost, slid: Cost) -> str:
    from attnviewer.measure.table import table

    rows = [
        (name, f"{cost.weights:,}", f"{cost.biases:,}", memory(cost.bytes))
        for name, cost in ((tr("MLP"), dense), (tr("convolution, 3 x 3"), slid))
    ]
    head = ntr(
        "A grey photo of {side} x {side} pixels, {count} layer:",
        "A grey photo of {side} x {side} pixels, {count} layers:",
        len(dense.layers),
        side=side,
    )
    return f"{head}\n{table((tr('net'), tr('weights'), tr('biases'), tr('memory (float32)')), rows)}"
