"""`attnviewer query "QUERY"`: which regions, words or lines a text attends to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from attnviewer.core.content import SCORES, ContentTrace, best
from attnviewer.core.i18n import later, tr
from attnviewer.core.images import Picture, load_picture
from attnviewer.core.lines import Lines, excerpt, read_lines
from attnviewer.core.request import DEVICES, QueryRequest, query_text
from attnviewer.core.trace import Grid
from attnviewer.verbs.output import forms_help, wrote
from attnviewer.verbs.progress import ProgressLine

EXAMPLES = later("""examples:
  attnviewer query dog --image park.jpg                 which regions answer, and is it there at all
  attnviewer query dog --image park.jpg -o dog.png      and a figure
  attnviewer query dog --sentence "a puppy barks"       which words
  attnviewer query puppy --lines notes.txt --top 3      which lines of a text file""")
EPILOG = later("""keys (several joined by commas, or all): bow counts words, tfidf counts them against how common they
are, words averages word vectors, words-raw does so before they are centred, sentence embeds the whole text. Regions of
an image have keys of their own.""")
LONGEST = 70


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer query`."""
    parser.epilog = f"{tr(EXAMPLES)}\n\n{tr(EPILOG)}\n\n{forms_help('query')}"
    add = parser.add_argument
    add("query", metavar="QUERY", help=tr("what is looked for, such as dog or 'something to play music with'"))
    items = parser.add_mutually_exclusive_group(required=True)
    items.add_argument("--image", metavar="IMAGE", help=tr("ask the regions of an image"))
    items.add_argument("--sentence", metavar="TEXT", help=tr("ask the words of a sentence"))
    items.add_argument("--lines", metavar="FILE", help=tr("ask the lines of a text file (.txt, .md, .csv)"))
    add(
        "--keys",
        metavar="KEYS",
        help=tr("bow, tfidf, words, words-raw, sentence (default: words of a sentence: words; lines: sentence)"),
    )
    add("--values", metavar="KEYS", help=tr("vectors to sum (default: the keys)"))
    add("--score", choices=tuple(SCORES), help=tr("how query and key are compared (default: cosine)"))
    add(
        "--temperature",
        type=float,
        metavar="T",
        help=tr("small: one item gets all; large: all get the same (default: what suits the keys)"),
    )
    add("--hard", action="store_true", help=tr("all weight on the best item"))
    add("--top", type=int, default=10, metavar="N", help=tr("how many items to print (default: 10)"))
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add("--json", action="store_true", help=tr("print the trace as JSON: scores and weights of all items"))
    add("-o", "--out", metavar="OUT", help=tr("write to this file; the suffix chooses the form"))


def run(args: argparse.Namespace) -> int:
    """Ask, and print the items with the most weight."""
    from attnviewer.export import check

    if args.out:
        check(args.out, "query")
    lines = read_lines(args.lines) if args.lines is not None else None
    request, notes = make_request(args, lines), lines.notes if lines else ()
    from attnviewer.api import run as run_request

    trace = run_request(request, ProgressLine(tr("--keys tfidf answers at once")))
    assert isinstance(trace, ContentTrace)
    _write(trace, request.picture, args)
    print(trace.to_json() if args.json else "\n\n".join(tables(trace, max(args.top, 1))))
    for note in () if args.json else (*notes, *trace.notes):
        print(note, file=sys.stderr)
    return 0


def make_request(args: argparse.Namespace, lines: Lines | None) -> QueryRequest:
    """The request that the arguments and the lines of their file describe; raises `UserError` for a bad picture."""
    return QueryRequest(
        query_text(args.query),
        picture=load_picture(args.image) if args.image is not None else None,
        sentence=args.sentence,
        lines=lines.texts if lines else None,
        numbers=lines.numbers if lines else None,
        keys=args.keys,
        values=args.values,
        score=args.score,
        temperature=args.temperature,
        hard=args.hard,
        device=args.device,
    )


def tables(trace: ContentTrace, top: int) -> Iterator[str]:
    """A table for each kind of keys: the items with the most weight, best first."""
    from attnviewer.measure.table import table

    length = len(trace.locations)
    numbers = getattr(trace.locations, "numbers", None)
    for at, (head, lookup) in enumerate(zip(trace.heads, trace.lookups, strict=True)):
        passages = trace.passages[at] if trace.passages else {}
        rows = [
            (float(lookup.weights[item]), float(lookup.scores[item]),
             *((numbers[item],) if numbers else ()), name(trace, item, passages.get(item)))
            for item in best(lookup.weights, top)
        ]  # fmt: skip
        more = (
            [tr("... and {more} more, of {all}", more=f"{length - top:,}", all=f"{length:,}")] if length > top else []
        )
        title = [f"[{head}]"] if len(trace.heads) > 1 else []
        heading = ("weight", "score", *(("line",) if numbers else ()), "item")
        yield "\n".join([*title, table(heading, rows, digits=4), *more])
    if trace.presence is not None:
        yield tr("is it there at all? {share} sure", share=f"{trace.presence:.0%}")


def name(trace: ContentTrace, item: int, passage: tuple[int, int] | None = None) -> str:
    """An item as text, a long one around its best passage; one without a vector is marked."""
    where = trace.locations
    if isinstance(where, Grid):
        return f"row {item // where.columns + 1}, column {item % where.columns + 1}"
    short = excerpt(where.tokens[item], passage, LONGEST)
    return tr("{text} (no vector)", text=short) if item in trace.unknown else short


def _write(trace: ContentTrace, picture: Picture | None, args: argparse.Namespace) -> None:
    if args.out is None:
        return
    from attnviewer.export import save

    wrote(args.out, save(trace, picture, Path(args.out)))
