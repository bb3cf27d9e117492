"""`attnviewer caption IMAGE --compare`: the same photo with no, soft, hard and uniform attention."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.i18n import tr
from attnviewer.core.images import Picture
from attnviewer.core.modes import compared
from attnviewer.core.paths import CARD, shelf
from attnviewer.core.request import CaptionRequest, Decoding
from attnviewer.core.shown import one_line
from attnviewer.core.trace import Trace
from attnviewer.export import Options, check_figure, save_compare
from attnviewer.verbs.output import wrote

TRANSFORMER = "caption-transformer"


def check_call(args: argparse.Namespace, targets: Sequence[Path | None]) -> None:
    """Raise `UserError` before any model runs where what was asked can't be compared or written."""
    if args.model is not None:
        raise UserError(tr("--compare takes a model for each way to attend; leave out --model."))
    for target in targets:
        if target is not None:
            check_figure(target)


def compare(
    request: CaptionRequest, decoding: Callable[[str], Decoding], run: Callable[[CaptionRequest], Trace]
) -> dict[str, Trace]:
    """The traces by attention mode, each with its own `decoding`; the photo's features are computed once.

    Where the Transformer that captions is installed, its trace comes last, by its id.
    """
    rows = {mode: replace(request, attention=mode, decoding=decoding(mode)) for mode in compared(request.task)}
    if (shelf() / TRANSFORMER / CARD).exists():
        rows[TRANSFORMER] = replace(request, attention="soft", decoding=decoding("soft"), model=TRANSFORMER)
    return {name: run(one) for name, one in rows.items()}


def write(traces: dict[str, Trace], picture: Picture, target: Path | None, args: argparse.Namespace) -> None:
    """The rows as a figure."""
    if target is not None:
        wrote(target, save_compare(traces, picture, target, Options(cells=args.cells, per_word=args.per_word)))


def show(traces: dict[str, Trace], image: Path | None, as_json: bool) -> None:
    """A line for each mode: its trace as JSON, or its name, its caption, and what its number is."""
    for mode, trace in traces.items():
        head = [] if image is None else [one_line(image)]
        score = tr("log-probability {score:.2f}", score=float(trace.logprobs.sum()))
        line = "\t".join([*head, mode, trace.text, score])
        print(trace.to_json() if as_json else line, flush=True)
