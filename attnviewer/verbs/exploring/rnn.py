"""`attnviewer explore rnn`: the captioner without attention, unrolled word by word."""

from __future__ import annotations

import argparse

from attnviewer.core.explore.findings import Unrolled
from attnviewer.core.explore.requests import UnrollRequest
from attnviewer.core.i18n import tr
from attnviewer.core.request import DEVICES
from attnviewer.verbs.exploring.common import add_image, add_json, picture_of, put


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    add_image(parser)
    parser.add_argument("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Unroll and print."""
    picture = picture_of(args)
    from attnviewer.api import explore

    found = explore(UnrollRequest(picture, device=args.device))
    assert isinstance(found, Unrolled)
    numbers = {name: getattr(found, name) for name in found.__dataclass_fields__} | {"source": picture}
    return put(args, "rnn", numbers, lambda: _told(found))


def _told(found: Unrolled) -> str:
    from attnviewer.measure.table import table

    gates = found.gates.mean(axis=2)  # [T, 3]
    rows = [
        (word, found.probabilities[t], found.bits[t], found.changes[t], *map(float, gates[t]), found.gradients[t])
        for t, word in enumerate(found.words)
    ]
    heads = ("word", "probability", "bits", "change", "input", "forget", "output", "gradient")
    state = {"size": found.states.shape[1], "count": f"{found.parameters:,}"}
    return "\n".join(
        [
            tr("The state has {size} numbers; the same {count} parameters are used at each step.", **state),
            table(tuple(tr(head) for head in heads), rows, digits=2),
            tr(
                "bits: what the photo adds to the choice; change: of the state, as a share of its length; gates: means;"
            ),
            tr("gradient: how strongly the word's log-probability hangs on the photo's vector."),
            tr("With the photo fed in at every step instead: {caption}", caption=found.again),
        ]
    )
