"""`attnviewer translate "SENTENCE"...`: translate Spanish sentences; the model is loaded once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from attnviewer.core.arguments import checked_text
from attnviewer.core.errors import UserError
from attnviewer.core.events import Progress
from attnviewer.core.i18n import later, ntr, tr
from attnviewer.core.interventions import Intervention
from attnviewer.core.lens import BY_RULE, COPIED, LOOKED_UP, found_by, origins
from attnviewer.core.lines import read_rows
from attnviewer.core.modes import help_of, of
from attnviewer.core.request import DEVICES, Decoding, TranslateRequest, usual_beam
from attnviewer.core.sentence import tokenize
from attnviewer.core.text import UNKNOWN_SHOWN
from attnviewer.core.trace import Trace
from attnviewer.export import FIGURES, Options, save
from attnviewer.export.links import pharaoh
from attnviewer.verbs.changing import add_changes, changes_of
from attnviewer.verbs.cues import Part, laid_out, parts_of
from attnviewer.verbs.given import measured
from attnviewer.verbs.imposing import add_impositions, interventions_of, refuse_covers
from attnviewer.verbs.output import add_head, chosen_form, forms_help, names, places, with_head, wrote
from attnviewer.verbs.progress import ProgressLine

TOGETHER = 96  # rows that are translated side by side

EXAMPLES = later("""examples:
  attnviewer translate "El perro duerme."               the translation
  attnviewer translate "El perro duerme." -o links.png  and its alignment matrix
  attnviewer translate "El perro duerme." -o dog.html   and a page to hand out, with the words to click
  attnviewer translate "El perro duerme." --pharaoh     links as text, such as 0-0 1-1: source-target, from 0
  attnviewer translate "El perro duerme." --force-gaze 1=2  the second word chosen while looking at the third
  attnviewer translate --lines letter.txt -o out/       a line each, a file each
  attnviewer translate --attention none "El perro duerme."   without attention
  attnviewer translate "El perro duerme." --words "The dog sleeps."   how probable is that, word by word""")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options of `attnviewer translate`."""
    parser.epilog = f"{tr(EXAMPLES)}\n\n{forms_help('translate')}"
    add = parser.add_argument
    add("sentences", nargs="*", metavar="SENTENCE", help=tr("Spanish text, in quotation marks; one result each"))
    add("--lines", metavar="FILE", help=tr("translate the lines of a text file; an empty line gives an empty line"))
    told = tr("how the model attends (default: soft); {modes}", modes=help_of("translate"))
    add("--attention", choices=of("translate"), default="soft", help=told)
    add(
        "--beam",
        type=int,
        metavar="K",
        help=tr("hypotheses kept (default: 4; 1, greedy, over 60 words or with --words)"),
    )
    add("--words", metavar="TEXT", help=tr("measure this translation instead of making one"))
    add_impositions(parser, tr("a source word (its number, from 0)"))
    add("--hide", type=int, action="append", default=[], metavar="N",
        help=tr("source word N (from 0) is read as one that nobody can make out; repeatable"))  # fmt: skip
    add("--shuffle", type=int, metavar="N", help=tr("hand the source words to the attention in an order of this seed"))
    add(
        "--origin",
        action="store_true",
        help=tr("figures and links tell where each word came from, not what it was chosen by"),
    )
    add(
        "--pharaoh", action="store_true", help=tr("print the links 0-0 1-2 (source-target, from 0) instead of the text")
    )
    add("--model", metavar="ID", help=tr("a model of `attnviewer models` (default: the one for --attention)"))
    add("--device", choices=DEVICES, default="auto", help=tr("where to compute (default: auto)"))
    add("--json", action="store_true", help=tr("print the trace as JSON, one line a sentence"))
    add("-o", "--out", metavar="OUT", help=tr("write to this file, or for several sentences to this folder"))
    add("--form", choices=names("translate"), help=tr("form of the files in a folder (default: json)"))
    add_head(parser)
    add("--per-word", action="store_true", help=tr("pictures give each word its own colour range"))
    add_changes(parser)


