"""`attnviewer caption IMAGE --compare`: the same photo with no, soft, hard and uniform attention."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from attnviewer.core.errors import UserError
from attnviewer.core.images import Picture
from attnviewer.core.request import COMPARED, CaptionRequest
from attnviewer.core.trace import Trace
from attnviewer.export import Options, check_figure, save_compare


def check_call(args: argparse.Namespace, targets: Sequence[Path | None]) -> None:
    """Raise `UserError` before any model runs where what was asked can't be compared or written."""
    if args.model is not None:
        raise UserError("--compare takes a model for each way to attend; leave out --model.")
    for target in targets:
        if target is not None:
            check_figure(target)


def compare(request: CaptionRequest, run: Callable[[CaptionRequest], Trace]) -> dict[str, Trace]:
    """The traces by attention mode; the photo's features are computed once."""
    return {mode: run(replace(request, attention=mode)) for mode in COMPARED}


def write(traces: dict[str, Trace], picture: Picture, target: Path | None, args: argparse.Namespace) -> None:
    """The rows as a figure."""
    if target is not None:
        save_compare(traces, picture, target, Options(cells=args.cells, per_word=args.per_word))
        print(f"wrote {target}", file=sys.stderr)


def show(traces: dict[str, Trace], image: Path | None, as_json: bool) -> None:
    """A line for each mode: its trace as JSON, or its name, caption and log-probability."""
    for mode, trace in traces.items():
        head = [] if image is None else [str(image)]
        line = "\t".join([*head, mode, trace.text, f"{float(trace.logprobs.sum()):.2f}"])
        print(trace.to_json() if as_json else line, flush=True)
