"""`attnviewer explore field`: the fields of the encoder's layers, what a unit sees, and what attention hears."""

from __future__ import annotations

import argparse
from typing import Any

from attnviewer.core.explore.findings import LayerRow, Layers, UnitField
from attnviewer.core.explore.listening import Listening
from attnviewer.core.explore.requests import LayersRequest, ListenRequest, UnitRequest
from attnviewer.core.i18n import tr
from attnviewer.core.request import DEVICES
from attnviewer.verbs.exploring.common import add_image, add_json, picture_of, put

COLUMNS = ("layer", "kernel", "stride", "field", "jump", "start", "units", "channels")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add = parser.add_argument
    add_image(parser)
    add("--layer", metavar="NAME", help=tr("layer of the unit, such as stem, stage3 or head (default: the grid's)"))
    add("--row", type=int, metavar="R", help=tr("row of the unit (default: the middle)"))
    add("--column", type=int, metavar="C", help=tr("column of the unit (default: the middle)"))
    add("--channel", type=int, metavar="N", help=tr("one channel alone (default: their sum)"))
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print all layers, and the unit."""
    picture = picture_of(args)
    from attnviewer.api import explore

    layers = explore(LayersRequest(device=args.device))
    unit = explore(UnitRequest(picture, args.layer, args.row, args.column, args.channel, device=args.device))
    assert isinstance(layers, Layers)
    assert isinstance(unit, UnitField)
    side = unit.layer.field.side
    heard = explore(ListenRequest(picture, ((unit.row + 0.5) / side, (unit.column + 0.5) / side), device=args.device))
    assert isinstance(heard, Listening)
    numbers = {
        "model": layers.model,
        "source": picture,
        "input": layers.side,
        "layers": [_row(row) for row in layers.layers],
        "unit": _unit(unit),
        "attention": _attention(heard),
    }
    return put(args, "field", numbers, lambda: _told(layers, unit, heard))


def _row(row: LayerRow) -> dict[str, Any]:
    field = row.field
    return {
        "name": row.name,
        "kernel": field.kernel,
        "stride": field.stride,
        "field": field.size,
        "jump": field.jump,
        "start": field.start,
        "rows": field.side,
        "columns": field.side,
        "channels": row.channels,
    }


def _unit(unit: UnitField) -> dict[str, Any]:
    return {
        "layer": unit.layer.name,
        "row": unit.row,
        "column": unit.column,
        "channel": unit.channel,
        "field": unit.layer.field.size,
        "box": unit.box,
        "effective": unit.width,
        "gradient": unit.gradient,
    }


def _attention(heard: Listening) -> dict[str, Any]:
    return {
        "model": heard.model,
        "layer": heard.layer,
        "row": heard.row,
        "column": heard.column,
        "weights": heard.weights,
        "by_distance": heard.by_distance,
        "beyond": heard.beyond,
    }


def _told(layers: Layers, unit: UnitField, heard: Listening) -> str:
    from attnviewer.measure.table import table

    rows = [
        (row.name, f.kernel, f.stride, f.size, f.jump, f.start, f"{f.side} x {f.side}", row.channels)
        for row in layers.layers
        for f in (row.field,)
    ]
    left, top, right, bottom = unit.box
    told = {
        "layer": unit.layer.name, "row": unit.row, "column": unit.column, "left": left, "top": top, "right": right,
        "bottom": bottom, "side": unit.side, "size": unit.layer.field.size, "width": f"{unit.width:.0f}",
    }  # fmt: skip
    return "\n".join(
        [
            tr("{model} on {side} x {side} pixels; fields, jumps and starts in pixels of that input",
               model=layers.model, side=layers.side),
            table(COLUMNS, rows),
            "",
            tr("The unit of {layer} at row {row}, column {column} can see {size} x {size} pixels; in this photo those "
               "from ({left}, {top}) to ({right}, {bottom}).", **told),
            tr("Its effective field (gradient above 4.55 % of its largest) is as large as {width} x {width}.",
               **told),
            tr("Self-attention knows no distance: in {model} the cell at the same place takes {share} of what it hears "
               "from cells that a 3x3 convolution can't reach from there.",
               model=heard.model, share=f"{heard.beyond:.0%}"),
        ]
    )  # fmt: skip