@dataclass(frozen=True)
class Row:
    """A sentence, its name where there are several, its file, and its lines; or a line that is `kept` as it is."""

    text: str
    name: str | None
    target: Path | None
    lines: tuple[str, ...] = ()
    kept: bool = False


def run(args: argparse.Namespace) -> int:
    """Translate the sentences in order; one at fault is reported, leaves its line empty, and the rest go on."""
    rows = gather(args)
    refuse_covers(args)
    words, imposed = _given(args.words), interventions_of(args)
    failed = 0
    told = ProgressLine() if args.lines is not None and not sys.stdout.isatty() else lambda _: None
    done, count = 0, sum(not row.kept for row in rows)
    for start in range(0, len(rows), TOGETHER):
        group = rows[start : start + TOGETHER]
        told(Progress(tr("translated {done} of {count}", done=done, count=count), done / count))
        made = [None if row.kept else _asked_for(row, words, imposed, args) for row in group]
        found = iter(_traces([one for one in made if isinstance(one, TranslateRequest)]))
        told(Progress("", 1.0))  # clears the line for what is printed now
        for row, one in zip(group, made, strict=True):
            failed += not _finish(row, next(found) if isinstance(one, TranslateRequest) else one, args)
        done += sum(not row.kept for row in group)
    return 2 if failed else 0


def _asked_for(
    row: Row, words: tuple[str, ...] | None, imposed: tuple[Intervention, ...], args: argparse.Namespace
) -> TranslateRequest | UserError:
    """What a row asks for, or what is wrong with it; raises that where the row stands alone."""
    try:
        return _request(row.text, words, imposed, args)
    except UserError as error:
        if row.name is None:
            raise
        return error


def _finish(row: Row, made: Trace | UserError | None, args: argparse.Namespace) -> bool:
    """Write and print what was made of a row; False where it was at fault."""
    if made is None:
        _keep(row, args)
    elif isinstance(made, UserError):
        blank = args.lines is not None and not row.text.strip()
        _skip(row, None if blank else made, args)
        return blank
    else:
        _show(row, made, args)
    return True


def gather(args: argparse.Namespace) -> list[Row]:
    """The sentences that the arguments name; raises `UserError` where they or the places to write to are at fault."""
    if bool(args.sentences) == (args.lines is not None):
        raise UserError(tr('give sentences or --lines FILE, such as attnviewer translate "El perro duerme."'))
    if args.origin and args.out is None and not args.pharaoh:
        raise UserError(tr("--origin is for a figure or links; add -o alignment.png, or --pharaoh"))
    if args.pharaoh and args.json:
        raise UserError(tr("--pharaoh prints links and --json the trace; leave one out"))
    parts = [Part(n, (text,), kept=False) for n, text in enumerate(args.sentences, start=1)]
    parts = parts or parts_of(args.lines, read_rows(args.lines))
    asked = [part for part in parts if not part.kept]
    texts = [part.text for part in asked]
    if not any(map(str.strip, texts)):
        raise UserError(tr("there is no word to translate{where}; give a Spanish sentence.", where=_inside(args)))
    numbered = [f"{n:0{len(str(len(texts)))}}" for n in range(1, len(texts) + 1)]
    read = [Path(args.lines)] if args.lines else []
    form = chosen_form(args.form, args.out)
    targets = iter(places([Path(n) for n in numbered], args.out, form, "sentences", read, "translate"))
    names = [None if len(parts) == 1 else f"{_unit(args)} {part.number}" for part in parts]
    return [
        Row(part.text, name, None if part.kept else next(targets), part.lines, part.kept)
        for part, name in zip(parts, names, strict=True)
    ]


def _keep(row: Row, args: argparse.Namespace) -> None:
    """Print a line that is no text, where translations are printed."""
    if not (args.json or args.pharaoh or args.words is not None):
        print(row.text, flush=True)


