"""`attnviewer attend TEXT | --image FILE`: every map of a net of self-attention, which may be changed inside."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from attnviewer.core.ablation import MASKS, Ablation
from attnviewer.core.attend import MOST_AS_TEXT, AttendTrace, parse_head
from attnviewer.core.errors import UserError
from attnviewer.core.heads import ALL, MAX, MEAN, looking, one_head
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.pieces import whole_words, without_specials
from attnviewer.core.request import DEVICES, AttendRequest
from attnviewer.core.trace import Floats, Tokens, Trace

EPILOG = later("""layers, heads and tokens count from 0; a head is named LAYER.HEAD, such as 2.3.
example: attnviewer attend "he sat on the bank of the river" --layer 3 --head 3.2 --no-head 0.5""")
SHOWN = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer attend`."""
    parser.epilog = tr(EPILOG)
    add = parser.add_argument
    add("text", nargs="?", metavar="TEXT", help=tr("a text; English unless the net reads another language"))
    add("--image", metavar="FILE", help=tr("an image in place of a text"))
    add(
        "--model",
        metavar="ID|FOLDER",
        help=tr("the net, or the folder of a model of your own (default: all-MiniLM-L6-v2; a captioner for photos)"),
    )
    add("--layer", type=int, metavar="I", help=tr("this layer alone"))
    add(
        "--mask", choices=MASKS, default="none", help=tr("who doesn't see whom: future hides what comes, past what was")
    )
    add(
        "--no-head",
        action="append",
        default=[],
        metavar="I.J",
        help=tr("switch a head off; may be given several times"),
    )
    add("--uniform-head", action="append", default=[], metavar="I.J", help=tr("let a head look at all alike"))
    add("--no-positions", action="store_true", help=tr("leave out where tokens stand"))
    add("--no-residuals", action="store_true", help=tr("don't add what enters a sub-layer to what it gives"))
    add("--tied", action="store_true", help=tr("make queries with the weights of the keys"))
    add("--whole-words", action="store_true", help=tr("join word pieces: rows averaged, columns summed"))
    add("--no-specials", action="store_true", help=tr("leave special tokens out; the rest of a row sums to 1 again"))
    add(
        "--head",
        default=MEAN,
        metavar="HEAD",
        help=tr("what is printed or drawn: mean, max, I.J or all, drawn small side by side (default: mean)"),
    )
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add("--lens", action="store_true", help=tr("print what each layer would already say at each token (logit lens)"))
    add("--json", action="store_true", help=tr("print the trace as JSON"))
    add("-o", "--out", metavar="OUT", help=tr("write to this file; the suffix chooses the form"))


def run(args: argparse.Namespace) -> int:
    """Attend, and print which tokens each token looks at most."""
    from attnviewer.export import check

    if args.out:
        check(args.out)
    request = make_request(args)
    if args.lens:
        from attnviewer.verbs.lens import show_lens

        show_lens(request)
        return 0
    from attnviewer.api import run as run_request

    trace = run_request(request)
    if args.no_specials and isinstance(trace, AttendTrace):
        trace = without_specials(trace)
    if args.whole_words and isinstance(trace, AttendTrace):
        trace = whole_words(trace)
    refuse_flood(trace, args)
    if args.head not in (MEAN, MAX, ALL):
        one_head(trace, args.head)  # refused before anything is written
    if args.out:
        _write(trace, request.picture, Path(args.out), args.head)
    if args.json:
        print(trace.to_json())
    elif not args.out:
        print("\n\n".join(tables(trace, args.head)))
    for note in trace.notes:
        print(note, file=sys.stderr)
    return 0


def make_request(args: argparse.Namespace) -> AttendRequest:
    """The request that the arguments describe; raises `UserError`."""
    change = Ablation(
        off=tuple(parse_head(name) for name in args.no_head),
        uniform=tuple(parse_head(name) for name in args.uniform_head),
        mask=args.mask,
        positions=not args.no_positions,
        residuals=not args.no_residuals,
        tied=args.tied,
    )
    picture = load_picture(Path(args.image)) if args.image is not None else None
    return AttendRequest(args.text, picture, args.model, args.layer, change, args.device)


def refuse_flood(trace: Trace, args: argparse.Namespace) -> None:
    """Raise `UserError` where the weights are too many to be written as text."""
    count = len(trace.steps) * len(trace.heads) * len(trace.locations)
    as_text = args.json or (args.out and Path(args.out).suffix.lower() == ".json")
    if as_text and count > MOST_AS_TEXT:
        raise UserError(
            tr(
                "{count} weights are too many for JSON; choose one --layer, or write them with -o x.npz.",
                count=f"{count:,}",
            )
        )


def tables(trace: Trace, head: str) -> Iterator[str]:
    """For each head that is asked for, a table of the tokens and those they look at most."""
    from attnviewer.measure.table import table

    for name, maps in _maps(trace, head):
        rows = [
            (number, step.word, _most(trace, row))
            for number, (step, row) in enumerate(zip(trace.steps, maps, strict=True))
        ]
        yield "\n".join((f"[{name}]", table(("", "token", "looks most at"), rows)))


def _maps(trace: Trace, head: str) -> Iterator[tuple[str, Floats]]:
    """Names and maps [T, L] of the heads that are asked for."""
    weights = trace.weights  # [T, H, L]
    if head == MAX:
        yield tr("maximum of {count} heads", count=len(trace.heads)), weights.max(axis=1)
    elif head == ALL:
        yield from ((name, weights[:, place]) for place, name in enumerate(trace.heads))
    else:
        named = tr("mean of {count} heads", count=len(trace.heads)) if head == MEAN else head
        yield named, one_head(trace, head).weights[:, 0]


def _most(trace: Trace, row: Floats) -> str:
    """The places with the most weight, in words."""
    order = np.argsort(-row, kind="stable")[:SHOWN]
    return "  ".join(f"{_name(trace, int(place))} {row[place]:.2f}" for place in order)


def _name(trace: Trace, place: int) -> str:
    if isinstance(trace.locations, Tokens):
        return f"{trace.locations.tokens[place]}({place})"
    return "{},{}".format(*divmod(place, trace.locations.columns))


def _write(trace: Trace, picture: Picture | None, path: Path, head: str) -> None:
    """Write all heads as data, and as a figure the one that is asked for."""
    from attnviewer.export import save
    from attnviewer.export.files import FORMS

    figure = FORMS[path.suffix.lower()].module != "data"
    save(looking(trace, head) if figure else trace, picture, path)
    print(tr("wrote {path}", path=path), file=sys.stderr)