def _unit(args: argparse.Namespace) -> str:
    return "sentence" if args.lines is None else "line"


def _inside(args: argparse.Namespace) -> str:
    return "" if args.lines is None else f" in {args.lines}"


def _given(text: str | None) -> tuple[str, ...] | None:
    words = None if text is None else tuple(tokenize(checked_text(text, "--words")))
    if words == ():
        raise UserError(tr('there are no words in --words; give a translation, such as --words "The dog sleeps."'))
    return words


def _request(
    text: str, words: tuple[str, ...] | None, imposed: tuple[Intervention, ...], args: argparse.Namespace
) -> TranslateRequest:
    steered = words is not None or bool(imposed)
    usual = usual_beam("translate", args.attention, steered=steered, words=len(tokenize(text)))
    decoding = Decoding(usual if args.beam is None else args.beam)
    return TranslateRequest(
        text,
        args.attention,
        decoding,
        words,
        args.model,
        args.device,
        imposed,
        args.shuffle,
        tuple(args.hide),
        changes_of(args),
    )


def _traces(requests: list[TranslateRequest]) -> list[Trace]:
    from attnviewer.api import run, run_translations

    return [run(one) for one in requests] if len(requests) < 2 else run_translations(requests)


def _skip(row: Row, error: UserError | None, args: argparse.Namespace) -> None:
    """Keep the line of a sentence that isn't translated empty, and say why unless it was empty itself."""
    if not args.json:
        print(flush=True)
    if error is not None:
        print(f"attnviewer: {row.name}: {error}", file=sys.stderr)


def _show(row: Row, trace: Trace, args: argparse.Namespace) -> None:
    """Write the trace, and print it, the table of given words, or the translation."""
    if row.target is not None:
        wrote(row.target, save(_drawn(trace, row.target, args), None, row.target, Options(per_word=args.per_word)))
    if args.json:
        print(trace.to_json(), flush=True)
        return
    print("\n".join(_told(row, trace, args)), flush=True)
    for note in [*trace.notes, *remarks(trace)]:
        print(note if row.name is None else f"{row.name}: {note}", file=sys.stderr)


def _told(row: Row, trace: Trace, args: argparse.Namespace) -> Iterable[str]:
    """The lines printed for a sentence: links, the table of given words, or the translation."""
    if args.pharaoh:
        return [pharaoh(_asked(trace, args))]
    return measured(trace, row.name) if args.words is not None else [laid_out(trace.text, row.lines)]


def _drawn(trace: Trace, target: Path, args: argparse.Namespace) -> Trace:
    """The trace with the maps that a file shows; data hold both."""
    return _asked(trace, args) if target.suffix.lower() in (*FIGURES, ".talp", ".html") else trace


def _asked(trace: Trace, args: argparse.Namespace) -> Trace:
    """The trace with the maps that are asked for; raises `UserError` where it has no origins."""
    if not args.origin or not trace.steps:
        return with_head(trace, args.head)
    found = origins(trace)
    if found is None:
        raise UserError(tr("{model} doesn't tell where its words came from; leave --origin out.", model=trace.model))
    return found


def remarks(trace: Trace) -> Iterator[str]:
    """Which words the model had no word of its own for: looked up, copied from the source, or left unknown."""
    unknown = [step for step in trace.steps if step.unknown and not step.forced]
    for how in (LOOKED_UP, COPIED, BY_RULE):
        if words := dict.fromkeys(s.word for s in unknown if (len(s.weights) or s.found) and found_by(trace, s) == how):
            yield f"{tr(how)}: {', '.join(words)}"
    if missing := sum(step.word == UNKNOWN_SHOWN for step in unknown):
        yield ntr(
            "{count} unknown word: without attention there is nothing to look up",
            "{count} unknown words: without attention there is nothing to look up",
            missing,
        )
